// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "layers.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace host {
namespace {

namespace rw = ropewalk;

constexpr size_t Elements(int64_t tokens, int heads) {
  return static_cast<size_t>(tokens * heads * kHeadDim);
}

// Numbers in [-1, 1) that differ from element to element.
void FillWith(uint32_t seed, std::vector<float>* x) {
  for (float& value : *x) {
    seed = seed * 1664525u + 1013904223u;  // Knuth's and Lewis's generator
    value = static_cast<float>(static_cast<int32_t>(seed)) * 0x1p-31f;
  }
}

template <class T>
bool Same(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

// Makes every head of one tensor of the opposite token's opposite head.
void Mirror(const std::vector<float>& from, int64_t tokens, int heads,
            int index, int count, std::vector<float>* to) {
  const int64_t units = tokens * heads;
  for (int64_t unit = index; unit < units; unit += count) {
    const float* head = from.data() + (units - 1 - unit) * kHeadDim;
    std::copy(head, head + kHeadDim, to->data() + unit * kHeadDim);
  }
}

}  // namespace

Layers::Layers() {
  layout_.head_dim = layout_.rotary_dim = kHeadDim;
  for (Layer& layer : layers_) {
    layer.q.resize(Elements(kMaxTokens, kQueryHeads));
    layer.k.resize(Elements(kMaxTokens, kKvHeads));
    layer.v.resize(Elements(kMaxTokens, kKvHeads));
    layer.k_cache.resize(Elements(kMaxTokens, kKvHeads));
    layer.v_cache.resize(Elements(kMaxTokens, kKvHeads));
  }
}

rw::Status Layers::Begin(int64_t first_position, int64_t tokens) {
  first_position_ = first_position;
  tokens_ = tokens;
  rw::RopeParameters rope;
  rope.rotary_dim = kHeadDim;
  const auto table =
      angles_.Get(rope, /*sequence_length=*/0, rw::AngleOptions{});
  if (!table.ok()) return table.status();
  uint32_t seed = static_cast<uint32_t>(first_position);
  FillWith(++seed, &layers_[0].q);
  FillWith(++seed, &layers_[0].k);
  for (Layer& layer : layers_) FillWith(++seed, &layer.v);
  return table.value()->Fill(rw::Positions::Consecutive(first_position, tokens),
                             &rows_);
}

rw::Status Layers::Rotate(size_t layer, rw::Parallel parallel) {
  Layer& l = layers_[layer];
  if (layer % 2 == 1) return RotateIntoCache(&l, parallel);
  rw::RotateOptions options;
  options.parallel = parallel;
  return rw::Rotate(rows_, layout_,
                    {rw::DenseHeads(l.q.data(), tokens_, kQueryHeads, kHeadDim),
                     rw::DenseHeads(l.k.data(), tokens_, kKvHeads, kHeadDim)},
                    options);
}

rw::Status Layers::RotateIntoCache(Layer* layer, rw::Parallel parallel) {
  const rw::ConstHeadsView k =
      rw::DenseHeads(layer->k.data(), tokens_, kKvHeads, kHeadDim);
  const rw::ConstHeadsView v =
      rw::DenseHeads(layer->v.data(), tokens_, kKvHeads, kHeadDim);
  rw::CacheWrite write;
  write.q = rw::DenseHeads(layer->q.data(), tokens_, kQueryHeads, kHeadDim);
  write.q_layout = write.k_layout = layout_;
  write.k = &k;
  write.k_cache = rw::NhdCache(layer->k_cache.data(), rw::DataType::kBF16, 1,
                               kMaxTokens, kKvHeads, kHeadDim);
  write.v = &v;
  write.v_cache = rw::NhdCache(layer->v_cache.data(), rw::DataType::kBF16, 1,
                               kMaxTokens, kKvHeads, kHeadDim);
  return rw::RotateIntoCache(
      rows_, write, rw::Slots::Range(first_position_, tokens_), parallel);
}

void Layers::Attend(size_t layer, int index, int count) {
  if (layer + 1 == kLayers) return;
  const Layer& from = layers_[layer];
  Layer& to = layers_[layer + 1];
  Mirror(from.q, tokens_, kQueryHeads, index, count, &to.q);
  Mirror(from.k, tokens_, kKvHeads, index, count, &to.k);
}

bool SameBits(const Layers& a, const Layers& b) {
  for (size_t i = 0; i < kLayers; ++i) {
    const Layer& x = a.layers_[i];
    const Layer& y = b.layers_[i];
    if (!Same(x.q, y.q) || !Same(x.k, y.k) || !Same(x.v, y.v) ||
        !Same(x.k_cache, y.k_cache) || !Same(x.v_cache, y.v_cache)) {
      return false;
    }
  }
  return true;
}

rw::Status RunSerially(Layers* layers) {
  for (const Step& step : kSteps) {
    rw::Status status = layers->Begin(step.first_position, step.tokens);
    for (size_t layer = 0; layer < kLayers && status.ok(); ++layer) {
      status = layers->Rotate(layer, rw::Parallel::Serial());
      layers->Attend(layer, 0, 1);
    }
    if (!status.ok()) return status;
  }
  return rw::Status();
}

int Report(const rw::Status& status, const Layers& result,
           const Layers& serial) {
  if (!status.ok()) {
    std::fprintf(stderr, "%s\n", status.message());
    return 1;
  }
  if (SameBits(result, serial)) return 0;
  std::fprintf(stderr, "other bits than one thread's\n");
  return 1;
}

}  // namespace host
