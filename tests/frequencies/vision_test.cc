// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// vision.h against the models' own code, written as that is: tensors of angles,
// one a dim of the head, which are sliced and glued. So the layouts are tested
// with the frequencies.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "frequencies/refusal.h"
#include "gtest/gtest.h"
#include "reference/oracle.h"
#include "ropewalk/vision.h"

namespace ropewalk::test {
namespace {

using List = std::vector<double>;

// Both sides: 2 ulp of the library's and of pow, the rounded exponent times its
// logarithm, and a product.
constexpr double kRelative = 0x1p-47;

constexpr double kRow = 5;
constexpr double kColumn = 11;
constexpr double kTime = 3;

// position / base^(arange(0, dim, 2) / dim).
List Outer(double position, int dim, double base) {
  List angles;
  for (int i = 0; i < dim; i += 2) {
    angles.push_back(position / std::pow(base, static_cast<double>(i) / dim));
  }
  return angles;
}

List Cat(List a, const List& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

List RepeatInterleave(const List& list) {
  List twice;
  for (const double x : list) twice.insert(twice.end(), 2, x);
  return twice;
}

List EverySecond(const List& list, size_t first) {
  List some;
  for (size_t i = first; i < list.size(); i += 2) some.push_back(list[i]);
  return some;
}

// What the library makes of it: angles by dim, 0 where nothing turns.
List AnglesOf(const Result<Frequencies>& frequencies,
              const std::vector<RotaryLayout>& layouts, const List& position) {
  if (!frequencies.ok() || layouts.empty()) {
    ADD_FAILURE() << frequencies.status().message();
    return {};
  }
  const Frequencies& f = frequencies.value();
  EXPECT_EQ(f.attention_factor, 1.0);
  EXPECT_EQ(f.axis.size(), f.inv_freq.size());
  List angles(static_cast<size_t>(layouts.front().head_dim), 0.0);
  for (const RotaryLayout& layout : layouts) {
    const int pairs = layout.rotary_dim / 2;
    const bool half = layout.pairing == Pairing::kHalf;
    for (int i = 0; i < pairs; ++i) {
      const auto pair =
          static_cast<size_t>(layout.first_pair) + static_cast<size_t>(i);
      const int first = layout.rotary_offset + (half ? i : 2 * i);
      for (const int dim : {first, first + (half ? pairs : 1)}) {
        double& angle = angles.at(static_cast<size_t>(dim));
        EXPECT_EQ(angle, 0.0) << "two pairs have dim " << dim;
        angle = position.at(f.axis.at(pair)) * f.inv_freq.at(pair);
      }
    }
  }
  return angles;
}

void ExpectNear(const List& got, const List& want, int head_dim) {
  ASSERT_EQ(got.size(), want.size()) << head_dim;
  for (size_t d = 0; d < want.size(); ++d) {
    EXPECT_NEAR(got[d], want[d], kRelative * want[d])
        << "dim " << d << " of " << head_dim;
  }
}

std::vector<RotaryLayout> One(const Result<RotaryLayout>& layout) {
  EXPECT_TRUE(layout.ok()) << layout.status().message();
  if (!layout.ok()) return {};
  return {layout.value()};
}

std::vector<RotaryLayout> Parts(int head_dim, int axes) {
  const auto layouts = AxialPartLayouts(head_dim, axes);
  EXPECT_TRUE(layouts.ok()) << layouts.status().message();
  return layouts.ok() ? layouts.value() : std::vector<RotaryLayout>();
}

TEST(AxialFrequenciesTest, Qwen2Vl) {
  for (const int head_dim : {4, 64, 72, 80, 128}) {
    const List freqs = Cat(Outer(kRow, head_dim / 2, 10000),
                           Outer(kColumn, head_dim / 2, 10000));
    ExpectNear(AnglesOf(AxialFrequencies(head_dim, {0, 1}),
                        One(AxialLayout(head_dim, 2, Pairing::kHalf)),
                        {kRow, kColumn}),
               Cat(freqs, freqs), head_dim);
  }
}

// The columns first, counted from 1, as are the rows.
TEST(AxialFrequenciesTest, Llama4) {
  for (const int head_dim : {4, 64, 88, 128}) {
    const int freq_dim = head_dim / 2;
    const List freqs =
        EverySecond(Cat(RepeatInterleave(Outer(kColumn + 1, freq_dim, 10000)),
                        RepeatInterleave(Outer(kRow + 1, freq_dim, 10000))),
                    0);
    ExpectNear(AnglesOf(AxialFrequencies(head_dim, {1, 0}),
                        One(AxialLayout(head_dim, 2, Pairing::kInterleaved)),
                        {kRow + 1, kColumn + 1}),
               RepeatInterleave(freqs), head_dim);
  }
}

TEST(AxialFrequenciesTest, Gemma4) {
  for (const int head_dim : {64, 72, 256}) {
    const int part = 2 * (head_dim / 4);
    const List x = Outer(kColumn, part, 100);
    const List y = Outer(kRow, part, 100);
    ExpectNear(AnglesOf(AxialFrequencies(head_dim, {1, 0}, 100),
                        Parts(head_dim, 2), {kRow, kColumn}),
               Cat(Cat(x, x), Cat(y, y)), head_dim);
  }
}

TEST(AxialFrequenciesTest, MiniMaxM3LeavesTheRemainder) {
  for (const int head_dim : {6, 64, 72, 80, 81, 96, 128}) {
    const int axis_dim = 2 * (((2 * (head_dim / 2)) / 3) / 2);
    const List freqs =
        Cat(Cat(Outer(kTime, axis_dim, 10000), Outer(kRow, axis_dim, 10000)),
            Outer(kColumn, axis_dim, 10000));
    List want = Cat(freqs, freqs);
    want.resize(static_cast<size_t>(head_dim), 0.0);
    ExpectNear(AnglesOf(AxialFrequencies(head_dim, {0, 1, 2}),
                        One(AxialLayout(head_dim, 3, Pairing::kHalf)),
                        {kTime, kRow, kColumn}),
               want, head_dim);
  }
  const auto layout = AxialLayout(80, 3, Pairing::kHalf);
  ASSERT_TRUE(layout.ok());
  EXPECT_EQ(layout.value().rotary_dim, 78);
}

TEST(ChatGlmFrequenciesTest, RoundsEachFrequency) {
  for (const int head_dim : {64, 128, 160}) {
    const auto rounded = [&](double position) {
      List angles = Outer(1, head_dim / 2, 10000);
      for (double& w : angles) {
        w = position * reference::FromF16(reference::ToF16(w));
      }
      return angles;
    };
    const List ids = rounded(kRow);
    const List blocks = rounded(kColumn);
    ExpectNear(AnglesOf(ChatGlmFrequencies(head_dim), Parts(head_dim, 2),
                        {kRow, kColumn}),
               Cat(Cat(ids, ids), Cat(blocks, blocks)), head_dim);
  }
}

TEST(PixtralFrequenciesTest, DealsOneLadderOut) {
  for (const int head_dim : {2, 6, 64, 104, 128}) {
    const List freqs = Cat(EverySecond(Outer(kRow, head_dim, 10000), 0),
                           EverySecond(Outer(kColumn, head_dim, 10000), 1));
    RotaryLayout layout;
    layout.head_dim = layout.rotary_dim = head_dim;
    ExpectNear(
        AnglesOf(PixtralFrequencies(head_dim), {layout}, {kRow, kColumn}),
        Cat(freqs, freqs), head_dim);
    layout.pairing = Pairing::kInterleaved;
    ExpectNear(
        AnglesOf(PixtralFrequencies(head_dim), {layout}, {kRow, kColumn}),
        RepeatInterleave(freqs), head_dim);
  }
}

// The loop of ggml_mrope_cache_init with indep_sects, in double: a frequency
// is its angle at position 1.
void ExpectGgmlLoop(int n_dims, const std::vector<int>& s, double base) {
  const auto got = GgmlVisionFrequencies(n_dims, s, base);
  ASSERT_TRUE(got.ok()) << got.status().message();
  ASSERT_EQ(got.value().inv_freq.size(), static_cast<size_t>(n_dims));
  const double step = std::pow(base, -2.0 / n_dims);
  const int w = s[0] + s[1];
  const int e = w + s[2];
  double theta[4] = {1, 1, 1, 1};
  for (int i = 0; i < n_dims; ++i) {
    const int sector = i % (e + s[3]);
    if (sector == 0) {
      theta[0] = 1;
    } else if (sector == s[0]) {
      theta[1] = 1;
    } else if (sector == w) {
      theta[2] = 1;
    } else if (sector == e) {
      theta[3] = 1;
    }
    const size_t axis = sector < s[0] ? 0 : sector < w ? 1 : sector < e ? 2 : 3;
    const auto pair = static_cast<size_t>(i);
    EXPECT_EQ(got.value().axis[pair], axis) << i;
    // Each step and its product round, by 2^-52 together.
    const double relative = kRelative + n_dims * 0x1p-52;
    EXPECT_NEAR(got.value().inv_freq[pair], theta[axis], relative * theta[axis])
        << testing::PrintToString(s) << " pair " << i;
    for (double& angle : theta) angle *= step;
  }
}

TEST(GgmlVisionFrequenciesTest, IsItsLoop) {
  ExpectGgmlLoop(40, {20, 20, 0, 0}, 10000);
  ExpectGgmlLoop(40, {20, 20, 20, 20}, 10000);
  // Every choice of which sections are empty; sums that wrap and that do not.
  for (const int size : {1, 3, 5, 11}) {
    for (int mask = 1; mask < 16; ++mask) {
      std::vector<int> sections;
      for (int k = 0; k < 4; ++k) {
        sections.push_back((mask >> k & 1) * (size + k));
      }
      ExpectGgmlLoop(36, sections, 10000);
    }
  }
}

TEST(GgmlVisionFrequenciesTest, EqualHalvesAreAxial) {
  for (const int head_dim : {64, 72, 80}) {
    const auto want = AxialFrequencies(head_dim, {0, 1});
    ASSERT_TRUE(want.ok());
    const int n_dims = head_dim / 2;
    const int n = n_dims / 2;
    for (const std::vector<int>& sections :
         {std::vector<int>{n, n}, {n, n, 0, 0}, {n, n, n, n}}) {
      const auto got = GgmlVisionFrequencies(n_dims, sections);
      ASSERT_TRUE(got.ok()) << got.status().message();
      EXPECT_EQ(got.value().inv_freq, want.value().inv_freq);
      EXPECT_EQ(got.value().axis, want.value().axis);
    }
  }
}

TEST(VisionErrorsTest, Sizes) {
  constexpr StatusCode kInvalid = StatusCode::kInvalidArgument;
  constexpr StatusCode kRange = StatusCode::kOutOfRange;
  for (const int head_dim : {-1, 0, 3}) {
    const std::string message =
        "head_dim = " + std::to_string(head_dim) + ": must be at least 4";
    Refuses(AxialFrequencies(head_dim, {0, 1}), kInvalid, message);
    Refuses(AxialLayout(head_dim, 2, Pairing::kHalf), kInvalid, message);
    Refuses(AxialPartLayouts(head_dim, 2), kInvalid, message);
    Refuses(ChatGlmFrequencies(head_dim), kInvalid, message);
  }
  Refuses(AxialFrequencies(65537, {0, 1}), kRange, "head_dim = 65537");
  Refuses(AxialFrequencies(64, {}), kInvalid, "axes = 0: must be in [1, 256]");
  Refuses(AxialFrequencies(1024, std::vector<uint8_t>(1000)), kInvalid,
          "axes = 1000");
  Refuses(AxialLayout(64, std::numeric_limits<int>::max(), Pairing::kHalf),
          kInvalid, "axes = 2147483647");
  Refuses(AxialPartLayouts(64, -1), kInvalid, "axes = -1");
  EXPECT_TRUE(AxialFrequencies(512, std::vector<uint8_t>(256)).ok());
  for (const int head_dim : {-2, 0, 7}) {
    const std::string message = "head_dim = " + std::to_string(head_dim) +
                                ": must be even and positive";
    Refuses(PixtralFrequencies(head_dim), kInvalid, message);
  }
  Refuses(PixtralFrequencies(65538), kRange, "head_dim = 65538");
}

TEST(VisionErrorsTest, GgmlArguments) {
  constexpr StatusCode kInvalid = StatusCode::kInvalidArgument;
  for (const int n_dims : {-2, 0, 7}) {
    const std::string message =
        "n_dims = " + std::to_string(n_dims) + ": must be even and positive";
    Refuses(GgmlVisionFrequencies(n_dims, {1, 1}), kInvalid, message);
  }
  Refuses(GgmlVisionFrequencies(32770, {1, 1}), StatusCode::kOutOfRange,
          "n_dims = 32770");
  Refuses(GgmlVisionFrequencies(8, {0, 0, 0, 0}), kInvalid,
          "sum of sections = 0");
  Refuses(GgmlVisionFrequencies(8, {4, -4, 8}), kInvalid, "sections[1] = -4");
  EXPECT_TRUE(GgmlVisionFrequencies(32768, {16384, 16384}).ok());
}

TEST(VisionErrorsTest, Base) {
  for (const double base : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                            std::numeric_limits<double>::infinity()}) {
    for (const auto& result :
         {AxialFrequencies(64, {0, 1}, base), PixtralFrequencies(64, base),
          ChatGlmFrequencies(64, base),
          GgmlVisionFrequencies(32, {16, 16}, base)}) {
      Refuses(result, StatusCode::kInvalidArgument, "base = ");
    }
  }
  // Frequencies past their limit, and past that of binary16 alone.
  Refuses(AxialFrequencies(64, {0, 1}, 1e-300), StatusCode::kOutOfRange,
          "inv_freq[");
  Refuses(ChatGlmFrequencies(64, 1e-10), StatusCode::kInvalidArgument,
          "inv_freq[");
}

}  // namespace
}  // namespace ropewalk::test
