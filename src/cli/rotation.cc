// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/rotation.h"

#include <cstddef>

#include "bench/bound.h"

namespace ropewalk::cli {
namespace {

HeadsShape HeadsOf(const bench::Shape& shape) {
  HeadsShape heads;
  heads.layout.head_dim = shape.head_dim;
  heads.layout.rotary_dim = shape.rotary_dim;
  heads.layout.pairing = shape.pairing;
  heads.query_heads = shape.query_heads;
  heads.key_heads = shape.key_heads;
  return heads;
}

// What the copy of the bound reads, and what it writes.
int64_t CopyBytes(const bench::Shape& shape) {
  return shape.to_bf16 ? (shape.BytesRead() + shape.BytesWritten()) / 2 : 0;
}

}  // namespace

bool HasThreads() {
#if ROPEWALK_HAVE_TBB
  return true;
#else
  return false;
#endif
}

Rotation::Rotation(const bench::Shape& shape, const AngleTable& table)
    : shape_(shape),
      step_(HeadsOf(shape), shape.tokens, shape.type),
      out_(HeadsOf(shape), shape.to_bf16 ? shape.tokens : 0, DataType::kBF16),
      views_{step_.Queries(), step_.Keys()},
      copy_(CopyBytes(shape)),
      status_(table.Fill(Positions::Consecutive(1, shape.tokens), &rows_)) {
  if (shape.threads > 1) options_.parallel = Parallel::Tbb();
}

void Rotation::Run() {
  if (shape_.to_bf16) {
    status_ = step_.RotateInto(rows_, &out_);
  } else {
    status_ = Rotate(rows_, step_.shape().layout, views_,
                     shape_.key_heads > 0 ? 2 : 1, options_);
  }
}

void Rotation::RunBound() {
  if (shape_.to_bf16) {
    bench::CopyBytes(copy_.data(), step_.data(),
                     static_cast<size_t>(CopyBytes(shape_)));
  } else {
    bench::XorByThreads(shape_.threads,
                        static_cast<unsigned char*>(step_.data()),
                        shape_.BytesRead());
  }
}

Result<bench::PairTiming> Rotation::Measure(
    const bench::TimingOptions& timing) {
  if (!status_.ok()) return status_;  // Of the rows, at first.
  bench::PairTiming time;
  bench::WithThreads(shape_.threads, [&] {
    time = bench::MeasurePair([&] { Run(); }, [&] { RunBound(); }, timing);
  });
  if (!status_.ok()) return status_;
  return time;
}

}  // namespace ropewalk::cli
