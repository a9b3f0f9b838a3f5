// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The bytes are a GGUF file.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "config/gguf/gguf_header.h"
#include "fuzz/check_model.h"
#include "ropewalk/config.h"

namespace ropewalk {
namespace {

void Fuzz(const uint8_t* data, size_t size) {
  const auto read = [=](uint64_t offset, void* out, size_t bytes) {
    fuzz::Require(offset <= size && bytes <= size - offset);
    std::memcpy(out, data + offset, bytes);
    return true;
  };
  const auto source = internal::ReadGgufHeader(read, size);
  if (!source.ok()) return;
  ConfigOptions options;
  fuzz::CheckModel(ReadGgufMetadata(source.value(), options));
  options.ggml_parity = true;
  fuzz::CheckModel(ReadGgufMetadata(source.value(), options));
  options.pairing = Pairing::kInterleaved;
  options.long_rope_policy = LongRopePolicy::kForceLong;
  fuzz::CheckModel(ReadGgufMetadata(source.value(), options));
  options.ggml_parity = false;
  options.pairing = Pairing::kHalf;
  options.long_rope_policy = LongRopePolicy::kBySequenceLength;
  options.context_limit = 4096;
  options.original_from_max_positions = true;
  fuzz::CheckModel(ReadGgufMetadata(source.value(), options));
}

}  // namespace
}  // namespace ropewalk

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ropewalk::Fuzz(data, size);
  return 0;
}
