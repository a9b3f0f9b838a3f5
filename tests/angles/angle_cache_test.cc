// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Which tables are shared, and which stay.
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "angles/table_cases.h"
#include "gtest/gtest.h"

namespace ropewalk::test {
namespace {

TablePointer Get(AngleCache* cache, const Frequencies& frequencies,
                 const AngleOptions& options = AngleOptions{}) {
  auto table = cache->Get(frequencies, options);
  EXPECT_TRUE(table.ok()) << table.status().message();
  return table.ok() ? table.value() : nullptr;
}

Frequencies WithFactor(double factor) {
  Frequencies frequencies = PlainOf(8, 1e4);
  frequencies.attention_factor = factor;
  return frequencies;
}

// A cache with room for so many of WithFactor's tables.
AngleCacheOptions RoomFor(size_t tables) {
  return {Build(WithFactor(1))->bytes() * tables};
}

TEST(AngleCacheTest, EqualParametersShareOneTable) {
  AngleCache cache{AngleCacheOptions{}};
  RopeParameters parameters;
  parameters.rotary_dim = 64;
  const auto a = cache.Get(parameters, 0, AngleOptions{});
  const auto b = cache.Get(parameters, 4096, AngleOptions{});
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_EQ(a.value(), b.value());
  EXPECT_EQ(Get(&cache, PlainOf(64, 1e4)), a.value());
  const AngleCacheStats stats = cache.stats();
  EXPECT_EQ(stats.tables, 1u);
  EXPECT_EQ(stats.bytes, a.value()->bytes());
  EXPECT_EQ(stats.hits, 2u);
  EXPECT_EQ(stats.misses, 1u);
  EXPECT_EQ(stats.evictions, 0u);
  EXPECT_EQ(stats.trig_evaluations, size_t{3 * 1024 * 32});
}

struct Variant {
  Frequencies frequencies;
  AngleOptions options;
};

// Each differs from the first in one field that changes a value.
std::vector<Variant> AllDifferent() {
  Frequencies base = PlainOf(8, 10000);
  base.axis = {0, 1, 0, 1};
  std::vector<Variant> all = {{base, OptionsOf(TableKind::kDense, 64)}};
  const auto add = [&](const std::function<void(Variant*)>& change) {
    all.push_back(all.front());
    change(&all.back());
  };
  add([](Variant* v) {
    v->frequencies.inv_freq = PlainOf(8, 10000.001).inv_freq;
  });
  add([](Variant* v) {
    v->frequencies.inv_freq.pop_back();
    v->frequencies.axis.pop_back();
  });
  for (size_t i = 0; i < 4; ++i) {
    add([i](Variant* v) {
      double* w = &v->frequencies.inv_freq[i];
      *w = std::nextafter(*w, 2.0);
    });
    add([i](Variant* v) { v->frequencies.axis[i] ^= 1; });
  }
  add([](Variant* v) { v->frequencies.axis.clear(); });
  add([](Variant* v) { v->frequencies.attention_factor = 1 + 0x1p-52; });
  add([](Variant* v) { v->frequencies.softmax_multiplier = 1.5; });
  add([](Variant* v) { v->frequencies.length_dependent = true; });
  add([](Variant* v) { v->options.mode = AngleMode::kFloat32; });
  add([](Variant* v) { v->options.kind = TableKind::kDirect; });
  add([](Variant* v) { v->options.kind = TableKind::kFactored; });
  add([](Variant* v) { v->options.dense_positions = 65; });
  add([](Variant* v) { v->options.round_to = DataType::kBF16; });
  add([](Variant* v) { v->options.round_to = DataType::kF16; });
  return all;
}

TEST(AngleCacheTest, EveryFieldThatChangesAValueMakesAnotherTable) {
  AngleCache cache{AngleCacheOptions{}};
  const std::vector<Variant> all = AllDifferent();
  std::vector<TablePointer> tables;
  for (const Variant& v : all) {
    tables.push_back(Get(&cache, v.frequencies, v.options));
  }
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(Get(&cache, all[i].frequencies, all[i].options), tables[i]) << i;
    EXPECT_EQ(tables[i]->frequencies().inv_freq, all[i].frequencies.inv_freq);
    for (size_t j = 0; j < i; ++j) EXPECT_NE(tables[i], tables[j]) << i << j;
  }
  EXPECT_EQ(cache.stats().misses, all.size());
  EXPECT_EQ(cache.stats().hits, all.size());
}

TEST(AngleCacheTest, WhatChangesNothingSplitsNothing) {
  AngleCache cache{AngleCacheOptions{}};
  const Frequencies plain = PlainOf(8, 1e4);
  const TablePointer table = Get(&cache, plain);
  Frequencies zeros = plain;
  zeros.axis.assign(4, 0);
  EXPECT_EQ(Get(&cache, zeros), table);
  EXPECT_EQ(Get(&cache, plain, OptionsOf(TableKind::kFactored)), table);
  EXPECT_EQ(Get(&cache, plain, OptionsOf(TableKind::kAuto, 777)), table);
  EXPECT_EQ(table->options().dense_positions, 0);
}

TEST(AngleCacheTest, EvictsTheLeastRecentlyUsed) {
  AngleCache cache{RoomFor(2)};
  std::weak_ptr<const AngleTable> one = Get(&cache, WithFactor(1));
  std::weak_ptr<const AngleTable> two = Get(&cache, WithFactor(2));
  EXPECT_FALSE(one.expired()) << "kept for the next Get";
  Get(&cache, WithFactor(1));
  std::weak_ptr<const AngleTable> three = Get(&cache, WithFactor(3));
  EXPECT_TRUE(two.expired());
  EXPECT_FALSE(one.expired());
  EXPECT_FALSE(three.expired());
  EXPECT_EQ(cache.stats().evictions, 1u);
  EXPECT_EQ(cache.stats().tables, 2u);
  EXPECT_LE(cache.stats().bytes, RoomFor(2).memory_limit);
}

TEST(AngleCacheTest, AHeldTableIsSharedOverTheLimitAndFreedAfterwards) {
  AngleCache cache{AngleCacheOptions{0}};
  TablePointer a = Get(&cache, WithFactor(1));
  TablePointer b = Get(&cache, WithFactor(2));
  EXPECT_EQ(Get(&cache, WithFactor(1)), a);
  EXPECT_EQ(Get(&cache, WithFactor(2)), b);
  EXPECT_EQ(cache.stats().bytes, a->bytes() + b->bytes());
  const std::weak_ptr<const AngleTable> watch = a;
  a.reset();
  EXPECT_TRUE(watch.expired());
  EXPECT_EQ(cache.stats().tables, 1u);
  EXPECT_EQ(cache.stats().bytes, b->bytes());
}

TEST(AngleCacheTest, UnheldTablesGoFirst) {
  AngleCache cache{RoomFor(2)};
  const TablePointer held = Get(&cache, WithFactor(1));
  const std::weak_ptr<const AngleTable> unheld = Get(&cache, WithFactor(2));
  // Table 1 is the least recently used, but held.
  const TablePointer other = Get(&cache, WithFactor(3));
  EXPECT_TRUE(unheld.expired());
  EXPECT_EQ(Get(&cache, WithFactor(1)), held);
}

TEST(AngleCacheTest, WithinTheLimitOnceHoldersLetGo) {
  AngleCache cache{RoomFor(2)};
  {
    std::vector<TablePointer> held;
    for (int i = 1; i <= 5; ++i) held.push_back(Get(&cache, WithFactor(i)));
    EXPECT_EQ(cache.stats().tables, 5u);
    for (int i = 1; i <= 5; ++i) {
      EXPECT_EQ(Get(&cache, WithFactor(i)), held[static_cast<size_t>(i - 1)]);
    }
  }
  EXPECT_LE(cache.stats().bytes, RoomFor(2).memory_limit);
  EXPECT_EQ(cache.stats().tables, 2u);
}

TEST(AngleCacheTest, TablesOutliveTheCache) {
  TablePointer table;
  {
    AngleCache cache{AngleCacheOptions{}};
    table = Get(&cache, WithFactor(1));
  }
  EXPECT_EQ(Filled(*table, Positions::Constant(1 << 30, 1)).rows(), 1);
}

TEST(AngleCacheTest, FailedBuildsLeaveNothingBehind) {
  AngleCache cache{AngleCacheOptions{}};
  Frequencies bad = PlainOf(8, 1e4);
  bad.inv_freq[2] = std::nan("");
  ExpectError(cache.Get(bad, AngleOptions{}).status(),
              StatusCode::kInvalidArgument, "inv_freq[2] = nan");
  RopeParameters odd;
  odd.rotary_dim = 7;
  ExpectError(cache.Get(odd, 0, AngleOptions{}).status(),
              StatusCode::kInvalidArgument, "rotary_dim = 7");
  ExpectError(cache.Get(PlainOf(8, 1e4), OptionsOf(TableKind::kDense)).status(),
              StatusCode::kInvalidArgument, "dense_positions = 0");
  EXPECT_EQ(cache.stats().tables, 0u);
  EXPECT_EQ(cache.stats().bytes, 0u);
}

// Trigonometry belongs to building a table; rows below 2^30 take none.
TEST(AngleCacheTest, FillsOfATableEvaluateNoTrig) {
  AngleCache cache{AngleCacheOptions{}};
  const TablePointer factored = Get(&cache, PlainOf(64, 1e4));
  const TablePointer dense =
      Get(&cache, PlainOf(64, 1e4), OptionsOf(TableKind::kDense, 100));
  const size_t built = cache.stats().trig_evaluations;
  EXPECT_EQ(built, size_t{(3 * 1024 + 100) * 32});
  const std::vector<int64_t> ids = {
      0, 99, -99, 1 << 20, (1 << 30) - 1, 1 - (1 << 30)};
  Filled(*factored, Positions(ids.data(), 6));
  Filled(*dense, Positions(ids.data(), 3));
  AngleRows rows;
  EXPECT_TRUE(factored->FillRotation(Positions(ids.data(), 6), &rows).ok());
  EXPECT_EQ(cache.stats().trig_evaluations, built);
  Filled(*factored, Positions::Constant(1 << 30, 2));
  Filled(*dense, Positions::Constant(100, 1));
  EXPECT_EQ(cache.stats().trig_evaluations, built + 3 * 32);
}

}  // namespace
}  // namespace ropewalk::test
