// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "rope_mapping.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "ggml-backend.h"
#include "ropewalk/axes.h"
#include "ropewalk/frequencies.h"
#include "ropewalk/scaling.h"
#include "ropewalk/vision.h"

namespace ropewalk_ggml {

using ropewalk::DataType;
using ropewalk::Frequencies;
using ropewalk::Result;
using ropewalk::RotaryLayout;
using ropewalk::Status;
using ropewalk::StatusCode;

Status Refuse(const char* argument, int64_t value, const char* rule,
              StatusCode code) {
  char message[Status::kMaxMessage + 1];
  std::snprintf(message, sizeof message, "%s = %lld: %s", argument,
                static_cast<long long>(value), rule);
  return Status(code, message);
}

// As ggml tells them apart.
int ComponentsOf(const RopeArguments& arguments) {
  return (arguments.mode & GGML_ROPE_TYPE_MROPE) != 0 ? 4 : 1;
}

int PairsOf(const RopeArguments& arguments) {
  return arguments.mode == GGML_ROPE_TYPE_VISION ? arguments.n_dims
                                                 : arguments.n_dims / 2;
}

namespace {

Status CheckMode(const RopeArguments& arguments) {
  if (arguments.n_dims < 0) {
    return Refuse("n_dims", arguments.n_dims, "must not be negative");
  }
  switch (arguments.mode) {
    case GGML_ROPE_TYPE_NORMAL:
    case GGML_ROPE_TYPE_NEOX:
    case GGML_ROPE_TYPE_MROPE:
    case GGML_ROPE_TYPE_IMROPE:
      return Status();
    case GGML_ROPE_TYPE_VISION:
      if (arguments.n_offs == 0) return Status();
      return Refuse("n_offs", arguments.n_offs, "must be 0 with VISION");
    default:
      return Refuse("mode", arguments.mode,
                    "must be NORMAL, NEOX, MROPE, IMROPE or VISION",
                    StatusCode::kUnsupported);
  }
}

Result<std::vector<float>> ReadFactors(const ggml_tensor* tensor, int pairs) {
  std::vector<float> factors;
  if (tensor == nullptr) return factors;
  if (tensor->type != GGML_TYPE_F32 || !ggml_is_contiguous(tensor)) {
    return Refuse("type of freq_factors", tensor->type,
                  "must be contiguous f32");
  }
  if (tensor->ne[0] < pairs) {
    return Refuse("freq_factors", tensor->ne[0], "must be one a pair");
  }
  if (tensor->buffer == nullptr) {
    return Refuse("freq_factors", tensor->ne[0], "must have been loaded");
  }
  factors.resize(static_cast<size_t>(pairs));
  ggml_backend_tensor_get(tensor, factors.data(), 0,
                          factors.size() * sizeof(float));
  return factors;
}

std::vector<int> SectionsOf(const RopeArguments& arguments) {
  return {arguments.sections, arguments.sections + GGML_MROPE_SECTIONS};
}

Result<std::vector<uint8_t>> AxesOf(const RopeArguments& arguments) {
  const int pairs = arguments.n_dims / 2;
  if (arguments.mode == GGML_ROPE_TYPE_MROPE) {
    return ropewalk::GgmlAxes(SectionsOf(arguments), pairs);
  }
  if (arguments.mode == GGML_ROPE_TYPE_IMROPE) {
    return ropewalk::InterleavedAxes(SectionsOf(arguments), pairs,
                                     /*fallback_axis=*/3);
  }
  return std::vector<uint8_t>();
}

Result<Frequencies> TextFrequencies(const RopeArguments& arguments,
                                    std::vector<float> factors) {
  auto axis = AxesOf(arguments);
  if (!axis.ok()) return axis.status();
  ropewalk::GgmlScaling scaling;
  scaling.n_ctx_orig = arguments.n_ctx_orig;
  scaling.freq_scale = arguments.freq_scale;
  scaling.ext_factor = arguments.ext_factor;
  scaling.attn_factor = arguments.attn_factor;
  scaling.beta_fast = arguments.beta_fast;
  scaling.beta_slow = arguments.beta_slow;
  scaling.freq_factors = std::move(factors);
  ropewalk::RopeParameters parameters;
  parameters.rotary_dim = arguments.n_dims;
  parameters.base = double{arguments.freq_base};
  parameters.scaling = std::move(scaling);
  parameters.axis = std::move(axis).value();
  return ropewalk::ComputeFrequencies(parameters);
}

// GgmlVisionFrequencies, and what rope_yarn does to them: its ramp counts pairs
// through all sections, but has its ends from n_dims.
Result<Frequencies> VisionFrequencies(const RopeArguments& arguments,
                                      const std::vector<float>& factors) {
  auto result = ropewalk::GgmlVisionFrequencies(
      arguments.n_dims, SectionsOf(arguments), double{arguments.freq_base});
  if (!result.ok()) return result;
  Frequencies& frequencies = result.value();
  const bool extends = arguments.ext_factor != 0;
  float ends[2] = {0, 0};
  if (extends) {
    ggml_rope_yarn_corr_dims(arguments.n_dims, arguments.n_ctx_orig,
                             arguments.freq_base, arguments.beta_fast,
                             arguments.beta_slow, ends);
  }
  const double low = double{ends[0]};
  const double width = double{std::max(0.001f, ends[1] - ends[0])};
  const double scale = double{arguments.freq_scale};
  for (size_t i = 0; i < frequencies.inv_freq.size(); ++i) {
    const double y = (static_cast<double>(i) - low) / width;
    const double mix =
        (1 - std::clamp(y, 0.0, 1.0)) * double{arguments.ext_factor};
    const double divisor = factors.empty() ? 1.0 : double{factors[i]};
    frequencies.inv_freq[i] *= (scale * (1 - mix) + mix) / divisor;
  }
  frequencies.attention_factor =
      double{arguments.attn_factor} * (extends ? 1 - 0.1 * std::log(scale) : 1);
  return result;
}

}  // namespace

Result<Rope> MakeRope(const RopeArguments& arguments,
                      const ggml_tensor* freq_factors, ropewalk::AngleMode mode,
                      ropewalk::AngleCache* tables) {
  const Status status = CheckMode(arguments);
  if (!status.ok()) return status;
  auto factors = ReadFactors(freq_factors, PairsOf(arguments));
  if (!factors.ok()) return factors.status();
  const auto frequencies =
      arguments.mode == GGML_ROPE_TYPE_VISION
          ? VisionFrequencies(arguments, factors.value())
          : TextFrequencies(arguments, std::move(factors).value());
  if (!frequencies.ok()) return frequencies.status();
  ropewalk::AngleOptions options;
  options.mode = mode;
  auto table = tables->Get(frequencies.value(), options);
  if (!table.ok()) return table.status();
  return Rope{arguments, std::move(table).value()};
}

Result<RotaryLayout> LayoutOf(const RopeArguments& arguments,
                              int64_t head_dim) {
  const int64_t last = int64_t{arguments.n_offs} + 2 * PairsOf(arguments);
  if (arguments.n_offs < 0 || last > head_dim ||
      head_dim > ropewalk::kMaxRotaryDim) {
    return Refuse("head_dim", head_dim, "must hold n_offs and the pairs");
  }
  RotaryLayout layout;
  layout.head_dim = static_cast<int>(head_dim);
  layout.rotary_dim = 2 * PairsOf(arguments);
  layout.rotary_offset = arguments.n_offs;
  layout.pairing = arguments.mode == GGML_ROPE_TYPE_NORMAL
                       ? ropewalk::Pairing::kInterleaved
                       : ropewalk::Pairing::kHalf;
  return layout;
}

Result<DataType> TypeOf(const ggml_tensor* tensor) {
  if (tensor->nb[0] == ggml_type_size(tensor->type)) {
    if (tensor->type == GGML_TYPE_F32) return DataType::kF32;
    if (tensor->type == GGML_TYPE_F16) return DataType::kF16;
    if (tensor->type == GGML_TYPE_BF16) return DataType::kBF16;
  }
  return Refuse("type", tensor->type,
                "must be f32, f16 or bf16, without gaps in dim 0",
                StatusCode::kUnsupported);
}

ropewalk::HeadsView ViewOf(const ggml_tensor* tensor) {
  ropewalk::HeadsView view;
  view.data = tensor->data;
  view.type = TypeOf(tensor).value();
  view.heads = tensor->ne[1];
  view.tokens = tensor->ne[2];
  view.batch = tensor->ne[3];
  view.head_stride = static_cast<int64_t>(tensor->nb[1]);
  view.token_stride = static_cast<int64_t>(tensor->nb[2]);
  view.batch_stride = static_cast<int64_t>(tensor->nb[3]);
  return view;
}

ropewalk::KvCacheView CacheOf(const ggml_tensor* tensor, int64_t heads) {
  ropewalk::KvCacheView cache;
  cache.data = tensor->data;
  cache.type = TypeOf(tensor).value();
  cache.blocks = tensor->ne[2];
  cache.block_size = tensor->ne[1];
  cache.heads = heads;
  cache.head_dim = static_cast<int>(tensor->ne[0] / heads);
  cache.block_stride = static_cast<int64_t>(tensor->nb[2]);
  cache.slot_stride = static_cast<int64_t>(tensor->nb[1]);
  cache.head_stride = cache.head_dim * ropewalk::ElementSize(cache.type);
  return cache;
}

}  // namespace ropewalk_ggml
