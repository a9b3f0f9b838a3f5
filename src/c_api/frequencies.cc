// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/c/frequencies.h"

#include <type_traits>

#include "c_api/call.h"
#include "c_api/handles.h"
#include "c_api/read_scaling.h"
#include "ropewalk/bands.h"
#include "ropewalk/scaling.h"

namespace rw = ropewalk;
namespace internal = ropewalk::internal;

ropewalk_status ropewalk_compute_frequencies(
    const ropewalk_rope_parameters* parameters, int64_t sequence_length,
    ropewalk_frequencies** frequencies, ropewalk_error* error) {
  if (frequencies != nullptr) *frequencies = nullptr;
  return internal::Call(error, [&]() -> rw::Status {
    rw::RopeParameters cc_parameters;
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("frequencies", frequencies));
    ROPEWALK_RETURN_IF_ERROR(
        internal::Read("parameters", parameters, &cc_parameters));
    return internal::HandOut(
        rw::ComputeFrequencies(cc_parameters, sequence_length), frequencies);
  });
}

void ropewalk_frequencies_destroy(ropewalk_frequencies* frequencies) {
  delete frequencies;
}

int64_t ropewalk_frequencies_pairs(const ropewalk_frequencies* frequencies) {
  if (frequencies == nullptr) return 0;
  return static_cast<int64_t>(frequencies->value.inv_freq.size());
}

const double* ropewalk_frequencies_inv_freq(
    const ropewalk_frequencies* frequencies) {
  return frequencies != nullptr ? frequencies->value.inv_freq.data() : nullptr;
}

const uint8_t* ropewalk_frequencies_axis(
    const ropewalk_frequencies* frequencies) {
  if (frequencies == nullptr || frequencies->value.axis.empty()) return nullptr;
  return frequencies->value.axis.data();
}

double ropewalk_frequencies_attention_factor(
    const ropewalk_frequencies* frequencies) {
  return frequencies != nullptr ? frequencies->value.attention_factor : 1;
}

double ropewalk_frequencies_softmax_multiplier(
    const ropewalk_frequencies* frequencies) {
  return frequencies != nullptr ? frequencies->value.softmax_multiplier : 1;
}

int32_t ropewalk_frequencies_length_dependent(
    const ropewalk_frequencies* frequencies) {
  return frequencies != nullptr && frequencies->value.length_dependent ? 1 : 0;
}

uint64_t ropewalk_frequencies_checksum(
    const ropewalk_frequencies* frequencies) {
  return frequencies != nullptr ? rw::Checksum(frequencies->value) : 0;
}

int64_t ropewalk_original_positions(
    const ropewalk_rope_parameters* parameters) {
  int64_t positions = 0;
  const ropewalk_status status = internal::Call(nullptr, [&]() -> rw::Status {
    rw::RopeParameters cc_parameters;
    ROPEWALK_RETURN_IF_ERROR(
        internal::Read("parameters", parameters, &cc_parameters));
    positions = rw::OriginalPositions(cc_parameters.scaling);
    return rw::Status();
  });
  return status == ROPEWALK_OK ? positions : 0;
}
