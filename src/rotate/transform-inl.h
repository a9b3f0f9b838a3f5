// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Norm and scale of heads, on their way into float32 buffers.
#if defined(ROPEWALK_SRC_ROTATE_TRANSFORM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SRC_ROTATE_TRANSFORM_INL_H_
#undef ROPEWALK_SRC_ROTATE_TRANSFORM_INL_H_
#else
#define ROPEWALK_SRC_ROTATE_TRANSFORM_INL_H_
#endif

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "hwy/highway.h"

#include "ropewalk/head_transform.h"
#include "rotate/heads_run.h"
#include "rotate/prefetch.h"
#include "simd/codec-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// So many partial sums on every target, so that all targets add in one order.
constexpr size_t kPartialSums = 16;

// There is one token scale a row.
inline float TokenScale(const HeadTransform& transform, int64_t row) {
  return transform.token_scale == nullptr
             ? transform.scale
             : transform.scale * transform.token_scale[row];
}

// Calls op with a tag and an index for each vector of n elements, whole ones
// first.
template <class Op>
HWY_INLINE void ForVectors(size_t n, const Op& op) {
  const hn::ScalableTag<float> d;
  const size_t N = hn::Lanes(d);
  size_t i = 0;
  for (; i + 2 * N <= n; i += 2 * N) {
    op(d, i);
    op(d, i + N);
  }
  for (; i + N <= n; i += N) op(d, i);
  const hn::CappedTag<float, 1> d1;
  for (; i < n; ++i) op(d1, i);
}

struct AddValue {
  template <class D, class V = hn::Vec<D>>
  HWY_INLINE V operator()(D, V x, V sum) const {
    return hn::Add(x, sum);
  }
};

struct AddSquare {
  template <class D, class V = hn::Vec<D>>
  HWY_INLINE V operator()(D, V x, V sum) const {
    return hn::MulAdd(x, x, sum);
  }
};

struct AddSquareOfDifference {
  template <class D, class V = hn::Vec<D>>
  HWY_INLINE V operator()(D d, V x, V sum) const {
    const V difference = hn::Sub(x, hn::Set(d, mean));
    return hn::MulAdd(difference, difference, sum);
  }

  float mean;
};

// Adds the second kHalf sums to the first, and so on to the last one.
template <size_t kHalf>
HWY_INLINE void AddHalves(float* sums) {
  const hn::CappedTag<float, kHalf> d;
  for (size_t i = 0; i < kHalf; i += hn::Lanes(d)) {
    hn::StoreU(hn::Add(hn::LoadU(d, sums + i), hn::LoadU(d, sums + i + kHalf)),
               d, sums + i);
  }
  if constexpr (kHalf > 1) AddHalves<kHalf / 2>(sums);
}

template <class Add>
HWY_INLINE float Sum(const float* x, size_t n, const Add& add) {
  const hn::CappedTag<float, kPartialSums> d;
  const hn::CappedTag<float, 1> d1;
  const size_t N = hn::Lanes(d);
  HWY_ALIGN float sums[kPartialSums] = {};
  const size_t whole = n - n % kPartialSums;
  for (size_t lane = 0; lane < kPartialSums; lane += N) {
    auto sum = hn::Zero(d);
    for (size_t i = lane; i < whole; i += kPartialSums) {
      sum = add(d, hn::LoadU(d, x + i), sum);
    }
    hn::StoreU(sum, d, sums + lane);
  }
  for (size_t i = whole; i < n; ++i) {
    float* sum = sums + i % kPartialSums;
    hn::StoreU(add(d1, hn::LoadU(d1, x + i), hn::LoadU(d1, sum)), d1, sum);
  }
  AddHalves<kPartialSums / 2>(sums);
  return sums[0];
}

struct NormFactors {
  float mean;
  float inverse;
};

HWY_INLINE NormFactors FindFactors(const HeadNorm& norm, double inverse_size,
                                   const float* x) {
  const size_t n = static_cast<size_t>(norm.size);
  float mean = 0.0f;
  float sum;
  if (norm.kind == HeadNorm::Kind::kLayer) {
    mean = static_cast<float>(static_cast<double>(Sum(x, n, AddValue())) *
                              inverse_size);
    sum = Sum(x, n, AddSquareOfDifference{mean});
  } else {
    sum = Sum(x, n, AddSquare());
  }
  const double square = static_cast<double>(sum) * inverse_size +
                        static_cast<double>(norm.epsilon);
  return {mean, static_cast<float>(1.0 / std::sqrt(square))};
}

// (x - mean) * inverse * weight + bias, times the scale.
template <class Weight>
HWY_INLINE void ApplyNorm(const HeadNorm& norm, const NormFactors& factors,
                          float scale, const float* x, float* to) {
  const auto* weight = static_cast<const typename Weight::T*>(norm.weight);
  const auto* bias = static_cast<const typename Weight::T*>(norm.bias);
  const float plus = norm.one_plus_weight ? 1.0f : 0.0f;
  ForVectors(static_cast<size_t>(norm.size), [&](auto d, size_t i) HWY_ATTR {
    auto y = hn::Mul(hn::Sub(hn::LoadU(d, x + i), hn::Set(d, factors.mean)),
                     hn::Set(d, factors.inverse));
    if (weight != nullptr) {
      y = hn::Mul(y, hn::Add(Weight::Load(d, weight + i), hn::Set(d, plus)));
    }
    if (bias != nullptr) y = hn::Add(y, Weight::Load(d, bias + i));
    hn::StoreU(hn::Mul(y, hn::Set(d, scale)), d, to + i);
  });
}

// The same for what most models have: an RMS norm, and weights in float32.
HWY_INLINE void ApplyPlainNorm(const HeadNorm& norm, float inverse,
                               const float* x, float* to) {
  const auto* weight = static_cast<const float*>(norm.weight);
  ForVectors(static_cast<size_t>(norm.size), [&](auto d, size_t i) HWY_ATTR {
    const auto y = hn::Mul(hn::LoadU(d, x + i), hn::Set(d, inverse));
    hn::StoreU(hn::Mul(y, hn::LoadU(d, weight + i)), d, to + i);
  });
}

inline bool IsPlain(const HeadNorm& norm, float scale) {
  return norm.kind == HeadNorm::Kind::kRms && norm.weight != nullptr &&
         norm.weight_type == DataType::kF32 && !norm.one_plus_weight &&
         scale == 1.0f;
}

HWY_INLINE void Norm(const HeadNorm& norm, const NormFactors& factors,
                     float scale, const float* x, float* to) {
  if (IsPlain(norm, scale)) {
    return ApplyPlainNorm(norm, factors.inverse, x, to);
  }
  switch (norm.weight_type) {
    case DataType::kF32:
      return ApplyNorm<F32Codec>(norm, factors, scale, x, to);
    case DataType::kBF16:
      return ApplyNorm<BF16Codec>(norm, factors, scale, x, to);
    case DataType::kF16:
      return ApplyNorm<F16Codec>(norm, factors, scale, x, to);
  }
}

HWY_INLINE void Scale(float scale, size_t n, const float* x, float* to) {
  if (scale == 1.0f && x == to) return;
  ForVectors(n, [&](auto d, size_t i) HWY_ATTR {
    hn::StoreU(hn::Mul(hn::LoadU(d, x + i), hn::Set(d, scale)), d, to + i);
  });
}

// The head as float32: where it is, or else in the buffer.
template <class In>
HWY_INLINE const float* AsFloats(const HeadSpan& heads, int64_t head,
                                 const float* buffer) {
  if constexpr (std::is_same_v<In, F32Codec>) {
    return reinterpret_cast<const float*>(heads.in + head * heads.in_stride);
  } else {
    return buffer;
  }
}

template <class In>
HWY_INLINE void LoadFloats(const HeadSpan& heads, size_t dims, float* buffer) {
  if constexpr (!std::is_same_v<In, F32Codec>) {
    for (int64_t head = 0; head < heads.heads; ++head, buffer += dims) {
      const auto* in = reinterpret_cast<const typename In::T*>(
          heads.in + head * heads.in_stride);
      ForVectors(dims, [&](auto d, size_t i) HWY_ATTR {
        hn::StoreU(In::Load(d, in + i), d, buffer + i);
      });
    }
  }
}

// Heads that pass through each of the loops below before the next one: the root
// and the division of one head then overlap with the sums of others.
constexpr int64_t kMaxTransformHeads = 32;

// Fills the buffer, [heads][head_dim], with heads that are normed and scaled.
// Requires: at most kMaxTransformHeads.
template <class In>
void TransformHeads(const HeadTransform& transform, float scale, int head_dim,
                    const HeadSpan& heads, float* buffer) {
  const size_t dims = static_cast<size_t>(head_dim);
  const HeadNorm& norm = transform.norm;
  const size_t begin = static_cast<size_t>(norm.size == 0 ? 0 : norm.offset);
  const size_t end = begin + static_cast<size_t>(norm.size);
  // A head is fetched in two parts: many lines at once would be waited for.
  const size_t half = heads.ahead == 0 ? 0 : dims * sizeof(typename In::T) / 2;
  const uint8_t* ahead = heads.in + heads.ahead;
  NormFactors factors[kMaxTransformHeads];
  LoadFloats<In>(heads, dims, buffer);
  const double inverse_size = 1.0 / static_cast<double>(std::max(norm.size, 1));
  const float* to = buffer;
  for (int64_t head = 0; head < heads.heads; ++head, to += dims) {
    PrefetchBytes(ahead + head * heads.in_stride, half);
    if (norm.size == 0) continue;
    factors[head] =
        FindFactors(norm, inverse_size, AsFloats<In>(heads, head, to) + begin);
  }
  for (int64_t head = 0; head < heads.heads; ++head, buffer += dims) {
    PrefetchBytes(ahead + head * heads.in_stride + half, half);
    const float* x = AsFloats<In>(heads, head, buffer);
    Scale(scale, begin, x, buffer);
    if (norm.size != 0) {
      Norm(norm, factors[head], scale, x + begin, buffer + begin);
    }
    Scale(scale, dims - end, x + end, buffer + end);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#endif  // include guard
