// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Every bf16 and f16 value, and every place where rounding changes its mind.
#include "simd/scalar_convert.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include "gtest/gtest.h"
#include "reference/oracle.h"

namespace ropewalk::internal {
namespace {

bool IsNanBF16(uint16_t bits) { return (bits & 0x7FFFu) > 0x7F80u; }
bool IsNanF16(uint16_t bits) { return (bits & 0x7FFFu) > 0x7C00u; }

TEST(ScalarConvertTest, ReadsEveryBF16) {
  for (uint32_t i = 0; i < 65536; ++i) {
    const uint16_t bits = static_cast<uint16_t>(i);
    const float value = FloatFromBF16(bits);
    if (IsNanBF16(bits)) {
      ASSERT_TRUE(std::isnan(value)) << i;
      continue;
    }
    ASSERT_EQ(static_cast<double>(value), reference::FromBF16(bits)) << i;
    ASSERT_EQ(BF16FromFloat(value), bits) << i;
  }
}

TEST(ScalarConvertTest, ReadsEveryF16) {
  for (uint32_t i = 0; i < 65536; ++i) {
    const uint16_t bits = static_cast<uint16_t>(i);
    const float value = FloatFromF16(bits);
    if (IsNanF16(bits)) {
      ASSERT_TRUE(std::isnan(value)) << i;
      ASSERT_NE(BitsOfFloat(value) & 0x400000u, 0u) << "not quiet: " << i;
      continue;
    }
    ASSERT_EQ(static_cast<double>(value), reference::FromF16(bits)) << i;
    ASSERT_EQ(F16FromFloat(value), bits) << i;
    ASSERT_EQ(std::signbit(value), (bits >> 15) != 0) << i;
  }
}

void ExpectRounded(uint32_t bits) {
  const float value = FloatOfBits(bits);
  if (std::isnan(value)) return;
  ASSERT_EQ(BF16FromFloat(value), reference::ToBF16(double{value})) << bits;
  ASSERT_EQ(F16FromFloat(value), reference::ToF16(double{value})) << bits;
}

// Rounding is monotonic: right at the floats on both sides of every midpoint
// means right everywhere between them.
TEST(ScalarConvertTest, RoundsToNearestEvenAtEveryMidpoint) {
  for (uint32_t i = 0; i < 0x7C00u; ++i) {
    const double low = FloatFromF16(static_cast<uint16_t>(i));
    const double high =
        i + 1 == 0x7C00u ? 65536.0 : FloatFromF16(static_cast<uint16_t>(i + 1));
    const uint32_t middle = BitsOfFloat(static_cast<float>((low + high) / 2));
    for (uint32_t bits = middle - 1; bits <= middle + 1; ++bits) {
      ExpectRounded(bits);
      ExpectRounded(bits | 0x80000000u);
    }
  }
  for (uint32_t i = 0; i < 0x7F80u; ++i) {
    const uint32_t middle = i << 16 | 0x8000u;
    for (uint32_t bits = middle - 1; bits <= middle + 1; ++bits) {
      ExpectRounded(bits);
      ExpectRounded(bits | 0x80000000u);
    }
  }
}

TEST(ScalarConvertTest, RoundsToNearestEvenAcrossAllFloats) {
  // An odd step meets every low half.
  for (uint64_t bits = 0; bits < uint64_t{1} << 32; bits += 4099) {
    ExpectRounded(static_cast<uint32_t>(bits));
  }
}

TEST(ScalarConvertTest, NamedCases) {
  EXPECT_EQ(BF16FromFloat(FloatOfBits(0x3F808000u)), 0x3F80u);  // tie, even
  EXPECT_EQ(BF16FromFloat(FloatOfBits(0x3F818000u)), 0x3F82u);  // tie, odd
  EXPECT_EQ(BF16FromFloat(std::numeric_limits<float>::max()), 0x7F80u);
  EXPECT_EQ(BF16FromFloat(FloatOfBits(0x00018000u)), 0x0002u);  // subnormal
  EXPECT_EQ(F16FromFloat(65519.0f), 0x7BFFu);
  EXPECT_EQ(F16FromFloat(65520.0f), 0x7C00u);
  EXPECT_EQ(F16FromFloat(0x1p-25f), 0x0000u);
  EXPECT_EQ(F16FromFloat(-0x1.000002p-25f), 0x8001u);
  EXPECT_EQ(F16FromFloat(-0.0f), 0x8000u);
  EXPECT_EQ(F16FromFloat(INFINITY), 0x7C00u);
}

TEST(ScalarConvertTest, NanStaysNanAndIsQuiet) {
  for (uint32_t payload = 1; payload < 0x800000u; payload += 257) {
    for (const uint32_t sign : {0u, 0x80000000u}) {
      const float nan = FloatOfBits(sign | 0x7F800000u | payload);
      ASSERT_TRUE(IsNanBF16(BF16FromFloat(nan))) << payload;
      ASSERT_NE(BF16FromFloat(nan) & 0x40u, 0u) << payload;
      ASSERT_TRUE(IsNanF16(F16FromFloat(nan))) << payload;
      ASSERT_NE(F16FromFloat(nan) & 0x200u, 0u) << payload;
      ASSERT_EQ(F16FromFloat(nan) >> 15, sign >> 31);
      ASSERT_EQ(BF16FromFloat(nan) >> 15, sign >> 31);
    }
  }
}

}  // namespace
}  // namespace ropewalk::internal
