// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "rotate/transform_case.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "reference/oracle.h"

namespace ropewalk::test {
namespace {

constexpr double kHalfUlp = 0x1p-24;
constexpr double kProducts = 1.01;

size_t Index(int64_t i) { return static_cast<size_t>(i); }

GuardedBuffer Draw(DataType type, int64_t count, double mean, Random* random) {
  GuardedBuffer buffer(Index(count * SizeOf(type)), GuardSide::kEnd);
  for (int64_t i = 0; i < count; ++i) {
    StoreElement(type, mean + 0.3 * random->Gaussian(),
                 buffer.data() + i * SizeOf(type));
  }
  buffer.MakeReadOnly();
  return buffer;
}

// A member of a pair, or a dim that does not turn.
struct Expected {
  double value;
  double tolerance;
};

testing::AssertionResult IsWithin(const Expected& want, DataType type,
                                  double got) {
  const double low = want.value - want.tolerance;
  const double high = want.value + want.tolerance;
  const bool wide = type == DataType::kF32;
  if (got >= (wide ? low : Rounded(type, low)) &&
      got <= (wide ? high : Rounded(type, high))) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure()
         << "got " << got << ", exact " << want.value << ", allowed before "
         << "rounding " << want.tolerance;
}

// One head in double: transformed, then rotated.
std::vector<Expected> ExpectedHead(const TransformCase& transform,
                                   const Step& step, const RotaryLayout& layout,
                                   int64_t row, std::vector<double> x) {
  std::vector<double> error(x.size());
  transform.Apply(row, &x, &error);
  const std::vector<double> before = x;
  const reference::Window window = WindowOf(layout);
  reference::RotateHead(window, step.Row(row) + layout.first_pair, step.factor,
                        reference::Turn::kForward, x.data());
  std::vector<Expected> want;
  for (size_t d = 0; d < x.size(); ++d) want.push_back({x[d], error[d]});
  for (int i = 0; i < window.pairs; ++i) {
    const size_t d0 = Index(Member0(window, i));
    const size_t d1 = Index(Member1(window, i));
    const double turned = step.factor * std::hypot(error[d0], error[d1]);
    const double largest = std::max(std::fabs(before[d0]) + error[d0],
                                    std::fabs(before[d1]) + error[d1]);
    const double rotated =
        RotationTolerance(largest, step.factor, Direction::kForward);
    want[d0].tolerance = want[d1].tolerance = turned + rotated;
  }
  return want;
}

}  // namespace

TransformCase::TransformCase(const TransformSpec& spec, int64_t rows,
                             Random* random)
    : spec_(spec),
      weight_(Draw(spec.weight_type, spec.size, 1, random)),
      bias_(Draw(spec.weight_type, spec.size, 0, random)),
      token_scale_(Draw(DataType::kF32, rows, 1, random)) {}

HeadTransform TransformCase::transform() const {
  HeadTransform transform;
  transform.norm.kind = spec_.kind;
  if (spec_.has_weight) transform.norm.weight = weight_.data();
  if (spec_.has_bias) transform.norm.bias = bias_.data();
  transform.norm.weight_type = spec_.weight_type;
  transform.norm.offset = spec_.offset;
  transform.norm.size = spec_.size;
  transform.norm.epsilon = spec_.epsilon;
  transform.norm.one_plus_weight = spec_.one_plus_weight;
  transform.scale = spec_.scale;
  if (spec_.has_token_scale) {
    transform.token_scale = reinterpret_cast<const float*>(token_scale_.data());
  }
  return transform;
}

double TransformCase::Weight(int i) const {
  if (!spec_.has_weight) return 1;
  return LoadElement(spec_.weight_type,
                     weight_.data() + i * SizeOf(spec_.weight_type)) +
         (spec_.one_plus_weight ? 1 : 0);
}

double TransformCase::Bias(int i) const {
  if (!spec_.has_bias) return 0;
  return LoadElement(spec_.weight_type,
                     bias_.data() + i * SizeOf(spec_.weight_type));
}

void TransformCase::ApplyNorm(double* x, double* error) const {
  const int n = spec_.size;
  const int terms = (n + 15) / 16;
  const bool layer = spec_.kind == HeadNorm::Kind::kLayer;
  double mean = 0, magnitude = 0;
  for (int i = 0; i < n; ++i) {
    mean += x[i] / n;
    magnitude += std::fabs(x[i]) / n;
  }
  if (!layer) mean = 0;
  const double mean_error =
      layer ? (terms + 5) * kHalfUlp * magnitude * kProducts : 0;
  double square = 0;
  for (int i = 0; i < n; ++i) square += (x[i] - mean) * (x[i] - mean) / n;
  const double variance = square + static_cast<double>(spec_.epsilon);
  const double inverse = 1 / std::sqrt(variance);
  // The differences of a layer norm are rounded before they are squared.
  const double sum_error = (terms + 5 + (layer ? 2 : 0)) * kHalfUlp +
                           mean_error * mean_error / variance;
  const double inverse_error = sum_error / 2 + kHalfUlp;
  for (int i = 0; i < n; ++i) {
    const double weight = Weight(i);
    const double y = (x[i] - mean) * inverse * weight;
    // The difference, two products and 1 + weight.
    error[i] = std::fabs(y) * (inverse_error + 4 * kHalfUlp) +
               mean_error * inverse * std::fabs(weight);
    x[i] = y + Bias(i);
    if (spec_.has_bias) error[i] += std::fabs(x[i]) * kHalfUlp;
  }
}

void TransformCase::Apply(int64_t row, std::vector<double>* head,
                          std::vector<double>* error) const {
  std::fill(error->begin(), error->end(), 0.0);
  if (spec_.size > 0) {
    ApplyNorm(head->data() + spec_.offset, error->data() + spec_.offset);
  }
  double scale = static_cast<double>(spec_.scale);
  if (spec_.has_token_scale) {
    scale *= LoadElement(DataType::kF32, token_scale_.data() + 4 * row);
  }
  const bool scaled = spec_.scale != 1.0f || spec_.has_token_scale;
  for (size_t d = 0; d < head->size(); ++d) {
    (*head)[d] *= scale;
    (*error)[d] *= std::fabs(scale);
    if (scaled) (*error)[d] += 2 * kHalfUlp * std::fabs((*head)[d]);
    (*error)[d] *= kProducts;
  }
}

testing::AssertionResult IsTransformed(const TransformCase& transform,
                                       const Step& step,
                                       const RotaryLayout& layout,
                                       const Heads& before,
                                       const Heads& after) {
  const HeadsSpec& spec = before.spec();
  const bool shared = step.rows.rows() == spec.tokens;
  for (int64_t b = 0; b < spec.batch; ++b) {
    for (int64_t t = 0; t < spec.tokens; ++t) {
      for (int64_t h = 0; h < spec.heads; ++h) {
        std::vector<double> x;
        for (int d = 0; d < spec.head_dim; ++d) {
          x.push_back(before.Get(b, t, h, d));
        }
        const int64_t row = shared ? t : b * spec.tokens + t;
        const auto want = ExpectedHead(transform, step, layout, row, x);
        for (int d = 0; d < spec.head_dim; ++d) {
          const auto within = IsWithin(want[Index(d)], after.spec().type,
                                       after.Get(b, t, h, d));
          if (within) continue;
          return testing::AssertionFailure()
                 << "batch " << b << " token " << t << " head " << h << " dim "
                 << d << ": " << within.message();
        }
      }
    }
  }
  return testing::AssertionSuccess();
}

}  // namespace ropewalk::test
