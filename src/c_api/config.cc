// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/c/config.h"

#include <string_view>
#include <utility>

#include "c_api/call.h"
#include "c_api/gguf_callbacks.h"
#include "c_api/model_handle.h"
#include "c_api/read_types.h"
#include "c_api/struct_size.h"
#include "ropewalk/config.h"

namespace ropewalk::internal {
namespace {

// Null: the defaults.
Status ReadConfigOptions(const ropewalk_config_options* given,
                         ConfigOptions* options) noexcept {
  if (given == nullptr) return Status();
  ropewalk_config_options in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct("options", given, &in));
  ROPEWALK_RETURN_IF_ERROR(
      ReadPairing("options", "pairing", in.pairing, &options->pairing));
  ROPEWALK_RETURN_IF_ERROR(ReadReserved("options", in.reserved));
  options->original_from_max_positions = in.original_from_max_positions != 0;
  options->context_limit = in.context_limit;
  options->ggml_parity = in.ggml_parity != 0;
  return ReadEnum("options", "long_rope_policy", in.long_rope_policy,
                  &options->long_rope_policy);
}

}  // namespace
}  // namespace ropewalk::internal

namespace rw = ropewalk;
namespace internal = ropewalk::internal;

ropewalk_status ropewalk_parse_huggingface_config(
    const char* text, size_t length, const ropewalk_config_options* options,
    ropewalk_model** model, ropewalk_error* error) {
  if (model != nullptr) *model = nullptr;
  return internal::Call(error, [&]() -> rw::Status {
    rw::ConfigOptions cc_options;
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("model", model));
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("text", text));
    ROPEWALK_RETURN_IF_ERROR(internal::ReadConfigOptions(options, &cc_options));
    return internal::HandOut(
        rw::ParseHuggingFaceConfig(std::string_view(text, length), cc_options),
        model);
  });
}

ropewalk_status ropewalk_read_gguf_metadata(
    const ropewalk_gguf_source* source, const ropewalk_config_options* options,
    ropewalk_model** model, ropewalk_error* error) {
  if (model != nullptr) *model = nullptr;
  return internal::Call(error, [&]() -> rw::Status {
    ropewalk_gguf_source in;
    rw::ConfigOptions cc_options;
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("model", model));
    ROPEWALK_RETURN_IF_ERROR(internal::ReadStruct("source", source, &in));
    ROPEWALK_RETURN_IF_ERROR(internal::ReadConfigOptions(options, &cc_options));
    internal::GgufCallbacks callbacks(in);
    auto read = rw::ReadGgufMetadata(callbacks.Source(), cc_options);
    ROPEWALK_RETURN_IF_ERROR(callbacks.status());
    return internal::HandOut(std::move(read), model);
  });
}
