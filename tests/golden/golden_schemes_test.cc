// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The scaling schemes, both the library's and the oracle's, against numbers of
// other origins: schemes.json says which.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "angles/table_cases.h"
#include "golden/golden_file.h"
#include "golden/scheme_case.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "reference/oracle.h"
#include "reference/schemes.h"
#include "ropewalk/query_scale.h"
#include "ropewalk/scaling.h"
#include "support/scheme_oracle.h"
#include "support/ulp.h"

namespace ropewalk::test {
namespace {

using Json = nlohmann::json;
using Values = std::vector<double>;

// Of numbers that are printed with 15 digits and more.
constexpr double kRelative = 1e-12;

const Json& Golden() { return GoldenFile("schemes.json"); }

// One side's answer to a case.
struct Answer {
  std::string side;
  const Json* data;
  RopeParameters parameters;
  Values inv_freq;
  double attention_factor;
  double softmax_multiplier;
};

// The library's and the oracle's, at each length that the case names.
std::vector<Answer> AnswersTo(const Json& data) {
  std::vector<Answer> answers;
  const RopeParameters parameters = ParametersOf(data);
  for (const int64_t length : data.value("lengths", std::vector<int64_t>{0})) {
    const std::string at = " at length " + std::to_string(length);
    const auto library = ComputeFrequencies(parameters, length);
    EXPECT_TRUE(library.ok()) << library.status().message();
    if (!library.ok()) continue;
    const Frequencies& got = library.value();
    answers.push_back({"library" + at, &data, parameters, got.inv_freq,
                       got.attention_factor, got.softmax_multiplier});
    const reference::Scheme scheme = reference::SchemeOf(parameters, length);
    answers.push_back({"oracle" + at, &data, parameters, scheme.inv_freq,
                       scheme.attention_factor, scheme.softmax_multiplier});
  }
  return answers;
}

Values PlainOver(Values plain, const Values& divisors) {
  for (size_t i = 0; i < plain.size(); ++i) plain[i] /= divisors.at(i);
  return plain;
}

Values PlainOf(const Answer& answer) {
  return reference::PlainInvFreq(answer.parameters.rotary_dim,
                                 answer.parameters.base);
}

// Printed as one entry a pair of the head, where those that do not turn are 0.
void ExpectInvFreq(const Answer& answer, const Json& want) {
  Values printed = want.get<Values>();
  const double relative = answer.data->at("want").at("relative").get<double>();
  const size_t live = answer.inv_freq.size();
  ASSERT_GE(printed.size(), live);
  EXPECT_TRUE(std::all_of(printed.begin() + static_cast<std::ptrdiff_t>(live),
                          printed.end(), [](double w) { return w == 0; }));
  printed.resize(live);
  EXPECT_TRUE(AreNear(answer.inv_freq, printed, relative));
}

// Plain below `low`, over the factor above `high`, blended between.
Values Blended(const Answer& answer, const Json& bounds, double factor) {
  const double low = bounds.at(0).get<double>();
  const double high = bounds.at(1).get<double>();
  Values want = PlainOf(answer);
  for (size_t i = 0; i < want.size(); ++i) {
    const double t = (static_cast<double>(i) - low) / (high - low);
    const double divided = std::min(1.0, std::max(0.0, t));
    want[i] *= divided / factor + 1 - divided;
  }
  return want;
}

double FactorOf(const Answer& answer) {
  return answer.data->at("parameters").at("factor").get<double>();
}

void ExpectRamp(const Answer& answer, const Json& want) {
  EXPECT_TRUE(AreNear(answer.inv_freq, Blended(answer, want, FactorOf(answer)),
                      kRelative));
}

// The same scheme without truncation has the ends that are printed.
void ExpectEnds(const Answer& answer, const Json& want) {
  RopeParameters parameters = answer.parameters;
  std::get<YarnScaling>(parameters.scaling).truncate = false;
  const auto got = ComputeFrequencies(parameters);
  ASSERT_TRUE(got.ok()) << got.status().message();
  const Values blended = Blended(answer, want, FactorOf(answer));
  EXPECT_TRUE(AreNear(got.value().inv_freq, blended, kRelative));
  EXPECT_TRUE(
      AreNear(reference::SchemeOf(parameters).inv_freq, blended, kRelative));
}

void ExpectGeometricRamp(const Answer& answer, const Json& want) {
  const Values plain = PlainOf(answer);
  const size_t low = want.at(0).get<size_t>();
  const size_t high = want.at(1).get<size_t>();
  const double step =
      std::pow(FactorOf(answer), 1.0 / static_cast<double>(high - low));
  Values blended = plain;
  for (size_t i = low; i < plain.size(); ++i) {
    blended[i] /= std::pow(step, static_cast<double>(std::min(i, high) - low));
  }
  EXPECT_TRUE(AreNear(answer.inv_freq, blended, kRelative));
}

// TVM's form of Llama 3: s = clamp(A e - B, 0, 1).
void ExpectClosedForm(const Answer& answer, const Json& want) {
  Values expected = PlainOf(answer);
  for (double& e : expected) {
    const double s = want.at(0).get<double>() * e - want.at(1).get<double>();
    const double kept = std::min(1.0, std::max(0.0, s));
    e = (1 - kept) * e / FactorOf(answer) + kept * e;
  }
  EXPECT_TRUE(AreNear(answer.inv_freq, expected, kRelative));
}

void ExpectSlower(const Answer& answer, const Json& first) {
  const Values plain = PlainOf(answer);
  for (size_t i = first.get<size_t>(); i < plain.size(); ++i) {
    EXPECT_LT(answer.inv_freq.at(i), plain[i] * (1 - kRelative)) << i;
  }
}

void ExpectLastOver(const Answer& answer, const Json& want) {
  const size_t count = want.at(0).get<size_t>();
  const Values plain = PlainOf(answer);
  for (size_t i = plain.size() - count; i < plain.size(); ++i) {
    EXPECT_NEAR(answer.inv_freq.at(i), plain[i] / want.at(1).get<double>(),
                plain[i] * kRelative);
  }
}

void ExpectFactor(double got, const Json& want) {
  EXPECT_NEAR(got, want.get<double>(), want.get<double>() * kRelative);
}

void ExpectAttentionFactor(const Answer& answer, const Json& want) {
  ExpectFactor(answer.attention_factor, want);
}

void ExpectSoftmaxMultiplier(const Answer& answer, const Json& want) {
  ExpectFactor(answer.softmax_multiplier, want);
}

void ExpectOver(const Answer& answer, const Values& plain, const Json& want) {
  const auto divisors = ListOf(want, static_cast<int>(plain.size()));
  EXPECT_TRUE(AreNear(answer.inv_freq, PlainOver(plain, divisors), kRelative));
}

void ExpectPlainOver(const Answer& answer, const Json& want) {
  ExpectOver(answer, PlainOf(answer), want);
}

// The first pairs of the whole head's ladder.
void ExpectHeadPlainOver(const Answer& answer, const Json& want) {
  const auto& scaling =
      std::get<ProportionalScaling>(answer.parameters.scaling);
  Values plain =
      reference::PlainInvFreq(scaling.head_dim, answer.parameters.base);
  plain.resize(answer.inv_freq.size());
  ExpectOver(answer, plain, want);
}

void ExpectPlainOfBase(const Answer& answer, const Json& want) {
  const Values plain =
      reference::PlainInvFreq(answer.parameters.rotary_dim, want.get<double>());
  EXPECT_TRUE(AreNear(answer.inv_freq, plain, kRelative));
}

void ExpectFirstPlain(const Answer& answer, const Json& want) {
  Values first = answer.inv_freq;
  Values plain = PlainOf(answer);
  first.resize(want.get<size_t>());
  plain.resize(first.size());
  EXPECT_TRUE(AreNear(first, plain, kRelative));
}

using Expectation = void (*)(const Answer& answer, const Json& want);

const std::map<std::string, Expectation>& Expectations() {
  static const std::map<std::string, Expectation> expectations = {
      {"inv_freq", ExpectInvFreq},
      {"ramp", ExpectRamp},
      {"ends", ExpectEnds},
      {"geometric_ramp", ExpectGeometricRamp},
      {"closed_form", ExpectClosedForm},
      {"slower_from", ExpectSlower},
      {"first_plain", ExpectFirstPlain},
      {"last_over", ExpectLastOver},
      {"plain_over", ExpectPlainOver},
      {"head_plain_over", ExpectHeadPlainOver},
      {"plain_of_base", ExpectPlainOfBase},
      {"attention_factor", ExpectAttentionFactor},
      {"softmax_multiplier", ExpectSoftmaxMultiplier},
  };
  return expectations;
}

// Each number of the file is looked at by both sides: the sums are those of
// the file, counted when its numbers were carried over.
TEST(GoldenSchemesTest, KnownNumbers) {
  std::map<std::string, int> looked_at;
  for (const Json& data : Golden().at("cases")) {
    SCOPED_TRACE(data.at("id").get<std::string>());
    EXPECT_FALSE(data.at("origin").get<std::string>().empty());
    for (const auto& [name, want] : data.at("want").items()) {
      ++looked_at[name];
    }
    for (const Answer& answer : AnswersTo(data)) {
      SCOPED_TRACE(answer.side);
      for (const auto& [name, want] : data.at("want").items()) {
        if (name == "relative") continue;  // of inv_freq
        SCOPED_TRACE(name);
        Expectations().at(name)(answer, want);
        ++looked_at["in all"];
      }
    }
  }
  const std::map<std::string, int> in_file = {{"attention_factor", 96},
                                              {"closed_form", 1},
                                              {"ends", 9},
                                              {"first_plain", 1},
                                              {"geometric_ramp", 1},
                                              {"head_plain_over", 4},
                                              {"in all", 404},
                                              {"inv_freq", 23},
                                              {"last_over", 1},
                                              {"plain_of_base", 13},
                                              {"plain_over", 15},
                                              {"ramp", 18},
                                              {"relative", 23},
                                              {"slower_from", 2},
                                              {"softmax_multiplier", 6}};
  EXPECT_EQ(looked_at, in_file);
}

// What vLLM's M-RoPE made of it is not what YaRN is.
TEST(GoldenSchemesTest, YarnOfFourTimesTheOriginalIsAnother) {
  std::map<std::string, Values> lists;
  for (const Json& data : Golden().at("cases")) {
    const std::string id = data.at("id");
    if (id.find("qwen") == std::string::npos) continue;
    if (data.at("want").contains("inv_freq")) {
      lists[id] = AnswersTo(data).at(0).inv_freq;
    }
  }
  const Values& right = lists.at("qwen_yarn_x4");
  const Values& wrong = lists.at("qwen25vl_yarn_vllm_mrope_4x");
  double largest = 0;
  int differ = 0;
  for (size_t i = 0; i < right.size(); ++i) {
    const double difference = wrong.at(i) / right[i] - 1;
    largest = std::max(largest, difference);
    if (difference > kRelative) ++differ;
  }
  // Both as computed in float64 by others.
  EXPECT_NEAR(largest, 1.2352941176470589, 1e-11);
  EXPECT_EQ(differ, 23);
}

TEST(GoldenSchemesTest, LogNQueryScale) {
  const Json& golden = Golden().at("query_scale");
  SCOPED_TRACE(golden.at("origin").get<std::string>());
  std::vector<int64_t> ids;
  for (const Json& row : golden.at("rows")) {
    ids.push_back(row.at(0).get<int64_t>());
  }
  ASSERT_EQ(ids.size(), 5u);
  std::vector<float> got(ids.size());
  const int64_t original = golden.at("original_positions").get<int64_t>();
  const Status status =
      LogNQueryScale(Positions(ids.data(), static_cast<int64_t>(ids.size())),
                     original, got.data());
  ASSERT_TRUE(status.ok()) << status.message();
  for (size_t i = 0; i < ids.size(); ++i) {
    const double want = golden.at("rows").at(i).at(1).get<double>();
    EXPECT_NEAR(got[i], want, 0.5 * UlpF32(want) + want * kRelative) << i;
    EXPECT_NEAR(reference::LogNQueryScale(static_cast<double>(ids[i]),
                                          static_cast<double>(original)),
                want, want * kRelative)
        << i;
  }
}

// Only the divisors of some pairs are printed: the others are 1 here.
TEST(GoldenSchemesTest, VoxCpmRows) {
  const Json& golden = Golden().at("voxcpm2");
  SCOPED_TRACE(golden.at("origin").get<std::string>());
  RopeParameters parameters;
  parameters.rotary_dim = golden.at("rotary_dim").get<int>();
  parameters.base = golden.at("base").get<double>();
  FrequencyFactors divisors{Values(64, 1.0),
                            golden.at("attention_factor").get<double>()};
  ASSERT_EQ(golden.at("rows").size(), 3u);
  for (const Json& row : golden.at("rows")) {
    divisors.factors.at(row.at(0).get<size_t>()) = row.at(1).get<double>();
  }
  parameters.scaling = divisors;
  const auto frequencies = ComputeFrequencies(parameters);
  ASSERT_TRUE(frequencies.ok()) << frequencies.status().message();
  const reference::Scheme scheme = reference::SchemeOf(parameters);
  const int64_t position = golden.at("position").get<int64_t>();
  const AngleRows rows =
      Filled(*Build(frequencies.value()), Positions::Constant(position, 1));
  for (const Json& row : golden.at("rows")) {
    const size_t pair = row.at(0).get<size_t>();
    const double cos = row.at(2).get<double>();
    const double sin = row.at(3).get<double>();
    for (const double w :
         {scheme.inv_freq.at(pair), frequencies.value().inv_freq.at(pair)}) {
      // An angle of 5 at most, known within 2^-50 of itself on either side.
      const auto exact =
          reference::ExactAngle(static_cast<double>(position), w);
      EXPECT_NEAR(exact.cos, cos, 5 * 0x1p-49);
      EXPECT_NEAR(exact.sin, sin, 5 * 0x1p-49);
    }
    const double slack = 0x1p-40 + 5 * 0x1p-49;
    EXPECT_NEAR(rows.cos(0)[pair], cos, 0.5 * UlpF32(std::fabs(cos)) + slack);
    EXPECT_NEAR(rows.sin(0)[pair], sin, 0.5 * UlpF32(std::fabs(sin)) + slack);
  }
}

}  // namespace
}  // namespace ropewalk::test
