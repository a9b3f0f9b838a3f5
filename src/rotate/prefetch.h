// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Heads of later tokens, fetched while those of a token turn. The hardware does
// not keep up by itself with lines that come in the order of pairs: with this,
// a shift of 64 MiB of bf16 keys went from 0.48 of the bound to 0.8 (AVX-512
// Xeon).
#pragma once
#include <cstddef>
#include <cstdint>

#include "hwy/cache_control.h"

namespace ropewalk::internal {

// How far ahead: as many tokens as make so many bytes. Half as far, that shift
// reached 0.72 of the bound; twice or four times as far, no more than this.
constexpr int64_t kBytesAhead = 4096;

// Tensors of no more than this are taken to be in L2, where fetching ahead
// only costs: f32 on AVX2 reached 0.77 of the bound with it, 0.95 without.
// Slots may be anywhere in a cache.
constexpr int64_t kL2Bytes = int64_t{1} << 20;

HWY_INLINE void PrefetchBytes(const void* from, size_t bytes) {
  constexpr size_t kLine = 64;
  const auto* const begin = static_cast<const uint8_t*>(from);
  for (size_t i = 0; i < bytes; i += kLine) hwy::Prefetch(begin + i);
}

}  // namespace ropewalk::internal
