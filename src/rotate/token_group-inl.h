// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Heads of several tokens that turn together.
#if defined(ROPEWALK_SRC_ROTATE_TOKEN_GROUP_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SRC_ROTATE_TOKEN_GROUP_INL_H_
#undef ROPEWALK_SRC_ROTATE_TOKEN_GROUP_INL_H_
#else
#define ROPEWALK_SRC_ROTATE_TOKEN_GROUP_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"

#include "rotate/copy-inl.h"
#include "rotate/heads_run.h"
#include "rotate/rotate_spans-inl.h"
#include "rotate/rows.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

// Tokens of few heads turn together up to so many bytes: a few heads are less
// work than the way to the kernels. They stay in L1.
constexpr int64_t kGroupBytes = 4096;
constexpr int kGroupSpans = 16;

// Tokens that are found, and turn together.
template <class In, class Out>
class TokenGroup {
 public:
  explicit TokenGroup(const RowsJob& job)
      : job_(job),
        head_bytes_(job.layout->head_dim * int64_t{sizeof(typename In::T)}) {}

  // Whether heads of that row stay as they are.
  HWY_INLINE bool Skips(int64_t row) const {
    return job_.in_place && job_.rows->identity(row);
  }

  // Where the next spans of a token are to be put.
  HWY_INLINE HeadSpan* Next() { return spans_ + count_; }

  // Rotates so many spans that have been put there, now or by Finish().
  HWY_INLINE void Add(int64_t row, int found) {
    if (found == 0) return;
    HeadSpan* const spans = Next();
    if (job_.buffered) {
      return RotateBuffered<In, Out>(job_, row, spans, found);
    }
    if (!job_.in_place) {
      if (IsCopy(job_, row)) {
        Finish();
        return CopyDims<In, Out>(*spans, 0, job_.layout->head_dim);
      }
      CopyUnrotatedDims<In, Out>(*job_.layout, *spans);
    }
    for (int i = 0; i < found; ++i) {
      SetAngles(job_, row, &spans[i].angles);
      bytes_ += spans[i].heads * head_bytes_;
    }
    count_ += found;
    if (bytes_ >= kGroupBytes || count_ >= kGroupSpans) Finish();
  }

  void Finish() {
    if (count_ == 0) return;
    RotateSpans<In, Out>(*job_.layout, spans_, count_);
    count_ = 0;
    bytes_ = 0;
  }

 private:
  const RowsJob& job_;
  int64_t head_bytes_;
  int64_t bytes_ = 0;
  int count_ = 0;
  HeadSpan spans_[kGroupSpans + kMaxTensors];
};

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
