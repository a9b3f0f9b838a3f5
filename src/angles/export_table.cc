// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The classical cos/sin table of an AngleTable, in the host's layout.
#include <algorithm>

#include "angles/angle_table_impl.h"
#include "angles/resolve_options.h"
#include "angles/row_maker.h"
#include "angles/table_view.h"
#include "parallel/parallel_for.h"
#include "status/error.h"

namespace ropewalk {
namespace {

using internal::Error;

// Pairs that are made at a time, on the stack: a call allocates nothing.
constexpr int64_t kBlock = 256;

Status ValidateExport(int64_t first, int64_t count, int64_t pairs,
                      const ConstCosSinView& out) noexcept {
  if (count < 0) {
    return Error(StatusCode::kInvalidArgument,
                 "count = %lld: must not be negative",
                 static_cast<long long>(count));
  }
  if (count > 0 && first > INT64_MAX - (count - 1)) {
    return Error(StatusCode::kOutOfRange,
                 "first = %lld: %lld positions from there on pass 2^63 - 1",
                 static_cast<long long>(first), static_cast<long long>(count));
  }
  if (out.rows != count || out.pairs != pairs) {
    return Error(StatusCode::kInvalidArgument,
                 "out.rows = %lld, out.pairs = %d: must be %lld and %lld",
                 static_cast<long long>(out.rows), out.pairs,
                 static_cast<long long>(count), static_cast<long long>(pairs));
  }
  if (out.heads != 1) {
    return Error(StatusCode::kInvalidArgument,
                 "out.heads = %d: must be 1, all heads have the same angles",
                 out.heads);
  }
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateView(out));
  return internal::ValidateDistinct(out);
}

void ExportRow(const internal::RowMaker& maker, int64_t position, int64_t row,
               const ConstCosSinView& out) noexcept {
  float cos[kBlock];
  float sin[kBlock];
  for (int64_t first = 0; first < out.pairs; first += kBlock) {
    const int64_t count = std::min(kBlock, out.pairs - first);
    maker.Make(position, {first, count, cos, sin});
    internal::StoreElements(internal::CosArray(out), row, first, count, cos);
    internal::StoreElements(internal::SinArray(out), row, first, count, sin);
  }
}

}  // namespace

Status AngleTable::Export(int64_t first, int64_t count, const CosSinView& out,
                          Parallel parallel) const noexcept {
  const int64_t pairs =
      static_cast<int64_t>(impl_->frequencies.inv_freq.size());
  const double factor = impl_->frequencies.attention_factor;
  const ConstCosSinView view = out.AsConst(factor);
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateParallel(parallel));
  ROPEWALK_RETURN_IF_ERROR(ValidateExport(first, count, pairs, view));
  ROPEWALK_RETURN_IF_ERROR(
      internal::ValidateRounding("out.type", out.type, factor));
  if (pairs == 0) return Status();
  const internal::RowMaker maker(impl_->AsAsked());
  const int64_t grain = 1 + 16384 / (pairs + 1);
  internal::ParallelFor(parallel, count, grain,
                        [&](int64_t begin, int64_t end) {
                          for (int64_t row = begin; row < end; ++row) {
                            ExportRow(maker, first + row, row, view);
                          }
                        });
  return Status();
}

}  // namespace ropewalk
