// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "ropewalk/frequencies.h"

namespace ropewalk {
namespace {

// FNV-1a, over the bytes of each word from the lowest, whatever the machine's
// own order.
class Digest {
 public:
  void Add(uint64_t word) noexcept {
    for (int byte = 0; byte < 8; ++byte) {
      state_ = (state_ ^ ((word >> (8 * byte)) & 0xFF)) * 0x100000001B3u;
    }
  }
  void Add(double value) noexcept {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    Add(bits);
  }
  template <class T>
  void AddList(const std::vector<T>& list) noexcept {
    Add(uint64_t{list.size()});
    for (const T entry : list) Add(static_cast<double>(entry));
  }
  uint64_t state() const noexcept { return state_; }

 private:
  uint64_t state_ = 0xCBF29CE484222325u;
};

}  // namespace

uint64_t Checksum(const Frequencies& frequencies) noexcept {
  Digest digest;
  digest.AddList(frequencies.inv_freq);
  digest.AddList(frequencies.axis);
  digest.Add(frequencies.attention_factor);
  digest.Add(frequencies.softmax_multiplier);
  digest.Add(uint64_t{frequencies.length_dependent});
  digest.Add(uint64_t{frequencies.recurrence.has_value()});
  if (frequencies.recurrence.has_value()) {
    const Float32Recurrence& recurrence = *frequencies.recurrence;
    digest.Add(double{recurrence.step});
    digest.Add(double{recurrence.freq_scale});
    digest.Add(double{recurrence.attention_factor});
    digest.AddList(recurrence.freq_factors);
    digest.AddList(recurrence.ramp_mix);
  }
  return digest.state();
}

}  // namespace ropewalk
