// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Where T5's buckets begin, without rounding.
#pragma once
#include <cstdint>

#include "ropewalk/encodings/t5_bias.h"
#include "ropewalk/status.h"

namespace ropewalk::internal {

Status ValidateT5Buckets(const T5Buckets& rule) noexcept;

// The buckets of distances key - query. Requires: ValidateT5Buckets passed.
class T5Starts {
 public:
  explicit T5Starts(const T5Buckets& rule) noexcept;

  // The bucket of a distance, and the last distance up to which it holds.
  struct Run {
    int bucket;
    int64_t last;
  };
  Run RunAt(int64_t distance) const noexcept;

  // From here on, to either side, all is in one bucket.
  int64_t last_start() const { return starts_[count_ - 1]; }

 private:
  int IndexOf(int64_t magnitude) const noexcept;

  bool bidirectional_;
  int count_;  // of buckets in a direction
  // The least magnitude in each; of those that start together, the last has it.
  int32_t starts_[kMaxT5Buckets];
};

}  // namespace ropewalk::internal
