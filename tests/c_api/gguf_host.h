// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A host in C that answers from Metadata, as short-lived as it may: with each
// question, what it pointed to before is overwritten.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "c_api/c_model.h"
#include "config/gguf_metadata.h"
#include "gtest/gtest.h"
#include "ropewalk/ropewalk_c.h"

namespace ropewalk::test {

class GgufHost {
 public:
  // Borrows the metadata.
  explicit GgufHost(const Metadata& metadata) : metadata_(metadata) {}

  // What is answered instead where `name`, a key or a tensor, is asked for.
  std::string name;
  std::function<int32_t(ropewalk_gguf_value*)> value_answer;
  std::function<int32_t(const float**, int64_t*)> tensor_answer;

  // Questions so far, and those after `name`.
  int asked() const { return asked_; }
  int asked_after() const { return asked_after_; }

  ropewalk_status Read(const ropewalk_config_options* options, CModel* model,
                       ropewalk_error* error) {
    ropewalk_gguf_source source = ROPEWALK_GGUF_SOURCE_INIT;
    source.context = this;
    source.value = &Value;
    source.tensor = &Tensor;
    ropewalk_model* read = Leftover();
    const ropewalk_status status =
        ropewalk_read_gguf_metadata(&source, options, &read, error);
    Overwrite();
    if (status != ROPEWALK_OK) {
      EXPECT_EQ(read, nullptr);
    }
    model->reset(read);
    return status;
  }

 private:
  static GgufHost* Asked(void* context) {
    auto* const host = static_cast<GgufHost*>(context);
    ++host->asked_;
    if (host->answered_) ++host->asked_after_;
    host->Overwrite();
    return host;
  }

  static int32_t Value(void* context, const char* key,
                       ropewalk_gguf_value* value) {
    GgufHost* const host = Asked(context);
    EXPECT_EQ(value->struct_size, sizeof(*value));
    if (host->value_answer && key == host->name) {
      host->answered_ = true;
      return host->value_answer(value);
    }
    // Set anew before each question.
    value->struct_size = 0;
    const auto found = host->metadata_.values.find(key);
    if (found == host->metadata_.values.end()) return 0;
    host->value_ = found->second;
    std::visit([value](const auto& held) { Answer(held, value); },
               host->value_);
    return 1;
  }

  static int32_t Tensor(void* context, const char* name, const float** data,
                        int64_t* count) {
    GgufHost* const host = Asked(context);
    if (host->tensor_answer && name == host->name) {
      host->answered_ = true;
      return host->tensor_answer(data, count);
    }
    const auto found = host->metadata_.tensors.find(name);
    if (found == host->metadata_.tensors.end()) return 0;
    host->tensor_ = found->second;
    *data = host->tensor_.data();
    *count = static_cast<int64_t>(host->tensor_.size());
    return 1;
  }

  static void Answer(bool held, ropewalk_gguf_value* value) {
    value->kind = ROPEWALK_GGUF_BOOL;
    value->integer = held ? 1 : 0;
  }
  static void Answer(int64_t held, ropewalk_gguf_value* value) {
    value->kind = ROPEWALK_GGUF_INTEGER;
    value->integer = held;
  }
  static void Answer(double held, ropewalk_gguf_value* value) {
    value->kind = ROPEWALK_GGUF_REAL;
    value->real = held;
  }
  static void Answer(const std::string& held, ropewalk_gguf_value* value) {
    value->kind = ROPEWALK_GGUF_STRING;
    value->string = held.c_str();
  }
  static void Answer(const std::vector<int64_t>& held,
                     ropewalk_gguf_value* value) {
    value->kind = ROPEWALK_GGUF_INTEGERS;
    value->integers = held.data();
    value->count = static_cast<int64_t>(held.size());
  }
  static void Answer(const std::vector<double>& held,
                     ropewalk_gguf_value* value) {
    value->kind = ROPEWALK_GGUF_REALS;
    value->reals = held.data();
    value->count = static_cast<int64_t>(held.size());
  }

  void Overwrite() {
    if (auto* text = std::get_if<std::string>(&value_)) {
      text->assign(text->size(), '?');
    } else if (auto* integers = std::get_if<std::vector<int64_t>>(&value_)) {
      integers->assign(integers->size(), -7);
    } else if (auto* reals = std::get_if<std::vector<double>>(&value_)) {
      reals->assign(reals->size(), -7);
    }
    tensor_.assign(tensor_.size(), -7);
  }

  const Metadata& metadata_;
  GgufValue value_;
  std::vector<float> tensor_;
  int asked_ = 0;
  int asked_after_ = 0;
  bool answered_ = false;
};

}  // namespace ropewalk::test
