// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Objects of the C interface that destroy themselves, and how the tests of
// model readers make them.
#pragma once
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "ropewalk/ropewalk_c.h"

namespace ropewalk::test {

struct Destroy {
  void operator()(ropewalk_model* model) const {
    ropewalk_model_destroy(model);
  }
  void operator()(ropewalk_frequencies* frequencies) const {
    ropewalk_frequencies_destroy(frequencies);
  }
};
using CModel = std::unique_ptr<ropewalk_model, Destroy>;
using CFrequencies = std::unique_ptr<ropewalk_frequencies, Destroy>;

// Null, and a failure, where the text is refused.
inline CModel ParseInC(const std::string& text,
                       const ropewalk_config_options* options = nullptr) {
  ropewalk_error error = ROPEWALK_ERROR_INIT;
  ropewalk_model* model = nullptr;
  EXPECT_EQ(ropewalk_parse_huggingface_config(text.data(), text.size(), options,
                                              &model, &error),
            ROPEWALK_OK)
      << error.message;
  return CModel(model);
}

// What is handed over must be a leftover, so that who forgets to set it fails.
inline ropewalk_model* Leftover() {
  static char leftover;
  return reinterpret_cast<ropewalk_model*>(&leftover);
}

}  // namespace ropewalk::test
