// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Transforms that are refused, by every call that takes one, before a byte
// changes.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "cache/refusal.h"
#include "gtest/gtest.h"
#include "ropewalk/head_transform.h"
#include "ropewalk/kv_cache.h"
#include "ropewalk/rotate.h"
#include "support/cache.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

constexpr StatusCode kInvalid = StatusCode::kInvalidArgument;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr int kDims = 32;

using TransformRefusal = Refusal<HeadTransform>;

// Each call with a transform that is wrong, on memory of its own.
class Calls {
 public:
  Calls(int head_dim, Random* random)
      : layout_(FullLayout(head_dim, Pairing::kHalf)),
        x_({DataType::kF32, 1, 3, 2, head_dim}, random),
        y_({DataType::kF32, 1, 3, 2, head_dim}, random),
        cache_({DataType::kF32, 1, 8, 2, head_dim}, random) {
    layout_.rotary_dim = kDims;
  }

  std::vector<Status> Run(const HeadTransform& transform) const {
    RotateOptions options;
    options.transform = transform;
    CacheWrite as_keys;
    const ConstHeadsView k = x_.view();
    as_keys.k = &k;
    as_keys.k_layout = layout_;
    as_keys.k_transform = transform;
    as_keys.k_cache = cache_.view();
    CacheWrite as_queries;
    as_queries.q = y_.view();
    as_queries.q_layout = layout_;
    as_queries.q_transform = transform;
    const Slots slots = Slots::Range(2, 3);
    const Parallel serial = Parallel::Serial();
    return {
        Rotate(step_.rows, layout_, {x_.view()}, options),
        Rotate(step_.rows, layout_, x_.view(), y_.view(), options),
        RotateIntoCache(step_.rows, as_keys, slots, serial),
        RotateIntoCache(step_.rows, as_queries, slots, serial),
    };
  }

  std::vector<std::vector<uint8_t>> Bytes() const {
    return {x_.Bytes(), y_.Bytes(), cache_.Bytes()};
  }

 private:
  Step step_ = MakeStep(kDims, Count(4, 3));
  RotaryLayout layout_;
  Heads x_, y_;
  Cache cache_;
};

TEST(HeadTransformErrorsTest, TransformsAgainstTheirRules) {
  Random random = Random::ForTest();
  const Calls calls(kDims, &random);
  const auto before = calls.Bytes();
  const float weights[kDims + 1] = {};
  const auto odd = [&](int by) {
    return reinterpret_cast<const uint8_t*>(weights) + by;
  };
  const std::vector<TransformRefusal> refusals = {
      {kInvalid,
       {"scale = nan", "finite"},
       [](HeadTransform* t) { t->scale = kNan; }},
      {kInvalid,
       {"scale = inf", "finite"},
       [](HeadTransform* t) { t->scale = kInfinity; }},
      {kInvalid,
       {"norm.size = 33", "head_dim = 32"},
       [](HeadTransform* t) { t->norm.size = 33; }},
      {kInvalid,
       {"norm.size = -1", "head_dim = 32"},
       [](HeadTransform* t) { t->norm.size = -1; }},
      {kInvalid,
       {"norm.offset = 1", "head_dim = 32"},
       [](HeadTransform* t) { t->norm.offset = 1; }},
      {kInvalid,
       {"norm.offset = -1"},
       [](HeadTransform* t) { t->norm.offset = -1; }},
      // Their sum is past an int.
      {kInvalid,
       {"norm.offset = 2147483647"},
       [](HeadTransform* t) { t->norm.offset = 2147483647; }},
      {kInvalid,
       {"norm.kind = 2"},
       [](HeadTransform* t) { t->norm.kind = static_cast<HeadNorm::Kind>(2); }},
      {kInvalid,
       {"norm.weight_type = 3"},
       [](HeadTransform* t) {
         t->norm.weight_type = static_cast<DataType>(3);
       }},
      {kInvalid,
       {"norm.epsilon = -1e-06", "not negative"},
       [](HeadTransform* t) { t->norm.epsilon = -1e-6f; }},
      {kInvalid,
       {"norm.epsilon = nan", "finite"},
       [](HeadTransform* t) { t->norm.epsilon = kNan; }},
      {kInvalid,
       {"norm.epsilon = inf", "finite"},
       [](HeadTransform* t) { t->norm.epsilon = kInfinity; }},
      {kInvalid,
       {"norm.bias", "null with kRms"},
       [&](HeadTransform* t) { t->norm.bias = weights; }},
      {kInvalid,
       {"norm.weight", "aligned", "4"},
       [&](HeadTransform* t) { t->norm.weight = odd(2); }},
      {kInvalid,
       {"norm.weight", "aligned", "2"},
       [&](HeadTransform* t) {
         t->norm.weight_type = DataType::kBF16;
         t->norm.weight = odd(1);
       }},
      {kInvalid,
       {"norm.bias", "aligned", "4"},
       [&](HeadTransform* t) {
         t->norm.kind = HeadNorm::Kind::kLayer;
         t->norm.bias = odd(2);
       }},
  };
  for (const TransformRefusal& refusal : refusals) {
    HeadTransform transform;
    transform.norm.size = kDims;
    refusal.change(&transform);
    for (const Status& status : calls.Run(transform)) {
      ExpectRefused(status, refusal.code, refusal.words);
    }
  }
  EXPECT_TRUE(calls.Bytes() == before) << "a call that failed wrote";
}

TEST(HeadTransformErrorsTest, HeadsPastTheBufferAreUnsupported) {
  Random random = Random::ForTest();
  const Calls calls(kMaxTransformDim + 1, &random);
  const auto before = calls.Bytes();
  const float ones[] = {1, 1, 1};
  HeadTransform norm, scale, token_scale;
  norm.norm.size = 8;
  scale.scale = 2;
  token_scale.token_scale = ones;
  for (const HeadTransform& transform : {norm, scale, token_scale}) {
    for (const Status& status : calls.Run(transform)) {
      ExpectRefused(status, StatusCode::kUnsupported,
                    {"head_dim = 4097", "at most 4096"});
    }
  }
  EXPECT_TRUE(calls.Bytes() == before);
  // Without anything to do they are as any other.
  for (const Status& status : calls.Run(HeadTransform())) {
    EXPECT_TRUE(Succeeds(status));
  }
}

// A norm of no dims is none, whatever else is in it.
TEST(HeadTransformErrorsTest, WhatIsNotThereHasNoRules) {
  Random random = Random::ForTest();
  const Calls calls(kDims, &random);
  HeadTransform transform;
  transform.norm.epsilon = -1;
  transform.norm.offset = 99;
  transform.norm.kind = static_cast<HeadNorm::Kind>(7);
  for (const Status& status : calls.Run(transform)) {
    EXPECT_TRUE(Succeeds(status));
  }
}

}  // namespace
}  // namespace ropewalk::test
