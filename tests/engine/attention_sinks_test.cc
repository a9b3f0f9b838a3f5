// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Attention sinks: the first tokens stay, the oldest of the others go, and the
// kept keys are shifted again and again. How far they drift.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/engine_case.h"
#include "support/all_targets.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

using EngineSinksTest = AllTargets;

constexpr int kSinks = 4;
constexpr int kEvictions = 64;
// Of the prompt, the tokens that stay to the end.
constexpr int kSurvivors = 128;

// The errors of keys that were rotated to where they stand.
struct Drift {
  double rms = 0;             // relative to the keys
  double norm_ratio = 0;      // mean of |key| / |exact key|
  std::vector<double> pairs;  // rms of each pair, relative to the pairs
};

struct Setting {
  int evicted;  // tokens at once
  int heads;
};

class SinkCache {
 public:
  explicit SinkCache(const Setting& setting)
      : rope_(MakeRope("", 64, Pairing::kHalf)),
        evicted_(setting.evicted),
        model_(MakeModel(Shape(setting), 70)),
        decoder_(model_, OptionsOf(rope_)) {
    tokens_ = MakeTokens(model_.shape,
                         kSinks + kEvictions * evicted_ + kSurvivors, 71);
    TakeStep(&decoder_, &sequence_, tokens_);
  }

  // One eviction and as many new tokens. The keys behind the sinks are shifted
  // once every so many evictions, by the sum of the deltas.
  void Evict(int shift_every) {
    decoder_.Evict(kSinks, evicted_, &sequence_);
    const auto oldest = tokens_.begin() + kSinks;
    tokens_.erase(oldest, oldest + evicted_);
    pending_ -= evicted_;
    if (++evictions_ % shift_every == 0) {
      const Status status = decoder_.Shift(kSinks, pending_, &sequence_);
      EXPECT_TRUE(status.ok()) << status.message();
      pending_ = 0;
    }
    Next(MakeTokens(model_.shape, evicted_,
                    static_cast<uint64_t>(1000 + evictions_)));
  }

  std::vector<float> Next(const std::vector<int>& next) {
    tokens_ = Joined(tokens_, next);
    return TakeStep(&decoder_, &sequence_, next);
  }

  Drift DriftOfSurvivors() {
    const auto first =
        static_cast<size_t>(kSinks + (kEvictions - evictions_) * evicted_);
    return Measure(ReferenceKeys(model_, rope_.reference, Tokens()),
                   CachedKeys(&decoder_, sequence_, 0), first);
  }

  ReferenceOutput ReferenceOfAll(const CacheRoundings& roundings) const {
    return ReferenceForward(model_, rope_.reference, Tokens(), roundings);
  }
  double inv_freq(size_t pair) const { return rope_.reference.inv_freq[pair]; }
  const Sequence& sequence() const { return sequence_; }

 private:
  static ModelShape Shape(const Setting& setting) {
    ModelShape shape = ShapeOf(1);
    shape.query_heads = shape.kv_heads = setting.heads;
    return shape;
  }

  ReferenceTokens Tokens() const { return {tokens_, sequence_.positions}; }
  Drift Measure(const std::vector<std::vector<double>>& exact,
                const std::vector<std::vector<double>>& keys,
                size_t first) const;

  RopeCase rope_;
  int evicted_;
  Model model_;
  Decoder decoder_;
  Sequence sequence_;
  std::vector<int> tokens_;  // of the cache
  int64_t pending_ = 0;
  int evictions_ = 0;
};

// Of kSurvivors tokens.
Drift SinkCache::Measure(const std::vector<std::vector<double>>& exact,
                         const std::vector<std::vector<double>>& keys,
                         size_t first) const {
  const reference::Window& window = rope_.reference.window;
  const auto dims = static_cast<size_t>(model_.shape.head_dim);
  std::vector<double> errors(static_cast<size_t>(window.pairs), 0);
  std::vector<double> squares(errors.size(), 0);
  Drift drift;
  double heads = 0;
  for (size_t t = first; t < first + kSurvivors; ++t) {
    for (size_t head = 0; head < exact[t].size(); head += dims) {
      double key_square = 0;
      double exact_square = 0;
      for (int i = 0; i < window.pairs; ++i) {
        for (const int member : {Member0(window, i), Member1(window, i)}) {
          const double want = exact[t][head + static_cast<size_t>(member)];
          const double got = keys[t][head + static_cast<size_t>(member)];
          errors[static_cast<size_t>(i)] += (got - want) * (got - want);
          squares[static_cast<size_t>(i)] += want * want;
          key_square += got * got;
          exact_square += want * want;
        }
      }
      drift.norm_ratio += std::sqrt(key_square / exact_square);
      ++heads;
    }
  }
  drift.norm_ratio /= heads;
  double error = 0;
  double square = 0;
  for (size_t i = 0; i < errors.size(); ++i) {
    error += errors[i];
    square += squares[i];
    drift.pairs.push_back(std::sqrt(errors[i] / squares[i]));
  }
  drift.rms = std::sqrt(error / square);
  return drift;
}

// One token goes at a time, as in StreamingLLM, or eight.
const Setting kSettings[] = {{1, 4}, {8, 1}};

std::string NameOf(const Setting& setting, int evictions) {
  return std::to_string(setting.evicted) + " at once, " +
         std::to_string(evictions) + " evictions";
}

// Measured elsewhere with Gaussian keys at position 5000, shifted by -8:
// 0.0023, 0.0045, 0.012 and 0.037.
TEST_P(EngineSinksTest, KeysShiftedAtEachEvictionDriftWithinTheLimits) {
  const std::map<int, double> limits = {
      {1, 0.0026}, {4, 0.0055}, {16, 0.016}, {64, 0.045}};
  for (const Setting& setting : kSettings) {
    SinkCache cache(setting);
    for (int n = 1; n <= kEvictions; ++n) {
      cache.Evict(/*shift_every=*/1);
      if (limits.count(n) == 0) continue;
      const Drift drift = cache.DriftOfSurvivors();
      EXPECT_LE(Report("rms drift, " + NameOf(setting, n), drift.rms),
                limits.at(n));
      EXPECT_NEAR(drift.norm_ratio, 1, 0.003);
    }
  }
}

// Errors of independent roundings add as their squares do. That holds for pairs
// which a shift takes several steps of BF16 on. A pair that is turned by less
// than a step is rounded back to where it was, again and again: its error is
// the whole angle, which grows with the number of shifts and ends the law.
TEST_P(EngineSinksTest, DriftGrowsAsTheRootWhereAShiftIsMoreThanAStep) {
  constexpr double kRounding = kBF16Roundoff / 1.7320508;  // rms at worst
  for (const Setting& setting : kSettings) {
    SinkCache cache(setting);
    for (int n = 1; n <= kEvictions; ++n) {
      cache.Evict(/*shift_every=*/1);
      if (n != 16 && n != kEvictions) continue;
      const Drift drift = cache.DriftOfSurvivors();
      double fast = 0;
      double slow = 0;
      for (size_t i = 0; i < drift.pairs.size(); ++i) {
        const double turn = cache.inv_freq(i) * setting.evicted;
        double* most = turn >= 4 * kBF16Roundoff ? &fast : &slow;
        *most = std::max(*most, drift.pairs[i]);
      }
      // Half more, for angles that meet the same roundings twice.
      EXPECT_LE(Report("drift of fast pairs, " + NameOf(setting, n), fast),
                1.5 * kRounding * std::sqrt(n + 1));
      EXPECT_LE(Report("drift of slow pairs, " + NameOf(setting, n), slow),
                kRounding * (n + 1));
    }
  }
}

// Deltas that the host adds up: 4 shifts instead of 64.
TEST_P(EngineSinksTest, CoalescedShiftsDriftAsFewShiftsDo) {
  for (const Setting& setting : kSettings) {
    SinkCache cache(setting);
    for (int n = 1; n <= kEvictions; ++n) cache.Evict(/*shift_every=*/16);
    const Drift drift = cache.DriftOfSurvivors();
    EXPECT_LE(Report("rms drift, coalesced, " + NameOf(setting, kEvictions),
                     drift.rms),
              0.0055);
    EXPECT_NEAR(drift.norm_ratio, 1, 0.003);
  }
}

// Sinks and kept keys side by side are the window of a model without a past.
TEST_P(EngineSinksTest, OutputsAfterTheEvictionsAreThoseOfTheWindow) {
  for (const Setting& setting : kSettings) {
    for (const int shift_every : {1, 16}) {
      SinkCache cache(setting);
      for (int n = 1; n <= kEvictions; ++n) cache.Evict(shift_every);
      // Every key behind the sinks stands right behind the one before it.
      std::vector<int64_t> window = Count(0, cache.sequence().tokens());
      ASSERT_EQ(cache.sequence().positions, window);
      const CacheRoundings roundings = {1 + kEvictions / shift_every, 1};
      const std::vector<int> next = {1, 2, 3};
      const std::vector<float> outputs = cache.Next(next);
      EXPECT_LE(
          Report("bound used, shifts every " + std::to_string(shift_every) +
                     ", " + NameOf(setting, kEvictions),
                 UsedOfBound(outputs, cache.ReferenceOfAll(roundings))),
          1.0);
    }
  }
}

ROPEWALK_INSTANTIATE_ALL_TARGETS(EngineSinksTest);

}  // namespace
}  // namespace ropewalk::test
