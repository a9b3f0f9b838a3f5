// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the bytes of small GGUF files, for tests and for the fuzzer's corpus.
// Includes nothing of the library, and checks nothing: a test may want what
// breaks the format.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ropewalk::test {

class GgufWriter {
 public:
  // The type numbers of the format.
  enum Type : uint32_t {
    kUint8 = 0,
    kInt8 = 1,
    kUint16 = 2,
    kInt16 = 3,
    kUint32 = 4,
    kInt32 = 5,
    kFloat32 = 6,
    kBool = 7,
    kString = 8,
    kArray = 9,
    kUint64 = 10,
    kInt64 = 11,
    kFloat64 = 12,
  };

  // A key whose value is these bytes.
  GgufWriter& Raw(std::string_view key, uint32_t type, std::string_view bytes);
  GgufWriter& Uint32(std::string_view key, uint32_t value);
  GgufWriter& Float32(std::string_view key, float value);
  GgufWriter& String(std::string_view key, std::string_view value);
  GgufWriter& Array(std::string_view key, uint32_t type, uint64_t count,
                    std::string_view bytes);
  GgufWriter& Float32s(std::string_view key, const std::vector<float>& list);
  GgufWriter& Int32s(std::string_view key, const std::vector<int32_t>& list);
  GgufWriter& Bools(std::string_view key, const std::vector<bool>& list);
  GgufWriter& Strings(std::string_view key,
                      const std::vector<std::string>& list);
  // A float32 tensor of one dimension.
  GgufWriter& Tensor(std::string_view name, const std::vector<float>& data);
  // Only the description of one.
  GgufWriter& TensorInfo(std::string_view name,
                         const std::vector<uint64_t>& dims, uint32_t type,
                         uint64_t offset);

  // The file, with the counts of what was added; the data begin at a multiple
  // of alignment.
  std::string Bytes(uint32_t version = 3, uint64_t alignment = 32) const;
  // The file with other counts.
  std::string BytesWithCounts(uint64_t tensors, uint64_t keys,
                              uint32_t version = 3,
                              uint64_t alignment = 32) const;

 private:
  uint64_t keys_ = 0;
  uint64_t tensors_ = 0;
  std::string key_bytes_;
  std::string tensor_bytes_;
  std::string data_;
};

// The bytes of a value, little-endian.
std::string Little(uint64_t value, int bytes);
std::string LittleF32(float value);
std::string LittleF64(double value);
// A length, then the text.
std::string GgufString(std::string_view text);

}  // namespace ropewalk::test
