// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What the programs of this folder rotate, on one thread and on their own: the
// layers of a model with 32 query and 8 KV heads of 128 dims. Every other layer
// has a BF16 cache; the others rotate Q and K in place.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/ropewalk.h"

namespace host {

constexpr int kLayers = 4;
constexpr int kQueryHeads = 32;
constexpr int kKvHeads = 8;
constexpr int kHeadDim = 128;
constexpr int64_t kMaxTokens = 96;  // slots of each cache, too

struct Layer {
  std::vector<float> q, k, v;              // [tokens][heads][kHeadDim]
  std::vector<uint16_t> k_cache, v_cache;  // [slots][kKvHeads][kHeadDim]
};

class Layers {
 public:
  Layers();

  // Once a step, by one thread: the angles of all layers, and the input.
  ropewalk::Status Begin(int64_t first_position, int64_t tokens);

  // Once a layer, by every thread that has a share of it.
  ropewalk::Status Rotate(size_t layer, ropewalk::Parallel parallel);

  // Stands for attention and projections: makes the next layer's heads of
  // heads that other threads rotated. Member `index` of `count` makes its part.
  void Attend(size_t layer, int index, int count);

  friend bool SameBits(const Layers& a, const Layers& b);

 private:
  ropewalk::Status RotateIntoCache(Layer* layer, ropewalk::Parallel parallel);

  Layer layers_[kLayers];
  ropewalk::AngleCache angles_{ropewalk::AngleCacheOptions{}};
  ropewalk::AngleRows rows_;
  ropewalk::RotaryLayout layout_;
  int64_t first_position_ = 0;
  int64_t tokens_ = 0;
};

// Whether every tensor and every cache has the same bits.
bool SameBits(const Layers& a, const Layers& b);

// A prompt, then one token: the first position and the number of tokens.
struct Step {
  int64_t first_position;
  int64_t tokens;
};
constexpr Step kSteps[] = {{0, 64}, {64, 1}};

// What all programs are compared with: everything on the calling thread.
ropewalk::Status RunSerially(Layers* layers);

// Prints what went wrong, if anything; returns the program's exit code.
int Report(const ropewalk::Status& status, const Layers& result,
           const Layers& serial);

}  // namespace host
