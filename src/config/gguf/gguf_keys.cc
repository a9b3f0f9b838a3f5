// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "config/gguf/gguf_keys.h"

#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>

#include "status/error.h"

namespace ropewalk::internal::gguf {
namespace {

// Longer values are cut in messages and in ConfigKey::value.
constexpr size_t kShownCharacters = 80;
constexpr size_t kShownEntries = 8;

template <class T>
std::string ShowList(const std::vector<T>& list) {
  std::string text = "[";
  for (size_t i = 0; i < list.size() && i < kShownEntries; ++i) {
    if (i != 0) text += ", ";
    text += ShortNumber(static_cast<double>(list[i]));
  }
  if (list.size() > kShownEntries) {
    text += ", ... " + std::to_string(list.size()) + " entries";
  }
  return text + "]";
}

struct Show {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return ShortNumber(value); }
  std::string operator()(const std::string& value) const {
    return value.substr(0, kShownCharacters);
  }
  template <class T>
  std::string operator()(const std::vector<T>& value) const {
    return ShowList(value);
  }
};

std::string ShowValue(const GgufValue& value) {
  return value.valueless_by_exception() ? "valueless"
                                        : std::visit(Show{}, value);
}

const char* Wanted(NumberRule rule) {
  switch (rule) {
    case NumberRule::kFinite:
      return "must be a finite float32";
    case NumberRule::kNotNegative:
      return "must be a finite float32, not negative";
    case NumberRule::kPositive:
      return "must be a finite float32, positive";
  }
  return "";
}

bool Obeys(double value, NumberRule rule) {
  if (!(std::fabs(value) <= double{FLT_MAX})) return false;
  return rule == NumberRule::kFinite || static_cast<float>(value) > 0 ||
         (rule == NumberRule::kNotNegative && value == 0);
}

// Visits each entry of a list, or a scalar as it is.
template <class Visit>
void ForEachEntry(const GgufValue& value, const Visit& visit) {
  if (const auto* integers = std::get_if<std::vector<int64_t>>(&value)) {
    for (const int64_t entry : *integers) visit(GgufValue(entry));
  } else if (const auto* reals = std::get_if<std::vector<double>>(&value)) {
    for (const double entry : *reals) visit(GgufValue(entry));
  } else {
    visit(value);
  }
}

}  // namespace

std::string ShortNumber(double value) {
  const bool is_float32 = std::fabs(value) <= double{FLT_MAX} &&
                          double{static_cast<float>(value)} == value;
  char text[32];
  for (int digits = 6; digits <= 17; ++digits) {
    std::snprintf(text, sizeof(text), "%.*g", digits, value);
    if (is_float32 ? std::strtof(text, nullptr) == static_cast<float>(value)
                   : std::strtod(text, nullptr) == value) {
      break;
    }
  }
  return text;
}

std::string GgufKeys::Path(std::string_view name) const {
  return prefix_ + std::string(name);
}

void GgufKeys::Fail(const Status& status) {
  if (status_.ok()) status_ = status;
}

// No exception of a host's passes on: std::invoke_result_t is a std::optional.
template <class Callback>
std::invoke_result_t<Callback, std::string_view> GgufKeys::Call(
    const Callback& callback, std::string_view argument) {
  try {
    return callback(argument);
  } catch (const std::bad_alloc&) {
    Fail(Error(StatusCode::kOutOfMemory, "source: out of memory"));
  } catch (...) {
    Fail(Error(StatusCode::kParseError,
               "source: a callback threw an exception"));
  }
  return std::nullopt;
}

void GgufKeys::Refuse(StatusCode code, std::string_view name,
                      std::string_view value, std::string_view rule) {
  const std::string shown(value.substr(0, kShownCharacters));
  const std::string wanted(rule);
  // Hostile names must not push the rule out of the message.
  const std::string path = Path(name).substr(0, kShownCharacters);
  Fail(Error(code, "%s = %s: %s", path.c_str(), shown.c_str(), wanted.c_str()));
}

std::optional<GgufValue> GgufKeys::Ask(const std::string& path) {
  if (!ok()) return std::nullopt;
  auto value = Call(source_.value, path);
  if (value) used_.push_back({path, ShowValue(*value)});
  return value;
}

std::optional<GgufValue> GgufKeys::Find(std::string_view name) {
  return Ask(Path(name));
}

std::string GgufKeys::ReadArchitecture() {
  const auto name = String("general.architecture");
  if (ok() && (!name || name->empty())) {
    Fail(Error(StatusCode::kParseError,
               "general.architecture = %s: must name the architecture",
               name ? "\"\"" : "missing"));
  }
  if (!ok()) return "";
  prefix_ = *name + ".";
  return *name;
}

int64_t GgufKeys::ToInteger(std::string_view name, const GgufValue& value,
                            int64_t min, int64_t max) {
  int64_t result = 0;
  if (const auto* integer = std::get_if<int64_t>(&value)) {
    result = *integer;
  } else if (const auto* real = std::get_if<double>(&value)) {
    if (!std::isfinite(*real) || std::trunc(*real) != *real) {
      Refuse(StatusCode::kParseError, name, ShowValue(value),
             "must be an integer");
      return min;
    }
    // 2^63 is the first double past int64_t.
    const double limit = 9223372036854775808.0;
    result = *real >= limit    ? INT64_MAX
             : *real <= -limit ? INT64_MIN
                               : static_cast<int64_t>(*real);
  } else {
    Refuse(StatusCode::kParseError, name, ShowValue(value),
           "must be an integer");
    return min;
  }
  if (result < min || result > max) {
    Refuse(StatusCode::kInvalidArgument, name, ShowValue(value),
           "must be in [" + std::to_string(min) + ", " + std::to_string(max) +
               "]");
    return min;
  }
  return result;
}

double GgufKeys::ToNumber(std::string_view name, const GgufValue& value,
                          NumberRule rule) {
  double result = 0;
  if (const auto* real = std::get_if<double>(&value)) {
    result = *real;
  } else if (const auto* integer = std::get_if<int64_t>(&value)) {
    result = static_cast<double>(*integer);
  } else {
    Refuse(StatusCode::kParseError, name, ShowValue(value), "must be a number");
    return 1;
  }
  if (!Obeys(result, rule)) {
    Refuse(StatusCode::kInvalidArgument, name, ShowValue(value), Wanted(rule));
    return 1;
  }
  return result;
}

std::optional<int64_t> GgufKeys::Integer(std::string_view name, int64_t min,
                                         int64_t max) {
  const auto value = Find(name);
  if (!value) return std::nullopt;
  const int64_t result = ToInteger(name, *value, min, max);
  return ok() ? std::optional<int64_t>(result) : std::nullopt;
}

std::optional<double> GgufKeys::Number(std::string_view name, NumberRule rule) {
  const auto value = Find(name);
  if (!value) return std::nullopt;
  const double result = ToNumber(name, *value, rule);
  return ok() ? std::optional<double>(result) : std::nullopt;
}

std::optional<std::string> GgufKeys::String(std::string_view name) {
  const auto value = Find(name);
  if (!value) return std::nullopt;
  if (const auto* text = std::get_if<std::string>(&*value)) return *text;
  Refuse(StatusCode::kParseError, name, ShowValue(*value), "must be a string");
  return std::nullopt;
}

std::optional<bool> GgufKeys::Flag(std::string_view name) {
  const auto value = Find(name);
  if (!value) return std::nullopt;
  if (const auto* flag = std::get_if<bool>(&*value)) return *flag;
  Refuse(StatusCode::kParseError, name, ShowValue(*value), "must be a bool");
  return std::nullopt;
}

std::optional<std::vector<int64_t>> GgufKeys::Integers(std::string_view name,
                                                       int64_t min,
                                                       int64_t max) {
  const auto value = Find(name);
  if (!value) return std::nullopt;
  std::vector<int64_t> list;
  ForEachEntry(*value, [&](const GgufValue& entry) {
    list.push_back(ToInteger(name, entry, min, max));
  });
  if (!ok()) return std::nullopt;
  return list;
}

std::optional<std::vector<double>> GgufKeys::Numbers(std::string_view name,
                                                     NumberRule rule) {
  const auto value = Find(name);
  if (!value) return std::nullopt;
  std::vector<double> list;
  ForEachEntry(*value, [&](const GgufValue& entry) {
    list.push_back(ToNumber(name, entry, rule));
  });
  if (!ok()) return std::nullopt;
  return list;
}

bool GgufKeys::Has(std::string_view name) {
  return ok() && Call(source_.value, Path(name)).has_value();
}

bool GgufKeys::IsList(std::string_view name) {
  if (!ok()) return false;
  const auto value = Call(source_.value, Path(name));
  return value && (std::holds_alternative<std::vector<int64_t>>(*value) ||
                   std::holds_alternative<std::vector<double>>(*value));
}

std::vector<float> GgufKeys::Divisors(std::string_view tensor) {
  if (!ok() || !source_.tensor) return {};
  auto list = Call(source_.tensor, tensor);
  if (!list) return {};
  for (size_t i = 0; i < list->size(); ++i) {
    const float entry = (*list)[i];
    if (std::isfinite(entry) && entry > 0) continue;
    Fail(Error(StatusCode::kInvalidArgument,
               "%s[%zu] = %g: must be positive and finite",
               std::string(tensor).c_str(), i, double{entry}));
    return {};
  }
  if (list->empty()) {
    Fail(Error(StatusCode::kParseError,
               "%s has 0 entries: must have one a pair",
               std::string(tensor).c_str()));
  }
  used_.push_back({std::string(tensor), ShowList(*list)});
  return *std::move(list);
}

std::vector<ConfigKey> GgufKeys::TakeUsed() { return std::exchange(used_, {}); }

}  // namespace ropewalk::internal::gguf
