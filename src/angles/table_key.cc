// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "angles/table_key.h"

#include <algorithm>
#include <cstring>

namespace ropewalk::internal {
namespace {

uint64_t BitsOfDouble(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

void AppendFloats(const std::vector<float>& list, TableKey* key) {
  key->push_back(list.size());
  for (const float x : list) key->push_back(BitsOfDouble(double{x}));
}

}  // namespace

TableKey MakeTableKey(const Frequencies& frequencies,
                      const AngleOptions& options) {
  const std::vector<uint8_t>& axis = frequencies.axis;
  // No axes, and component 0 for every pair, mean the same.
  const bool has_axis =
      std::any_of(axis.begin(), axis.end(), [](uint8_t a) { return a != 0; });
  TableKey key;
  key.reserve(8 + frequencies.inv_freq.size() + axis.size());
  key.push_back(static_cast<uint64_t>(options.mode));
  key.push_back(static_cast<uint64_t>(options.kind));
  key.push_back(static_cast<uint64_t>(options.round_to));
  key.push_back(static_cast<uint64_t>(options.dense_positions));
  key.push_back(BitsOfDouble(frequencies.attention_factor));
  key.push_back(BitsOfDouble(frequencies.softmax_multiplier));
  key.push_back(frequencies.length_dependent ? 1 : 0);
  key.push_back(frequencies.recurrence.has_value() ? 1 : 0);
  if (frequencies.recurrence.has_value()) {
    const Float32Recurrence& recurrence = *frequencies.recurrence;
    key.push_back(BitsOfDouble(double{recurrence.step}));
    key.push_back(BitsOfDouble(double{recurrence.freq_scale}));
    key.push_back(BitsOfDouble(double{recurrence.attention_factor}));
    AppendFloats(recurrence.freq_factors, &key);
    AppendFloats(recurrence.ramp_mix, &key);
  }
  key.push_back(frequencies.inv_freq.size());
  for (const double w : frequencies.inv_freq) key.push_back(BitsOfDouble(w));
  if (has_axis) key.insert(key.end(), axis.begin(), axis.end());
  return key;
}

}  // namespace ropewalk::internal
