// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What has to hold before the first write: types, layouts, strides, sizes and
// rows. Overlap is in overlap.h.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "ropewalk/angle_rows.h"
#include "ropewalk/export.h"
#include "ropewalk/status.h"
#include "ropewalk/types.h"

namespace ropewalk::internal {

// What the caller gave where a view is checked.
enum class TensorKind : uint8_t {
  kHeads,
  kCache,   // blocks are the batch, slots the tokens
  kHidden,  // one row a token: no batch, no heads
  kTable,   // as kHidden, whose tokens are the vocabulary
  kLogits,  // as kHidden
  kScores,  // queries are the tokens, keys the head_dim; no batch
};

// How a message calls a tensor: "in", or "in_place[2]" where index >= 0.
struct TensorName {
  const char* name;
  int index = -1;
  TensorKind kind = TensorKind::kHeads;
};

// A view, with all that the checks of views take.
struct NamedView {
  const HeadsView* view;
  int64_t head_dim;
  TensorName name;
};

// How the sizes and strides of a view are called.
struct FieldNames {
  const char* batch;
  const char* tokens;
  const char* batch_stride;
  const char* token_stride;
  const char* rows;  // of head_dim elements, which must not share any
};
FieldNames FieldsOf(TensorName name) noexcept;

// A TensorName as text, made where a message is.
class NameText {
 public:
  explicit NameText(TensorName name) {
    if (name.index < 0) {
      std::snprintf(text_, sizeof(text_), "%s", name.name);
    } else {
      std::snprintf(text_, sizeof(text_), "%s[%d]", name.name, name.index);
    }
  }
  const char* text() const { return text_; }

 private:
  char text_[48];
};

Status ValidateLayout(const RotaryLayout& layout) noexcept;

// The bytes from the first to past the last that a view addresses; none for a
// view without heads or tokens.
struct ByteRange {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  bool empty() const { return begin == end; }
};

// Whether a view is, at a glance, one that every check of a view passes: heads
// inside tokens inside the batch, forwards, of sizes and strides whose sums
// cannot overflow. Sets where it lies. Not on the usual path: anything else.
inline bool IsUsualView(const HeadsView& view, int head_dim,
                        ByteRange* range) noexcept {
  constexpr uint64_t kMaxSize = uint64_t{1} << 20;
  constexpr uint64_t kMaxStride = uint64_t{1} << 40;
  if (view.type > DataType::kF16 || view.data == nullptr) return false;
  const uint64_t element = static_cast<uint64_t>(ElementSize(view.type));
  const uint64_t heads = static_cast<uint64_t>(view.heads) - 1;
  const uint64_t tokens = static_cast<uint64_t>(view.tokens) - 1;
  const uint64_t batch = static_cast<uint64_t>(view.batch) - 1;
  const uint64_t head_stride = static_cast<uint64_t>(view.head_stride);
  const uint64_t token_stride = static_cast<uint64_t>(view.token_stride);
  const uint64_t batch_stride = static_cast<uint64_t>(view.batch_stride);
  // None is negative or too large, where all of them together are not.
  if ((heads | tokens | batch) >= kMaxSize ||
      (head_stride | token_stride | batch_stride) >= kMaxStride) {
    return false;
  }
  const uint64_t head_bytes = static_cast<uint64_t>(head_dim) * element;
  const uint64_t token_bytes = heads * head_stride + head_bytes;
  const uint64_t batch_bytes = tokens * token_stride + token_bytes;
  const uint64_t bytes = batch * batch_stride + batch_bytes;
  const uintptr_t begin = reinterpret_cast<uintptr_t>(view.data);
  *range = {begin, begin + bytes};
  return ((begin | head_stride | token_stride | batch_stride) &
          (element - 1)) == 0 &&
         (heads == 0 || head_stride >= head_bytes) &&
         (tokens == 0 || token_stride >= token_bytes) &&
         (batch == 0 || batch_stride >= batch_bytes) && range->end > begin;
}

// Whether every element of the view can be addressed, and where they lie. In
// and out of place are checked alike: a view that is only read is passed as one
// that could be written.
ROPEWALK_EXPORT Status ValidateView(const HeadsView& view, int64_t head_dim,
                                    TensorName name, ByteRange* range) noexcept;

// Whether the rows have the pairs that the layout asks for.
Status ValidatePairs(const AngleRows& rows,
                     const RotaryLayout& layout) noexcept;

// Whether the rows serve this view: their number, their heads, and pairs
// enough.
Status ValidateRows(const AngleRows& rows, const RotaryLayout& layout,
                    const HeadsView& view, TensorName name) noexcept;

// Whether ValidateRows passes, at a glance. Requires: ValidateLayout passed.
inline bool AreUsualRows(const AngleRows& rows, const RotaryLayout& layout,
                         const HeadsView& view) noexcept {
  return rows.rows() == view.tokens &&
         (layout.first_pair | (rows.heads() - 1)) == 0 &&
         rows.pairs() >= layout.rotary_dim / 2;
}

}  // namespace ropewalk::internal
