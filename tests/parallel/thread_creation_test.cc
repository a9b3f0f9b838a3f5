// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Serial and Share create no thread, in any call that takes a Parallel, of work
// that Tbb splits; nor do the calls that make angles. ctest runs each test in a
// process of its own, without threads that an earlier one has left.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/ropewalk.h"
#include "support/thread_creation.h"

#if ROPEWALK_HAVE_TBB
#include "oneapi/tbb/global_control.h"
#include "oneapi/tbb/task_arena.h"
#endif

namespace ropewalk::test {
namespace {

constexpr int kDims = 128;
constexpr int kHeads = 8;
constexpr int64_t kTokens = 1024;

// What all the calls work on.
class Work {
 public:
  Work()
      : table(Build(/*base=*/10000, Parallel::Serial()).value()),
        other_table(Build(/*base=*/500000, Parallel::Serial()).value()),
        x(kTokens * kHeads * kDims, 1.0f),
        y(x),
        cache(x.size(), uint16_t{0x3F80}),
        cos_sin(kTokens * kDims) {
    layout.head_dim = layout.rotary_dim = kDims;
    const Positions positions = Positions::Consecutive(1, kTokens);
    EXPECT_TRUE(table->Fill(positions, &rows).ok());
    EXPECT_TRUE(table->FillRotation(positions, &rotation).ok());
    EXPECT_TRUE(
        other_table->FillRerotation(*table, positions, &rerotation).ok());
  }

  static Result<std::shared_ptr<const AngleTable>> Build(double base,
                                                         Parallel parallel) {
    RopeParameters rope;
    rope.rotary_dim = kDims;
    rope.base = base;
    const auto frequencies = ComputeFrequencies(rope);
    if (!frequencies.ok()) return frequencies.status();
    return AngleTable::Build(frequencies.value(), AngleOptions{}, parallel);
  }

  HeadsView X() { return DenseHeads(x.data(), kTokens, kHeads, kDims); }
  HeadsView Y() { return DenseHeads(y.data(), kTokens, kHeads, kDims); }
  KvCacheView Keys() {
    return NhdCache(cache.data(), DataType::kBF16, 64, kTokens / 64, kHeads,
                    kDims);
  }
  static Slots All() { return Slots::Range(0, kTokens); }

  std::shared_ptr<const AngleTable> table, other_table;
  std::vector<float> x, y;
  std::vector<uint16_t> cache;
  std::vector<float> cos_sin;
  RotaryLayout layout;
  AngleRows rows, rotation, rerotation;
};

struct Call {
  const char* name;
  std::function<Status(Work*, Parallel)> run;
  bool has_shares = true;  // a table is built whole
};

void PrintTo(const Call& call, std::ostream* out) { *out << call.name; }

RotateOptions OptionsOf(Parallel parallel) {
  return {Direction::kForward, parallel, HeadTransform{}};
}

Status RunBuild(Work*, Parallel parallel) {
  return Work::Build(500000, parallel).status();
}

Status RunExport(Work* work, Parallel parallel) {
  CosSinView out;
  out.cos = work->cos_sin.data();
  out.sin = work->cos_sin.data() + kDims / 2;
  out.rows = kTokens;
  out.pairs = kDims / 2;
  out.row_stride = kDims * 4;
  out.pair_stride = 4;
  return work->table->Export(0, kTokens, out, parallel);
}

Status RunRotateIntoCache(Work* work, Parallel parallel) {
  const ConstHeadsView k = work->Y();
  CacheWrite write;
  write.q = work->X();
  write.q_layout = write.k_layout = work->layout;
  write.k = &k;
  write.k_cache = work->Keys();
  return RotateIntoCache(work->rows, write, Work::All(), parallel);
}

Status RunPermutePairing(Work* work, Parallel parallel) {
  const ProjectionView projection = {work->x.data(), DataType::kF32, kHeads,
                                     kTokens, 0};
  return PermutePairing(projection, work->layout, Pairing::kInterleaved,
                        parallel);
}

// Every overload of every call.
std::vector<Call> Calls() {
  return {
      {"Build", RunBuild, /*has_shares=*/false},
      {"Export", RunExport},
      {"RotateTensors",
       [](Work* w, Parallel p) {
         const HeadsView views[] = {w->X(), w->Y()};
         return Rotate(w->rows, w->layout, views, 2, OptionsOf(p));
       }},
      {"RotateList",
       [](Work* w, Parallel p) {
         return Rotate(w->rows, w->layout, {w->X(), w->Y()}, OptionsOf(p));
       }},
      {"RotateOutOfPlace",
       [](Work* w, Parallel p) {
         return Rotate(w->rows, w->layout, ConstHeadsView(w->X()), w->Y(),
                       OptionsOf(p));
       }},
      {"RotateIntoCache", RunRotateIntoCache},
      {"ShiftCache",
       [](Work* w, Parallel p) {
         return ShiftCache(w->rotation, w->layout, w->Keys(), Work::All(), p);
       }},
      {"MoveCache",
       [](Work* w, Parallel p) {
         return MoveCache(w->rotation, w->layout, w->Keys(), Work::All(),
                          Work::All(), p);
       }},
      {"RerotateRows",
       [](Work* w, Parallel p) {
         return Rerotate(w->rerotation, w->layout, w->Keys(), Work::All(), p);
       }},
      {"RerotateTables",
       [](Work* w, Parallel p) {
         return Rerotate(*w->table, *w->other_table, w->layout, w->Keys(),
                         Work::All(), Positions::Consecutive(1, kTokens), p);
       }},
      {"PermutePairing", RunPermutePairing},
  };
}

// Those that `run` creates.
template <class Run>
int64_t ThreadsOf(const Run& run) {
  const int64_t before = threads_created;
  run();
  return threads_created - before;
}

// Runs it where oneTBB may use so many threads, whatever cores there are.
template <class Run>
void InArena(int threads, const Run& run) {
#if ROPEWALK_HAVE_TBB
  const oneapi::tbb::global_control allowed(
      oneapi::tbb::global_control::max_allowed_parallelism, 8);
  oneapi::tbb::task_arena arena(threads);
  arena.execute(run);
#else
  static_cast<void>(threads);
  run();
#endif
}

class ThreadCreationTest : public testing::TestWithParam<Call> {
 protected:
  void Run(Parallel parallel) {
    const Call& call = GetParam();
    const bool refused =
        parallel.kind() == Parallel::Kind::kShare && !call.has_shares;
    const Status status = call.run(&work_, parallel);
    EXPECT_EQ(status.code(),
              refused ? StatusCode::kInvalidArgument : StatusCode::kOk)
        << status.message();
  }

 private:
  Work work_;
};

TEST_P(ThreadCreationTest, SerialCreatesNoThread) {
  EXPECT_EQ(ThreadsOf([&] { Run(Parallel::Serial()); }), 0);
}

TEST_P(ThreadCreationTest, ShareCreatesNoThread) {
  EXPECT_EQ(ThreadsOf([&] {
              for (int i = 0; i < 3; ++i) Run(Parallel::Share(i, 3));
            }),
            0);
}

// That the work is large enough to be split, and creation is seen.
TEST_P(ThreadCreationTest, TbbCreatesOneForTheSameWork) {
#if ROPEWALK_HAVE_TBB
  InArena(4, [&] { Run(Parallel::Tbb()); });
  EXPECT_GE(threads_created, 1);
#else
  GTEST_SKIP() << "built without oneTBB";
#endif
}

// The arena's limit counts the calling thread.
TEST_P(ThreadCreationTest, TbbCreatesNoMoreThanTheArenaTakes) {
#if ROPEWALK_HAVE_TBB
  const auto run = [&] {
    for (int i = 0; i < 10; ++i) Run(Parallel::Tbb());
  };
  EXPECT_EQ(ThreadsOf([&] { InArena(1, run); }), 0);
  EXPECT_LE(ThreadsOf([&] { InArena(3, run); }), 2);
#else
  GTEST_SKIP() << "built without oneTBB";
#endif
}

std::string NameOf(const testing::TestParamInfo<Call>& info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(, ThreadCreationTest, testing::ValuesIn(Calls()),
                         NameOf);

TEST(ThreadCreationOfTheTestTest, IsCounted) {
  EXPECT_EQ(ThreadsOf([] { std::thread([] {}).join(); }), 1);
}

TEST(AngleThreadCreationTest, TablesRowsAndTheCacheCreateNoThread) {
  EXPECT_EQ(
      ThreadsOf([] {
        const Work work;  // fills rows of each kind
        AngleCache cache{AngleCacheOptions{}};
        RopeParameters rope;
        rope.rotary_dim = kDims;
        const auto table = cache.Get(rope, 0, AngleOptions{});
        ASSERT_TRUE(table.ok());
        AngleRows rows;
        EXPECT_TRUE(table.value()
                        ->Fill(Positions::Consecutive(0, 8 * kTokens), &rows)
                        .ok());
      }),
      0);
}

size_t CountIn(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// A Parallel is a parameter of its own, or comes with RotateOptions.
TEST(ThreadCreationOfTheTestTest, KnowsEveryCallThatTakesAParallel) {
  size_t count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(ROPEWALK_INCLUDE_DIR)) {
    if (!entry.is_regular_file()) continue;  // the C interface
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    count += CountIn(text, "Parallel parallel");
    count += CountIn(text, "const RotateOptions& options");
  }
  const size_t in_rotate_options = 1;
  EXPECT_EQ(Calls().size(), count - in_rotate_options);
}

}  // namespace
}  // namespace ropewalk::test
