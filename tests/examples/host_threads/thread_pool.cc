// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A pool of std::thread that sleeps between layers: each thread makes the same
// call with its own share. Compared with one thread.
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "layers.h"
#include "ropewalk/ropewalk.h"

namespace rw = ropewalk;

namespace {

class Pool {
 public:
  explicit Pool(int size) {
    for (int i = 0; i < size; ++i)
      threads_.emplace_back([this, i] { Loop(i); });
  }
  ~Pool() {
    Run(nullptr);
    for (std::thread& thread : threads_) thread.join();
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  int size() const { return static_cast<int>(threads_.size()); }

  // function(0) to function(size() - 1), each on its thread; all have returned.
  // An empty function ends the threads.
  void Run(const std::function<void(int)>& function) {
    std::unique_lock<std::mutex> lock(mutex_);
    function_ = function;
    running_ = size();
    ++round_;
    start_.notify_all();
    done_.wait(lock, [this] { return running_ == 0; });
  }

 private:
  void Loop(int index) {
    for (int round = 1;; ++round) {
      std::function<void(int)> function;
      {
        std::unique_lock<std::mutex> lock(mutex_);
        start_.wait(lock, [&] { return round_ == round; });
        function = function_;
      }
      if (function) function(index);
      std::lock_guard<std::mutex> lock(mutex_);
      if (--running_ == 0) done_.notify_one();
      if (!function) return;
    }
  }

  std::mutex mutex_;
  std::condition_variable start_, done_;
  std::function<void(int)> function_;
  int round_ = 0;
  int running_ = 0;
  std::vector<std::thread> threads_;
};

rw::Status Run(Pool* pool, host::Layers* layers) {
  const int count = pool->size();
  std::vector<rw::Status> statuses(static_cast<size_t>(count));
  for (const host::Step& step : host::kSteps) {
    rw::Status begun = layers->Begin(step.first_position, step.tokens);
    if (!begun.ok()) return begun;
    for (size_t layer = 0; layer < host::kLayers; ++layer) {
      pool->Run([&](int index) {
        statuses[static_cast<size_t>(index)] =
            layers->Rotate(layer, rw::Parallel::Share(index, count));
      });
      // All shares fail or none does.
      if (!statuses[0].ok()) return statuses[0];
      pool->Run([&](int index) { layers->Attend(layer, index, count); });
    }
  }
  return rw::Status();
}

}  // namespace

int main() {
  host::Layers serial;
  host::Layers layers;
  rw::Status status = host::RunSerially(&serial);
  Pool pool(4);
  if (status.ok()) status = Run(&pool, &layers);
  return host::Report(status, layers, serial);
}
