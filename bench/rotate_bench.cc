// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Rotate() on every target: from L1 to DRAM, decode and prefill, the layouts
// and conversions, one thread and two. percent_of_bound comes from the same
// run: the time of the bound over as many bytes, threads and on the target.
//
//   rotate_bench --benchmark_filter='half/bf16.*target:AVX2'
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "bench/bound.h"
#include "bench/pair_benchmark.h"
#include "bench/rotate_shape.h"
#include "bench/run_benchmarks.h"
#include "bench/timing.h"
#include "benchmark/benchmark.h"
#include "ropewalk/angles.h"
#include "ropewalk/rotate.h"
#include "ropewalk/target.h"

namespace ropewalk::bench {
namespace {

constexpr int64_t kLargest = 128 * kMiB;

// Kept from benchmark to benchmark: 128 MiB are slow to get.
unsigned char* Buffer() {
  static Memory memory(kLargest);
  return memory.data();
}

unsigned char* OutBuffer() {
  static Memory memory(8 * kMiB);
  return memory.data();
}

// Words that are ordinary numbers in all three types; a rotation leaves behind
// some that are none in another type.
void FillBuffer(int64_t bytes) {
  constexpr int64_t kPage = 4096;
  uint16_t words[kPage / 2];
  uint32_t random = 1;
  for (uint16_t& word : words) {
    random = random * 1664525u + 1013904223u;
    word = static_cast<uint16_t>(0x3C00 | (random >> 24));
  }
  for (int64_t i = 0; i < bytes; i += kPage) {
    std::memcpy(Buffer() + i, words,
                static_cast<size_t>(std::min(kPage, bytes - i)));
  }
}

// Position 0 is left out: its row turns nothing.
Status FillRows(const Shape& shape, AngleRows* rows) {
  RopeParameters parameters;
  parameters.rotary_dim = shape.rotary_dim;
  static AngleCache cache{AngleCacheOptions{}};
  const auto table =
      cache.Get(parameters, /*sequence_length=*/0, AngleOptions{});
  if (!table.ok()) return table.status();
  return table.value()->Fill(Positions::Consecutive(1, shape.tokens), rows);
}

// A rotation and its bound, ready to run.
class Rotation {
 public:
  explicit Rotation(const Shape& shape) : shape_(shape) {
    layout_.head_dim = shape.head_dim;
    layout_.rotary_dim = shape.rotary_dim;
    layout_.pairing = shape.pairing;
    if (shape.changes_pairing) {
      layout_.output_pairing = shape.pairing == Pairing::kHalf
                                   ? Pairing::kInterleaved
                                   : Pairing::kHalf;
    }
    query_ = ViewOf(shape, Buffer(), shape.query_heads);
    key_ = ViewOf(shape, Buffer() + query_.batch_stride, shape.key_heads);
    out_ = query_;
    out_.data = OutBuffer();
    if (shape.to_bf16) {
      out_.type = DataType::kBF16;
      out_.head_stride /= 2;
      out_.token_stride /= 2;
      out_.batch_stride /= 2;
    }
    if (shape.threads > 1) options_.parallel = Parallel::Tbb();
    status_ = FillRows(shape, &rows_);
  }

  const Status& status() const { return status_; }

  void FillTensors() const {
    FillBuffer(query_.batch_stride + key_.batch_stride);
  }

  void Run() {
    if (shape_.OutOfPlace()) {
      status_ = Rotate(rows_, layout_, query_, out_, options_);
    } else if (shape_.key_heads != 0) {
      status_ = Rotate(rows_, layout_, {query_, key_}, options_);
    } else {
      status_ = Rotate(rows_, layout_, {query_}, options_);
    }
  }

  // Out of place: a copy that reads and writes as many bytes in all.
  void RunBound() const {
    const int64_t read = shape_.BytesRead();
    const int64_t written = shape_.BytesWritten();
    if (shape_.OutOfPlace()) {
      CopyBytes(OutBuffer(), Buffer(), static_cast<size_t>(read + written) / 2);
    } else {
      XorByThreads(shape_.threads, Buffer(), read);
    }
  }

 private:
  Shape shape_;
  RotaryLayout layout_;
  HeadsView query_;
  HeadsView key_;
  HeadsView out_;
  RotateOptions options_;
  AngleRows rows_;
  Status status_;
};

TimingOptions timing;  // Of every pair; set before the first one.

void RunBenchmark(benchmark::State& state, const Shape& shape,
                  const char* target, const Memo& memo) {
  if (const Status s = ForceTarget(target); !s.ok()) {
    state.SkipWithError(s.message());
    return;
  }
  WithThreads(shape.threads, [&] {
    Rotation rotation(shape);
    if (!memo->has_value()) rotation.FillTensors();
    if (rotation.status().ok()) {
      for (auto _ : state) rotation.Run();
    }
    if (!rotation.status().ok()) {
      state.SkipWithError(rotation.status().message());
      return;
    }
    if (!memo->has_value()) {
      *memo = MeasurePair([&] { rotation.Run(); }, [&] { rotation.RunBound(); },
                          timing);
    }
  });
  state.SetLabel(ActiveTarget());
  if (!memo->has_value()) return;
  const int64_t bytes = shape.BytesRead() + shape.BytesWritten();
  state.SetBytesProcessed(state.iterations() * bytes);
  state.counters["GB/s"] = static_cast<double>(bytes) / (*memo)->seconds * 1e-9;
  state.counters["percent_of_bound"] = (*memo)->ratio * 100;
}

void Register(const Shape& shape, const char* target) {
  const Memo memo = std::make_shared<std::optional<PairTiming>>();
  const std::string name = NameOf(shape) + "/target:" + target;
  auto* const registered =
      benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
        RunBenchmark(state, shape, target, memo);
      });
  // The processor time of one thread says nothing about two.
  if (shape.threads > 1) registered->UseRealTime();
}

// A whole buffer of one tensor: L1, L2, L3 and DRAM of the usual servers.
void RegisterSizes(Shape shape, const char* target) {
  for (const int64_t bytes : {16 * kKiB, 512 * kKiB, 8 * kMiB, kLargest}) {
    shape.tokens = bytes / (shape.Heads() * shape.HeadBytes());
    shape.threads = 1;
    Register(shape, target);
#if ROPEWALK_HAVE_TBB
    shape.threads = 2;
    if (bytes >= 8 * kMiB) Register(shape, target);
#endif
  }
}

// From one pairing to the other, beside a rotation that keeps its own.
void RegisterChanges(const Shape& base, const char* target) {
  Shape shape = base;
  for (const int64_t bytes : {16 * kKiB, 512 * kKiB, 8 * kMiB}) {
    shape.tokens = bytes / (shape.Heads() * shape.HeadBytes());
    shape.to_copy = true;
    shape.changes_pairing = false;
    shape.tag = "/to:copy";
    Register(shape, target);
    shape.changes_pairing = true;
    shape.tag = "/to:copy/changes_pairing";
    Register(shape, target);
    shape.to_copy = false;
    shape.tag = "/changes_pairing";
    Register(shape, target);
  }
}

// What engines call, one shape at a time.
void RegisterSteps(const Shape& base, const char* target) {
  Shape shape = base;
  shape.key_heads = 8;
  shape.tag = "/decode";
  Register(shape, target);
  shape.tag = "/prefill";
  shape.tokens = 512;
  Register(shape, target);
  shape = base;
  shape.tokens = 64;
  shape.rotary_dim = 64;
  Register(shape, target);
  shape.rotary_dim = shape.head_dim = 80;
  Register(shape, target);
  shape = base;
  shape.tokens = 64;
  shape.heads_first = true;
  shape.tag = "/heads_first";
  Register(shape, target);
  if (base.type != DataType::kF32) return;
  shape.heads_first = false;
  shape.to_bf16 = true;
  shape.tag = "/to:bf16";
  Register(shape, target);
}

void RegisterAll() {
  const TargetNames targets = AvailableTargets();
  for (int i = 0; i < targets.count; ++i) {
    for (const Pairing pairing : {Pairing::kHalf, Pairing::kInterleaved}) {
      for (const DataType type :
           {DataType::kF32, DataType::kBF16, DataType::kF16}) {
        Shape shape;
        shape.pairing = pairing;
        shape.type = type;
        RegisterSizes(shape, targets.names[i]);
        RegisterSteps(shape, targets.names[i]);
        RegisterChanges(shape, targets.names[i]);
      }
    }
  }
}

}  // namespace
}  // namespace ropewalk::bench

int main(int argc, char** argv) {
  ropewalk::bench::timing = ropewalk::bench::TimingOf(argc, argv);
  return ropewalk::bench::RunBenchmarks(argc, argv,
                                        ropewalk::bench::RegisterAll);
}
