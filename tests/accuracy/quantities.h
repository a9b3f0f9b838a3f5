// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The quantities that have a limit: cells put together, with the bound that
// README.md derives for each, and the comparison with recorded limits.
#pragma once
#include <string>
#include <vector>

#include "accuracy/errors.h"
#include "accuracy/measure.h"
#include "accuracy/modes.h"
#include "nlohmann/json.hpp"

namespace ropewalk::test {

struct Quantity {
  std::string name;
  ErrorCount errors;
  double bound;
};

std::vector<Quantity> QuantitiesOf(const Measured& measured,
                                   const std::vector<ModeCell>& modes);

// A line for every quantity that is beyond its bound or a limit, has none, or
// whose limit is above its bound. `limits`: by name, {"worst": ..., "mean":
// ...} and, where an error must be seen, {"at_least": ...}.
std::vector<std::string> Violations(const std::vector<Quantity>& quantities,
                                    const nlohmann::json& limits);

}  // namespace ropewalk::test
