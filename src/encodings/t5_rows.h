// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What the front of T5's bias hands to its kernels.
#pragma once
#include <cstdint>

#include "encodings/score_rows.h"
#include "encodings/t5_starts.h"
#include "ropewalk/encodings/embedding_table.h"

namespace ropewalk::internal {

struct T5Job {
  ScoreRows rows;
  const EmbeddingTable* table;  // [buckets, heads]
  const T5Starts* starts;
};

// The biases of one head: of each bucket, and of each distance that is near.
//
// Near are those before the last bucket of a direction, if that is not far off,
// and some more to either side, so that what is beyond them can begin and end
// with whole vectors.
class T5Head {
 public:
  explicit T5Head(const T5Job& job) noexcept;

  // Takes the biases of a head.
  void Load(int64_t head) noexcept;

  int64_t near() const { return near_; }
  // Requires: |distance| < near() + kSlack, and that it occurs in the job.
  const float* NearFrom(int64_t distance) const {
    return near_bias_ + (distance + near_ + kSlack);
  }
  // The bias of the distance, and the last one up to which it holds.
  float BiasAt(int64_t distance, int64_t* last) const noexcept {
    const T5Starts::Run run = job_.starts->RunAt(distance);
    *last = run.last;
    return bias_[run.bucket];
  }

  // A multiple of every number of lanes.
  static constexpr int64_t kSlack = 64;

 private:
  static constexpr int64_t kMaxNear = 512;
  static constexpr int64_t kMost = 2 * (kMaxNear + kSlack) + 1;

  const T5Job& job_;
  int64_t near_;
  int64_t begin_;  // of what occurs, in near_bucket_ and near_bias_
  int64_t end_;
  uint16_t near_bucket_[kMost];
  float near_bias_[kMost];
  float bias_[kMaxT5Buckets];
};

// Adds the biases of rows [begin, end).
void AddT5Rows(const T5Job& job, int64_t begin, int64_t end) noexcept;

}  // namespace ropewalk::internal
