// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Relative positions by Shaw et al.: vectors for clipped distances, on the side
// of the keys and on that of the values.
#pragma once
#include <cstdint>

#include "ropewalk/encodings/embedding_table.h"
#include "ropewalk/encodings/scores.h"
#include "ropewalk/export.h"
#include "ropewalk/parallel.h"
#include "ropewalk/status.h"
#include "ropewalk/types.h"

namespace ropewalk {

inline constexpr int64_t kMaxShawClip = int64_t{1} << 30;

/// The row of key - query = d: clip(d, -clip, clip) + clip, of 2 clip + 1 rows;
/// reversed, that of query - key (BERT's relative_key with clip = its
/// max_position_embeddings - 1).
///
/// Requires:  clip from 0 to kMaxShawClip.
struct ShawRule {
  int64_t clip = 0;
  bool reversed = false;
};

/// The row of a distance. Requires a rule that keeps its own.
constexpr int64_t ShawIndex(const ShawRule& rule, int64_t key_minus_query) {
  const int64_t d = key_minus_query < -rule.clip  ? -rule.clip
                    : key_minus_query > rule.clip ? rule.clip
                                                  : key_minus_query;
  return (rule.reversed ? -d : d) + rule.clip;
}

/// Adds multiplier * (query . row) to each score, for the row of its distance.
///
/// Shape:     table [2 clip + 1, head_dim], shared by the heads; queries
///            [1, scores.queries, heads, head_dim] with as many heads.
/// Units:     multiplier is that of the scores: 1 / sqrt(head_dim) where they
///            have it already.
/// Requires:  the multiplier is finite.
/// Aliasing:  no two scores are one element; queries and table are none of
///            them.
/// Accuracy:  the product in float32, its sums in an order that head_dim
///            decides, no target and no split: within (head_dim / 16 + 8) 2^-24
///            of the sum of |query[i] * row[i]|; its multiple and the sum in
///            float32, rounded once to the type of the scores.
/// Errors:    kInvalidArgument, kOutOfRange; on an error nothing is written.
/// Threads:   safe on disjoint scores; allocates nothing, takes no lock.
/// Source:    Shaw et al. 2018, arXiv:1803.02155, eq. 5.
ROPEWALK_EXPORT Status
AddShawScores(const EmbeddingTable& table, const ShawRule& rule,
              const ConstHeadsView& queries, float multiplier,
              const Scores& scores, ScoreRange range = ScoreRange::kAll,
              Parallel parallel = Parallel::Serial()) noexcept;

/// Adds the sum over keys of weight * row to each query's output.
///
/// Shape:     weights [heads, queries, keys]: the scores after the softmax;
///            output [1, queries, heads, head_dim].
/// Accuracy:  float32 sums in an order that the keys decide, no target and no
///            split: within (keys / 8 + 48) 2^-24 of the sum of
///            |weight * row|; rounded once to the output's type.
/// Source:    eq. 3.
///            The rest is as above.
ROPEWALK_EXPORT Status AddShawValues(
    const EmbeddingTable& table, const ShawRule& rule, const Scores& weights,
    const HeadsView& output, ScoreRange range = ScoreRange::kAll,
    Parallel parallel = Parallel::Serial()) noexcept;

}  // namespace ropewalk
