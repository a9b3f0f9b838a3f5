// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Tables and rows for the tests of this folder.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/angles.h"

namespace ropewalk::test {

using TablePointer = std::shared_ptr<const AngleTable>;

inline void ExpectError(const Status& status, StatusCode code,
                        const std::string& text) {
  EXPECT_EQ(status.code(), code) << status.message();
  EXPECT_NE(std::string(status.message()).find(text), std::string::npos)
      << "\"" << status.message() << "\" lacks \"" << text << "\"";
}

inline Frequencies PlainOf(int rotary_dim, double base) {
  RopeParameters parameters;
  parameters.rotary_dim = rotary_dim;
  parameters.base = base;
  auto frequencies = ComputeFrequencies(parameters);
  EXPECT_TRUE(frequencies.ok()) << frequencies.status().message();
  return std::move(frequencies).value();
}

inline AngleOptions OptionsOf(TableKind kind, int64_t dense_positions = 0) {
  AngleOptions options;
  options.kind = kind;
  options.dense_positions = dense_positions;
  return options;
}

// Null, with a failure, where it cannot be built.
inline TablePointer Build(Frequencies frequencies,
                          const AngleOptions& options = AngleOptions{}) {
  auto table = AngleTable::Build(std::move(frequencies), options);
  EXPECT_TRUE(table.ok()) << table.status().message();
  return table.ok() ? table.value() : nullptr;
}

inline AngleRows Filled(const AngleTable& table, const Positions& positions) {
  AngleRows rows;
  const Status status = table.Fill(positions, &rows);
  EXPECT_TRUE(status.ok()) << status.message();
  return rows;
}

// cos, then sin, of every row: what two AngleRows are compared by.
inline std::vector<float> Values(const AngleRows& rows) {
  std::vector<float> values;
  for (int64_t r = 0; r < rows.rows(); ++r) {
    values.insert(values.end(), rows.cos(r), rows.cos(r) + rows.pairs());
    values.insert(values.end(), rows.sin(r), rows.sin(r) + rows.pairs());
  }
  return values;
}

}  // namespace ropewalk::test
