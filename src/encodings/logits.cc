// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "encodings/logits.h"

#include <algorithm>

#include "simd/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/encodings/logits.cc"
#include "hwy/foreach_target.h"

#include "hwy/highway.h"

#include "encodings/dot-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

// A group of rows meets every token while it is in the cache.
template <class A, class X>
void WriteLogitsOf(const LogitsJob& job, int64_t begin, int64_t end) {
  constexpr int64_t kGroup = static_cast<int64_t>(kDotRows);
  const auto width = static_cast<size_t>(job.table.width);
  for (int64_t first = begin; first < end; first += kGroup) {
    const int64_t last = std::min(first + kGroup, end) - 1;
    const typename A::T* rows[kDotRows];
    for (int64_t r = 0; r < kGroup; ++r) {
      rows[r] = job.table.Row<typename A::T>(std::min(first + r, last));
    }
    for (int64_t token = 0; token < job.hidden.view.tokens; ++token) {
      float dots[kDotRows];
      DotRows<A, X>(rows, job.hidden.Row<typename X::T>(token), width, dots);
      std::copy(dots, dots + (last - first + 1),
                job.logits.Row<float>(token) + first);
    }
  }
}

template <class A>
void WriteLogitsFrom(const LogitsJob& job, int64_t begin, int64_t end) {
  switch (job.hidden.view.type) {
    case DataType::kF32:
      return WriteLogitsOf<A, F32Codec>(job, begin, end);
    case DataType::kBF16:
      return WriteLogitsOf<A, BF16Codec>(job, begin, end);
    case DataType::kF16:
      return WriteLogitsOf<A, F16Codec>(job, begin, end);
  }
}

void WriteTableLogits(const LogitsJob& job, int64_t begin, int64_t end) {
  switch (job.table.view.type) {
    case DataType::kF32:
      return WriteLogitsFrom<F32Codec>(job, begin, end);
    case DataType::kBF16:
      return WriteLogitsFrom<BF16Codec>(job, begin, end);
    case DataType::kF16:
      return WriteLogitsFrom<F16Codec>(job, begin, end);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace ropewalk::internal {

HWY_EXPORT(WriteTableLogits);

void WriteLogits(const LogitsJob& job, int64_t begin, int64_t end) noexcept {
  ROPEWALK_DISPATCH(WriteTableLogits)(job, begin, end);
}

}  // namespace ropewalk::internal

#endif  // HWY_ONCE
