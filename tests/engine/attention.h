// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The decoder's arithmetic that is not the library's: projections, and
// attention over cached keys and values. Sums are in double and in one order,
// that of dims and of positions, however the tokens are cut into steps.
#pragma once
#include <cstdint>
#include <vector>

#include "paged_cache.h"

namespace ropewalk::test {

// y = W x, W [rows][columns].
void Project(const std::vector<float>& weights, const float* x, int columns,
             float* y);

// What one head may look at: the first `count` tokens of a sequence.
struct VisibleTokens {
  const PagedCache& cache;
  int layer;
  int head;
  int head_dim;
  const int64_t* slots;
  int64_t count;
};

// Attention of one query head, whose softmax scale is in the query.
// `weights` is scratch.
void AttendHead(const float* query, const VisibleTokens& tokens,
                std::vector<double>* weights, float* out);

}  // namespace ropewalk::test
