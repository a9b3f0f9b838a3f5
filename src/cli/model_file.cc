// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/model_file.h"

#include <sys/types.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

#include "cli/terminal.h"
#include "config/gguf/gguf_header.h"
#include "status/error.h"

namespace ropewalk::cli {
namespace {

using internal::Error;

// Real ones have a few KiB, or a few hundred where lists are long.
constexpr size_t kMaxConfigBytes = size_t{64} << 20;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

Status SystemError(const char* what) {
  return Error(StatusCode::kInvalidArgument, "%s: %s", what,
               std::strerror(errno));
}

// Appends up to `limit` bytes.
Status Read(std::FILE* file, size_t limit, std::string* text) {
  constexpr size_t kChunk = size_t{64} << 10;
  while (limit > 0) {
    const size_t size = text->size();
    const size_t wanted = limit < kChunk ? limit : kChunk;
    text->resize(size + wanted);
    errno = 0;
    const size_t got = std::fread(&(*text)[size], 1, wanted, file);
    text->resize(size + got);
    limit -= got;
    if (std::ferror(file)) return SystemError("cannot read the file");
    if (got < wanted) break;
  }
  return Status();
}

bool ReadAt(std::FILE* file, uint64_t offset, void* out, size_t bytes) {
  return fseeko(file, static_cast<off_t>(offset), SEEK_SET) == 0 &&
         std::fread(out, 1, bytes, file) == bytes;
}

Result<ModelRope> ReadGguf(std::FILE* file, const ConfigOptions& options) {
  const off_t size = fseeko(file, 0, SEEK_END) == 0 ? ftello(file) : -1;
  if (size < 0) return SystemError("cannot seek in the file");
  const auto source = internal::ReadGgufHeader(
      [=](uint64_t offset, void* out, size_t bytes) {
        return ReadAt(file, offset, out, bytes);
      },
      static_cast<uint64_t>(size));
  if (!source.ok()) return source.status();
  return ReadGgufMetadata(source.value(), options);
}

Result<ModelRope> ReadConfig(std::FILE* file, std::string text,
                             const ConfigOptions& options) {
  // One byte more tells a file that is too long.
  Status s = Read(file, kMaxConfigBytes + 1 - text.size(), &text);
  if (!s.ok()) return s;
  if (text.size() > kMaxConfigBytes) {
    return Error(StatusCode::kOutOfRange,
                 "size > %zu bytes: too long for a config.json",
                 kMaxConfigBytes);
  }
  return ParseHuggingFaceConfig(text, options);
}

Result<ModelRope> KeepLayerType(ModelRope model, const std::string& name) {
  if (name.empty()) return model;
  if (name == kVisionName && model.vision) {
    model.layer_types.clear();
    return model;
  }
  const LayerRope* found = model.Find(name);
  if (found == nullptr) {
    std::string known;
    for (const LayerRope& layer : model.layer_types) {
      known += " " + layer.layer_type;
    }
    if (model.vision) known += std::string(" ") + kVisionName;
    return Error(StatusCode::kInvalidArgument,
                 "--layer-type %s: the model has%s", name.c_str(),
                 known.c_str());
  }
  LayerRope layer = *found;
  model.vision.reset();
  model.layer_types.clear();
  model.layer_types.push_back(std::move(layer));
  return model;
}

Result<ModelRope> Read(const FileOptions& options) {
  const File file(std::fopen(options.path.c_str(), "rb"));
  if (file == nullptr) return SystemError("cannot open the file");
  std::string head;
  Status s = Read(file.get(), 4, &head);
  if (!s.ok()) return s;
  return head == "GGUF"
             ? ReadGguf(file.get(), options.config)
             : ReadConfig(file.get(), std::move(head), options.config);
}

}  // namespace

Result<ModelRope> ReadModelFile(const FileOptions& options) {
  Result<ModelRope> model = Read(options);
  if (!model.ok()) return model;
  for (const LayerRope& layer : model.value().layer_types) {
    const int dims = std::max(layer.layout.head_dim, layer.key_layout.head_dim);
    if (dims <= kMaxRotaryDim) continue;
    return Error(StatusCode::kOutOfRange, "head_dim = %d: must be at most %d",
                 dims, kMaxRotaryDim);
  }
  return KeepLayerType(std::move(model).value(), options.layer_type);
}

int FailToRead(const FileOptions& options, const Status& status) {
  std::string message = options.path + ": " + status.message();
  if (message.find("ConfigOptions::pairing") != std::string::npos) {
    message += " (here: --pairing half or interleaved)";
  }
  return Fail(message);
}

}  // namespace ropewalk::cli
