// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// operator new that counts, and refuses on demand. It replaces the one of the
// whole executable that operator_new.cc is linked into.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace ropewalk::test {

extern std::atomic<int64_t> allocations;
// Requests of so many bytes and more are refused.
extern std::atomic<std::size_t> refused_from;
// The request that makes `allocations` this number is refused.
extern std::atomic<int64_t> refused_at;
// How many were.
extern std::atomic<int64_t> refusals;
// Granted and not yet released.
extern std::atomic<int64_t> alive;

}  // namespace ropewalk::test
