// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "simd/float_runs.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "support/heads.h"

namespace ropewalk::test {
namespace {

// The value of a code, infinity as if the format had one exponent more.
double ValueOf(DataType type, uint16_t code) {
  const double value = LoadElement(type, &code);
  if (!std::isinf(value)) return value;
  return type == DataType::kBF16 ? 0x1p128 : 0x1p16;
}

uint32_t BitsOf(double exact) {
  const float value = static_cast<float>(exact);
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

// Whether they are all the same.
bool Agree(const uint16_t* codes, size_t count) {
  return std::memcmp(codes, codes + 1, (count - 1) * sizeof(*codes)) == 0;
}

}  // namespace

size_t FillBits(uint64_t first, uint64_t step, uint64_t last, uint32_t sign,
                uint32_t* bits, size_t count) {
  const size_t n =
      std::min(count, static_cast<size_t>((last - first) / step) + 1);
  uint32_t next = static_cast<uint32_t>(first) | sign;
  for (size_t i = 0; i < n; ++i) {
    bits[i] = next;
    next += static_cast<uint32_t>(step);
  }
  return n;
}

FloatRuns::FloatRuns(DataType type, bool flushes) {
  const uint16_t infinity = type == DataType::kBF16 ? 0x7F80 : 0x7C00;
  runs_.push_back({0, 0});
  for (uint16_t code = 1; code <= infinity; ++code) {
    const double below = ValueOf(type, static_cast<uint16_t>(code - 1));
    const double value = ValueOf(type, code);
    const uint32_t middle = BitsOf((below + value) / 2);
    const uint32_t begin = code % 2 == 0 ? middle : middle + 1;
    if (flushes && value < 0x1p-126) continue;
    const bool first = flushes && value == 0x1p-126;
    runs_.push_back({first ? BitsOf(value) : begin, code});
  }
}

size_t FloatRuns::CountRight(uint64_t first, uint64_t step, uint32_t sign,
                             const uint16_t* codes, size_t count) const {
  auto run = std::upper_bound(
      runs_.begin(), runs_.end(), first,
      [](uint64_t bits, const Run& other) { return bits < other.begin; });
  for (size_t i = 0; i < count; ++run) {
    const uint64_t bits = first + i * step;
    const uint64_t end = run == runs_.end() ? kInfinityBits + 1 : run->begin;
    if (end <= bits) continue;
    const size_t n = std::min(
        count - i, static_cast<size_t>((end - bits + step - 1) / step));
    const auto want = static_cast<uint16_t>((run - 1)->code | sign >> 16);
    if (codes[i] != want || !Agree(codes + i, n)) {
      while (codes[i] == want) ++i;
      return i;
    }
    i += n;
  }
  return count;
}

}  // namespace ropewalk::test
