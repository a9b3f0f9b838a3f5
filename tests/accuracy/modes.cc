// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "accuracy/modes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "accuracy/active_target.h"
#include "accuracy/batch.h"
#include "accuracy/rotation.h"
#include "ropewalk/angles.h"
#include "ropewalk/scaling.h"
#include "support/all_targets.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

constexpr int kRotaryDim = 128;

struct Mode {
  const char* name;
  AngleMode mode;
};
constexpr Mode kModes[] = {{"exact", AngleMode::kExact},
                           {"float32", AngleMode::kFloat32},
                           {"recurrence", AngleMode::kFloat32Recurrence}};

struct Context {
  const char* name;
  int64_t positions;  // below 2^24: float32 has every position
};
constexpr Context kContexts[] = {{"128k", 131072}, {"1M", 1048576}};
constexpr int64_t kLast = 256;

// The rounding of cos and sin alone, half an ulp below 1 each, and 2^-40: by
// less than this is a pair of length 1 turned and made longer.
constexpr double kRounding = 1.4143 * 0x1p-25 + 0x1p-39;

// How far pair i of a mode may be from position * w, in radians. kFloat32
// rounds w and the product; the recurrence rounds its step and i products, so
// that both of i steps' errors, 2^-24 each, are in the angle.
double AngleBound(AngleMode mode, int i, double position, double w) {
  switch (mode) {
    case AngleMode::kExact:
      break;
    case AngleMode::kFloat32:
      return 0.5 *
                 (position * UlpF32(w) + UlpF32(position * w * (1 + 0x1p-23))) +
             kRounding;
    case AngleMode::kFloat32Recurrence:
      return position * w * std::expm1(2 * i * 0x1p-24) + kRounding;
  }
  return kRounding;
}

// The plain ladder, as ggml is given it: the one scheme of all three modes.
Frequencies Ladder(double base) {
  RopeParameters parameters;
  parameters.rotary_dim = kRotaryDim;
  parameters.base = base;
  parameters.scaling = GgmlScaling{};
  auto frequencies = ComputeFrequencies(parameters);
  Check(frequencies.status());
  return std::move(frequencies).value();
}

double AngleBetween(float cos, float sin, const ExactPair& exact) {
  const double c = double{cos};
  const double s = double{sin};
  return std::fabs(std::atan2(s * exact.cos.high - c * exact.sin.high,
                              c * exact.cos.high + s * exact.sin.high));
}

AngleRows Fill(const Frequencies& ladder, AngleMode mode,
               const std::vector<int64_t>& positions) {
  AngleOptions options;
  options.mode = mode;
  auto table = AngleTable::Build(ladder, options);
  Check(table.status());
  AngleRows rows;
  Check(table.value()->Fill(
      {positions.data(), static_cast<int64_t>(positions.size())}, &rows));
  return rows;
}

void AddAngles(const AngleRows& rows, const std::vector<ExactPair>& exact,
               ErrorCount* radians) {
  const auto pairs = static_cast<size_t>(rows.pairs());
  for (size_t j = 0; j < exact.size(); ++j) {
    const auto row = static_cast<int64_t>(j / pairs);
    radians->Add(AngleBetween(rows.cos(row)[j % pairs],
                              rows.sin(row)[j % pairs], exact[j]));
  }
}

double LargestBound(AngleMode mode, double position,
                    const std::vector<double>& inv_freq) {
  double bound = 0;
  for (size_t i = 0; i < inv_freq.size(); ++i) {
    bound = std::max(
        bound, AngleBound(mode, static_cast<int>(i), position, inv_freq[i]));
  }
  return bound;
}

void MeasureLadder(const Mode& mode, const Context& context, double base,
                   int samples, Random* random, ModeCell* cell) {
  const Frequencies ladder = Ladder(base);
  const size_t pairs = ladder.inv_freq.size();
  const std::vector<int64_t> positions =
      Count(context.positions - kLast, kLast);
  const std::vector<ExactPair> exact = ExactRows(positions, ladder.inv_freq, 1);
  const AngleRows rows = Fill(ladder, mode.mode, positions);
  AddAngles(rows, exact, &cell->radians);
  cell->radians_bound =
      std::max(cell->radians_bound,
               LargestBound(mode.mode, static_cast<double>(context.positions),
                            ladder.inv_freq));
  const RotaryLayout layout = FullLayout(kRotaryDim, Pairing::kHalf);
  for (int i = 0; i < samples; ++i) {
    const TypedPairs typed =
        RotateExactly(DrawPairs(positions.size(), pairs, 1, random),
                      DataType::kBF16, exact, pairs);
    cell->bf16.Add(MeasureRotation(rows, layout, typed, 1).length);
  }
}

}  // namespace

std::vector<ModeCell> MeasureModes(int samples, uint64_t seed) {
  std::vector<ModeCell> cells;
  for (const Context& context : kContexts) {
    for (const Mode& mode : kModes) {
      Random random(seed);
      ModeCell cell = {mode.name, context.name, {}, {}, 0, 0};
      for (const double base : {1e4, 5e5}) {
        MeasureLadder(mode, context, base, samples, &random, &cell);
      }
      // A length is less than 2^8 of its bf16 ulp.
      cell.bf16_bound =
          0.5 + cell.radians_bound * 256 + MaxRotationUlps() * 0x1p-16;
      cells.push_back(std::move(cell));
    }
  }
  return cells;
}

}  // namespace ropewalk::test
