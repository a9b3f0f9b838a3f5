// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The JSON of a measurement says what was measured.
#include "cli/bench_results.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace ropewalk::cli {
namespace {

BenchResults Results() {
  BenchResults results;
  results.targets = {"BEST"};
  RotateResult prefill;
  prefill.call = RotateCall::kPrefill;
  prefill.target = "BEST";
  prefill.shape.pairing = Pairing::kInterleaved;
  prefill.shape.tokens = 512;
  prefill.shape.key_heads = 8;
  prefill.shape.to_bf16 = true;
  prefill.time = {2e-3, 1e-3, 0.5};
  results.rotations = {prefill};
  // Of 512 rows: 100, 25 and 1600 ns each.
  results.fills = {{"BEST", {51.2e-6, 12.8e-6, 0.25}, {51.2e-6, 819.2e-6, 16}}};
  results.mul_adds = {{"BEST", 179.5}};
  return results;
}

nlohmann::json Parsed(const BenchResults& results) {
  return nlohmann::json::parse(ResultsAsJson(results));
}

TEST(BenchJsonTest, DescribesARotation) {
  const nlohmann::json json = Parsed(Results()).at("rotate").at(0);
  EXPECT_EQ(json.at("call"), "prefill");
  EXPECT_EQ(json.at("target"), "BEST");
  EXPECT_EQ(json.at("type"), "f32");
  EXPECT_EQ(json.at("out_type"), "bf16");
  EXPECT_EQ(json.at("pairing"), "interleaved");
  EXPECT_EQ(json.at("tokens"), 512);
  EXPECT_EQ(json.at("query_heads"), 32);
  EXPECT_EQ(json.at("key_heads"), 8);
  EXPECT_EQ(json.at("threads"), 1);
  // 512 tokens of 40 heads of 128 dims, 4 bytes each and 2.
  EXPECT_EQ(json.at("bytes_read"), 10485760);
  EXPECT_EQ(json.at("bytes_written"), 5242880);
  EXPECT_EQ(json.at("flop"), 512 * 40 * 64 * 6);
  EXPECT_EQ(json.at("seconds"), 2e-3);
  EXPECT_EQ(json.at("bound_seconds"), 1e-3);
  EXPECT_EQ(json.at("percent"), 50);
}

TEST(BenchJsonTest, NamesEveryCall) {
  for (const auto& [call, name] :
       {std::pair(RotateCall::kBuffer, "buffer"),
        std::pair(RotateCall::kDecode, "decode"),
        std::pair(RotateCall::kPrefill, "prefill"),
        std::pair(RotateCall::kThreads, "threads")}) {
    BenchResults results = Results();
    results.rotations[0].call = call;
    EXPECT_EQ(Parsed(results).at("rotate").at(0).at("call"), name);
  }
}

TEST(BenchJsonTest, GivesFillByRow) {
  const nlohmann::json json = Parsed(Results()).at("fill").at(0);
  EXPECT_DOUBLE_EQ(json.at("fill_ns").get<double>(), 100);
  EXPECT_DOUBLE_EQ(json.at("copy_ns").get<double>(), 25);
  EXPECT_DOUBLE_EQ(json.at("libm_ns").get<double>(), 1600);
  EXPECT_EQ(json.at("percent_of_copy"), 25);
  EXPECT_EQ(json.at("percent_of_libm"), 1600);
  EXPECT_EQ(json.at("positions_below"), 1048576);
}

TEST(BenchJsonTest, NamesTheBuild) {
  const nlohmann::json json = Parsed(Results());
  EXPECT_FALSE(json.at("highway").get<std::string>().empty());
  EXPECT_FALSE(json.at("compiler").get<std::string>().empty());
  EXPECT_FALSE(json.at("available_targets").empty());
  EXPECT_EQ(json.at("targets"), nlohmann::json::array({"BEST"}));
  EXPECT_EQ(json.at("quick"), false);
  EXPECT_EQ(json.at("mul_add").at(0).at("gflops"), 179.5);
}

}  // namespace
}  // namespace ropewalk::cli
