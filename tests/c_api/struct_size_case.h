// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The rules of structs of other versions, asked of any call: what a caller with
// other headers passes is taken by its struct_size, and nothing is read or
// written past it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "c_api/arguments.h"
#include "gtest/gtest.h"

namespace ropewalk::test {

inline constexpr uint32_t kTail = 64;

// `count` structs of another size, each the good one and a tail of zeros.
template <class T>
class Resized {
 public:
  Resized(const T* good, int count, uint32_t size)
      : size_(size), memory_(std::make_unique<uint64_t[]>(1024)) {
    for (int i = 0; i < count; ++i) {
      std::memcpy(Bytes(i), &good[i], std::min<size_t>(size, sizeof(T)));
      std::memcpy(Bytes(i), &size, sizeof(size));
    }
  }
  unsigned char* Bytes(int i) {
    return reinterpret_cast<unsigned char*>(memory_.get()) +
           static_cast<size_t>(i) * size_;
  }
  T* get() { return reinterpret_cast<T*>(memory_.get()); }
  const T& Get(int i) { return *reinterpret_cast<const T*>(Bytes(i)); }

 private:
  uint32_t size_;
  std::unique_ptr<uint64_t[]> memory_;
};

// Sizes that no compiler gives a struct of this type, or none that is known.
template <class T>
std::vector<uint32_t> WrongSizes() {
  constexpr auto kSize = static_cast<uint32_t>(sizeof(T));
  return {0,    1,        4,          kSize - 8, kSize - 1,
          4104, 1u << 31, UINT32_MAX, kSize + 1, kSize + 7};
}

// Whether all fields but struct_size agree; of the structs that calls write.
inline bool Same(const ropewalk_angle_cache_stats& a,
                 const ropewalk_angle_cache_stats& b) {
  return a.tables == b.tables && a.bytes == b.bytes && a.hits == b.hits &&
         a.misses == b.misses && a.evictions == b.evictions &&
         a.trig_evaluations == b.trig_evaluations;
}
inline bool Same(const ropewalk_angle_options& a,
                 const ropewalk_angle_options& b) {
  return a.mode == b.mode && a.kind == b.kind &&
         a.dense_positions == b.dense_positions && a.round_to == b.round_to;
}
inline bool Same(const ropewalk_bands& a, const ropewalk_bands& b) {
  return a.original_positions == b.original_positions && a.factor == b.factor;
}
inline bool Same(const ropewalk_pair_band& a, const ropewalk_pair_band& b) {
  return a.band == b.band && a.inv_freq == b.inv_freq &&
         a.wavelength == b.wavelength &&
         a.plain_wavelength == b.plain_wavelength && a.rotations == b.rotations;
}
inline bool Same(const ropewalk_rotary_layout& a,
                 const ropewalk_rotary_layout& b) {
  return a.head_dim == b.head_dim && a.rotary_dim == b.rotary_dim &&
         a.pairing == b.pairing && a.rotary_offset == b.rotary_offset &&
         a.pair_distance == b.pair_distance && a.first_pair == b.first_pair &&
         a.output_pairing == b.output_pairing;
}

class StructSizeTest : public testing::Test {
 protected:
  template <class T>
  using Call =
      std::function<ropewalk_status(const T* given, ropewalk_error* error)>;

  // The rules of a struct that a call reads, or of `count` of them.
  template <class T>
  void ExpectRead(const char* name, const T& good, const Call<T>& call) {
    ExpectReadAll(name, &good, 1, call);
  }

  template <class T>
  void ExpectReadAll(const char* name, const T* good, int count,
                     const Call<T>& call) {
    SCOPED_TRACE(name);
    for (const uint32_t size : WrongSizes<T>()) {
      // What is smaller than the struct lies in the memory of a whole one.
      T copy = *good;
      copy.struct_size = size;
      ExpectRefused([&](ropewalk_error* error) { return call(&copy, error); },
                    ROPEWALK_INVALID_ARGUMENT);
    }
    for (const uint32_t tail : {uint32_t{8}, kTail}) {
      const auto size = static_cast<uint32_t>(sizeof(T)) + tail;
      for (const uint32_t at : {uint32_t{sizeof(T)}, size - 1}) {
        Resized<T> newer(good, count, size);
        newer.Bytes(count - 1)[at] = 1;
        ExpectRefused(
            [&](ropewalk_error* error) { return call(newer.get(), error); },
            ROPEWALK_UNSUPPORTED);
      }
      Resized<T> newer(good, count, size);
      ropewalk_error error = UsedError();
      EXPECT_EQ(call(newer.get(), &error), ROPEWALK_OK) << error.message;
      EXPECT_EQ(error.code, ROPEWALK_OK);
      EXPECT_STREQ(error.message, "");
    }
  }

  // The same of a struct that the call changes.
  template <class T>
  void ExpectReadInPlace(
      const char* name, const T& good,
      const std::function<ropewalk_status(T*, ropewalk_error*)>& call) {
    ExpectRead<T>(name, good, [&](const T* given, ropewalk_error* error) {
      return call(const_cast<T*>(given), error);
    });
  }

  // The rules of a struct that a call writes.
  template <class T>
  void ExpectWritten(
      const char* name, const T& empty,
      const std::function<ropewalk_status(T*, ropewalk_error*)>& call) {
    SCOPED_TRACE(name);
    ropewalk_error error = UsedError();
    T want = empty;
    ASSERT_EQ(call(&want, &error), ROPEWALK_OK) << error.message;
    for (const uint32_t size : WrongSizes<T>()) {
      T out = empty;
      out.struct_size = size;
      const T before = out;
      EXPECT_TRUE(Fails(call(&out, &error), error, ROPEWALK_INVALID_ARGUMENT));
      EXPECT_EQ(std::memcmp(&out, &before, sizeof(T)), 0);
    }
    const auto size = static_cast<uint32_t>(sizeof(T)) + kTail;
    Resized<T> newer(&empty, 1, size);
    std::memset(newer.Bytes(0) + 4, 0xEE, size + 60);
    ASSERT_EQ(call(newer.get(), &error), ROPEWALK_OK) << error.message;
    EXPECT_EQ(newer.get()->struct_size, size);
    EXPECT_TRUE(Same(*newer.get(), want));
    // Nobody may have set the size.
    for (uint32_t i = sizeof(T); i < size + 64; ++i) {
      EXPECT_EQ(newer.Bytes(0)[i], 0xEE);
    }
  }

  Arguments good_;

 private:
  void ExpectRefused(
      const std::function<ropewalk_status(ropewalk_error*)>& call,
      ropewalk_status want) {
    const std::vector<uint8_t> before = good_.Memory();
    ropewalk_error error = UsedError();
    const ropewalk_status code = call(&error);
    EXPECT_TRUE(Fails(code, error, want));
    EXPECT_NE(std::string(error.message).find("struct_size"), std::string::npos)
        << error.message;
    EXPECT_EQ(good_.Memory(), before);
  }
};

}  // namespace ropewalk::test
