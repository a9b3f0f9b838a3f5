// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory of models: every allocation of their readers is refused once, and
// nothing leaks; getters allocate nothing. An executable of its own: it
// replaces operator new.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "c_api/c_model.h"
#include "config/model_expectations.h"
#include "gtest/gtest.h"
#include "ropewalk/ropewalk_c.h"
#include "support/operator_new.h"

namespace ropewalk::test {
namespace {

using Reader =
    std::function<ropewalk_status(ropewalk_model**, ropewalk_error*)>;

// Restores what refuses, whatever happens.
class RefusedAt {
 public:
  explicit RefusedAt(int64_t number) {
    allocations = 0;
    refused_at = number;
  }
  ~RefusedAt() { refused_at = INT64_MAX; }
};

// Refuses the request of that number. Returns how many there were.
int64_t ReadWith(const Reader& read, int64_t number, ropewalk_status* status) {
  ropewalk_error error = ROPEWALK_ERROR_INIT;
  ropewalk_model* model = Leftover();
  const int64_t held = alive;
  int64_t asked = 0;
  {
    const RefusedAt refused(number);
    *status = read(&model, &error);
    asked = allocations;
  }
  EXPECT_EQ(error.code, *status) << error.message;
  if (*status == ROPEWALK_OK) {
    ropewalk_model_destroy(model);
  } else {
    EXPECT_EQ(model, nullptr);
  }
  EXPECT_EQ(alive, held) << number;
  return asked;
}

void ExpectOutOfMemoryWhereverItHappens(const Reader& read) {
  ropewalk_status status = ROPEWALK_OK;
  const int64_t all = ReadWith(read, INT64_MAX, &status);
  ASSERT_EQ(status, ROPEWALK_OK);
  EXPECT_GT(all, 100);
  for (int64_t number = 1; number <= all; ++number) {
    ReadWith(read, number, &status);
    ASSERT_EQ(status, ROPEWALK_OUT_OF_MEMORY) << number << " of " << all;
  }
  ReadWith(read, all + 1, &status);
  EXPECT_EQ(status, ROPEWALK_OK);
}

std::string TextOf(const std::string& name) {
  for (const ExpectedModel& file : ReadExpectedModels()) {
    if (file.name == name) return file.text;
  }
  ADD_FAILURE() << name << ": no such file";
  return "";
}

TEST(CModelAllocationsTest, EveryAllocationOfTheJsonReaderMayFail) {
  // With vision and multimodal rules; with several kinds of layers and
  // warnings; with lists.
  for (const char* const name :
       {"qwen2.5-vl-7b", "gemma-3-4b", "phi-3.5-moe"}) {
    SCOPED_TRACE(name);
    const std::string text = TextOf(name);
    ExpectOutOfMemoryWhereverItHappens(
        [&text](ropewalk_model** model, ropewalk_error* error) {
          return ropewalk_parse_huggingface_config(text.data(), text.size(),
                                                   nullptr, model, error);
        });
  }
}

// A host in C that answers without an allocation of its own.
int32_t Answer(void*, const char* key, ropewalk_gguf_value* value) {
  static const int64_t sections[] = {16, 24, 24, 0};
  const std::string_view name(key);
  value->kind = ROPEWALK_GGUF_INTEGER;
  if (name == "general.architecture") {
    value->kind = ROPEWALK_GGUF_STRING;
    value->string = "qwen2vl";
  } else if (name == "qwen2vl.rope.dimension_sections") {
    value->kind = ROPEWALK_GGUF_INTEGERS;
    value->integers = sections;
    value->count = 4;
  } else if (name == "qwen2vl.attention.key_length") {
    value->integer = 128;
  } else if (name == "qwen2vl.context_length") {
    value->integer = 32768;
  } else {
    return 0;
  }
  return 1;
}

int32_t Divisors(void* context, const char* name, const float** data,
                 int64_t* count) {
  const auto& divisors = *static_cast<const std::vector<float>*>(context);
  *data = divisors.data();
  *count = static_cast<int64_t>(divisors.size());
  return std::string_view(name) == "rope_freqs.weight" ? 1 : 0;
}

TEST(CModelAllocationsTest, EveryAllocationOfTheGgufReaderMayFail) {
  std::vector<float> divisors(64, 2.0f);
  ropewalk_gguf_source source = ROPEWALK_GGUF_SOURCE_INIT;
  source.context = &divisors;
  source.value = &Answer;
  source.tensor = &Divisors;
  ExpectOutOfMemoryWhereverItHappens(
      [&source](ropewalk_model** model, ropewalk_error* error) {
        return ropewalk_read_gguf_metadata(&source, nullptr, model, error);
      });
}

TEST(CModelAllocationsTest, GettersAllocateNothing) {
  const CModel model = ParseInC(TextOf("qwen2.5-vl-7b"));
  ropewalk_error error = ROPEWALK_ERROR_INIT;
  ropewalk_model_info info = ROPEWALK_MODEL_INFO_INIT;
  ropewalk_layer_rope layer = ROPEWALK_LAYER_ROPE_INIT;
  ropewalk_vision_rope vision = ROPEWALK_VISION_ROPE_INIT;
  ropewalk_patch_grid grid = ROPEWALK_PATCH_GRID_INIT;
  const ropewalk_model* const m = model.get();
  allocations = 0;
  const ropewalk_status statuses[] = {
      ropewalk_model_get_info(m, &info, &error),
      ropewalk_model_layer_type(m, 0, &layer, &error),
      ropewalk_model_find_layer_type(m, "all", &layer, &error),
      ropewalk_model_vision(m, &vision, &error),
      ropewalk_model_patch_grid(m, 4, 4, &grid, &error)};
  const ropewalk_status refused =
      ropewalk_model_layer_type(m, 1, &layer, &error);
  EXPECT_EQ(allocations, 0);
  for (const ropewalk_status status : statuses) {
    EXPECT_EQ(status, ROPEWALK_OK);
  }
  EXPECT_EQ(refused, ROPEWALK_OUT_OF_RANGE);
}

}  // namespace
}  // namespace ropewalk::test
