// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Opens a model's file, a config.json or a .gguf, and reads what it says about
// RoPE.
#pragma once
#include <string>
#include <vector>

#include "ropewalk/config.h"
#include "ropewalk/status.h"

namespace ropewalk::cli {

// What --layer-type calls the vision encoder, and reports too.
inline constexpr char kVisionName[] = "vision";

// Which file, how to read it, and which kind of layer counts.
struct FileOptions {
  std::string path;
  std::string layer_type;  // Empty: all.
  ConfigOptions config;
};

// Reads the file; what it is, is told by its first bytes. A GGUF file is read
// by random access, anything else whole. With a layer_type the model keeps
// that kind of layer only, or its vision encoder.
//
// Errors: the reader's; kInvalidArgument: no such file, no such kind of layer;
// kOutOfRange: a file of other kind than GGUF with more than 64 MiB.
Result<ModelRope> ReadModelFile(const FileOptions& options);

// Reports why a file cannot be read, with the option that helps. Returns the
// program's exit code.
int FailToRead(const FileOptions& options, const Status& status);

}  // namespace ropewalk::cli
