// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures tables and rotations: every target, type, pairing, band of positions
// and scheme.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "accuracy/errors.h"
#include "accuracy/rotation.h"
#include "ropewalk/types.h"

namespace ropewalk::test {

struct TableCell {
  std::string target;
  std::string scheme;
  std::string band;
  ErrorCount ulps;
  ErrorCount excess;
};

struct RotationCell {
  std::string target;
  bool fma;
  DataType type;
  Pairing pairing;
  std::string scheme;
  std::string band;
  double factor;
  RotationErrors errors;
};

struct Measured {
  std::vector<TableCell> tables;
  std::vector<RotationCell> rotations;
};

// Positions a cell, times `samples`.
inline constexpr int kPositionsPerSample = 24;

// Throws std::runtime_error where the library refuses something.
Measured MeasureAll(int samples, uint64_t seed);

}  // namespace ropewalk::test
