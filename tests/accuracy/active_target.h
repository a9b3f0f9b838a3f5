// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes a target the active one, or fails: no error may be measured on another.
#pragma once
#include <stdexcept>
#include <string>

#include "ropewalk/status.h"
#include "ropewalk/target.h"

namespace ropewalk::test {

inline void Check(const Status& status) {
  if (!status.ok()) throw std::runtime_error(status.message());
}

// "" restores the library's own choice.
inline void Activate(const std::string& target) {
  Check(ForceTarget(target));
  if (!target.empty() && ActiveTarget() != target) {
    throw std::runtime_error("the active target is not " + target);
  }
}

}  // namespace ropewalk::test
