// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Short config.json texts, and what tests ask of their readings.
#pragma once
#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>

#include "config/model_checks.h"
#include "gtest/gtest.h"
#include "ropewalk/config.h"

namespace ropewalk::test {

// Head dim 128, 131072 positions, base 1e6; extra is further entries, which
// begin with no comma.
inline std::string ConfigOf(const std::string& model_type,
                            const std::string& extra) {
  return R"({"model_type": ")" + model_type +
         R"(", "hidden_size": 4096, "num_attention_heads": 32,
          "num_hidden_layers": 8, "max_position_embeddings": 131072)" +
         (extra.empty() ? "" : ", " + extra) + "}";
}

inline std::string Llama(const std::string& extra) {
  return ConfigOf("llama", R"("rope_theta": 1000000.0)" +
                               (extra.empty() ? "" : ", " + extra));
}

inline std::string Scaled(const std::string& entries) {
  return Llama("\"rope_scaling\": {" + entries + "}");
}

// The reading, or one without layers after a failure.
inline ModelRope Read(const std::string& text,
                      const ConfigOptions& options = ConfigOptions{}) {
  auto model = ParseHuggingFaceConfig(text, options);
  EXPECT_TRUE(model.ok()) << model.status().message() << " in " << text;
  return model.ok() ? std::move(model).value() : ModelRope{};
}

// The only kind of layer of a model.
inline LayerRope ReadOne(const std::string& text,
                         const ConfigOptions& options = ConfigOptions{}) {
  const ModelRope model = Read(text, options);
  EXPECT_EQ(model.layer_types.size(), size_t{1}) << text;
  return model.layer_types.empty() ? LayerRope{} : model.layer_types[0];
}

// The kind of that name; a default one where there is none.
inline LayerRope KindOf(const ModelRope& model, const char* layer_type) {
  const LayerRope* layer = model.Find(layer_type);
  EXPECT_NE(layer, nullptr) << layer_type;
  return layer ? *layer : LayerRope{};
}

// The message must hold every one of the parts.
inline void ExpectError(const std::string& text, StatusCode code,
                        std::initializer_list<const char*> parts,
                        const ConfigOptions& options = ConfigOptions{}) {
  const auto model = ParseHuggingFaceConfig(text, options);
  EXPECT_EQ(model.status().code(), code)
      << model.status().message() << " in " << text;
  const std::string message = model.status().message();
  for (const char* part : parts) {
    EXPECT_NE(message.find(part), std::string::npos)
        << part << " is not in: " << message;
  }
}

// One warning, which holds the part.
inline void ExpectOnlyWarning(const std::string& text, const std::string& part,
                              const ConfigOptions& options = ConfigOptions{}) {
  const ModelRope model = Read(text, options);
  EXPECT_EQ(model.warnings.size(), size_t{1}) << text;
  EXPECT_TRUE(HasWarning(model, part))
      << part
      << " is not in: " << (model.warnings.empty() ? "" : model.warnings[0]);
}

}  // namespace ropewalk::test
