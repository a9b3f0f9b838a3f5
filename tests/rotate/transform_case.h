// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A HeadTransform with its weights, the same in double, and how far apart the
// two may be.
#pragma once
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/head_transform.h"
#include "support/guarded_buffer.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {

// Which transform; TransformCase adds the numbers.
struct TransformSpec {
  HeadNorm::Kind kind = HeadNorm::Kind::kRms;
  int offset = 0;
  int size = 0;
  DataType weight_type = DataType::kF32;
  bool has_weight = false;
  bool has_bias = false;
  bool one_plus_weight = false;
  float epsilon = 1e-6f;
  float scale = 1.0f;
  bool has_token_scale = false;
};

// Weights and biases end where memory ends, and refuse writes.
class TransformCase {
 public:
  TransformCase(const TransformSpec& spec, int64_t rows, Random* random);

  const TransformSpec& spec() const { return spec_; }
  HeadTransform transform() const;

  // The transform of one head in double; error[d] is how far float32 may be
  // from it, before rotation. With u = 2^-24 half an ulp of 1, n dims of norm
  // and k = ceil(n / 16) terms a partial sum:
  //   sum       (k + 4) u, of terms of one sign: k additions and 4 to add up 16
  //             partial sums; u more for each square where it is not fused
  //   x - mean  u of itself, and the error of the mean: (k + 5) u mean|x|; of
  //             the squares' mean the latter adds its square only
  //   inverse   half the error of the sum of squares, u to round it
  //   weight    u for 1 + weight, u for the product; bias u of the sum
  //   scale     u for scale * token_scale, u for the product
  // A hundredth more covers products of errors.
  void Apply(int64_t row, std::vector<double>* head,
             std::vector<double>* error) const;

 private:
  double Weight(int i) const;
  double Bias(int i) const;
  void ApplyNorm(double* x, double* error) const;

  TransformSpec spec_;
  GuardedBuffer weight_;
  GuardedBuffer bias_;
  GuardedBuffer token_scale_;
};

// Whether every head of `after` is that of `before`, transformed, rotated, and
// rounded once to its type; the tolerance is the error of the transform, turned
// with its pair, and that of the rotation.
testing::AssertionResult IsTransformed(const TransformCase& transform,
                                       const Step& step,
                                       const RotaryLayout& layout,
                                       const Heads& before, const Heads& after);

}  // namespace ropewalk::test
