// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "accuracy/report.h"

#include <cstdio>
#include <map>

#include "cli/build_info.h"
#include "support/heads.h"

namespace ropewalk::test {
namespace {

// Errors by row and column, each in the order in which it first came.
class Grid {
 public:
  Grid(const char* title, int first_width)
      : title_(title), first_width_(first_width) {}

  void Add(const std::string& row, const std::string& column,
           const ErrorCount& errors) {
    cells_[At(row, &rows_)][At(column, &columns_)].Add(errors);
  }

  void Print() const {
    std::printf("\n%s: worst (mean)\n%-*s", title_, first_width_, "");
    for (const std::string& column : columns_) {
      std::printf(" %17s", column.c_str());
    }
    std::printf("\n");
    for (size_t r = 0; r < rows_.size(); ++r) {
      std::printf("%-*s", first_width_, rows_[r].c_str());
      for (size_t c = 0; c < columns_.size(); ++c) {
        const auto cell = cells_.at(r).find(c);
        if (cell == cells_.at(r).end()) {
          std::printf(" %17s", "");
          continue;
        }
        std::printf(" %8.6g (%6.3g)", cell->second.worst, cell->second.mean());
      }
      std::printf("\n");
    }
  }

 private:
  static size_t At(const std::string& name, std::vector<std::string>* names) {
    for (size_t i = 0; i < names->size(); ++i) {
      if ((*names)[i] == name) return i;
    }
    names->push_back(name);
    return names->size() - 1;
  }

  const char* title_;
  int first_width_;
  std::vector<std::string> rows_;
  std::vector<std::string> columns_;
  std::map<size_t, std::map<size_t, ErrorCount>> cells_;
};

const char* NameOf(Pairing pairing) {
  return pairing == Pairing::kHalf ? "half" : "interleaved";
}

void PrintGrids(const Measured& measured) {
  Grid tables("cos and sin by target and positions up to, f32 ulp", 26);
  Grid rotations(
      "Rotated pairs by target and positions up to, ulp of their length", 26);
  Grid schemes("By scheme, all targets and positions", 26);
  for (const TableCell& cell : measured.tables) {
    tables.Add(cell.target, cell.band, cell.ulps);
    schemes.Add(cell.scheme, "cos and sin", cell.ulps);
  }
  for (const RotationCell& cell : measured.rotations) {
    const char* type = test::NameOf(cell.type);
    rotations.Add(cell.target + " " + type + " " + NameOf(cell.pairing),
                  cell.band, cell.errors.length);
    schemes.Add(cell.scheme, type, cell.errors.length);
  }
  tables.Print();
  rotations.Print();
  schemes.Print();
}

void PrintModes(const std::vector<ModeCell>& modes) {
  Grid radians("Angles by mode, at the last 256 positions of, radians", 26);
  Grid bf16("bf16 pairs rotated by them, ulp of their length", 26);
  for (const ModeCell& cell : modes) {
    radians.Add(cell.mode, cell.context, cell.radians);
    bf16.Add(cell.mode, cell.context, cell.bf16);
  }
  radians.Print();
  bf16.Print();
}

void PrintLimits(const std::vector<Quantity>& quantities,
                 const nlohmann::json& limits) {
  std::printf("\n%-44s %11s %11s %11s %11s %11s\n", "Limits", "worst", "limit",
              "bound", "mean", "limit");
  for (const Quantity& quantity : quantities) {
    const nlohmann::json none = {{"worst", 0.0}, {"mean", 0.0}};
    const nlohmann::json limit = limits.value(quantity.name, none);
    std::printf("%-44s %11.7g %11.7g %11.7g %11.5g %11.5g\n",
                quantity.name.c_str(), quantity.errors.worst,
                limit.at("worst").get<double>(), quantity.bound,
                quantity.errors.mean(), limit.at("mean").get<double>());
  }
}

using Json = nlohmann::ordered_json;

Json ToJson(const ErrorCount& errors) {
  return {{"worst", errors.worst},
          {"mean", errors.mean()},
          {"count", errors.count}};
}

Json ToJson(const RotationCell& cell) {
  Json json = {{"target", cell.target},
               {"type", test::NameOf(cell.type)},
               {"pairing", NameOf(cell.pairing)},
               {"scheme", cell.scheme},
               {"attention_factor", cell.factor},
               {"up_to", cell.band},
               {"ulp_of_length", ToJson(cell.errors.length)}};
  if (cell.type == DataType::kF32) {
    json["ulp_of_larger"] = ToJson(cell.errors.larger);
  }
  return json;
}

}  // namespace

void Print(const Report& report, const nlohmann::json& limits) {
  std::printf("%s; %d x %d positions a cell\n", cli::BuildLine().c_str(),
              report.samples, kPositionsPerSample);
  PrintGrids(report.measured);
  PrintModes(report.modes);
  PrintLimits(report.quantities, limits);
}

nlohmann::ordered_json ToJson(const Report& report) {
  Json json = {{"highway", cli::HighwayVersion()},
               {"compiler", cli::Compiler()},
               {"samples", report.samples},
               {"seed", report.seed}};
  for (const Quantity& quantity : report.quantities) {
    json["quantities"][quantity.name] = ToJson(quantity.errors);
    json["quantities"][quantity.name]["bound"] = quantity.bound;
  }
  for (const TableCell& cell : report.measured.tables) {
    json["tables"].push_back({{"target", cell.target},
                              {"scheme", cell.scheme},
                              {"up_to", cell.band},
                              {"ulp", ToJson(cell.ulps)},
                              {"excess", ToJson(cell.excess)}});
  }
  for (const RotationCell& cell : report.measured.rotations) {
    json["rotations"].push_back(ToJson(cell));
  }
  for (const ModeCell& cell : report.modes) {
    json["modes"].push_back({{"mode", cell.mode},
                             {"context", cell.context},
                             {"radians", ToJson(cell.radians)},
                             {"bf16_ulp_of_length", ToJson(cell.bf16)}});
  }
  return json;
}

}  // namespace ropewalk::test
