// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Callers that were compiled with older or newer headers: what a model says is
// written to the struct_size that they set, and no byte further.
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#include "c_api/c_model.h"
#include "config/model_expectations.h"
#include "gtest/gtest.h"
#include "ropewalk/ropewalk_c.h"

namespace ropewalk::test {
namespace {

constexpr unsigned char kUntouched = 0xA5;
constexpr uint32_t kBehind = 64;

// A model with everything.
const ropewalk_model* Model() {
  static const CModel model = [] {
    for (const ExpectedModel& file : ReadExpectedModels()) {
      if (file.name == "qwen2.5-vl-7b") return ParseInC(file.text);
    }
    ADD_FAILURE() << "qwen2.5-vl-7b: no such file";
    return CModel();
  }();
  return model.get();
}

template <class T>
using Get = std::function<ropewalk_status(T* out, ropewalk_error* error)>;

// Bytes in which a T of struct_size `size` was written, or refused.
template <class T>
std::vector<unsigned char> Written(const Get<T>& get, uint32_t size,
                                   ropewalk_status want) {
  std::vector<unsigned char> bytes(
      sizeof(T) + (size <= 1024 ? size : 0) + kBehind, kUntouched);
  auto* const out = reinterpret_cast<T*>(bytes.data());
  out->struct_size = size;
  ropewalk_error error = ROPEWALK_ERROR_INIT;
  EXPECT_EQ(get(out, &error), want) << error.message;
  EXPECT_EQ(out->struct_size, size);
  return bytes;
}

template <class T>
void ExpectRefused(const Get<T>& get, uint32_t size) {
  SCOPED_TRACE(size);
  auto bytes = Written<T>(get, size, ROPEWALK_INVALID_ARGUMENT);
  for (size_t i = sizeof(uint32_t); i < bytes.size(); ++i) {
    ASSERT_EQ(bytes[i], kUntouched) << "byte " << i;
  }
}

template <class T>
void ExpectSizes(const Get<T>& get) {
  for (const uint32_t size :
       {uint32_t{0}, uint32_t{4}, uint32_t{sizeof(T)} - 8,
        uint32_t{sizeof(T)} - 1, uint32_t{sizeof(T)} + 1, 1032u, UINT32_MAX}) {
    ExpectRefused(get, size);
  }
  const auto own = Written<T>(get, sizeof(T), ROPEWALK_OK);
  for (const uint32_t size :
       {uint32_t{sizeof(T)}, uint32_t{sizeof(T)} + 24, 1024u}) {
    SCOPED_TRACE(size);
    const auto bytes = Written<T>(get, size, ROPEWALK_OK);
    EXPECT_EQ(std::memcmp(bytes.data() + sizeof(uint32_t),
                          own.data() + sizeof(uint32_t),
                          sizeof(T) - sizeof(uint32_t)),
              0);
    for (size_t i = sizeof(T); i < bytes.size(); ++i) {
      ASSERT_EQ(bytes[i], kUntouched) << "byte " << i;
    }
  }
}

TEST(CModelSizesTest, InfoIsWrittenToTheSizeOfItsCaller) {
  ExpectSizes<ropewalk_model_info>([](auto* out, auto* error) {
    return ropewalk_model_get_info(Model(), out, error);
  });
}

TEST(CModelSizesTest, LayersAreWrittenToTheSizeOfTheirCaller) {
  ExpectSizes<ropewalk_layer_rope>([](auto* out, auto* error) {
    return ropewalk_model_layer_type(Model(), 0, out, error);
  });
  ExpectSizes<ropewalk_layer_rope>([](auto* out, auto* error) {
    return ropewalk_model_find_layer_type(Model(), "all", out, error);
  });
}

TEST(CModelSizesTest, VisionIsWrittenToTheSizeOfItsCaller) {
  ExpectSizes<ropewalk_vision_rope>([](auto* out, auto* error) {
    return ropewalk_model_vision(Model(), out, error);
  });
  ExpectSizes<ropewalk_patch_grid>([](auto* out, auto* error) {
    return ropewalk_model_patch_grid(Model(), 4, 4, out, error);
  });
}

}  // namespace
}  // namespace ropewalk::test
