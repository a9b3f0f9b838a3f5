// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The results of `ropewalk bench --json`.
#include "cli/bench_results.h"
#include "cli/build_info.h"
#include "cli/pairing_name.h"
#include "nlohmann/json.hpp"
#include "ropewalk/target.h"

namespace ropewalk::cli {
namespace {

// Keys in the order in which they are set.
using Json = nlohmann::ordered_json;

Json RotationAsJson(const RotateResult& result) {
  const bench::Shape& shape = result.shape;
  Json json;
  json["call"] = NameOf(result.call);
  json["target"] = result.target;
  json["type"] = bench::TypeName(shape.type);
  json["out_type"] = shape.to_bf16 ? "bf16" : bench::TypeName(shape.type);
  json["pairing"] = PairingName(shape.pairing);
  json["tokens"] = shape.tokens;
  json["query_heads"] = shape.query_heads;
  json["key_heads"] = shape.key_heads;
  json["head_dim"] = shape.head_dim;
  json["threads"] = shape.threads;
  json["bytes_read"] = shape.BytesRead();
  json["bytes_written"] = shape.BytesWritten();
  json["flop"] = FlopOf(shape);
  json["seconds"] = result.time.seconds;
  json["bound_seconds"] = result.time.bound_seconds;
  json["percent"] = Percent(result.time);
  return json;
}

Json FillAsJson(const FillResult& result) {
  Json json;
  json["target"] = result.target;
  json["pairs"] = kFillPairs;
  json["positions_below"] = kFillPositions;
  json["fill_ns"] = NanosecondsPerRow(result.copy.seconds);
  json["copy_ns"] = NanosecondsPerRow(result.copy.bound_seconds);
  json["libm_ns"] = NanosecondsPerRow(result.libm.bound_seconds);
  json["percent_of_copy"] = Percent(result.copy);
  json["percent_of_libm"] = Percent(result.libm);
  return json;
}

Json AvailableAsJson() {
  Json json = Json::array();
  const TargetNames available = AvailableTargets();
  for (int i = 0; i < available.count; ++i) json.push_back(available.names[i]);
  return json;
}

}  // namespace

std::string ResultsAsJson(const BenchResults& results) {
  Json json;
  json["highway"] = HighwayVersion();
  json["compiler"] = Compiler();
  json["available_targets"] = AvailableAsJson();
  json["targets"] = results.targets;
  json["quick"] = results.quick;
  json["rotate"] = Json::array();
  for (const RotateResult& result : results.rotations) {
    json["rotate"].push_back(RotationAsJson(result));
  }
  json["fill"] = Json::array();
  for (const FillResult& result : results.fills) {
    json["fill"].push_back(FillAsJson(result));
  }
  json["mul_add"] = Json::array();
  for (const MulAddResult& result : results.mul_adds) {
    json["mul_add"].push_back(
        {{"target", result.target}, {"gflops", result.gflops}});
  }
  return json.dump(2) + "\n";
}

}  // namespace ropewalk::cli
