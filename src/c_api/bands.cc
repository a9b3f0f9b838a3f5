// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/bands.h"
#include "c_api/call.h"
#include "c_api/read_scaling.h"
#include "c_api/struct_size.h"
#include "ropewalk/c/frequencies.h"

namespace ropewalk::internal {
namespace {

ropewalk_pair_band BandOf(const PairBand& pair) noexcept {
  ropewalk_pair_band out = ROPEWALK_PAIR_BAND_INIT;
  out.band = static_cast<int32_t>(pair.band);
  out.inv_freq = pair.inv_freq;
  out.wavelength = pair.wavelength;
  out.plain_wavelength = pair.plain_wavelength;
  out.rotations = pair.rotations;
  return out;
}

// Checks all, then writes.
Status WriteBands(const Bands& from, ropewalk_bands* bands,
                  ropewalk_pair_band* pairs, int64_t count) noexcept {
  if (bands != nullptr) {
    ROPEWALK_RETURN_IF_ERROR(CheckSize("bands", bands));
  }
  if (pairs != nullptr) {
    if (count != static_cast<int64_t>(from.pairs.size())) {
      return Error(StatusCode::kInvalidArgument,
                   "count = %lld: must be the number of pairs, %zu",
                   static_cast<long long>(count), from.pairs.size());
    }
    ROPEWALK_RETURN_IF_ERROR(CheckSizes("pairs", pairs, count));
    for (int64_t i = 0; i < count; ++i) {
      WriteStruct(BandOf(from.pairs[static_cast<size_t>(i)]),
                  Element(pairs, i));
    }
  }
  if (bands != nullptr) {
    ropewalk_bands out = ROPEWALK_BANDS_INIT;
    out.original_positions = from.original_positions;
    out.factor = from.factor;
    WriteStruct(out, bands);
  }
  return Status();
}

}  // namespace
}  // namespace ropewalk::internal

namespace rw = ropewalk;
namespace internal = ropewalk::internal;

const char* ropewalk_band_name(int32_t band) {
  if (band < 0 || band > UINT8_MAX) return "unknown";
  return rw::BandName(static_cast<rw::Band>(band));
}

ropewalk_status ropewalk_compute_bands(
    const ropewalk_rope_parameters* parameters, int64_t original_positions,
    int64_t sequence_length, ropewalk_bands* bands, ropewalk_pair_band* pairs,
    int64_t count, ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    rw::RopeParameters cc_parameters;
    ROPEWALK_RETURN_IF_ERROR(
        internal::Read("parameters", parameters, &cc_parameters));
    const auto computed =
        rw::ComputeBands(cc_parameters, original_positions, sequence_length);
    ROPEWALK_RETURN_IF_ERROR(computed.status());
    return internal::WriteBands(computed.value(), bands, pairs, count);
  });
}
