// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdint>
#include <set>

#include "gtest/gtest.h"
#include "ropewalk/frequencies.h"

namespace ropewalk {
namespace {

Frequencies Some() {
  Frequencies frequencies;
  frequencies.inv_freq = {1.0, 0.25};
  frequencies.recurrence =
      Float32Recurrence{0.5f, 1.0f, 1.0f, {2.0f, 3.0f}, {}};
  return frequencies;
}

// The chain of FNV-1a, 64 bits, over the fields' words: the size of each list
// before its entries.
TEST(ChecksumTest, IsFnv1aOfTheFields) {
  const auto add = [](uint64_t state, uint64_t word) {
    for (int byte = 0; byte < 8; ++byte) {
      state ^= (word >> (8 * byte)) & 0xFF;
      state *= 1099511628211u;
    }
    return state;
  };
  uint64_t want = 14695981039346656037u;
  const uint64_t one = 0x3FF0000000000000u;
  for (const uint64_t word :
       {uint64_t{1}, one, uint64_t{0}, one, one, uint64_t{0}, uint64_t{0}}) {
    want = add(want, word);
  }
  Frequencies frequencies;
  frequencies.inv_freq = {1.0};
  EXPECT_EQ(Checksum(frequencies), want);
}

TEST(ChecksumTest, EveryFieldCounts) {
  std::set<uint64_t> sums = {Checksum(Some())};
  const auto add = [&](const Frequencies& changed) {
    EXPECT_TRUE(sums.insert(Checksum(changed)).second);
  };
  Frequencies changed = Some();
  changed.inv_freq[1] = std::nextafter(0.25, 1.0);
  add(changed);
  changed = Some();
  changed.inv_freq.pop_back();
  add(changed);
  changed = Some();
  changed.axis = {0, 1};
  add(changed);
  changed = Some();
  changed.attention_factor = 2;
  add(changed);
  changed = Some();
  changed.softmax_multiplier = 2;
  add(changed);
  changed = Some();
  changed.length_dependent = true;
  add(changed);
  changed = Some();
  changed.recurrence.reset();
  add(changed);
  changed = Some();
  changed.recurrence->step = 0.25f;
  add(changed);
  changed = Some();
  changed.recurrence->freq_scale = 0.25f;
  add(changed);
  changed = Some();
  changed.recurrence->attention_factor = 0.25f;
  add(changed);
  changed = Some();
  changed.recurrence->freq_factors[1] = 4.0f;
  add(changed);
  changed = Some();
  changed.recurrence->ramp_mix = {0.5f, 0.5f};
  add(changed);
  EXPECT_EQ(Checksum(Some()), Checksum(Some()));
}

}  // namespace
}  // namespace ropewalk
