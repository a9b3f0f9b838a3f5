// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Rows with heads: the kernels know rows of one head, so a job becomes one for
// each head of its rows.
#include <algorithm>

#include "angles/angle_rows_writer.h"
#include "rotate/rows.h"

namespace ropewalk::internal {
namespace {

// Part `index` of `parts` equal parts of the heads.
HeadsView PartOf(const HeadsView& view, int64_t index, int64_t parts) noexcept {
  HeadsView part = view;
  part.heads = view.heads / parts;
  part.data =
      static_cast<uint8_t*>(view.data) + index * part.heads * view.head_stride;
  return part;
}

// Units [begin, end) of the job of one head of the rows.
void RotateByRowHead(const RowsJob& job, int head, int64_t begin, int64_t end) {
  const int64_t parts = job.rows->heads();
  const AngleRows rows = AngleRowsWriter::OfHead(*job.rows, head);
  HeadsView in[kMaxTensors], out[kMaxTensors];
  for (int i = 0; i < job.tensors; ++i) {
    in[i] = PartOf(job.in[i], head, parts);
    out[i] = PartOf(job.out[i], head, parts);
  }
  RowsJob part = job;
  part.rows = &rows;
  part.in = in;
  part.out = out;
  part.heads = job.heads / parts;
  RotateRows(part, begin, end);
}

// Where nothing turns, the rows serve no more than to count tokens, and the
// heads need not be a multiple of theirs.
void RotateByFirstHead(const RowsJob& job, int64_t begin, int64_t end) {
  const AngleRows rows = AngleRowsWriter::OfHead(*job.rows, 0);
  RowsJob whole = job;
  whole.rows = &rows;
  RotateRows(whole, begin, end);
}

}  // namespace

void RotateByRowHeads(const RowsJob& job, int64_t begin, int64_t end) {
  if (job.layout->rotary_dim == 0) return RotateByFirstHead(job, begin, end);
  const int64_t units = Units(job) / job.rows->heads();  // of each
  for (int64_t first = 0; first < end && units > 0; first += units) {
    const int64_t from = std::max(begin - first, int64_t{0});
    const int64_t to = std::min(end - first, units);
    if (from < to) {
      RotateByRowHead(job, static_cast<int>(first / units), from, to);
    }
  }
}

}  // namespace ropewalk::internal
