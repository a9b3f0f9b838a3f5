// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>

#include "cache/cached_keys.h"
#include "ropewalk/kv_cache.h"
#include "status/error.h"

namespace ropewalk {
namespace internal {
namespace {

// Of the pairs that the window takes, which exist.
bool OnSeveralAxes(const std::vector<uint8_t>& axis,
                   const RotaryLayout& layout) {
  if (axis.empty()) return false;
  const auto first = axis.begin() + layout.first_pair;
  const auto last = first + layout.rotary_dim / 2;
  return std::adjacent_find(first, last, std::not_equal_to<uint8_t>()) != last;
}

}  // namespace
}  // namespace internal

Status CanShift(const AngleTable& table, const RotaryLayout& layout,
                const KvCacheView& k_cache,
                bool all_axes_move_together) noexcept {
  const Frequencies& frequencies = table.frequencies();
  internal::ByteRange range;
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateKeys(layout, k_cache, &range));
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateWindow(frequencies, layout));
  if (layout.rotary_dim == 0) return Status();  // such keys never turned
  if (frequencies.length_dependent) {
    return internal::Error(StatusCode::kUnsupported,
                           "frequencies: belong to one sequence length; "
                           "Rerotate takes keys to those of another");
  }
  if (!all_axes_move_together &&
      internal::OnSeveralAxes(frequencies.axis, layout)) {
    return internal::Error(StatusCode::kUnsupported,
                           "all_axes_move_together = false: the pairs follow "
                           "several position components, which one delta "
                           "cannot serve");
  }
  return Status();
}

}  // namespace ropewalk
