// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// An executable that links thread_creation.cc counts the threads that anything
// in its process creates, libraries included: it has a pthread_create() of its
// own, which calls the one that it hides.
#pragma once
#include <atomic>
#include <cstdint>

namespace ropewalk::test {

extern std::atomic<int64_t> threads_created;  // since the process began

}  // namespace ropewalk::test
