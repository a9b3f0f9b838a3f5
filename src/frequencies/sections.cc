// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "frequencies/sections.h"

#include <numeric>

#include "ropewalk/frequencies.h"

namespace ropewalk::internal {
namespace {

Status ValidatePairCount(int pairs) noexcept {
  if (pairs < 0) {
    return Error(StatusCode::kInvalidArgument,
                 "pairs = %d: must not be negative", pairs);
  }
  if (pairs > kMaxRotaryDim / 2) {
    return Error(StatusCode::kOutOfRange, "pairs = %d: must be at most %d",
                 pairs, kMaxRotaryDim / 2);
  }
  return Status();
}

Status ValidateCount(size_t count, int least, int most) noexcept {
  if (count > kMaxComponents) {
    return Error(StatusCode::kOutOfRange,
                 "sections has %zu entries: must have at most %d", count,
                 kMaxComponents);
  }
  const auto entries = static_cast<int>(count);
  if (entries >= least && entries <= most) return Status();
  if (least == most) {
    return Error(StatusCode::kInvalidArgument,
                 "sections has %d entries: must have %d", entries, least);
  }
  return Error(StatusCode::kInvalidArgument,
               "sections has %d entries: must have %d to %d", entries, least,
               most);
}

}  // namespace

Status ValidateSections(const std::vector<int>& sections, int pairs, int least,
                        int most) noexcept {
  ROPEWALK_RETURN_IF_ERROR(ValidatePairCount(pairs));
  ROPEWALK_RETURN_IF_ERROR(ValidateCount(sections.size(), least, most));
  for (size_t i = 0; i < sections.size(); ++i) {
    if (sections[i] >= 0) continue;
    return Error(StatusCode::kInvalidArgument,
                 "sections[%zu] = %d: must not be negative", i, sections[i]);
  }
  return Status();
}

int64_t SumOf(const std::vector<int>& sections) noexcept {
  return std::accumulate(sections.begin(), sections.end(), int64_t{0});
}

Status ValidateSum(const std::vector<int>& sections, int pairs) noexcept {
  const int64_t sum = SumOf(sections);
  if (sum == pairs) return Status();
  return Error(StatusCode::kInvalidArgument,
               "sum of sections = %lld: must be pairs = %d",
               static_cast<long long>(sum), pairs);
}

Status ValidateWrap(const std::vector<int>& sections, int pairs) noexcept {
  if (pairs == 0 || SumOf(sections) > 0) return Status();
  return Error(StatusCode::kInvalidArgument,
               "sum of sections = 0: must be positive for pairs = %d", pairs);
}

Status AxesOutOfMemory(int pairs) noexcept {
  return Error(StatusCode::kOutOfMemory, "axes of pairs = %d: out of memory",
               pairs);
}

}  // namespace ropewalk::internal
