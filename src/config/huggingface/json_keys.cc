// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "config/huggingface/json_keys.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <utility>

#include "status/error.h"

namespace ropewalk::internal {
namespace {

constexpr size_t kMaxListEntries = 65536;

constexpr size_t kShownInErrors = 48;
constexpr size_t kShownInKeys = 160;

}  // namespace

void KeyReader::Fail(const Status& status) {
  if (status_.ok()) status_ = status;
}

void KeyReader::Reject(StatusCode code, const Places& places,
                       const Names& names, const char* rule) {
  const std::vector<Site> sites = Sites(places, names);
  if (!sites.empty()) return RejectSite(code, sites[0], rule);
  Fail(Error(code, "%s: %s", PathOf(places, names).c_str(), rule));
}

void KeyReader::RejectSite(StatusCode code, const Site& site,
                           const char* rule) {
  Fail(Error(code, "%s = %s: %s", site.path.c_str(),
             Shown(*site.value, kShownInErrors).c_str(), rule));
}

void KeyReader::Warn(const std::string& warning) {
  if (!ok()) return;
  if (std::find(warnings_->begin(), warnings_->end(), warning) ==
      warnings_->end()) {
    warnings_->push_back(warning);
  }
}

std::vector<KeyReader::Site> KeyReader::Sites(const Places& places,
                                              const Names& names) {
  std::vector<Site> sites;
  for (const Place& place : places) {
    for (const char* name : names) {
      const JsonValue* value = place.object->Find(name);
      if (!value || value->IsNull()) continue;
      sites.push_back({value, place.prefix + name});
    }
  }
  return sites;
}

bool KeyReader::Has(const Places& places, const Names& names) const {
  return ok() && !Sites(places, names).empty();
}

bool KeyReader::IsNull(const Places& places, const char* name) const {
  return std::any_of(places.begin(), places.end(), [&](const Place& place) {
    const JsonValue* value = place.object->Find(name);
    return value && value->IsNull();
  });
}

bool KeyReader::IsFalse(const Places& places, const char* name) const {
  return std::any_of(places.begin(), places.end(), [&](const Place& place) {
    const JsonValue* value = place.object->Find(name);
    return value && *value == JsonValue{false};
  });
}

bool KeyReader::IsText(const Places& places, const Names& names) const {
  if (!ok()) return false;
  const std::vector<Site> sites = Sites(places, names);
  return !sites.empty() && sites[0].value->Get<std::string>();
}

bool KeyReader::IsList(const Places& places, const Names& names) const {
  if (!ok()) return false;
  const std::vector<Site> sites = Sites(places, names);
  return !sites.empty() && sites[0].value->Get<JsonValue::Array>();
}

std::string KeyReader::PathOf(const Places& places, const Names& names) const {
  const std::vector<Site> sites = Sites(places, names);
  if (!sites.empty()) return sites[0].path;
  return (places.empty() ? "" : places[0].prefix) + names[0];
}

std::optional<KeyReader::Site> KeyReader::Use(const Places& places,
                                              const Names& names) {
  if (!ok()) return std::nullopt;
  const std::vector<Site> sites = Sites(places, names);
  for (const Site& site : sites) {
    read_.insert(site.path);
    if (*site.value != *sites[0].value) {
      Fail(Error(
          StatusCode::kParseError, "%s = %s, but %s = %s: must agree",
          sites[0].path.c_str(), Shown(*sites[0].value, kShownInErrors).c_str(),
          site.path.c_str(), Shown(*site.value, kShownInErrors).c_str()));
      return std::nullopt;
    }
    const auto same = [&](const ConfigKey& key) {
      return key.path == site.path;
    };
    if (keys_ && std::none_of(keys_->begin(), keys_->end(), same)) {
      keys_->push_back({site.path, Shown(*site.value, kShownInKeys)});
    }
  }
  if (sites.empty()) return std::nullopt;
  return sites[0];
}

std::optional<std::vector<KeyReader::Site>> KeyReader::UseList(
    const Places& places, const Names& names) {
  const std::optional<Site> site = Use(places, names);
  if (!site) return std::nullopt;
  const auto* list = site->value->Get<JsonValue::Array>();
  if (!list || list->size() > kMaxListEntries) {
    RejectSite(StatusCode::kParseError, *site,
               "must be a list of at most 65536 entries");
    return std::nullopt;
  }
  std::vector<Site> entries;
  for (const JsonValue& entry : *list) {
    entries.push_back(
        {&entry, site->path + "[" + std::to_string(entries.size()) + "]"});
  }
  return entries;
}

std::optional<double> KeyReader::NumberAt(const Site& site) {
  // The parser gives NaN and infinities as strings; a bool is no number.
  if (const auto* number = site.value->Get<double>()) return *number;
  if (const auto* integer = site.value->Get<int64_t>()) {
    return static_cast<double>(*integer);
  }
  RejectSite(StatusCode::kParseError, site, "must be a number");
  return std::nullopt;
}

std::optional<int64_t> KeyReader::IntegerAt(const Site& site, int64_t minimum,
                                            int64_t maximum) {
  const auto* integer = site.value->Get<int64_t>();
  const auto* number = site.value->Get<double>();
  // Whole floats are integers too, as far as doubles hold all of them.
  const bool whole = number && std::floor(*number) == *number;
  if (!integer && !whole) {
    RejectSite(StatusCode::kParseError, site, "must be an integer");
    return std::nullopt;
  }
  const bool in_range = integer || std::fabs(*number) <= 0x1p53;
  const int64_t value = integer    ? *integer
                        : in_range ? static_cast<int64_t>(*number)
                                   : 0;
  if (!in_range || value < minimum || value > maximum) {
    const std::string rule = "must be an integer from " +
                             std::to_string(minimum) + " to " +
                             std::to_string(maximum);
    RejectSite(StatusCode::kInvalidArgument, site, rule.c_str());
    return std::nullopt;
  }
  return value;
}

std::optional<std::string> KeyReader::TextAt(const Site& site) {
  if (const auto* text = site.value->Get<std::string>()) return *text;
  RejectSite(StatusCode::kParseError, site, "must be a string");
  return std::nullopt;
}

std::optional<double> KeyReader::Number(const Places& places,
                                        const Names& names) {
  const std::optional<Site> site = Use(places, names);
  return site ? NumberAt(*site) : std::nullopt;
}

std::optional<double> KeyReader::Positive(const Places& places,
                                          const Names& names) {
  const std::optional<double> number = Number(places, names);
  if (!number || *number > 0) return number;
  Reject(StatusCode::kInvalidArgument, places, names, "must be positive");
  return std::nullopt;
}

std::optional<int64_t> KeyReader::Integer(const Places& places,
                                          const Names& names, int64_t minimum,
                                          int64_t maximum) {
  const std::optional<Site> site = Use(places, names);
  return site ? IntegerAt(*site, minimum, maximum) : std::nullopt;
}

std::optional<int> KeyReader::Count(const Places& places, const Names& names) {
  const std::optional<int64_t> count = Integer(places, names, 1, INT_MAX);
  if (!count) return std::nullopt;
  return static_cast<int>(*count);
}

std::optional<bool> KeyReader::Bool(const Places& places, const Names& names) {
  const std::optional<Site> site = Use(places, names);
  if (!site) return std::nullopt;
  if (const auto* value = site->value->Get<bool>()) return *value;
  RejectSite(StatusCode::kParseError, *site, "must be true or false");
  return std::nullopt;
}

std::optional<std::string> KeyReader::Text(const Places& places,
                                           const Names& names) {
  const std::optional<Site> site = Use(places, names);
  return site ? TextAt(*site) : std::nullopt;
}

std::optional<std::vector<double>> KeyReader::Numbers(const Places& places,
                                                      const Names& names) {
  const auto entries = UseList(places, names);
  if (!entries) return std::nullopt;
  std::vector<double> numbers;
  for (const Site& entry : *entries) {
    const std::optional<double> number = NumberAt(entry);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

std::optional<std::vector<int>> KeyReader::Integers(const Places& places,
                                                    const Names& names) {
  const auto entries = UseList(places, names);
  if (!entries) return std::nullopt;
  std::vector<int> integers;
  for (const Site& entry : *entries) {
    const auto integer = IntegerAt(entry, 0, INT_MAX);
    if (!integer) return std::nullopt;
    integers.push_back(static_cast<int>(*integer));
  }
  return integers;
}

std::optional<std::vector<std::string>> KeyReader::Texts(const Places& places,
                                                         const Names& names) {
  const auto entries = UseList(places, names);
  if (!entries) return std::nullopt;
  std::vector<std::string> texts;
  for (const Site& entry : *entries) {
    std::optional<std::string> text = TextAt(entry);
    if (!text) return std::nullopt;
    texts.push_back(*std::move(text));
  }
  return texts;
}

void KeyReader::Ignore(const Places& places, const Names& names) {
  for (const Site& site : Sites(places, names)) read_.insert(site.path);
}

std::vector<std::string> KeyReader::Unread(const Place& place) const {
  std::vector<std::string> unread;
  for (const auto& [name, value] : MembersOf(place)) {
    std::string path = place.prefix + name;
    if (!value.IsNull() && read_.count(path) == 0) {
      unread.push_back(std::move(path));
    }
  }
  return unread;
}

const JsonValue::Object& MembersOf(const Place& place) {
  static const JsonValue::Object none;
  const auto* members = place.object->Get<JsonValue::Object>();
  return members ? *members : none;
}

Places FirstWith(const KeyReader& reader, const Places& places,
                 const Names& names) {
  for (const Place& place : places) {
    if (reader.Has({place}, names)) return {place};
  }
  return places.empty() ? places : Places{places[0]};
}

}  // namespace ropewalk::internal
