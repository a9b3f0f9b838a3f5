// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the header of a GGUF file, for a program that has no reader of its
// own; not part of the public API. Hosts answer a GgufSource from theirs.
#pragma once
#include <cstdint>

#include "config/gguf/gguf_cursor.h"
#include "ropewalk/config.h"
#include "ropewalk/export.h"
#include "ropewalk/status.h"

namespace ropewalk::internal {

// Reads the keys and the three tensors that ReadGgufMetadata may ask for. The
// result holds copies; `read` is not called after the return.
//
// Bounds:  kept are scalars, strings up to 4 KiB, lists of numbers up to 65536
//          entries (bools as 0 and 1); an unsigned 64-bit value past int64_t
//          becomes a double. All else is skipped, and asked for, it is not
//          there. Every length is checked against file_size before anything
//          is allocated; the whole takes less than 16 times the bytes that
//          are kept, and at most kMaxKeptBytes are.
// Errors:  kUnsupported: version 1, a version past 3, big-endian. kParseError:
//          anything malformed, a key that comes twice, nested lists, what
//          `read` cannot read or throws. kOutOfRange: past kMaxKeptBytes.
//          kOutOfMemory.
// Source:  the GGUF specification of ggml, versions 2 and 3.
ROPEWALK_EXPORT Result<GgufSource> ReadGgufHeader(const ReadAt& read,
                                                  uint64_t file_size) noexcept;

inline constexpr uint64_t kMaxKeptBytes = uint64_t{16} << 20;

}  // namespace ropewalk::internal
