// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbers that Python writes and JSON does not have.
#include <string>

#include "config/config_text.h"

namespace ropewalk::test {
namespace {

TEST(JsonTextTest, NumbersThatAreNotFinitePassWhereNothingReadsThem) {
  for (const char* keys :
       {R"("time_step_limit": [0.0, Infinity])", R"("x": NaN)",
        R"("x": -Infinity)", R"("x": [NaN , -Infinity,Infinity])",
        R"("x": {"y": NaN})"}) {
    EXPECT_TRUE(Read(Llama(keys)).warnings.empty()) << keys;
  }
}

TEST(JsonTextTest, NumbersThatAreNotFiniteAreErrorsWhereANumberIsRead) {
  ExpectError(ConfigOf("llama", R"("rope_theta": Infinity)"),
              StatusCode::kParseError,
              {"rope_theta = \"Infinity\"", "must be a number"});
  ExpectError(Scaled(R"("type": "linear", "factor": NaN)"),
              StatusCode::kParseError,
              {"rope_scaling.factor = \"NaN\"", "must be a number"});
}

TEST(JsonTextTest, NothingElseBecomesJson) {
  for (const char* entry :
       {"{NaN: 1}", "{\"a\": NaN: 1}", "{\"a\": 1, NaN}", "{\"a\": +Infinity}",
        "{\"a\": --Infinity}", "{\"a\": 1NaN}", "{\"a\": NaNs}", "NaN",
        "{\"a\": -NaN}", "{\"a\": infinity}", "{\"a\": \"b\"NaN}",
        "{\"a\": NaN"}) {
    ExpectError(entry, StatusCode::kParseError, {"config: not JSON"});
  }
}

TEST(JsonTextTest, StringsStayAsTheyAre) {
  const ModelRope model = Read(
      Llama(R"("rope_b\"": "NaN, \\", "rope_NaN,": "a\", NaN]", "x": NaN)"));
  ASSERT_EQ(model.warnings.size(), size_t{1});
  EXPECT_EQ(model.warnings[0], "rope_NaN,, rope_b\": not used");
}

// The same place, whatever was quoted before it.
TEST(JsonTextTest, ErrorsCountTheBytesThatWereGiven) {
  ExpectError(R"({"a": [Infinity, NaN, x]})", StatusCode::kParseError,
              {"not JSON at byte 23"});
  ExpectError(R"({"a": [12345678, 123, x]})", StatusCode::kParseError,
              {"not JSON at byte 23"});
}

}  // namespace
}  // namespace ropewalk::test
