// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What the tests of both readers ask of a model.
#pragma once
#include <algorithm>
#include <string>
#include <variant>

#include "gtest/gtest.h"
#include "ropewalk/config.h"

namespace ropewalk::test {

// The scheme of a layer, which must be of that type.
template <class Scheme>
Scheme SchemeOf(const LayerRope& layer) {
  const auto* scheme = std::get_if<Scheme>(&layer.parameters.scaling);
  EXPECT_NE(scheme, nullptr) << SchemeName(layer.parameters.scaling);
  return scheme != nullptr ? *scheme : Scheme{};
}

inline bool HasWarning(const ModelRope& model, const std::string& part) {
  return std::any_of(
      model.warnings.begin(), model.warnings.end(),
      [&](const std::string& w) { return w.find(part) != std::string::npos; });
}

}  // namespace ropewalk::test
