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

namespace {

struct Kernels {
  void (*xor_in_place)(uint8_t* data, size_t bytes);
  void (*copy)(uint8_t* to, const uint8_t* from, size_t bytes);
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
  return {ROPEWALK_BOUND_OF(XorBound), ROPEWALK_BOUND_OF(CopyBound)};
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

}  // namespace ropewalk::bench

#endif  // HWY_ONCE
