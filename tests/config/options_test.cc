// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Both readers refuse the same options, by the name of the field.
#include <cstdint>

#include "config/config_text.h"
#include "config/gguf_metadata.h"

namespace ropewalk::test {
namespace {

void ExpectRefused(const ConfigOptions& options, const char* part) {
  ExpectError(Llama(""), StatusCode::kInvalidArgument, {part}, options);
  Metadata::Of("llama").ExpectError(StatusCode::kInvalidArgument, {part},
                                    options);
}

TEST(ConfigOptionsTest, BothReadersRefuseValuesOutOfRange) {
  ConfigOptions pairing;
  pairing.pairing = static_cast<Pairing>(2);
  ExpectRefused(pairing, "pairing = 2: must be");
  ConfigOptions limit;
  limit.context_limit = -1;
  ExpectRefused(limit, "context_limit = -1: must not be negative");
  ConfigOptions policy;
  policy.long_rope_policy = static_cast<LongRopePolicy>(4);
  ExpectRefused(policy, "long_rope_policy = 4: must be");
}

TEST(ConfigOptionsTest, BothReadersAskForAPairingInTheSameWords) {
  const char* const kRule = "must be given (ConfigOptions::pairing)";
  ExpectError(ConfigOf("novel", ""), StatusCode::kInvalidArgument, {kRule});
  Metadata::Of("novel").ExpectError(StatusCode::kInvalidArgument, {kRule});
}

TEST(ConfigOptionsTest, BothReadersAcceptTheLastValuesInRange) {
  ConfigOptions options;
  options.pairing = Pairing::kInterleaved;
  options.long_rope_policy = LongRopePolicy::kForceLong;
  options.context_limit = INT64_MAX;
  EXPECT_EQ(ReadOne(Llama(""), options).layout.pairing, Pairing::kInterleaved);
  EXPECT_EQ(Metadata::Of("llama").Layer("all", options).layout.pairing,
            Pairing::kInterleaved);
}

}  // namespace
}  // namespace ropewalk::test
