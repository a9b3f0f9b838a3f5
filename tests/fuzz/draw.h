// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Arguments from a fuzzer's bytes: half of the inputs draw none that is
// against a rule, so that calls succeed; the others spoil one in sixteen.
#pragma once
#include <fuzzer/FuzzedDataProvider.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace ropewalk::fuzz {

class Draw {
 public:
  Draw(const uint8_t* data, size_t size)
      : provider_(data, size), hostile_(provider_.ConsumeBool()) {}

  bool done() { return provider_.remaining_bytes() == 0; }
  int64_t In(int64_t low, int64_t high) {
    return provider_.ConsumeIntegralInRange<int64_t>(low, high);
  }
  int32_t Int(int32_t low, int32_t high) {
    return static_cast<int32_t>(In(low, high));
  }
  bool Flag() { return provider_.ConsumeBool(); }
  bool Rarely() { return hostile_ && In(0, 15) == 15; }
  template <class T>
  T Pick(std::initializer_list<T> list) {
    return list.begin()[In(0, static_cast<int64_t>(list.size()) - 1)];
  }
  uint64_t Seed() { return provider_.ConsumeIntegral<uint64_t>(); }
  double Real() { return provider_.ConsumeFloatingPoint<double>(); }

  // The value, or rarely one that no caller means.
  int64_t Size(int64_t value) {
    if (!Rarely()) return value;
    if (value < INT64_MIN / 2 || value > INT64_MAX / 2) value = 0;
    return Pick<int64_t>({-1, 0, 1, value + 1, value - 1, -value, 3,
                          int64_t{1} << 31, int64_t{1} << 40, int64_t{1} << 61,
                          int64_t{1} << 62, INT64_MAX, INT64_MAX - 7, INT64_MIN,
                          INT64_MIN + 8});
  }
  int32_t Value(int32_t value) {
    if (!Rarely()) return value;
    if (value < INT32_MIN / 2 || value > INT32_MAX / 2) value = 0;
    return Pick<int32_t>({-1, 0, 1, 2, 3, 4, 7, value + 1, -value, 255, 256,
                          257, 4098, INT32_MAX, INT32_MAX - 1, INT32_MIN});
  }
  double Double(double value) {
    if (!Rarely()) return value;
    return Flag() ? Real()
                  : Pick<double>({0, -0.0, -1, __builtin_nan(""),
                                  __builtin_inf(), -__builtin_inf(), 1e308,
                                  -1e308, 5e-324, 1e-40, 1e39, 0.5});
  }

 private:
  FuzzedDataProvider provider_;
  bool hostile_;
};

}  // namespace ropewalk::fuzz
