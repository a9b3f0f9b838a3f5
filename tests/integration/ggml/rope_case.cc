// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "integration/ggml/rope_case.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "gtest/gtest.h"
#include "rope_graph.h"
#include "support/ulp.h"

namespace ropewalk::test {
namespace {

using ropewalk_ggml::RopeArguments;

ggml_tensor* NewParent(const RopeCase& rope_case, ggml_context* context) {
  const int64_t* ne = rope_case.ne;
  switch (rope_case.place) {
    case Place::kCorner:
      return ggml_new_tensor_4d(context, rope_case.type, ne[0] * 2, ne[1] * 4,
                                ne[2] * 3, ne[3]);
    case Place::kSecondHalf:
      return ggml_new_tensor_4d(context, rope_case.type, ne[0] * 2, ne[1],
                                ne[2], ne[3]);
    case Place::kFused:
      return ggml_new_tensor_4d(context, rope_case.type, ne[0], ne[1] + 16,
                                ne[2], ne[3]);
    case Place::kDense:
      break;
  }
  return ggml_new_tensor(context, rope_case.type, 4, ne);
}

ggml_tensor* ViewInParent(const RopeCase& rope_case, ggml_context* context,
                          ggml_tensor* parent) {
  const int64_t* ne = rope_case.ne;
  size_t offset = 0;
  if (rope_case.place == Place::kSecondHalf) {
    offset = ggml_row_size(rope_case.type, ne[0]);
  } else if (rope_case.place == Place::kFused) {
    offset = 4 * parent->nb[1];
  }
  return ggml_view_4d(context, parent, ne[0], ne[1], ne[2], ne[3],
                      parent->nb[1], parent->nb[2], parent->nb[3], offset);
}

std::vector<float> Uniform(size_t count, double low, double high,
                           Random* random) {
  std::vector<float> x(count);
  for (float& value : x) {
    value = static_cast<float>(low + (high - low) * random->Uniform());
  }
  return x;
}

ggml_tensor* AddGgmlRope(ggml_context* context, const RopeCase& rope_case,
                         RopeOperands* operands) {
  RopeArguments r = rope_case.arguments;
  ggml_tensor* const a = operands->heads();
  ggml_tensor* const b = operands->positions();
  ggml_tensor* const c = operands->factors();
  if (ropewalk_ggml::ComponentsOf(r) > 1) {
    const auto op = !rope_case.forward  ? ggml_rope_multi_back
                    : rope_case.inplace ? ggml_rope_multi_inplace
                                        : ggml_rope_multi;
    return op(context, a, b, c, r.n_dims, r.sections, r.mode, r.n_ctx_orig,
              r.freq_base, r.freq_scale, r.ext_factor, r.attn_factor,
              r.beta_fast, r.beta_slow);
  }
  const auto op = !rope_case.forward  ? ggml_rope_ext_back
                  : rope_case.inplace ? ggml_rope_ext_inplace
                                      : ggml_rope_ext;
  return op(context, a, b, c, r.n_dims, r.mode, r.n_ctx_orig, r.freq_base,
            r.freq_scale, r.ext_factor, r.attn_factor, r.beta_fast,
            r.beta_slow);
}

// Which pair each dim of a head belongs to, and where the other member is; -1
// for dims that do not turn.
struct Members {
  explicit Members(const RopeCase& rope_case)
      : pair(static_cast<size_t>(rope_case.ne[0]), -1), partner(pair) {
    const RopeArguments& arguments = rope_case.arguments;
    const int pairs = ropewalk_ggml::PairsOf(arguments);
    const bool neighbours = arguments.mode == GGML_ROPE_TYPE_NORMAL;
    for (int i = 0; i < pairs; ++i) {
      const int first = arguments.n_offs + (neighbours ? 2 * i : i);
      const int second = first + (neighbours ? 1 : pairs);
      Set(first, second, i);
      Set(second, first, i);
    }
  }
  void Set(int dim, int other, int i) {
    pair[static_cast<size_t>(dim)] = i;
    partner[static_cast<size_t>(dim)] = other;
  }

  std::vector<int> pair;
  std::vector<int> partner;
};

}  // namespace

RopeOperands::RopeOperands(const RopeCase& rope_case, Random* random)
    : tokens_(rope_case.ne[2]),
      components_(ropewalk_ggml::ComponentsOf(rope_case.arguments)) {
  ggml_context* const context = tensors_.context();
  parent_ = NewParent(rope_case, context);
  heads_ = ViewInParent(rope_case, context, parent_);
  positions_ =
      ggml_new_tensor_1d(context, GGML_TYPE_I32, tokens_ * components_);
  const int pairs = ropewalk_ggml::PairsOf(rope_case.arguments);
  if (rope_case.factors) {
    factors_ = ggml_new_tensor_1d(context, GGML_TYPE_F32, pairs);
  }
  tensors_.Allocate();
  const size_t elements = static_cast<size_t>(ggml_nelements(heads_));
  x_ = FromFloats(rope_case.type, Uniform(elements, -1, 1, random));
  Restore();
  auto* const ids = static_cast<int32_t*>(positions_->data);
  for (int64_t t = 0; t < positions_->ne[0]; ++t) {
    ids[t] = static_cast<int32_t>(random->Below(rope_case.n_ctx));
  }
  if (rope_case.factors) {
    const auto factors = Uniform(static_cast<size_t>(pairs), 0.9, 1.1, random);
    std::copy(factors.begin(), factors.end(),
              static_cast<float*>(factors_->data));
  }
}

void RopeOperands::CopyFrom(const RopeOperands& other) {
  x_ = FromFloats(heads_->type, ToFloats(other.heads_->type, other.x_));
  Restore();
  std::memcpy(positions_->data, other.positions_->data,
              ggml_nbytes(positions_));
}

std::vector<uint8_t> RopeOperands::Outside() const {
  const std::vector<uint8_t> now = GatherRows(heads_);
  ScatterRows(std::vector<uint8_t>(now.size()), heads_);
  std::vector<uint8_t> outside = GatherRows(parent_);
  ScatterRows(now, heads_);
  return outside;
}

std::vector<float> RopeOperands::Factors() const {
  if (factors_ == nullptr) return {};
  const auto* const data = static_cast<const float*>(factors_->data);
  return {data, data + factors_->ne[0]};
}

double RopeOperands::PositionBound(int64_t token) const {
  const auto* const ids = static_cast<const int32_t*>(positions_->data);
  int32_t bound = 0;
  for (int c = 0; c < components_; ++c) {
    bound = std::max(bound, std::abs(ids[c * tokens_ + token]));
  }
  return static_cast<double>(bound);
}

std::vector<uint8_t> RotateByGgml(const RopeCase& rope_case,
                                  RopeOperands* operands) {
  GgmlGraph graph;
  ggml_tensor* out = AddGgmlRope(graph.context(), rope_case, operands);
  if (rope_case.arguments.n_offs != 0) {
#if ROPEWALK_GGML_HAS_OFFSET
    out = ggml_rope_set_offset(out, rope_case.arguments.n_offs);
#else
    ADD_FAILURE() << "this ggml has no ggml_rope_set_offset";
#endif
  }
  graph.AddResult(out);
  graph.Compute(/*threads=*/1);
  return GatherRows(out);
}

std::vector<uint8_t> RotateByRopewalk(const RopeCase& rope_case,
                                      RopeOperands* operands, int threads) {
  AngleCache tables{AngleCacheOptions{}};
  const auto rope = ropewalk_ggml::MakeRope(
      rope_case.arguments, operands->factors(), rope_case.mode, &tables);
  EXPECT_TRUE(rope.ok()) << rope.status().message();
  if (!rope.ok()) return {};
  GgmlGraph graph;
  ropewalk_ggml::RopeGraph ropes(graph.context());
  const auto angles = ropes.Angles(rope.value(), operands->positions());
  EXPECT_TRUE(angles.ok()) << angles.status().message();
  if (!angles.ok()) return {};
  const Direction direction =
      rope_case.forward ? Direction::kForward : Direction::kTranspose;
  ggml_tensor* const a = operands->heads();
  const auto out = rope_case.inplace
                       ? ropes.RotateInplace(angles.value(), a, direction)
                       : ropes.Rotate(angles.value(), a, direction);
  EXPECT_TRUE(out.ok()) << out.status().message();
  if (!out.ok()) return {};
  graph.AddResult(out.value());
  graph.Compute(threads);
  EXPECT_TRUE(ropes.status().ok()) << ropes.status().message();
  return GatherRows(out.value());
}

void Difference::Add(const Difference& other) {
  absolute = std::max(absolute, other.absolute);
  of_tolerance = std::max(of_tolerance, other.of_tolerance);
  differ += other.differ;
  elements += other.elements;
}

namespace {

// How far dim d of a head may be apart: dims that do not turn, not at all.
double ToleranceOf(ggml_type type, const Members& members,
                   const std::vector<double>& tolerances, const float* x,
                   size_t d, double magnitude) {
  if (members.pair[d] < 0) return 0;
  const float most =
      std::max(std::fabs(x[d]), std::fabs(x[members.partner[d]]));
  const double tolerance =
      tolerances[static_cast<size_t>(members.pair[d])] * double{most};
  if (type == GGML_TYPE_F16) return tolerance + UlpF16(magnitude);
  if (type == GGML_TYPE_BF16) return tolerance + UlpBF16(magnitude);
  return tolerance;
}

Difference CompareHead(ggml_type type, const Members& members,
                       const std::vector<double>& tolerances, const float* x,
                       const float* got, const float* want) {
  Difference result;
  result.elements = static_cast<int64_t>(members.pair.size());
  for (size_t d = 0; d < members.pair.size(); ++d) {
    const double apart = std::fabs(double{got[d]} - double{want[d]});
    if (apart == 0) continue;
    const double tolerance =
        ToleranceOf(type, members, tolerances, x, d,
                    double{std::max(std::fabs(got[d]), std::fabs(want[d]))});
    // Infinite also for a NaN.
    const bool comparable = tolerance > 0 && std::isfinite(apart);
    result.Add({apart, comparable ? apart / tolerance : HUGE_VAL, 1, 0});
  }
  return result;
}

}  // namespace

Difference Compare(const RopeCase& rope_case, const RopeOperands& operands,
                   ggml_type type, const std::vector<uint8_t>& got,
                   const std::vector<uint8_t>& want) {
  const std::vector<float> x = ToFloats(rope_case.type, operands.x());
  const std::vector<float> ours = ToFloats(type, got);
  const std::vector<float> theirs = ToFloats(type, want);
  EXPECT_EQ(ours.size(), x.size());
  EXPECT_EQ(theirs.size(), x.size());
  Difference result;
  if (ours.size() != x.size() || theirs.size() != x.size()) return result;
  const Members members(rope_case);
  const int64_t* ne = rope_case.ne;
  for (int64_t t = 0; t < ne[2]; ++t) {
    const std::vector<double> tolerances =
        PairTolerances(rope_case, operands, t);
    for (int64_t b = 0; b < ne[3]; ++b) {
      for (int64_t h = 0; h < ne[1]; ++h) {
        const int64_t at = ((b * ne[2] + t) * ne[1] + h) * ne[0];
        result.Add(CompareHead(type, members, tolerances, x.data() + at,
                               ours.data() + at, theirs.data() + at));
      }
    }
  }
  return result;
}

}  // namespace ropewalk::test
