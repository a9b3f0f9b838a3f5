// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What both readers ask of their options.
#pragma once
#include "ropewalk/config.h"

namespace ropewalk::internal {

// kInvalidArgument for an enum without that value and for a negative limit.
Status ValidateConfigOptions(const ConfigOptions& options) noexcept;

}  // namespace ropewalk::internal
