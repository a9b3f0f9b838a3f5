// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Slots and positions are checked before the first write and read after it: a
// call refuses those that lie in memory which it writes.
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "cache/refusal.h"
#include "gtest/gtest.h"
#include "ropewalk/kv_cache.h"
#include "support/cache.h"
#include "support/heads.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

constexpr int kDims = 8;
constexpr int64_t kTokens = 2;
constexpr int64_t kBytes = 4 * kDims;  // of a slot
constexpr int64_t kIdBytes = kTokens * static_cast<int64_t>(sizeof(int64_t));

// Zeros, which are slots and positions wherever they are read: a cache of four
// slots, the heads of q, and room around each.
struct Memory {
  std::vector<int64_t> words = std::vector<int64_t>(64, 0);

  uint8_t* at(int64_t byte) {
    return reinterpret_cast<uint8_t*>(words.data()) + byte;
  }
  KvCacheView Cache() {
    return NhdCache(at(kCacheAt), DataType::kF32, 1, 4, 1, kDims);
  }
  HeadsView Queries() {
    return DenseHeads(at(kQueriesAt), DataType::kF32, 1, kTokens, 1, kDims);
  }

  static constexpr int64_t kCacheAt = 64;
  static constexpr int64_t kCacheEnd = kCacheAt + 4 * kBytes;
  static constexpr int64_t kQueriesAt = 256;
  static constexpr int64_t kQueriesEnd = kQueriesAt + kTokens * kBytes;
};

using Call = std::function<Status(Memory*, const int64_t* ids)>;

const std::vector<int64_t> kOther = {0, 1};

std::shared_ptr<const AngleTable> Table() {
  Frequencies frequencies;
  frequencies.inv_freq = reference::PlainInvFreq(kDims, 10000);
  return TableOf(frequencies);
}

AngleRows Rows() { return MakeStep(kDims, {3, 4}).rows; }

const RotaryLayout kLayout = FullLayout(kDims, Pairing::kHalf);

Status Write(Memory* memory, const int64_t* ids) {
  const std::vector<float> keys(kTokens * kDims, 1.0f);
  ConstHeadsView k;
  k.data = keys.data();
  k.tokens = kTokens;
  k.heads = 1;
  k.token_stride = k.head_stride = kBytes;
  k.batch_stride = kTokens * kBytes;
  CacheWrite write;
  write.q = memory->Queries();
  write.k = &k;
  write.q_layout = write.k_layout = kLayout;
  write.k_cache = memory->Cache();
  return RotateIntoCache(Rows(), write, Slots(ids, kTokens),
                         Parallel::Serial());
}

Status Shift(Memory* memory, const int64_t* ids) {
  return ShiftCache(Rows(), kLayout, memory->Cache(), Slots(ids, kTokens),
                    Parallel::Serial());
}

Status MoveFrom(Memory* memory, const int64_t* ids) {
  return MoveCache(Rows(), kLayout, memory->Cache(), Slots(ids, kTokens),
                   Slots(kOther.data(), kTokens), Parallel::Serial());
}

Status MoveTo(Memory* memory, const int64_t* ids) {
  return MoveCache(Rows(), kLayout, memory->Cache(),
                   Slots(kOther.data(), kTokens), Slots(ids, kTokens),
                   Parallel::Serial());
}

Status RerotateSlots(Memory* memory, const int64_t* ids) {
  return Rerotate(*Table(), *Table(), kLayout, memory->Cache(),
                  Slots(ids, kTokens), Positions(kOther.data(), kTokens),
                  Parallel::Serial());
}

Status RerotatePositions(Memory* memory, const int64_t* ids) {
  return Rerotate(*Table(), *Table(), kLayout, memory->Cache(),
                  Slots(kOther.data(), kTokens), Positions(ids, kTokens),
                  Parallel::Serial());
}

void ExpectApart(const Call& call, int64_t begin, int64_t end,
                 const char* ids) {
  for (const int64_t at : {begin, begin + kBytes, end - 8, begin - 8}) {
    Memory memory;
    ExpectRefused(
        call(&memory, reinterpret_cast<const int64_t*>(memory.at(at))),
        StatusCode::kInvalidArgument, {ids, "share"});
    EXPECT_EQ(memory.words, Memory().words) << "a call that failed wrote";
  }
}

void ExpectNeighbours(const Call& call, int64_t begin, int64_t end) {
  for (const int64_t at : {begin - kIdBytes, end}) {
    Memory memory;
    // Distinct, as a move's targets must be.
    memory.at(at)[0] = 1;
    const Status status =
        call(&memory, reinterpret_cast<const int64_t*>(memory.at(at)));
    EXPECT_TRUE(status.ok()) << status.message();
  }
}

TEST(SlotsApartTest, FromTheCache) {
  const std::pair<Call, const char*> calls[] = {{Write, "slots.data"},
                                                {Shift, "slots.data"},
                                                {MoveFrom, "from.data"},
                                                {MoveTo, "to.data"},
                                                {RerotateSlots, "slots.data"}};
  for (const auto& [call, name] : calls) {
    SCOPED_TRACE(name);
    ExpectApart(call, Memory::kCacheAt, Memory::kCacheEnd, name);
    ExpectNeighbours(call, Memory::kCacheAt, Memory::kCacheEnd);
  }
}

// A cache without heads takes slots of any number, which nothing reads.
TEST(SlotsApartTest, WhereNothingIsWritten) {
  Memory memory;
  KvCacheView cache = memory.Cache();
  cache.heads = 0;
  const int64_t* const nowhere = nullptr;
  const int64_t most = std::numeric_limits<int64_t>::max();
  const Status status = ShiftCache(Rows(), kLayout, cache, Slots(nowhere, most),
                                   Parallel::Serial());
  EXPECT_TRUE(status.ok()) << status.message();
}

TEST(SlotsApartTest, FromTheQueries) {
  ExpectApart(Write, Memory::kQueriesAt, Memory::kQueriesEnd, "slots.data");
  ExpectNeighbours(Write, Memory::kQueriesAt, Memory::kQueriesEnd);
}

TEST(SlotsApartTest, PositionsFromTheCache) {
  ExpectApart(RerotatePositions, Memory::kCacheAt, Memory::kCacheEnd,
              "positions.data");
  ExpectNeighbours(RerotatePositions, Memory::kCacheAt, Memory::kCacheEnd);
}

}  // namespace
}  // namespace ropewalk::test
