// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "c_api/gguf_callbacks.h"

#include <utility>

#include "status/error.h"

namespace ropewalk::internal {
namespace {

// As of a file's header: no list that is asked for has more, be it one a layer
// or one a pair.
constexpr int64_t kMaxEntries = 65536;

// Of hostile names, so that they push no rule out of a message.
std::string Shown(const std::string& name) { return name.substr(0, 80); }

// The list as a T: itself, or a GgufValue.
template <class T, class Entry>
Result<T> CopyList(const char* field, const Entry* entries, int64_t count) {
  if (count < 0 || count > kMaxEntries) {
    return Error(
        StatusCode::kParseError, "count = %lld: must be from 0 to %lld",
        static_cast<long long>(count), static_cast<long long>(kMaxEntries));
  }
  if (entries == nullptr && count > 0) {
    return Error(StatusCode::kParseError, "%s = null: must have %lld entries",
                 field, static_cast<long long>(count));
  }
  return T(std::vector<Entry>(entries, entries + count));
}

Result<GgufValue> ToCc(const ropewalk_gguf_value& in) {
  switch (in.kind) {
    case ROPEWALK_GGUF_BOOL:
      if (in.integer == 0 || in.integer == 1) return GgufValue(in.integer == 1);
      return Error(StatusCode::kParseError,
                   "integer = %lld: must be 0 or 1 of a bool",
                   static_cast<long long>(in.integer));
    case ROPEWALK_GGUF_INTEGER:
      return GgufValue(in.integer);
    case ROPEWALK_GGUF_REAL:
      return GgufValue(in.real);
    case ROPEWALK_GGUF_STRING:
      if (in.string != nullptr) return GgufValue(std::string(in.string));
      return Error(StatusCode::kParseError, "string = null: must be given");
    case ROPEWALK_GGUF_INTEGERS:
      return CopyList<GgufValue>("integers", in.integers, in.count);
    case ROPEWALK_GGUF_REALS:
      return CopyList<GgufValue>("reals", in.reals, in.count);
    default:
      return Error(StatusCode::kParseError, "kind = %d: no such value",
                   static_cast<int>(in.kind));
  }
}

}  // namespace

GgufSource GgufCallbacks::Source() {
  GgufSource source;
  // Names are copied: C wants them with a terminator.
  if (source_.value != nullptr) {
    source.value = [this](std::string_view key) {
      return Value(std::string(key));
    };
  }
  if (source_.tensor != nullptr) {
    source.tensor = [this](std::string_view name) {
      return Tensor(std::string(name));
    };
  }
  return source;
}

std::optional<GgufValue> GgufCallbacks::Value(const std::string& key) {
  if (!status_.ok()) return std::nullopt;
  ropewalk_gguf_value answer = {};
  answer.struct_size = sizeof(answer);
  answer.kind = -1;  // None, so that an answer without its kind is refused.
  const int32_t found = source_.value(source_.context, key.c_str(), &answer);
  if (!IsFound(key, found)) return std::nullopt;
  return Take(key, ToCc(answer));
}

std::optional<std::vector<float>> GgufCallbacks::Tensor(
    const std::string& name) {
  if (!status_.ok()) return std::nullopt;
  const float* data = nullptr;
  int64_t count = 0;
  const int32_t found =
      source_.tensor(source_.context, name.c_str(), &data, &count);
  if (!IsFound(name, found)) return std::nullopt;
  return Take(name, CopyList<std::vector<float>>("data", data, count));
}

bool GgufCallbacks::IsFound(const std::string& name, int32_t answer) {
  if (answer == 0 || answer == 1) return answer == 1;
  status_ = Error(StatusCode::kParseError,
                  "%s: the callback returned %d: must be 0 or 1",
                  Shown(name).c_str(), static_cast<int>(answer));
  return false;
}

template <class T>
std::optional<T> GgufCallbacks::Take(const std::string& name,
                                     Result<T> answer) {
  if (answer.ok()) return std::move(answer).value();
  status_ = Within(Shown(name).c_str(), answer.status());
  return std::nullopt;
}

}  // namespace ropewalk::internal
