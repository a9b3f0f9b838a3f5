// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What must come of arguments that no C++ caller can pass.
#pragma once
#include <climits>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "c_api/arguments.h"
#include "gtest/gtest.h"

namespace ropewalk::test {

class CArgumentsTest : public testing::Test {
 protected:
  using Call = std::function<ropewalk_status(ropewalk_error* error)>;

  // Of a call with one argument spoiled, with which the message begins.
  void ExpectInvalid(const char* name, const Call& call) {
    const std::vector<uint8_t> before = a_.Memory();
    ropewalk_error error = UsedError();
    const ropewalk_status code = call(&error);
    EXPECT_TRUE(Fails(code, error, ROPEWALK_INVALID_ARGUMENT)) << name;
    EXPECT_EQ(std::string(error.message).rfind(name, 0), 0u)
        << name << ": " << error.message;
    EXPECT_EQ(call(nullptr), ROPEWALK_INVALID_ARGUMENT) << name;
    EXPECT_EQ(a_.Memory(), before) << name;
  }

  using EnumCall =
      std::function<ropewalk_status(int32_t value, ropewalk_error* error)>;

  // Of a call that takes an enumeration of values below `count`: any other is
  // refused, also where its low byte would be one.
  void ExpectEnum(const char* name, int32_t count, const EnumCall& call) {
    ExpectEnum(name, count, true, call);
  }
  // 0 is refused too where it is none of them.
  void ExpectEnum(const char* name, int32_t count, bool zero,
                  const EnumCall& call) {
    for (const int32_t value :
         {zero ? count : 0, count, 255, 256, 257, 255 + count, 512, 65536, -1,
          -255, -256, INT32_MIN, INT32_MAX}) {
      SCOPED_TRACE(name);
      SCOPED_TRACE(value);
      const std::vector<uint8_t> before = a_.Memory();
      ropewalk_error error = UsedError();
      const ropewalk_status code = call(value, &error);
      EXPECT_TRUE(Fails(code, error, ROPEWALK_INVALID_ARGUMENT));
      EXPECT_NE(std::string(error.message).find(std::to_string(value)),
                std::string::npos)
          << error.message;
      EXPECT_EQ(a_.Memory(), before);
    }
  }

  Arguments a_;
};

}  // namespace ropewalk::test

// The call writes its error into `e`.
#define ROPEWALK_REFUSES(name, call) \
  ExpectInvalid(name, [&](ropewalk_error* e) { return call; })
