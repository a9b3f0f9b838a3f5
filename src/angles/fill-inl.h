// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The kernel behind FillFactored, once a target.
#if defined(ROPEWALK_ANGLES_FILL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_ANGLES_FILL_INL_H_
#undef ROPEWALK_ANGLES_FILL_INL_H_
#else
#define ROPEWALK_ANGLES_FILL_INL_H_
#endif

#include "angles/fill.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using FactorTag = hn::CappedTag<double, kFactorUnit>;
using FactorVec = hn::Vec<FactorTag>;

// (c, s) becomes its product with (fc, fs).
HWY_INLINE void MultiplyBy(FactorVec fc, FactorVec fs, FactorVec& c,
                           FactorVec& s) {
  const FactorVec product = hn::Sub(hn::Mul(c, fc), hn::Mul(s, fs));
  s = hn::Add(hn::Mul(c, fs), hn::Mul(s, fc));
  c = product;
}

// (c, s) becomes its product with the pair at `factor`.
HWY_INLINE void MultiplyPairs(FactorTag d, const double* HWY_RESTRICT factor,
                              int64_t sin_offset, FactorVec& c, FactorVec& s) {
  MultiplyBy(hn::LoadU(d, factor), hn::LoadU(d, factor + sin_offset), c, s);
}

// The product of a row's factors at the pairs from i on.
HWY_INLINE void LoadProduct(FactorTag d, const FactoredRow& row,
                            int64_t sin_offset, int64_t i, FactorVec& c,
                            FactorVec& s) {
  c = hn::LoadU(d, row.a + i);
  s = hn::LoadU(d, row.a + sin_offset + i);
  MultiplyPairs(d, row.b + i, sin_offset, c, s);
  if (row.c != nullptr) MultiplyPairs(d, row.c + i, sin_offset, c, s);
}

HWY_INLINE void FillDifferenceRow(const FactoredJob& job,
                                  const FactoredRow& row,
                                  const FactoredRow& back) {
  const FactorTag d;
  const hn::Rebind<float, FactorTag> df;
  const double factor = job.attention_factor;
  const FactorVec cos_factor = hn::Set(d, factor);
  const FactorVec sin_factor = hn::Set(d, row.negative ? -factor : factor);
  for (int64_t i = 0; i < job.pairs; i += static_cast<int64_t>(hn::Lanes(d))) {
    FactorVec c, s, back_c, back_s;
    LoadProduct(d, row, job.sin_offset, i, c, s);
    LoadProduct(d, back, job.sin_offset, i, back_c, back_s);
    const FactorVec cos = hn::Add(hn::Mul(c, back_c), hn::Mul(s, back_s));
    const FactorVec sin = hn::Sub(hn::Mul(s, back_c), hn::Mul(c, back_s));
    hn::StoreU(hn::DemoteTo(df, hn::Mul(cos, cos_factor)), df, row.cos + i);
    hn::StoreU(hn::DemoteTo(df, hn::Mul(sin, sin_factor)), df, row.sin + i);
  }
}

template <bool kThree>
HWY_INLINE void FillRow(const FactoredJob& job, const FactoredRow& row) {
  const FactorTag d;
  const hn::Rebind<float, FactorTag> df;
  const double factor = job.attention_factor;
  const FactorVec cos_factor = hn::Set(d, factor);
  const FactorVec sin_factor = hn::Set(d, row.negative ? -factor : factor);
  // The unit is a multiple of every lane count.
  for (int64_t i = 0; i < job.pairs; i += static_cast<int64_t>(hn::Lanes(d))) {
    FactorVec c = hn::LoadU(d, row.a + i);
    FactorVec s = hn::LoadU(d, row.a + job.sin_offset + i);
    MultiplyPairs(d, row.b + i, job.sin_offset, c, s);
    if (kThree) MultiplyPairs(d, row.c + i, job.sin_offset, c, s);
    hn::StoreU(hn::DemoteTo(df, hn::Mul(c, cos_factor)), df, row.cos + i);
    hn::StoreU(hn::DemoteTo(df, hn::Mul(s, sin_factor)), df, row.sin + i);
  }
}

// The pairs of row `axis` that take it.
HWY_INLINE hn::Mask<FactorTag> TakesAxis(FactorTag d, const FactoredJob& job,
                                         const FactorChoice& choice, int axis,
                                         int64_t i) {
  const hn::RebindToUnsigned<FactorTag> du;
  return hn::MaskFromVec(
      hn::BitCast(d, hn::LoadU(du, choice.masks + axis * job.sin_offset + i)));
}

// The product of each pair's own factors, for the pairs from i on.
template <bool kThree>
HWY_INLINE void LoadMixedProduct(FactorTag d, const FactoredJob& job,
                                 const FactorChoice& choice,
                                 const FactoredRow* rows, int64_t i,
                                 FactorVec& c, FactorVec& s) {
  const int64_t sin = job.sin_offset + i;
  c = hn::LoadU(d, rows[0].a + i);
  s = hn::LoadU(d, rows[0].a + sin);
  FactorVec b_cos = hn::LoadU(d, rows[0].b + i);
  FactorVec b_sin = hn::LoadU(d, rows[0].b + sin);
  FactorVec c_cos = kThree ? hn::LoadU(d, rows[0].c + i) : hn::Zero(d);
  FactorVec c_sin = kThree ? hn::LoadU(d, rows[0].c + sin) : hn::Zero(d);
  for (int axis = 1; axis < choice.axes; ++axis) {
    const FactoredRow& row = rows[axis];
    const auto takes = TakesAxis(d, job, choice, axis, i);
    c = hn::IfThenElse(takes, hn::LoadU(d, row.a + i), c);
    s = hn::IfThenElse(takes, hn::LoadU(d, row.a + sin), s);
    b_cos = hn::IfThenElse(takes, hn::LoadU(d, row.b + i), b_cos);
    b_sin = hn::IfThenElse(takes, hn::LoadU(d, row.b + sin), b_sin);
    if (!kThree) continue;
    c_cos = hn::IfThenElse(takes, hn::LoadU(d, row.c + i), c_cos);
    c_sin = hn::IfThenElse(takes, hn::LoadU(d, row.c + sin), c_sin);
  }
  MultiplyBy(b_cos, b_sin, c, s);
  if (kThree) MultiplyBy(c_cos, c_sin, c, s);
}

// The factor of sin, where rows differ in their signs.
HWY_INLINE FactorVec ChooseSigns(FactorTag d, const FactoredJob& job,
                                 const FactorChoice& choice,
                                 const FactoredRow* rows, int64_t i) {
  const FactorVec forward = hn::Set(d, job.attention_factor);
  const FactorVec back = hn::Set(d, -job.attention_factor);
  FactorVec factor = rows[0].negative ? back : forward;
  for (int axis = 1; axis < choice.axes; ++axis) {
    factor = hn::IfThenElse(TakesAxis(d, job, choice, axis, i),
                            rows[axis].negative ? back : forward, factor);
  }
  return factor;
}

// The operations of FillRow, in its order. Rows of two factors have one sign.
template <bool kThree>
HWY_INLINE void FillChosenRow(const FactoredJob& job,
                              const FactorChoice& choice,
                              const FactoredRow* rows) {
  const FactorTag d;
  const hn::Rebind<float, FactorTag> df;
  const double factor = job.attention_factor;
  const FactorVec cos_factor = hn::Set(d, factor);
  FactorVec sin_factor = hn::Set(d, rows[0].negative ? -factor : factor);
  for (int64_t i = 0; i < job.pairs; i += static_cast<int64_t>(hn::Lanes(d))) {
    const uint8_t axis = choice.unit_axis[i / kFactorUnit];
    FactorVec c, s;
    if (axis == kMixedUnit) {
      LoadMixedProduct<kThree>(d, job, choice, rows, i, c, s);
    } else {
      LoadProduct(d, rows[axis], job.sin_offset, i, c, s);
    }
    if (kThree) sin_factor = ChooseSigns(d, job, choice, rows, i);
    hn::StoreU(hn::DemoteTo(df, hn::Mul(c, cos_factor)), df, rows[0].cos + i);
    hn::StoreU(hn::DemoteTo(df, hn::Mul(s, sin_factor)), df, rows[0].sin + i);
  }
}

void FillChosenRows(const FactoredJob& job, const FactorChoice& choice) {
  for (int64_t r = 0; r < job.count; ++r) {
    const FactoredRow* const rows = job.rows + r * choice.axes;
    if (rows[0].c == nullptr) {
      FillChosenRow<false>(job, choice, rows);
    } else {
      FillChosenRow<true>(job, choice, rows);
    }
  }
}

void FillDifferenceRows(const FactoredJob& job, const FactoredRow* back) {
  for (int64_t r = 0; r < job.count; ++r) {
    FillDifferenceRow(job, job.rows[r], back[r]);
  }
}

void FillFactoredRows(const FactoredJob& job) {
  for (int64_t r = 0; r < job.count; ++r) {
    const FactoredRow& row = job.rows[r];
    if (row.c == nullptr) {
      FillRow<false>(job, row);
    } else {
      FillRow<true>(job, row);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // ROPEWALK_ANGLES_FILL_INL_H_
