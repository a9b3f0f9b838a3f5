// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// From the dicts that name a scheme and give its values to a Scaling.
#pragma once
#include <string>

#include "config/huggingface/model_config.h"
#include "ropewalk/scaling.h"

namespace ropewalk::internal {

// What a scheme is read from, and for.
struct SchemeSource {
  const ModelConfig& config;
  const Places& dicts;  // Empty: no scheme.
  std::string name;     // As ReadSchemeName gave it.
  int rotary_dim = 0;
};

// The name of the scheme after legacy names are mapped to today's; "default"
// where there is none.
std::string ReadSchemeName(const Places& dicts, KeyReader* reader);

// Proportional's head_dim is left to the caller.
Scaling ReadScheme(const SchemeSource& source, KeyReader* reader);

}  // namespace ropewalk::internal
