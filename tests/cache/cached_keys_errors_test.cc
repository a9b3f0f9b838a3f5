// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What ShiftCache(), MoveCache() and Rerotate() refuse, before a byte changes.
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
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
constexpr int kDims = 32;

Frequencies PlainFrequencies() {
  Frequencies frequencies;
  frequencies.inv_freq = reference::PlainInvFreq(kDims, 10000);
  return frequencies;
}

// Arguments of all three calls, right until something is changed. `slots` are
// those that are shifted, moved from, or rotated anew.
struct Call {
  Step step = MakeStep(kDims, {-3, 4, 5, -6, 7});
  RotaryLayout layout = FullLayout(kDims, Pairing::kHalf);
  KvCacheView cache;
  std::vector<int64_t> slots = {31, 0, 7, 12, 13};
  std::vector<int64_t> to = {0, 31, 8, 9, 10};
  const int64_t* slots_data = slots.data();
  int64_t slots_count = 5;
  Frequencies from_frequencies = PlainFrequencies();
  Frequencies to_frequencies = PlainFrequencies();
  std::vector<double> positions = {5, 0, 7.5, 12, 13};
  Parallel parallel = Parallel::Serial();
};

enum class Name { kShift, kMove, kRerotate, kRerotateRows };
constexpr Name kNames[] = {Name::kShift, Name::kMove, Name::kRerotate,
                           Name::kRerotateRows};

Status RunCall(Name name, const Call& call, const Parallel& parallel) {
  const Slots slots(call.slots_data, call.slots_count);
  switch (name) {
    case Name::kShift:
      return ShiftCache(call.step.rows, call.layout, call.cache, slots,
                        parallel);
    case Name::kMove:
      return MoveCache(call.step.rows, call.layout, call.cache, slots,
                       SlotsOf(call.to), parallel);
    case Name::kRerotateRows:
      return Rerotate(call.step.rows, call.layout, call.cache, slots, parallel);
    case Name::kRerotate:
      break;
  }
  const Positions positions(call.positions.data(),
                            static_cast<int64_t>(call.positions.size()));
  return Rerotate(*TableOf(call.from_frequencies),
                  *TableOf(call.to_frequencies), call.layout, call.cache, slots,
                  positions, parallel);
}

using KeyRefusal = Refusal<Call>;

void ExpectAllRefused(std::initializer_list<Name> names,
                      const std::vector<KeyRefusal>& refusals) {
  Random random = Random::ForTest();
  const Cache cache({DataType::kBF16, 4, 8, 2, kDims}, &random);
  const Cache before = cache.Copy();
  for (const KeyRefusal& refusal : refusals) {
    Call call;
    call.cache = cache.view();
    call.to_frequencies.inv_freq[3] *= 2;
    refusal.change(&call);
    for (const Name name : names) {
      for (const Parallel& parallel : Ways(call.parallel)) {
        ExpectRefused(RunCall(name, call, parallel), refusal.code,
                      refusal.words);
      }
    }
  }
  EXPECT_TRUE(SameBytes(cache, before)) << "a call that failed wrote";
}

TEST(CachedKeysErrorsTest, TheCallsThemselvesAreRight) {
  Random random = Random::ForTest();
  for (const Name name : kNames) {
    const Cache cache({DataType::kBF16, 4, 8, 2, kDims}, &random);
    const Cache before = cache.Copy();
    Call call;
    call.cache = cache.view();
    call.to_frequencies.inv_freq[3] *= 2;
    for (const Parallel& parallel : Ways(call.parallel)) {
      EXPECT_TRUE(Succeeds(RunCall(name, call, parallel)));
    }
    EXPECT_NE(cache.Bytes(), before.Bytes());
  }
}

TEST(CachedKeysErrorsTest, SlotsAgainstTheirRules) {
  const auto slot = [](int64_t value) {
    return [value](Call* call) { call->slots[4] = value; };
  };
  ExpectAllRefused(
      {Name::kShift, Name::kMove, Name::kRerotate, Name::kRerotateRows},
      {
          {kRange, {"[4] = 32", "32 slots"}, slot(32)},
          {kRange, {"[4] = 1099511627776"}, slot(int64_t{1} << 40)},
          {kRange, {"[4] = 4294967303"}, slot((int64_t{1} << 32) + 7)},
          {kRange, {"[4] = 9223372036854775807"}, slot(kMax)},
          {kInvalid, {"[4] = -2", "-1 or a slot"}, slot(-2)},
          {kInvalid, {" = null"}, [](Call* c) { c->slots_data = nullptr; }},
          {kInvalid, {".count = -1"}, [](Call* c) { c->slots_count = -1; }},
      });
}

TEST(CachedKeysErrorsTest, CachesAgainstTheirRules) {
  ExpectAllRefused(
      {Name::kShift, Name::kMove, Name::kRerotate, Name::kRerotateRows},
      {
          {kInvalid,
           {"k_cache.data = null"},
           [](Call* c) { c->cache.data = nullptr; }},
          {kInvalid,
           {"k_cache.type = 9"},
           [](Call* c) { c->cache.type = static_cast<DataType>(9); }},
          {kInvalid,
           {"head_dim = 32", "k_cache, 30"},
           [](Call* c) { c->cache.head_dim = 30; }},
          {kInvalid,
           {"head_dim = -1", "positive"},
           [](Call* c) { c->cache.head_dim = c->layout.head_dim = -1; }},
          {kInvalid,
           {"k_cache.blocks = -4"},
           [](Call* c) { c->cache.blocks = -4; }},
          {kInvalid,
           {"k_cache.block_size = -8"},
           [](Call* c) { c->cache.block_size = -8; }},
          {kInvalid,
           {"k_cache.heads = -2"},
           [](Call* c) { c->cache.heads = -2; }},
          {kInvalid,
           {"k_cache.block_stride = 1025", "element size 2"},
           [](Call* c) { c->cache.block_stride = 1025; }},
          {kInvalid,
           {"k_cache.slot_stride = 129", "element size 2"},
           [](Call* c) { c->cache.slot_stride = 129; }},
          {kInvalid,
           {"k_cache.head_stride = 65", "element size 2"},
           [](Call* c) { c->cache.head_stride = 65; }},
          {kInvalid,
           {"k_cache.block_stride = 0", "share"},
           [](Call* c) { c->cache.block_stride = 0; }},
          {kInvalid,
           {"k_cache.slot_stride = 126", "share"},
           [](Call* c) { c->cache.slot_stride = 126; }},
          {kRange,
           {"k_cache of blocks = 4", "address space"},
           [](Call* c) { c->cache.block_stride = kMax / 2 - 1; }},
          {kRange,
           {"k_cache of blocks = 1099511627776", "address space"},
           [](Call* c) {
             c->cache.blocks = c->cache.block_size = int64_t{1} << 40;
           }},
          {kRange,
           {"[0] = 31", "the cache has 24 slots"},
           [](Call* c) { c->cache.blocks = 3; }},
      });
}

TEST(CachedKeysErrorsTest, LayoutsAndSharesAgainstTheirRules) {
  ExpectAllRefused(
      {Name::kShift, Name::kMove, Name::kRerotate, Name::kRerotateRows},
      {
          {kInvalid,
           {"rotary_dim = 7", "even"},
           [](Call* c) { c->layout.rotary_dim = 7; }},
          {kInvalid,
           {"rotary_offset = 2", "head_dim = 32"},
           [](Call* c) { c->layout.rotary_offset = 2; }},
          {kInvalid,
           {"first_pair = 1", "16 pairs", "17 are needed"},
           [](Call* c) { c->layout.first_pair = 1; }},
          {kInvalid,
           {"pair_distance = 3"},
           [](Call* c) { c->layout.pair_distance = 3; }},
          {kInvalid,
           {"pairing = 2"},
           [](Call* c) { c->layout.pairing = static_cast<Pairing>(2); }},
          {kInvalid,
           {"output_pairing = 1", "pairing = 0", "keep their pairing"},
           [](Call* c) { c->layout.output_pairing = Pairing::kInterleaved; }},
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

TEST(CachedKeysErrorsTest, RowsOfShiftsAndMoves) {
  ExpectAllRefused(
      {Name::kShift, Name::kMove},
      {
          {kInvalid,
           {"rows = 4", "1, or one a slot, 5"},
           [](Call* c) { c->step = MakeStep(kDims, Count(3, 4)); }},
          {kInvalid,
           {"rows = 0", "one a slot, 5"},
           [](Call* c) { c->step = MakeStep(kDims, {}); }},
          {kInvalid,
           {"row 0", "attention_factor = 1.25", "must be 1"},
           [](Call* c) { c->step = MakeStep(kDims, Count(3, 5), 1.25); }},
          {kInvalid,
           {"row 0", "attention_factor = 1.13863", "must be 1"},
           [](Call* c) { c->step = MakeStep(kDims, {0}, 1.1386294); }},
          {kInvalid,
           {"row 3", "attention_factor = 0.5", "must be 1"},
           [](Call* c) {
             // One row of a factor among others.
             Frequencies frequencies = PlainFrequencies();
             frequencies.attention_factor = 0.5;
             AngleRows* rows = &c->step.rows;
             EXPECT_TRUE(
                 Succeeds(TableOf(frequencies)
                              ->Fill(Positions::Constant(2, 1), rows, 3)));
             EXPECT_TRUE(Succeeds(
                 TableOf(PlainFrequencies())
                     ->FillRotation(Positions::Constant(2, 1), rows, 4)));
           }},
          {kInvalid,
           {"rotary_dim = 32", "15 pairs", "16 are needed"},
           [](Call* c) { c->step = MakeStep(30, Count(3, 5)); }},
      });
}

TEST(CachedKeysErrorsTest, TargetsOfMoves) {
  const auto to = [](int64_t value) {
    return [value](Call* call) { call->to[2] = value; };
  };
  ExpectAllRefused(
      {Name::kMove},
      {
          {kRange, {"to[2] = 32", "32 slots"}, to(32)},
          {kRange, {"to[2] = 1099511627776"}, to(int64_t{1} << 40)},
          {kInvalid, {"to[2] = -2", "-1 or a slot"}, to(-2)},
          {kInvalid,
           {"from has 5 slots", "to has 4"},
           [](Call* c) { c->to.pop_back(); }},
          {kInvalid,
           {"from has 5 slots", "to has 6"},
           [](Call* c) { c->to.push_back(1); }},
          {kInvalid, {"to[1] = to[2] = 31", "written twice"}, to(31)},
          {kInvalid, {"to[2] = to[3] = 9", "written twice"}, to(9)},
          // To itself, twice, is twice too.
          {kInvalid,
           {"to[2] = to[3] = 9", "written twice"},
           [](Call* c) {
             c->slots[2] = c->slots[3] = c->to[2] = c->to[3] = 9;
           }},
          // Values as well.
          {kInvalid,
           {"to[1] = to[2] = 31", "written twice"},
           [](Call* c) {
             c->to[2] = 31;
             c->layout.rotary_dim = 0;
           }},
      });
}

TEST(CachedKeysErrorsTest, TablesAndPositionsOfRerotate) {
  const auto position = [](double value) {
    return [value](Call* call) { call->positions[4] = value; };
  };
  ExpectAllRefused(
      {Name::kRerotate},
      {
          {kInvalid,
           {"to has 15 pairs", "from, 16"},
           [](Call* c) { c->to_frequencies.inv_freq.pop_back(); }},
          {kInvalid,
           {"to.axis", "from"},
           [](Call* c) { c->to_frequencies.axis.assign(16, 1); }},
          {kInvalid,
           {"positions.count = 4", "one a slot, 5"},
           [](Call* c) { c->positions.pop_back(); }},
          {kInvalid,
           {"positions.count = 6", "one a slot, 5"},
           [](Call* c) { c->positions.push_back(1); }},
          {kInvalid, {"position[4]", "nan", "finite"}, position(std::nan(""))},
          {kInvalid, {"position[4]", "inf", "finite"}, position(HUGE_VAL)},
          {kRange, {"position[4]", "1e+19", "2^63"}, position(1e19)},
          {kInvalid,
           {"positions of 1 components", "axis = 2"},
           [](Call* c) {
             c->from_frequencies.axis.assign(16, 0);
             c->from_frequencies.axis[9] = 2;
             c->to_frequencies.axis = c->from_frequencies.axis;
           }},
          {kRange,
           {"attention_factor = 1.26765e+30", "2^60"},
           [](Call* c) {
             c->from_frequencies.attention_factor = 0x1p-50;
             c->to_frequencies.attention_factor = 0x1p50;
           }},
      });
}

}  // namespace
}  // namespace ropewalk::test
