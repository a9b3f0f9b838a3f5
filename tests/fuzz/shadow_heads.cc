// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "fuzz/shadow_heads.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "fuzz/require.h"

namespace ropewalk::fuzz {
namespace {

constexpr auto kInvalid = ROPEWALK_INVALID_ARGUMENT;
constexpr int kMaxTransformDim = 4096;
// Arenas have room for no more.
constexpr __int128 kMaxHeads = Arena::kBytes / 2;

bool IsPairing(int32_t pairing) {
  return pairing == ROPEWALK_HALF || pairing == ROPEWALK_INTERLEAVED;
}

bool IsType(int32_t type) {
  return type == ROPEWALK_F32 || type == ROPEWALK_BF16 || type == ROPEWALK_F16;
}

bool Misaligned(const void* pointer, int32_t type) {
  return reinterpret_cast<uintptr_t>(pointer) %
             static_cast<uintptr_t>(BytesOf(type)) !=
         0;
}

std::array<int64_t, 3> SizesOf(const Tensor& t) {
  return {t.batch, t.tokens, t.heads};
}
std::array<int64_t, 3> StridesOf(const Tensor& t) {
  return {t.batch_stride, t.token_stride, t.head_stride};
}

// Sets begin and end, in whole numbers without a limit.
void FindRange(const Tensor& tensor, Shadow* shadow) {
  const auto sizes = SizesOf(tensor);
  const auto strides = StridesOf(tensor);
  shadow->begin = reinterpret_cast<uintptr_t>(tensor.data);
  shadow->end = shadow->begin + shadow->head_bytes;
  for (size_t i = 0; i < 3; ++i) {
    const __int128 reach =
        static_cast<__int128>(sizes[i] - 1) * static_cast<__int128>(strides[i]);
    (reach < 0 ? shadow->begin : shadow->end) += reach;
  }
}

void ListHeads(const Tensor& tensor, Shadow* shadow) {
  for (int64_t b = 0; b < tensor.batch; ++b) {
    for (int64_t t = 0; t < tensor.tokens; ++t) {
      for (int64_t h = 0; h < tensor.heads; ++h) {
        shadow->heads.push_back(
            static_cast<uint8_t*>(tensor.data) + b * tensor.batch_stride +
            t * tensor.token_stride + h * tensor.head_stride);
      }
    }
  }
}

// Whether the dims, by stride, each step over all that is inside.
bool Nests(const Tensor& tensor, int64_t head_bytes) {
  const auto sizes = SizesOf(tensor);
  const auto strides = StridesOf(tensor);
  std::vector<std::pair<int64_t, int64_t>> dims;  // stride, size
  for (size_t i = 0; i < 3; ++i) {
    if (sizes[i] > 1) dims.push_back({std::abs(strides[i]), sizes[i]});
  }
  std::sort(dims.begin(), dims.end());
  int64_t inside = head_bytes;
  for (const auto& [stride, size] : dims) {
    if (stride < inside) return false;
    inside += (size - 1) * stride;
  }
  return true;
}

}  // namespace

Verdict JudgeLayout(const ropewalk_rotary_layout& layout) {
  Verdict verdict;
  const int64_t pairs = layout.rotary_dim / 2;
  const int32_t output =
      layout.output_pairing == 0 ? layout.pairing : layout.output_pairing;
  const bool half = layout.pairing == ROPEWALK_HALF || output == ROPEWALK_HALF;
  const bool changes = output != layout.pairing;
  verdict.MustIf(layout.head_dim <= 0, kInvalid);
  verdict.MustIf(layout.rotary_dim < 0 || layout.rotary_dim % 2 != 0, kInvalid);
  verdict.MustIf(!IsPairing(layout.pairing) || !IsPairing(output), kInvalid);
  verdict.MustIf(layout.rotary_offset < 0 || layout.first_pair < 0, kInvalid);
  const int64_t given = layout.pair_distance;
  verdict.MustIf(given != 0 && (!half || given < pairs), kInvalid);
  // Nothing changes where nothing turns.
  verdict.MustIf(changes && pairs > 0 && given != 0 && given != pairs,
                 kInvalid);
  verdict.MustIf(changes && layout.rotary_dim > kMaxTransformDim,
                 ROPEWALK_UNSUPPORTED);
  const int64_t window = pairs == 0 ? 0 : (given != 0 ? given : pairs) + pairs;
  verdict.MustIf(layout.rotary_offset + window > layout.head_dim, kInvalid);
  return verdict;
}

PairDims DimsOfPair(const ropewalk_rotary_layout& layout, bool output, int i) {
  const int32_t pairing = output && layout.output_pairing != 0
                              ? layout.output_pairing
                              : layout.pairing;
  const int offset = layout.rotary_offset;
  if (pairing == ROPEWALK_INTERLEAVED) {
    return {offset + 2 * i, offset + 2 * i + 1};
  }
  const int distance =
      layout.pair_distance != 0 ? layout.pair_distance : layout.rotary_dim / 2;
  return {offset + i, offset + i + distance};
}

Verdict JudgeTransform(const Transform& transform, int head_dim) {
  Verdict verdict;
  if (!transform.given) return verdict;
  const float scale = transform.transform.scale;
  verdict.MustIf(scale == 0 || !std::isfinite(scale), kInvalid);
  verdict.MustIf(transform.active() && head_dim > kMaxTransformDim,
                 ROPEWALK_UNSUPPORTED);
  if (!transform.has_norm) return verdict;
  const ropewalk_head_norm& norm = transform.norm;
  const bool weighted = norm.weight != nullptr || norm.bias != nullptr;
  Verdict own;
  own.MustIf(norm.kind != ROPEWALK_RMS_NORM && norm.kind != ROPEWALK_LAYER_NORM,
             kInvalid);
  own.MustIf(norm.offset < 0 || norm.size < 0 ||
                 int64_t{norm.offset} + norm.size > head_dim,
             kInvalid);
  own.MustIf(!(norm.epsilon > 0) || std::isinf(norm.epsilon), kInvalid);
  own.MustIf(norm.bias != nullptr && norm.kind == ROPEWALK_RMS_NORM, kInvalid);
  own.MustIf(weighted && !IsType(norm.weight_type), kInvalid);
  own.MayIf(!weighted && !IsType(norm.weight_type), kInvalid);
  own.MustIf(weighted && (Misaligned(norm.weight, norm.weight_type) ||
                          Misaligned(norm.bias, norm.weight_type)),
             kInvalid);
  // Without a size there is no norm whose rules could be broken.
  if (norm.size == 0) {
    verdict.AddAsMay(own);
  } else {
    verdict.Add(own);
  }
  verdict.MustIf(norm.size == 0 && weighted, kInvalid);
  verdict.MustIf(norm.reserved != 0, ROPEWALK_UNSUPPORTED);
  return verdict;
}

void Shadow::RequireDistinct(const Tensor& tensor) {
  if (empty || verdict.MustFail()) return;
  // Its heads are not looked at here; the library may have looked.
  if (leaves) return verdict.May(kInvalid);
  std::vector<uint8_t*> sorted = heads;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 1; i < sorted.size(); ++i) {
    verdict.MustIf(sorted[i] - sorted[i - 1] < head_bytes, kInvalid);
  }
  verdict.MayIf(!Nests(tensor, head_bytes), kInvalid);
}

Shadow Inspect(const Tensor& tensor, int head_dim, const Arena& arena) {
  Shadow shadow;
  shadow.verdict.MustIf(!IsType(tensor.type), kInvalid);
  for (const int64_t size : SizesOf(tensor)) {
    shadow.verdict.MustIf(size < 0, kInvalid);
  }
  if (tensor.batch == 0 || tensor.tokens == 0 || tensor.heads == 0) {
    return shadow;
  }
  shadow.empty = false;
  bool aligned = !Misaligned(tensor.data, tensor.type);
  for (const int64_t stride : StridesOf(tensor)) {
    aligned = aligned && stride % BytesOf(tensor.type) == 0;
  }
  shadow.verdict.MustIf(tensor.data == nullptr || !aligned, kInvalid);
  if (head_dim <= 0) shadow.verdict.Must(kInvalid);
  if (shadow.verdict.MustFail()) return shadow;
  shadow.head_bytes = head_dim * BytesOf(tensor.type);
  FindRange(tensor, &shadow);
  // Within int64 each is below 2^63, and so is the product of two of 2^31: all
  // three may pass __int128.
  const __int128 plane = static_cast<__int128>(tensor.batch) *
                         static_cast<__int128>(tensor.tokens);
  const bool too_many = plane > INT64_MAX ||
                        plane * static_cast<__int128>(tensor.heads) > INT64_MAX;
  const __int128 top = static_cast<__int128>(1) << 64;
  shadow.verdict.MustIf(too_many || shadow.begin < 0 || shadow.end > top,
                        ROPEWALK_OUT_OF_RANGE);
  if (shadow.verdict.MustFail()) return shadow;
  shadow.leaves = !arena.Contains(shadow.begin, shadow.end) ||
                  plane * static_cast<__int128>(tensor.heads) > kMaxHeads;
  if (!shadow.leaves) ListHeads(tensor, &shadow);
  // Reaches past int64 may be refused, whatever the address space has room for.
  shadow.verdict.MayIf(shadow.leaves, ROPEWALK_OUT_OF_RANGE);
  return shadow;
}

void JudgeDisjoint(const Shadow& a, const Shadow& b, Verdict* verdict) {
  if (a.leaves || b.leaves) return verdict->May(kInvalid);
  if (a.heads.empty() || b.heads.empty()) return;
  if (a.end <= b.begin || b.end <= a.begin) return;
  verdict->May(kInvalid);
  std::vector<uint8_t*> sorted = b.heads;
  std::sort(sorted.begin(), sorted.end());
  for (uint8_t* const head : a.heads) {
    // The last one that begins before this one's end.
    const auto next =
        std::lower_bound(sorted.begin(), sorted.end(), head + a.head_bytes);
    if (next == sorted.begin()) continue;
    if (*(next - 1) + b.head_bytes > head) return verdict->Must(kInvalid);
  }
}

}  // namespace ropewalk::fuzz
