// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What `ropewalk verify` rotates of a model.
#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <variant>

#include "cli/verify.h"
#include "reference/vision.h"
#include "ropewalk/bands.h"

namespace ropewalk::cli {
namespace {

// Enough that the heads of a token do not fit in one vector.
constexpr int64_t kQueryHeads = 4;
constexpr int64_t kKeyHeads = 2;

constexpr int kMostComponents = 4;

constexpr int64_t kPositionWhereNoMaximum = 131071;

// What the accuracy is promised for by tests; far past it the oracle's angles
// are no longer exact. A file may claim anything.
constexpr int64_t kLastPosition = INT32_MAX;

int64_t OriginalOf(const LayerRope& layer) {
  return layer.original_positions > 0
             ? layer.original_positions
             : OriginalPositions(layer.parameters.scaling);
}

bool Same(const RotaryLayout& a, const RotaryLayout& b) {
  return a.head_dim == b.head_dim && a.rotary_dim == b.rotary_dim &&
         a.pairing == b.pairing && a.rotary_offset == b.rotary_offset &&
         a.pair_distance == b.pair_distance && a.first_pair == b.first_pair &&
         a.output_pairing == b.output_pairing;
}

// Q and K in one call where they look the same.
std::vector<HeadsShape> ShapesOf(const LayerRope& layer) {
  if (Same(layer.layout, layer.key_layout)) {
    return {{layer.layout, kQueryHeads, kKeyHeads}};
  }
  return {{layer.layout, kQueryHeads, 0}, {layer.key_layout, 0, kKeyHeads}};
}

// No two of four components of a token are the same but at 0; far apart, so
// that slow pairs tell them too.
int64_t ComponentOf(int64_t position, int component) {
  if (position == 0) return 0;
  return position < kMostComponents ? position + component
                                    : position - component * (position / 4);
}

TokenPositions Spread(const std::vector<int64_t>& positions,
                      const LayerRope& layer) {
  const std::vector<uint8_t>& axis = layer.parameters.axis;
  TokenPositions spread;
  spread.components = std::max(1, static_cast<int>(layer.components.size()));
  for (const uint8_t component : axis) {
    spread.components = std::max(spread.components, component + 1);
  }
  for (int c = 0; c < spread.components; ++c) {
    for (const int64_t position : positions) {
      spread.ids.push_back(ComponentOf(position, c));
    }
  }
  spread.axis.assign(axis.begin(), axis.end());
  return spread;
}

// Rows, then columns.
constexpr int64_t kRows[] = {0, 1, 5, 37, 1023};
constexpr int64_t kColumns[] = {0, 2, 3, 61, 511};

reference::VisionPairs PairsOf(const VisionRope& vision) {
  if (vision.scheme == VisionScheme::kPixtral) {
    return reference::PixtralPairs(vision.head_dim, vision.base);
  }
  return reference::AxialPairs(
      vision.head_dim, {vision.parts.begin(), vision.parts.end()}, vision.base);
}

}  // namespace

std::vector<int64_t> PositionsOf(const LayerRope& layer,
                                 int64_t max_positions) {
  const int64_t original = OriginalOf(layer);
  std::set<int64_t> positions = {0, 1};
  const auto add = [&](int64_t position) {
    positions.insert(std::min(position, kLastPosition));
  };
  if (original > 0) {
    add(original - 1);
    add(original);
  }
  add(max_positions > 0 ? max_positions - 1 : kPositionWhereNoMaximum);
  return {positions.begin(), positions.end()};
}

std::vector<VerifyCase> CasesOf(const LayerRope& layer, int64_t max_positions) {
  VerifyCase one;
  one.name = layer.layer_type;
  one.parameters = layer.parameters;
  one.shapes = ShapesOf(layer);
  one.positions = Spread(PositionsOf(layer, max_positions), layer);
  std::vector<VerifyCase> cases = {one};
  const Scaling& scaling = layer.parameters.scaling;
  if (std::holds_alternative<LongRopeScaling>(scaling)) {
    cases.push_back(one);
    cases[0].name += ", short";
    cases[1].name += ", long";
    std::get<LongRopeScaling>(cases[0].parameters.scaling).policy =
        LongRopePolicy::kForceShort;
    std::get<LongRopeScaling>(cases[1].parameters.scaling).policy =
        LongRopePolicy::kForceLong;
  } else if (std::holds_alternative<DynamicNtkScaling>(scaling) ||
             std::holds_alternative<QwenDynamicNtkScaling>(scaling)) {
    one.sequence_length = 2 * std::min(OriginalOf(layer),
                                       std::numeric_limits<int64_t>::max() / 2);
    one.name += ", length " + std::to_string(one.sequence_length);
    cases.push_back(one);
  }
  return cases;
}

VerifyCase CaseOf(const VisionRope& vision) {
  VerifyCase one;
  one.name = kVisionName;
  for (const RotaryLayout& layout : vision.layouts) {
    one.shapes.push_back({layout, kQueryHeads, kKeyHeads});
  }
  one.positions.components = 2;
  one.positions.ids.assign(std::begin(kRows), std::end(kRows));
  one.positions.ids.insert(one.positions.ids.end(), std::begin(kColumns),
                           std::end(kColumns));
  one.positions.axis = PairsOf(vision).component;
  return one;
}

reference::Scheme OracleOf(const VisionRope& vision) {
  return {PairsOf(vision).inv_freq, 1, 1};
}

}  // namespace ropewalk::cli
