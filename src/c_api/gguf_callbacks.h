// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A host's C callbacks as the GgufSource that the reader asks. What they
// answer is checked and copied before the next question.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ropewalk/c/config.h"
#include "ropewalk/config.h"
#include "ropewalk/status.h"

namespace ropewalk::internal {

// Answers may throw std::bad_alloc, as those of any GgufSource.
class GgufCallbacks {
 public:
  explicit GgufCallbacks(const ropewalk_gguf_source& source) noexcept
      : source_(source) {}

  // Borrows this.
  GgufSource Source();

  // The first answer that was refused: kParseError. From then on the host is
  // asked nothing more, and the file lacks everything.
  const Status& status() const noexcept { return status_; }

 private:
  std::optional<GgufValue> Value(const std::string& key);
  std::optional<std::vector<float>> Tensor(const std::string& name);
  bool IsFound(const std::string& name, int32_t answer);
  template <class T>
  std::optional<T> Take(const std::string& name, Result<T> answer);

  ropewalk_gguf_source source_;
  Status status_;
};

}  // namespace ropewalk::internal
