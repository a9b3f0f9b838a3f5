// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "angles/fill.h"

#include "simd/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/angles/fill.cc"
#include "hwy/foreach_target.h"

#include "hwy/highway.h"

#include "angles/fill-inl.h"

#if HWY_ONCE

namespace ropewalk::internal {

HWY_EXPORT(FillFactoredRows);
HWY_EXPORT(FillChosenRows);
HWY_EXPORT(FillDifferenceRows);

void FillFactored(const FactoredJob& job) noexcept {
  ROPEWALK_DISPATCH(FillFactoredRows)(job);
}

void FillChosen(const FactoredJob& job, const FactorChoice& choice) noexcept {
  ROPEWALK_DISPATCH(FillChosenRows)(job, choice);
}

void FillDifferences(const FactoredJob& job, const FactoredRow* back) noexcept {
  ROPEWALK_DISPATCH(FillDifferenceRows)(job, back);
}

}  // namespace ropewalk::internal

#endif  // HWY_ONCE
