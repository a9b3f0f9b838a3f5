// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The adapter's nodes beside ggml's ops, over the ropes on which ggml compares
// its own backends, and at long contexts, where it does not. Largest
// differences with ggml 0.27.0's AVX-512 build: f32 2.4e-7, an ulp; with
// ext_factor 1.2e-4, an ulp of the angle; VISION 1.0e-4; f16 an ulp everywhere.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "integration/ggml/rope_case.h"
#include "integration/ggml/rope_grid.h"
#include "ropewalk/target.h"
#include "support/all_targets.h"

namespace ropewalk::test {
namespace {

using GgmlTargetsTest = AllTargets;
using GgmlLongContextTest = AllTargets;

bool RopeOffsetIsMissing(const RopeCase& rope_case) {
#if ROPEWALK_GGML_HAS_OFFSET
  static_cast<void>(rope_case);
  return false;
#else
  return rope_case.arguments.n_offs != 0;
#endif
}

std::string Describe(const RopeCase& c) {
  char text[256];
  std::snprintf(
      text, sizeof text,
      "%s mode %d [%d %d %d %d] n_dims %d scale %g ext %g attn %g offset %d%s "
      "place %d%s%s",
      ggml_type_name(c.type), c.arguments.mode, static_cast<int>(c.ne[0]),
      static_cast<int>(c.ne[1]), static_cast<int>(c.ne[2]),
      static_cast<int>(c.ne[3]), c.arguments.n_dims,
      double{c.arguments.freq_scale}, double{c.arguments.ext_factor},
      double{c.arguments.attn_factor}, c.arguments.n_offs,
      c.factors ? " factors" : "", static_cast<int>(c.place),
      c.forward ? "" : " back", c.inplace ? " inplace" : "");
  return text;
}

// With one thread and more, up to so many, which must make the same bits.
Difference CompareWithGgml(const RopeCase& rope_case, int most_threads,
                           Random* random) {
  SCOPED_TRACE(Describe(rope_case));
  RopeOperands operands(rope_case, random);
  const std::vector<uint8_t> want = RotateByGgml(rope_case, &operands);
  std::vector<uint8_t> outside;
  if (rope_case.inplace) outside = operands.Outside();
  std::vector<uint8_t> got;
  for (int threads = 1; threads <= most_threads; ++threads) {
    operands.Restore();
    const auto now = RotateByRopewalk(rope_case, &operands, threads);
    if (threads == 1) got = now;
    EXPECT_TRUE(now == got) << "other bits with " << threads << " threads";
  }
  if (rope_case.inplace) {
    EXPECT_TRUE(operands.Outside() == outside) << "wrote beside the heads";
  } else {
    EXPECT_TRUE(GatherRows(operands.heads()) == operands.x());
  }
  const Difference difference =
      Compare(rope_case, operands, rope_case.type, got, want);
  EXPECT_LE(difference.of_tolerance, 1.0);
  return difference;
}

void Print(const char* name, ggml_type type, int ropes, const char* which,
           const Difference& d) {
  if (ropes == 0) return;
  std::printf(
      "%-7s %s %-14s %4d ropes: largest difference %.1e, %.2f of its bound; "
      "%.3f %% of the elements differ\n",
      name, ggml_type_name(type), which, ropes, d.absolute, d.of_tolerance,
      100 * static_cast<double>(d.differ) / static_cast<double>(d.elements));
}

// The blend of YaRN is where ggml's compiler may fuse, so it is said by itself:
// its build without FMA (sse42) is within an ulp there too.
void ExpectAllOfType(const char* name, ggml_type type,
                     const std::vector<RopeCase>& cases, int count,
                     int most_threads) {
  Random random = Random::ForTest();
  Difference plain, blended;
  int plain_count = 0, blended_count = 0, missing = 0;
  for (const RopeCase& rope_case : cases) {
    if (rope_case.type != type) continue;
    if (RopeOffsetIsMissing(rope_case)) {
      ++missing;
      continue;
    }
    const bool blends = rope_case.arguments.ext_factor != 0;
    (blends ? blended : plain)
        .Add(CompareWithGgml(rope_case, most_threads, &random));
    ++(blends ? blended_count : plain_count);
  }
  EXPECT_EQ(plain_count + blended_count + missing, count);
  Print(name, type, plain_count, "", plain);
  Print(name, type, blended_count, "with ext_factor", blended);
  if (missing > 0) {
    std::printf("%d ropes left out: no ggml_rope_set_offset\n", missing);
  }
}

struct Kind {
  const char* name;
  int mode;
  int f32, f16;  // ropes of the grid
  int f32_short, f16_short;
};

constexpr Kind kKinds[] = {
    {"NORMAL", GGML_ROPE_TYPE_NORMAL, 162, 106, 122, 74},
    {"NEOX", GGML_ROPE_TYPE_NEOX, 163, 107, 123, 75},
    {"MROPE", GGML_ROPE_TYPE_MROPE, 74, 42, 42, 10},
    {"IMROPE", GGML_ROPE_TYPE_IMROPE, 90, 42, 50, 10},
    // Exact angles beside a running product that starts again in each section.
    {"VISION", GGML_ROPE_TYPE_VISION, 46, 38, 14, 6},
};

class GgmlGridTest : public testing::TestWithParam<Kind> {};

TEST_P(GgmlGridTest, StaysWithinTheRoundings) {
  const Kind& kind = GetParam();
  std::printf("%s; ropewalk %s\n", GgmlName().c_str(), ActiveTarget());
  const auto cases = RopeGrid(kind.mode);
  ExpectAllOfType(kind.name, GGML_TYPE_F32, cases, kind.f32, 3);
  ExpectAllOfType(kind.name, GGML_TYPE_F16, cases, kind.f16, 3);
}

std::string KindName(const testing::TestParamInfo<Kind>& parameter) {
  return parameter.param.name;
}

INSTANTIATE_TEST_SUITE_P(, GgmlGridTest, testing::ValuesIn(kKinds), KindName);

// Those of up to four tokens, which are the most of them, on one thread.
TEST_P(GgmlTargetsTest, StaysWithinTheRoundings) {
  for (const Kind& kind : kKinds) {
    std::vector<RopeCase> cases = RopeGrid(kind.mode);
    cases.erase(std::remove_if(cases.begin(), cases.end(),
                               [](const RopeCase& rope_case) {
                                 return rope_case.ne[2] > 4;
                               }),
                cases.end());
    ExpectAllOfType(kind.name, GGML_TYPE_F32, cases, kind.f32_short, 1);
    ExpectAllOfType(kind.name, GGML_TYPE_F16, cases, kind.f16_short, 1);
  }
}

// YaRN's ramp over a real context, and sections as models have them: the grid
// has neither, and no position past 511.
std::vector<RopeCase> LongContextCases() {
  std::vector<RopeCase> cases;
  RopeCase base;
  base.ne[0] = 128;
  base.ne[1] = 8;
  base.ne[2] = 40;
  base.n_ctx = 131072;
  base.arguments.n_dims = 128;
  base.arguments.freq_base = 1e6f;
  for (const int mode : {GGML_ROPE_TYPE_NORMAL, GGML_ROPE_TYPE_NEOX}) {
    RopeCase yarn = base;
    yarn.arguments.mode = mode;
    yarn.arguments.n_ctx_orig = 32768;
    yarn.arguments.freq_scale = 0.25f;
    yarn.arguments.ext_factor = 1;
    cases.push_back(yarn);
    RopeCase factors = base;
    factors.arguments.mode = mode;
    factors.factors = true;
    cases.push_back(factors);
  }
  RopeCase mrope = base;  // Qwen2-VL
  mrope.arguments.mode = GGML_ROPE_TYPE_MROPE;
  std::copy_n(std::vector<int>{16, 24, 24}.begin(), 3,
              mrope.arguments.sections);
  cases.push_back(mrope);
  RopeCase imrope = base;  // Qwen3-VL
  imrope.arguments.mode = GGML_ROPE_TYPE_IMROPE;
  std::copy_n(std::vector<int>{24, 20, 20}.begin(), 3,
              imrope.arguments.sections);
  cases.push_back(imrope);
  return cases;
}

TEST_P(GgmlLongContextTest, FollowsTheRunningProduct) {
  std::vector<RopeCase> cases = LongContextCases();
  const int count = static_cast<int>(cases.size());
  for (int i = 0; i < count; ++i) {
    cases.push_back(cases[static_cast<size_t>(i)]);
    cases.back().type = GGML_TYPE_F16;
  }
  ExpectAllOfType("131072", GGML_TYPE_F32, cases, count, 3);
  ExpectAllOfType("131072", GGML_TYPE_F16, cases, count, 3);
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(GgmlTargetsTest);
ROPEWALK_INSTANTIATE_ALL_TARGETS(GgmlLongContextTest);

}  // namespace
}  // namespace ropewalk::test
