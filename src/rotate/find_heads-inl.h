// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the heads of a token are, in tensors and in caches.
#if defined(ROPEWALK_SRC_ROTATE_FIND_HEADS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SRC_ROTATE_FIND_HEADS_INL_H_
#undef ROPEWALK_SRC_ROTATE_FIND_HEADS_INL_H_
#else
#define ROPEWALK_SRC_ROTATE_FIND_HEADS_INL_H_
#endif

#include <algorithm>
#include <cstdint>

#include "hwy/highway.h"

#include "rotate/heads_run.h"
#include "rotate/prefetch.h"
#include "rotate/rows.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

// Where a token of a job is in its tensors.
struct TokenPlace {
  int64_t batch;
  int64_t token;
};

// The token itself, or its slot; false for a token that is skipped.
inline bool FindToken(const SlotReader* slots, const HeadsView& view,
                      int64_t index, TokenPlace* place) {
  if (slots == nullptr) return true;
  const int64_t slot = slots->At(index);
  if (slot < 0) return false;
  const int64_t size = view.tokens;
  if (HWY_LIKELY((size & (size - 1)) == 0)) {
    const size_t bits =
        hwy::Num0BitsBelowLS1Bit_Nonzero64(static_cast<uint64_t>(size));
    *place = {slot >> bits, slot & (size - 1)};
  } else {
    *place = {slot / size, slot % size};
  }
  return true;
}

inline int64_t Offset(const HeadsView& view, const TokenPlace& place,
                      int64_t head) {
  return place.batch * view.batch_stride + place.token * view.token_stride +
         head * view.head_stride;
}

// One token's share of a job: heads [first, first + count).
struct TokenHeads {
  int64_t batch;
  int64_t token;
  int64_t first;
  int64_t count;
  int64_t later;  // token of the batch to fetch meanwhile
};

// How many tokens later that is, for the heads of a token; 0: nothing is
// fetched.
template <class In>
int64_t TokensAhead(const RowsJob& job, int64_t heads) {
  const int64_t head_bytes =
      job.layout->head_dim * int64_t{sizeof(typename In::T)};
  if (job.in_slots == nullptr && job.out_slots == nullptr &&
      job.batch * job.tokens * job.heads <= kL2Bytes / head_bytes) {
    return 0;
  }
  const int64_t bytes = heads * head_bytes;
  return bytes >= kBytesAhead ? 1 : kBytesAhead / bytes;
}

// The tokens of a job that are read, written and fetched meanwhile.
struct TokenPlaces {
  TokenPlace from;
  TokenPlace to;
  TokenPlace later;
};

// False for a token that is skipped.
inline bool FindPlaces(const RowsJob& job, const TokenHeads& heads,
                       TokenPlaces* places) {
  places->from = {heads.batch, heads.token};
  places->to = places->from;
  places->later = {heads.batch, heads.later};
  if (job.in_slots == nullptr && job.out_slots == nullptr) return true;
  const int64_t index = heads.batch * job.tokens + heads.token;
  const int64_t later_index = heads.batch * job.tokens + heads.later;
  if (!FindToken(job.in_slots, *job.in, index, &places->from)) return false;
  if (job.in_place) {
    places->to = places->from;
  } else if (!FindToken(job.out_slots, *job.out, index, &places->to)) {
    return false;
  }
  if (!FindToken(job.in_slots, *job.in, later_index, &places->later)) {
    places->later = places->from;
  }
  return true;
}

// Finds the heads in the tensors; returns the number of spans, 0 for a token
// that is skipped.
inline int FindHeads(const RowsJob& job, const TokenHeads& heads,
                     HeadSpan* spans) {
  TokenPlaces places;
  if (!FindPlaces(job, heads, &places)) return 0;
  int found = 0;
  int64_t first = heads.first;
  int64_t left = heads.count;
  for (int i = 0; left > 0; ++i) {
    const HeadsView& in = job.in[i];
    const HeadsView& out = job.out[i];
    if (first >= in.heads) {
      first -= in.heads;
      continue;
    }
    const int64_t offset = Offset(in, places.from, first);
    HeadSpan& span = spans[found++];
    span.in = static_cast<const uint8_t*>(in.data) + offset;
    span.out = static_cast<uint8_t*>(out.data) +
               (job.in_place ? offset : Offset(out, places.to, first));
    // The stride of a single head may be any number.
    span.in_stride = in.heads > 1 ? in.head_stride : 0;
    span.out_stride = out.heads > 1 ? out.head_stride : 0;
    span.heads = std::min(in.heads - first, left);
    span.ahead = heads.later == heads.token
                     ? 0
                     : Offset(in, places.later, first) - offset;
    left -= span.heads;
    first = 0;
  }
  return found;
}

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
