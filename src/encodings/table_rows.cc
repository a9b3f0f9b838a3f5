// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "encodings/table_rows.h"

#include "simd/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/encodings/table_rows.cc"
#include "hwy/foreach_target.h"

#include "hwy/highway.h"

#include "encodings/row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

template <class From, class To>
struct CopyOp {
  static HWY_INLINE void Run(const TableRowsJob& job, int64_t row,
                             int64_t token) {
    CopyRow<From, To>(job.table.Row<typename From::T>(row),
                      static_cast<size_t>(job.table.width), job.multiplier,
                      job.out.Row<typename To::T>(token));
  }
};

template <class From, class To>
struct AddOp {
  static HWY_INLINE void Run(const TableRowsJob& job, int64_t row,
                             int64_t token) {
    AddRow<From, To>(job.table.Row<typename From::T>(row),
                     static_cast<size_t>(job.table.width),
                     job.out.Row<typename To::T>(token));
  }
};

template <class Op>
void RunTokens(const TableRowsJob& job, int64_t begin, int64_t end) {
  for (int64_t token = begin; token < end; ++token) {
    Op::Run(job, job.choice(token), token);
  }
}

template <template <class, class> class Op, class From>
void RunFrom(const TableRowsJob& job, int64_t begin, int64_t end) {
  switch (job.out.view.type) {
    case DataType::kF32:
      return RunTokens<Op<From, F32Codec>>(job, begin, end);
    case DataType::kBF16:
      return RunTokens<Op<From, BF16Codec>>(job, begin, end);
    case DataType::kF16:
      return RunTokens<Op<From, F16Codec>>(job, begin, end);
  }
}

template <template <class, class> class Op>
void Run(const TableRowsJob& job, int64_t begin, int64_t end) {
  switch (job.table.view.type) {
    case DataType::kF32:
      return RunFrom<Op, F32Codec>(job, begin, end);
    case DataType::kBF16:
      return RunFrom<Op, BF16Codec>(job, begin, end);
    case DataType::kF16:
      return RunFrom<Op, F16Codec>(job, begin, end);
  }
}

void CopyRowsOfTable(const TableRowsJob& job, int64_t begin, int64_t end) {
  Run<CopyOp>(job, begin, end);
}

void AddRowsOfTable(const TableRowsJob& job, int64_t begin, int64_t end) {
  Run<AddOp>(job, begin, end);
}

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace ropewalk::internal {

HWY_EXPORT(CopyRowsOfTable);
HWY_EXPORT(AddRowsOfTable);

void CopyTableRows(const TableRowsJob& job, int64_t begin,
                   int64_t end) noexcept {
  ROPEWALK_DISPATCH(CopyRowsOfTable)(job, begin, end);
}

void AddTableRows(const TableRowsJob& job, int64_t begin,
                  int64_t end) noexcept {
  ROPEWALK_DISPATCH(AddRowsOfTable)(job, begin, end);
}

}  // namespace ropewalk::internal

#endif  // HWY_ONCE
