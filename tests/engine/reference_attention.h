// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The decoder in double precision, without a cache and without the library; and
// how far from it a decoder may be that keeps K and V in BF16.
#pragma once
#include <cstdint>
#include <vector>

#include "engine/model.h"
#include "reference/oracle.h"

namespace ropewalk::test {

// The relative error of what is computed in float32, in 2-norm: a norm (a sum
// of 64 squares in 16 parts, a root, three products: below 2^-21), a rotation
// (3.5 ulp of the larger member of a pair: below 2^-20), a projection that is
// rounded once (2^-24); the sum is below 2^-19.
inline constexpr double kFloat32Error = 0x1p-19;

// How many times the root mean square of its error an output may be off. For
// any distribution at all, one error in 16 is larger (Markov); the sum of
// hundreds of independent roundings is hardly ever twice as large.
inline constexpr double kErrorLimit = 4;

struct ReferenceRope {
  reference::Window window;
  std::vector<double> inv_freq;
  double attention_factor = 1;
};

// [tokens], where each token stands; a token attends to itself and to those
// before it in the list.
struct ReferenceTokens {
  std::vector<int> ids;
  std::vector<int64_t> positions;
};

// How often each cached element was rounded.
struct CacheRoundings {
  int key = 1;
  int value = 1;
};

struct ReferenceOutput {
  std::vector<std::vector<double>> hidden;  // [tokens][hidden]
  // [tokens], how far off a decoder may be in 2-norm: kErrorLimit times the
  // root mean square that reference_attention.cc derives.
  std::vector<double> bound;
};

ReferenceOutput ReferenceForward(const Model& model, const ReferenceRope& rope,
                                 const ReferenceTokens& tokens,
                                 const CacheRoundings& roundings);

// The keys of the first layer, which depend on the tokens alone:
// [tokens][kv_heads * head_dim], normed and rotated.
std::vector<std::vector<double>> ReferenceKeys(const Model& model,
                                               const ReferenceRope& rope,
                                               const ReferenceTokens& tokens);

}  // namespace ropewalk::test
