// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The files of this folder: numbers with their origin.
#pragma once
#include <fstream>
#include <map>
#include <string>

#include "nlohmann/json.hpp"

namespace ropewalk::test {

// Reads a file once.
inline const nlohmann::json& GoldenFile(const std::string& name) {
  static std::map<std::string, nlohmann::json> files;
  const auto [file, is_new] = files.try_emplace(name);
  if (is_new) {
    std::ifstream stream(std::string(ROPEWALK_GOLDEN_DIR "/") + name);
    file->second = nlohmann::json::parse(stream);
  }
  return file->second;
}

}  // namespace ropewalk::test
