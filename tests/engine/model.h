// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The weights of a small decoder: grouped-query attention with a norm of
// queries and keys, and nothing else. Includes nothing of the library.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ropewalk::test {

struct ModelShape {
  int layers = 1;
  int query_heads = 8;
  int kv_heads = 2;
  int head_dim = 64;
  int hidden = 64;        // at least head_dim
  int vocabulary = 1021;  // so many that tokens seldom repeat

  // Heads of one token's fused projection: of Q, then of K, then of V.
  int fused_heads() const { return query_heads + 2 * kv_heads; }
  // The K and V head that a query head attends to.
  int KvHeadOf(int query_head) const {
    return query_head / (query_heads / kv_heads);
  }
};

struct LayerWeights {
  std::vector<float> qkv;     // [fused_heads][head_dim][hidden]
  std::vector<float> output;  // [hidden][query_heads * head_dim]
  std::vector<float> q_norm;  // [head_dim]
  std::vector<float> k_norm;  // [head_dim]
};

struct Model {
  const float* Embedding(int token) const {
    return embeddings.data() +
           static_cast<size_t>(token) * static_cast<size_t>(shape.hidden);
  }

  ModelShape shape;
  float norm_epsilon = 1e-6f;
  std::vector<float> embeddings;  // [vocabulary][hidden]
  std::vector<LayerWeights> layers;
};

// What a layer adds is at most so many times the longest value, in 2-norm.
inline constexpr double kOutputGain = 0.5;

// Weights of fixed pseudo-random numbers. The rows of each head's projection
// are orthonormal, and so are the columns of each head's part of the output
// projection, before its factor kOutputGain / sqrt(query_heads): a projection
// neither lengthens an error nor favours a direction.
Model MakeModel(const ModelShape& shape, uint64_t seed);

}  // namespace ropewalk::test
