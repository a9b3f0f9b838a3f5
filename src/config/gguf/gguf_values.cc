// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "config/gguf/gguf_values.h"

#include <cstring>
#include <utility>
#include <variant>
#include <vector>

#include "config/gguf/gguf_header.h"
#include "status/error.h"

namespace ropewalk::internal {
namespace {

// Numbers of the file format.
enum ValueType : uint32_t {
  kUint8 = 0,
  kInt8 = 1,
  kUint16 = 2,
  kInt16 = 3,
  kUint32 = 4,
  kInt32 = 5,
  kFloat32 = 6,
  kBool = 7,
  kString = 8,
  kArray = 9,
  kUint64 = 10,
  kInt64 = 11,
  kFloat64 = 12,
};
constexpr uint64_t kMaxString = 4096;
constexpr uint64_t kMaxEntries = 65536;

// Of a scalar; 0 for strings, arrays and what is no type.
uint64_t BytesOf(uint32_t type) {
  switch (type) {
    case kUint8:
    case kInt8:
    case kBool:
      return 1;
    case kUint16:
    case kInt16:
      return 2;
    case kUint32:
    case kInt32:
    case kFloat32:
      return 4;
    case kUint64:
    case kInt64:
    case kFloat64:
      return 8;
    default:
      return 0;
  }
}

template <class To, class From>
To BitsAs(From bits) {
  static_assert(sizeof(To) == sizeof(From));
  To value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// Two's complement of a narrower type.
template <class Signed, class Unsigned>
int64_t Extend(Unsigned bits) {
  return int64_t{BitsAs<Signed>(bits)};
}

}  // namespace

void GgufValueReader::Fail(StatusCode code, const std::string& name,
                           const char* rule) {
  cursor_.Fail(Error(code, "%s: %s", name.substr(0, 80).c_str(), rule));
}

bool GgufValueReader::Keep(uint64_t bytes) {
  kept_ += bytes;
  if (kept_ > kMaxKeptBytes) {
    Fail(StatusCode::kOutOfRange, "header", "has too much to keep");
  }
  return cursor_.ok();
}

std::optional<GgufValue> GgufValueReader::Read(const std::string& name,
                                               uint32_t type) {
  if (type == kString) return ReadString();
  if (type == kArray) return ReadArray(name);
  return ReadScalar(name, type);
}

std::optional<GgufValue> GgufValueReader::ReadString() {
  const uint64_t start = cursor_.position();
  const auto length = cursor_.Integer<uint64_t>();
  if (length > kMaxString) {
    cursor_.Skip(length);
    return std::nullopt;
  }
  cursor_.Seek(start);
  std::string text = cursor_.String(kMaxString);
  if (!Keep(text.size())) return std::nullopt;
  return text;
}

// Fails for what is no scalar.
GgufValue GgufValueReader::ReadScalar(const std::string& name, uint32_t type) {
  switch (type) {
    case kUint8:
      return int64_t{cursor_.Integer<uint8_t>()};
    case kInt8:
      return Extend<int8_t>(cursor_.Integer<uint8_t>());
    case kUint16:
      return int64_t{cursor_.Integer<uint16_t>()};
    case kInt16:
      return Extend<int16_t>(cursor_.Integer<uint16_t>());
    case kUint32:
      return int64_t{cursor_.Integer<uint32_t>()};
    case kInt32:
      return Extend<int32_t>(cursor_.Integer<uint32_t>());
    case kFloat32:
      return double{BitsAs<float>(cursor_.Integer<uint32_t>())};
    case kBool:
      return ReadBool(name);
    case kUint64:
      return ReadUint64();
    case kInt64:
      return BitsAs<int64_t>(cursor_.Integer<uint64_t>());
    case kFloat64:
      return BitsAs<double>(cursor_.Integer<uint64_t>());
    default:
      Fail(StatusCode::kParseError, name, "must be of a known type");
      return false;
  }
}

GgufValue GgufValueReader::ReadBool(const std::string& name) {
  const auto bits = cursor_.Integer<uint8_t>();
  if (bits > 1) Fail(StatusCode::kParseError, name, "must be 0 or 1");
  return bits != 0;
}

GgufValue GgufValueReader::ReadUint64() {
  const auto bits = cursor_.Integer<uint64_t>();
  if (bits > uint64_t{INT64_MAX}) return static_cast<double>(bits);
  return static_cast<int64_t>(bits);
}

std::optional<GgufValue> GgufValueReader::ReadArray(const std::string& name) {
  const auto type = cursor_.Integer<uint32_t>();
  const auto count = cursor_.Integer<uint64_t>();
  const uint64_t least = type == kString ? 8 : BytesOf(type);
  if (cursor_.ok() && least == 0) {
    Fail(StatusCode::kParseError, name, "must be a list of scalars or strings");
  }
  if (!cursor_.ok()) return std::nullopt;
  if (count > cursor_.remaining() / least) {
    Fail(StatusCode::kParseError, name, "must fit into the file");
    return std::nullopt;
  }
  if (type == kString) {
    for (uint64_t i = 0; i < count && cursor_.ok(); ++i) cursor_.SkipString();
    return std::nullopt;
  }
  if (count > kMaxEntries) {
    cursor_.Skip(count * least);
    return std::nullopt;
  }
  if (!Keep(count * least)) return std::nullopt;
  return ReadNumbers(name, type, static_cast<size_t>(count));
}

std::optional<GgufValue> GgufValueReader::ReadNumbers(const std::string& name,
                                                      uint32_t type,
                                                      size_t count) {
  std::vector<int64_t> integers;
  std::vector<double> reals;
  const bool is_real = type == kFloat32 || type == kFloat64;
  // One allocation: a vector that grows would hold two.
  is_real ? reals.reserve(count) : integers.reserve(count);
  for (size_t i = 0; i < count && cursor_.ok(); ++i) {
    const GgufValue value = ReadScalar(name, type);
    if (const auto* real = std::get_if<double>(&value)) {
      // An unsigned integer past int64_t: such a list is none of ours.
      if (!is_real) {
        cursor_.Skip((count - i - 1) * BytesOf(type));
        return std::nullopt;
      }
      reals.push_back(*real);
    } else if (const auto* integer = std::get_if<int64_t>(&value)) {
      integers.push_back(*integer);
    } else {
      integers.push_back(std::get<bool>(value) ? 1 : 0);
    }
  }
  if (is_real) return reals;
  return integers;
}

}  // namespace ropewalk::internal
