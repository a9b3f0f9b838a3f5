// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "rotate/overlap.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "status/error.h"

namespace ropewalk::internal {
namespace {

// The dims of a view by ascending stride, those of one step left out, and where
// the view begins and ends in memory.
struct Footprint {
  struct Dim {
    int64_t size;
    uint64_t stride;  // > 0
    const char* name;
  };
  Dim dims[3];
  int count = 0;
  int64_t head_bytes;
  uintptr_t begin;

  // Bytes from the first to past the last of the innermost `levels` dims.
  // Less than 2^64: the view lies in the address space.
  uint64_t Extent(int levels) const {
    uint64_t extent = static_cast<uint64_t>(head_bytes);
    for (int i = 0; i < levels; ++i) {
      extent += static_cast<uint64_t>(dims[i].size - 1) * dims[i].stride;
    }
    return extent;
  }
  // The greatest distance that divides the strides of the other dims; 0 where
  // there are none.
  uint64_t Period(int levels) const {
    uint64_t period = 0;
    for (int i = levels; i < count; ++i) {
      period = std::gcd(period, dims[i].stride);
    }
    return period;
  }
};

Footprint FootprintOf(const NamedView& named) {
  const HeadsView& view = *named.view;
  const FieldNames fields = FieldsOf(named.name);
  Footprint footprint;
  footprint.head_bytes = named.head_dim * ElementSize(view.type);
  footprint.begin = reinterpret_cast<uintptr_t>(view.data);
  const int64_t sizes[] = {view.heads, view.tokens, view.batch};
  const int64_t strides[] = {view.head_stride, view.token_stride,
                             view.batch_stride};
  const char* const names[] = {"head_stride", fields.token_stride,
                               fields.batch_stride};
  for (int i = 0; i < 3; ++i) {
    if (sizes[i] == 1 || strides[i] == 0) continue;
    // Unsigned: a stride may be of any size and sign.
    uint64_t stride = static_cast<uint64_t>(strides[i]);
    if (strides[i] < 0) {
      footprint.begin += static_cast<uint64_t>(sizes[i] - 1) * stride;
      stride = uint64_t{0} - stride;
    }
    const Footprint::Dim dim = {sizes[i], stride, names[i]};
    int at = footprint.count++;
    for (; at > 0 && footprint.dims[at - 1].stride > dim.stride; --at) {
      footprint.dims[at] = footprint.dims[at - 1];
    }
    footprint.dims[at] = dim;
  }
  return footprint;
}

// Whether a and b are apart when their innermost dims are taken as solid
// blocks and the others as steps of a common period.
bool DisjointAt(const Footprint& a, int a_levels, const Footprint& b,
                int b_levels) {
  const uint64_t a_extent = a.Extent(a_levels);
  const uint64_t b_extent = b.Extent(b_levels);
  const uint64_t period = std::gcd(a.Period(a_levels), b.Period(b_levels));
  if (period == 0) {
    return a.begin < b.begin ? b.begin - a.begin >= a_extent
                             : a.begin - b.begin >= b_extent;
  }
  // From a block of a up to the next one of b; what is left of the period
  // leads from there to the next of a.
  const uint64_t distance =
      a.begin < b.begin ? (b.begin - a.begin) % period
                        : (period - (a.begin - b.begin) % period) % period;
  return distance >= a_extent && period - distance >= b_extent;
}

// Leaves out outermost steps that both take alike, where what is inside fits
// into one step of both: then only blocks of the same step can meet.
void DropOuterSteps(Footprint* a, Footprint* b) {
  while (a->count > 0 && b->count > 0) {
    const uint64_t stride = a->dims[a->count - 1].stride;
    if (b->dims[b->count - 1].stride != stride) return;
    const uintptr_t begin = std::min(a->begin, b->begin);
    const uintptr_t end = std::max(a->begin + a->Extent(a->count - 1),
                                   b->begin + b->Extent(b->count - 1));
    if (end - begin > stride) return;
    --a->count;
    --b->count;
  }
}

}  // namespace

Status ValidateDistinctHeads(const NamedView& named) noexcept {
  const HeadsView& view = *named.view;
  const int64_t sizes[] = {view.heads, view.tokens, view.batch};
  const int64_t strides[] = {view.head_stride, view.token_stride,
                             view.batch_stride};
  const FieldNames names = FieldsOf(named.name);
  const char* const fields[] = {"head_stride", names.token_stride,
                                names.batch_stride};
  for (int i = 0; i < 3; ++i) {
    if (sizes[i] > 1 && strides[i] == 0) {
      return Error(StatusCode::kInvalidArgument,
                   "%s.%s = 0: the %s must not share elements",
                   NameText(named.name).text(), fields[i], names.rows);
    }
  }
  const Footprint footprint = FootprintOf(named);
  for (int i = 0; i < footprint.count; ++i) {
    const Footprint::Dim& dim = footprint.dims[i];
    if (dim.stride < footprint.Extent(i)) {
      return Error(StatusCode::kInvalidArgument,
                   "%s.%s = %llu or its negative: the %s must not share "
                   "elements, %llu bytes lie within one step",
                   NameText(named.name).text(), dim.name,
                   static_cast<unsigned long long>(dim.stride), names.rows,
                   static_cast<unsigned long long>(footprint.Extent(i)));
    }
  }
  return Status();
}

Status ValidateDisjoint(const NamedView& a, const NamedView& b) noexcept {
  Footprint a_print = FootprintOf(a);
  Footprint b_print = FootprintOf(b);
  DropOuterSteps(&a_print, &b_print);
  for (int i = a_print.count; i >= 0; --i) {
    for (int j = b_print.count; j >= 0; --j) {
      if (DisjointAt(a_print, i, b_print, j)) return Status();
    }
  }
  return Error(
      StatusCode::kInvalidArgument,
      "%s.data = %p, %s.data = %p: the tensors must not share elements",
      NameText(a.name).text(), a.view->data, NameText(b.name).text(),
      b.view->data);
}

Status ValidateApart(const ByteView& read, const NamedView& written) noexcept {
  if (read.elements == 0) return Status();
  return ValidateDisjoint(read.named(), written);
}

}  // namespace ropewalk::internal
