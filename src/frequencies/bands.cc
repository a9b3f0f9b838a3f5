// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/bands.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <variant>

#include "frequencies/ladder.h"
#include "frequencies/schemes.h"
#include "status/error.h"

namespace ropewalk {
namespace internal {
namespace {

// Two quotients of frequencies that are closer than this are one: the accuracy
// that ComputeFrequencies promises.
constexpr double kSame = 1e-12;

struct OriginalOf {
  template <class Scheme>
  int64_t operator()(const Scheme&) const {
    return 0;
  }
  int64_t operator()(const DynamicNtkScaling& s) const {
    return s.max_positions;
  }
  int64_t operator()(const QwenDynamicNtkScaling& s) const {
    return s.original_positions;
  }
  int64_t operator()(const YarnScaling& s) const {
    return s.original_positions;
  }
  int64_t operator()(const DeepSeekYarnScaling& s) const {
    return s.original_positions;
  }
  int64_t operator()(const GrokYarnLogScaling& s) const {
    return s.original_positions;
  }
  int64_t operator()(const GrokThetaScaling& s) const {
    return s.original_positions;
  }
  int64_t operator()(const Llama3Scaling& s) const {
    return s.original_positions;
  }
  int64_t operator()(const LongRopeScaling& s) const {
    return s.original_positions;
  }
  int64_t operator()(const GgmlScaling& s) const { return s.n_ctx_orig; }
};

// The whole factor of a scheme; 0 where only the frequencies can tell.
struct FactorOf {
  template <class Scheme>
  double operator()(const Scheme& s) const {
    return s.factor;
  }
  double operator()(const NoScaling&) const { return 1; }
  double operator()(const NtkAlphaScaling& s) const { return s.alpha; }
  double operator()(const DynamicNtkScaling& s) const {
    return DynamicGrowth(s, sequence_length);
  }
  double operator()(const QwenDynamicNtkScaling& s) const {
    return QwenGrowth(s, sequence_length);
  }
  double operator()(const LongRopeScaling& s) const {
    if (s.factor.has_value()) return *s.factor;
    return static_cast<double>(s.max_positions) /
           static_cast<double>(s.original_positions);
  }
  double operator()(const FrequencyFactors&) const { return 0; }
  double operator()(const GgmlScaling& s) const {
    return s.freq_factors.empty() ? 1.0 / double{s.freq_scale} : 0;
  }
  double operator()(const ExplicitFrequencies&) const { return 0; }

  int64_t sequence_length;
};

// The ladder that the scheme starts from. Frequencies that came as a list have
// none if the base is not a number, and are then their own.
Result<std::vector<double>> PlainLadder(const RopeParameters& parameters,
                                        const std::vector<double>& inv_freq) {
  const int rotary_dim = 2 * static_cast<int>(inv_freq.size());
  const auto* proportional =
      std::get_if<ProportionalScaling>(&parameters.scaling);
  auto ladder =
      Ladder(parameters.base, rotary_dim,
             proportional != nullptr ? proportional->head_dim : rotary_dim);
  if (!ladder.ok() &&
      std::holds_alternative<ExplicitFrequencies>(parameters.scaling)) {
    return inv_freq;
  }
  return ladder;
}

double Wavelength(double inv_freq) {
  return inv_freq == 0 ? std::numeric_limits<double>::infinity()
                       : kTwoPi / std::fabs(inv_freq);
}

// A factor below 1 makes pairs turn faster.
Band BandOf(double quotient, double factor) {
  if (std::fabs(quotient - 1) <= kSame) return Band::kExtrapolated;
  const bool whole = factor < 1 ? quotient <= factor * (1 + kSame)
                                : quotient >= factor * (1 - kSame);
  return whole ? Band::kInterpolated : Band::kBlended;
}

Result<Bands> Compute(const RopeParameters& parameters, int64_t original,
                      int64_t sequence_length) {
  const auto frequencies = ComputeFrequencies(parameters, sequence_length);
  if (!frequencies.ok()) return frequencies.status();
  const std::vector<double>& inv_freq = frequencies.value().inv_freq;
  const auto plain = PlainLadder(parameters, inv_freq);
  if (!plain.ok()) return plain.status();

  Bands bands;
  bands.original_positions =
      original != 0 ? original : OriginalPositions(parameters.scaling);
  if (bands.original_positions <= 0) {
    return Error(StatusCode::kInvalidArgument,
                 "original_positions = %lld: must be positive, or 0 where the "
                 "scheme names its own",
                 static_cast<long long>(original));
  }
  double largest = 1;
  for (size_t i = 0; i < inv_freq.size(); ++i) {
    PairBand pair{};
    pair.inv_freq = inv_freq[i];
    pair.wavelength = Wavelength(inv_freq[i]);
    pair.plain_wavelength = Wavelength(plain.value()[i]);
    pair.rotations =
        static_cast<double>(bands.original_positions) / pair.plain_wavelength;
    largest = std::max(largest, pair.wavelength / pair.plain_wavelength);
    bands.pairs.push_back(pair);
  }
  const double factor =
      std::visit(FactorOf{sequence_length}, parameters.scaling);
  bands.factor = factor > 0 ? factor : largest;
  for (PairBand& pair : bands.pairs) {
    pair.band = BandOf(pair.wavelength / pair.plain_wavelength, bands.factor);
  }
  return bands;
}

}  // namespace
}  // namespace internal

const char* BandName(Band band) noexcept {
  switch (band) {
    case Band::kExtrapolated:
      return "extrapolated";
    case Band::kBlended:
      return "blended";
    case Band::kInterpolated:
      return "interpolated";
  }
  return "unknown";
}

int64_t OriginalPositions(const Scaling& scaling) noexcept {
  if (scaling.valueless_by_exception()) return 0;
  return std::visit(internal::OriginalOf{}, scaling);
}

Result<Bands> ComputeBands(const RopeParameters& parameters,
                           int64_t original_positions,
                           int64_t sequence_length) noexcept {
  try {
    return internal::Compute(parameters, original_positions, sequence_length);
  } catch (const std::bad_alloc&) {
    return internal::Error(StatusCode::kOutOfMemory,
                           "bands of rotary_dim = %d: out of memory",
                           parameters.rotary_dim);
  }
}

}  // namespace ropewalk
