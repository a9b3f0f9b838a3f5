// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Rows with heads on the way into a cache, and that cached keys refuse them.
#include <cstdint>
#include <string>
#include <vector>

#include "cache/refusal.h"
#include "cache/write_case.h"
#include "gtest/gtest.h"
#include "ropewalk/kv_cache.h"
#include "rotate/host_table.h"
#include "rotate/transform_case.h"
#include "support/all_targets.h"
#include "support/cache.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using CacheRowHeadsTest = AllTargets;

constexpr int64_t kTokens = 7;
constexpr int kRowHeads = 4;

// Queries of 16 heads, keys of 4, values of 3, which no row turns.
WriteCase MakeCase(const HeadsSpec& k_cache, DataType in, Random* random) {
  HeadsSpec v_cache = k_cache;
  v_cache.heads = 3;
  WriteCase write(k_cache, v_cache, random);
  const HeadsSpec k = {in, 1, kTokens, kRowHeads, k_cache.head_dim};
  HeadsSpec v = k;
  v.heads = 3;
  write.MakeInputs(k, v, 16, random);
  write.layout = DrawLayout(k_cache.head_dim, random);
  const HostTable table({TableLayout::kSinCos, DataType::kBF16, 20,
                         k_cache.head_dim / 2 + 8, kRowHeads},
                        random);
  std::vector<int64_t> ids;
  for (int64_t t = 0; t < kTokens; ++t) ids.push_back(random->Below(20));
  EXPECT_TRUE(Succeeds(
      write.step.rows.Gather(table.view(), Positions(ids.data(), kTokens))));
  write.slots = DrawSlots(kTokens, write.k_cache.slots(), random);
  write.slots[2] = -1;
  return write;
}

// Rotate() itself is held against calls head by head.
TEST_P(CacheRowHeadsTest, WritesWhatRotateGives) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    for (const HeadsSpec& spec : CacheSpecs(type, 40, kRowHeads, 80)) {
      for (const DataType in : {DataType::kF32, DataType::kBF16}) {
        WriteCase write = MakeCase(spec, in, &random);
        EXPECT_TRUE(write.WritesWhatRotateGives()) << NameOf(in);
      }
    }
  }
}

TEST_P(CacheRowHeadsTest, SharesAndTransformsGiveTheSame) {
  Random random = Random::ForTest();
  TransformSpec spec;
  spec.size = 80;
  spec.has_weight = spec.has_token_scale = true;
  const HeadsSpec cache = CacheSpecs(DataType::kBF16, 40, kRowHeads, 80)[3];
  for (const int count : {1, 2, 3, 7, 64}) {
    WriteCase write = MakeCase(cache, DataType::kF32, &random);
    const TransformCase transform(spec, kTokens, &random);
    write.q_transform = write.k_transform = transform.transform();
    const Cache keys = write.WantKeys();
    const Cache values = write.WantValues();
    const Heads queries = write.q->Copy();
    RotateOptions options;
    options.transform = write.q_transform;
    ASSERT_TRUE(Succeeds(
        Rotate(write.step.rows, write.layout, {queries.view()}, options)));
    for (int i = count - 1; i >= 0; --i) {
      ASSERT_TRUE(Succeeds(write.Run(Parallel::Share(i, count))));
    }
    EXPECT_TRUE(SameBytes(write.k_cache, keys)) << count;
    EXPECT_TRUE(SameBytes(write.v_cache, values)) << count;
    EXPECT_EQ(write.q->Bytes(), queries.Bytes()) << count;
  }
}

TEST(CacheRowHeadsErrorsTest, HeadsThatAreNoMultiple) {
  Random random = Random::ForTest();
  const HeadsSpec cache = CacheSpecs(DataType::kBF16, 40, 6, 80)[3];
  WriteCase write = MakeCase(cache, DataType::kF32, &random);
  const HeadsSpec k = {DataType::kF32, 1, kTokens, 6, 80};
  HeadsSpec v = k;
  v.heads = 3;
  const std::vector<uint8_t> before = write.k_cache.Bytes();
  write.MakeInputs(k, v, 16, &random);
  ExpectRefused(write.Run(Parallel::Serial()), StatusCode::kInvalidArgument,
                {"k.heads = 6", "multiple of the rows' heads, 4"});
  write.MakeInputs(k, v, 18, &random);
  ExpectRefused(write.Run(Parallel::Serial()), StatusCode::kInvalidArgument,
                {"q.heads = 18", "multiple of the rows' heads, 4"});
  EXPECT_EQ(write.k_cache.Bytes(), before);
}

TEST(CacheRowHeadsErrorsTest, CachedKeysRefuseThem) {
  Random random = Random::ForTest();
  const Cache cache(CacheSpecs(DataType::kBF16, 40, kRowHeads, 80)[3], &random);
  const std::vector<uint8_t> before = cache.Bytes();
  const HostTable table(
      {TableLayout::kCosSin, DataType::kF32, 3, 40, kRowHeads}, &random);
  AngleRows rows;
  ASSERT_TRUE(
      Succeeds(rows.Gather(table.view(), Positions::Consecutive(0, 3))));
  const RotaryLayout layout = FullLayout(80, Pairing::kHalf);
  const Slots slots = Slots::Range(0, 3);
  const std::vector<std::string> words = {"rows of 4 heads", "must be of 1"};
  for (const Parallel& way : Ways(Parallel::Serial())) {
    ExpectRefused(ShiftCache(rows, layout, cache.view(), slots, way),
                  StatusCode::kInvalidArgument, words);
    ExpectRefused(
        MoveCache(rows, layout, cache.view(), slots, Slots::Range(9, 3), way),
        StatusCode::kInvalidArgument, words);
    ExpectRefused(Rerotate(rows, layout, cache.view(), slots, way),
                  StatusCode::kInvalidArgument, words);
  }
  EXPECT_EQ(cache.Bytes(), before);
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(CacheRowHeadsTest);

}  // namespace
}  // namespace ropewalk::test
