// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Typed access to what a GgufSource answers. The first error sticks, and every
// later question is answered as if the file lacked the key: a reader asks for
// all it wants and looks at status() before it uses what it got.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "ropewalk/config.h"

namespace ropewalk::internal::gguf {

enum class NumberRule : uint8_t { kFinite, kNotNegative, kPositive };

// What a callback throws becomes an error. Every call may throw std::bad_alloc.
class GgufKeys {
 public:
  // Requires: source.value. The source outlives this.
  explicit GgufKeys(const GgufSource& source) : source_(source) {}

  // Reads general.architecture, the prefix of all other names; fails without.
  std::string ReadArchitecture();

  // Integers also take floats without a fraction. A value outside [min, max]
  // is an error.
  std::optional<int64_t> Integer(std::string_view name, int64_t min,
                                 int64_t max);
  // Finite float32 magnitudes only: what is larger was no float32 either.
  std::optional<double> Number(std::string_view name, NumberRule rule);
  std::optional<std::string> String(std::string_view name);
  std::optional<bool> Flag(std::string_view name);
  // A list, or a scalar as a list of one.
  std::optional<std::vector<int64_t>> Integers(std::string_view name,
                                               int64_t min, int64_t max);
  std::optional<std::vector<double>> Numbers(std::string_view name,
                                             NumberRule rule);
  bool Has(std::string_view name);
  bool IsList(std::string_view name);
  // Positive and finite; empty where the file has none.
  std::vector<float> Divisors(std::string_view tensor);

  // The name with its prefix, for messages.
  std::string Path(std::string_view name) const;

  // Keeps the first.
  void Fail(const Status& status);
  // kParseError, or kInvalidArgument: "path = value: rule".
  void Refuse(StatusCode code, std::string_view name, std::string_view value,
              std::string_view rule);
  const Status& status() const { return status_; }
  bool ok() const { return status_.ok(); }

  // The keys that were used since the last call.
  std::vector<ConfigKey> TakeUsed();

 private:
  template <class Callback>
  std::invoke_result_t<Callback, std::string_view> Call(
      const Callback& callback, std::string_view argument);
  std::optional<GgufValue> Ask(const std::string& path);
  std::optional<GgufValue> Find(std::string_view name);
  int64_t ToInteger(std::string_view name, const GgufValue& value, int64_t min,
                    int64_t max);
  double ToNumber(std::string_view name, const GgufValue& value,
                  NumberRule rule);

  const GgufSource& source_;
  std::string prefix_;
  Status status_;
  std::vector<ConfigKey> used_;
};

// A number as short as it can be said: as the float32 it came from, if so.
std::string ShortNumber(double value);

}  // namespace ropewalk::internal::gguf
