// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Queries, keys and caches of shapes that differ, and caches past 4 GiB.
#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/kv_cache.h"
#include "ropewalk/rotate.h"
#include "support/all_targets.h"
#include "support/cache.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using CacheLayoutsTest = AllTargets;

// DeepSeek's latent attention: query heads of 128 + 64 dims, one key of 512
// latent dims and 64 rotary ones, values of 128; each of a type of its own.
TEST_P(CacheLayoutsTest, QueriesKeysAndValuesOfDifferentShapes) {
  Random random = Random::ForTest();
  const Step step = MakeStep(64, {9, 0, 70000, 3}, 1.25);
  const std::vector<int64_t> slots = {33, 2, 17, 40};
  const Cache k_cache({DataType::kF16, 3, 16, 1, 576}, &random);
  const Cache v_cache({DataType::kBF16, 48, 1, 4, 128}, &random);
  const Heads q({DataType::kBF16, 2, 2, 16, 192}, &random);
  const Heads k({DataType::kF32, 2, 2, 1, 576}, &random);
  const Heads v({DataType::kF16, 2, 2, 4, 128}, &random);
  const Heads q_out = q.Copy();
  const ConstHeadsView k_view = k.view();
  const ConstHeadsView v_view = v.view();
  CacheWrite write;
  write.q = q_out.view();
  write.k = &k_view;
  write.v = &v_view;
  write.q_layout = {192, 64, Pairing::kInterleaved, 128};
  write.k_layout = {576, 64, Pairing::kInterleaved, 512};
  write.k_cache = k_cache.view();
  write.v_cache = v_cache.view();
  ASSERT_TRUE(Succeeds(
      RotateIntoCache(step.rows, write, SlotsOf(slots), Parallel::Serial())));
  RotaryLayout still;
  still.head_dim = 128;
  EXPECT_TRUE(IsRotated(step, write.q_layout, Direction::kForward, q, q_out));
  EXPECT_TRUE(IsRotated(step, write.k_layout, Direction::kForward, k,
                        k_cache.Gather(slots, 2)));
  EXPECT_TRUE(
      IsRotated(step, still, Direction::kForward, v, v_cache.Gather(slots, 2)));
}

TEST(DenseCacheTest, NhdAndHndDifferInTheirStrides) {
  uint16_t data[2 * 3 * 4 * 5] = {};
  const KvCacheView nhd = NhdCache(data, DataType::kF16, 2, 3, 4, 5);
  const KvCacheView hnd = HndCache(data, DataType::kF16, 2, 3, 4, 5);
  for (const KvCacheView& view : {nhd, hnd}) {
    EXPECT_EQ(view.data, data);
    EXPECT_EQ(view.type, DataType::kF16);
    EXPECT_EQ(view.blocks, 2);
    EXPECT_EQ(view.block_size, 3);
    EXPECT_EQ(view.heads, 4);
    EXPECT_EQ(view.head_dim, 5);
    EXPECT_EQ(view.block_stride, 3 * 4 * 5 * 2);
  }
  EXPECT_EQ(nhd.slot_stride, 4 * 5 * 2);
  EXPECT_EQ(nhd.head_stride, 5 * 2);
  EXPECT_EQ(hnd.slot_stride, 5 * 2);
  EXPECT_EQ(hnd.head_stride, 3 * 5 * 2);
}

// Strides of what there is one of may be 0, as they are by default.
TEST_P(CacheLayoutsTest, StridesOfSingleBlocksSlotsAndHeadsDoNotCount) {
  Random random = Random::ForTest();
  const RotaryLayout layout = FullLayout(64, Pairing::kHalf);
  for (const HeadsSpec& spec : {HeadsSpec{DataType::kBF16, 1, 24, 2, 64},
                                HeadsSpec{DataType::kBF16, 24, 1, 2, 64},
                                HeadsSpec{DataType::kBF16, 2, 12, 1, 64}}) {
    const Cache cache(spec, &random);
    const Cache want = cache.Copy();
    const std::vector<int64_t> slots = DrawSlots(9, 24, &random);
    const std::vector<int64_t> to = DrawSlots(9, 24, &random);
    const Step step = MakeStep(64, Count(-4, 9));
    const Heads k({DataType::kF32, 1, 9, spec.heads, 64}, &random);
    const ConstHeadsView k_view = k.view();
    const auto run = [&](const KvCacheView& view) {
      CacheWrite write;
      write.k = &k_view;
      write.k_layout = layout;
      write.k_cache = view;
      const Parallel serial = Parallel::Serial();
      ASSERT_TRUE(
          Succeeds(RotateIntoCache(step.rows, write, SlotsOf(slots), serial)));
      ASSERT_TRUE(Succeeds(
          ShiftCache(step.rows, layout, view, SlotsOf(slots), serial)));
      ASSERT_TRUE(Succeeds(MoveCache(step.rows, layout, view, SlotsOf(slots),
                                     SlotsOf(to), serial)));
    };
    run(want.view());
    KvCacheView view = cache.view();
    if (view.blocks == 1) view.block_stride = 0;
    if (view.block_size == 1) view.slot_stride = 0;
    if (view.heads == 1) view.head_stride = 0;
    run(view);
    EXPECT_TRUE(SameBytes(cache, want));
  }
}

// Memory that is there only where it is touched.
class SparseMemory {
 public:
  explicit SparseMemory(size_t bytes)
      : bytes_(bytes),
        data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~SparseMemory() {
    if (ok()) munmap(data_, bytes_);
  }
  bool ok() const { return data_ != MAP_FAILED; }
  uint8_t* data() const { return static_cast<uint8_t*>(data_); }

 private:
  size_t bytes_;
  void* data_;
};

// Four slots, in each of two blocks, of which each is past 2^31 bytes.
TEST_P(CacheLayoutsTest, OffsetsPastFourGiB) {
  Random random = Random::ForTest();
  constexpr int64_t kSlotBytes = (int64_t{1} << 31) + 256;
  constexpr int kDims = 16;
  const SparseMemory memory(static_cast<size_t>(4 * kSlotBytes));
  if (!memory.ok()) GTEST_SKIP() << "no address space";
  const KvCacheView view = {
      memory.data(), DataType::kF32, 2,          2,        2,
      kDims,         2 * kSlotBytes, kSlotBytes, 4 * kDims};
  const RotaryLayout layout = FullLayout(kDims, Pairing::kHalf);
  const Step step = MakeStep(kDims, Count(5, 4));
  const Heads k({DataType::kF32, 1, 4, 2, kDims}, &random);
  const Heads rotated({DataType::kF32, 1, 4, 2, kDims});
  ASSERT_TRUE(Succeeds(
      Rotate(step.rows, layout, k.view(), rotated.view(), RotateOptions{})));
  const auto expect_at = [&](int64_t slot, const Heads& heads, int64_t token) {
    const size_t bytes = 2 * kDims * sizeof(float);
    EXPECT_EQ(std::memcmp(memory.data() + slot * kSlotBytes,
                          heads.Element(0, token, 0, 0), bytes),
              0)
        << "slot " << slot;
  };
  const ConstHeadsView k_view = k.view();
  CacheWrite write;
  write.k = &k_view;
  write.k_layout = layout;
  write.k_cache = view;
  const std::vector<int64_t> slots = {3, 0, 2, 1};
  const Parallel serial = Parallel::Serial();
  ASSERT_TRUE(
      Succeeds(RotateIntoCache(step.rows, write, SlotsOf(slots), serial)));
  for (int64_t t = 0; t < 4; ++t) {
    expect_at(slots[static_cast<size_t>(t)], rotated, t);
  }
  // A ring and a chain, then every slot in place.
  const Step none = MakeStep(kDims, {0});
  const std::vector<int64_t> from = {3, 0, 3};
  const std::vector<int64_t> to = {0, 3, 1};
  ASSERT_TRUE(Succeeds(
      MoveCache(none.rows, layout, view, SlotsOf(from), SlotsOf(to), serial)));
  expect_at(0, rotated, 0);
  expect_at(3, rotated, 1);
  expect_at(1, rotated, 0);
  expect_at(2, rotated, 2);
  const Step shift = MakeStep(kDims, {-3});
  const Heads shifted = rotated.Copy();
  const Step shifts = MakeStep(kDims, {-3, -3, -3, -3});
  ASSERT_TRUE(
      Succeeds(Rotate(shifts.rows, layout, {shifted.view()}, RotateOptions{})));
  ASSERT_TRUE(Succeeds(
      ShiftCache(shift.rows, layout, view, Slots::Range(0, 4), serial)));
  expect_at(0, shifted, 0);
  expect_at(3, shifted, 1);
  expect_at(2, shifted, 2);
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(CacheLayoutsTest);

}  // namespace
}  // namespace ropewalk::test
