// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What allocates, and what happens where memory is refused. An executable of
// its own: it replaces operator new.
#include <cstdint>
#include <thread>
#include <vector>

#include "angles/table_cases.h"
#include "gtest/gtest.h"
#include "support/operator_new.h"

namespace ropewalk::test {
namespace {

class Refusing {
 public:
  explicit Refusing(std::size_t bytes) { refused_from = bytes; }
  ~Refusing() { refused_from = SIZE_MAX; }
  Refusing(const Refusing&) = delete;
  Refusing& operator=(const Refusing&) = delete;
};

std::vector<AngleOptions> EveryKind() {
  AngleOptions rounded = OptionsOf(TableKind::kDirect);
  rounded.mode = AngleMode::kFloat32;
  rounded.round_to = DataType::kBF16;
  return {OptionsOf(TableKind::kFactored), OptionsOf(TableKind::kDense, 8000),
          OptionsOf(TableKind::kDirect), rounded};
}

// Of a call that must succeed.
template <class Call>
int64_t AllocationsOf(const Call& call) {
  const int64_t before = allocations;
  const Status status = call();
  const int64_t after = allocations;
  EXPECT_TRUE(status.ok()) << status.message();
  return after - before;
}

TEST(AngleAllocationsTest, NoneAfterTheLargestStep) {
  for (const AngleOptions& options : EveryKind()) {
    Frequencies frequencies = PlainOf(64, 1e4);
    for (const bool axes : {false, true}) {
      if (axes) frequencies.axis.assign(32, 1);
      if (axes) frequencies.axis[0] = 0;
      const TablePointer table = Build(frequencies, options);
      AngleRows rows;
      ASSERT_TRUE(rows.Reserve(300, 32).ok());
      std::vector<int64_t> ids(600);
      for (size_t i = 0; i < ids.size(); ++i) {
        ids[i] = static_cast<int64_t>(i) * 12345677 % 3000000000;
      }
      for (const int64_t count : {300, 1, 299, 0, 300}) {
        const Positions positions =
            Positions::Components(ids.data(), 2, count, 300);
        EXPECT_EQ(AllocationsOf([&] { return table->Fill(positions, &rows); }),
                  0);
        EXPECT_EQ(AllocationsOf(
                      [&] { return table->FillRotation(positions, &rows); }),
                  0);
      }
    }
  }
}

TEST(AngleAllocationsTest, NarrowerRowsReuseTheMemory) {
  AngleRows rows =
      Filled(*Build(PlainOf(128, 1e4)), Positions::Consecutive(0, 64));
  const TablePointer narrow = Build(PlainOf(20, 1e4));
  EXPECT_EQ(AllocationsOf([&] {
              return narrow->Fill(Positions::Consecutive(0, 100), &rows);
            }),
            0);
}

TEST(AngleAllocationsTest, ExportAllocatesNothing) {
  const TablePointer table = Build(PlainOf(64, 1e4));
  std::vector<uint16_t> data(100 * 64);
  CosSinView view;
  view.cos = data.data();
  view.sin = data.data() + 32;
  view.type = DataType::kBF16;
  view.rows = 100;
  view.pairs = 32;
  view.row_stride = 128;
  view.pair_stride = 2;
  EXPECT_EQ(AllocationsOf([&] { return table->Export(0, 100, view); }), 0);
}

TEST(AngleAllocationsTest, FillWithoutMemoryKeepsTheRows) {
  const TablePointer table = Build(PlainOf(64, 1e4));
  AngleRows rows = Filled(*table, Positions::Consecutive(0, 2));
  const std::vector<float> before = Values(rows);
  Status status;
  Status reserve;
  {
    const Refusing refusing(2048);
    status = table->Fill(Positions::Consecutive(7, 500), &rows);
    reserve = rows.Reserve(500, 32);
  }
  ExpectError(status, StatusCode::kOutOfMemory, "angle rows = ");
  ExpectError(reserve, StatusCode::kOutOfMemory, "angle rows = ");
  EXPECT_EQ(Values(rows), before);
}

// Refuses ever smaller requests, so that each allocation fails in turn.
TEST(AngleAllocationsTest, BuildWithoutMemoryFailsCleanly) {
  const Frequencies frequencies = PlainOf(64, 1e4);
  for (const AngleOptions& options : EveryKind()) {
    int failures = 0;
    for (std::size_t limit = std::size_t{1} << 24; limit > 0; limit /= 2) {
      Frequencies copy = frequencies;
      copy.axis.assign(32, 0);
      StatusCode code;
      {
        const Refusing refusing(limit);
        code = AngleTable::Build(std::move(copy), options).status().code();
      }
      failures += code == StatusCode::kOutOfMemory;
      EXPECT_TRUE(code == StatusCode::kOutOfMemory || code == StatusCode::kOk);
    }
    EXPECT_GT(failures, 5);
  }
}

TEST(AngleAllocationsTest, FrequenciesWithoutMemory) {
  RopeParameters parameters;
  parameters.rotary_dim = 128;
  Status status;
  {
    const Refusing refusing(256);
    status = ComputeFrequencies(parameters).status();
  }
  ExpectError(status, StatusCode::kOutOfMemory, "rotary_dim = 128");
}

TEST(AngleAllocationsTest, WrapWithoutMemory) {
  const std::vector<uint16_t> data(64 * 64, 0);
  ConstCosSinView view;
  view.cos = view.sin = data.data();
  view.type = DataType::kF16;
  view.rows = 64;
  view.pairs = 64;
  view.row_stride = 128;
  view.pair_stride = 2;
  Status status;
  {
    const Refusing refusing(1024);
    status = AngleRows::Wrap(view).status();
  }
  ExpectError(status, StatusCode::kOutOfMemory, "angle rows = ");
}

TEST(AngleAllocationsTest, ACacheWithoutMemoryRecovers) {
  const Frequencies frequencies = PlainOf(64, 1e4);
  for (std::size_t limit = std::size_t{1} << 22; limit > 0; limit /= 2) {
    AngleCache cache{AngleCacheOptions{}};
    StatusCode code;
    {
      const Refusing refusing(limit);
      code = cache.Get(frequencies, AngleOptions{}).status().code();
    }
    if (code == StatusCode::kOk) continue;
    EXPECT_EQ(code, StatusCode::kOutOfMemory);
    EXPECT_EQ(cache.stats().tables, 0u);
    EXPECT_TRUE(cache.Get(frequencies, AngleOptions{}).ok());
  }
  const Refusing refusing(1);
  AngleCache cache{AngleCacheOptions{}};
  EXPECT_EQ(cache.stats().bytes, 0u);
  EXPECT_EQ(cache.Get(frequencies, AngleOptions{}).status().code(),
            StatusCode::kOutOfMemory);
}

// Those who wait for a build that fails must not wait for ever.
TEST(AngleAllocationsTest, AFailedBuildReachesEveryThread) {
  constexpr size_t kThreads = 8;
  AngleCache cache{AngleCacheOptions{}};
  const Frequencies frequencies = PlainOf(64, 1e4);
  std::vector<StatusCode> codes(kThreads, StatusCode::kOk);
  {
    const Refusing refusing(1 << 20);
    std::vector<std::thread> threads;
    for (size_t i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        codes[i] = cache.Get(frequencies, AngleOptions{}).status().code();
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(codes, std::vector<StatusCode>(kThreads, StatusCode::kOutOfMemory));
  EXPECT_EQ(cache.stats().tables, 0u);
}

}  // namespace
}  // namespace ropewalk::test
