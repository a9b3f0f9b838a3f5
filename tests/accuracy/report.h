// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What was measured, as tables for people and as JSON with every cell.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "accuracy/measure.h"
#include "accuracy/modes.h"
#include "accuracy/quantities.h"
#include "nlohmann/json.hpp"

namespace ropewalk::test {

struct Report {
  int samples;
  uint64_t seed;
  Measured measured;
  std::vector<ModeCell> modes;
  std::vector<Quantity> quantities;
};

// To the standard output.
void Print(const Report& report, const nlohmann::json& limits);

nlohmann::ordered_json ToJson(const Report& report);

}  // namespace ropewalk::test
