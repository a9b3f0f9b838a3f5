// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "fuzz/handles.h"

#include "fuzz/require.h"

namespace ropewalk::fuzz {

Tables::Tables() {
  constexpr int kPairs[] = {48, 48, 48, 48, 7};
  for (int i = 0; i < 5; ++i) {
    std::vector<double> inv_freq;
    for (int pair = 0; pair < kPairs[i]; ++pair) {
      inv_freq.push_back(0.5 / (1 + pair) / (i + 1));
    }
    ropewalk_double_list list = ROPEWALK_DOUBLE_LIST_INIT;
    list.values = inv_freq.data();
    list.count = kPairs[i];
    list.attention_factor = i % 2 == 0 ? 1 : 1.25;
    ropewalk_rope_parameters rope = ROPEWALK_ROPE_PARAMETERS_INIT;
    rope.scheme = ROPEWALK_EXPLICIT;
    rope.scaling = &list;
    ropewalk_angle_options options = ROPEWALK_ANGLE_OPTIONS_INIT;
    options.kind = i % 4;
    options.dense_positions = 32;
    ropewalk_frequencies* frequencies = nullptr;
    ropewalk_angle_table* table = nullptr;
    ropewalk_compute_frequencies(&rope, 0, &frequencies, nullptr);
    const Frequencies owned(frequencies);
    ropewalk_angle_table_build(frequencies, &options, nullptr, &table, nullptr);
    Require(table != nullptr, "a table is built");
    tables_.emplace_back(table);
    pairs_.push_back(kPairs[i]);
  }
}

const Tables& Tables::Get() {
  static const Tables tables;
  return tables;
}

const ropewalk_angle_table* Tables::Draw(fuzz::Draw* draw) const {
  if (draw->Rarely()) return nullptr;
  const int last = draw->Rarely() ? 4 : 3;
  return tables_[static_cast<size_t>(draw->Int(0, last))].get();
}

int64_t Tables::PairsOf(const ropewalk_angle_table* table) const {
  for (size_t i = 0; i < tables_.size(); ++i) {
    if (tables_[i].get() == table) return pairs_[i];
  }
  return 0;
}

}  // namespace ropewalk::fuzz
