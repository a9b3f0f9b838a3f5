// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares a rotated step with the double oracle.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "cli/step.h"
#include "reference/oracle.h"

namespace ropewalk::cli {

// The exact angles of a step, [tokens][pairs].
struct ExactAngles {
  int pairs = 0;
  std::vector<reference::CosSin> angles;
};

ExactAngles ComputeExactAngles(const Model& model, int64_t first_position,
                               int64_t tokens);

struct Error {
  double worst;  // In ulp, of what: see WorstError.
  double limit;
};

// The largest error of a step that was rotated on a target.
//
// f32: in ulp of M = max(|x0|, |x1|) of the input. The limit F is 2.5 with
// FMA, 3 without: with |c|, |s| <= 1 the rounding of c and of s costs half an
// ulp of M each, that of a product half an ulp, that of the sum (up to 1.42 M,
// so perhaps in the next binade) one ulp. FMA rounds one product less.
//
// bf16: the float32 result f, within F ulp of M of the exact value e, is
// rounded once to r. Rounding never moves r to a binade below f's, so
// |r - f| <= half a bf16 ulp of r and |r - e| <= half a bf16 ulp of r plus
// F float32 ulp of M. The error is |r - e| less that second term (all of the
// result where x0 c and x1 s cancel, nothing elsewhere), in bf16 ulp of r;
// the limit is 0.5.
Error WorstError(const Step& input, const Step& rotated,
                 const ExactAngles& exact, std::string_view target);

}  // namespace ropewalk::cli
