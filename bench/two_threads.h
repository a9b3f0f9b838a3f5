// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The pool of an engine that never sleeps, of two threads: what Share() costs
// and gains where handing work over takes next to nothing.
#pragma once
#include <atomic>
#include <cstdint>
#include <thread>

namespace ropewalk::bench {

class TwoThreads {
 public:
  TwoThreads() : other_([this] { Loop(); }) {}
  ~TwoThreads() {
    run_ = nullptr;
    started_.store(started_.load() + 1);
    other_.join();
  }
  TwoThreads(const TwoThreads&) = delete;
  TwoThreads& operator=(const TwoThreads&) = delete;

  // function(0) here and function(1) on the other thread; both have returned.
  template <class Function>
  void Run(const Function& function) {
    run_ = [](const void* f) { (*static_cast<const Function*>(f))(1); };
    function_ = &function;
    const int64_t call = started_.load(std::memory_order_relaxed) + 1;
    started_.store(call, std::memory_order_release);
    function(0);
    Await(finished_, call);
  }

 private:
  // Spins for some 10 us; then another program may need the core to get on.
  static void Await(const std::atomic<int64_t>& counter, int64_t value) {
    for (int spins = 0; counter.load(std::memory_order_acquire) != value;) {
      if (++spins > 10000) std::this_thread::yield();
    }
  }

  void Loop() {
    for (int64_t call = 1;; ++call) {
      Await(started_, call);
      if (run_ == nullptr) return;
      run_(function_);
      finished_.store(call, std::memory_order_release);
    }
  }

  void (*run_)(const void*) = nullptr;
  const void* function_ = nullptr;
  // A cache line each: the threads wait for one while they write the other.
  alignas(64) std::atomic<int64_t> started_{0};
  alignas(64) std::atomic<int64_t> finished_{0};
  std::thread other_;
};

}  // namespace ropewalk::bench
