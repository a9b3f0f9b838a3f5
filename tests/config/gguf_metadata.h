// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Metadata as a host would answer them, for the tests of ReadGgufMetadata.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "config/model_checks.h"
#include "gtest/gtest.h"
#include "ropewalk/config.h"

namespace ropewalk::test {

struct Metadata {
  std::map<std::string, GgufValue, std::less<>> values;
  std::map<std::string, std::vector<float>, std::less<>> tensors;

  // Heads of 128 dims that rotate as a whole, 8 layers, 32768 positions, base
  // 1e6.
  static Metadata Of(const std::string& architecture) {
    Metadata metadata;
    metadata.values["general.architecture"] = architecture;
    metadata.Set("attention.key_length", int64_t{128});
    metadata.Set("rope.dimension_count", int64_t{128});
    metadata.Set("rope.freq_base", 1e6);
    metadata.Set("context_length", int64_t{32768});
    metadata.Set("block_count", int64_t{8});
    return metadata;
  }

  std::string Path(const std::string& name) const {
    return std::get<std::string>(values.at("general.architecture")) + "." +
           name;
  }
  Metadata& Set(const std::string& name, GgufValue value) {
    values[Path(name)] = std::move(value);
    return *this;
  }
  Metadata& Drop(const std::string& name) {
    values.erase(Path(name));
    return *this;
  }
  Metadata& Tensor(const std::string& name, std::vector<float> data) {
    tensors[name] = std::move(data);
    return *this;
  }

  // Borrows this.
  GgufSource Source() const {
    GgufSource source;
    source.value = [this](std::string_view key) -> std::optional<GgufValue> {
      const auto found = values.find(key);
      if (found == values.end()) return std::nullopt;
      return found->second;
    };
    source.tensor =
        [this](std::string_view name) -> std::optional<std::vector<float>> {
      const auto found = tensors.find(name);
      if (found == tensors.end()) return std::nullopt;
      return found->second;
    };
    return source;
  }

  Result<ModelRope> Read(const ConfigOptions& options = ConfigOptions{}) const {
    return ReadGgufMetadata(Source(), options);
  }

  // Fails the test, and gives an empty model, where reading fails.
  ModelRope Model(const ConfigOptions& options = ConfigOptions{}) const {
    auto result = Read(options);
    EXPECT_TRUE(result.ok()) << result.status().message();
    return result.ok() ? std::move(result).value() : ModelRope();
  }
  LayerRope Layer(const std::string& type = "all",
                  const ConfigOptions& options = ConfigOptions{}) const {
    const ModelRope model = Model(options);
    const LayerRope* const layer = model.Find(type);
    EXPECT_NE(layer, nullptr) << "no layer type " << type;
    return layer != nullptr ? *layer : LayerRope();
  }

  void ExpectError(StatusCode code, const std::vector<std::string>& texts,
                   const ConfigOptions& options = ConfigOptions{}) const {
    const auto result = Read(options);
    ASSERT_FALSE(result.ok()) << texts[0];
    EXPECT_EQ(result.status().code(), code) << result.status().message();
    for (const std::string& text : texts) {
      EXPECT_NE(std::string(result.status().message()).find(text),
                std::string::npos)
          << result.status().message() << "\nlacks " << text;
    }
  }
};

}  // namespace ropewalk::test
