// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The positions of dual chunk attention against the numbers of
// golden/positions.json, by hand, and by what they are for.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "cache/refusal.h"
#include "golden/golden_file.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "positions/room.h"
#include "ropewalk/position_transforms.h"

namespace ropewalk::test {
namespace {

struct Tables {
  explicit Tables(size_t count)
      : key(count, kUnwritten),
        intra(key),
        successive(key),
        inter(key),
        successive_critical(key),
        inter_critical(key) {}

  DualChunkIds ids() {
    return {key.data(),
            intra.data(),
            successive.data(),
            inter.data(),
            successive_critical.data(),
            inter_critical.data()};
  }

  Ids key;
  Ids intra;
  Ids successive;
  Ids inter;
  Ids successive_critical;
  Ids inter_critical;
};

Tables TablesOf(const Positions& positions, size_t count,
                const DualChunk& chunk) {
  Tables tables(count);
  ExpectOk(DualChunkPositions(positions, chunk, tables.ids()));
  return tables;
}

TEST(DualChunkTest, KnownNumbers) {
  const nlohmann::json& golden = GoldenFile("positions.json").at("dual_chunk");
  SCOPED_TRACE(golden.at("origin").get<std::string>());
  const Ids positions = golden.at("positions").get<Ids>();
  ASSERT_EQ(positions.size(), 30u);
  const Tables got = TablesOf(Positions(positions.data(), 30), 30,
                              {golden.at("chunk_size").get<int64_t>(),
                               golden.at("local_size").get<int64_t>()});
  EXPECT_EQ(got.key, golden.at("key").get<Ids>());
  EXPECT_EQ(got.intra, golden.at("query_intra").get<Ids>());
  EXPECT_EQ(got.successive, golden.at("query_successive").get<Ids>());
  EXPECT_EQ(got.inter, Ids(30, golden.at("query_inter").get<int64_t>()));
  EXPECT_EQ(got.successive_critical,
            golden.at("query_successive_critical").get<Ids>());
  EXPECT_EQ(got.inter_critical, golden.at("query_inter_critical").get<Ids>());
}

// Qwen2.5-1M around the end of its first chunk of 262144 - 8192 = 253952.
TEST(DualChunkTest, Qwen25) {
  const Tables got =
      TablesOf(Positions::Consecutive(253950, 4), 4, {262144, 8192});
  EXPECT_EQ(got.key, (Ids{253950, 253951, 0, 1}));
  EXPECT_EQ(got.intra, got.key);
  EXPECT_EQ(got.successive, (Ids{262144, 262144, 253952, 253953}));
  EXPECT_EQ(got.inter, Ids(4, 262144));
  EXPECT_EQ(got.successive_critical, (Ids{507902, 507903, 253952, 253953}));
  EXPECT_EQ(got.inter_critical, (Ids{516094, 516095, 262144, 262145}));
}

// Chunks of 16 - 12 = 4: 2 * 4 - 1 = 7 stays below the clamp.
TEST(DualChunkTest, ShortChunks) {
  const Tables got = TablesOf(Positions::Consecutive(2, 4), 4, {16, 12});
  EXPECT_EQ(got.key, (Ids{2, 3, 0, 1}));
  EXPECT_EQ(got.successive, (Ids{6, 7, 4, 5}));
  EXPECT_EQ(got.inter, Ids(4, 7));
}

// A query and a key of its own or the chunk before, `local_size` and less
// apart, keep their distance; no other pair is further than the chunk size.
TEST(DualChunkTest, NearKeysKeepTheirDistance) {
  for (const DualChunk& chunk : {DualChunk{16, 4}, {7, 3}, {5, 0}, {9, 8}}) {
    SCOPED_TRACE(testing::Message()
                 << chunk.chunk_size << " " << chunk.local_size);
    const int64_t length = chunk.chunk_size - chunk.local_size;
    const Tables got = TablesOf(Positions::Consecutive(0, 40), 40, chunk);
    for (int64_t p = 0; p < 40; ++p) {
      for (int64_t k = 0; k <= p; ++k) {
        const int64_t apart = p / length - k / length;
        const Ids& query = apart == 0   ? got.intra
                           : apart == 1 ? got.successive
                                        : got.inter;
        const int64_t distance =
            query[static_cast<size_t>(p)] - got.key[static_cast<size_t>(k)];
        EXPECT_GE(distance, 0);
        EXPECT_LE(distance, chunk.chunk_size);
        if (apart == 0 || (apart == 1 && p - k <= chunk.local_size)) {
          EXPECT_EQ(distance, p - k) << p << " " << k;
        }
      }
    }
  }
}

TEST(DualChunkTest, WhatIsNotWantedIsLeftOut) {
  Ids successive(2, kUnwritten);
  DualChunkIds ids;
  ids.query_successive = successive.data();
  ExpectOk(DualChunkPositions(Positions::Consecutive(11, 2), {16, 4}, ids));
  EXPECT_EQ(successive, (Ids{16, 12}));
  ExpectOk(DualChunkPositions(Positions::Consecutive(0, 2), {16, 4}, {}));
}

// The longest chunk, of which the last position is 2^63 - 1.
TEST(DualChunkTest, TheLongestChunk) {
  constexpr int64_t kSize = int64_t{1} << 62;
  const int64_t last = kSize - 1;
  const Tables got = TablesOf(Positions(&last, 1), 1, {kSize, 0});
  EXPECT_EQ(got.key, (Ids{last}));
  EXPECT_EQ(got.successive, (Ids{kSize}));
  EXPECT_EQ(got.inter, (Ids{kSize}));
  EXPECT_EQ(got.successive_critical, (Ids{INT64_MAX}));
  EXPECT_EQ(got.inter_critical, (Ids{INT64_MAX}));
}

void ExpectRefusal(const Positions& positions, const DualChunk& chunk,
                   const std::vector<std::string>& words) {
  Tables tables(4);
  ExpectRefused(DualChunkPositions(positions, chunk, tables.ids()),
                StatusCode::kInvalidArgument, words);
  for (const Ids* ids :
       {&tables.key, &tables.intra, &tables.successive, &tables.inter,
        &tables.successive_critical, &tables.inter_critical}) {
    EXPECT_EQ(*ids, Ids(4, kUnwritten));
  }
}

TEST(DualChunkTest, Errors) {
  const Positions fine = Positions::Consecutive(0, 4);
  ExpectRefusal(fine, {0, 0}, {"chunk.chunk_size = 0", "1 to 2^62"});
  ExpectRefusal(fine, {(int64_t{1} << 62) + 1, 0},
                {"chunk.chunk_size = 4611686018427387905", "1 to 2^62"});
  ExpectRefusal(fine, {16, -1}, {"chunk.local_size = -1", "0 to"});
  ExpectRefusal(fine, {16, 16}, {"chunk.local_size = 16", "= 15"});
  // The last is wrong, and none is written.
  const Ids ids = {0, 1, 2, -1};
  ExpectRefusal(Positions(ids.data(), 4), {16, 4},
                {"position[3] = -1", "not be negative"});
  ExpectRefusal(Positions::Components(ids.data(), 2, 2, 2), {16, 4},
                {"2 components", "must have 1"});
  const std::vector<double> real(4);
  ExpectRefusal(Positions(real.data(), 4), {16, 4}, {"integers"});
  ExpectRefusal(Positions::Consecutive(0, -1), {16, 4}, {"count = -1"});
}

// A loop over them would take years.
TEST(DualChunkTest, MorePositionsThanAnyArrayHolds) {
  constexpr int64_t kCount = int64_t{1} << 61;
  const int64_t first = 0;
  const int64_t negative = -1;
  const DualChunk chunk = {16, 4};
  Tables tables(1);
  for (const Positions& positions :
       {Positions::Constant(1, kCount), Positions::Consecutive(0, kCount),
        Positions::Consecutive(&first, 1, kCount),
        Positions::Components(&first, 1, kCount, 0, 0)}) {
    const Status status = DualChunkPositions(positions, chunk, tables.ids());
    EXPECT_EQ(status.code(), StatusCode::kOutOfRange) << status.message();
    EXPECT_EQ(tables.key, Ids{kUnwritten});
    ExpectOk(DualChunkPositions(positions, chunk, DualChunkIds{}));
  }
  for (const Positions& positions :
       {Positions::Constant(-1, kCount), Positions::Consecutive(-1, kCount),
        Positions::Consecutive(&negative, 1, kCount)}) {
    ExpectRefusal(positions, chunk, {"position[0] = -1", "not be negative"});
  }
}

}  // namespace
}  // namespace ropewalk::test
