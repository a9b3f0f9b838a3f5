// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares frequencies and rotated heads with the double oracle.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "cli/step.h"
#include "reference/oracle.h"
#include "reference/schemes.h"
#include "ropewalk/frequencies.h"

namespace ropewalk::cli {

// What the oracle and the library may differ by in inv_freq and in the
// factors, relatively: the library promises 2^-48, and both round to double.
inline constexpr double kFrequencyLimit = 1e-12;

// Largest relative differences from the oracle; infinite for a NaN, another
// number of pairs, or a pair that turns in only one of both.
struct FrequencyErrors {
  double inv_freq;
  double attention_factor;
  double softmax_multiplier;
};

FrequencyErrors CompareFrequencies(const reference::Scheme& oracle,
                                   const Frequencies& used);

// What a step must become, and how exactly that is known.
struct ExactRotation {
  int pairs = 0;
  double attention_factor = 1;
  std::vector<reference::CosSin> angles;  // [tokens][pairs]
  std::vector<double> allowance;          // [tokens][pairs], radians
};

// The rotation by the oracle's own frequencies, not those used: a wrong one
// must show. The allowance is |position| times the difference of both, which
// counts up to kFrequencyLimit only.
ExactRotation ComputeExactRotation(const reference::Scheme& oracle,
                                   const Frequencies& used,
                                   const std::vector<int64_t>& positions);

// Positions of several components, and which one each pair follows.
struct TokenPositions {
  std::vector<int64_t> ids;  // [components][tokens]
  int components = 1;
  std::vector<int> axis;  // [pairs]; empty: component 0.

  int64_t tokens() const {
    return static_cast<int64_t>(ids.size()) / components;
  }
};

ExactRotation ComputeExactRotation(const reference::Scheme& oracle,
                                   const Frequencies& used,
                                   const TokenPositions& positions);

struct Error {
  double worst;  // In ulp, of what: see WorstError.
  double limit;
};

// The largest error of a step that was rotated on a target; infinite for a NaN
// and where a dim that does not turn has other bits than before.
//
// f32: in ulp of m M, M = max(|x0|, |x1|) of the input and m the attention
// factor. The limit F for m = 1 is 2.5 with FMA, 3 without: with |c|, |s| <= 1
// the rounding of c and of s costs half an ulp of M each, that of a product
// half an ulp, that of the sum (up to 1.42 M, so perhaps in the next binade)
// one ulp. FMA rounds one product less. For other m it is 3 and 3.5: c and s,
// now up to m, may lie in the binade above 1 while m M lies in that of M, and
// a rounding then costs M times half an ulp of 1, which is M half an ulp of
// m M for M in [1, 2) (scale by powers of two for the rest). Both are there
// only if m >= sqrt(2), so M < sqrt(2) and they cost 1.42 ulp together instead
// of 1; with c there alone and s in [2^-k-1, 2^-k) they cost
// M (1 + 2^-k) / 2, where m^2 >= 1 + 4^-k-1 and M < 2 / m: less than 1.42.
//
// The angles: the oracle's inv_freq and the library's are both rounded, and
// differ by d. At position p the exact rotations by both are |p d| apart, and
// so the results no more than |p d| m |x|, x being the pair. That is allowed
// on top, and no more of it than a right frequency needs. Left out are the
// table's m 2^-40 and a difference of the factors: 2^-16 ulp of m M.
//
// bf16 and f16: the float32 result f, within F ulp of m M of the exact value
// e, is rounded once to r. Rounding never moves r to a binade below f's, so
// |r - f| <= half an ulp (of the type) of r and |r - e| <= half an ulp of r
// plus F float32 ulp of m M. The error is |r - e| less that second term (all
// of the result where x0 c and x1 s cancel, nothing elsewhere), in ulp of r;
// the limit is 0.5.
//
// Requires: both steps of one type, or float32 and heads that turn as a whole.
Error WorstError(const Step& input, const Step& rotated,
                 const ExactRotation& exact, std::string_view target);

// The largest error of keys that were rotated into a bf16 cache and shifted
// there once: those of float32 tokens first, first + 1, ... The attention
// factor is 1; in bf16 ulp of r (1 + 2^-7), r being the length of the pair.
//
// The limit: neither member of the cached pair is longer than r, so rounding
// moves each by half an ulp of r, and the pair by sqrt(1/2) ulp. The shift
// turns that error and makes it no longer. What it leads to is no longer than
// r plus an ulp of r, of which its own rounding costs half an ulp: 1.2072 in
// all. Both rotations in float32 add less than 2.42 * 3 ulp, 0.0002 of bf16's.
Error WorstShiftError(const Step& input, int64_t first, const Step& shifted,
                      const ExactRotation& exact);

}  // namespace ropewalk::cli
