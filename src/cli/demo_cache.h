// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The demo's decode loop: keys rotated into a cache, and a context shift.
#pragma once
#include <string>
#include <vector>

#include "bench/timing.h"
#include "cli/models.h"
#include "ropewalk/angles.h"
#include "ropewalk/status.h"

namespace ropewalk::cli {

// The model whose layer is decoded.
inline constexpr char kCacheModel[] = "Llama-3-8B";

// Prints a row per target. Sets *broken if an error is above its limit.
Status RunCacheDemo(const Model& model, const AngleTable& table,
                    const std::vector<std::string>& targets,
                    const bench::TimingOptions& timing, bool* broken);

}  // namespace ropewalk::cli
