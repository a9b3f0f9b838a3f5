// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "attention.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>

namespace ropewalk::test {
namespace {

double FromBF16(uint16_t bits) {
  const uint32_t wide = static_cast<uint32_t>(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof(value));
  return static_cast<double>(value);
}

double Dot(const float* query, const uint16_t* key, int size) {
  double sum = 0;
  for (int i = 0; i < size; ++i) {
    sum += static_cast<double>(query[i]) * FromBF16(key[i]);
  }
  return sum;
}

void Softmax(std::vector<double>* x) {
  const double most = *std::max_element(x->begin(), x->end());
  double sum = 0;
  for (double& value : *x) {
    value = std::exp(value - most);
    sum += value;
  }
  for (double& value : *x) value /= sum;
}

}  // namespace

void Project(const std::vector<float>& weights, const float* x, int columns,
             float* y) {
  const float* row = weights.data();
  for (; row != weights.data() + weights.size(); row += columns) {
    double sum = 0;
    for (int i = 0; i < columns; ++i) {
      sum += static_cast<double>(row[i]) * static_cast<double>(x[i]);
    }
    *y++ = static_cast<float>(sum);
  }
}

void AttendHead(const float* query, const VisibleTokens& tokens,
                std::vector<double>* weights, float* out) {
  const auto count = static_cast<size_t>(tokens.count);
  weights->resize(count);
  for (size_t j = 0; j < count; ++j) {
    const uint16_t* key =
        tokens.cache.Key(tokens.layer, tokens.slots[j], tokens.head);
    (*weights)[j] = Dot(query, key, tokens.head_dim);
  }
  Softmax(weights);
  std::vector<double> sums(static_cast<size_t>(tokens.head_dim), 0);
  for (size_t j = 0; j < count; ++j) {
    const uint16_t* value =
        tokens.cache.Value(tokens.layer, tokens.slots[j], tokens.head);
    for (double& sum : sums) sum += (*weights)[j] * FromBF16(*value++);
  }
  std::transform(sums.begin(), sums.end(), out,
                 [](double sum) { return static_cast<float>(sum); });
}

}  // namespace ropewalk::test
