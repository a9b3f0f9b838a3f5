// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What a call that builds axes or frequencies says when it refuses.
#pragma once
#include <string>

#include "gtest/gtest.h"
#include "ropewalk/status.h"

namespace ropewalk::test {

// The result is this error, and its message has this text.
template <class T>
void Refuses(const Result<T>& result, StatusCode code,
             const std::string& message) {
  ASSERT_FALSE(result.ok()) << message;
  EXPECT_EQ(result.status().code(), code) << result.status().message();
  EXPECT_NE(std::string(result.status().message()).find(message),
            std::string::npos)
      << result.status().message() << ", wanted " << message;
}

}  // namespace ropewalk::test
