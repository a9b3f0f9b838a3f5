// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The rules of axes.h against what the engines do, written from theirs: slices
// of cos, a chain of comparisons, a search through a list.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/axes.h"
#include "ropewalk/frequencies.h"
#include "ropewalk/scaling.h"

namespace ropewalk {
namespace {

using Axes = std::vector<uint8_t>;
using Sections = std::vector<int>;

// Every list of so many sections from 0 to most.
std::vector<Sections> AllSections(size_t count, int most) {
  std::vector<Sections> all = {Sections()};
  for (size_t k = 0; k < count; ++k) {
    std::vector<Sections> longer;
    for (const Sections& sections : all) {
      for (int size = 0; size <= most; ++size) {
        longer.push_back(sections);
        longer.back().push_back(size);
      }
    }
    all = std::move(longer);
  }
  return all;
}

int SumOf(const Sections& sections) {
  return std::accumulate(sections.begin(), sections.end(), 0);
}

void Expect(const Result<Axes>& got, const Axes& want,
            const Sections& sections) {
  ASSERT_TRUE(got.ok()) << got.status().message();
  EXPECT_EQ(got.value(), want) << testing::PrintToString(sections);
}

// cos of width 2 * pairs, split into the sections twice over, of which piece k
// is taken from component k mod 3; pair i reads columns i and i + pairs.
TEST(ContiguousAxesTest, IsTheSplitOfTheWholeWidth) {
  for (const Sections& sections : AllSections(3, 5)) {
    Axes columns;
    for (size_t k = 0; k < 6; ++k) {
      columns.insert(columns.end(), static_cast<size_t>(sections[k % 3]),
                     static_cast<uint8_t>(k % 3));
    }
    const auto pairs = static_cast<size_t>(SumOf(sections));
    const Axes want(columns.begin(), columns.begin() + SumOf(sections));
    EXPECT_EQ(Axes(columns.begin() + SumOf(sections), columns.end()), want);
    Expect(ContiguousAxes(sections, static_cast<int>(pairs)), want, sections);
  }
}

// Columns offset, offset + 3, ... below 3 sections[offset] are overwritten.
TEST(InterleavedAxesTest, IsTheStridedSlicesOfHf) {
  for (const Sections& sections : AllSections(3, 6)) {
    const int pairs = SumOf(sections);
    Axes want(static_cast<size_t>(pairs), 0);
    for (int offset = 1; offset < 3; ++offset) {
      const int end =
          std::min(pairs, 3 * sections[static_cast<size_t>(offset)]);
      for (int i = offset; i < end; i += 3) {
        want[static_cast<size_t>(i)] = static_cast<uint8_t>(offset);
      }
    }
    Expect(InterleavedAxes(sections, pairs), want, sections);
    Sections four = sections;
    four.push_back(0);
    Expect(InterleavedAxes(four, pairs), want, four);
  }
}

// The chain of ggml_mrope_cache_init.
int GgmlAxis(const Sections& s, int pair, bool is_imrope) {
  const int sector = pair % SumOf(s);
  if (is_imrope) {
    if (sector % 3 == 1 && sector < 3 * s[1]) return 1;
    if (sector % 3 == 2 && sector < 3 * s[2]) return 2;
    if (sector % 3 == 0 && sector < 3 * s[0]) return 0;
    return 3;
  }
  const int w = s[0] + s[1];
  if (sector >= s[0] && sector < w) return 1;
  if (sector >= w && sector < w + s[2]) return 2;
  if (sector >= w + s[2]) return 3;
  return 0;
}

TEST(GgmlAxesTest, BothModesAreItsChainOfComparisons) {
  for (const Sections& sections : AllSections(4, 4)) {
    if (SumOf(sections) == 0) continue;
    // Fewer pairs than the sections, as many, and several turns.
    for (const int pairs : {1, SumOf(sections), 37}) {
      Axes mrope;
      Axes imrope;
      for (int i = 0; i < pairs; ++i) {
        mrope.push_back(static_cast<uint8_t>(GgmlAxis(sections, i, false)));
        imrope.push_back(static_cast<uint8_t>(GgmlAxis(sections, i, true)));
      }
      Expect(GgmlAxes(sections, pairs), mrope, sections);
      Expect(InterleavedAxes(sections, pairs, 3), imrope, sections);
    }
  }
  // The sections of ggml's own tests, which sum to 126 for 64 pairs.
  Axes want;
  for (int i = 0; i < 64; ++i) want.push_back(static_cast<uint8_t>(i % 3));
  Expect(InterleavedAxes({42, 42, 42, 0}, 64, 3), want, {42, 42, 42, 0});
}

TEST(GgmlAxesTest, MissingSectionsAreZero) {
  Expect(GgmlAxes({2, 1}, 7), {0, 0, 1, 0, 0, 1, 0}, {2, 1});
  Expect(InterleavedAxes({2, 1, 1}, 4, 3), {0, 1, 2, 0}, {2, 1, 1});
}

TEST(InterleavedAxesTest, RulesDifferOnlyInPairsLeftOver) {
  const auto hf = InterleavedAxes({24, 20, 20}, 64);
  const auto ggml = InterleavedAxes({24, 20, 20, 0}, 64, 3);
  ASSERT_TRUE(hf.ok() && ggml.ok());
  for (size_t i = 0; i < 64; ++i) {
    const bool left_over = i == 61 || i == 62;
    EXPECT_EQ(hf.value()[i] != ggml.value()[i], left_over) << i;
    if (left_over) {
      EXPECT_EQ(hf.value()[i], 0);
      EXPECT_EQ(ggml.value()[i], 3);
    }
  }
}

// vLLM's search, its quotients in double. `forced` is force_last.
Axes GreedyList(std::vector<int> counts, bool forced) {
  if (forced) --counts[0];
  std::vector<int> left = counts;
  Axes list;
  const int total = SumOf(counts);
  for (int n = 0; n < total; ++n) {
    std::vector<size_t> candidates;
    for (const bool any : {false, true}) {
      if (!candidates.empty()) break;
      for (size_t k = 0; k < counts.size(); ++k) {
        if (left[k] <= 0) continue;
        if (any || list.empty() || list.back() != k) candidates.push_back(k);
      }
    }
    const auto part = [&](size_t k) {
      return static_cast<double>(counts[k] - left[k]) / counts[k];
    };
    const size_t best = *std::min_element(
        candidates.begin(), candidates.end(),
        [&](size_t a, size_t b) { return part(a) < part(b); });
    list.push_back(static_cast<uint8_t>(best));
    --left[best];
  }
  if (forced) list.push_back(0);
  return list;
}

TEST(BalancedAxesTest, IsTheGreedySearch) {
  std::vector<Sections> three = AllSections(3, 6);
  three.insert(three.end(), {{16, 24, 24}, {24, 20, 20}, {1, 40, 23}});
  for (const Sections& sections : three) {
    if (sections[0] == 0) continue;
    Expect(BalancedAxes(sections, SumOf(sections)), GreedyList(sections, true),
           sections);
  }
  for (const Sections& sections : AllSections(2, 9)) {
    Expect(BalancedAxes(sections, SumOf(sections)), GreedyList(sections, false),
           sections);
  }
}

// cos[::2] and cos[1::2] of the first h + w columns, then the last t.
TEST(ErnieAxesTest, IsTheSlicesOfTheModel) {
  for (const Sections& sections : AllSections(3, 5)) {
    if (sections[0] != sections[1]) continue;
    Axes want;
    for (int i = 0; i < sections[0]; ++i) {
      want.push_back(1);
      want.push_back(2);
    }
    want.insert(want.end(), static_cast<size_t>(sections[2]), 0);
    Expect(ErnieAxes(sections, SumOf(sections)), want, sections);
  }
}

TEST(AxesTest, EverySectionHasItsPairs) {
  const Sections sections = {16, 24, 24};
  for (const auto& axes :
       {ContiguousAxes(sections, 64), BalancedAxes(sections, 64),
        GgmlAxes(sections, 64)}) {
    ASSERT_TRUE(axes.ok());
    for (uint8_t k = 0; k < 3; ++k) {
      EXPECT_EQ(std::count(axes.value().begin(), axes.value().end(), k),
                sections[k]);
    }
  }
}

TEST(AxesTest, MostComponents) {
  const auto axes = ContiguousAxes(Sections(256, 2), 512);
  ASSERT_TRUE(axes.ok());
  EXPECT_EQ(axes.value().front(), 0);
  EXPECT_EQ(axes.value().back(), 255);
}

TEST(AxesTest, NoPairsNoAxes) {
  for (const auto& axes :
       {ContiguousAxes({}, 0), ContiguousAxes({0, 0, 0}, 0),
        InterleavedAxes({0, 0, 0}, 0), InterleavedAxes({0, 0, 0, 0}, 0, 3),
        InterleavedAxes({4, 4, 4, 0}, 0, 3), GgmlAxes({}, 0),
        GgmlAxes({8, 8, 8, 0}, 0), BalancedAxes({0, 0}, 0),
        BalancedAxes({0, 0, 0}, 0), ErnieAxes({0, 0, 0}, 0)}) {
    ASSERT_TRUE(axes.ok()) << axes.status().message();
    EXPECT_TRUE(axes.value().empty());
  }
}

}  // namespace
}  // namespace ropewalk
