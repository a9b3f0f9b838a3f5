// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "fuzz/c_call.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "fuzz/require.h"
#include "fuzz/sized.h"
#include "ropewalk/c/target.h"
#include "support/operator_new.h"

namespace ropewalk::fuzz {
namespace {

constexpr uint8_t kCanary = 0xEE;

// Room for an error and a canary; of any struct_size.
struct ErrorMemory {
  explicit ErrorMemory(Draw* draw) {
    std::memset(bytes, kCanary, sizeof(bytes));
    is_null = draw->Rarely();
    constexpr uint32_t kSize = sizeof(ropewalk_error);
    size = draw->Rarely()
               ? draw->Pick<uint32_t>({0, 3, 4, 7, 8, 9, 12, kSize - 1,
                                       kSize + 1, kSize + 8, UINT32_MAX})
               : kSize;
    std::memcpy(bytes, &size, sizeof(size));
  }

  ropewalk_error* get() {
    return is_null ? nullptr : reinterpret_cast<ropewalk_error*>(bytes);
  }

  void Check(ropewalk_status code) const {
    const size_t written =
        is_null ? 4 : std::clamp<size_t>(size, 4, sizeof(ropewalk_error));
    for (size_t i = written; i < sizeof(bytes); ++i) {
      Require(bytes[i] == kCanary, "no byte past the error's struct_size");
    }
    ropewalk_error error;
    std::memcpy(&error, bytes, sizeof(error));
    Require(error.struct_size == size, "the error keeps its struct_size");
    if (is_null || size < offsetof(ropewalk_error, message)) return;
    Require(error.code == code, "the error has the code of the call");
    const size_t room = written - offsetof(ropewalk_error, message);
    if (room == 0) return;
    const size_t length = strnlen(error.message, room);
    Require(length < room, "the message ends");
    Require((code == ROPEWALK_OK) == (length == 0) || room == 1,
            "a failure has a message, a success has none");
  }

  alignas(8) uint8_t bytes[sizeof(ropewalk_error) + 16];
  uint32_t size;
  bool is_null;
};

}  // namespace

ropewalk_status MakeCall(Draw* draw, const Verdict& verdict,
                         const CCall& call) {
  ErrorMemory error(draw);
  const int64_t number = draw->Rarely() ? draw->In(1, 8) : INT64_MAX;
  const int64_t refused_before = test::refusals;
  test::refused_at =
      number == INT64_MAX ? INT64_MAX : test::allocations + number;
  const ropewalk_status code = call(error.get());
  test::refused_at = INT64_MAX;
  const bool refused = test::refusals != refused_before;
  error.Check(code);
  if (!verdict.Allows(code, refused)) {
    ropewalk_error full = ROPEWALK_ERROR_INIT;
    std::memcpy(&full, error.bytes, sizeof(full));
    std::fprintf(stderr, "status %d, \"%.200s\"; fault found at line %d\n",
                 static_cast<int>(code), full.message, verdict.line());
  }
  Require(verdict.Allows(code, refused), "the status that the headers name");
  return code;
}

DrawnParallel::DrawnParallel(Draw* draw) {
  if (draw->Flag()) return;
  ropewalk_parallel value = ROPEWALK_PARALLEL_INIT;
  value.kind = draw->Value(draw->Int(0, 2));
  const bool is_share = value.kind == ROPEWALK_SHARE;
  if (is_share) value.count = draw->Value(draw->Int(1, 4));
  if (is_share) value.index = draw->Value(0);
  verdict_.MustIf(value.kind < 0 || value.kind > 2, ROPEWALK_INVALID_ARGUMENT);
  verdict_.MustIf(is_share && (value.index < 0 || value.index >= value.count),
                  ROPEWALK_INVALID_ARGUMENT);
  // One of very many shares does next to nothing: it is not run to the end.
  if (is_share && !verdict_.MustFail()) {
    value.count = std::min(value.count, 5);
    value.index = 0;
    shares_ = value.count;
  }
  const DrawnSize<ropewalk_parallel> size(draw, &verdict_);
  value.struct_size = size.value;
  auto* const bytes = static_cast<uint8_t*>(std::calloc(size.bytes, 1));
  std::memcpy(bytes, &value, std::min<size_t>(size.bytes, sizeof(value)));
  if (size.has_unknown) bytes[size.bytes - 1] = 1;
  parallel_ = reinterpret_cast<ropewalk_parallel*>(bytes);
}

DrawnParallel::~DrawnParallel() { std::free(parallel_); }

ropewalk_status DrawnParallel::MakeCalls(Draw* draw, const Verdict& verdict,
                                         const CCall& call) {
  ropewalk_status code = MakeCall(draw, verdict, call);
  if (verdict_.MustFail() || shares_ == 1) return code;
  // A share without memory has done nothing, and is called again.
  if (code == ROPEWALK_OUT_OF_MEMORY) code = call(nullptr);
  for (int i = 1; i < shares_; ++i) {
    parallel_->index = i;
    ropewalk_status next = MakeCall(draw, verdict, call);
    if (next == ROPEWALK_OUT_OF_MEMORY) next = call(nullptr);
    Require(next == code, "all shares end alike");
  }
  return code;
}

void DrawTarget(Draw* draw) {
  const char* const best = ropewalk_available_target(0);
  const char* const name = ropewalk_available_target(draw->Int(0, 6));
  ropewalk_force_target(name != nullptr ? name : best, nullptr);
}

}  // namespace ropewalk::fuzz
