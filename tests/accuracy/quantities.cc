// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "accuracy/quantities.h"

#include <cstdio>

#include "support/heads.h"

namespace ropewalk::test {
namespace {

constexpr double kTableBound = 0.5 + 0x1p-8;
constexpr double kExcessBound = 1;

// In float32 ulp of m times the larger member: rotate.h's promise.
double LargerBound(bool fma, bool unit_factor) {
  return (unit_factor ? 2.5 : 3.0) + (fma ? 0 : 0.5);
}

// In float32 ulp of the pair's length.
double LengthBoundF32(bool fma, bool unit_factor) {
  return (unit_factor ? 2.25 : 3.0) + (fma ? 0 : 0.5);
}

double LengthBound(DataType type, bool fma, bool unit_factor) {
  const double f32 = LengthBoundF32(fma, unit_factor);
  switch (type) {
    case DataType::kBF16:
      return 0.5 + f32 * 0x1p-16;
    case DataType::kF16:
      return 0.5 + f32 * 0x1p-13;
    case DataType::kF32:
      break;
  }
  return f32;
}

void Add(const std::string& name, const ErrorCount& errors, double bound,
         std::vector<Quantity>* quantities) {
  for (Quantity& quantity : *quantities) {
    if (quantity.name == name) return quantity.errors.Add(errors);
  }
  quantities->push_back({name, errors, bound});
}

void AddRotation(const RotationCell& cell, std::vector<Quantity>* quantities) {
  const bool unit = cell.factor == 1;
  const std::string name = std::string(NameOf(cell.type)) +
                           (cell.fma ? ", FMA" : ", no FMA") +
                           (unit ? ", m = 1" : ", other m");
  Add(name + ", ulp of length", cell.errors.length,
      LengthBound(cell.type, cell.fma, unit), quantities);
  if (cell.type != DataType::kF32) return;
  Add(name + ", ulp of larger", cell.errors.larger, LargerBound(cell.fma, unit),
      quantities);
}

std::string Text(const Quantity& quantity, const char* what, double is,
                 double limit) {
  char line[200];
  std::snprintf(line, sizeof(line), "%s: %s %.9g, limit %.9g",
                quantity.name.c_str(), what, is, limit);
  return line;
}

void AddViolations(const Quantity& quantity, const nlohmann::json& limit,
                   std::vector<std::string>* lines) {
  const auto at_most = [&](const char* what, double is, double most) {
    if (!(is <= most)) lines->push_back(Text(quantity, what, is, most));
  };
  const double worst = limit.at("worst").get<double>();
  at_most("worst", quantity.errors.worst, worst);
  at_most("mean", quantity.errors.mean(), limit.at("mean").get<double>());
  at_most("recorded limit above the bound:", worst, quantity.bound);
  if (!limit.contains("at_least")) return;
  const double least = limit.at("at_least").get<double>();
  if (!(quantity.errors.worst >= least)) {
    lines->push_back(
        Text(quantity, "at least: worst", quantity.errors.worst, least));
  }
}

}  // namespace

std::vector<Quantity> QuantitiesOf(const Measured& measured,
                                   const std::vector<ModeCell>& modes) {
  std::vector<Quantity> quantities;
  for (const TableCell& cell : measured.tables) {
    Add("cos and sin, f32 ulp", cell.ulps, kTableBound, &quantities);
    Add("cos and sin, beyond half an ulp, m 2^-40", cell.excess, kExcessBound,
        &quantities);
  }
  for (const RotationCell& cell : measured.rotations) {
    AddRotation(cell, &quantities);
  }
  for (const ModeCell& cell : modes) {
    const std::string name = cell.mode + " at " + cell.context;
    Add(name + ", radians", cell.radians, cell.radians_bound, &quantities);
    Add(name + ", bf16 ulp", cell.bf16, cell.bf16_bound, &quantities);
  }
  return quantities;
}

std::vector<std::string> Violations(const std::vector<Quantity>& quantities,
                                    const nlohmann::json& limits) {
  std::vector<std::string> lines;
  for (const Quantity& quantity : quantities) {
    if (quantity.errors.count == 0 || !limits.contains(quantity.name)) {
      lines.push_back(quantity.name + ": nothing measured, or no limit");
      continue;
    }
    if (!(quantity.errors.worst <= quantity.bound)) {
      lines.push_back(Text(quantity, "beyond its bound:", quantity.errors.worst,
                           quantity.bound));
    }
    AddViolations(quantity, limits.at(quantity.name), &lines);
  }
  return lines;
}

}  // namespace ropewalk::test
