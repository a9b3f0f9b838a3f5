// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The adapter in a graph: angles that layers share, views, and what it refuses.
#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "integration/ggml/rope_case.h"
#include "rope_graph.h"
#include "ropewalk/angles.h"

namespace ropewalk::test {
namespace {

using ropewalk_ggml::MakeRope;
using ropewalk_ggml::Rope;
using ropewalk_ggml::RopeArguments;
using ropewalk_ggml::RopeGraph;

RopeCase SmallCase() {
  RopeCase rope_case;
  rope_case.ne[0] = 64;
  rope_case.ne[1] = 4;
  rope_case.ne[2] = 5;
  rope_case.arguments.n_dims = 64;
  rope_case.arguments.mode = GGML_ROPE_TYPE_NEOX;
  return rope_case;
}

Rope RopeOf(const RopeCase& rope_case, RopeOperands* operands,
            AngleCache* tables) {
  const auto rope = MakeRope(rope_case.arguments, operands->factors(),
                             rope_case.mode, tables);
  EXPECT_TRUE(rope.ok()) << rope.status().message();
  return rope.ok() ? rope.value() : Rope();
}

// Rows are made once for eight ropes, and again when the graph is computed with
// other positions.
TEST(GgmlRopeTest, LayersShareTheAnglesOfAStep) {
  const RopeCase rope_case = SmallCase();
  Random random = Random::ForTest();
  RopeOperands operands(rope_case, &random);
  AngleCache tables{AngleCacheOptions{}};
  GgmlGraph graph;
  RopeGraph ropes(graph.context());
  const auto angles =
      ropes.Angles(RopeOf(rope_case, &operands, &tables), operands.positions());
  ASSERT_TRUE(angles.ok()) << angles.status().message();
  std::vector<ggml_tensor*> layers;
  for (int i = 0; i < 8; ++i) {
    const auto out = ropes.Rotate(angles.value(), operands.heads());
    ASSERT_TRUE(out.ok()) << out.status().message();
    layers.push_back(graph.AddResult(out.value()));
  }
  auto* const ids = static_cast<int32_t*>(operands.positions()->data);
  for (size_t step = 1; step <= 3; ++step) {
    graph.Compute(2);
    // The recurrence makes one cos and sin for each pair of each token.
    EXPECT_EQ(tables.stats().trig_evaluations, step * 5 * 32);
    const auto want = RotateByGgml(rope_case, &operands);
    for (const ggml_tensor* layer : layers) {
      EXPECT_LE(
          Compare(rope_case, operands, GGML_TYPE_F32, GatherRows(layer), want)
              .of_tolerance,
          1.0);
    }
    for (int t = 0; t < 5; ++t) ids[t] += 7;
  }
  EXPECT_TRUE(ropes.status().ok());
}

TEST(GgmlRopeTest, RopesWithTheSameNumbersShareATable) {
  RopeCase rope_case = SmallCase();
  rope_case.factors = true;
  Random random = Random::ForTest();
  RopeOperands a(rope_case, &random);
  RopeOperands b(rope_case, &random);
  AngleCache tables{AngleCacheOptions{}};
  const Rope first = RopeOf(rope_case, &a, &tables);
  EXPECT_NE(RopeOf(rope_case, &b, &tables).table, first.table);
  std::memcpy(b.factors()->data, a.factors()->data, ggml_nbytes(a.factors()));
  EXPECT_EQ(RopeOf(rope_case, &b, &tables).table, first.table);
  rope_case.arguments.attn_factor = 1.5f;
  EXPECT_NE(RopeOf(rope_case, &b, &tables).table, first.table);
}

// K between Q and V of a fused buffer, in place and out of it.
TEST(GgmlRopeTest, TurnsKInAFusedBuffer) {
  RopeCase rope_case = SmallCase();
  rope_case.place = Place::kFused;
  Random random = Random::ForTest();
  for (const ggml_type type : {GGML_TYPE_F32, GGML_TYPE_F16}) {
    for (const bool inplace : {false, true}) {
      rope_case.type = type;
      rope_case.inplace = inplace;
      RopeOperands operands(rope_case, &random);
      const auto want = RotateByGgml(rope_case, &operands);
      operands.Restore();
      const auto outside = operands.Outside();
      const auto got = RotateByRopewalk(rope_case, &operands, 3);
      EXPECT_LE(Compare(rope_case, operands, type, got, want).of_tolerance,
                1.0);
      EXPECT_EQ(operands.Outside(), outside);
    }
  }
}

// ggml has no rope for bf16: beside its rope of the same numbers in f32.
TEST(GgmlRopeTest, TurnsBf16) {
  const RopeCase f32 = SmallCase();
  RopeCase bf16 = f32;
  bf16.type = GGML_TYPE_BF16;
  Random random = Random::ForTest();
  RopeOperands operands(bf16, &random);
  RopeOperands wide(f32, &random);
  wide.CopyFrom(operands);
  const auto want = FromFloats(
      GGML_TYPE_BF16, ToFloats(GGML_TYPE_F32, RotateByGgml(f32, &wide)));
  const auto got = RotateByRopewalk(bf16, &operands, 2);
  const Difference difference =
      Compare(bf16, operands, GGML_TYPE_BF16, got, want);
  EXPECT_LE(difference.of_tolerance, 1.0);
}

// What ggml needs a copy for: its rope makes a dense tensor.
TEST(GgmlRopeTest, WritesIntoAViewOfOtherStrides) {
  RopeCase rope_case = SmallCase();
  rope_case.ne[3] = 2;  // two batches at the same positions
  Random random = Random::ForTest();
  RopeOperands in(rope_case, &random);
  rope_case.place = Place::kCorner;
  RopeOperands out(rope_case, &random);
  const auto outside = out.Outside();
  AngleCache tables{AngleCacheOptions{}};
  GgmlGraph graph;
  RopeGraph ropes(graph.context());
  const auto angles =
      ropes.Angles(RopeOf(rope_case, &in, &tables), in.positions());
  ASSERT_TRUE(angles.ok()) << angles.status().message();
  const auto node = ropes.RotateInto(angles.value(), in.heads(), out.heads());
  ASSERT_TRUE(node.ok()) << node.status().message();
  graph.AddResult(node.value());
  graph.Compute(2);
  EXPECT_TRUE(ropes.status().ok()) << ropes.status().message();
  EXPECT_EQ(GatherRows(out.heads()), RotateByRopewalk(rope_case, &in, 1));
  EXPECT_EQ(out.Outside(), outside);
  EXPECT_EQ(GatherRows(in.heads()), in.x());
}

// An error that only shows in a computation reaches the engine, and nothing has
// been written; a computation after it is none the worse.
TEST(GgmlRopeTest, AFailureOfAComputationIsTold) {
  RopeCase rope_case = SmallCase();
  rope_case.place = Place::kFused;
  Random random = Random::ForTest();
  RopeOperands operands(rope_case, &random);
  AngleCache tables{AngleCacheOptions{}};
  GgmlGraph graph;
  RopeGraph ropes(graph.context());
  const auto angles =
      ropes.Angles(RopeOf(rope_case, &operands, &tables), operands.positions());
  ASSERT_TRUE(angles.ok()) << angles.status().message();
  ggml_tensor* const k = operands.heads();
  // One head further on in the same buffer.
  ggml_tensor* const next = ggml_view_4d(
      graph.context(), k, 64, 4, 5, 1, k->nb[1], k->nb[2], k->nb[3], k->nb[1]);
  const auto node = ropes.RotateInto(angles.value(), k, next);
  ASSERT_TRUE(node.ok()) << node.status().message();
  graph.AddResult(node.value());
  const auto outside = operands.Outside();
  for (const int threads : {1, 3}) {
    graph.Compute(threads);
    EXPECT_EQ(ropes.status().code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(GatherRows(k), operands.x());
    EXPECT_EQ(operands.Outside(), outside);
  }
}

}  // namespace
}  // namespace ropewalk::test
