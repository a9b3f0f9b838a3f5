// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/write_step.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

#include "bench/bound.h"
#include "ropewalk/angles.h"

namespace ropewalk::bench {
namespace {

constexpr int kHeadDim = 128;
constexpr int64_t kBlockSize = 16;
constexpr int64_t kBlocks = 1024;
constexpr int64_t kContext = 131072;

void FillFloats(int64_t bytes, unsigned char* to) {
  auto* const floats = reinterpret_cast<float*>(to);
  uint32_t random = 1;
  for (int64_t i = 0; i < bytes / 4; ++i) {
    random = random * 1664525u + 1013904223u;
    floats[i] = static_cast<float>(random >> 8) * 0x1p-23f - 1.0f;
  }
}

KvCacheView CacheOf(unsigned char* data, int64_t heads) {
  KvCacheView cache;
  cache.data = data;
  cache.blocks = kBlocks;
  cache.block_size = kBlockSize;
  cache.heads = heads;
  cache.head_dim = kHeadDim;
  cache.head_stride = kHeadDim * ElementSize(cache.type);
  cache.slot_stride = heads * cache.head_stride;
  cache.block_stride = kBlockSize * cache.slot_stride;
  return cache;
}

int64_t CacheBytes(int64_t heads) {
  return kBlocks * CacheOf(nullptr, heads).block_stride;
}

}  // namespace

int64_t WriteShape::QueryBytes() const {
  return tokens * query_heads * kHeadDim * 4;
}

int64_t WriteShape::KeyBytes() const {
  return tokens * key_heads * kHeadDim * 4;
}

int64_t WriteShape::BytesReadAndWritten() const {
  return 2 * QueryBytes() + 2 * (KeyBytes() + KeyBytes() / 2);
}

std::string NameOf(const WriteShape& shape) {
  std::string name = "BM_RotateIntoCache/half/f32_to_bf16/tokens:";
  name += std::to_string(shape.tokens);
  name += "/heads:" + std::to_string(shape.query_heads + shape.key_heads);
  name += "/head_dim:" + std::to_string(kHeadDim);
  if (shape.norm) name += "/norm";
  return name + (shape.prefill ? "/prefill" : "/decode");
}

WriteStep::WriteStep(const WriteShape& shape)
    : shape_(shape),
      q_memory_(shape.QueryBytes()),
      k_memory_(shape.KeyBytes()),
      v_memory_(shape.KeyBytes()),
      weight_memory_(kHeadDim * 4),
      normed_memory_(shape.KeyBytes()),
      converted_memory_(shape.KeyBytes() / 2),
      k_cache_memory_(CacheBytes(shape.key_heads)),
      v_cache_memory_(CacheBytes(shape.key_heads)) {
  FillFloats(shape.QueryBytes(), q_memory_.data());
  FillFloats(shape.KeyBytes(), k_memory_.data());
  FillFloats(shape.KeyBytes(), v_memory_.data());
  // Ones: queries are normed again and again, and others would take most of
  // their dims to denormals.
  std::fill_n(reinterpret_cast<float*>(weight_memory_.data()), kHeadDim, 1.0f);
  const auto heads = [&](Memory* memory, DataType type, int64_t count) {
    return DenseHeads(memory->data(), type, 1, shape.tokens, count, kHeadDim);
  };
  q_ = heads(&q_memory_, DataType::kF32, shape.query_heads);
  k_ = heads(&k_memory_, DataType::kF32, shape.key_heads);
  v_ = heads(&v_memory_, DataType::kF32, shape.key_heads);
  normed_ = heads(&normed_memory_, DataType::kF32, shape.key_heads);
  converted_ = heads(&converted_memory_, DataType::kBF16, shape.key_heads);
  layout_.head_dim = layout_.rotary_dim = still_.head_dim = kHeadDim;
  if (shape.norm) {
    transform_.norm.size = kHeadDim;
    transform_.norm.weight = weight_memory_.data();
  }
  k_in_ = k_;
  v_in_ = v_;
  write_.q = q_;
  write_.q_layout = write_.k_layout = layout_;
  write_.q_transform = write_.k_transform = transform_;
  write_.k = &k_in_;
  write_.v = &v_in_;
  write_.k_cache = CacheOf(k_cache_memory_.data(), shape.key_heads);
  write_.v_cache = CacheOf(v_cache_memory_.data(), shape.key_heads);
  MakeRows();
  MakeSlots();
}

void WriteStep::MakeRows() {
  RopeParameters parameters;
  parameters.rotary_dim = kHeadDim;
  static AngleCache cache{AngleCacheOptions{}};
  const auto table =
      cache.Get(parameters, /*sequence_length=*/0, AngleOptions{});
  if (!table.ok()) {
    status_ = table.status();
    return;
  }
  std::vector<int64_t> ids(static_cast<size_t>(shape_.tokens));
  std::mt19937_64 random(1);
  for (int64_t& id : ids) {
    id = static_cast<int64_t>(random() % (kContext - 1)) + 1;
  }
  // Position 0 is left out: its row turns nothing.
  if (shape_.prefill) std::iota(ids.begin(), ids.end(), 1);
  status_ = table.value()->Fill(Positions(ids.data(), shape_.tokens), &rows_);
}

void WriteStep::MakeSlots() {
  std::vector<int64_t> places(
      static_cast<size_t>(shape_.prefill ? kBlocks : kBlocks * kBlockSize));
  std::iota(places.begin(), places.end(), 0);
  std::shuffle(places.begin(), places.end(), std::mt19937_64(2));
  slots_.resize(static_cast<size_t>(shape_.tokens));
  for (size_t t = 0; t < slots_.size(); ++t) {
    slots_[t] = shape_.prefill ? places[t / kBlockSize] * kBlockSize +
                                     static_cast<int64_t>(t % kBlockSize)
                               : places[t];
  }
}

void WriteStep::Check(const Status& status) {
  if (!status.ok()) status_ = status;
}

void WriteStep::RunFused() {
  Check(RotateIntoCache(rows_, write_, Slots(slots_.data(), shape_.tokens),
                        Parallel::Serial()));
}

void WriteStep::Norm(const HeadsView& in, const HeadsView& out,
                     const HeadTransform& transform) {
  RotateOptions options;
  options.transform = transform;
  Check(Rotate(rows_, still_, ConstHeadsView(in), out, options));
}

void WriteStep::Convert(const HeadsView& in, const HeadsView& out) {
  Check(Rotate(rows_, still_, ConstHeadsView(in), out, RotateOptions{}));
}

void WriteStep::Scatter(const HeadsView& from, const KvCacheView& cache) {
  const auto* const rows = static_cast<const unsigned char*>(from.data);
  auto* const pages = static_cast<unsigned char*>(cache.data);
  for (int64_t t = 0; t < shape_.tokens; ++t) {
    // Slots of one block follow the last one of the block before.
    std::memcpy(pages + slots_[static_cast<size_t>(t)] * cache.slot_stride,
                rows + t * from.token_stride,
                static_cast<size_t>(from.token_stride));
  }
}

void WriteStep::RunSeparate() {
  if (shape_.norm) {
    Norm(q_, q_, transform_);
    Norm(k_, normed_, transform_);
  }
  const HeadsView& keys = shape_.norm ? normed_ : k_;
  Check(Rotate(rows_, layout_, {q_, keys}, RotateOptions{}));
  Convert(keys, converted_);
  Scatter(converted_, write_.k_cache);
  Convert(v_, converted_);
  Scatter(converted_, write_.v_cache);
}

void WriteStep::RunBound() {
  XorInPlace(q_.data, static_cast<size_t>(shape_.QueryBytes()));
  const auto bytes = static_cast<size_t>(shape_.KeyBytes() / 4 * 3);
  CopyBytes(normed_.data, k_.data, bytes);
  CopyBytes(normed_.data, v_.data, bytes);
}

}  // namespace ropewalk::bench
