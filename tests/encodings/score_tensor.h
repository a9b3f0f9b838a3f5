// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Scores in guarded memory, and what the tests of all biases ask of them.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/encodings/embedding_table.h"
#include "ropewalk/encodings/scores.h"
#include "ropewalk/status.h"
#include "support/heads.h"
#include "support/random.h"

namespace ropewalk::test {

// Where the first query and the first key stand.
struct Place {
  int64_t first_query = 0;
  int64_t first_key = 0;
};

struct ScoresShape {
  int64_t heads;
  int64_t queries;
  int64_t keys;
};

// Queries are the tokens of a tensor of heads, keys its dims. Rows have gaps,
// and the last one ends at a guard page.
inline HeadsSpec SpecOf(DataType type, const ScoresShape& shape,
                        GuardSide side = GuardSide::kEnd) {
  HeadsSpec spec;
  spec.type = type;
  spec.tokens = shape.queries;
  spec.heads = shape.heads;
  spec.head_dim = static_cast<int>(shape.keys);
  spec.order = DimOrder::kHeadsTokens;
  spec.head_gap = 3;
  spec.side = side;
  return spec;
}

inline Scores ScoresOf(const Heads& heads, const Place& place) {
  const HeadsView& view = heads.view();
  return {view.data,
          view.type,
          view.heads,
          view.tokens,
          heads.spec().head_dim,
          view.head_stride,
          view.token_stride,
          place.first_query,
          place.first_key};
}

// A table is a tensor of one head.
inline HeadsSpec TableSpec(DataType type, int64_t rows, int64_t width) {
  HeadsSpec spec;
  spec.type = type;
  spec.tokens = rows;
  spec.head_dim = static_cast<int>(width);
  spec.outer_gap = 1;
  return spec;
}

inline EmbeddingTable TableOf(const Heads& table) {
  const HeadsView& view = table.view();
  return {view.data, view.type, view.tokens, table.spec().head_dim,
          view.token_stride};
}

inline bool IsBiased(ScoreRange range, int64_t distance) {
  return range == ScoreRange::kAll || distance <= 0;
}

inline bool SameValue(double a, double b) {
  return std::isnan(a) ? std::isnan(b)
                       : a == b && std::signbit(a) == std::signbit(b);
}

inline testing::AssertionResult IsOk(const Status& status) {
  return status.ok() ? testing::AssertionSuccess()
                     : testing::AssertionFailure() << status.message();
}

// Compares each score with want(before, head, key - query), which is already of
// the type; a score without a bias keeps its bits, as do the gaps.
template <class Want>
testing::AssertionResult HoldsBiases(const Heads& before, const Heads& after,
                                     const Place& place, ScoreRange range,
                                     const Want& want) {
  const HeadsSpec& spec = before.spec();
  for (int64_t h = 0; h < spec.heads; ++h) {
    for (int64_t q = 0; q < spec.tokens; ++q) {
      for (int k = 0; k < spec.head_dim; ++k) {
        const int64_t distance = place.first_key + k - (place.first_query + q);
        const double score = before.Get(0, q, h, k);
        const double got = after.Get(0, q, h, k);
        const bool holds =
            IsBiased(range, distance)
                ? SameValue(got, want(score, h, distance))
                : before.Bits(0, q, h, k) == after.Bits(0, q, h, k);
        if (holds) continue;
        return testing::AssertionFailure()
               << NameOf(spec.type) << " head " << h << " query " << q
               << " key " << k << " of " << spec.head_dim << ", distance "
               << distance << ": " << score << " became " << got << ", not "
               << (IsBiased(range, distance) ? want(score, h, distance)
                                             : score);
      }
    }
  }
  if (before.GapBytes() != after.GapBytes()) {
    return testing::AssertionFailure() << "a gap has changed";
  }
  return testing::AssertionSuccess();
}

}  // namespace ropewalk::test
