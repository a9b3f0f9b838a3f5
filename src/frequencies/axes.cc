// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/axes.h"

#include "frequencies/sections.h"

namespace ropewalk {
namespace internal {
namespace {

// HF and vLLM take what is left over as temporal, ggml as its fourth stream.
constexpr int kTemporal = 0;
constexpr int kHeight = 1;
constexpr int kWidth = 2;
constexpr int kFourthStream = 3;

Status ValidateInterleaved(const std::vector<int>& sections, int pairs,
                           int fallback_axis) noexcept {
  ROPEWALK_RETURN_IF_ERROR(ValidateSections(sections, pairs, 3, 4));
  if (fallback_axis == kFourthStream) return ValidateWrap(sections, pairs);
  if (fallback_axis != kTemporal) {
    return Error(StatusCode::kInvalidArgument,
                 "fallback_axis = %d: must be 0, as HF and vLLM have it, or 3, "
                 "as ggml",
                 fallback_axis);
  }
  if (sections.size() == 4 && sections[3] != 0) {
    return Error(StatusCode::kInvalidArgument,
                 "sections[3] = %d: must be 0, as no pair follows a fourth "
                 "stream unless fallback_axis is 3",
                 sections[3]);
  }
  return ValidateSum(sections, pairs);
}

// The section in which pair i lies; their sum must be above i.
int SectionOf(const std::vector<int>& sections, int64_t i) noexcept {
  size_t section = 0;
  for (; i >= sections[section]; ++section) i -= sections[section];
  return static_cast<int>(section);
}

}  // namespace
}  // namespace internal

Result<std::vector<uint8_t>> ContiguousAxes(const std::vector<int>& sections,
                                            int pairs) noexcept {
  ROPEWALK_RETURN_IF_ERROR(
      internal::ValidateSections(sections, pairs, 0, internal::kMaxComponents));
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateSum(sections, pairs));
  return internal::MakeAxes(
      pairs, [&](int i) { return internal::SectionOf(sections, i); });
}

Result<std::vector<uint8_t>> GgmlAxes(const std::vector<int>& sections,
                                      int pairs) noexcept {
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateSections(sections, pairs, 0, 4));
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateWrap(sections, pairs));
  const int64_t sum = internal::SumOf(sections);
  return internal::MakeAxes(
      pairs, [&](int i) { return internal::SectionOf(sections, i % sum); });
}

Result<std::vector<uint8_t>> InterleavedAxes(const std::vector<int>& sections,
                                             int pairs,
                                             int fallback_axis) noexcept {
  ROPEWALK_RETURN_IF_ERROR(
      internal::ValidateInterleaved(sections, pairs, fallback_axis));
  const int64_t sum = internal::SumOf(sections);
  return internal::MakeAxes(pairs, [&](int pair) {
    const int64_t i = pair % sum;
    const auto axis = static_cast<int>(i % 3);
    const int64_t section = sections[static_cast<size_t>(axis)];
    return i < 3 * section ? axis : fallback_axis;
  });
}

Result<std::vector<uint8_t>> ErnieAxes(const std::vector<int>& sections,
                                       int pairs) noexcept {
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateSections(sections, pairs, 3, 3));
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateSum(sections, pairs));
  if (sections[0] != sections[1]) {
    return internal::Error(StatusCode::kInvalidArgument,
                           "sections[1] = %d: must be sections[0] = %d, as "
                           "height and width take turns",
                           sections[1], sections[0]);
  }
  const int alternating = 2 * sections[0];
  return internal::MakeAxes(pairs, [&](int i) {
    if (i >= alternating) return internal::kTemporal;
    return i % 2 == 0 ? internal::kHeight : internal::kWidth;
  });
}

}  // namespace ropewalk
