// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "config/huggingface/json_value.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace ropewalk::internal {
namespace {

double AsDouble(const JsonValue& number) {
  const auto* integer = number.Get<int64_t>();
  return integer ? static_cast<double>(*integer) : *number.Get<double>();
}

// As few digits as give the same number again, and a point in all of them.
std::string ShownNumber(double number) {
  char text[40];
  for (int digits = 15; digits <= 17; ++digits) {
    std::snprintf(text, sizeof(text), "%.*g", digits, number);
    if (std::strtod(text, nullptr) == number) break;
  }
  std::string shown = text;
  if (shown.find_first_not_of("-0123456789") == std::string::npos) {
    shown += ".0";
  }
  return shown;
}

class Printer {
 public:
  explicit Printer(size_t limit) : limit_(limit) {}

  // Deep as the value is, which its parser limits.
  void Print(const JsonValue& value) {
    if (text_.size() > limit_) return;
    if (const auto* boolean = value.Get<bool>()) {
      text_ += *boolean ? "true" : "false";
    } else if (const auto* integer = value.Get<int64_t>()) {
      text_ += std::to_string(*integer);
    } else if (const auto* number = value.Get<double>()) {
      text_ += ShownNumber(*number);
    } else if (const auto* string = value.Get<std::string>()) {
      PrintString(*string);
    } else if (const auto* array = value.Get<JsonValue::Array>()) {
      PrintArray(*array);
    } else if (const auto* object = value.Get<JsonValue::Object>()) {
      PrintObject(*object);
    } else {
      text_ += "null";
    }
  }

  std::string Take() {
    if (text_.size() > limit_) text_.replace(limit_, std::string::npos, "...");
    return std::move(text_);
  }

 private:
  void PrintString(std::string_view string) {
    text_ += '"';
    text_ += string.substr(0, limit_);
    text_ += '"';
  }

  void PrintArray(const JsonValue::Array& array) {
    text_ += '[';
    for (const JsonValue& entry : array) {
      if (text_.size() > limit_) return;
      if (&entry != &array[0]) text_ += ',';
      Print(entry);
    }
    text_ += ']';
  }

  void PrintObject(const JsonValue::Object& object) {
    text_ += '{';
    for (const JsonMember& member : object) {
      if (text_.size() > limit_) return;
      if (&member != &object[0]) text_ += ',';
      PrintString(member.name);
      text_ += ':';
      Print(member.value);
    }
    text_ += '}';
  }

  size_t limit_;
  std::string text_;
};

}  // namespace

const JsonValue* JsonValue::Find(std::string_view name) const {
  const auto* object = Get<Object>();
  if (!object) return nullptr;
  const auto found = std::lower_bound(
      object->begin(), object->end(), name,
      [](const JsonMember& m, std::string_view n) { return m.name < n; });
  return found != object->end() && found->name == name ? &found->value
                                                       : nullptr;
}

bool operator==(const JsonValue& a, const JsonValue& b) {
  if (a.IsNumber() && b.IsNumber() && a.data.index() != b.data.index()) {
    return AsDouble(a) == AsDouble(b);
  }
  if (a.data.index() != b.data.index()) return false;
  if (const auto* x = a.Get<JsonValue::Object>()) {
    const auto* y = b.Get<JsonValue::Object>();
    return std::equal(x->begin(), x->end(), y->begin(), y->end(),
                      [](const JsonMember& m, const JsonMember& n) {
                        return m.name == n.name && m.value == n.value;
                      });
  }
  if (const auto* x = a.Get<JsonValue::Array>()) {
    const auto* y = b.Get<JsonValue::Array>();
    return std::equal(x->begin(), x->end(), y->begin(), y->end());
  }
  if (const auto* x = a.Get<std::string>()) return *x == *b.Get<std::string>();
  if (const auto* x = a.Get<double>()) return *x == *b.Get<double>();
  if (const auto* x = a.Get<int64_t>()) return *x == *b.Get<int64_t>();
  if (const auto* x = a.Get<bool>()) return *x == *b.Get<bool>();
  return true;
}

std::string Shown(const JsonValue& value, size_t limit) {
  Printer printer(limit);
  printer.Print(value);
  return printer.Take();
}

}  // namespace ropewalk::internal
