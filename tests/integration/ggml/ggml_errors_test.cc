// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What the adapter refuses while a model is loaded or a graph is built: where
// ggml would end the process, read past a tensor, or do something else.
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "integration/ggml/ggml_cpu.h"
#include "rope_graph.h"
#include "rope_mapping.h"

namespace ropewalk::test {
namespace {

using ropewalk_ggml::MakeRope;
using ropewalk_ggml::Rope;
using ropewalk_ggml::RopeAngles;
using ropewalk_ggml::RopeArguments;
using ropewalk_ggml::RopeGraph;

constexpr StatusCode kInvalid = StatusCode::kInvalidArgument;
constexpr StatusCode kUnsupported = StatusCode::kUnsupported;

RopeArguments ArgumentsOf(int mode, int n_dims = 64) {
  RopeArguments arguments;
  arguments.mode = mode;
  arguments.n_dims = n_dims;
  if (ropewalk_ggml::ComponentsOf(arguments) > 1) {
    arguments.sections[0] = arguments.sections[1] = 16;
  }
  return arguments;
}

void ExpectRefused(const Status& status, StatusCode code, const char* word) {
  EXPECT_EQ(status.code(), code) << status.message();
  EXPECT_NE(std::string(status.message()).find(word), std::string::npos)
      << status.message();
}

struct WrongArguments {
  const char* word;  // in the message
  StatusCode code;
  std::function<void(RopeArguments*)> change;
};

TEST(GgmlErrorsTest, ArgumentsThatNoRopeHas) {
  const WrongArguments kWrong[] = {
      {"mode", kUnsupported, [](RopeArguments* a) { a->mode = 1; }},
      {"mode", kUnsupported, [](RopeArguments* a) { a->mode = 4; }},
      {"rotary_dim", kInvalid, [](RopeArguments* a) { a->n_dims = 63; }},
      {"rotary_dim", kInvalid, [](RopeArguments* a) { a->n_dims = -2; }},
      {"freq_scale", kInvalid, [](RopeArguments* a) { a->freq_scale = 0; }},
      {"attn_factor", kInvalid, [](RopeArguments* a) { a->attn_factor = 0; }},
      {"base", kInvalid, [](RopeArguments* a) { a->freq_base = 0; }},
      {"n_ctx_orig", kInvalid, [](RopeArguments* a) { a->n_ctx_orig = -1; }},
      {"ext_factor", kInvalid,
       [](RopeArguments* a) {
         a->ext_factor = std::numeric_limits<float>::quiet_NaN();
       }},
      {"sections", kInvalid,
       [](RopeArguments* a) {
         *a = RopeArguments{64, GGML_ROPE_TYPE_MROPE};
       }},
      {"sections", kInvalid,
       [](RopeArguments* a) {
         *a = RopeArguments{64, GGML_ROPE_TYPE_IMROPE};
       }},
  };
  AngleCache tables{AngleCacheOptions{}};
  for (const WrongArguments& wrong : kWrong) {
    RopeArguments arguments = ArgumentsOf(GGML_ROPE_TYPE_NEOX);
    wrong.change(&arguments);
    ExpectRefused(
        MakeRope(arguments, nullptr, AngleMode::kFloat32Recurrence, &tables)
            .status(),
        wrong.code, wrong.word);
  }
}

TEST(GgmlErrorsTest, VisionThatIsNotGgmls) {
  AngleCache tables{AngleCacheOptions{}};
  RopeArguments vision = ArgumentsOf(GGML_ROPE_TYPE_VISION, 32);
  // Its running product starts again, which the recurrence does not.
  ExpectRefused(
      MakeRope(vision, nullptr, AngleMode::kFloat32Recurrence, &tables)
          .status(),
      kUnsupported, "ecurrence");
  EXPECT_TRUE(MakeRope(vision, nullptr, AngleMode::kExact, &tables).ok());
  vision.n_offs = 2;
  ExpectRefused(MakeRope(vision, nullptr, AngleMode::kExact, &tables).status(),
                kInvalid, "n_offs");
  vision.n_offs = 0;
  vision.ext_factor = 1;
  vision.freq_scale = -1;  // whose logarithm ggml would take
  ExpectRefused(MakeRope(vision, nullptr, AngleMode::kExact, &tables).status(),
                kInvalid, "attention_factor");
}

TEST(GgmlErrorsTest, FactorsThatAreNotOneAPair) {
  GgmlTensors tensors;
  ggml_context* const context = tensors.context();
  ggml_tensor* const few = ggml_new_tensor_1d(context, GGML_TYPE_F32, 31);
  ggml_tensor* const half = ggml_new_tensor_1d(context, GGML_TYPE_F16, 32);
  ggml_tensor* const zero = ggml_new_tensor_1d(context, GGML_TYPE_F32, 32);
  ggml_tensor* const wide = ggml_new_tensor_2d(context, GGML_TYPE_F32, 2, 64);
  ggml_tensor* const gaps = ggml_transpose(context, wide);
  tensors.Allocate();
  std::fill_n(static_cast<float*>(zero->data), 32, 0.0f);
  AngleCache tables{AngleCacheOptions{}};
  GgmlGraph unloaded;
  ggml_tensor* const later =
      ggml_new_tensor_1d(unloaded.context(), GGML_TYPE_F32, 32);
  for (const ggml_tensor* factors : {few, half, zero, gaps, later}) {
    ExpectRefused(MakeRope(ArgumentsOf(GGML_ROPE_TYPE_NEOX), factors,
                           AngleMode::kExact, &tables)
                      .status(),
                  kInvalid, "freq_factors");
  }
}

// A graph with tensors to be wrong with: angles of 4 tokens for head_dim 64.
class GgmlGraphErrorsTest : public testing::Test {
 protected:
  GgmlGraphErrorsTest() : ropes_(graph_.context()) {
    angles_ = AnglesOf(GGML_ROPE_TYPE_NEOX, 64, /*shift=*/false);
    shift_ = AnglesOf(GGML_ROPE_TYPE_NEOX, 64, /*shift=*/true);
  }

  Rope RopeOf(int mode, int n_dims) {
    const auto rope = MakeRope(ArgumentsOf(mode, n_dims), nullptr,
                               AngleMode::kExact, &tables_);
    EXPECT_TRUE(rope.ok()) << rope.status().message();
    return rope.ok() ? rope.value() : Rope();
  }

  const RopeAngles* AnglesOf(int mode, int n_dims, bool shift) {
    const Rope rope = RopeOf(mode, n_dims);
    ggml_tensor* const ids =
        New(GGML_TYPE_I32, 4 * ropewalk_ggml::ComponentsOf(rope.arguments));
    const auto angles =
        shift ? ropes_.ShiftAngles(rope, ids) : ropes_.Angles(rope, ids);
    EXPECT_TRUE(angles.ok()) << angles.status().message();
    return angles.ok() ? angles.value() : nullptr;
  }

  ggml_tensor* New(ggml_type type, int64_t ne0, int64_t ne1 = 1,
                   int64_t ne2 = 1) {
    return ggml_new_tensor_3d(graph_.context(), type, ne0, ne1, ne2);
  }

  AngleCache tables_{AngleCacheOptions{}};
  GgmlGraph graph_;
  RopeGraph ropes_;
  const RopeAngles* angles_ = nullptr;
  const RopeAngles* shift_ = nullptr;
};

TEST_F(GgmlGraphErrorsTest, Positions) {
  const Rope text = RopeOf(GGML_ROPE_TYPE_NEOX, 64);
  const Rope images = RopeOf(GGML_ROPE_TYPE_MROPE, 64);
  ExpectRefused(ropes_.Angles(text, New(GGML_TYPE_I64, 4)).status(), kInvalid,
                "positions");
  ExpectRefused(ropes_.Angles(text, New(GGML_TYPE_F32, 4)).status(), kInvalid,
                "positions");
  ExpectRefused(ropes_.Angles(text, New(GGML_TYPE_I32, 4, 2)).status(),
                kInvalid, "positions");
  ExpectRefused(ropes_.Angles(images, New(GGML_TYPE_I32, 6)).status(), kInvalid,
                "positions");
  // Not all streams of M-RoPE move by one delta.
  ExpectRefused(ropes_.ShiftAngles(images, New(GGML_TYPE_I32, 4)).status(),
                kUnsupported, "mode");
}

TEST_F(GgmlGraphErrorsTest, Heads) {
  const auto refuse = [this](ggml_tensor* a, StatusCode code,
                             const char* word) {
    ExpectRefused(ropes_.Rotate(angles_, a).status(), code, word);
    ExpectRefused(ropes_.RotateInplace(angles_, a).status(), code, word);
  };
  refuse(New(GGML_TYPE_Q8_0, 64, 2, 4), kUnsupported, "type");
  refuse(New(GGML_TYPE_I32, 64, 2, 4), kUnsupported, "type");
  refuse(ggml_transpose(graph_.context(), New(GGML_TYPE_F32, 2, 64, 4)),
         kUnsupported, "gaps");
  refuse(New(GGML_TYPE_F32, 64, 2, 3), kInvalid, "tokens");
  refuse(New(GGML_TYPE_F32, 62, 2, 4), kInvalid, "head_dim");
  ggml_tensor* const a = New(GGML_TYPE_F32, 64, 2, 4);
  ExpectRefused(
      ropes_.RotateInto(angles_, a, New(GGML_TYPE_F16, 64, 2, 4)).status(),
      kInvalid, "out");
  ExpectRefused(
      ropes_.RotateInto(angles_, a, New(GGML_TYPE_F32, 64, 3, 4)).status(),
      kInvalid, "out");
  ExpectRefused(ropes_.Rotate(shift_, a).status(), kInvalid, "ShiftAngles");
  const RopeAngles* const vision =
      AnglesOf(GGML_ROPE_TYPE_VISION, 32, /*shift=*/false);
  EXPECT_TRUE(ropes_.Rotate(vision, a).ok());
  ExpectRefused(ropes_.Rotate(vision, New(GGML_TYPE_F32, 80, 2, 4)).status(),
                kInvalid, "n_dims");
}

TEST_F(GgmlGraphErrorsTest, Caches) {
  ggml_tensor* const k = New(GGML_TYPE_F32, 64, 2, 4);
  ggml_tensor* const cells = New(GGML_TYPE_I64, 4);
  ggml_tensor* const cache = New(GGML_TYPE_F16, 128, 4);
  const auto store = [&](ggml_tensor* keys, ggml_tensor* to, ggml_tensor* at) {
    return ropes_.RotateIntoCache(angles_, keys, to, at).status();
  };
  EXPECT_TRUE(store(k, cache, cells).ok());
  ExpectRefused(store(k, New(GGML_TYPE_Q8_0, 128, 4), cells), kUnsupported,
                "type");
  ExpectRefused(store(k, New(GGML_TYPE_F16, 64, 4), cells), kInvalid,
                "k_cache");
  ExpectRefused(store(k, cache, New(GGML_TYPE_F32, 4)), kInvalid, "cells");
  ExpectRefused(store(k, cache, New(GGML_TYPE_I64, 3)), kInvalid, "cells");
  const auto shift = [&](const RopeAngles* by, ggml_tensor* at, int heads) {
    return ropes_.ShiftCache(by, at, heads).status();
  };
  EXPECT_TRUE(shift(shift_, cache, 2).ok());
  ExpectRefused(shift(angles_, cache, 2), kInvalid, "shift_angles");
  ExpectRefused(shift(shift_, cache, 3), kInvalid, "heads");
  ExpectRefused(shift(shift_, cache, 0), kInvalid, "heads");
  ExpectRefused(shift(shift_, cache, 4), kInvalid, "head_dim");
  ExpectRefused(shift(shift_, New(GGML_TYPE_F16, 128, 5), 2), kInvalid,
                "deltas");
  ExpectRefused(shift(shift_, New(GGML_TYPE_Q4_0, 128, 4), 2), kUnsupported,
                "type");
}

}  // namespace
}  // namespace ropewalk::test
