// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Every way of splitting a call on a cache gives the same bits.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cache/write_case.h"
#include "gtest/gtest.h"
#include "ropewalk/kv_cache.h"
#include "rotate/transform_case.h"
#include "support/all_targets.h"
#include "support/cache.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

#if ROPEWALK_HAVE_TBB
#include "oneapi/tbb/global_control.h"
#include "oneapi/tbb/task_arena.h"
#endif

namespace ropewalk::test {
namespace {

using CacheSplitsTest = AllTargets;

// A call, on copies of what it reads and writes.
struct Work {
  std::string name;
  // Runs parts of the call one after the other; returns what it left behind.
  std::function<std::vector<uint8_t>(const std::vector<Parallel>&)> run;
};

std::vector<uint8_t> Join(const std::vector<uint8_t>& a,
                          const std::vector<uint8_t>& b) {
  std::vector<uint8_t> both = a;
  both.insert(both.end(), b.begin(), b.end());
  return both;
}

Work OnCopies(const std::string& name, const Cache& cache,
              std::function<Status(const Cache&, const Parallel&)> call) {
  return {name, [&cache, call](const std::vector<Parallel>& parts) {
            const Cache copy = cache.Copy();
            for (const Parallel& part : parts) {
              EXPECT_TRUE(Succeeds(call(copy, part)));
            }
            return copy.Bytes();
          }};
}

// How large the calls are; large ones are worth several tasks of oneTBB.
struct Size {
  int64_t tokens;
  int64_t slots;
  int64_t heads;
};

class AllCalls {
 public:
  AllCalls(DataType type, DimOrder order, const Size& size, Random* random)
      : layout_(FullLayout(
            kDims, random->Below(2) ? Pairing::kHalf : Pairing::kInterleaved)),
        cache_({type, size.slots / 8, 8, size.heads, kDims, order, 2, 4},
               random),
        slots_(DrawSlots(size.tokens, cache_.slots(), random)),
        to_(DrawSlots(size.tokens, cache_.slots(), random)),
        positions_(DrawPositions(size.tokens, random)),
        step_(MakeStep(kDims, positions_)),
        transform_(Norm(), size.tokens, random),
        q_({type, 1, size.tokens, 2 * size.heads, kDims}, random),
        k_({DataType::kF32, 1, size.tokens, size.heads, kDims}, random) {
    slots_[0] = -1;
    Frequencies frequencies;
    frequencies.inv_freq = reference::PlainInvFreq(kDims, 10000);
    from_ = TableOf(frequencies);
    for (double& w : frequencies.inv_freq) w *= 0.3;
    frequencies.attention_factor = 1.2;
    to_table_ = TableOf(frequencies);
  }

  std::vector<Work> List() const {
    return {
        {"write",
         [this](const std::vector<Parallel>& parts) { return Write(parts); }},
        OnCopies("shift", cache_,
                 [this](const Cache& cache, const Parallel& part) {
                   return ShiftCache(step_.rows, layout_, cache.view(),
                                     SlotsOf(slots_), part);
                 }),
        OnCopies("move", cache_,
                 [this](const Cache& cache, const Parallel& part) {
                   return MoveCache(step_.rows, layout_, cache.view(),
                                    SlotsOf(slots_), SlotsOf(to_), part);
                 }),
        OnCopies("rerotate", cache_,
                 [this](const Cache& cache, const Parallel& part) {
                   const Positions positions(
                       positions_.data(),
                       static_cast<int64_t>(positions_.size()));
                   return Rerotate(*from_, *to_table_, layout_, cache.view(),
                                   SlotsOf(slots_), positions, part);
                 }),
    };
  }

 private:
  static constexpr int kDims = 64;

  static TransformSpec Norm() {
    TransformSpec spec;
    spec.size = kDims;
    spec.has_weight = spec.has_token_scale = true;
    return spec;
  }

  std::vector<uint8_t> Write(const std::vector<Parallel>& parts) const {
    const Cache k_cache = cache_.Copy();
    const Cache v_cache = cache_.Copy();
    const Heads q = q_.Copy();
    const ConstHeadsView k = k_.view();
    CacheWrite write;
    write.q = q.view();
    write.k = &k;
    const Heads v = k_.Copy();
    const ConstHeadsView v_view = v.view();
    write.v = &v_view;
    write.q_layout = write.k_layout = layout_;
    write.k_transform = transform_.transform();
    write.k_cache = k_cache.view();
    write.v_cache = v_cache.view();
    for (const Parallel& part : parts) {
      EXPECT_TRUE(
          Succeeds(RotateIntoCache(step_.rows, write, SlotsOf(slots_), part)));
    }
    return Join(Join(k_cache.Bytes(), v_cache.Bytes()), q.Bytes());
  }

  RotaryLayout layout_;
  Cache cache_;
  std::vector<int64_t> slots_, to_, positions_;
  Step step_;
  TransformCase transform_;
  Heads q_, k_;
  std::shared_ptr<const AngleTable> from_, to_table_;
};

// All shares; the order of the host's threads is not known.
std::vector<Parallel> Shares(int count) {
  std::vector<Parallel> shares;
  for (int i = count - 1; i >= 0; --i) {
    shares.push_back(Parallel::Share(i, count));
  }
  return shares;
}

constexpr DimOrder kOrders[] = {DimOrder::kTokensHeads, DimOrder::kHeadsTokens};

TEST_P(CacheSplitsTest, SharesAddUpToTheWhole) {
  Random random = Random::ForTest();
  for (const DataType type : kAllTypes) {
    for (const DimOrder order : kOrders) {
      // Fewer heads than shares, and tokens that do not divide.
      for (const Size& size : {Size{19, 40, 3}, Size{2, 8, 1}, Size{5, 8, 8}}) {
        const AllCalls calls(type, order, size, &random);
        for (const Work& work : calls.List()) {
          const std::vector<uint8_t> whole = work.run({Parallel::Serial()});
          EXPECT_TRUE(work.run({Parallel::Tbb()}) == whole) << work.name;
          for (int count = 1; count <= 7; ++count) {
            EXPECT_TRUE(work.run(Shares(count)) == whole)
                << NameOf(type) << " " << work.name << " in " << count
                << " shares of " << size.tokens << " tokens";
          }
        }
      }
    }
  }
}

// Chunks of rows begin elsewhere in each share.
TEST_P(CacheSplitsTest, SharesOfManySlotsAddUpToTheWhole) {
  Random random = Random::ForTest();
  for (const int64_t tokens : {2600, 4200}) {
    const AllCalls calls(DataType::kBF16, DimOrder::kTokensHeads,
                         {tokens, 4400, 1}, &random);
    for (const Work& work : calls.List()) {
      const std::vector<uint8_t> whole = work.run({Parallel::Serial()});
      for (const int count : {2, 3, 7}) {
        EXPECT_TRUE(work.run(Shares(count)) == whole)
            << work.name << " in " << count << " shares";
      }
    }
  }
}

#if ROPEWALK_HAVE_TBB
TEST_P(CacheSplitsTest, EveryArenaGivesTheSameBits) {
  Random random = Random::ForTest();
  const oneapi::tbb::global_control control(
      oneapi::tbb::global_control::max_allowed_parallelism, 8);
  for (const DimOrder order : kOrders) {
    const AllCalls calls(DataType::kBF16, order, {1200, 1600, 12}, &random);
    for (const Work& work : calls.List()) {
      const std::vector<uint8_t> serial = work.run({Parallel::Serial()});
      for (const int threads : {1, 2, 3, 8}) {
        oneapi::tbb::task_arena arena(threads);
        const std::vector<uint8_t> got =
            arena.execute([&] { return work.run({Parallel::Tbb()}); });
        EXPECT_TRUE(got == serial)
            << work.name << " with " << threads << " threads";
      }
    }
  }
}
#endif

ROPEWALK_INSTANTIATE_ALL_TARGETS(CacheSplitsTest);

}  // namespace
}  // namespace ropewalk::test
