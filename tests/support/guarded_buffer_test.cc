// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The guard pages and canaries, on which many other tests rely.
#include "support/guarded_buffer.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace ropewalk::test {
namespace {

void WriteAt(uint8_t* address) { *static_cast<volatile uint8_t*>(address) = 1; }

uint8_t ReadAt(const uint8_t* address) {
  return *static_cast<const volatile uint8_t*>(address);
}

class GuardedBufferDeathTest : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(GuardedBufferDeathTest, AccessPastTheEndDies) {
  GuardedBuffer buffer(100, GuardSide::kEnd);
  EXPECT_DEATH(WriteAt(buffer.data() + 100), "");
  EXPECT_DEATH(ReadAt(buffer.data() + 100), "");
}

TEST_F(GuardedBufferDeathTest, AccessBeforeTheBeginDies) {
  GuardedBuffer buffer(100, GuardSide::kBegin);
  EXPECT_DEATH(WriteAt(buffer.data() - 1), "");
  EXPECT_DEATH(ReadAt(buffer.data() - 1), "");
}

TEST_F(GuardedBufferDeathTest, WriteToAReadOnlyBufferDies) {
  GuardedBuffer buffer(100, GuardSide::kBegin);
  buffer.MakeReadOnly();
  EXPECT_EQ(ReadAt(buffer.data()), buffer.data()[0]);
  EXPECT_DEATH(WriteAt(buffer.data()), "");
}

TEST(GuardedBufferTest, EveryByteOfTheDataCanBeUsed) {
  for (const GuardSide side : {GuardSide::kBegin, GuardSide::kEnd}) {
    for (const size_t size :
         {size_t{0}, size_t{1}, size_t{4096}, size_t{9999}}) {
      GuardedBuffer buffer(size, side);
      for (size_t i = 0; i < size; ++i) WriteAt(buffer.data() + i);
      EXPECT_TRUE(buffer.CanariesIntact());
    }
  }
}

TEST(GuardedBufferTest, CanariesNoticeTheFarSide) {
  GuardedBuffer at_end(100, GuardSide::kEnd);
  WriteAt(at_end.data() - 1);
  EXPECT_FALSE(at_end.CanariesIntact());
  GuardedBuffer at_begin(100, GuardSide::kBegin);
  WriteAt(at_begin.data() + 100);
  EXPECT_FALSE(at_begin.CanariesIntact());
}

}  // namespace
}  // namespace ropewalk::test
