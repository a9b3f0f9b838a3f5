// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A host's arena of oneTBB with a limit: what Parallel::Tbb() starts stays
// inside, however many threads there are. Compared with one thread.
#include <atomic>
#include <cstddef>
#include <cstdio>

#include "layers.h"
#include "oneapi/tbb/global_control.h"
#include "oneapi/tbb/task_arena.h"
#include "oneapi/tbb/task_scheduler_observer.h"
#include "ropewalk/ropewalk.h"

namespace rw = ropewalk;

namespace {

constexpr int kAllowed = 8;  // threads of the process, one of them main()'s
constexpr int kLimit = 2;    // of the arena

// Counts the threads that are in an arena; without one, in that of the calling
// thread, which is where work goes that is started outside of all others.
class Counter : public oneapi::tbb::task_scheduler_observer {
 public:
  explicit Counter(oneapi::tbb::task_arena& arena)
      : task_scheduler_observer(arena) {
    observe(true);
  }
  Counter() { observe(true); }
  ~Counter() override { observe(false); }

  void on_scheduler_entry(bool) override {
    const int now = ++inside_;
    for (int most = most_; now > most;) {
      if (most_.compare_exchange_weak(most, now)) break;
    }
  }
  void on_scheduler_exit(bool) override { --inside_; }

  int most() const { return most_; }

 private:
  std::atomic<int> inside_{0};
  std::atomic<int> most_{0};
};

rw::Status RotateLayers(host::Layers* layers) {
  for (size_t layer = 0; layer < host::kLayers; ++layer) {
    const rw::Status status = layers->Rotate(layer, rw::Parallel::Tbb());
    if (!status.ok()) return status;
    layers->Attend(layer, 0, 1);
  }
  return rw::Status();
}

rw::Status Run(oneapi::tbb::task_arena* arena, host::Layers* layers) {
  for (const host::Step& step : host::kSteps) {
    rw::Status status = layers->Begin(step.first_position, step.tokens);
    if (!status.ok()) return status;
    status = arena->execute([&] { return RotateLayers(layers); });
    if (!status.ok()) return status;
  }
  return rw::Status();
}

}  // namespace

int main() {
  const oneapi::tbb::global_control allowed(
      oneapi::tbb::global_control::max_allowed_parallelism, kAllowed);
  oneapi::tbb::task_arena arena(kLimit);
  Counter inside(arena);
  Counter outside;
  host::Layers serial;
  host::Layers layers;
  rw::Status status = host::RunSerially(&serial);
  if (status.ok()) status = Run(&arena, &layers);
  std::printf("threads at once: %d in the arena of %d, %d outside\n",
              inside.most(), kLimit, outside.most());
  // Outside there is main() at most.
  const bool kept = inside.most() >= 1 && inside.most() <= kLimit;
  if (!kept || outside.most() > 1) return 1;
  return host::Report(status, layers, serial);
}
