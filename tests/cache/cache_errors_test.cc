// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What RotateIntoCache() refuses: each argument is named with its value and the
// rule, and no byte has changed.
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "cache/refusal.h"
#include "gtest/gtest.h"
#include "ropewalk/kv_cache.h"
#include "support/cache.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

constexpr StatusCode kInvalid = StatusCode::kInvalidArgument;
constexpr StatusCode kRange = StatusCode::kOutOfRange;
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kTokens = 5;
constexpr int kDims = 32;

// A call that is right until something is changed: 5 tokens of 4 query and 2
// key heads into caches of 4 blocks of 8 slots.
struct Call {
  Step step = MakeStep(kDims, Count(3, kTokens));
  ConstHeadsView k, v;
  CacheWrite write;
  std::vector<int64_t> slots = {31, 0, 7, 12, 13};
  const int64_t* slots_data = nullptr;
  int64_t slots_count = kTokens;
  Parallel parallel = Parallel::Serial();
};

struct Memory {
  explicit Memory(Random* random)
      : q({DataType::kF32, 1, kTokens, 4, kDims}, random),
        k({DataType::kF32, 1, kTokens, 2, kDims}, random),
        v({DataType::kF32, 1, kTokens, 2, kDims}, random),
        k_cache({DataType::kBF16, 4, 8, 2, kDims}, random),
        v_cache({DataType::kBF16, 4, 8, 2, kDims}, random) {}

  void Fill(Call* call) const {
    call->k = k.view();
    call->v = v.view();
    call->write.q = q.view();
    call->write.k = &call->k;
    call->write.v = &call->v;
    call->write.q_layout = FullLayout(kDims, Pairing::kHalf);
    call->write.k_layout = call->write.q_layout;
    call->write.k_cache = k_cache.view();
    call->write.v_cache = v_cache.view();
    call->slots_data = call->slots.data();
  }

  std::vector<std::vector<uint8_t>> Bytes() const {
    return {q.Bytes(), k.Bytes(), v.Bytes(), k_cache.Bytes(), v_cache.Bytes()};
  }

  Heads q, k, v;
  Cache k_cache, v_cache;
};

using WriteRefusal = Refusal<Call>;

void ExpectAllRefused(const std::vector<WriteRefusal>& refusals) {
  Random random = Random::ForTest();
  const Memory memory(&random);
  const auto before = memory.Bytes();
  for (const WriteRefusal& refusal : refusals) {
    Call call;
    memory.Fill(&call);
    refusal.change(&call);
    for (const Parallel& parallel : Ways(call.parallel)) {
      ExpectRefused(
          RotateIntoCache(call.step.rows, call.write,
                          Slots(call.slots_data, call.slots_count), parallel),
          refusal.code, refusal.words);
    }
  }
  EXPECT_TRUE(memory.Bytes() == before) << "a call that failed wrote";
}

// The calls that the others are changes of.
TEST(CacheErrorsTest, TheCallItselfIsRight) {
  Random random = Random::ForTest();
  const Memory memory(&random);
  const auto before = memory.Bytes();
  Call call;
  memory.Fill(&call);
  for (const Parallel& parallel : Ways(call.parallel)) {
    EXPECT_TRUE(Succeeds(RotateIntoCache(call.step.rows, call.write,
                                         SlotsOf(call.slots), parallel)));
  }
  EXPECT_FALSE(memory.Bytes() == before);
}

TEST(CacheErrorsTest, SlotsAgainstTheirRules) {
  const auto slot = [](int64_t value) {
    return [value](Call* call) { call->slots[4] = value; };
  };
  ExpectAllRefused({
      {kRange, {"slots[4] = 32", "32 slots"}, slot(32)},
      {kRange, {"slots[4] = 1099511627776"}, slot(int64_t{1} << 40)},
      // What is left of it in 32 bits would be a slot.
      {kRange, {"slots[4] = 4294967303"}, slot((int64_t{1} << 32) + 7)},
      {kRange, {"slots[4] = 9223372036854775807"}, slot(kMax)},
      {kInvalid, {"slots[4] = -2", "-1 or a slot"}, slot(-2)},
      {kInvalid, {"slots[4] = -4294967289"}, slot(7 - (int64_t{1} << 32))},
      {kInvalid, {"slots = null"}, [](Call* c) { c->slots_data = nullptr; }},
      {kInvalid, {"slots.count = 4", "5"}, [](Call* c) { c->slots_count = 4; }},
      {kInvalid, {"slots.count = 6", "5"}, [](Call* c) { c->slots_count = 6; }},
      {kInvalid, {"slots.count = 0"}, [](Call* c) { c->slots_count = 0; }},
      {kInvalid, {"slots.count = -5"}, [](Call* c) { c->slots_count = -5; }},
      {kRange,
       {"slots[0] = 31", "the cache has 24 slots"},
       [](Call* c) { c->write.v_cache.blocks = 3; }},
      {kRange,
       {"slots[0] = 31", "the cache has 0 slots"},
       [](Call* c) { c->write.k_cache.blocks = 0; }},
  });
}

TEST(CacheErrorsTest, RangesAndNarrowSlotsAgainstTheirRules) {
  Random random = Random::ForTest();
  const Memory memory(&random);
  const auto before = memory.Bytes();
  Call call;
  memory.Fill(&call);
  const int32_t narrow[] = {0, 1, 2, 3, -2147483647 - 1};
  const struct {
    Slots slots;
    StatusCode code;
    std::vector<std::string> words;
  } cases[] = {
      {Slots(narrow, 5), kInvalid, {"slots[4] = -2147483648"}},
      {Slots(static_cast<const int32_t*>(nullptr), 5), kInvalid, {"null"}},
      {Slots::Range(28, 5), kRange, {"slots[4] = 32"}},
      {Slots::Range(-2, 5), kInvalid, {"slots[0] = -2"}},
      {Slots::Range(kMax - 1, 5), kRange, {"slots.first"}},
      {Slots::Range(0, kMax), kInvalid, {"slots.count"}},
  };
  for (const auto& one : cases) {
    ExpectRefused(RotateIntoCache(call.step.rows, call.write, one.slots,
                                  Parallel::Serial()),
                  one.code, one.words);
  }
  EXPECT_TRUE(memory.Bytes() == before);
}

TEST(CacheErrorsTest, CachesAgainstTheirRules) {
  std::vector<WriteRefusal> refusals;
  const auto add = [&](StatusCode code, std::vector<std::string> words,
                       void (*change)(KvCacheView*)) {
    std::vector<std::string> of_v = words;
    words[0] = "k_cache" + words[0];
    of_v[0] = "v_cache" + of_v[0];
    refusals.push_back(
        {code, words, [=](Call* c) { change(&c->write.k_cache); }});
    refusals.push_back(
        {code, of_v, [=](Call* c) { change(&c->write.v_cache); }});
  };
  add(kInvalid, {".data = null"}, [](KvCacheView* c) { c->data = nullptr; });
  add(kInvalid, {".type = 9"},
      [](KvCacheView* c) { c->type = static_cast<DataType>(9); });
  add(kInvalid, {".head_dim = 0", "positive"},
      [](KvCacheView* c) { c->head_dim = 0; });
  add(kInvalid, {".blocks = -4", "negative"},
      [](KvCacheView* c) { c->blocks = -4; });
  add(kInvalid, {".block_size = -8", "negative"},
      [](KvCacheView* c) { c->block_size = -8; });
  add(kInvalid, {".heads = -2", "negative"},
      [](KvCacheView* c) { c->heads = -2; });
  add(kInvalid, {".block_stride = 1025", "element size 2"},
      [](KvCacheView* c) { c->block_stride = 1025; });
  add(kInvalid, {".slot_stride = 129", "element size 2"},
      [](KvCacheView* c) { c->slot_stride = 129; });
  add(kInvalid, {".head_stride = 65", "element size 2"},
      [](KvCacheView* c) { c->head_stride = 65; });
  add(kInvalid, {".data = ", "element size 2"},
      [](KvCacheView* c) { c->data = static_cast<uint8_t*>(c->data) + 1; });
  add(kInvalid, {".block_stride = 0", "share"},
      [](KvCacheView* c) { c->block_stride = 0; });
  add(kInvalid, {".block_stride = 1022", "share"},
      [](KvCacheView* c) { c->block_stride = 1022; });
  add(kInvalid, {".slot_stride = 126", "share"},
      [](KvCacheView* c) { c->slot_stride = 126; });
  add(kInvalid, {".head_stride = 62", "share"},
      [](KvCacheView* c) { c->head_stride = 62; });
  add(kRange, {" of blocks = 4", "address space"},
      [](KvCacheView* c) { c->block_stride = kMax / 2 - 1; });
  add(kRange, {" of blocks = 1099511627776", "address space"},
      [](KvCacheView* c) { c->blocks = c->block_size = int64_t{1} << 40; });
  ExpectAllRefused(refusals);
}

TEST(CacheErrorsTest, TensorsAgainstTheirRules) {
  ExpectAllRefused({
      {kInvalid,
       {"q.type = 9"},
       [](Call* c) { c->write.q.type = static_cast<DataType>(9); }},
      {kInvalid,
       {"k.type = 9"},
       [](Call* c) { c->k.type = static_cast<DataType>(9); }},
      {kInvalid,
       {"v.type = 3"},
       [](Call* c) { c->v.type = static_cast<DataType>(3); }},
      {kInvalid, {"q.data = null"}, [](Call* c) { c->write.q.data = nullptr; }},
      {kInvalid, {"k.data = null"}, [](Call* c) { c->k.data = nullptr; }},
      {kInvalid, {"v.data = null"}, [](Call* c) { c->v.data = nullptr; }},
      {kInvalid, {"q.heads = -1"}, [](Call* c) { c->write.q.heads = -1; }},
      {kInvalid, {"k.tokens = -5"}, [](Call* c) { c->k.tokens = -5; }},
      {kInvalid, {"v.batch = -1"}, [](Call* c) { c->v.batch = -1; }},
      {kInvalid,
       {"q.token_stride = 510", "element size 4"},
       [](Call* c) { c->write.q.token_stride = 510; }},
      {kInvalid,
       {"k.head_stride = 127", "element size 4"},
       [](Call* c) { c->k.head_stride = 127; }},
      {kInvalid,
       {"q.token_stride = 0", "share"},
       [](Call* c) { c->write.q.token_stride = 0; }},
      {kInvalid,
       {"q.head_stride = 124", "share"},
       [](Call* c) { c->write.q.head_stride = 124; }},
      {kRange,
       {"k of batch = 1", "address space"},
       [](Call* c) { c->k.token_stride = kMax - 3; }},
      {kInvalid,
       {"k of 3 heads", "k_cache, 2 and 32"},
       [](Call* c) { c->k.heads = 3; }},
      {kInvalid,
       {"v of 1 heads", "v_cache, 2 and 32"},
       [](Call* c) { c->v.heads = 1; }},
      {kInvalid,
       {"head_dim = 32", "k_cache, 2 and 30"},
       [](Call* c) { c->write.k_cache.head_dim = 30; }},
      {kInvalid,
       {"slots.count = 5", "of v, 4"},
       [](Call* c) {
         c->v.tokens = 4;
         c->write.k = nullptr;
       }},
  });
}

// All of one step, which the rows and slots serve.
TEST(CacheErrorsTest, PartsOfDifferentSteps) {
  const auto rows = [](int64_t count) {
    return [count](Call* c) { c->step = MakeStep(kDims, Count(3, count)); };
  };
  ExpectAllRefused({
      {kInvalid, {"rows = 4", "tokens = 5"}, rows(4)},
      {kInvalid, {"rows = 1", "tokens = 5"}, rows(1)},
      {kInvalid, {"rows = 0", "tokens = 5"}, rows(0)},
      // As many tokens in all, and the rows would serve either.
      {kInvalid,
       {"k.batch = 5", "k.tokens = 1", "q, 1 and 5"},
       [](Call* c) {
         c->k.batch = 5;
         c->k.tokens = 1;
         c->k.batch_stride = c->k.token_stride;
       }},
      {kInvalid,
       {"v.batch = 5", "v.tokens = 1", "k, 1 and 5"},
       [](Call* c) {
         c->write.q.heads = 0;
         c->v.batch = 5;
         c->v.tokens = 1;
         c->v.batch_stride = c->v.token_stride;
       }},
      {kInvalid,
       {"rotary_dim = 32", "15 pairs", "16 are needed"},
       [](Call* c) { c->step = MakeStep(30, Count(3, kTokens)); }},
  });
}

TEST(CacheErrorsTest, LayoutsAndSharesAgainstTheirRules) {
  ExpectAllRefused({
      {kInvalid,
       {"q_layout.rotary_dim = 7", "even"},
       [](Call* c) { c->write.q_layout.rotary_dim = 7; }},
      {kInvalid,
       {"k_layout.rotary_dim = 5", "even"},
       [](Call* c) { c->write.k_layout.rotary_dim = 5; }},
      {kInvalid,
       {"k_layout.rotary_offset = 2", "head_dim = 32"},
       [](Call* c) { c->write.k_layout.rotary_offset = 2; }},
      {kInvalid,
       {"first_pair = -1"},
       [](Call* c) { c->write.k_layout.first_pair = -1; }},
      {kInvalid,
       {"first_pair = 1", "16 pairs"},
       [](Call* c) { c->write.q_layout.first_pair = 1; }},
      {kInvalid,
       {"pairing = 2"},
       [](Call* c) { c->write.k_layout.pairing = static_cast<Pairing>(2); }},
      {kInvalid,
       {"Share(3, 3)", "[0, count)"},
       [](Call* c) { c->parallel = Parallel::Share(3, 3); }},
      {kInvalid,
       {"Share(-1, 3)"},
       [](Call* c) { c->parallel = Parallel::Share(-1, 3); }},
      {kInvalid,
       {"Share(0, 0)"},
       [](Call* c) { c->parallel = Parallel::Share(0, 0); }},
  });
}

TEST(CacheErrorsTest, TransformsAgainstTheirRules) {
  ExpectAllRefused({
      {kInvalid,
       {"q_transform.scale = nan", "finite"},
       [](Call* c) { c->write.q_transform.scale = NAN; }},
      {kInvalid,
       {"k_transform.norm.offset = 1, norm.size = 32", "head_dim = 32"},
       [](Call* c) {
         c->write.k_transform.norm.offset = 1;
         c->write.k_transform.norm.size = kDims;
       }},
      {StatusCode::kUnsupported,
       {"q_transform.head_dim = 4098", "4096"},
       [](Call* c) {
         c->write.q_layout.head_dim = 4098;
         c->write.q_transform.scale = 2;
       }},
  });
}

// Each two of them, at the first or at the last byte of one.
TEST(CacheErrorsTest, PartsThatShareElements) {
  const auto end_of = [](const KvCacheView& cache) {
    return static_cast<uint8_t*>(cache.data) + 4 * 8 * 2 * kDims * 2;
  };
  ExpectAllRefused({
      {kInvalid,
       {"q.data", "k.data", "share"},
       [](Call* c) { c->k.data = c->write.q.data; }},
      {kInvalid,
       {"q.data", "k_cache.data", "share"},
       [=](Call* c) { c->write.q.data = end_of(c->write.k_cache) - 4; }},
      {kInvalid,
       {"q.data", "v_cache.data", "share"},
       [](Call* c) { c->write.q.data = c->write.v_cache.data; }},
      {kInvalid,
       {"k.data", "k_cache.data", "share"},
       [](Call* c) { c->k.data = c->write.k_cache.data; }},
      {kInvalid,
       {"k.data", "v_cache.data", "share"},
       [=](Call* c) { c->k.data = end_of(c->write.v_cache) - 4; }},
      {kInvalid,
       {"k.data", "v.data", "share"},
       [](Call* c) { c->v.data = static_cast<const float*>(c->k.data) + 8; }},
      {kInvalid,
       {"k_cache.data", "v_cache.data", "share"},
       [](Call* c) { c->write.v_cache.data = c->write.k_cache.data; }},
      {kInvalid,
       {"k_cache.data", "v_cache.data", "share"},
       [=](Call* c) { c->write.v_cache.data = end_of(c->write.k_cache) - 2; }},
      // Interleaved by head, but shifted by one element too few.
      {kInvalid,
       {"k_cache.data", "v_cache.data", "share"},
       [](Call* c) {
         c->k.heads = c->v.heads = 1;
         for (KvCacheView* view : {&c->write.k_cache, &c->write.v_cache}) {
           *view = c->write.k_cache;
           view->heads = 1;
         }
         c->write.v_cache.data =
             static_cast<uint8_t*>(c->write.k_cache.data) + 2 * (kDims - 1);
       }},
  });
}

}  // namespace
}  // namespace ropewalk::test
