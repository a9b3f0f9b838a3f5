// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/verify.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>
#include <utility>
#include <variant>

#include "bench/rotate_shape.h"
#include "cli/chosen_targets.h"
#include "cli/step.h"
#include "cli/terminal.h"
#include "reference/scaling_oracle.h"
#include "ropewalk/angles.h"
#include "ropewalk/bands.h"
#include "ropewalk/target.h"

namespace ropewalk::cli {
namespace {

// Enough that the heads of a token do not fit in one vector.
constexpr int64_t kQueryHeads = 4;
constexpr int64_t kKeyHeads = 2;

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
         a.pair_distance == b.pair_distance && a.first_pair == b.first_pair;
}

// Q and K in one call where they look the same.
std::vector<HeadsShape> ShapesOf(const VerifyCase& one) {
  if (Same(one.layout, one.key_layout)) {
    return {{one.layout, kQueryHeads, kKeyHeads}};
  }
  return {{one.layout, kQueryHeads, 0}, {one.key_layout, 0, kKeyHeads}};
}

// Elements of a copy that have other bits than before, in or out of place.
Result<double> CopyErrors(const Step& input, const AngleRows& rows) {
  Step in_place = input;
  if (Status s = in_place.Rotate(rows); !s.ok()) return s;
  Step out = input;
  out.Invert();
  if (Status s = in_place.RotateInto(rows, &out); !s.ok()) return s;
  double wrong = 0;
  for (int64_t t = 0; t < input.tokens(); ++t) {
    for (int64_t h = 0; h < input.heads(); ++h) {
      for (int d = 0; d < input.shape().layout.head_dim; ++d) {
        const uint32_t bits = input.Bits(t, h, d);
        wrong += bits != in_place.Bits(t, h, d) || bits != out.Bits(t, h, d);
      }
    }
  }
  return wrong;
}

Result<Error> HeadError(const Step& input, const AngleRows& rows,
                        const ExactRotation& exact, const std::string& target) {
  if (input.shape().layout.rotary_dim == 0) {
    const auto wrong = CopyErrors(input, rows);
    if (!wrong.ok()) return wrong.status();
    return Error{wrong.value(), 0};
  }
  Step rotated = input;
  if (Status s = rotated.Rotate(rows); !s.ok()) return s;
  return WorstError(input, rotated, exact, target);
}

// The heads of a case, once its frequencies are in a table.
struct Heads {
  const VerifyCase& one;
  const AngleTable& table;
  const ExactRotation& exact;
};

Status VerifyHeads(const Heads& heads, const std::string& target,
                   std::vector<Check>* checks) {
  const auto tokens = static_cast<int64_t>(heads.one.positions.size());
  AngleRows rows;
  Status s = heads.table.Fill({heads.one.positions.data(), tokens}, &rows);
  if (!s.ok()) return s;
  for (const DataType type :
       {DataType::kF32, DataType::kBF16, DataType::kF16}) {
    Error worst = {0, 0};
    for (const HeadsShape& shape : ShapesOf(heads.one)) {
      const auto error =
          HeadError(Step(shape, tokens, type), rows, heads.exact, target);
      if (!error.ok()) return error.status();
      worst = {std::max(worst.worst, error.value().worst), error.value().limit};
    }
    checks->push_back({heads.one.name, bench::TypeName(type), target, worst});
  }
  return Status();
}

void CheckFrequencies(const VerifyCase& one, const reference::Scheme& oracle,
                      const Frequencies& used, std::vector<Check>* checks) {
  const FrequencyErrors errors = CompareFrequencies(oracle, used);
  checks->push_back(
      {one.name, "inv_freq", "", {errors.inv_freq, kFrequencyLimit}});
  checks->push_back({one.name,
                     "attention_factor",
                     "",
                     {errors.attention_factor, kFrequencyLimit}});
  checks->push_back({one.name,
                     "softmax_multiplier",
                     "",
                     {errors.softmax_multiplier, kFrequencyLimit}});
}

bool Broken(const Check& check) {
  return !(check.error.worst <= check.error.limit);
}

Status VerifyLayer(const LayerRope& layer, int64_t max_positions,
                   const std::vector<std::string>& targets,
                   std::vector<Check>* checks) {
  for (const VerifyCase& one : CasesOf(layer, max_positions)) {
    auto used = ComputeFrequencies(one.parameters, one.sequence_length);
    if (!used.ok()) return used.status();
    // What the reader says of the whole kind is that of length 0. The arguments
    // of ggml's operation hold none, whatever the model wants.
    if (one.sequence_length == 0 &&
        !std::holds_alternative<GgmlScaling>(one.parameters.scaling)) {
      used.value().softmax_multiplier = layer.softmax_multiplier;
    }
    const Status s = VerifyFrequencies(
        one, reference::SchemeOf(one.parameters, one.sequence_length),
        used.value(), targets, checks);
    if (!s.ok()) return s;
  }
  return Status();
}

Status VerifyModel(const ModelRope& model, const std::string& target,
                   std::vector<Check>* checks) {
  const std::vector<std::string> targets = ChosenTargets(target);
  for (const LayerRope& layer : model.layer_types) {
    Status s = VerifyLayer(layer, model.max_positions, targets, checks);
    if (!s.ok()) return s;
  }
  return Status();
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
  one.layout = layer.layout;
  one.key_layout = layer.key_layout;
  one.positions = PositionsOf(layer, max_positions);
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

Status VerifyFrequencies(const VerifyCase& one, const reference::Scheme& oracle,
                         const Frequencies& used,
                         const std::vector<std::string>& targets,
                         std::vector<Check>* checks) {
  CheckFrequencies(one, oracle, used, checks);
  // Told above, and nothing to compare heads with.
  if (oracle.inv_freq.size() != used.inv_freq.size()) return Status();
  const auto table = AngleTable::Build(used);
  if (!table.ok()) return table.status();
  const ExactRotation exact = ComputeExactRotation(oracle, used, one.positions);
  for (const std::string& target : targets) {
    if (Status s = ForceTarget(target); !s.ok()) return s;
    const Status s = VerifyHeads({one, *table.value(), exact}, target, checks);
    if (!s.ok()) return s;
  }
  return Status();
}

int Report(const std::string& family, const std::vector<Check>& checks) {
  std::printf(
      "family: %s\ninv_freq and factors: worst relative difference from the "
      "double oracle. f32: in\nulp of the pair's larger input times the "
      "attention factor. bf16, f16: in ulp of\nthe result, less the float32 "
      "share. Layers without RoPE: elements whose bits\nchanged.\n\n",
      Printable(family).c_str());
  size_t width = sizeof("kind");
  for (const Check& check : checks) {
    width = std::max(width, check.case_name.size() + 1);
  }
  const auto columns = static_cast<int>(width);
  std::printf("%-*s%-20s%-10s%10s%8s\n", columns, "kind", "what", "target",
              "error", "limit");
  for (const Check& check : checks) {
    std::printf("%-*s%-20s%-10s%10.3g%8.3g%s\n", columns,
                Printable(check.case_name).c_str(), check.what.c_str(),
                check.target.empty() ? "-" : check.target.c_str(),
                check.error.worst, check.error.limit,
                Broken(check) ? "  BROKEN" : "");
  }
  return std::any_of(checks.begin(), checks.end(), Broken) ? FailBroken()
                                                           : kFine;
}

int RunVerify(const VerifyOptions& options) {
  const auto model = ReadModelFile(options.file);
  if (!model.ok()) return FailToRead(options.file, model.status());
  std::vector<Check> checks;
  const Status status = VerifyModel(model.value(), options.target, &checks);
  const int code = RestoreTarget(status);
  return code == kFine ? Report(model.value().family, checks) : code;
}

}  // namespace ropewalk::cli
