// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "encodings/t5_rows.h"
#include "simd/scalar_convert.h"

namespace ropewalk::internal {
namespace {

float ValueAt(const EmbeddingTable& table, int64_t row, int64_t column) {
  const uint8_t* const from = static_cast<const uint8_t*>(table.data) +
                              row * table.row_stride +
                              column * ElementSize(table.type);
  if (table.type == DataType::kF32) {
    return *reinterpret_cast<const float*>(from);
  }
  const uint16_t bits = *reinterpret_cast<const uint16_t*>(from);
  return table.type == DataType::kBF16 ? FloatFromBF16(bits)
                                       : FloatFromF16(bits);
}

}  // namespace

T5Head::T5Head(const T5Job& job) noexcept
    : job_(job), near_(std::min(kMaxNear, job.starts->last_start())) {
  const Scores& scores = job.rows.scores;
  // ValidateScores has seen that these are int64.
  const int64_t least =
      scores.first_key - (scores.first_query + (scores.queries - 1));
  int64_t most = scores.first_key + (scores.keys - 1) - scores.first_query;
  if (job.rows.range == ScoreRange::kCausal) most = std::min(most, int64_t{0});
  const int64_t reach = near_ + kSlack;
  const int64_t first = std::clamp(least, -reach, reach);
  const int64_t last = std::clamp(most, -reach, reach);
  begin_ = first + reach;
  end_ = last + reach + 1;
  for (int64_t distance = first; distance <= last;) {
    const T5Starts::Run run = job.starts->RunAt(distance);
    const int64_t until = std::min(run.last, last);
    std::fill(near_bucket_ + distance + reach, near_bucket_ + until + reach + 1,
              static_cast<uint16_t>(run.bucket));
    distance = until + 1;
  }
}

void T5Head::Load(int64_t head) noexcept {
  for (int64_t i = 0; i < job_.table->vocabulary; ++i) {
    bias_[i] = ValueAt(*job_.table, i, head);
  }
  for (int64_t i = begin_; i < end_; ++i) {
    near_bias_[i] = bias_[near_bucket_[i]];
  }
}

}  // namespace ropewalk::internal
