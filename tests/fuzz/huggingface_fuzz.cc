// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The bytes are a config.json. The first one, unless it opens the JSON object,
// says the options instead.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "fuzz/check_model.h"
#include "ropewalk/config.h"

namespace ropewalk {
namespace {

void Fuzz(std::string_view text) {
  uint8_t bits = 0;
  if (!text.empty() && text[0] != '{') {
    bits = static_cast<uint8_t>(text[0]);
    text.remove_prefix(1);
  }
  ConfigOptions options;
  options.original_from_max_positions = (bits & 1) != 0;
  options.long_rope_policy = static_cast<LongRopePolicy>(bits >> 1 & 3);
  options.context_limit = (bits & 8) != 0 ? 8192 : 0;
  for (const std::optional<Pairing> pairing :
       {std::optional<Pairing>(), std::optional<Pairing>(Pairing::kHalf),
        std::optional<Pairing>(Pairing::kInterleaved)}) {
    options.pairing = pairing;
    fuzz::CheckModel(ParseHuggingFaceConfig(text, options));
  }
}

}  // namespace
}  // namespace ropewalk

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ropewalk::Fuzz(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
