// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// ExactCosSin against values of arbitrary precision and against the oracle.
#include "angles/exact_angle.h"

#include <cmath>
#include <cstdint>

#include "gtest/gtest.h"
#include "reference/oracle.h"
#include "support/random.h"

namespace ropewalk::internal {
namespace {

// What exact_angle.h promises.
constexpr double kBound = 0x1p-51;

struct Known {
  int64_t position;
  double inv_freq;
  double cos;
  double sin;
};

// cos and sin of the exact product, by mpmath 1.3.0 with 600 bits. The last
// position is the numerator of the last convergent of pi / 2 below 2^63: no
// int64 is nearer to a multiple of pi / 2.
const Known kKnown[] = {
    {INT64_C(1), 0x1.0000000000000p+0, 0.540302305868139717401,
     0.841470984807896506653},
    {INT64_C(-1), 0x1.0000000000000p+0, 0.540302305868139717401,
     -0.841470984807896506653},
    {INT64_C(16777216), 0x1.0000000000000p+0, 0.626322983291532917494,
     -0.779563673217777752205},
    {INT64_C(16777217), 0x1.0000000000000p+0, 0.994383963913652239769,
     0.105832567347543639732},
    {INT64_C(2147483647), 0x1.0000000000000p+0, -0.688836691877943834680,
     -0.724916555144556390548},
    {INT64_C(4611686018427387904), 0x1.0000000000000p+0,
     -0.711266502976486386947, -0.702922443619208876415},
    {INT64_C(4611686018427387903), 0x1.bb5fad00ab22cp-1,
     -0.757552950592060500669, 0.652773718105488022971},
    {INT64_C(4611686018427387905), 0x1.47ae147ae147bp-7,
     0.183547743077046807395, 0.983010796487669516679},
    {INT64_C(9223372036854775807), 0x1.0000000000000p+0,
     0.847788007348018782808, 0.530335266220223799222},
    {INT64_MIN, 0x1.0000000000000p+0, 0.0118000765128002366844,
     -0.999930376673442229618},
    {INT64_C(9223372036854775807), 0x1.fffffffffffffp+63,
     -0.832402108062897732067, 0.554172112698251829376},
    {INT64_C(3), 0x1.f399b1438a100p+63, -0.992331161337590099439,
     -0.123607711079809775144},
    {INT64_C(9007199254740993), 0x1.999999999999ap-4, -0.998030968617682821923,
     0.0627230872968622795080},
    {INT64_C(131071), 0x1.a115829457fbep-1, -0.817316150025078676239,
     0.576189474832873952401},
    {INT64_C(4611686018427387904), 0x0.0000000000001p-1022,
     1.00000000000000000000, 2.27847563111137421628e-305},
    {INT64_C(4611686018427400249), 0x1.d83c94fb6d2acp-64,
     0.895533087229589533030, 0.444994932192536754998},
    {INT64_C(9223372036854775807), 0x1.0000000000000p-64,
     0.877582561890372716142, 0.479425538604203000226},
    {INT64_C(9223372036854775807), 0x1.2725dd1d243acp-60,
     -0.979786295359548621777, 0.200047033033762714849},
    {INT64_C(1048577), 0x1.6255b5942109cp-22, 0.940726471839051559256,
     0.339166191094056622282},
    {INT64_C(-1048575), -0x1.6666666666666p-1, 0.702127561830643575970,
     0.712051182793593695325},
    {INT64_C(1000000000000000000), 0x1.0624dd2f1a9fcp-10,
     -0.530947650825690159894, 0.847404621230425553826},
    {INT64_C(2147483648), 0x1.03db0a81db6dbp+47, 0.996257978399869763750,
     0.0864293958940164711719},
    {INT64_C(2646693125139304345), 0x1.0000000000000p+0,
     -1.00000000000000000000, 1.18848857958684248220e-20},
};

TEST(ExactAngleTest, MatchesArbitraryPrecision) {
  for (const Known& known : kKnown) {
    const CosSin got = ExactCosSin(known.position, known.inv_freq);
    EXPECT_NEAR(got.cos, known.cos, kBound)
        << known.position << " * " << known.inv_freq;
    EXPECT_NEAR(got.sin, known.sin, kBound)
        << known.position << " * " << known.inv_freq;
  }
}

// The bound is relative where the result is small.
TEST(ExactAngleTest, KeepsTinyResults) {
  for (const Known& known : kKnown) {
    const CosSin got = ExactCosSin(known.position, known.inv_freq);
    if (std::fabs(known.sin) < 0.25) {
      // A subnormal has no more digits than it has.
      const double bound = std::fabs(known.sin) * kBound + 0x1p-1074;
      EXPECT_NEAR(got.sin, known.sin, bound) << known.position;
    }
    if (std::fabs(known.cos) < 0.25) {
      EXPECT_NEAR(got.cos, known.cos, std::fabs(known.cos) * kBound)
          << known.position;
    }
  }
}

TEST(ExactAngleTest, PrintedFiguresOfFloat32Collisions) {
  EXPECT_NEAR(ExactCosSin(int64_t{16777216}, 1.0).cos, 0.6263230, 0.5e-7);
  EXPECT_NEAR(ExactCosSin(int64_t{16777217}, 1.0).cos, 0.9943840, 0.5e-7);
  EXPECT_NEAR(ExactCosSin(int64_t{2147483647}, 1.0).cos, -0.6888367, 0.5e-7);
}

TEST(ExactAngleTest, MatchesOracleAtRandom) {
  test::Random random = test::Random::ForTest();
  for (int i = 0; i < 20000; ++i) {
    const int bits = static_cast<int>(random.Between(1, 40));
    const int64_t position = random.Below(int64_t{1} << bits) + 1;
    const double inv_freq =
        std::ldexp(random.Uniform(), static_cast<int>(random.Between(-40, 12)));
    const CosSin got = ExactCosSin(position, inv_freq);
    const reference::CosSin want =
        reference::ExactAngle(static_cast<double>(position), inv_freq);
    // Both are within 2^-51.
    ASSERT_NEAR(got.cos, want.cos, 2 * kBound) << position << " " << inv_freq;
    ASSERT_NEAR(got.sin, want.sin, 2 * kBound) << position << " " << inv_freq;
  }
}

TEST(ExactAngleTest, SignsAreSymmetric) {
  test::Random random = test::Random::ForTest();
  for (int i = 0; i < 1000; ++i) {
    const int64_t p = static_cast<int64_t>(random.Next() >> 1);
    const double w = random.Uniform();
    const CosSin a = ExactCosSin(p, w);
    const CosSin b = ExactCosSin(-p, w);
    const CosSin c = ExactCosSin(p, -w);
    const CosSin d = ExactCosSin(-p, -w);
    EXPECT_EQ(a.cos, b.cos);
    EXPECT_EQ(a.cos, c.cos);
    EXPECT_EQ(a.cos, d.cos);
    EXPECT_EQ(a.sin, -b.sin);
    EXPECT_EQ(a.sin, -c.sin);
    EXPECT_EQ(a.sin, d.sin);
  }
}

TEST(ExactAngleTest, RealPositionsAgreeWithIntegers) {
  test::Random random = test::Random::ForTest();
  for (int bits = 1; bits <= 63; ++bits) {
    // 53 bits or fewer, anywhere up to 2^63: exact as a double.
    int64_t p = static_cast<int64_t>(random.Next() >> (64 - bits));
    if (bits > 53) p = p >> (bits - 53) << (bits - 53);
    for (const double w : {1.0, 0.7, 1e-3, 3e9, 1e19}) {
      const CosSin a = ExactCosSin(p, w);
      const CosSin b = ExactCosSin(static_cast<double>(p), w);
      EXPECT_NEAR(a.cos, b.cos, 2 * kBound) << p << " " << w;
      EXPECT_NEAR(a.sin, b.sin, 2 * kBound) << p << " " << w;
    }
  }
  const CosSin lowest = ExactCosSin(INT64_MIN, 0.7);
  const CosSin real = ExactCosSin(-0x1p63, 0.7);
  EXPECT_NEAR(lowest.cos, real.cos, 2 * kBound);
  EXPECT_NEAR(lowest.sin, real.sin, 2 * kBound);
}

// cos^2 + sin^2 = 1 across the switch from small products to reduced ones,
// and no jump there.
TEST(ExactAngleTest, IsContinuousAtTheSwitch) {
  for (double w = 0.5 - 64 * 0x1p-53; w < 0.5 + 64 * 0x1p-53; w += 0x1p-53) {
    const CosSin got = ExactCosSin(int64_t{1}, w);
    EXPECT_NEAR(got.cos, std::cos(w), 2 * kBound);
    EXPECT_NEAR(got.sin, std::sin(w), 2 * kBound);
  }
}

TEST(ExactAngleTest, ZeroTurnsNothing) {
  for (const CosSin& got :
       {ExactCosSin(int64_t{0}, 1e19), ExactCosSin(0.0, 1e19),
        ExactCosSin(-0.0, 1.0), ExactCosSin(int64_t{77}, 0.0)}) {
    EXPECT_EQ(got.cos, 1.0);
    EXPECT_EQ(got.sin, 0.0);
    EXPECT_FALSE(std::signbit(got.sin));
  }
}

}  // namespace
}  // namespace ropewalk::internal
