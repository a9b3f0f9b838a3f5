// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "encodings/sinusoidal_rows.h"

#include <algorithm>

#include "simd/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/encodings/sinusoidal_rows.cc"
#include "hwy/foreach_target.h"

#include "hwy/highway.h"

#include "encodings/interleaved_row-inl.h"
#include "encodings/row-inl.h"
#include "rotate/prefetch.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

// 16-bit hidden states with more angles than this are fetched ahead: in 96 MiB
// of bf16 and angles, sin then cos went from 0.35 of the bound to 0.8 (AVX2 on
// an AVX-512 Xeon), while 3 MiB lost a sixth. float32 gained nothing.
constexpr int64_t kFetched = int64_t{8} << 20;

HWY_INLINE int64_t BytesOf(const SinusoidalJob& job) {
  return job.hidden.view.tokens *
         (job.hidden.RowBytes() + 4 * job.hidden.width);
}

// What the token some rows later will load.
HWY_INLINE void PrefetchToken(const SinusoidalJob& job, int64_t token) {
  const int64_t bytes = job.hidden.RowBytes();
  const int64_t later =
      std::min(token + kBytesAhead / bytes + 1, job.hidden.view.tokens - 1);
  const size_t angles = static_cast<size_t>(job.rows->pairs()) * sizeof(float);
  PrefetchBytes(job.hidden.Row<uint8_t>(later), static_cast<size_t>(bytes));
  PrefetchBytes(job.rows->sin(later), angles);
  PrefetchBytes(job.rows->cos(later), angles);
}

// Sines and cosines are finite: Fill makes no others, and Wrap takes none.
template <class Codec>
HWY_INLINE void AddSinusoid(const SinusoidalJob& job, int64_t token) {
  const auto pairs = static_cast<size_t>(job.rows->pairs());
  const float* const sin = job.rows->sin(token);
  const float* const cos = job.rows->cos(token);
  auto* const to = job.hidden.Row<typename Codec::T>(token);
  switch (job.order) {
    case SinusoidalOrder::kInterleaved:
      return AddInterleavedRow<Codec>(sin, cos, pairs, to);
    case SinusoidalOrder::kSinCos:
      AddRow<F32Codec, Codec, true>(sin, pairs, to);
      return AddRow<F32Codec, Codec, true>(cos, pairs, to + pairs);
    case SinusoidalOrder::kCosSin:
      AddRow<F32Codec, Codec, true>(cos, pairs, to);
      return AddRow<F32Codec, Codec, true>(sin, pairs, to + pairs);
  }
}

template <class Codec>
void AddSinusoids(const SinusoidalJob& job, int64_t begin, int64_t end) {
  const bool fetches =
      sizeof(typename Codec::T) == 2 && BytesOf(job) > kFetched;
  for (int64_t token = begin; token < end; ++token) {
    if (fetches) PrefetchToken(job, token);
    AddSinusoid<Codec>(job, token);
  }
}

void AddSinusoidsTo(const SinusoidalJob& job, int64_t begin, int64_t end) {
  switch (job.hidden.view.type) {
    case DataType::kF32:
      return AddSinusoids<F32Codec>(job, begin, end);
    case DataType::kBF16:
      return AddSinusoids<BF16Codec>(job, begin, end);
    case DataType::kF16:
      return AddSinusoids<F16Codec>(job, begin, end);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace ropewalk::internal {

HWY_EXPORT(AddSinusoidsTo);

void AddSinusoidalRows(const SinusoidalJob& job, int64_t begin,
                       int64_t end) noexcept {
  ROPEWALK_DISPATCH(AddSinusoidsTo)(job, begin, end);
}

}  // namespace ropewalk::internal

#endif  // HWY_ONCE
