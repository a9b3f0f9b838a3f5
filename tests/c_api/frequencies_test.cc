// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Frequencies, bands, axes and vision encoders: C gives what C++ gives.
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "c_api/c_call.h"
#include "frequencies/scheme_samples.h"
#include "gtest/gtest.h"
#include "ropewalk/axes.h"
#include "ropewalk/bands.h"
#include "ropewalk/vision.h"
#include "support/random.h"

namespace ropewalk::test {
namespace {

// Every field of its own value, so that one that is read as another shows.
std::vector<Sample> SamplesOfEveryField() {
  YarnScaling yarn{5,    3000,         20,           2,    false,
                   1.25, std::nullopt, std::nullopt, 0.875};
  YarnScaling mscales{5, 3000, 20, 2, true, std::nullopt, 0.75, 0.5, 1};
  LongRopeScaling longrope;
  longrope.short_factor = Ascending(8, 0.5);
  longrope.long_factor = Ascending(8, 0.25);
  longrope.original_positions = 1000;
  longrope.max_positions = 5000;
  longrope.context_limit = 900;
  longrope.factor = 3;
  longrope.short_attention_factor = 1.5;
  LongRopeScaling forced = longrope;
  forced.policy = LongRopePolicy::kForceLong;
  forced.long_attention_factor = 1.75;
  LongRopeScaling absolute = longrope;
  absolute.policy = LongRopePolicy::kForceShort;
  absolute.short_attention_factor.reset();
  absolute.attention_factor = 1.125;
  GgmlScaling ggml{700, 0.25f, 0.5f, 1.5f, 24, 3, {}};
  ggml.freq_factors = {1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<Scaling> scalings = {
      yarn,
      mscales,
      DeepSeekYarnScaling{6, 2000, 30, 2, 0.75, 0.5},
      GrokYarnLogScaling{6, 2000, 9, 2, false},
      GrokThetaScaling{6, 2000},
      Llama3Scaling{6, 2, 5, 3000},
      longrope,
      forced,
      absolute,
      ProportionalScaling{32, 3},
      FrequencyFactors{Ascending(8, 3), 1.5},
      ggml,
      ExplicitFrequencies{Ascending(8, -0.1), 0.5}};
  std::vector<Sample> samples;
  for (const Scaling& scaling : scalings) {
    samples.push_back({Parameters(16, 12345, scaling), 777});
    samples.back().parameters.axis = {0, 1, 2, 0, 1, 2, 3, 255};
  }
  return samples;
}

std::vector<Sample> AllSamples() {
  std::vector<Sample> samples = SamplesOfEveryScheme();
  const std::vector<Sample> more = SamplesOfEveryField();
  samples.insert(samples.end(), more.begin(), more.end());
  return samples;
}

// The defaults of each scheme, most of them against its rules.
std::vector<Sample> Refused() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<Sample> samples;
  for (const Scaling& scaling : std::initializer_list<Scaling>{
           LinearScaling{nan}, NtkScaling{-1}, NtkAlphaScaling{0},
           DynamicNtkScaling{}, QwenDynamicNtkScaling{}, VllmNtkScaling{0, {}},
           VllmNtkScaling{2, -1.0}, YarnScaling{}, DeepSeekYarnScaling{},
           GrokYarnLogScaling{}, GrokThetaScaling{}, Llama3Scaling{1, 4, 1, 9},
           LongRopeScaling{}, ProportionalScaling{}, FrequencyFactors{},
           GgmlScaling{0, -1, 0, 1, 32, 1, {}}, ExplicitFrequencies{}}) {
    samples.push_back({Parameters(64, 1e4, scaling)});
  }
  for (const int dims : {7, -2, 65538}) {
    samples.push_back({Parameters(dims, 1e4, NoScaling{})});
  }
  for (const double base : {0.0, -1.0, nan, 1e-320}) {
    samples.push_back({Parameters(64, base, NoScaling{})});
  }
  samples.push_back({Parameters(64, 1e4, NoScaling{}), -1});
  samples.push_back({Parameters(64, 1e4, NoScaling{})});
  samples.back().parameters.axis = {1, 2};
  return samples;
}

TEST(CFrequenciesTest, EverySchemeGivesTheBitsOfCpp) {
  std::set<ropewalk_scheme> schemes;
  for (const Sample& sample : AllSamples()) {
    SCOPED_TRACE(Describe(sample.parameters, sample.sequence_length));
    const CParameters parameters(sample.parameters);
    schemes.insert(parameters.value().scheme);
    const auto want =
        ComputeFrequencies(sample.parameters, sample.sequence_length);
    ASSERT_TRUE(want.ok()) << want.status().message();
    const CFrequencies got =
        FrequenciesOf(parameters.value(), sample.sequence_length);
    ASSERT_NE(got, nullptr);
    EXPECT_TRUE(SameFrequencies(got.get(), want.value()));
    EXPECT_STREQ(ropewalk_scheme_name(parameters.value().scheme),
                 SchemeName(sample.parameters.scaling));
    EXPECT_EQ(ropewalk_original_positions(&parameters.value()),
              OriginalPositions(sample.parameters.scaling));
  }
  EXPECT_EQ(schemes.size(), 17u);
  EXPECT_EQ(schemes.size(), std::variant_size_v<Scaling>);
}

TEST(CFrequenciesTest, InitMeansTheDefaultsOfCpp) {
  YarnScaling cc_yarn;
  cc_yarn.original_positions = 2048;
  // With the parameters that must be given, and no other; the schemes that are
  // left out have nothing without their lists or sizes.
  const std::vector<Scaling> scalings = {NoScaling{},
                                         LinearScaling{},
                                         NtkScaling{},
                                         NtkAlphaScaling{},
                                         DynamicNtkScaling{1, 2048},
                                         QwenDynamicNtkScaling{2048, 0},
                                         VllmNtkScaling{},
                                         cc_yarn,
                                         DeepSeekYarnScaling{1, 2048},
                                         GrokYarnLogScaling{1, 2048},
                                         GrokThetaScaling{1, 2048},
                                         Llama3Scaling{}};
  ropewalk_dynamic_ntk_scaling dynamic = ROPEWALK_DYNAMIC_NTK_SCALING_INIT;
  ropewalk_qwen_dynamic_ntk_scaling qwen =
      ROPEWALK_QWEN_DYNAMIC_NTK_SCALING_INIT;
  ropewalk_factor_scaling factor = ROPEWALK_FACTOR_SCALING_INIT;
  ropewalk_vllm_ntk_scaling vllm = ROPEWALK_VLLM_NTK_SCALING_INIT;
  ropewalk_yarn_scaling yarn = ROPEWALK_YARN_SCALING_INIT;
  ropewalk_deepseek_yarn_scaling deepseek = ROPEWALK_DEEPSEEK_YARN_SCALING_INIT;
  ropewalk_grok_yarn_log_scaling grok = ROPEWALK_GROK_YARN_LOG_SCALING_INIT;
  ropewalk_grok_theta_scaling theta = ROPEWALK_GROK_THETA_SCALING_INIT;
  const ropewalk_llama3_scaling llama3 = ROPEWALK_LLAMA3_SCALING_INIT;
  dynamic.max_positions = qwen.original_positions = yarn.original_positions =
      deepseek.original_positions = grok.original_positions =
          theta.original_positions = 2048;
  const void* const structs[] = {nullptr,   &factor, &factor, &factor,
                                 &dynamic,  &qwen,   &vllm,   &yarn,
                                 &deepseek, &grok,   &theta,  &llama3};
  for (size_t i = 0; i < scalings.size(); ++i) {
    ropewalk_rope_parameters parameters = ROPEWALK_ROPE_PARAMETERS_INIT;
    parameters.rotary_dim = 64;
    parameters.scheme = static_cast<ropewalk_scheme>(i);
    parameters.scaling = structs[i];
    RopeParameters cc_parameters;
    cc_parameters.rotary_dim = 64;
    cc_parameters.scaling = scalings[i];
    const auto want = ComputeFrequencies(cc_parameters, 4096);
    ASSERT_TRUE(want.ok()) << want.status().message();
    EXPECT_TRUE(
        SameFrequencies(FrequenciesOf(parameters, 4096).get(), want.value()))
        << SchemeName(scalings[i]);
  }
}

TEST(CFrequenciesTest, EveryErrorComesThrough) {
  int failures = 0;
  for (const Sample& sample : Refused()) {
    SCOPED_TRACE(Describe(sample.parameters, sample.sequence_length));
    const CParameters parameters(sample.parameters);
    const auto want =
        ComputeFrequencies(sample.parameters, sample.sequence_length);
    failures += !want.ok();
    ropewalk_error error = UsedError();
    auto* got = reinterpret_cast<ropewalk_frequencies*>(&error);
    const ropewalk_status code = ropewalk_compute_frequencies(
        &parameters.value(), sample.sequence_length, &got, &error);
    EXPECT_TRUE(Alike(code, error, want.status()));
    EXPECT_EQ(got == nullptr, !want.ok());
    ropewalk_frequencies_destroy(got);
  }
  EXPECT_GE(failures, 24);
}

TEST(CBandsTest, EverySchemeGivesTheBitsOfCpp) {
  for (const Sample& sample : AllSamples()) {
    SCOPED_TRACE(Describe(sample.parameters, sample.sequence_length));
    const CParameters parameters(sample.parameters);
    const auto want =
        ComputeBands(sample.parameters, 4321, sample.sequence_length);
    ASSERT_TRUE(want.ok()) << want.status().message();
    const std::vector<PairBand>& pairs = want.value().pairs;
    const ropewalk_pair_band init = ROPEWALK_PAIR_BAND_INIT;
    std::vector<ropewalk_pair_band> got(pairs.size(), init);
    ropewalk_bands bands = ROPEWALK_BANDS_INIT;
    ropewalk_error error = UsedError();
    const ropewalk_status code = ropewalk_compute_bands(
        &parameters.value(), 4321, sample.sequence_length, &bands, got.data(),
        static_cast<int64_t>(got.size()), &error);
    ASSERT_TRUE(Alike(code, error, Status()));
    EXPECT_EQ(bands.original_positions, want.value().original_positions);
    EXPECT_EQ(bands.factor, want.value().factor);
    for (size_t i = 0; i < pairs.size(); ++i) {
      EXPECT_EQ(got[i].band, static_cast<int32_t>(pairs[i].band));
      EXPECT_EQ(got[i].inv_freq, pairs[i].inv_freq);
      EXPECT_EQ(got[i].wavelength, pairs[i].wavelength);
      EXPECT_EQ(got[i].plain_wavelength, pairs[i].plain_wavelength);
      EXPECT_EQ(got[i].rotations, pairs[i].rotations);
    }
  }
}

TEST(CBandsTest, ErrorsWriteNothingAndComeThrough) {
  const RopeParameters plain = Parameters(8, 1e4, NoScaling{});
  const CParameters parameters(plain);
  const ropewalk_pair_band init = ROPEWALK_PAIR_BAND_INIT;
  std::vector<ropewalk_pair_band> pairs(4, init);
  pairs[3].band = 9;
  ropewalk_error error = UsedError();
  ropewalk_status code = ropewalk_compute_bands(&parameters.value(), 0, 0,
                                                nullptr, nullptr, 0, &error);
  EXPECT_TRUE(Alike(code, error, ComputeBands(plain).status()));
  ropewalk_bands bands = ROPEWALK_BANDS_INIT;
  code = ropewalk_compute_bands(&parameters.value(), 99, 0, &bands,
                                pairs.data(), 3, &error);
  EXPECT_TRUE(Fails(code, error, ROPEWALK_INVALID_ARGUMENT));
  EXPECT_EQ(bands.original_positions, 0);
  EXPECT_EQ(pairs[0].inv_freq, 0);
  EXPECT_EQ(pairs[3].band, 9);
}

TEST(CBandsTest, NamesAreThoseOfCpp) {
  for (int32_t band = 0; band < 3; ++band) {
    EXPECT_STREQ(ropewalk_band_name(band), BandName(static_cast<Band>(band)));
  }
  for (const int32_t band : {-1, 3, 256, 257}) {
    EXPECT_STREQ(ropewalk_band_name(band), "unknown");
  }
}

Result<std::vector<uint8_t>> AxesOf(int32_t rule, const std::vector<int>& list,
                                    int pairs) {
  switch (rule) {
    case ROPEWALK_CONTIGUOUS_AXES:
      return ContiguousAxes(list, pairs);
    case ROPEWALK_INTERLEAVED_AXES:
      return InterleavedAxes(list, pairs);
    case ROPEWALK_GGML_MROPE_AXES:
      return GgmlAxes(list, pairs);
    case ROPEWALK_GGML_IMROPE_AXES:
      return InterleavedAxes(list, pairs, 3);
    case ROPEWALK_BALANCED_AXES:
      return BalancedAxes(list, pairs);
    default:
      return ErnieAxes(list, pairs);
  }
}

TEST(CAxesTest, EveryRuleGivesTheAxesOrTheErrorOfCpp) {
  const std::vector<std::vector<int>> lists = {
      {16, 24, 24}, {24, 20, 20}, {22, 22, 20}, {8, 12, 12}, {16, 16, 16, 16},
      {4, 4},       {},           {-1, 5, 4},   {1},         {0, 0, 0}};
  int successes = 0;
  for (int32_t rule = 0; rule < 6; ++rule) {
    for (std::vector<int> list : lists) {
      for (const int pairs : {64, 8, 0, -1, 32769}) {
        const auto want = AxesOf(rule, list, pairs);
        std::vector<uint8_t> got(64, 99);
        ropewalk_error error = UsedError();
        const ropewalk_status code = ropewalk_write_axes(
            rule, list.data(), static_cast<int32_t>(list.size()), got.data(),
            pairs, &error);
        EXPECT_TRUE(Alike(code, error, want.status()));
        const size_t written = want.ok() ? want.value().size() : 0;
        if (want.ok()) {
          EXPECT_TRUE(std::equal(want.value().begin(), want.value().end(),
                                 got.begin()));
          successes += written > 0;
        }
        for (size_t i = written; i < got.size(); ++i) EXPECT_EQ(got[i], 99);
      }
    }
  }
  EXPECT_GE(successes, 12);
}

TEST(CAxesTest, TooManySectionsAreTheErrorOfCpp) {
  const std::vector<int> list(257, 0);
  for (int32_t rule = 0; rule < 6; ++rule) {
    uint8_t axis = 99;
    ropewalk_error error = UsedError();
    const ropewalk_status code =
        ropewalk_write_axes(rule, list.data(), 257, &axis, 1, &error);
    EXPECT_TRUE(Alike(code, error, AxesOf(rule, list, 1).status()));
  }
}

TEST(CVisionTest, FrequenciesAreThoseOfCpp) {
  for (const int dim : {80, 64, 6, 3, 0, -1, 65538}) {
    for (const double base : {1e4, 100.0, -1.0}) {
      ropewalk_error error = UsedError();
      ropewalk_frequencies* got = nullptr;
      const std::vector<uint8_t> components = {1, 0, 7};
      const auto expect = [&](ropewalk_status code,
                              const Result<Frequencies>& want) {
        EXPECT_TRUE(Alike(code, error, want.status())) << dim << " " << base;
        ASSERT_EQ(got != nullptr, want.ok());
        if (want.ok()) {
          EXPECT_TRUE(SameFrequencies(got, want.value()));
        }
        ropewalk_frequencies_destroy(got);
      };
      expect(ropewalk_axial_frequencies(dim, components.data(), 3, base, &got,
                                        &error),
             AxialFrequencies(dim, components, base));
      expect(ropewalk_chatglm_frequencies(dim, base, &got, &error),
             ChatGlmFrequencies(dim, base));
      expect(ropewalk_pixtral_frequencies(dim, base, &got, &error),
             PixtralFrequencies(dim, base));
      const std::vector<int> sections = {dim / 2, dim / 2, 0, 0};
      expect(ropewalk_ggml_vision_frequencies(dim, sections.data(), 4, base,
                                              &got, &error),
             GgmlVisionFrequencies(dim, sections, base));
    }
  }
}

TEST(CVisionTest, ACountOfAxesPastTheRuleIsTheErrorOfCpp) {
  const uint8_t component = 0;
  for (const int32_t axes : {0, -1, 257, INT32_MAX}) {
    ropewalk_error error = UsedError();
    ropewalk_frequencies* got = nullptr;
    const ropewalk_status code = ropewalk_axial_frequencies(
        1 << 20, &component, axes, 1e4, &got, &error);
    EXPECT_TRUE(Alike(code, error,
                      AxialLayout(1 << 20, axes, Pairing::kHalf).status()));
  }
}

bool Same(const ropewalk_rotary_layout& got, const RotaryLayout& want) {
  const ropewalk_rotary_layout c = ToC(want);
  return got.struct_size == sizeof(got) && got.head_dim == c.head_dim &&
         got.rotary_dim == c.rotary_dim && got.pairing == c.pairing &&
         got.rotary_offset == c.rotary_offset &&
         got.pair_distance == c.pair_distance &&
         got.first_pair == c.first_pair &&
         got.output_pairing == c.output_pairing;
}

TEST(CVisionTest, LayoutsAreThoseOfCpp) {
  for (const int dim : {80, 72, 12, 1, -1}) {
    for (const int axes : {1, 2, 3, 0}) {
      ropewalk_error error = UsedError();
      for (const Pairing pairing : {Pairing::kHalf, Pairing::kInterleaved}) {
        ropewalk_rotary_layout got = ROPEWALK_ROTARY_LAYOUT_INIT;
        const ropewalk_status code =
            ropewalk_axial_layout(dim, axes, PairingToC(pairing), &got, &error);
        const auto want = AxialLayout(dim, axes, pairing);
        EXPECT_TRUE(Alike(code, error, want.status()));
        if (want.ok()) {
          EXPECT_TRUE(Same(got, want.value()));
        }
      }
      const ropewalk_rotary_layout init = ROPEWALK_ROTARY_LAYOUT_INIT;
      ropewalk_rotary_layout parts[4] = {init, init, init, init};
      const ropewalk_status code =
          ropewalk_axial_part_layouts(dim, axes, parts, &error);
      const auto want = AxialPartLayouts(dim, axes);
      EXPECT_TRUE(Alike(code, error, want.status()));
      for (size_t i = 0; want.ok() && i < want.value().size(); ++i) {
        EXPECT_TRUE(Same(parts[i], want.value()[i]));
      }
      EXPECT_EQ(parts[3].head_dim, 0);
    }
  }
}

}  // namespace
}  // namespace ropewalk::test
