// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// T5's relative position bias.
#pragma once
#include <cstdint>

#include "ropewalk/encodings/embedding_table.h"
#include "ropewalk/encodings/scores.h"
#include "ropewalk/export.h"
#include "ropewalk/parallel.h"
#include "ropewalk/status.h"

namespace ropewalk {

inline constexpr int kMaxT5Buckets = 1024;
inline constexpr int64_t kMaxT5Distance = int64_t{1} << 30;

/// How distances fall into buckets.
///
/// Requires:  buckets from 2 (4 where bidirectional) to kMaxT5Buckets, even
///            where bidirectional; max_distance above half the buckets of one
///            direction, at most kMaxT5Distance. T5: 32 and 128.
struct T5Buckets {
  int buckets = 32;
  int64_t max_distance = 128;
  /// Encoders: keys after the query have buckets of their own, the upper half.
  /// Decoders say false: they share bucket 0.
  bool bidirectional = true;
};

/// The bucket of key - query. With n buckets a direction, n / 2 of them hold a
/// distance each; the rest grow by equal factors up to max_distance, beyond
/// which all is in the last. The edges are exact.
///
/// Errors:    kInvalidArgument.
/// Source:    Raffel et al. 2020, arXiv:1910.10683, section 2.1; the code of T5
///            for the rounding.
ROPEWALK_EXPORT Result<int> T5Bucket(const T5Buckets& rule,
                                     int64_t key_minus_query) noexcept;

/// Adds the bias of its bucket to each score. Masked scores, -Inf, stay so
/// where the table is finite.
///
/// Shape:     table [rule.buckets, scores.heads]: relative_attention_bias as
///            checkpoints have it.
/// Aliasing:  no two scores are one element, nor scores and table.
/// Accuracy:  one sum in float32, rounded once to the type of the scores, to
///            nearest even.
/// Errors:    kInvalidArgument, kOutOfRange; on an error nothing is written.
/// Threads:   safe on disjoint scores; allocates nothing, takes no lock.
ROPEWALK_EXPORT Status
AddT5Bias(const EmbeddingTable& table, const T5Buckets& rule,
          const Scores& scores, ScoreRange range = ScoreRange::kAll,
          Parallel parallel = Parallel::Serial()) noexcept;

}  // namespace ropewalk
