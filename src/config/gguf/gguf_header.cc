// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "config/gguf/gguf_header.h"

#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "config/gguf/gguf_values.h"
#include "status/error.h"

namespace ropewalk::internal {
namespace {

constexpr uint32_t kMagic = 0x46554747;  // "GGUF"
constexpr uint32_t kTensorF32 = 0;
constexpr uint64_t kDefaultAlignment = 32;
constexpr uint32_t kMaxDimensions = 4;
constexpr uint64_t kMaxName = 65535;  // the specification's, for keys
// More than a head of kMaxRotaryDim can use.
constexpr uint64_t kMaxEntries = 65536;

// The least that a key (length, type, value) and a tensor (length, rank, type,
// offset) take.
constexpr uint64_t kKeyBytes = 8 + 4 + 1;
constexpr uint64_t kTensorBytes = 8 + 4 + 4 + 8;

struct Header {
  // Keys whose value is not kept have none.
  std::map<std::string, std::optional<GgufValue>, std::less<>> values;
  std::map<std::string, std::vector<float>, std::less<>> tensors;
};

// A tensor whose data has not been read yet.
struct TensorInfo {
  std::string name;
  uint64_t entries;
  uint64_t offset;
};

bool IsDivisors(std::string_view name) {
  return name == "rope_freqs.weight" || name == "rope_factors_short.weight" ||
         name == "rope_factors_long.weight";
}

class HeaderReader {
 public:
  HeaderReader(const ReadAt& read, uint64_t file_size)
      : cursor_(read, file_size),
        values_(&cursor_),
        header_(std::make_shared<Header>()) {}

  Result<std::shared_ptr<const Header>> Read() {
    const auto [tensors, keys] = ReadCounts();
    for (uint64_t i = 0; i < keys && cursor_.ok(); ++i) ReadKey();
    for (uint64_t i = 0; i < tensors && cursor_.ok(); ++i) ReadTensor();
    const uint64_t data = DataOffset();
    for (const TensorInfo& tensor : tensors_) ReadData(tensor, data);
    if (!cursor_.ok()) return cursor_.status();
    return std::shared_ptr<const Header>(std::move(header_));
  }

 private:
  // Of tensors, of keys.
  std::pair<uint64_t, uint64_t> ReadCounts() {
    const auto magic = cursor_.Integer<uint32_t>();
    if (cursor_.ok() && magic != kMagic) {
      values_.Fail(StatusCode::kParseError, "magic", "must be GGUF");
    }
    const auto version = cursor_.Integer<uint32_t>();
    if (cursor_.ok() && version != 2 && version != 3) {
      cursor_.Fail(Error(StatusCode::kUnsupported,
                         "version = %u: must be 2 or 3, little-endian",
                         static_cast<unsigned>(version)));
    }
    const auto tensors = cursor_.Integer<uint64_t>();
    const auto keys = cursor_.Integer<uint64_t>();
    if (cursor_.ok() && (keys > cursor_.remaining() / kKeyBytes ||
                         tensors > cursor_.remaining() / kTensorBytes)) {
      values_.Fail(StatusCode::kParseError, "counts of keys and tensors",
                   "must fit into the file");
    }
    return {tensors, keys};
  }

  void ReadKey() {
    const std::string name = cursor_.String(kMaxName);
    const auto type = cursor_.Integer<uint32_t>();
    if (!values_.Keep(name.size() + kKeyBytes)) return;
    auto value = values_.Read(name, type);
    if (!cursor_.ok()) return;
    if (!header_->values.emplace(name, std::move(value)).second) {
      values_.Fail(StatusCode::kParseError, name, "must not come twice");
    }
  }

  void ReadTensor() {
    TensorInfo tensor{cursor_.String(kMaxName), 1, 0};
    const auto rank = cursor_.Integer<uint32_t>();
    if (cursor_.ok() && rank > kMaxDimensions) {
      values_.Fail(StatusCode::kParseError, tensor.name,
                   "must have at most 4 dimensions");
    }
    for (uint32_t i = 0; i < rank && cursor_.ok(); ++i) {
      tensor.entries = cursor_.Integer<uint64_t>();
    }
    const auto type = cursor_.Integer<uint32_t>();
    tensor.offset = cursor_.Integer<uint64_t>();
    if (!cursor_.ok() || !IsDivisors(tensor.name)) return;
    if (type != kTensorF32 || rank != 1) {
      values_.Fail(StatusCode::kParseError, tensor.name,
                   "must be a float32 tensor of one dimension");
      return;
    }
    if (!header_->tensors.emplace(tensor.name, std::vector<float>()).second) {
      values_.Fail(StatusCode::kParseError, tensor.name, "must not come twice");
    }
    tensors_.push_back(std::move(tensor));
  }

  uint64_t ReadAlignment() {
    const auto found = header_->values.find("general.alignment");
    if (found == header_->values.end()) return kDefaultAlignment;
    const GgufValue& value = found->second.value_or(GgufValue(false));
    const auto* alignment = std::get_if<int64_t>(&value);
    if (alignment != nullptr && *alignment > 0 && *alignment <= UINT32_MAX &&
        (*alignment & (*alignment - 1)) == 0) {
      return static_cast<uint64_t>(*alignment);
    }
    values_.Fail(StatusCode::kParseError, "general.alignment",
                 "must be a power of two of 32 bits");
    return kDefaultAlignment;
  }

  // Where the tensors' data begins.
  uint64_t DataOffset() {
    if (!cursor_.ok()) return 0;
    alignment_ = ReadAlignment();
    return (cursor_.position() + alignment_ - 1) / alignment_ * alignment_;
  }

  void ReadData(const TensorInfo& tensor, uint64_t data) {
    if (!cursor_.ok()) return;
    if (tensor.offset % alignment_ != 0) {
      values_.Fail(StatusCode::kParseError, tensor.name,
                   "must begin at a multiple of general.alignment");
      return;
    }
    if (tensor.entries > kMaxEntries) {
      values_.Fail(StatusCode::kParseError, tensor.name,
                   "must have at most 65536 entries");
      return;
    }
    cursor_.Seek(data);
    cursor_.Skip(tensor.offset);
    if (cursor_.remaining() / sizeof(float) < tensor.entries) {
      values_.Fail(StatusCode::kParseError, tensor.name,
                   "must lie inside the file");
      return;
    }
    if (!values_.Keep(tensor.entries * sizeof(float))) return;
    std::vector<float>& list = header_->tensors[tensor.name];
    list.reserve(static_cast<size_t>(tensor.entries));
    for (uint64_t i = 0; i < tensor.entries && cursor_.ok(); ++i) {
      const auto bits = cursor_.Integer<uint32_t>();
      float entry;
      std::memcpy(&entry, &bits, sizeof(entry));
      list.push_back(entry);
    }
  }

  GgufCursor cursor_;
  GgufValueReader values_;
  std::shared_ptr<Header> header_;
  std::vector<TensorInfo> tensors_;
  uint64_t alignment_ = kDefaultAlignment;
};

GgufSource SourceOf(std::shared_ptr<const Header> header) {
  GgufSource source;
  source.value = [header](std::string_view key) -> std::optional<GgufValue> {
    const auto found = header->values.find(key);
    if (found == header->values.end()) return std::nullopt;
    return found->second;
  };
  source.tensor =
      [header](std::string_view name) -> std::optional<std::vector<float>> {
    const auto found = header->tensors.find(name);
    if (found == header->tensors.end()) return std::nullopt;
    return found->second;
  };
  return source;
}

Result<GgufSource> ReadHeader(const ReadAt& read, uint64_t file_size) {
  if (!read) {
    return Error(StatusCode::kInvalidArgument,
                 "read = null: must be a function");
  }
  // The reader holds a buffer, too large for the stacks of some hosts' threads.
  auto header = std::make_unique<HeaderReader>(read, file_size)->Read();
  if (!header.ok()) return header.status();
  return SourceOf(std::move(header).value());
}

}  // namespace

Result<GgufSource> ReadGgufHeader(const ReadAt& read,
                                  uint64_t file_size) noexcept {
  try {
    return ReadHeader(read, file_size);
  } catch (const std::bad_alloc&) {
    return Error(StatusCode::kOutOfMemory, "GGUF header: out of memory");
  } catch (...) {
    return Error(StatusCode::kParseError, "read: threw an exception");
  }
}

}  // namespace ropewalk::internal
