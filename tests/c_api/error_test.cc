// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// ropewalk_error in structs of any size: never overrun, always up to date.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "c_api/c_call.h"
#include "gtest/gtest.h"

namespace ropewalk::test {
namespace {

// The message must say what went wrong in as much room as there is.
TEST(ErrorTest, IsNeverOverrunAndItsMessageIsCut) {
  ropewalk_error whole = ROPEWALK_ERROR_INIT;
  EXPECT_EQ(ropewalk_force_target("no such target", &whole),
            ROPEWALK_INVALID_ARGUMENT);
  const std::string message = whole.message;
  ASSERT_GT(message.size(), 20u);
  constexpr uint32_t kText = offsetof(ropewalk_error, message);
  for (const uint32_t size :
       {0u, 1u, 4u, 7u, 8u, 9u, 10u, 20u, 100u, 247u, 248u}) {
    unsigned char memory[512];
    std::memset(memory, 0xEE, sizeof(memory));
    std::memcpy(memory, &size, sizeof(size));
    auto* const error = reinterpret_cast<ropewalk_error*>(memory);
    EXPECT_EQ(ropewalk_force_target("no such target", error),
              ROPEWALK_INVALID_ARGUMENT);
    for (size_t i = std::max(size, 4u); i < sizeof(memory); ++i) {
      ASSERT_EQ(memory[i], 0xEE) << size << " " << i;
    }
    if (size >= kText) {
      EXPECT_EQ(error->code, ROPEWALK_INVALID_ARGUMENT);
    }
    if (size > kText) {
      EXPECT_EQ(std::string(error->message),
                message.substr(0, size - kText - 1));
    }
    EXPECT_EQ(ropewalk_force_target("", error), ROPEWALK_OK);
    if (size > kText) {
      EXPECT_EQ(error->code, ROPEWALK_OK);
      EXPECT_STREQ(error->message, "");
    }
  }
}

TEST(ErrorTest, OfALargerOrGarbageSizeIsWrittenAsItIsKnown) {
  for (const uint32_t size : {256u, 4096u, 1u << 31, UINT32_MAX}) {
    unsigned char memory[512];
    std::memset(memory, 0xEE, sizeof(memory));
    std::memcpy(memory, &size, sizeof(size));
    auto* const error = reinterpret_cast<ropewalk_error*>(memory);
    EXPECT_EQ(ropewalk_force_target(nullptr, error), ROPEWALK_INVALID_ARGUMENT);
    EXPECT_EQ(error->struct_size, size);
    EXPECT_EQ(error->code, ROPEWALK_INVALID_ARGUMENT);
    EXPECT_GT(std::string(error->message).size(), 4u);
    for (size_t i = sizeof(ropewalk_error); i < sizeof(memory); ++i) {
      ASSERT_EQ(memory[i], 0xEE);
    }
  }
}

TEST(ErrorTest, MayBeNullAndIsClearedBySuccess) {
  EXPECT_EQ(ropewalk_force_target("no such target", nullptr),
            ROPEWALK_INVALID_ARGUMENT);
  ropewalk_error error = UsedError();
  EXPECT_EQ(ropewalk_force_target(nullptr, &error), ROPEWALK_INVALID_ARGUMENT);
  EXPECT_EQ(ropewalk_force_target("", &error), ROPEWALK_OK);
  EXPECT_EQ(error.code, ROPEWALK_OK);
  EXPECT_STREQ(error.message, "");
}

}  // namespace
}  // namespace ropewalk::test
