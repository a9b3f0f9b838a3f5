// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "config/finish_layer.h"

#include <type_traits>
#include <variant>

#include "status/error.h"

namespace ropewalk::internal {
namespace {

template <class Scheme, class = void>
struct HasFactor : std::false_type {};
template <class Scheme>
struct HasFactor<Scheme, std::void_t<decltype(Scheme::factor)>>
    : std::is_same<decltype(Scheme::factor), double> {};

// A scheme's factor, or 1.
double FactorOf(const Scaling& scaling) {
  return std::visit(
      [](const auto& scheme) {
        using Scheme = std::decay_t<decltype(scheme)>;
        if constexpr (HasFactor<Scheme>::value) {
          return scheme.factor;
        } else if constexpr (std::is_same_v<Scheme, LongRopeScaling>) {
          return scheme.factor.value_or(1.0);
        } else if constexpr (std::is_same_v<Scheme, GgmlScaling>) {
          return 1 / double{scheme.freq_scale};
        } else {
          return 1.0;
        }
      },
      scaling);
}

Status ValidateWindow(const LayerRope& layer, const RotaryLayout& layout) {
  const int64_t pairs = layout.rotary_dim / 2;
  const bool apart =
      layout.pairing == Pairing::kHalf && layout.pair_distance != 0;
  const int64_t end = layout.rotary_offset + pairs +
                      (apart ? int64_t{layout.pair_distance} : pairs);
  if (layout.head_dim > 0 && layout.rotary_dim >= 0 &&
      layout.rotary_offset >= 0 && end <= layout.head_dim) {
    return Status();
  }
  return Error(StatusCode::kInvalidArgument,
               "%s: rotary_dim = %d at %d: must lie inside head_dim = %d",
               layer.layer_type.c_str(), layout.rotary_dim,
               layout.rotary_offset, layout.head_dim);
}

}  // namespace

void RemoveRope(LayerRope* layer) {
  layer->uses_rope = false;
  layer->parameters.rotary_dim = 0;
  layer->parameters.scaling = NoScaling{};
  layer->parameters.axis.clear();
  for (RotaryLayout* layout : {&layer->layout, &layer->key_layout}) {
    const int head_dim = layout->head_dim;
    *layout = RotaryLayout{};
    layout->head_dim = head_dim;
  }
  layer->mrope_section.clear();
  layer->mrope_interleaved = false;
  layer->components.clear();
}

Status FinishLayer(LayerRope* layer, std::vector<std::string>* warnings) {
  ROPEWALK_RETURN_IF_ERROR(ValidateWindow(*layer, layer->layout));
  ROPEWALK_RETURN_IF_ERROR(ValidateWindow(*layer, layer->key_layout));
  const auto frequencies = ComputeFrequencies(layer->parameters);
  if (!frequencies.ok()) {
    return Error(frequencies.status().code(), "%s: %s",
                 layer->layer_type.c_str(), frequencies.status().message());
  }
  layer->softmax_multiplier = frequencies.value().softmax_multiplier;
  if (FactorOf(layer->parameters.scaling) < 1) {
    warnings->push_back(layer->layer_type +
                        ": a factor below 1 shortens the context; is it the "
                        "reciprocal?");
  }
  return Status();
}

}  // namespace ropewalk::internal
