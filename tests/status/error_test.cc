// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Status and Result, and how a message is made.
#include "status/error.h"

#include <memory>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "ropewalk/status.h"

namespace ropewalk {
namespace {

TEST(ErrorTest, SuccessIsTheDefaultAndHasNoMessage) {
  const Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.code(), StatusCode::kOk);
  EXPECT_STREQ(status.message(), "");
}

TEST(ErrorTest, FailureKeepsCodeAndMessage) {
  const Status status(StatusCode::kOutOfRange, "tokens = 9: too many");
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.code(), StatusCode::kOutOfRange);
  EXPECT_STREQ(status.message(), "tokens = 9: too many");
}

TEST(ErrorTest, CopiesAreEqual) {
  const Status failure(StatusCode::kUnsupported, "no");
  Status copy(failure);
  EXPECT_EQ(copy.code(), StatusCode::kUnsupported);
  EXPECT_STREQ(copy.message(), "no");
  EXPECT_NE(copy.message(), failure.message()) << "shares the text";
  copy = Status();
  EXPECT_TRUE(copy.ok());
  EXPECT_STREQ(copy.message(), "");
  copy = failure;
  EXPECT_STREQ(copy.message(), "no");
  const Status& self = copy;
  copy = self;
  EXPECT_STREQ(copy.message(), "no");
  EXPECT_EQ(copy.code(), StatusCode::kUnsupported);
}

TEST(ErrorTest, LongMessagesAreCut) {
  const std::string fits(Status::kMaxMessage, 'x');
  EXPECT_EQ(Status(StatusCode::kParseError, fits.c_str()).message(), fits);
  const std::string longer = fits + "yz";
  const Status cut(StatusCode::kParseError, longer.c_str());
  EXPECT_EQ(cut.message(), fits);
  EXPECT_EQ(Status(cut).message(), fits);
}

TEST(ErrorTest, FormatsAsPrintfAndCutsLikewise) {
  const Status status = internal::Error(
      StatusCode::kInvalidArgument, "rotary_dim = %d: must be %s", 7, "even");
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_STREQ(status.message(), "rotary_dim = 7: must be even");
  const std::string longer(1000, 'x');
  const Status cut =
      internal::Error(StatusCode::kInvalidArgument, "%s", longer.c_str());
  EXPECT_EQ(std::string(cut.message()), std::string(Status::kMaxMessage, 'x'));
}

Status FailsWhen(bool fails) {
  ROPEWALK_RETURN_IF_ERROR(fails ? Status(StatusCode::kOutOfMemory, "inner")
                                 : Status());
  return Status(StatusCode::kParseError, "outer");
}

TEST(ErrorTest, ReturnIfErrorReturnsTheError) {
  EXPECT_STREQ(FailsWhen(true).message(), "inner");
  EXPECT_STREQ(FailsWhen(false).message(), "outer");
}

TEST(ErrorTest, EveryCodeHasItsWords) {
  const StatusCode codes[] = {
      StatusCode::kOk,          StatusCode::kInvalidArgument,
      StatusCode::kOutOfRange,  StatusCode::kUnsupported,
      StatusCode::kOutOfMemory, StatusCode::kParseError,
  };
  for (const StatusCode a : codes) {
    EXPECT_STRNE(StatusCodeName(a), "");
    EXPECT_STRNE(StatusCodeName(a), "unknown");
    for (const StatusCode b : codes) {
      if (a == b) continue;
      EXPECT_STRNE(StatusCodeName(a), StatusCodeName(b));
    }
  }
  EXPECT_STREQ(StatusCodeName(StatusCode::kInvalidArgument),
               "invalid argument");
  EXPECT_STREQ(StatusCodeName(static_cast<StatusCode>(200)), "unknown");
}

TEST(ErrorTest, ResultHoldsAValueOrAStatus) {
  Result<std::unique_ptr<int>> value(std::make_unique<int>(5));
  ASSERT_TRUE(value.ok());
  EXPECT_TRUE(value.status().ok());
  EXPECT_EQ(*value.value(), 5);
  const std::unique_ptr<int> taken = std::move(value).value();
  EXPECT_EQ(*taken, 5);
  const Result<std::unique_ptr<int>> failure(
      Status(StatusCode::kOutOfMemory, "bytes = 1: no"));
  EXPECT_FALSE(failure.ok());
  EXPECT_EQ(failure.status().code(), StatusCode::kOutOfMemory);
  EXPECT_STREQ(failure.status().message(), "bytes = 1: no");
}

}  // namespace
}  // namespace ropewalk
