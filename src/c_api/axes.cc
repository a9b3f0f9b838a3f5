// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/axes.h"

#include <algorithm>
#include <vector>

#include "c_api/call.h"
#include "c_api/read_sections.h"
#include "ropewalk/c/frequencies.h"

namespace ropewalk::internal {
namespace {

Result<std::vector<uint8_t>> Axes(int32_t rule,
                                  const std::vector<int>& sections, int pairs) {
  switch (rule) {
    case ROPEWALK_CONTIGUOUS_AXES:
      return ContiguousAxes(sections, pairs);
    case ROPEWALK_INTERLEAVED_AXES:
      return InterleavedAxes(sections, pairs);
    case ROPEWALK_GGML_MROPE_AXES:
      return GgmlAxes(sections, pairs);
    case ROPEWALK_GGML_IMROPE_AXES:
      return InterleavedAxes(sections, pairs, 3);
    case ROPEWALK_BALANCED_AXES:
      return BalancedAxes(sections, pairs);
    case ROPEWALK_ERNIE_AXES:
      return ErnieAxes(sections, pairs);
    default:
      return Error(StatusCode::kInvalidArgument, "rule = %d: no such value",
                   static_cast<int>(rule));
  }
}

}  // namespace

Result<std::vector<int>> ReadSections(const int32_t* sections, int32_t count) {
  // As axes.h: no rule has more sections than components can be told apart.
  constexpr int32_t kMostSections = 256;
  if (count < 0 || (count > 0) != (sections != nullptr)) {
    return Error(
        StatusCode::kInvalidArgument,
        "sections = %p with %d entries: must be a list, or null with none",
        static_cast<const void*>(sections), static_cast<int>(count));
  }
  if (count > kMostSections) {
    return Error(StatusCode::kOutOfRange,
                 "sections has %d entries: must have at most %d",
                 static_cast<int>(count), static_cast<int>(kMostSections));
  }
  return std::vector<int>(sections, sections + count);
}

}  // namespace ropewalk::internal

namespace rw = ropewalk;
namespace internal = ropewalk::internal;

ropewalk_status ropewalk_write_axes(int32_t rule, const int32_t* sections,
                                    int32_t section_count, uint8_t* axis,
                                    int32_t pairs, ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    const auto list = internal::ReadSections(sections, section_count);
    ROPEWALK_RETURN_IF_ERROR(list.status());
    const auto axes = internal::Axes(rule, list.value(), pairs);
    ROPEWALK_RETURN_IF_ERROR(axes.status());
    if (!axes.value().empty()) {
      ROPEWALK_RETURN_IF_ERROR(internal::NotNull("axis", axis));
      std::copy(axes.value().begin(), axes.value().end(), axis);
    }
    return rw::Status();
  });
}
