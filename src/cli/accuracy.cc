// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/accuracy.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ropewalk::cli {
namespace {

// Targets whose MulAdd is a product and a sum.
bool HasFma(std::string_view target) {
  for (const char* without : {"SSE2", "SSSE3", "SSE4", "SCALAR", "EMU128"}) {
    if (target == without) return false;
  }
  return true;
}

// Spacing of the numbers with that many bits (the leading one included) around
// a value; float32 and bf16 share their exponents. By the bits: frexp and ldexp
// would take longer than the rest of the demo.
double Ulp(double value, int bits) {
  uint64_t word;
  std::memcpy(&word, &value, sizeof(word));
  const int exponent = static_cast<int>((word >> 52) & 0x7FF) - 1023;
  const int ulp_exponent = std::max(exponent, -126) - (bits - 1);
  word = static_cast<uint64_t>(ulp_exponent + 1023) << 52;
  std::memcpy(&value, &word, sizeof(value));
  return value;
}

struct Limits {
  DataType type;
  double float_ulps;
};

// Error of one member of a pair whose larger input is `larger`; NaN counts as
// the worst.
double MemberError(double got, double exact, double larger,
                   const Limits& limits) {
  const double difference = std::abs(got - exact);
  if (std::isnan(difference)) return INFINITY;
  const double float_ulp = Ulp(larger, 24);
  if (limits.type == DataType::kF32) return difference / float_ulp;
  const double rest = difference - limits.float_ulps * float_ulp;
  return std::max(rest, 0.0) / Ulp(got, 8);
}

reference::Window WindowOf(const Model& model) {
  const int pairs = model.rotary_dim / 2;
  return {pairs, model.pairing == Pairing::kInterleaved, 0, pairs};
}

// A head before, as it must become, and as it became.
struct Heads {
  std::vector<double> input;
  std::vector<double> exact;
  std::vector<double> got;
};

double WorstOfHead(const Heads& heads, const reference::Window& window,
                   const Limits& limits) {
  double worst = 0;
  for (int i = 0; i < window.pairs; ++i) {
    const auto d0 = static_cast<size_t>(reference::Member0(window, i));
    const auto d1 = static_cast<size_t>(reference::Member1(window, i));
    const double larger =
        std::max(std::abs(heads.input[d0]), std::abs(heads.input[d1]));
    for (const size_t d : {d0, d1}) {
      worst = std::max(
          worst, MemberError(heads.got[d], heads.exact[d], larger, limits));
    }
  }
  // The dims that do not turn must keep their bits.
  for (size_t d = static_cast<size_t>(2 * window.pairs); d < heads.got.size();
       ++d) {
    if (heads.got[d] != heads.input[d]) return INFINITY;
  }
  return worst;
}

}  // namespace

ExactAngles ComputeExactAngles(const Model& model, int64_t first_position,
                               int64_t tokens) {
  ExactAngles exact;
  exact.pairs = model.rotary_dim / 2;
  // Not the table's inv_freq: a wrong frequency must show.
  const std::vector<double> inv_freq =
      reference::PlainInvFreq(model.rotary_dim, model.base);
  for (int64_t t = 0; t < tokens; ++t) {
    const auto position = static_cast<double>(first_position + t);
    for (const double frequency : inv_freq) {
      exact.angles.push_back(reference::ExactAngle(position, frequency));
    }
  }
  return exact;
}

Error WorstError(const Step& input, const Step& rotated,
                 const ExactAngles& exact, std::string_view target) {
  const Limits limits = {input.type(), HasFma(target) ? 2.5 : 3.0};
  const reference::Window window = WindowOf(input.model());
  Heads heads;
  heads.input.resize(static_cast<size_t>(input.model().head_dim));
  heads.got = heads.input;
  double worst = 0;
  for (int64_t t = 0; t < input.tokens(); ++t) {
    for (int64_t h = 0; h < input.heads(); ++h) {
      input.ReadHead(t, h, heads.input.data());
      rotated.ReadHead(t, h, heads.got.data());
      heads.exact = heads.input;
      reference::RotateHead(window, exact.angles.data() + t * exact.pairs, 1.0,
                            reference::Turn::kForward, heads.exact.data());
      worst = std::max(worst, WorstOfHead(heads, window, limits));
    }
  }
  return {worst, input.type() == DataType::kF32 ? limits.float_ulps : 0.5};
}

}  // namespace ropewalk::cli
