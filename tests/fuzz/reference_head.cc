// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "fuzz/reference_head.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "fuzz/require.h"
#include "ropewalk/c/rotate.h"
#include "simd/scalar_convert.h"

namespace ropewalk::fuzz {
namespace {

constexpr double kLargest = 16;

// A value, and what its error may be for each 2^-24 that arithmetic adds.
struct Value {
  double value;
  double magnitude;
};

double SquareSum(const std::vector<Value>& x, int first, int size,
                 double mean) {
  double sum = 0;
  for (int i = first; i < first + size; ++i) {
    const double difference = x[static_cast<size_t>(i)].value - mean;
    sum += difference * difference;
  }
  return sum;
}

void Normalize(const ropewalk_head_norm& norm, std::vector<Value>* x) {
  const bool layer = norm.kind == ROPEWALK_LAYER_NORM;
  double mean = 0;
  double mean_abs = 0;
  for (int i = norm.offset; i < norm.offset + norm.size; ++i) {
    const double value = (*x)[static_cast<size_t>(i)].value;
    mean += layer ? value / norm.size : 0;
    mean_abs += std::fabs(value) / norm.size;
  }
  const double divisor =
      std::sqrt(SquareSum(*x, norm.offset, norm.size, mean) / norm.size +
                static_cast<double>(norm.epsilon));
  for (int i = 0; i < norm.size; ++i) {
    Value& value = (*x)[static_cast<size_t>(norm.offset + i)];
    double weight =
        norm.weight == nullptr ? 1 : Load(norm.weight, norm.weight_type, i);
    if (norm.one_plus_weight != 0 && norm.weight != nullptr) weight += 1;
    const double bias =
        norm.bias == nullptr ? 0 : Load(norm.bias, norm.weight_type, i);
    value.magnitude =
        (std::fabs(value.value) + mean_abs) * std::fabs(weight) / divisor +
        std::fabs(bias);
    value.value = (value.value - mean) * weight / divisor + bias;
  }
}

// The pairs' dims of the other pairing are taken from a copy.
void Turn(const HeadTask& task, std::vector<Value>* x) {
  const std::vector<Value> in = *x;
  const auto* const rows = task.rows;
  const ropewalk_rotary_layout& layout = *task.layout;
  const double m = ropewalk_angle_rows_attention_factor(rows, task.row);
  const double sign = task.direction == ROPEWALK_FORWARD ? 1 : -1;
  const double factor = task.direction == ROPEWALK_INVERSE ? 1 / (m * m) : 1;
  const float* const cos =
      ropewalk_angle_rows_cos(rows, task.row, task.row_head);
  const float* const sin =
      ropewalk_angle_rows_sin(rows, task.row, task.row_head);
  for (int i = 0; i < layout.rotary_dim / 2; ++i) {
    const PairDims from = DimsOfPair(layout, false, i);
    const PairDims to = DimsOfPair(layout, true, i);
    const Value& x0 = in[static_cast<size_t>(from.first)];
    const Value& x1 = in[static_cast<size_t>(from.second)];
    const double c = factor * static_cast<double>(cos[layout.first_pair + i]);
    const double s =
        factor * sign * static_cast<double>(sin[layout.first_pair + i]);
    const double magnitude =
        (x0.magnitude + x1.magnitude) * (std::fabs(c) + std::fabs(s));
    (*x)[static_cast<size_t>(to.first)] = {x0.value * c - x1.value * s,
                                           magnitude};
    (*x)[static_cast<size_t>(to.second)] = {x0.value * s + x1.value * c,
                                            magnitude};
  }
}

double Scale(const Transform& transform, int64_t row) {
  const float* const scales = transform.transform.token_scale;
  return static_cast<double>(transform.transform.scale) *
         (scales == nullptr ? 1 : static_cast<double>(scales[row]));
}

// What rounding to the type once may add.
double Rounding(int32_t type, double value) {
  switch (type) {
    case ROPEWALK_BF16:
      return std::fabs(value) * 0x1p-8 + 0x1p-126;
    case ROPEWALK_F16:
      return std::fabs(value) * 0x1p-11 + 0x1p-25;
    default:
      return 0x1p-126;
  }
}

bool IsTame(const std::vector<Value>& x, const HeadTask& task) {
  for (const Value& value : x) {
    if (!(std::fabs(value.value) <= kLargest)) return false;
  }
  const Transform* const transform = task.transform;
  if (transform == nullptr || !transform->active()) return true;
  return std::fabs(Scale(*transform, task.row)) <= kLargest;
}

// Dims that neither turn nor are transformed keep their bits.
void RequireCopied(const HeadTask& task) {
  std::vector<char> turns(static_cast<size_t>(task.layout->head_dim), 0);
  for (int i = 0; i < task.layout->rotary_dim / 2; ++i) {
    const PairDims dims = DimsOfPair(*task.layout, false, i);
    turns[static_cast<size_t>(dims.first)] = 1;
    turns[static_cast<size_t>(dims.second)] = 1;
  }
  const int64_t bytes = BytesOf(task.in_type);
  for (size_t i = 0; i < turns.size(); ++i) {
    const auto at = static_cast<int64_t>(i) * bytes;
    Require(turns[i] != 0 || std::memcmp(task.in + at, task.out + at,
                                         static_cast<size_t>(bytes)) == 0,
            "dims outside the window are copied bit for bit");
  }
}

}  // namespace

double Load(const void* data, int32_t type, int64_t i) {
  const auto* const bytes = static_cast<const uint8_t*>(data);
  if (type == ROPEWALK_F32) {
    float value;
    std::memcpy(&value, bytes + 4 * i, 4);
    return static_cast<double>(value);
  }
  uint16_t bits;
  std::memcpy(&bits, bytes + 2 * i, 2);
  return static_cast<double>(type == ROPEWALK_BF16
                                 ? internal::FloatFromBF16(bits)
                                 : internal::FloatFromF16(bits));
}

void RequireHead(const HeadTask& task) {
  const bool transforms = task.transform != nullptr && task.transform->active();
  if (!transforms && task.in_type == task.out_type) RequireCopied(task);
  std::vector<Value> x(static_cast<size_t>(task.layout->head_dim));
  for (size_t i = 0; i < x.size(); ++i) {
    const double value = Load(task.in, task.in_type, static_cast<int64_t>(i));
    x[i] = {value, std::fabs(value)};
  }
  if (!IsTame(x, task)) return;
  if (transforms && task.transform->normalizes()) {
    Normalize(task.transform->norm, &x);
  }
  if (task.rows != nullptr && task.layout->rotary_dim != 0) Turn(task, &x);
  const double scale = transforms ? Scale(*task.transform, task.row) : 1;
  for (size_t i = 0; i < x.size(); ++i) {
    const double want = x[i].value * scale;
    const double got = Load(task.out, task.out_type, static_cast<int64_t>(i));
    // 64 times 2^-24 of the magnitude holds every promise for heads of this
    // size: (128 / 16 + 5) of a mean, 6.5 of a rotation, a few of the scales.
    const double bound = x[i].magnitude * std::fabs(scale) * 0x1p-18 +
                         Rounding(task.out_type, want);
    if (!(std::fabs(got - want) <= bound * (1 + 0x1p-7))) {
      std::fprintf(stderr, "dim %zu: %.9g is %.9g, wanted %.9g within %.3g\n",
                   i, Load(task.in, task.in_type, static_cast<int64_t>(i)), got,
                   want, bound);
    }
    Require(std::fabs(got - want) <= bound * (1 + 0x1p-7),
            "every element is what the reference says");
  }
}

void AllowHead(const ropewalk_rotary_layout& layout, bool whole_head,
               int32_t type, uint8_t* head, Arena* arena) {
  const int64_t bytes = BytesOf(type);
  if (whole_head) return arena->Allow(head, layout.head_dim * bytes);
  for (int i = 0; i < layout.rotary_dim / 2; ++i) {
    const PairDims dims = DimsOfPair(layout, false, i);
    arena->Allow(head + dims.first * bytes, bytes);
    arena->Allow(head + dims.second * bytes, bytes);
  }
}

}  // namespace ropewalk::fuzz
