// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "config/gguf/gguf_header.h"

#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/config.h"
#include "support/gguf_writer.h"
#include "support/guarded_buffer.h"

namespace ropewalk {
namespace {

using internal::ReadAt;
using internal::ReadGgufHeader;
using test::GgufString;
using test::GgufWriter;
using test::Little;
using test::LittleF64;

// Reads a string, and dies where the reader asks for what lies outside.
ReadAt ReadString(const std::string& bytes) {
  return [&bytes](uint64_t offset, void* out, size_t count) {
    EXPECT_LE(offset, bytes.size());
    EXPECT_LE(count, bytes.size() - offset);
    std::memcpy(out, bytes.data() + offset, count);
    return true;
  };
}

Result<GgufSource> Parse(const std::string& bytes) {
  return ReadGgufHeader(ReadString(bytes), bytes.size());
}

void ExpectError(const std::string& bytes, StatusCode code, const char* text) {
  const auto result = Parse(bytes);
  ASSERT_FALSE(result.ok()) << text;
  EXPECT_EQ(result.status().code(), code) << result.status().message();
  EXPECT_NE(std::string(result.status().message()).find(text),
            std::string::npos)
      << result.status().message();
}

template <class T>
T ValueOf(const GgufSource& source, const char* key) {
  const auto value = source.value(key);
  if (!value || !std::holds_alternative<T>(*value)) {
    ADD_FAILURE() << key << ": another type, or none";
    return T();
  }
  return std::get<T>(*value);
}

GgufWriter SmallFile() {
  GgufWriter file;
  file.String("general.architecture", "llama")
      .Uint32("llama.context_length", 131072)
      .Float32("llama.rope.freq_base", 500000.0f)
      .Strings("tokenizer.ggml.tokens",
               {"a", "", "long enough to be on a heap"})
      .Bools("llama.attention.sliding_window_pattern", {true, false})
      .TensorInfo("token_embd.weight", {64, 32}, 12, 0)
      .Tensor("rope_freqs.weight", {1.0f, 2.0f, 4.0f});
  return file;
}

TEST(GgufHeaderTest, EveryScalarTypeIsRead) {
  GgufWriter file;
  file.Raw("u8", GgufWriter::kUint8, "\xff")
      .Raw("i8", GgufWriter::kInt8, "\xff")
      .Raw("u16", GgufWriter::kUint16, "\xfe\xff")
      .Raw("i16", GgufWriter::kInt16, "\xfe\xff")
      .Raw("u32", GgufWriter::kUint32, "\xfd\xff\xff\xff")
      .Raw("i32", GgufWriter::kInt32, "\xfd\xff\xff\xff")
      .Raw("u64", GgufWriter::kUint64, Little(uint64_t{1} << 40, 8))
      .Raw("u64 past int64", GgufWriter::kUint64, Little(~uint64_t{0}, 8))
      .Raw("i64", GgufWriter::kInt64, Little(~uint64_t{3}, 8))
      .Float32("f32", 0.1f)
      .Raw("f64", GgufWriter::kFloat64, LittleF64(0.1))
      .Raw("true", GgufWriter::kBool, "\1")
      .String("text", "yarn");
  const auto source = Parse(file.Bytes());
  ASSERT_TRUE(source.ok()) << source.status().message();
  const GgufSource& keys = source.value();
  EXPECT_EQ(ValueOf<int64_t>(keys, "u8"), 255);
  EXPECT_EQ(ValueOf<int64_t>(keys, "i8"), -1);
  EXPECT_EQ(ValueOf<int64_t>(keys, "u16"), 65534);
  EXPECT_EQ(ValueOf<int64_t>(keys, "i16"), -2);
  EXPECT_EQ(ValueOf<int64_t>(keys, "u32"), 4294967293);
  EXPECT_EQ(ValueOf<int64_t>(keys, "i32"), -3);
  EXPECT_EQ(ValueOf<int64_t>(keys, "u64"), int64_t{1} << 40);
  EXPECT_EQ(ValueOf<double>(keys, "u64 past int64"), 18446744073709551616.0);
  EXPECT_EQ(ValueOf<int64_t>(keys, "i64"), -4);
  EXPECT_EQ(ValueOf<double>(keys, "f32"), double{0.1f});
  EXPECT_EQ(ValueOf<double>(keys, "f64"), 0.1);
  EXPECT_EQ(ValueOf<bool>(keys, "true"), true);
  EXPECT_EQ(ValueOf<std::string>(keys, "text"), "yarn");
  EXPECT_FALSE(keys.value("none").has_value());
}

TEST(GgufHeaderTest, ListsOfNumbersAreKeptAndListsOfTextSkipped) {
  GgufWriter file = SmallFile();
  file.Int32s("sections", {16, 24, -24, 0}).Float32s("bases", {1e4f, 5e6f});
  for (const uint32_t version : {2u, 3u}) {
    const auto source = Parse(file.Bytes(version));
    ASSERT_TRUE(source.ok()) << source.status().message();
    const GgufSource& keys = source.value();
    EXPECT_EQ(ValueOf<std::vector<int64_t>>(keys, "sections"),
              (std::vector<int64_t>{16, 24, -24, 0}));
    EXPECT_EQ(ValueOf<std::vector<double>>(keys, "bases"),
              (std::vector<double>{1e4, 5e6}));
    EXPECT_EQ(ValueOf<std::vector<int64_t>>(
                  keys, "llama.attention.sliding_window_pattern"),
              (std::vector<int64_t>{1, 0}));
    EXPECT_FALSE(keys.value("tokenizer.ggml.tokens").has_value());
    EXPECT_EQ(keys.tensor("rope_freqs.weight"),
              (std::vector<float>{1.0f, 2.0f, 4.0f}));
    EXPECT_FALSE(keys.tensor("token_embd.weight").has_value());
    EXPECT_FALSE(keys.tensor("rope_factors_long.weight").has_value());
  }
}

TEST(GgufHeaderTest, LongTextAndLongListsAreSkipped) {
  GgufWriter file;
  file.String("template", std::string(4097, 'x'))
      .String("name", std::string(4096, 'y'))
      .Array("scores", GgufWriter::kUint8, 65537, std::string(65537, '\1'))
      .Array("kept", GgufWriter::kUint8, 65536, std::string(65536, '\2'))
      .Array("huge", GgufWriter::kUint64, 2,
             Little(~uint64_t{0}, 8) + Little(5, 8))
      .Uint32("last", 7);
  const auto source = Parse(file.Bytes());
  ASSERT_TRUE(source.ok()) << source.status().message();
  const GgufSource& keys = source.value();
  EXPECT_FALSE(keys.value("template").has_value());
  EXPECT_EQ(ValueOf<std::string>(keys, "name").size(), 4096u);
  EXPECT_FALSE(keys.value("scores").has_value());
  EXPECT_EQ(ValueOf<std::vector<int64_t>>(keys, "kept").size(), 65536u);
  EXPECT_FALSE(keys.value("huge").has_value());
  EXPECT_EQ(ValueOf<int64_t>(keys, "last"), 7);
}

TEST(GgufHeaderTest, EveryTruncationIsAnErrorAndReadsNothingOutside) {
  const std::string whole = SmallFile().Bytes();
  ASSERT_TRUE(Parse(whole).ok());
  for (size_t length = 0; length < whole.size(); ++length) {
    test::GuardedBuffer bytes(length, test::GuardSide::kEnd);
    std::memcpy(bytes.data(), whole.data(), length);
    const auto read = [&](uint64_t offset, void* out, size_t count) {
      std::memcpy(out, bytes.data() + offset, count);
      return true;
    };
    const auto result = ReadGgufHeader(read, length);
    ASSERT_FALSE(result.ok()) << length;
    EXPECT_EQ(result.status().code(), StatusCode::kParseError) << length;
  }
}

TEST(GgufHeaderTest, ReadsAreBufferedAndEndAtTheFile) {
  GgufWriter file = SmallFile();
  for (int i = 0; i < 5000; ++i) file.Uint32("key " + std::to_string(i), 1);
  const std::string bytes = file.Bytes();
  int calls = 0;
  const auto read = [&](uint64_t offset, void* out, size_t count) {
    ++calls;
    EXPECT_LE(offset + count, bytes.size());
    std::memcpy(out, bytes.data() + offset, count);
    return true;
  };
  ASSERT_TRUE(ReadGgufHeader(read, bytes.size()).ok());
  // 16 KiB a call, and one more for the tensor's data.
  EXPECT_LE(calls, static_cast<int>(bytes.size() / 16384) + 2);
}

TEST(GgufHeaderTest, OtherFormatsAreNamed) {
  const GgufWriter file = SmallFile();
  ExpectError("GGML" + file.Bytes().substr(4), StatusCode::kParseError,
              "magic");
  ExpectError(file.Bytes(1), StatusCode::kUnsupported, "version = 1");
  ExpectError(file.Bytes(4), StatusCode::kUnsupported, "version = 4");
  ExpectError(file.Bytes(0x03000000), StatusCode::kUnsupported,
              "little-endian");
}

TEST(GgufHeaderTest, CountsThatTheFileCannotHoldAreErrors) {
  const GgufWriter file = SmallFile();
  const uint64_t most = std::numeric_limits<uint64_t>::max();
  ExpectError(file.BytesWithCounts(2, most), StatusCode::kParseError,
              "counts of keys and tensors");
  ExpectError(file.BytesWithCounts(most, 5), StatusCode::kParseError,
              "counts of keys and tensors");
  ExpectError(file.BytesWithCounts(2, 6), StatusCode::kParseError, "");
  EXPECT_FALSE(Parse(file.BytesWithCounts(3, 5)).ok());
}

TEST(GgufHeaderTest, LengthsThatTheFileCannotHoldAreErrors) {
  const uint64_t most = std::numeric_limits<uint64_t>::max();
  for (const uint64_t length : {most, most / 2, most / 8 + 1, uint64_t{999}}) {
    for (const uint32_t type : {GgufWriter::kUint8, GgufWriter::kFloat32,
                                GgufWriter::kFloat64, GgufWriter::kString}) {
      GgufWriter list;
      list.Array("list", type, length, std::string(64, '\0'));
      ExpectError(list.Bytes(), StatusCode::kParseError, "list");
    }
    GgufWriter text;
    text.Raw("text", GgufWriter::kString, Little(length, 8) + "abc");
    EXPECT_EQ(Parse(text.Bytes()).status().code(), StatusCode::kParseError);
    GgufWriter texts;
    texts.Array("texts", GgufWriter::kString, 1, Little(length, 8) + "abc");
    EXPECT_EQ(Parse(texts.Bytes()).status().code(), StatusCode::kParseError);
    const std::string key = "GGUF" + Little(3, 4) + Little(0, 8) +
                            Little(1, 8) + Little(length, 8) +
                            std::string(64, 'k');
    EXPECT_EQ(Parse(key).status().code(), StatusCode::kParseError);
  }
}

TEST(GgufHeaderTest, WhatComesTwiceIsAnError) {
  ExpectError(GgufWriter().Uint32("key", 1).Uint32("key", 1).Bytes(),
              StatusCode::kParseError, "key: must not come twice");
  ExpectError(GgufWriter().Strings("list", {"a"}).Uint32("list", 1).Bytes(),
              StatusCode::kParseError, "list: must not come twice");
  ExpectError(GgufWriter()
                  .Tensor("rope_freqs.weight", {1.0f})
                  .Tensor("rope_freqs.weight", {1.0f})
                  .Bytes(),
              StatusCode::kParseError, "rope_freqs.weight: must not come");
}

TEST(GgufHeaderTest, UnknownTypesAndNestedListsAreErrors) {
  ExpectError(GgufWriter().Raw("key", 13, "\1").Bytes(),
              StatusCode::kParseError, "key: must be of a known type");
  ExpectError(GgufWriter().Array("key", 13, 1, "\1").Bytes(),
              StatusCode::kParseError, "key: must be a list of scalars");
  ExpectError(GgufWriter().Array("key", GgufWriter::kArray, 0, "").Bytes(),
              StatusCode::kParseError, "key: must be a list of scalars");
  ExpectError(GgufWriter().Raw("key", GgufWriter::kBool, "\2").Bytes(),
              StatusCode::kParseError, "key: must be 0 or 1");
}

TEST(GgufHeaderTest, AlignmentMovesTheData) {
  for (const uint32_t alignment : {1u, 32u, 64u, 4096u}) {
    GgufWriter file = SmallFile();
    file.Uint32("general.alignment", alignment);
    const auto source = Parse(file.Bytes(3, alignment));
    ASSERT_TRUE(source.ok()) << source.status().message();
    EXPECT_EQ(source.value().tensor("rope_freqs.weight"),
              (std::vector<float>{1.0f, 2.0f, 4.0f}))
        << alignment;
  }
}

TEST(GgufHeaderTest, AlignmentsThatAreNoPowerOfTwoAreErrors) {
  for (const uint32_t alignment : {0u, 3u, 48u}) {
    GgufWriter file = SmallFile();
    file.Uint32("general.alignment", alignment);
    ExpectError(file.Bytes(), StatusCode::kParseError, "general.alignment");
  }
  ExpectError(SmallFile().String("general.alignment", "32").Bytes(),
              StatusCode::kParseError, "general.alignment");
  GgufWriter odd = SmallFile();
  odd.TensorInfo("rope_factors_long.weight", {1}, 0, 4);
  ExpectError(odd.Bytes(), StatusCode::kParseError, "general.alignment");
}

TEST(GgufHeaderTest, TensorsOfDivisorsMustBeFloat32ListsInsideTheFile) {
  const char* const kName = "rope_freqs.weight";
  const auto file = [&](const std::vector<uint64_t>& dims, uint32_t type,
                        uint64_t offset) {
    return GgufWriter()
        .TensorInfo(kName, dims, type, offset)
        .Tensor("other", std::vector<float>(8))
        .Bytes();
  };
  EXPECT_TRUE(Parse(file({8}, 0, 0)).ok());
  ExpectError(file({8}, 1, 0), StatusCode::kParseError, "float32 tensor");
  ExpectError(file({8, 1}, 0, 0), StatusCode::kParseError, "one dimension");
  ExpectError(file({}, 0, 0), StatusCode::kParseError, "one dimension");
  ExpectError(file({1, 1, 1, 1, 1}, 0, 0), StatusCode::kParseError,
              "4 dimensions");
  ExpectError(file({9}, 0, 0), StatusCode::kParseError, "inside the file");
  ExpectError(file({65537}, 0, 0), StatusCode::kParseError, "65536");
  ExpectError(file({~uint64_t{0}}, 0, 0), StatusCode::kParseError, "65536");
  ExpectError(file({8}, 0, 32), StatusCode::kParseError, "inside the file");
  ExpectError(file({8}, 0, ~uint64_t{31}), StatusCode::kParseError, "byte");
}

TEST(GgufHeaderTest, KeptBytesAreBounded) {
  GgufWriter file;
  const std::string bytes(65536 * 8, '\0');
  for (int i = 0; i < 33; ++i) {
    file.Array("list " + std::to_string(i), GgufWriter::kInt64, 65536, bytes);
  }
  ExpectError(file.Bytes(), StatusCode::kOutOfRange, "too much to keep");
}

TEST(GgufHeaderTest, FailuresOfTheCallbackAreErrors) {
  EXPECT_EQ(ReadGgufHeader(nullptr, 100).status().code(),
            StatusCode::kInvalidArgument);
  const auto refuses = [](uint64_t, void*, size_t) { return false; };
  EXPECT_EQ(ReadGgufHeader(refuses, 100).status().code(),
            StatusCode::kParseError);
  const auto throws = [](uint64_t, void*, size_t) -> bool {
    throw std::runtime_error("disk");
  };
  EXPECT_EQ(ReadGgufHeader(throws, 100).status().code(),
            StatusCode::kParseError);
  const auto starves = [](uint64_t, void*, size_t) -> bool {
    throw std::bad_alloc();
  };
  EXPECT_EQ(ReadGgufHeader(starves, 100).status().code(),
            StatusCode::kOutOfMemory);
}

}  // namespace
}  // namespace ropewalk
