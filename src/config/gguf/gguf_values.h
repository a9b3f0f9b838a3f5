// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the value of one key of a GGUF file, or skips it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "config/gguf/gguf_cursor.h"
#include "ropewalk/config.h"

namespace ropewalk::internal {

// Errors are left in the cursor; every call may throw std::bad_alloc.
class GgufValueReader {
 public:
  explicit GgufValueReader(GgufCursor* cursor) : cursor_(*cursor) {}

  // Nullopt for what is not kept (gguf_header.h), and after an error.
  std::optional<GgufValue> Read(const std::string& name, uint32_t type);

  // Counts what is kept; false, and an error, past kMaxKeptBytes.
  bool Keep(uint64_t bytes);

  void Fail(StatusCode code, const std::string& name, const char* rule);

 private:
  std::optional<GgufValue> ReadString();
  std::optional<GgufValue> ReadArray(const std::string& name);
  std::optional<GgufValue> ReadNumbers(const std::string& name, uint32_t type,
                                       size_t count);
  GgufValue ReadScalar(const std::string& name, uint32_t type);
  GgufValue ReadBool(const std::string& name);
  GgufValue ReadUint64();

  GgufCursor& cursor_;
  uint64_t kept_ = 0;
};

}  // namespace ropewalk::internal
