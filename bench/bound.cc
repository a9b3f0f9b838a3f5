// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A file of its own, compiled at -O3 in every type of build: compiled
// carelessly the bound is 1.5 times slower and flatters what is measured.
#include "bench/bound.h"

#include <cstdint>
#include <cstring>
#include <string_view>

#include "ropewalk/target.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/bound.cc"
#include "hwy/foreach_target.h"

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::bench {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Sign bits on a little-endian machine.
constexpr uint64_t kKey = 0x8000000080000000u;

#if HWY_TARGET == HWY_SCALAR
// A machine word: Highway's one lane would want aligned data, or one byte.
using Vector = uint64_t;

HWY_INLINE size_t VectorBytes() { return sizeof(Vector); }
HWY_INLINE Vector Key() { return kKey; }
HWY_INLINE Vector Flip(Vector v, Vector key) { return v ^ key; }
HWY_INLINE Vector NoWords() { return 0; }
HWY_INLINE Vector AddWords(Vector a, Vector b) { return a + b; }
HWY_INLINE uint32_t TotalOf(Vector v) { return static_cast<uint32_t>(v); }
template <bool kAligned>
HWY_INLINE Vector Read(const uint8_t* from) {
  Vector v;
  std::memcpy(&v, from, sizeof(v));
  return v;
}
template <bool kAligned>
HWY_INLINE void Write(Vector v, uint8_t* to) {
  std::memcpy(to, &v, sizeof(v));
}
#else
using Bytes = hn::ScalableTag<uint8_t>;
using Vector = hn::Vec<Bytes>;

HWY_INLINE size_t VectorBytes() { return hn::Lanes(Bytes()); }
HWY_INLINE Vector Key() {
  return hn::BitCast(Bytes(), hn::Set(hn::ScalableTag<uint64_t>(), kKey));
}
HWY_INLINE Vector Flip(Vector v, Vector key) { return hn::Xor(v, key); }
using Words = hn::Repartition<uint32_t, Bytes>;
HWY_INLINE Vector NoWords() { return hn::Zero(Bytes()); }
HWY_INLINE Vector AddWords(Vector a, Vector b) {
  return hn::BitCast(Bytes(),
                     hn::Add(hn::BitCast(Words(), a), hn::BitCast(Words(), b)));
}
HWY_INLINE uint32_t TotalOf(Vector v) {
  return hn::GetLane(hn::SumOfLanes(Words(), hn::BitCast(Words(), v)));
}
template <bool kAligned>
HWY_INLINE Vector Read(const uint8_t* from) {
  if constexpr (kAligned) return hn::Load(Bytes(), from);
  return hn::LoadU(Bytes(), from);
}
template <bool kAligned>
HWY_INLINE void Write(Vector v, uint8_t* to) {
  if constexpr (kAligned) {
    hn::Store(v, Bytes(), to);
  } else {
    hn::StoreU(v, Bytes(), to);
  }
}
#endif

// Four vectors at a time: every load is issued before the first store.
template <bool kAligned>
HWY_INLINE void XorVectors(uint8_t* data, size_t bytes) {
  const size_t n = VectorBytes();
  const auto key = Key();
  size_t i = 0;
  for (; i + 4 * n <= bytes; i += 4 * n) {
    const auto v0 = Read<kAligned>(data + i);
    const auto v1 = Read<kAligned>(data + i + n);
    const auto v2 = Read<kAligned>(data + i + 2 * n);
    const auto v3 = Read<kAligned>(data + i + 3 * n);
    Write<kAligned>(Flip(v0, key), data + i);
    Write<kAligned>(Flip(v1, key), data + i + n);
    Write<kAligned>(Flip(v2, key), data + i + 2 * n);
    Write<kAligned>(Flip(v3, key), data + i + 3 * n);
  }
  for (; i + n <= bytes; i += n) {
    Write<kAligned>(Flip(Read<kAligned>(data + i), key), data + i);
  }
  for (; i < bytes; ++i) {
    data[i] = static_cast<uint8_t>(data[i] ^ (kKey >> (8 * (i % 8))));
  }
}

template <bool kAligned>
HWY_INLINE void CopyVectors(uint8_t* to, const uint8_t* from, size_t bytes) {
  const size_t n = VectorBytes();
  size_t i = 0;
  for (; i + 4 * n <= bytes; i += 4 * n) {
    const auto v0 = Read<kAligned>(from + i);
    const auto v1 = Read<kAligned>(from + i + n);
    const auto v2 = Read<kAligned>(from + i + 2 * n);
    const auto v3 = Read<kAligned>(from + i + 3 * n);
    Write<kAligned>(v0, to + i);
    Write<kAligned>(v1, to + i + n);
    Write<kAligned>(v2, to + i + 2 * n);
    Write<kAligned>(v3, to + i + 3 * n);
  }
  for (; i + n <= bytes; i += n) {
    Write<kAligned>(Read<kAligned>(from + i), to + i);
  }
  for (; i < bytes; ++i) to[i] = from[i];
}

HWY_INLINE bool IsAligned(const void* pointer) {
  return reinterpret_cast<uintptr_t>(pointer) % VectorBytes() == 0;
}

void XorBound(uint8_t* data, size_t bytes) {
  if (IsAligned(data)) {
    XorVectors<true>(data, bytes);
  } else {
    XorVectors<false>(data, bytes);
  }
}

void CopyBound(uint8_t* to, const uint8_t* from, size_t bytes) {
  if (IsAligned(to) && IsAligned(from)) {
    CopyVectors<true>(to, from, bytes);
  } else {
    CopyVectors<false>(to, from, bytes);
  }
}

uint32_t SumBound(const uint8_t* data, size_t bytes) {
  const size_t n = VectorBytes();
  Vector s0 = NoWords(), s1 = s0, s2 = s0, s3 = s0;
  size_t i = 0;
  for (; i + 4 * n <= bytes; i += 4 * n) {
    s0 = AddWords(s0, Read<false>(data + i));
    s1 = AddWords(s1, Read<false>(data + i + n));
    s2 = AddWords(s2, Read<false>(data + i + 2 * n));
    s3 = AddWords(s3, Read<false>(data + i + 3 * n));
  }
  uint32_t sum = TotalOf(AddWords(AddWords(s0, s1), AddWords(s2, s3)));
  for (; i < bytes; ++i) sum += data[i];
  return sum;
}

// A vector in an array would not compile where its size is not known.
int64_t MulAddPeak(int64_t rounds) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  // x / 2 + 1 tends to 2, without denormals, and no compiler shortens it.
  const V half = hn::Set(d, 0.5f);
  const V one = hn::Set(d, 1.0f);
  // Different ones, so that no chain stands for another.
  V x0 = hn::Set(d, 0.0f), x1 = hn::Set(d, 0.1f), x2 = hn::Set(d, 0.2f),
    x3 = hn::Set(d, 0.3f), x4 = hn::Set(d, 0.4f), x5 = hn::Set(d, 0.5f),
    x6 = hn::Set(d, 0.6f), x7 = hn::Set(d, 0.7f), x8 = hn::Set(d, 0.8f),
    x9 = hn::Set(d, 0.9f), x10 = hn::Set(d, 1.0f), x11 = hn::Set(d, 1.1f);
  for (int64_t i = 0; i < rounds; ++i) {
    x0 = hn::MulAdd(x0, half, one);
    x1 = hn::MulAdd(x1, half, one);
    x2 = hn::MulAdd(x2, half, one);
    x3 = hn::MulAdd(x3, half, one);
    x4 = hn::MulAdd(x4, half, one);
    x5 = hn::MulAdd(x5, half, one);
    x6 = hn::MulAdd(x6, half, one);
    x7 = hn::MulAdd(x7, half, one);
    x8 = hn::MulAdd(x8, half, one);
    x9 = hn::MulAdd(x9, half, one);
    x10 = hn::MulAdd(x10, half, one);
    x11 = hn::MulAdd(x11, half, one);
  }
  x0 = hn::Add(hn::Add(x0, x1), hn::Add(x2, x3));
  x4 = hn::Add(hn::Add(x4, x5), hn::Add(x6, x7));
  x8 = hn::Add(hn::Add(x8, x9), hn::Add(x10, x11));
  x0 = hn::Add(x0, hn::Add(x4, x8));
  // Wanted by nobody, but not to be left out.
  const volatile float kept = hn::GetLane(hn::SumOfLanes(d, x0));
  static_cast<void>(kept);
  return rounds * 12 * 2 * static_cast<int64_t>(hn::Lanes(d));
}

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

// Highway makes a table of one entry where one target is compiled.
#if HWY_IDE || ((HWY_TARGETS & (HWY_TARGETS - 1)) == 0)
#define ROPEWALK_BOUND_OF(FUNCTION) (&HWY_STATIC_DISPATCH(FUNCTION))
#else
#define ROPEWALK_BOUND_OF(FUNCTION) \
  (HWY_DISPATCH_TABLE(FUNCTION)[chosen.GetIndex()])
#endif

namespace ropewalk::bench {

HWY_EXPORT(XorBound);
HWY_EXPORT(CopyBound);
HWY_EXPORT(SumBound);
HWY_EXPORT(MulAddPeak);

namespace {

struct Kernels {
  void (*xor_in_place)(uint8_t* data, size_t bytes);
  void (*copy)(uint8_t* to, const uint8_t* from, size_t bytes);
  uint32_t (*sum)(const uint8_t* data, size_t bytes);
  int64_t (*mul_add)(int64_t rounds);
};

// Those compiled for the target of that name; the library is compiled for no
// target that this file is not.
Kernels Find(std::string_view name) {
  int64_t found = HWY_STATIC_TARGET;
  for (int bit = 0; bit < 63; ++bit) {
    const int64_t target = int64_t{1} << bit;
    if ((HWY_TARGETS & target) && name == hwy::TargetName(target)) {
      found = target;
    }
  }
  // A choice of its own: the host's Highway code is not switched.
  hwy::ChosenTarget chosen;
  chosen.Update(found);
  return {ROPEWALK_BOUND_OF(XorBound), ROPEWALK_BOUND_OF(CopyBound),
          ROPEWALK_BOUND_OF(SumBound), ROPEWALK_BOUND_OF(MulAddPeak)};
}

// Kept by the name's address: to compare names would cost as much as a short
// call takes.
const Kernels& Active() {
  thread_local const char* name = nullptr;
  thread_local Kernels kernels;
  const char* const active = ActiveTarget();
  if (active != name) {
    kernels = Find(active);
    name = active;
  }
  return kernels;
}

}  // namespace

void XorInPlace(void* data, size_t bytes) {
  Active().xor_in_place(static_cast<uint8_t*>(data), bytes);
}

void CopyBytes(void* to, const void* from, size_t bytes) {
  Active().copy(static_cast<uint8_t*>(to), static_cast<const uint8_t*>(from),
                bytes);
}

uint32_t SumBytes(const void* data, size_t bytes) {
  return Active().sum(static_cast<const uint8_t*>(data), bytes);
}

int64_t MulAddInRegisters(int64_t rounds) { return Active().mul_add(rounds); }

}  // namespace ropewalk::bench

#endif  // HWY_ONCE
