// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/cached_keys.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "bench/bound.h"

namespace ropewalk::bench {
namespace {

constexpr int kHeadDim = 128;
constexpr int64_t kHeads = 8;
constexpr int64_t kBlockSize = 16;
constexpr int64_t kSlotBytes = kHeads * kHeadDim * 2;
constexpr int64_t kLargest = 64 * kMiB;

// Kept from benchmark to benchmark: it is slow to get.
unsigned char* Buffer() {
  static Memory memory(kLargest);
  return memory.data();
}

}  // namespace

int64_t KeysShape::BytesReadAndWritten() const {
  return 2 * slots * kSlotBytes;
}

std::string NameOf(const KeysShape& shape) {
  std::string name = shape.call == KeysCall::kShift  ? "BM_ShiftCache"
                     : shape.call == KeysCall::kMove ? "BM_MoveCache"
                                                     : "BM_Rerotate";
  name += "/half/bf16/slots:" + std::to_string(shape.slots);
  name += "/heads:" + std::to_string(kHeads);
  name += "/head_dim:" + std::to_string(kHeadDim);
  if (shape.row_each) name += "/row_each";
  if (shape.threads != 1) name += "/threads:" + std::to_string(shape.threads);
  return name;
}

CachedKeys::CachedKeys(const KeysShape& shape)
    : shape_(shape),
      parallel_(shape.threads > 1 ? Parallel::Tbb() : Parallel::Serial()) {
  layout_.head_dim = layout_.rotary_dim = kHeadDim;
  const int64_t slots =
      shape.call == KeysCall::kMove ? 2 * shape.slots : shape.slots;
  cache_.data = Buffer();
  cache_.blocks = slots / kBlockSize;
  cache_.block_size = kBlockSize;
  cache_.heads = kHeads;
  cache_.head_dim = kHeadDim;
  cache_.head_stride = kHeadDim * ElementSize(cache_.type);
  cache_.slot_stride = kSlotBytes;
  cache_.block_stride = kBlockSize * kSlotBytes;
  status_ = MakeTables();
  if (shape.call == KeysCall::kMove) MakeMoves();
}

Status CachedKeys::MakeTables() {
  static AngleCache tables{AngleCacheOptions{}};
  RopeParameters parameters;
  parameters.rotary_dim = kHeadDim;
  auto table = tables.Get(parameters, /*sequence_length=*/0, AngleOptions{});
  if (!table.ok()) return table.status();
  table_ = table.value();
  parameters.base *= 2;
  table = tables.Get(parameters, /*sequence_length=*/0, AngleOptions{});
  if (!table.ok()) return table.status();
  other_table_ = table.value();
  // No delta is 0, whose row turns nothing.
  return table_->FillRotation(
      Positions::Consecutive(-shape_.slots, shape_.row_each ? shape_.slots : 1),
      &rows_);
}

void CachedKeys::MakeMoves() {
  from_.resize(static_cast<size_t>(2 * shape_.slots));
  std::iota(from_.begin(), from_.end(), 0);
  std::shuffle(from_.begin(), from_.end(), std::mt19937_64(1));
  to_.assign(from_.begin() + shape_.slots, from_.end());
}

void CachedKeys::Fill() const {
  auto* const words = reinterpret_cast<uint16_t*>(Buffer());
  const int64_t count = cache_.blocks * cache_.block_stride / 2;
  uint32_t random = 1;
  for (int64_t i = 0; i < count; ++i) {
    random = random * 1664525u + 1013904223u;
    words[i] = static_cast<uint16_t>(0x3C00 | (random >> 24));
  }
}

void CachedKeys::Run() {
  const Slots all = Slots::Range(0, shape_.slots);
  switch (shape_.call) {
    case KeysCall::kShift:
      status_ = ShiftCache(rows_, layout_, cache_, all, parallel_);
      break;
    case KeysCall::kMove:
      status_ =
          MoveCache(rows_, layout_, cache_, Slots(from_.data(), shape_.slots),
                    Slots(to_.data(), shape_.slots), parallel_);
      break;
    case KeysCall::kRerotate:
      status_ = Rerotate(*table_, *other_table_, layout_, cache_, all,
                         Positions::Consecutive(1, shape_.slots), parallel_);
      break;
  }
}

void CachedKeys::RunBound() const {
  const int64_t bytes = shape_.slots * kSlotBytes;
  if (shape_.call == KeysCall::kMove) {
    CopyBytes(Buffer() + bytes, Buffer(), static_cast<size_t>(bytes));
  } else {
    XorByThreads(shape_.threads, Buffer(), bytes);
  }
}

}  // namespace ropewalk::bench
