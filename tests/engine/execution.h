// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Whose threads run a call of the library: the engine decides.
#pragma once
#include <functional>

#include "ropewalk/parallel.h"
#include "ropewalk/status.h"

namespace ropewalk::test {

using LibraryCall = std::function<Status(Parallel)>;
using Execution = std::function<Status(const LibraryCall&)>;

Status RunSerially(const LibraryCall& call);
Status RunOnTbb(const LibraryCall& call);
// Every thread makes the call with its own share.
Status RunOnThreeThreads(const LibraryCall& call);

}  // namespace ropewalk::test
