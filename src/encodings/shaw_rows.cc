// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "encodings/shaw_rows.h"

#include "simd/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/encodings/shaw_rows.cc"
#include "hwy/foreach_target.h"

#include "hwy/highway.h"

#include "encodings/shaw_scores-inl.h"
#include "encodings/shaw_values-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

void AddShawScoresOfTarget(const ShawJob& job, int64_t begin, int64_t end) {
  switch (job.table.view.type) {
    case DataType::kF32:
      return AddShawScoresFrom<F32Codec>(job, begin, end);
    case DataType::kBF16:
      return AddShawScoresFrom<BF16Codec>(job, begin, end);
    case DataType::kF16:
      return AddShawScoresFrom<F16Codec>(job, begin, end);
  }
}

void AddShawValuesOfTarget(const ShawJob& job, int64_t begin, int64_t end) {
  switch (job.table.view.type) {
    case DataType::kF32:
      return AddShawValuesFrom<F32Codec>(job, begin, end);
    case DataType::kBF16:
      return AddShawValuesFrom<BF16Codec>(job, begin, end);
    case DataType::kF16:
      return AddShawValuesFrom<F16Codec>(job, begin, end);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace ropewalk::internal {

HWY_EXPORT(AddShawScoresOfTarget);
HWY_EXPORT(AddShawValuesOfTarget);

void AddShawScoreRows(const ShawJob& job, int64_t begin, int64_t end) noexcept {
  ROPEWALK_DISPATCH(AddShawScoresOfTarget)(job, begin, end);
}

void AddShawValueRows(const ShawJob& job, int64_t begin, int64_t end) noexcept {
  ROPEWALK_DISPATCH(AddShawValuesOfTarget)(job, begin, end);
}

}  // namespace ropewalk::internal

#endif  // HWY_ONCE
