// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// KV caches: C gives the bits, and the errors, of C++.
#include "ropewalk/kv_cache.h"

#include <cstdint>
#include <memory>
#include <vector>

#include "c_api/c_call.h"
#include "gtest/gtest.h"
#include "support/all_targets.h"
#include "support/cache.h"
#include "support/heads.h"
#include "support/random.h"

namespace ropewalk::test {
namespace {

constexpr int kDim = 24;
constexpr int64_t kHeads = 2;
constexpr int64_t kTokens = 5;

struct SlotsCase {
  ropewalk_slots c;
  Slots cc;
};

constexpr int32_t kSlots32[] = {7, -1, 0, 30, 12};
constexpr int64_t kSlots64[] = {4, 31, 5, -1, 16};
constexpr int64_t kFrom[] = {0, 9, 7, 12, -1};

ropewalk_slots SlotsOf(int32_t kind, const void* slots, int64_t first) {
  ropewalk_slots out = ROPEWALK_SLOTS_INIT;
  out.kind = kind;
  out.slots = slots;
  out.count = kTokens;
  out.first = first;
  return out;
}

// Every kind; the last one is outside of the cache.
std::vector<SlotsCase> AllSlots() {
  return {
      {SlotsOf(ROPEWALK_SLOTS_INT32, kSlots32, 0), Slots(kSlots32, kTokens)},
      {SlotsOf(ROPEWALK_SLOTS_INT64, kSlots64, 0), Slots(kSlots64, kTokens)},
      {SlotsOf(ROPEWALK_SLOTS_RANGE, nullptr, 11), Slots::Range(11, kTokens)},
      {SlotsOf(ROPEWALK_SLOTS_INT64, nullptr, 0),
       Slots(static_cast<const int64_t*>(nullptr), kTokens)},
      {SlotsOf(ROPEWALK_SLOTS_RANGE, nullptr, 28), Slots::Range(28, kTokens)}};
}

// One cache in two memories.
struct Caches {
  Caches(DataType type, Random* random)
      : c({type, 4, 8, kHeads, kDim, DimOrder::kHeadsTokens, 1, 2}, random),
        cc(c.Copy()) {}
  Cache c;
  Cache cc;
};

struct Tables {
  CTable c;
  std::shared_ptr<const AngleTable> cc;
};

Tables TablesOf(const RopeParameters& parameters, int64_t length = 0) {
  const CFrequencies frequencies =
      FrequenciesOf(CParameters(parameters).value(), length);
  return {TableOf(frequencies.get()), TableOf(parameters, length)};
}

RopeParameters Plain() {
  RopeParameters parameters;
  parameters.rotary_dim = 16;
  return parameters;
}

RopeParameters Longer() {
  RopeParameters parameters = Plain();
  parameters.scaling = DynamicNtkScaling{2, 1024};
  return parameters;
}

RotaryLayout Window() {
  RotaryLayout layout;
  layout.head_dim = kDim;
  layout.rotary_dim = 16;
  layout.rotary_offset = 4;
  return layout;
}

// Both rows of one kind of fill.
struct RowsPair {
  CRows c = MakeRows();
  AngleRows cc;
};

ropewalk_positions FiveIds() {
  static const int64_t kIds[] = {3, 100000, -2, 0, 55};
  ropewalk_positions positions = ROPEWALK_POSITIONS_INIT;
  positions.kind = ROPEWALK_POSITIONS_INT64;
  positions.ids = kIds;
  positions.count = kTokens;
  return positions;
}

Positions FiveIdsOfCpp() {
  return Positions(static_cast<const int64_t*>(FiveIds().ids), kTokens);
}

RowsPair Rotations(const Tables& tables) {
  RowsPair rows;
  const ropewalk_positions ids = FiveIds();
  EXPECT_EQ(ropewalk_angle_table_fill_rotation(tables.c.get(), &ids,
                                               rows.c.get(), 0, nullptr),
            ROPEWALK_OK);
  EXPECT_TRUE(tables.cc->FillRotation(FiveIdsOfCpp(), &rows.cc).ok());
  return rows;
}

// A CacheWrite as C has it, of other tensors and caches; bits 0 to 2 of `parts`
// say whether there are q, k and v.
struct CWrite {
  CWrite(const CacheWrite& write, const HeadsView& q_view,
         const ConstHeadsView& k_view, const ConstHeadsView& v_view,
         const KvCacheView& keys, const KvCacheView& values, int parts)
      : q(ToC(q_view)),
        k(ToCConst(k_view)),
        v(ToCConst(v_view)),
        q_layout(ToC(write.q_layout)),
        k_layout(ToC(write.k_layout)),
        norm(ToC(write.k_transform.norm)),
        q_transform(ToC(write.q_transform, nullptr)),
        k_transform(ToC(write.k_transform, &norm)),
        k_cache(ToC(keys)),
        v_cache(ToC(values)) {
    if ((parts & 1) != 0) value.q = &q;
    if ((parts & 2) != 0) {
      value.k = &k;
      value.k_cache = &k_cache;
    }
    if ((parts & 4) != 0) {
      value.v = &v;
      value.v_cache = &v_cache;
    }
    value.q_layout = &q_layout;
    value.q_transform = &q_transform;
    value.k_layout = &k_layout;
    value.k_transform = &k_transform;
  }
  CWrite(const CWrite&) = delete;
  CWrite& operator=(const CWrite&) = delete;

  ropewalk_heads q;
  ropewalk_const_heads k;
  ropewalk_const_heads v;
  ropewalk_rotary_layout q_layout;
  ropewalk_rotary_layout k_layout;
  ropewalk_head_norm norm;
  ropewalk_head_transform q_transform;
  ropewalk_head_transform k_transform;
  ropewalk_kv_cache k_cache;
  ropewalk_kv_cache v_cache;
  ropewalk_cache_write value = ROPEWALK_CACHE_WRITE_INIT;
};

class CKvCacheTest : public AllTargets {
 protected:
  Random random_ = Random::ForTest();
};

TEST_P(CKvCacheTest, RotateIntoCacheGivesTheBitsOfCpp) {
  const Tables tables = TablesOf(Plain());
  const RowsPair rows = Rotations(tables);
  const float weight[] = {1.5f, 0.5f, 2, 3};
  const float token_scale[] = {1, 2, 3, 0.5f, 1};
  for (const DataType type : kAllTypes) {
    // Which parts there are: q, k, v.
    for (int parts = 0; parts < 8; ++parts) {
      for (const SlotsCase& slots : AllSlots()) {
        Caches keys(type, &random_);
        Caches values(DataType::kF16, &random_);
        const HeadsSpec spec{DataType::kF32, 1, kTokens, kHeads, kDim};
        const Heads q(spec, &random_);
        const Heads cc_q = q.Copy();
        const Heads k(spec, &random_);
        const Heads v(spec, &random_);
        CacheWrite write;
        write.q_layout = write.k_layout = Window();
        write.k_layout.output_pairing = Pairing::kInterleaved;
        write.q_transform.token_scale = token_scale;
        write.k_transform.scale = 0.75f;
        write.k_transform.norm.weight = weight;
        write.k_transform.norm.size = 4;
        write.k_transform.norm.offset = 1;
        write.k_cache = keys.cc.view();
        write.v_cache = values.cc.view();
        const ConstHeadsView cc_k = k.view();
        const ConstHeadsView cc_v = v.view();
        if ((parts & 1) != 0) write.q = cc_q.view();
        if ((parts & 2) != 0) write.k = &cc_k;
        if ((parts & 4) != 0) write.v = &cc_v;

        const CWrite c_write(write, q.view(), k.view(), v.view(), keys.c.view(),
                             values.c.view(), parts);
        for (const Parallel& parallel :
             {Parallel::Share(0, 2), Parallel::Share(1, 2)}) {
          const ropewalk_parallel c_parallel = ToC(parallel);
          ropewalk_error error = UsedError();
          const ropewalk_status code = ropewalk_rotate_into_cache(
              rows.c.get(), &c_write.value, &slots.c, &c_parallel, &error);
          EXPECT_TRUE(
              Alike(code, error,
                    RotateIntoCache(rows.cc, write, slots.cc, parallel)));
        }
        EXPECT_TRUE(SameBytes(keys.c, keys.cc));
        EXPECT_TRUE(SameBytes(values.c, values.cc));
        EXPECT_EQ(q.Bytes(), cc_q.Bytes());
      }
    }
  }
}

TEST_P(CKvCacheTest, WithoutRowsValuesAreCopied) {
  Caches values(DataType::kBF16, &random_);
  const HeadsSpec spec{DataType::kF32, 1, kTokens, kHeads, kDim};
  const Heads v(spec, &random_);
  const ConstHeadsView cc_v = v.view();
  CacheWrite write;
  write.v = &cc_v;
  write.v_cache = values.cc.view();
  const ropewalk_const_heads c_v = ToCConst(v.view());
  const ropewalk_kv_cache v_cache = ToC(values.c.view());
  ropewalk_cache_write c_write = ROPEWALK_CACHE_WRITE_INIT;
  c_write.v = &c_v;
  c_write.v_cache = &v_cache;
  const SlotsCase slots = AllSlots()[0];
  const std::vector<uint8_t> before = values.c.Bytes();
  ropewalk_error error = UsedError();
  const ropewalk_status code =
      ropewalk_rotate_into_cache(nullptr, &c_write, &slots.c, nullptr, &error);
  EXPECT_TRUE(
      Alike(code, error,
            RotateIntoCache(AngleRows(), write, slots.cc, Parallel::Serial())));
  EXPECT_EQ(code, ROPEWALK_OK);
  EXPECT_TRUE(SameBytes(values.c, values.cc));
  EXPECT_NE(values.c.Bytes(), before);
}

TEST_P(CKvCacheTest, ShiftRerotateAndMoveGiveTheBitsOfCpp) {
  const Tables tables = TablesOf(Plain());
  const Tables longer = TablesOf(Longer(), 5000);
  const RowsPair rows = Rotations(tables);
  const ropewalk_positions ids = FiveIds();
  const RotaryLayout layout = Window();
  const ropewalk_rotary_layout c_layout = ToC(layout);
  const ropewalk_slots from = SlotsOf(ROPEWALK_SLOTS_INT64, kFrom, 0);
  const Slots cc_from(kFrom, kTokens);
  for (const DataType type : kAllTypes) {
    for (const SlotsCase& slots : AllSlots()) {
      Caches caches(type, &random_);
      const ropewalk_kv_cache cache = ToC(caches.c.view());
      const KvCacheView cc_cache = caches.cc.view();
      const Parallel serial = Parallel::Serial();
      const ropewalk_parallel parallel = ToC(Parallel::Tbb());
      ropewalk_error error = UsedError();
      EXPECT_TRUE(Alike(
          ropewalk_shift_cache(rows.c.get(), &c_layout, &cache, &slots.c,
                               &parallel, &error),
          error, ShiftCache(rows.cc, layout, cc_cache, slots.cc, serial)));
      EXPECT_TRUE(SameBytes(caches.c, caches.cc));
      EXPECT_TRUE(Alike(ropewalk_rerotate(rows.c.get(), &c_layout, &cache,
                                          &slots.c, nullptr, &error),
                        error,
                        Rerotate(rows.cc, layout, cc_cache, slots.cc, serial)));
      EXPECT_TRUE(SameBytes(caches.c, caches.cc));
      EXPECT_TRUE(Alike(
          ropewalk_rerotate_tables(tables.c.get(), longer.c.get(), &c_layout,
                                   &cache, &slots.c, &ids, nullptr, &error),
          error,
          Rerotate(*tables.cc, *longer.cc, layout, cc_cache, slots.cc,
                   FiveIdsOfCpp(), serial)));
      EXPECT_TRUE(SameBytes(caches.c, caches.cc));
      EXPECT_TRUE(Alike(
          ropewalk_move_cache(rows.c.get(), &c_layout, &cache, &from, &slots.c,
                              nullptr, &error),
          error,
          MoveCache(rows.cc, layout, cc_cache, cc_from, slots.cc, serial)));
      EXPECT_TRUE(SameBytes(caches.c, caches.cc));
    }
  }
}

TEST_P(CKvCacheTest, WithoutRowsValuesAreMoved) {
  Caches caches(DataType::kF16, &random_);
  const ropewalk_kv_cache cache = ToC(caches.c.view());
  RotaryLayout layout;
  layout.head_dim = kDim;
  const ropewalk_rotary_layout c_layout = ToC(layout);
  const ropewalk_slots from = SlotsOf(ROPEWALK_SLOTS_INT64, kFrom, 0);
  const SlotsCase to = AllSlots()[2];
  const std::vector<uint8_t> before = caches.c.Bytes();
  ropewalk_error error = UsedError();
  const ropewalk_status code = ropewalk_move_cache(
      nullptr, &c_layout, &cache, &from, &to.c, nullptr, &error);
  EXPECT_TRUE(
      Alike(code, error,
            MoveCache(AngleRows(), layout, caches.cc.view(),
                      Slots(kFrom, kTokens), to.cc, Parallel::Serial())));
  EXPECT_EQ(code, ROPEWALK_OK);
  EXPECT_TRUE(SameBytes(caches.c, caches.cc));
  EXPECT_NE(caches.c.Bytes(), before);
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(CKvCacheTest);

TEST(CCanShiftTest, AnswersAsCpp) {
  Random random = Random::ForTest();
  RopeParameters axes = Plain();
  axes.axis = {0, 1, 2, 0, 1, 2, 0, 1};
  Caches caches(DataType::kF32, &random);
  KvCacheView broken = caches.c.view();
  broken.block_size = -1;
  RotaryLayout changed = Window();
  changed.output_pairing = Pairing::kInterleaved;
  int yes = 0;
  for (const Tables& tables :
       {TablesOf(Plain()), TablesOf(Longer(), 5000), TablesOf(axes)}) {
    for (const RotaryLayout& layout : {Window(), changed}) {
      for (const KvCacheView& view : {caches.c.view(), broken}) {
        for (const int32_t together : {0, 1, 256}) {
          const ropewalk_rotary_layout c_layout = ToC(layout);
          const ropewalk_kv_cache cache = ToC(view);
          ropewalk_error error = UsedError();
          const ropewalk_status code = ropewalk_can_shift(
              tables.c.get(), &c_layout, &cache, together, &error);
          EXPECT_TRUE(Alike(code, error,
                            CanShift(*tables.cc, layout, view, together != 0)));
          yes += code == ROPEWALK_OK;
        }
      }
    }
  }
  EXPECT_EQ(yes, 3 + 2);  // plain; several axes that move together
}

}  // namespace
}  // namespace ropewalk::test
