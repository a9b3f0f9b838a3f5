// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A value of a JSON text. Not nlohmann's: the destructor of that allocates, and
// so ends the process where memory is refused.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ropewalk::internal {

struct JsonMember;

struct JsonValue {
  using Array = std::vector<JsonValue>;
  using Object = std::vector<JsonMember>;  // Sorted by name, each name once.

  bool IsNull() const { return data.index() == 0; }
  bool IsNumber() const { return Get<int64_t>() || Get<double>(); }
  // Null for a value of another type.
  template <class T>
  const T* Get() const {
    return std::get_if<T>(&data);
  }
  // The member of an object; null if there is none, or no object.
  const JsonValue* Find(std::string_view name) const;

  // Integers past int64_t are doubles.
  std::variant<std::monostate, bool, int64_t, double, std::string, Array,
               Object>
      data;
};

struct JsonMember {
  std::string name;
  JsonValue value;
};

// 3 and 3.0 are equal.
bool operator==(const JsonValue& a, const JsonValue& b);
inline bool operator!=(const JsonValue& a, const JsonValue& b) {
  return !(a == b);
}

// For people: cut after limit characters.
std::string Shown(const JsonValue& value, size_t limit);

}  // namespace ropewalk::internal
