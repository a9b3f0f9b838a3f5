// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// llama.cpp's use of a K cache, [heads * head_dim, cells, streams]: the K-shift
// beside ggml's rope in place, and rotated keys on their way to their cells
// beside ggml's rope and set_rows.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "integration/ggml/rope_case.h"
#include "rope_graph.h"
#include "support/all_targets.h"

namespace ropewalk::test {
namespace {

using GgmlShiftTest = AllTargets;
using GgmlSetRowsTest = AllTargets;
using ropewalk_ggml::MakeRope;
using ropewalk_ggml::RopeArguments;
using ropewalk_ggml::RopeGraph;

constexpr int64_t kCells = 60;  // of all streams

// A cache as ggml's rope sees it: its cells are tokens, the deltas positions.
RopeCase CacheCase(ggml_type type, int mode) {
  RopeCase rope_case;
  rope_case.type = type;
  rope_case.ne[0] = 128;
  rope_case.ne[1] = 8;
  rope_case.ne[2] = kCells;
  rope_case.arguments.mode = mode;
  rope_case.arguments.n_dims = 128;
  rope_case.arguments.freq_base = 500000;
  rope_case.mode = AngleMode::kExact;
  rope_case.inplace = true;
  return rope_case;
}

// A third each of cells that stay, move back and move on.
void MakeDeltas(RopeOperands* operands, Random* random) {
  auto* const deltas = static_cast<int32_t*>(operands->positions()->data);
  for (int64_t i = 0; i < kCells; ++i) {
    const auto delta = static_cast<int32_t>(random->Between(1, 5000));
    deltas[i] = i % 3 == 0 ? 0 : i % 3 == 1 ? -delta : delta;
  }
}

// The heads as a cache of so many streams.
ggml_tensor* CacheIn(ggml_context* context, ggml_tensor* heads,
                     int64_t streams) {
  return ggml_reshape_3d(context, heads, heads->ne[0] * heads->ne[1],
                         kCells / streams, streams);
}

std::vector<uint8_t> ShiftByRopewalk(const RopeCase& rope_case,
                                     RopeOperands* operands, int64_t streams,
                                     int threads) {
  operands->Restore();
  AngleCache tables{AngleCacheOptions{}};
  const auto rope = MakeRope(rope_case.arguments, operands->factors(),
                             rope_case.mode, &tables);
  EXPECT_TRUE(rope.ok()) << rope.status().message();
  if (!rope.ok()) return {};
  GgmlGraph graph;
  RopeGraph ropes(graph.context());
  const auto angles = ropes.ShiftAngles(rope.value(), operands->positions());
  EXPECT_TRUE(angles.ok()) << angles.status().message();
  if (!angles.ok()) return {};
  const auto shifted = ropes.ShiftCache(
      angles.value(), CacheIn(graph.context(), operands->heads(), streams),
      static_cast<int>(rope_case.ne[1]));
  EXPECT_TRUE(shifted.ok()) << shifted.status().message();
  if (!shifted.ok()) return {};
  graph.AddResult(shifted.value());
  graph.Compute(threads);
  EXPECT_TRUE(ropes.status().ok()) << ropes.status().message();
  return GatherRows(operands->heads());
}

void ExpectCellsThatStay(const RopeOperands& operands,
                         const std::vector<uint8_t>& got) {
  const size_t cell = got.size() / kCells;
  for (size_t i = 0; i < kCells; i += 3) {
    EXPECT_TRUE(std::equal(
        got.begin() + static_cast<std::ptrdiff_t>(i * cell),
        got.begin() + static_cast<std::ptrdiff_t>((i + 1) * cell),
        operands.x().begin() + static_cast<std::ptrdiff_t>(i * cell)))
        << "cell " << i;
  }
}

// ggml's angles are those of its running product, ours exact.
void ExpectShifts(const RopeCase& rope_case, Random* random) {
  RopeOperands operands(rope_case, random);
  MakeDeltas(&operands, random);
  const auto want = RotateByGgml(rope_case, &operands);
  const auto got = ShiftByRopewalk(rope_case, &operands, 1, 1);
  EXPECT_LE(
      Compare(rope_case, operands, rope_case.type, got, want).of_tolerance,
      1.0);
  ExpectCellsThatStay(operands, got);
  for (const int threads : {1, 2, 3}) {
    EXPECT_EQ(ShiftByRopewalk(rope_case, &operands, 3, threads), got);
  }
}

TEST_P(GgmlShiftTest, TurnsCellsAsRopeInPlace) {
  Random random = Random::ForTest();
  for (const ggml_type type : {GGML_TYPE_F32, GGML_TYPE_F16}) {
    for (const int mode : {GGML_ROPE_TYPE_NORMAL, GGML_ROPE_TYPE_NEOX}) {
      SCOPED_TRACE(std::string(ggml_type_name(type)) + " mode " +
                   std::to_string(mode));
      RopeCase rope_case = CacheCase(type, mode);
      ExpectShifts(rope_case, &random);
      rope_case.factors = true;
      ExpectShifts(rope_case, &random);
      rope_case.arguments.freq_scale = 0.125f;
      ExpectShifts(rope_case, &random);
    }
  }
}

// The latent part of an MLA row stays, bit for bit.
TEST_P(GgmlShiftTest, TurnsTheTailOfAnMlaRow) {
#if ROPEWALK_GGML_HAS_OFFSET
  Random random = Random::ForTest();
  RopeCase rope_case = CacheCase(GGML_TYPE_F16, GGML_ROPE_TYPE_NORMAL);
  rope_case.ne[0] = 576;
  rope_case.ne[1] = 1;
  rope_case.arguments.n_dims = 64;
  rope_case.arguments.n_offs = 512;
  ExpectShifts(rope_case, &random);
#else
  GTEST_SKIP() << "this ggml has no ggml_rope_set_offset";
#endif
}

// ggml has no rope for bf16: beside its rope of the same numbers in f32.
TEST_P(GgmlShiftTest, ShiftsABf16Cache) {
  Random random = Random::ForTest();
  const RopeCase bf16 = CacheCase(GGML_TYPE_BF16, GGML_ROPE_TYPE_NEOX);
  const RopeCase f32 = CacheCase(GGML_TYPE_F32, GGML_ROPE_TYPE_NEOX);
  RopeOperands operands(bf16, &random);
  MakeDeltas(&operands, &random);
  RopeOperands wide(f32, &random);
  wide.CopyFrom(operands);
  const auto want = FromFloats(
      GGML_TYPE_BF16, ToFloats(GGML_TYPE_F32, RotateByGgml(f32, &wide)));
  const auto got = ShiftByRopewalk(bf16, &operands, 2, 2);
  EXPECT_LE(Compare(bf16, operands, GGML_TYPE_BF16, got, want).of_tolerance,
            1.0);
  ExpectCellsThatStay(operands, got);
}

// Cached keys contain YaRN's factor. ggml's rope multiplies it in again, unless
// attn_factor takes it out.
TEST_P(GgmlShiftTest, LeavesTheAttentionFactorAsItIs) {
  Random random = Random::ForTest();
  RopeCase yarn = CacheCase(GGML_TYPE_F32, GGML_ROPE_TYPE_NEOX);
  yarn.arguments.n_ctx_orig = 8192;
  yarn.arguments.freq_scale = 0.25f;
  yarn.arguments.ext_factor = 1;
  RopeOperands operands(yarn, &random);
  MakeDeltas(&operands, &random);
  RopeCase without = yarn;
  without.arguments.attn_factor =
      1.0f / (1.0f + 0.1f * std::log(1.0f / without.arguments.freq_scale));
  const auto want = RotateByGgml(without, &operands);
  const auto got = ShiftByRopewalk(yarn, &operands, 1, 2);
  // The tolerance has room for a factor that is an ulp off 1.
  EXPECT_LE(Compare(without, operands, GGML_TYPE_F32, got, want).of_tolerance,
            1.0);
}

// Keys of a step, and where they go.
struct Write {
  Write(const RopeCase& rope_case, ggml_type cache_type, Random* random)
      : operands(rope_case, random) {
    ggml_context* const context = tensors.context();
    const int64_t tokens = rope_case.ne[2];
    cache = ggml_new_tensor_2d(context, cache_type,
                               rope_case.ne[0] * rope_case.ne[1], kCells);
    cells = ggml_new_tensor_1d(context, GGML_TYPE_I64, tokens);
    narrow = ggml_new_tensor_1d(context, GGML_TYPE_I32, tokens);
    tensors.Allocate();
    auto* const bytes = static_cast<uint8_t*>(cache->data);
    for (size_t i = 0; i < ggml_nbytes(cache); ++i) {
      bytes[i] = static_cast<uint8_t>(random->Next());
    }
    before = GatherRows(cache);
    // All different: 7 and 60 share no factor.
    for (int64_t t = 0; t < tokens; ++t) {
      ids()[t] = (5 + 7 * t) % kCells;
      static_cast<int32_t*>(narrow->data)[t] = static_cast<int32_t>(ids()[t]);
    }
  }
  int64_t* ids() { return static_cast<int64_t*>(cells->data); }
  // The rows of the tokens, out of a whole cache.
  std::vector<uint8_t> RowsOf(const std::vector<uint8_t>& bytes) {
    const size_t row = bytes.size() / kCells;
    std::vector<uint8_t> rows;
    for (int64_t t = 0; t < cells->ne[0]; ++t) {
      const auto at =
          bytes.begin() + static_cast<std::ptrdiff_t>(row) * ids()[t];
      rows.insert(rows.end(), at, at + static_cast<std::ptrdiff_t>(row));
    }
    return rows;
  }

  RopeOperands operands;
  GgmlTensors tensors;
  ggml_tensor* cache;
  ggml_tensor* cells;
  ggml_tensor* narrow;  // the cells as i32
  std::vector<uint8_t> before;
};

std::vector<uint8_t> WriteByGgml(const RopeCase& rope_case, Write* write) {
  ScatterRows(write->before, write->cache);
  const RopeArguments& r = rope_case.arguments;
  GgmlGraph graph;
  ggml_tensor* const k = ggml_rope_ext(
      graph.context(), write->operands.heads(), write->operands.positions(),
      write->operands.factors(), r.n_dims, r.mode, r.n_ctx_orig, r.freq_base,
      r.freq_scale, r.ext_factor, r.attn_factor, r.beta_fast, r.beta_slow);
  graph.AddResult(ggml_set_rows(
      graph.context(), write->cache,
      ggml_reshape_2d(graph.context(), k, k->ne[0] * k->ne[1], k->ne[2]),
      write->cells));
  graph.Compute(2);
  return GatherRows(write->cache);
}

// The status of the computation.
Status WriteByRopewalk(const RopeCase& rope_case, Write* write, int threads,
                       ggml_tensor* cells) {
  ScatterRows(write->before, write->cache);
  AngleCache tables{AngleCacheOptions{}};
  const auto rope = MakeRope(rope_case.arguments, write->operands.factors(),
                             rope_case.mode, &tables);
  if (!rope.ok()) return rope.status();
  GgmlGraph graph;
  RopeGraph ropes(graph.context());
  const auto angles = ropes.Angles(rope.value(), write->operands.positions());
  if (!angles.ok()) return angles.status();
  // Two streams: cells count on from one to the next.
  const auto stored =
      ropes.RotateIntoCache(angles.value(), write->operands.heads(),
                            ggml_reshape_3d(graph.context(), write->cache,
                                            write->cache->ne[0], kCells / 2, 2),
                            cells);
  if (!stored.ok()) return stored.status();
  graph.AddResult(stored.value());
  graph.Compute(threads);
  return ropes.status();
}

RopeCase WriteCase(int mode) {
  RopeCase rope_case;
  rope_case.ne[0] = 128;
  rope_case.ne[1] = 8;
  rope_case.ne[2] = 23;
  rope_case.n_ctx = 32768;
  rope_case.arguments.mode = mode;
  rope_case.arguments.n_dims = 96;
  rope_case.arguments.attn_factor = 1.25f;
  rope_case.factors = true;
  return rope_case;
}

void ExpectWrites(const RopeCase& rope_case, ggml_type cache_type,
                  Random* random) {
  Write write(rope_case, cache_type, random);
  const auto want = WriteByGgml(rope_case, &write);
  Status status = WriteByRopewalk(rope_case, &write, 1, write.cells);
  ASSERT_TRUE(status.ok()) << status.message();
  const auto got = GatherRows(write.cache);
  EXPECT_LE(Compare(rope_case, write.operands, cache_type, write.RowsOf(got),
                    write.RowsOf(want))
                .of_tolerance,
            1.0);
  // With the rows of both alike, all else must be.
  std::vector<uint8_t> rest = got;
  const auto row = static_cast<std::ptrdiff_t>(got.size() / kCells);
  for (int64_t t = 0; t < write.cells->ne[0]; ++t) {
    const auto at = row * write.ids()[t];
    std::copy_n(write.before.begin() + at, row, rest.begin() + at);
  }
  EXPECT_EQ(rest, write.before);
  for (const int threads : {2, 3}) {
    status = WriteByRopewalk(rope_case, &write, threads, write.narrow);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(GatherRows(write.cache), got);
  }
}

TEST_P(GgmlSetRowsTest, StoresAsRopeThenSetRows) {
  Random random = Random::ForTest();
  for (const int mode : {GGML_ROPE_TYPE_NORMAL, GGML_ROPE_TYPE_NEOX}) {
    for (const ggml_type type :
         {GGML_TYPE_F16, GGML_TYPE_F32, GGML_TYPE_BF16}) {
      SCOPED_TRACE(std::string(ggml_type_name(type)) + " mode " +
                   std::to_string(mode));
      ExpectWrites(WriteCase(mode), type, &random);
    }
  }
}

TEST_P(GgmlSetRowsTest, SkipsTokensAndRefusesCellsOutside) {
  Random random = Random::ForTest();
  const RopeCase rope_case = WriteCase(GGML_ROPE_TYPE_NEOX);
  Write write(rope_case, GGML_TYPE_F16, &random);
  write.ids()[3] = kCells;
  for (const int threads : {1, 3}) {
    EXPECT_EQ(WriteByRopewalk(rope_case, &write, threads, write.cells).code(),
              StatusCode::kOutOfRange);
    EXPECT_EQ(GatherRows(write.cache), write.before);
  }
  std::fill_n(write.ids(), write.cells->ne[0], -1);
  EXPECT_TRUE(WriteByRopewalk(rope_case, &write, 2, write.cells).ok());
  EXPECT_EQ(GatherRows(write.cache), write.before);
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(GgmlShiftTest);
ROPEWALK_INSTANTIATE_ALL_TARGETS(GgmlSetRowsTest);

}  // namespace
}  // namespace ropewalk::test
