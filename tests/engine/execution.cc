// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "execution.h"

#include <array>
#include <thread>

namespace ropewalk::test {

Status RunSerially(const LibraryCall& call) { return call(Parallel::Serial()); }

Status RunOnTbb(const LibraryCall& call) { return call(Parallel::Tbb()); }

// All shares fail or none does, so that any failure tells.
Status RunOnThreeThreads(const LibraryCall& call) {
  constexpr int kShares = 3;
  std::array<Status, kShares> statuses;
  std::array<std::thread, kShares> threads;
  for (int i = 0; i < kShares; ++i) {
    threads[static_cast<size_t>(i)] = std::thread([&call, &statuses, i] {
      statuses[static_cast<size_t>(i)] = call(Parallel::Share(i, kShares));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Status& status : statuses) {
    if (!status.ok()) return status;
  }
  return Status();
}

}  // namespace ropewalk::test
