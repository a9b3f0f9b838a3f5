// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Typed access to the keys of a config.json, by whatever names and in whatever
// places a key may stand. Remembers what was used and what was never asked for.
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "config/huggingface/json_text.h"
#include "ropewalk/config.h"

namespace ropewalk::internal {

// An object of the file; prefix is its path with a dot, or "" for the root.
struct Place {
  const JsonValue* object = nullptr;
  std::string prefix;
};
using Places = std::vector<Place>;
using Names = std::vector<const char*>;

// A reader whose first error sticks: after it every key is absent and nothing
// else is reported, so that callers need to look at status() only before they
// rely on what they read. A key that is null is absent. All methods may throw
// std::bad_alloc.
class KeyReader {
 public:
  explicit KeyReader(std::vector<std::string>* warnings)
      : warnings_(warnings) {}

  const Status& status() const { return status_; }
  bool ok() const { return status_.ok(); }
  // Reports an error, unless there is one already.
  void Fail(const Status& status);
  // "path = value: rule" of the first of the names that is present, or
  // "name: rule" where none is.
  void Reject(StatusCode code, const Places& places, const Names& names,
              const char* rule);
  // Says everything once, however many kinds of layers read the same key.
  void Warn(const std::string& warning);
  // Where the keys that are used from now on are listed.
  void RecordInto(std::vector<ConfigKey>* keys) { keys_ = keys; }

  bool Has(const Places& places, const Names& names) const;
  bool IsNull(const Places& places, const char* name) const;
  bool IsFalse(const Places& places, const char* name) const;
  bool IsText(const Places& places, const Names& names) const;
  bool IsList(const Places& places, const Names& names) const;
  // Where the first of the names that is present stands, else the first name.
  std::string PathOf(const Places& places, const Names& names) const;

  // Wherever one of the names stands the value must be the same, else an error
  // names both paths; a value of another type or against the bounds is an
  // error too.
  std::optional<double> Number(const Places& places, const Names& names);
  std::optional<double> Positive(const Places& places, const Names& names);
  std::optional<int64_t> Integer(const Places& places, const Names& names,
                                 int64_t minimum, int64_t maximum);
  // A positive int, such as a number of dims or heads.
  std::optional<int> Count(const Places& places, const Names& names);
  std::optional<bool> Bool(const Places& places, const Names& names);
  std::optional<std::string> Text(const Places& places, const Names& names);
  std::optional<std::vector<double>> Numbers(const Places& places,
                                             const Names& names);
  std::optional<std::vector<int>> Integers(const Places& places,
                                           const Names& names);
  std::optional<std::vector<std::string>> Texts(const Places& places,
                                                const Names& names);

  // Counts keys as understood.
  void Ignore(const Places& places, const Names& names);
  // The paths in a place that nobody asked for and that are not null.
  std::vector<std::string> Unread(const Place& place) const;

 private:
  struct Site {
    const JsonValue* value;
    std::string path;
  };

  static std::vector<Site> Sites(const Places& places, const Names& names);
  // The value of all sites, marked and recorded; null where there is none.
  std::optional<Site> Use(const Places& places, const Names& names);
  std::optional<std::vector<Site>> UseList(const Places& places,
                                           const Names& names);
  void RejectSite(StatusCode code, const Site& site, const char* rule);
  std::optional<double> NumberAt(const Site& site);
  std::optional<int64_t> IntegerAt(const Site& site, int64_t minimum,
                                   int64_t maximum);
  std::optional<std::string> TextAt(const Site& site);

  Status status_;
  std::vector<std::string>* warnings_;
  std::vector<ConfigKey>* keys_ = nullptr;
  std::set<std::string> read_;
};

const JsonValue::Object& MembersOf(const Place& place);

// The first place that has one of the names, alone: what the text model says
// of itself comes before what the model around it says.
Places FirstWith(const KeyReader& reader, const Places& places,
                 const Names& names);

}  // namespace ropewalk::internal
