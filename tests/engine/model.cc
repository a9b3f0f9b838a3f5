// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "model.h"

#include <cmath>
#include <random>
#include <utility>

namespace ropewalk::test {
namespace {

using Rows = std::vector<std::vector<double>>;

// The same on every platform: the standard fixes what the generator gives, but
// not what its distributions make of it.
class Random {
 public:
  explicit Random(uint64_t seed) : generator_(seed) {}

  // In (0, 1].
  double Uniform() {
    return static_cast<double>((generator_() >> 11) + 1) * 0x1p-53;
  }
  // Mean 0, variance 1 (Box-Muller).
  double Gaussian() {
    const double radius = std::sqrt(-2 * std::log(Uniform()));
    return radius * std::cos(2 * std::acos(-1.0) * Uniform());
  }

 private:
  std::mt19937_64 generator_;
};

void SubtractProjection(const std::vector<double>& unit,
                        std::vector<double>* x) {
  double dot = 0;
  for (size_t i = 0; i < unit.size(); ++i) dot += unit[i] * (*x)[i];
  for (size_t i = 0; i < unit.size(); ++i) (*x)[i] -= dot * unit[i];
}

// By Gram and Schmidt, each row twice, which is enough for double precision.
Rows OrthonormalRows(int count, int size, Random* random) {
  Rows rows;
  while (static_cast<int>(rows.size()) < count) {
    std::vector<double> row(static_cast<size_t>(size));
    for (double& x : row) x = random->Gaussian();
    for (int pass = 0; pass < 2; ++pass) {
      for (const std::vector<double>& unit : rows) {
        SubtractProjection(unit, &row);
      }
    }
    double square = 0;
    for (const double x : row) square += x * x;
    for (double& x : row) x /= std::sqrt(square);
    rows.push_back(row);
  }
  return rows;
}

std::vector<float> FusedProjection(const ModelShape& shape, Random* random) {
  std::vector<float> weights;
  for (int head = 0; head < shape.fused_heads(); ++head) {
    for (const auto& row :
         OrthonormalRows(shape.head_dim, shape.hidden, random)) {
      for (const double x : row) weights.push_back(static_cast<float>(x));
    }
  }
  return weights;
}

std::vector<float> OutputProjection(const ModelShape& shape, Random* random) {
  const double gain = kOutputGain / std::sqrt(shape.query_heads);
  const size_t columns = static_cast<size_t>(shape.query_heads) *
                         static_cast<size_t>(shape.head_dim);
  std::vector<float> weights(columns * static_cast<size_t>(shape.hidden));
  size_t column = 0;
  for (int head = 0; head < shape.query_heads; ++head) {
    for (const auto& unit :
         OrthonormalRows(shape.head_dim, shape.hidden, random)) {
      for (size_t i = 0; i < unit.size(); ++i) {
        weights[i * columns + column] = static_cast<float>(gain * unit[i]);
      }
      ++column;
    }
  }
  return weights;
}

std::vector<float> NormWeights(int size, Random* random) {
  std::vector<float> weights(static_cast<size_t>(size));
  for (float& w : weights) w = static_cast<float>(0.5 + random->Uniform());
  return weights;
}

}  // namespace

Model MakeModel(const ModelShape& shape, uint64_t seed) {
  Random random(seed);
  Model model;
  model.shape = shape;
  model.embeddings.resize(static_cast<size_t>(shape.vocabulary) *
                          static_cast<size_t>(shape.hidden));
  for (float& x : model.embeddings) x = static_cast<float>(random.Gaussian());
  for (int layer = 0; layer < shape.layers; ++layer) {
    LayerWeights weights;
    weights.qkv = FusedProjection(shape, &random);
    weights.output = OutputProjection(shape, &random);
    weights.q_norm = NormWeights(shape.head_dim, &random);
    weights.k_norm = NormWeights(shape.head_dim, &random);
    model.layers.push_back(std::move(weights));
  }
  return model;
}

}  // namespace ropewalk::test
