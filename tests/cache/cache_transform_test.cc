// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// RotateIntoCache() with norms and scales: each of Q and K has its own.
#include <cstdint>
#include <vector>

#include "cache/write_case.h"
#include "gtest/gtest.h"
#include "ropewalk/kv_cache.h"
#include "rotate/transform_case.h"
#include "support/all_targets.h"
#include "support/cache.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using CacheTransformTest = AllTargets;

TransformSpec NormOf(HeadNorm::Kind kind, DataType weight_type, int size) {
  TransformSpec spec;
  spec.kind = kind;
  spec.weight_type = weight_type;
  spec.size = size;
  spec.has_weight = true;
  return spec;
}

TEST_P(CacheTransformTest, HasTheBitsOfRotateWithTheTransform) {
  Random random = Random::ForTest();
  for (const DataType in : kAllTypes) {
    for (const DataType out : kAllTypes) {
      for (const int64_t rows : {5, 10}) {
        const HeadsSpec spec = {out, 3, 16, 2, 80, DimOrder::kHeadsTokens,
                                0,   2};
        WriteCase one(spec, spec, &random);
        one.MakeInputs({in, 2, 5, 2, 80}, {in, 2, 5, 2, 80}, 6, &random);
        one.layout = DrawLayout(80, &random);
        one.slots = DrawSlots(10, 48, &random);
        one.slots[4] = -1;
        one.step = MakeStep(96, DrawPositions(rows, &random));
        TransformSpec k_spec = NormOf(HeadNorm::Kind::kLayer, in, 80);
        k_spec.has_bias = k_spec.has_token_scale = true;
        TransformSpec q_spec = NormOf(HeadNorm::Kind::kRms, out, 50);
        q_spec.offset = 7;
        q_spec.scale = 0.11f;
        const TransformCase k_transform(k_spec, rows, &random);
        const TransformCase q_transform(q_spec, rows, &random);
        one.k_transform = k_transform.transform();
        one.q_transform = q_transform.transform();
        EXPECT_TRUE(one.WritesWhatRotateGives())
            << NameOf(in) << " to " << NameOf(out);
      }
    }
  }
}

// The shape of vllm 51049: 16 query heads, 4 key heads, half of 128 dims.
TEST_P(CacheTransformTest, MatchesTheOracle) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    const HeadsSpec spec = {type, 3, 16, 4, 128};
    WriteCase one(spec, spec, &random);
    one.MakeInputs({DataType::kBF16, 1, 6, 4, 128},
                   {DataType::kBF16, 1, 6, 4, 128}, 16, &random);
    one.layout = FullLayout(128, Pairing::kHalf);
    one.layout.rotary_dim = 64;
    one.slots = DrawSlots(6, 48, &random);
    one.step = MakeStep(64, {0, 1, 2, 300, 40000, 131071}, 1.1386294);
    TransformSpec k_spec = NormOf(HeadNorm::Kind::kRms, DataType::kBF16, 128);
    TransformSpec q_spec = k_spec;
    q_spec.scale = 0.08838834764f;
    q_spec.has_token_scale = true;
    const TransformCase k_transform(k_spec, 6, &random);
    const TransformCase q_transform(q_spec, 6, &random);
    one.k_transform = k_transform.transform();
    one.q_transform = q_transform.transform();
    ASSERT_TRUE(Succeeds(one.Run(Parallel::Serial())));
    EXPECT_TRUE(IsTransformed(k_transform, one.step, one.layout, *one.k,
                              one.k_cache.Gather(one.slots)));
    EXPECT_TRUE(IsTransformed(q_transform, one.step, one.layout, *one.q_before,
                              *one.q));
    EXPECT_EQ(one.v_cache.Gather(one.slots).Bytes(),
              one.RotatedTo(*one.v, type, RotaryLayout{128}, HeadTransform())
                  .Bytes());
  }
}

TEST_P(CacheTransformTest, LayersWithoutRopeAreNormedAndNotTurned) {
  Random random = Random::ForTest();
  const HeadsSpec spec = {DataType::kBF16, 1, 8, 2, 64};
  WriteCase one(spec, spec, &random);
  one.MakeInputs({DataType::kF32, 1, 3, 2, 64}, {DataType::kF32, 1, 3, 2, 64},
                 2, &random);
  one.layout.head_dim = 64;
  one.slots = {6, 1, 3};
  one.step = MakeStep(64, {5, 0, 7});
  const TransformCase norm(NormOf(HeadNorm::Kind::kRms, DataType::kF32, 64), 3,
                           &random);
  one.k_transform = norm.transform();
  ASSERT_TRUE(Succeeds(one.Run(Parallel::Serial())));
  EXPECT_TRUE(IsTransformed(norm, one.step, one.layout, *one.k,
                            one.k_cache.Gather(one.slots)));
  EXPECT_EQ(one.q->Bytes(), one.q_before->Bytes());
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(CacheTransformTest);

}  // namespace
}  // namespace ropewalk::test
