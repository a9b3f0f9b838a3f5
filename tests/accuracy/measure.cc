// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "accuracy/measure.h"

#include <map>
#include <memory>
#include <utility>
#include <variant>

#include "accuracy/active_target.h"
#include "accuracy/batch.h"
#include "accuracy/rotation.h"
#include "frequencies/scheme_samples.h"
#include "ropewalk/angles.h"
#include "support/all_targets.h"
#include "support/heads.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

// One scheme at the positions of one band.
struct Batch {
  const Sample* sample;
  std::string scheme;
  std::string band;
  Frequencies frequencies;
  std::vector<int64_t> positions;
  std::vector<ExactPair> exact;  // [positions][pairs]
  Pairs pairs;

  size_t row_pairs() const { return frequencies.inv_freq.size(); }
  double factor() const { return frequencies.attention_factor; }
};

// Of the whole head, but for Gemma 4's, whose members are half a head apart.
RotaryLayout LayoutOf(const Batch& batch, Pairing pairing) {
  RotaryLayout layout =
      FullLayout(2 * static_cast<int>(batch.row_pairs()), pairing);
  const auto* proportional =
      std::get_if<ProportionalScaling>(&batch.sample->parameters.scaling);
  if (proportional != nullptr && pairing == Pairing::kHalf) {
    layout.head_dim = proportional->head_dim;
    layout.pair_distance = layout.head_dim / 2;
  }
  return layout;
}

using Tables = std::map<std::string, std::shared_ptr<const AngleTable>>;

// One for each target, built while it is active.
Tables BuildTables(const Frequencies& frequencies) {
  Tables tables;
  for (const std::string& target : TargetsToTest()) {
    Activate(target);
    auto table = AngleTable::Build(frequencies);
    Check(table.status());
    tables[target] = table.value();
  }
  return tables;
}

AngleRows Fill(const AngleTable& table, const std::vector<int64_t>& positions) {
  AngleRows rows;
  Check(table.Fill({positions.data(), static_cast<int64_t>(positions.size())},
                   &rows));
  return rows;
}

TableCell MeasureTable(const Batch& batch, const std::string& target,
                       const AngleRows& rows) {
  TableCell cell = {target, batch.scheme, batch.band, {}, {}};
  const double m = batch.factor();
  for (size_t t = 0; t < batch.positions.size(); ++t) {
    for (size_t i = 0; i < batch.row_pairs(); ++i) {
      const ExactPair& exact = batch.exact[t * batch.row_pairs() + i];
      const float cos = rows.cos(static_cast<int64_t>(t))[i];
      const float sin = rows.sin(static_cast<int64_t>(t))[i];
      cell.ulps.Add(TableUlps(cos, exact.cos, m));
      cell.ulps.Add(TableUlps(sin, exact.sin, m));
      cell.excess.Add(TableExcess(cos, exact.cos, m));
      cell.excess.Add(TableExcess(sin, exact.sin, m));
    }
  }
  return cell;
}

Batch DrawBatch(const Sample& sample, const std::string& scheme,
                const Frequencies& frequencies, const Band& band, int samples,
                Random* random) {
  Batch batch = {&sample, scheme, band.name, frequencies, {}, {}, {}};
  batch.positions = DrawPositions(band, samples * kPositionsPerSample, random);
  batch.exact =
      ExactRows(batch.positions, batch.frequencies.inv_freq, batch.factor());
  batch.pairs = DrawPairs(batch.positions.size(), batch.row_pairs(),
                          batch.factor(), random);
  return batch;
}

void MeasureBatch(const Batch& batch, const Tables& tables,
                  Measured* measured) {
  std::map<std::string, AngleRows> rows;
  for (const std::string& target : TargetsToTest()) {
    Activate(target);
    rows[target] = Fill(*tables.at(target), batch.positions);
    measured->tables.push_back(MeasureTable(batch, target, rows[target]));
  }
  for (const DataType type : kAllTypes) {
    const TypedPairs typed =
        RotateExactly(batch.pairs, type, batch.exact, batch.row_pairs());
    for (const std::string& target : TargetsToTest()) {
      Activate(target);
      for (const Pairing pairing : {Pairing::kHalf, Pairing::kInterleaved}) {
        const double m = batch.factor();
        measured->rotations.push_back(
            {target, ActiveTargetHasFma(), type, pairing, batch.scheme,
             batch.band, m,
             MeasureRotation(rows[target], LayoutOf(batch, pairing), typed,
                             m)});
      }
    }
  }
}

}  // namespace

Measured MeasureAll(int samples, uint64_t seed) {
  Measured measured;
  Random random(seed);
  std::map<std::string, int> seen;
  for (const Sample& sample : SamplesOfEveryScheme()) {
    std::string scheme = SchemeName(sample.parameters.scaling);
    const int copies = ++seen[scheme];
    if (copies > 1) scheme += " " + std::to_string(copies);
    auto frequencies =
        ComputeFrequencies(sample.parameters, sample.sequence_length);
    Check(frequencies.status());
    const Tables tables = BuildTables(frequencies.value());
    for (const Band& band : kBands) {
      MeasureBatch(DrawBatch(sample, scheme, frequencies.value(), band, samples,
                             &random),
                   tables, &measured);
    }
  }
  Activate("");
  return measured;
}

}  // namespace ropewalk::test
