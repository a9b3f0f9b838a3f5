// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/verify.h"

#include <algorithm>
#include <cstdio>
#include <utility>
#include <variant>

#include "bench/rotate_shape.h"
#include "cli/chosen_targets.h"
#include "cli/step.h"
#include "cli/terminal.h"
#include "reference/scaling_oracle.h"
#include "ropewalk/angles.h"
#include "ropewalk/target.h"

namespace ropewalk::cli {
namespace {

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
  const TokenPositions& positions = heads.one.positions;
  const int64_t tokens = positions.tokens();
  AngleRows rows;
  Status s = heads.table.Fill(
      Positions::Components(positions.ids.data(), positions.components, tokens,
                            tokens),
      &rows);
  if (!s.ok()) return s;
  for (const DataType type :
       {DataType::kF32, DataType::kBF16, DataType::kF16}) {
    Error worst = {0, 0};
    for (const HeadsShape& shape : heads.one.shapes) {
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
  if (!model.vision) return Status();
  return VerifyFrequencies(CaseOf(*model.vision), OracleOf(*model.vision),
                           model.vision->frequencies, targets, checks);
}

}  // namespace

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
