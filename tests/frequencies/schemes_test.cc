// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Every scheme is what the oracle says, over a grid of parameters.
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "frequencies/scheme_samples.h"
#include "gtest/gtest.h"
#include "reference/schemes.h"
#include "ropewalk/scaling.h"
#include "support/random.h"
#include "support/scheme_oracle.h"

namespace ropewalk::test {
namespace {

// The header's promise, and the oracle's own rounding. Where long double is
// double the oracle errs as much as the library, and proves less.
const double kPromised =
    std::numeric_limits<long double>::digits >= 64 ? 0x1p-48 + 0x1p-52 : 1e-12;

// Of what is ill-conditioned: a logarithm of the base's logarithm, and weights
// near 0 or 1 of a ramp whose ends are not whole.
constexpr double kIllConditioned = 1e-12;

struct Betas {
  double fast;
  double slow;
};

// HF's, the reported beta_fast 4, Kimi K2's equal ones, a step by equal ones
// that are not whole, Grok's, and two that are past every pair of a short
// original.
constexpr Betas kBetas[] = {{32, 1},  {4, 1}, {1, 1},
                            {32, 32}, {8, 1}, {1000, 500}};

void ExpectAgreement(int rotary_dim, double base, const Scaling& scaling,
                     int64_t length = 0, double relative = kPromised) {
  const RopeParameters parameters = Parameters(rotary_dim, base, scaling);
  EXPECT_TRUE(AgreesWithOracle(parameters, length, relative))
      << Describe(parameters, length);
}

// function(rotary_dim, base) of every ladder.
template <class Function>
void ForEachLadder(const Function& function) {
  for (const int rotary_dim : kRotaryDims) {
    for (const double base : kBases) function(rotary_dim, base);
  }
}

template <class Function>
void ForEachRange(const Function& function) {
  for (const double factor : kFactors) {
    for (const int64_t original : kOriginals) {
      for (const Betas& betas : kBetas) function(factor, original, betas);
    }
  }
}

// Of the tests that go through the samples.
TEST(SchemesTest, SamplesCoverEveryScheme) {
  std::set<size_t> schemes;
  std::set<std::string> names;
  for (const Sample& sample : SamplesOfEveryScheme()) {
    schemes.insert(sample.parameters.scaling.index());
    names.insert(SchemeName(sample.parameters.scaling));
  }
  EXPECT_EQ(schemes.size(), std::variant_size_v<Scaling>);
  EXPECT_EQ(names.size(), schemes.size()) << "two schemes share a name";
}

TEST(SchemesTest, FixedFactors) {
  ForEachLadder([](int rotary_dim, double base) {
    ExpectAgreement(rotary_dim, base, NoScaling{});
    for (const double factor : kFactors) {
      ExpectAgreement(rotary_dim, base, LinearScaling{factor});
      ExpectAgreement(rotary_dim, base, NtkScaling{factor});
      ExpectAgreement(rotary_dim, base, NtkAlphaScaling{factor});
      for (const int head_dim : {rotary_dim, 2 * rotary_dim, 512}) {
        ExpectAgreement(rotary_dim, base,
                        ProportionalScaling{head_dim, factor});
      }
      for (const std::optional<double> mixed_b :
           {std::optional<double>(), std::optional<double>(0.625),
            std::optional<double>(1.0)}) {
        ExpectAgreement(rotary_dim, base, VllmNtkScaling{factor, mixed_b});
      }
      for (const int64_t original : kOriginals) {
        ExpectAgreement(rotary_dim, base, GrokThetaScaling{factor, original}, 0,
                        kIllConditioned);
      }
    }
  });
}

TEST(SchemesTest, LengthDependent) {
  ForEachLadder([](int rotary_dim, double base) {
    for (const int64_t original : kOriginals) {
      for (const int64_t length :
           {int64_t{0}, original - 1, original, original + 1, 2 * original,
            2 * original + 1, 3 * original, 40 * original}) {
        // Below 1 the bracket of dynamic NTK can become negative.
        for (const double factor : {1.0, 2.0, 8.0, 40.0}) {
          ExpectAgreement(rotary_dim, base, DynamicNtkScaling{factor, original},
                          length);
        }
        for (const double slope : {0.0, 0.1}) {
          ExpectAgreement(rotary_dim, base,
                          QwenDynamicNtkScaling{original, slope}, length);
        }
      }
    }
  });
}

// A ramp that would run backwards is an error; all others agree.
template <class Yarn>
void ExpectYarn(int rotary_dim, double base, const Yarn& scaling, bool truncate,
                int* forwards, int* backwards) {
  const reference::YarnBounds bounds = reference::BoundsOf(
      {rotary_dim, base},
      {scaling.factor, static_cast<double>(scaling.original_positions),
       scaling.beta_fast, scaling.beta_slow, truncate});
  if (bounds.low <= bounds.high) {
    ++*forwards;
    return ExpectAgreement(rotary_dim, base, scaling, 0,
                           truncate ? kPromised : kIllConditioned);
  }
  ++*backwards;
  EXPECT_EQ(
      ComputeFrequencies(Parameters(rotary_dim, base, scaling)).status().code(),
      StatusCode::kInvalidArgument)
      << Describe(Parameters(rotary_dim, base, scaling)) << ": from "
      << bounds.low << " to " << bounds.high;
}

TEST(SchemesTest, YarnAndItsKin) {
  int forwards = 0;
  int backwards = 0;
  ForEachLadder([&](int rotary_dim, double base) {
    ForEachRange([&](double factor, int64_t original, const Betas& betas) {
      for (const bool truncate : {true, false}) {
        YarnScaling yarn{factor, original, betas.fast, betas.slow, truncate,
                         {},     {},       {},         1};
        ExpectYarn(rotary_dim, base, yarn, truncate, &forwards, &backwards);
        yarn.extrapolation_weight = 0.75;
        yarn.mscale = 0.8;
        yarn.mscale_all_dim = 1.2;
        ExpectYarn(rotary_dim, base, yarn, truncate, &forwards, &backwards);
        const GrokYarnLogScaling grok{factor, original, betas.fast, betas.slow,
                                      truncate};
        ExpectYarn(rotary_dim, base, grok, truncate, &forwards, &backwards);
      }
      const DeepSeekYarnScaling deepseek{factor,     original, betas.fast,
                                         betas.slow, 0.707,    1};
      ExpectYarn(rotary_dim, base, deepseek, true, &forwards, &backwards);
    });
  });
  EXPECT_GT(forwards, 10000);
  EXPECT_GT(backwards, 100);
}

// The distance between the bounds divides a difference of two numbers of
// rotations, and the factor weighs what is lost: the bound says by how much.
TEST(SchemesTest, Llama3WithBoundsCloseTogether) {
  for (const double factor : {8.0, 32.0, 64.0}) {
    for (const double quotient : {4.0, 1.1, 1.01, 1.001}) {
      const double bound =
          kPromised + 0x1p-51 * factor * quotient / (quotient - 1);
      for (int i = 0; i < 200; ++i) {
        const double base = 5e5 + 1234.5 * i;
        const double low = 1 + 0.01 * i;
        EXPECT_TRUE(AgreesWithOracle(
            Parameters(128, base,
                       Llama3Scaling{factor, low, low * quotient, 8192 + i}),
            0, bound));
      }
    }
  }
}

TEST(SchemesTest, Llama3) {
  constexpr struct {
    double low, high;
  } kRanges[] = {{1, 4}, {1, 1}, {2, 32}, {0.25, 1000}};
  ForEachLadder([&](int rotary_dim, double base) {
    for (const double factor : kFactors) {
      for (const int64_t original : kOriginals) {
        for (const auto& range : kRanges) {
          ExpectAgreement(
              rotary_dim, base,
              Llama3Scaling{factor, range.low, range.high, original});
        }
      }
    }
  });
}

std::vector<double> AnyDivisors(int count, Random* random) {
  std::vector<double> list;
  for (int i = 0; i < count; ++i) list.push_back(0.5 + 64 * random->Uniform());
  return list;
}

TEST(SchemesTest, ListsOfDivisors) {
  Random random = Random::ForTest();
  ForEachLadder([&](int rotary_dim, double base) {
    ExpectAgreement(
        rotary_dim, base,
        FrequencyFactors{AnyDivisors(rotary_dim / 2, &random), 0.75});
    LongRopeScaling longrope;
    longrope.short_factor = AnyDivisors(rotary_dim / 2, &random);
    longrope.long_factor = AnyDivisors(rotary_dim / 2, &random);
    longrope.max_positions = 131072;
    for (const int64_t original : kOriginals) {
      longrope.original_positions = original;
      for (const LongRopePolicy policy :
           {LongRopePolicy::kByContextLimit, LongRopePolicy::kBySequenceLength,
            LongRopePolicy::kForceShort, LongRopePolicy::kForceLong}) {
        longrope.policy = policy;
        for (const int64_t length : {int64_t{0}, original, original + 1}) {
          longrope.context_limit = length;
          ExpectAgreement(rotary_dim, base, longrope, length);
        }
      }
    }
  });
}

TEST(SchemesTest, LongRopeAttentionFactors) {
  LongRopeScaling longrope;
  longrope.short_factor = longrope.long_factor = {1, 2, 3, 4};
  longrope.original_positions = 4096;
  longrope.max_positions = 131072;
  for (const double factor : {0.0, 0.5, 1.0, 2.0, 32.0}) {
    if (factor != 0) longrope.factor = factor;
    // Every choice of what is given.
    for (int given = 0; given < 16; ++given) {
      longrope.attention_factor.reset();
      longrope.short_attention_factor.reset();
      longrope.long_attention_factor.reset();
      if (given & 1) longrope.attention_factor = 1.19;
      if (given & 2) longrope.short_attention_factor = 1.1;
      if (given & 4) longrope.long_attention_factor = 1.3;
      longrope.policy =
          given & 8 ? LongRopePolicy::kForceLong : LongRopePolicy::kForceShort;
      ExpectAgreement(8, 1e4, longrope);
    }
  }
}

GgmlScaling Ggml(double factor, float ext_factor) {
  GgmlScaling ggml;
  ggml.freq_scale = static_cast<float>(1 / factor);
  ggml.ext_factor = ext_factor;
  ggml.attn_factor = 1.4245f;
  return ggml;
}

// With a list of divisors and without.
void ExpectGgml(int rotary_dim, double base, GgmlScaling ggml, Random* random) {
  ExpectAgreement(rotary_dim, base, ggml);
  for (const double divisor : AnyDivisors(rotary_dim / 2, random)) {
    ggml.freq_factors.push_back(static_cast<float>(divisor));
  }
  ExpectAgreement(rotary_dim, base, ggml);
}

TEST(SchemesTest, GgmlWithoutARamp) {
  Random random = Random::ForTest();
  ForEachLadder([&](int rotary_dim, double base) {
    for (const double factor : kFactors) {
      ExpectGgml(rotary_dim, base, Ggml(factor, 0), &random);
    }
  });
}

// Backwards ramps included, which are legal to ggml.
TEST(SchemesTest, GgmlRamp) {
  Random random = Random::ForTest();
  ForEachLadder([&](int rotary_dim, double base) {
    for (const double factor : kFactors) {
      for (const int64_t original : {0, 1, 512, 4096, 32768}) {
        for (const Betas& betas : kBetas) {
          for (const float ext_factor : {1.0f, 0.7465f}) {
            GgmlScaling ggml = Ggml(factor, ext_factor);
            ggml.n_ctx_orig = original;
            ggml.beta_fast = static_cast<float>(betas.fast);
            ggml.beta_slow = static_cast<float>(betas.slow);
            ExpectGgml(rotary_dim, base, ggml, &random);
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace ropewalk::test
