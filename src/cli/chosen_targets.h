// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The targets of a command that runs on each of them, and its end.
#pragma once
#include <string>
#include <vector>

#include "ropewalk/status.h"

namespace ropewalk::cli {

// The one of that name, which need not exist; all that this CPU has, best
// first, where it is empty.
std::vector<std::string> ChosenTargets(const std::string& name);

// Of a column: the longest name and a space.
int TargetWidth(const std::vector<std::string>& targets);

// Detection again, for whatever the process does next. Returns kFine, or says
// what failed and returns kFailed.
int RestoreTarget(const Status& status);

}  // namespace ropewalk::cli
