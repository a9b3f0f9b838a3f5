// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// One cache, one table and the rows of many threads.
#include <cstdint>
#include <thread>
#include <vector>

#include "angles/table_cases.h"
#include "gtest/gtest.h"

namespace ropewalk::test {
namespace {

constexpr int kThreads = 16;

template <class Function>
void OnThreads(const Function& function) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(function, i);
  for (std::thread& thread : threads) thread.join();
}

TEST(AngleCacheThreadsTest, OneKeyIsBuiltOnce) {
  AngleCache cache{AngleCacheOptions{}};
  const Frequencies frequencies = PlainOf(64, 1e4);
  std::vector<TablePointer> tables(kThreads);
  OnThreads([&](int i) {
    auto table = cache.Get(frequencies, AngleOptions{});
    if (table.ok()) tables[static_cast<size_t>(i)] = table.value();
  });
  for (const TablePointer& table : tables) EXPECT_EQ(table, tables[0]);
  EXPECT_NE(tables[0], nullptr);
  EXPECT_EQ(cache.stats().misses, 1u);
  EXPECT_EQ(cache.stats().hits, size_t{kThreads - 1});
  EXPECT_EQ(cache.stats().trig_evaluations, size_t{3 * 1024 * 32});
}

// Few enough bytes that tables come and go all the time.
TEST(AngleCacheThreadsTest, GetFillAndEvictConcurrently) {
  const size_t one = Build(PlainOf(8, 1e4))->bytes();
  AngleCache cache{AngleCacheOptions{2 * one}};
  std::vector<std::vector<float>> want;
  for (int key = 0; key < 5; ++key) {
    want.push_back(Values(Filled(*Build(PlainOf(8, 1e4 + key)),
                                 Positions::Consecutive(1000, 50))));
  }
  std::vector<int> wrong(kThreads, 0);
  OnThreads([&](int i) {
    AngleRows rows;
    for (int step = 0; step < 20; ++step) {
      const int key = (i + step) % 5;
      auto table = cache.Get(PlainOf(8, 1e4 + key), AngleOptions{});
      const bool filled =
          table.ok() &&
          table.value()->Fill(Positions::Consecutive(1000, 50), &rows).ok();
      if (!filled || Values(rows) != want[static_cast<size_t>(key)]) {
        ++wrong[static_cast<size_t>(i)];
      }
      if (cache.stats().tables > kThreads + 5) ++wrong[static_cast<size_t>(i)];
    }
  });
  EXPECT_EQ(wrong, std::vector<int>(kThreads, 0));
  EXPECT_LE(cache.stats().bytes, 2 * one);
  EXPECT_EQ(cache.stats().hits + cache.stats().misses, size_t{20 * kThreads});
}

TEST(AngleCacheThreadsTest, ErrorsReachEveryThread) {
  AngleCache cache{AngleCacheOptions{}};
  std::vector<StatusCode> codes(kThreads, StatusCode::kOk);
  OnThreads([&](int i) {
    AngleOptions options = OptionsOf(TableKind::kDense, INT64_MAX / 8);
    codes[static_cast<size_t>(i)] =
        cache.Get(PlainOf(8, 1e4), options).status().code();
  });
  EXPECT_EQ(codes, std::vector<StatusCode>(kThreads, StatusCode::kOutOfRange));
  EXPECT_EQ(cache.stats().tables, 0u);
}

TEST(AngleCacheThreadsTest, OneTableFillsManyRows) {
  const TablePointer table = Build(PlainOf(64, 5e5));
  std::vector<AngleRows> rows(kThreads);
  OnThreads([&](int i) {
    const size_t at = static_cast<size_t>(i);
    for (int step = 0; step < 20; ++step) {
      if (!table->Fill(Positions::Consecutive(i * 100, 30), &rows[at]).ok()) {
        return;
      }
    }
  });
  for (int i = 0; i < kThreads; ++i) {
    EXPECT_EQ(Values(rows[static_cast<size_t>(i)]),
              Values(Filled(*table, Positions::Consecutive(i * 100, 30))));
  }
}

}  // namespace
}  // namespace ropewalk::test
