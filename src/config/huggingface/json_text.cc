// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "config/huggingface/json_text.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "nlohmann/json.hpp"
#include "status/error.h"

namespace ropewalk::internal {
namespace {

// Receives the events of nlohmann's parser, which decides the names of the
// methods; false ends the parse.
class TreeBuilder {
 public:
  // quoted: where QuoteNonFinite put its quotes, ascending.
  explicit TreeBuilder(const std::vector<size_t>& quoted) : quoted_(quoted) {}

  const Status& status() const { return status_; }
  JsonValue TakeRoot() { return std::move(root_); }

  bool null() { return Put({}); }
  bool boolean(bool value) { return Put({value}); }
  bool number_integer(int64_t value) { return Put({value}); }
  bool number_unsigned(uint64_t value) {
    if (value > uint64_t{INT64_MAX}) return Put({static_cast<double>(value)});
    return Put({static_cast<int64_t>(value)});
  }
  bool number_float(double value, const std::string&) { return Put({value}); }
  bool string(std::string& value) { return Put({std::move(value)}); }
  bool binary(nlohmann::json::binary_t&) { return false; }  // Not in texts.
  bool start_object(size_t) { return Open({JsonValue::Object()}); }
  bool start_array(size_t) { return Open({JsonValue::Array()}); }
  bool end_array() { return Close(); }
  bool end_object() {
    auto& object = std::get<JsonValue::Object>(open_.back().value.data);
    return SortMembers(&object) && Close();
  }

  bool key(std::string& name) {
    open_.back().key = std::move(name);
    return true;
  }

  bool parse_error(size_t position, const std::string&,
                   const nlohmann::detail::exception&) {
    // Of the text as it was given.
    const auto added =
        std::lower_bound(quoted_.begin(), quoted_.end(), position);
    status_ = Error(StatusCode::kParseError, "config: not JSON at byte %zu",
                    position - static_cast<size_t>(added - quoted_.begin()));
    return false;
  }

 private:
  struct Container {
    JsonValue value;
    std::string key;  // Of the entry that is being read.
  };

  bool Open(JsonValue container) {
    if (open_.size() >= kMaxJsonDepth) {
      status_ = Error(StatusCode::kParseError,
                      "config: nested more than %d deep", kMaxJsonDepth);
      return false;
    }
    open_.push_back({std::move(container), std::string()});
    return true;
  }

  bool Close() {
    JsonValue value = std::move(open_.back().value);
    open_.pop_back();
    return Put(std::move(value));
  }

  bool Put(JsonValue value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return true;
    }
    Container& parent = open_.back();
    if (auto* array = std::get_if<JsonValue::Array>(&parent.value.data)) {
      array->push_back(std::move(value));
    } else {
      std::get<JsonValue::Object>(parent.value.data)
          .push_back({std::move(parent.key), std::move(value)});
    }
    return true;
  }

  bool SortMembers(JsonValue::Object* object) {
    std::sort(object->begin(), object->end(),
              [](const JsonMember& a, const JsonMember& b) {
                return a.name < b.name;
              });
    const auto same_name = [](const JsonMember& a, const JsonMember& b) {
      return a.name == b.name;
    };
    auto next = object->begin();
    while ((next = std::adjacent_find(next, object->end(), same_name)) !=
           object->end()) {
      if (next->value != std::next(next)->value) {
        status_ = Error(StatusCode::kParseError,
                        "%s: stands twice in one object, with different values",
                        next->name.c_str());
        return false;
      }
      ++next;
    }
    object->erase(std::unique(object->begin(), object->end(), same_name),
                  object->end());
    return true;
  }

  const std::vector<size_t>& quoted_;
  std::vector<Container> open_;
  JsonValue root_;
  Status status_;
};

// The length of the token of a number that is not finite at the start of the
// text, if a value may end there; else 0.
size_t NonFiniteToken(std::string_view text) {
  for (const std::string_view token : {"NaN", "Infinity", "-Infinity"}) {
    if (text.substr(0, token.size()) != token) continue;
    const size_t next = text.find_first_not_of(" \t\r\n", token.size());
    const bool ends =
        next != std::string_view::npos &&
        (text[next] == ',' || text[next] == ']' || text[next] == '}');
    return ends ? token.size() : 0;
  }
  return 0;
}

// Python writes numbers that JSON does not have. As strings they are harmless
// where nobody asks ("time_step_limit": [0.0, Infinity]), and the wrong type
// where a number is wanted. What is not JSON otherwise is not JSON after it.
std::string QuoteNonFinite(std::string_view text, std::vector<size_t>* quoted) {
  std::string result;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const size_t length = in_string ? 0 : NonFiniteToken(text.substr(i));
    if (length != 0) {
      quoted->push_back(result.size());
      result.append("\"").append(text.substr(i, length)).append("\"");
      quoted->push_back(result.size() - 1);
      i += length - 1;
      continue;
    }
    if (text[i] == '"') in_string = !in_string;
    if (in_string && text[i] == '\\' && i + 1 < text.size()) {
      result += text[i++];
    }
    result += text[i];
  }
  return result;
}

}  // namespace

Status ParseJsonObject(std::string_view text, JsonValue* object) {
  if (text.size() > kMaxConfigBytes) {
    return Error(StatusCode::kParseError,
                 "config of %zu bytes: must have at most %zu", text.size(),
                 kMaxConfigBytes);
  }
  // nlohmann's parser would take a null byte for the end.
  const size_t null_byte = text.find('\0');
  if (null_byte != std::string_view::npos) {
    return Error(StatusCode::kParseError, "config: not JSON at byte %zu",
                 null_byte + 1);
  }
  std::string copy;
  std::vector<size_t> quoted;
  if (text.find("NaN") != std::string_view::npos ||
      text.find("Infinity") != std::string_view::npos) {
    copy = QuoteNonFinite(text, &quoted);
    text = copy;
  }
  TreeBuilder builder(quoted);
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  ROPEWALK_RETURN_IF_ERROR(builder.status());
  *object = builder.TakeRoot();
  if (object->Get<JsonValue::Object>()) return Status();
  return Error(StatusCode::kParseError, "config: must be a JSON object");
}

}  // namespace ropewalk::internal
