// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "rotate/validate.h"

#include "ropewalk/head_transform.h"
#include "rotate/rows.h"
#include "status/error.h"

namespace ropewalk::internal {
namespace {

Status Invalid(TensorName name, const char* field, int64_t value,
               const char* rule) {
  return Error(StatusCode::kInvalidArgument, "%s.%s = %lld: %s",
               NameText(name).text(), field, static_cast<long long>(value),
               rule);
}

Status InvalidLayout(const char* field, int value, const char* rule) {
  return Error(StatusCode::kInvalidArgument, "%s = %d: %s", field, value, rule);
}

// Both sides take the same dims, and a head waits in a buffer.
Status ValidateOutputPairing(const RotaryLayout& layout) {
  if (*layout.output_pairing > Pairing::kInterleaved) {
    return InvalidLayout("output_pairing",
                         static_cast<int>(*layout.output_pairing),
                         "must be kHalf or kInterleaved");
  }
  if (!ChangesPairing(layout)) return Status();
  if (layout.pair_distance != 0 &&
      layout.pair_distance != layout.rotary_dim / 2) {
    return InvalidLayout("pair_distance", layout.pair_distance,
                         "must be 0 or rotary_dim / 2 with another "
                         "output_pairing, which takes the same dims");
  }
  if (layout.rotary_dim > kMaxTransformDim) {
    return Error(StatusCode::kUnsupported,
                 "rotary_dim = %d: must be at most %d with another "
                 "output_pairing",
                 layout.rotary_dim, kMaxTransformDim);
  }
  return Status();
}

// Whether any side of the layout is half pairing.
bool HasHalf(const RotaryLayout& layout) {
  return layout.pairing == Pairing::kHalf ||
         layout.output_pairing == Pairing::kHalf;
}

// False where the bytes do not lie in the address space.
bool Reach(const HeadsView& view, int64_t head_dim, ByteRange* range) {
  int64_t low = 0;
  int64_t high;
  if (__builtin_mul_overflow(head_dim, ElementSize(view.type), &high)) {
    return false;
  }
  const int64_t sizes[] = {view.batch, view.tokens, view.heads};
  const int64_t strides[] = {view.batch_stride, view.token_stride,
                             view.head_stride};
  for (int i = 0; i < 3; ++i) {
    int64_t reach;
    if (__builtin_mul_overflow(sizes[i] - 1, strides[i], &reach)) return false;
    int64_t* end = reach < 0 ? &low : &high;
    if (__builtin_add_overflow(*end, reach, end)) return false;
  }
  const auto address = reinterpret_cast<uintptr_t>(view.data);
  range->begin = address + static_cast<uintptr_t>(low);
  range->end = address + static_cast<uintptr_t>(high);
  return range->begin <= address && range->end > address;
}

Status ValidateSizes(const HeadsView& view, TensorName name) {
  if (view.type > DataType::kF16) {
    return Invalid(name, "type", static_cast<int>(view.type),
                   "must be kF32, kBF16 or kF16");
  }
  if ((view.batch | view.tokens | view.heads) >= 0) return Status();
  const char* const kRule = "must not be negative";
  const FieldNames fields = FieldsOf(name);
  if (view.batch < 0) return Invalid(name, fields.batch, view.batch, kRule);
  if (view.tokens < 0) return Invalid(name, fields.tokens, view.tokens, kRule);
  return Invalid(name, "heads", view.heads, kRule);
}

Status ValidateStrides(const HeadsView& view, TensorName name) {
  // The element size is a power of two; no division on the path of a decode.
  const int64_t mask = ElementSize(view.type) - 1;
  const auto address = reinterpret_cast<uintptr_t>(view.data);
  const int64_t all = view.batch_stride | view.token_stride | view.head_stride |
                      static_cast<int64_t>(address);
  if ((all & mask) == 0) return Status();
  const char* const rule = mask == 3
                               ? "must be a multiple of the element size 4"
                               : "must be a multiple of the element size 2";
  const FieldNames fields = FieldsOf(name);
  if (view.batch_stride & mask) {
    return Invalid(name, fields.batch_stride, view.batch_stride, rule);
  }
  if (view.token_stride & mask) {
    return Invalid(name, fields.token_stride, view.token_stride, rule);
  }
  if (view.head_stride & mask) {
    return Invalid(name, "head_stride", view.head_stride, rule);
  }
  return Error(StatusCode::kInvalidArgument, "%s.data = %p: %s",
               NameText(name).text(), view.data, rule);
}

// Whether a message speaks of the batch and of heads.
bool HasHeads(TensorName name) {
  return name.kind == TensorKind::kHeads || name.kind == TensorKind::kCache;
}

Status NullError(const HeadsView& view, TensorName name) {
  const NameText text(name);
  if (HasHeads(name)) {
    return Error(StatusCode::kInvalidArgument,
                 "%s.data = null: must point to %lld tokens of %lld heads",
                 text.text(), static_cast<long long>(view.tokens),
                 static_cast<long long>(view.heads));
  }
  return Error(StatusCode::kInvalidArgument,
               "%s.data = null: must point to %lld %s", text.text(),
               static_cast<long long>(view.tokens), FieldsOf(name).rows);
}

Status UnreachableError(const HeadsView& view, int64_t head_dim,
                        TensorName name) {
  const FieldNames fields = FieldsOf(name);
  const NameText text(name);
  if (HasHeads(name)) {
    return Error(StatusCode::kOutOfRange,
                 "%s of %s = %lld, %s = %lld, heads = %lld with strides of "
                 "%lld, %lld, %lld: must lie in the address space",
                 text.text(), fields.batch, static_cast<long long>(view.batch),
                 fields.tokens, static_cast<long long>(view.tokens),
                 static_cast<long long>(view.heads),
                 static_cast<long long>(view.batch_stride),
                 static_cast<long long>(view.token_stride),
                 static_cast<long long>(view.head_stride));
  }
  return Error(StatusCode::kOutOfRange,
               "%s of %s = %lld rows of %lld elements, %s = %lld, head_stride "
               "= %lld: must lie in the address space",
               text.text(), fields.tokens, static_cast<long long>(view.tokens),
               static_cast<long long>(head_dim), fields.token_stride,
               static_cast<long long>(view.token_stride),
               static_cast<long long>(view.head_stride));
}

}  // namespace

FieldNames FieldsOf(TensorName name) noexcept {
  switch (name.kind) {
    case TensorKind::kHeads:
      break;
    case TensorKind::kCache:
      return {"blocks", "block_size", "block_stride", "slot_stride", "heads"};
    case TensorKind::kHidden:
      return {"batch", "tokens", "batch_stride", "token_stride", "tokens"};
    case TensorKind::kTable:
      return {"batch", "vocabulary", "batch_stride", "row_stride", "rows"};
    case TensorKind::kLogits:
      return {"batch", "tokens", "batch_stride", "stride", "tokens"};
    case TensorKind::kScores:
      return {"batch", "queries", "batch_stride", "query_stride", "queries"};
  }
  return {"batch", "tokens", "batch_stride", "token_stride", "heads"};
}

Status ValidateLayout(const RotaryLayout& layout) noexcept {
  const int pairs = layout.rotary_dim / 2;
  if (layout.head_dim <= 0) {
    return InvalidLayout("head_dim", layout.head_dim, "must be positive");
  }
  if (layout.rotary_dim < 0 || layout.rotary_dim % 2 != 0) {
    return InvalidLayout("rotary_dim", layout.rotary_dim,
                         "must be even and not negative");
  }
  if (layout.pairing > Pairing::kInterleaved) {
    return InvalidLayout("pairing", static_cast<int>(layout.pairing),
                         "must be kHalf or kInterleaved");
  }
  if (layout.rotary_offset < 0) {
    return InvalidLayout("rotary_offset", layout.rotary_offset,
                         "must not be negative");
  }
  if (layout.first_pair < 0) {
    return InvalidLayout("first_pair", layout.first_pair,
                         "must not be negative");
  }
  if (layout.output_pairing.has_value()) {
    ROPEWALK_RETURN_IF_ERROR(ValidateOutputPairing(layout));
  }
  int64_t window = layout.rotary_dim;
  if (layout.pair_distance != 0) {
    if (!HasHalf(layout)) {
      return InvalidLayout("pair_distance", layout.pair_distance,
                           "is for half pairing only");
    }
    if (layout.pair_distance < pairs) {
      return InvalidLayout("pair_distance", layout.pair_distance,
                           "must be at least rotary_dim / 2");
    }
    if (pairs > 0) window = int64_t{layout.pair_distance} + pairs;
  }
  if (layout.rotary_offset + window > layout.head_dim) {
    return Error(StatusCode::kInvalidArgument,
                 "rotary_offset = %d, rotary_dim = %d, pair_distance = %d: the "
                 "window must lie inside head_dim = %d",
                 layout.rotary_offset, layout.rotary_dim, layout.pair_distance,
                 layout.head_dim);
  }
  return Status();
}

Status ValidateView(const HeadsView& view, int64_t head_dim, TensorName name,
                    ByteRange* range) noexcept {
  *range = ByteRange();
  ROPEWALK_RETURN_IF_ERROR(ValidateSizes(view, name));
  if (view.batch == 0 || view.tokens == 0 || view.heads == 0) return Status();
  if (view.data == nullptr) {
    return NullError(view, name);
  }
  ROPEWALK_RETURN_IF_ERROR(ValidateStrides(view, name));
  int64_t count;
  if (__builtin_mul_overflow(view.batch, view.tokens, &count) ||
      __builtin_mul_overflow(count, view.heads, &count) ||
      !Reach(view, head_dim, range)) {
    return UnreachableError(view, head_dim, name);
  }
  return Status();
}

Status ValidateRows(const AngleRows& rows, const RotaryLayout& layout,
                    const HeadsView& view, TensorName name) noexcept {
  const int64_t per_batch = view.batch * view.tokens;
  if (rows.rows() != view.tokens && rows.rows() != per_batch) {
    return Error(StatusCode::kInvalidArgument,
                 "rows = %lld: must be tokens = %lld or batch * tokens = %lld "
                 "of %s",
                 static_cast<long long>(rows.rows()),
                 static_cast<long long>(view.tokens),
                 static_cast<long long>(per_batch), NameText(name).text());
  }
  if (layout.rotary_dim != 0 && view.heads % rows.heads() != 0) {
    return Error(StatusCode::kInvalidArgument,
                 "%s.heads = %lld: must be a multiple of the rows' heads, %d",
                 NameText(name).text(), static_cast<long long>(view.heads),
                 rows.heads());
  }
  return ValidatePairs(rows, layout);
}

Status ValidatePairs(const AngleRows& rows,
                     const RotaryLayout& layout) noexcept {
  const int64_t pairs = int64_t{layout.first_pair} + layout.rotary_dim / 2;
  if (rows.pairs() < pairs) {
    return Error(StatusCode::kInvalidArgument,
                 "first_pair = %d, rotary_dim = %d: the rows have %d pairs, "
                 "%lld are needed",
                 layout.first_pair, layout.rotary_dim, rows.pairs(),
                 static_cast<long long>(pairs));
  }
  return Status();
}

}  // namespace ropewalk::internal
