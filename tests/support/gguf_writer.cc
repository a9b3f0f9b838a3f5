// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "support/gguf_writer.h"

#include <cstring>

namespace ropewalk::test {
namespace {

// Of tensor data; what general.alignment defaults to.
constexpr size_t kTensorAlignment = 32;

void PadTo(size_t alignment, std::string* bytes) {
  while (bytes->size() % alignment != 0) bytes->push_back('\0');
}

}  // namespace

std::string Little(uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) {
    text.push_back(static_cast<char>(value >> (8 * i) & 0xff));
  }
  return text;
}

std::string LittleF32(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return Little(bits, 4);
}

std::string LittleF64(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return Little(bits, 8);
}

std::string GgufString(std::string_view text) {
  return Little(text.size(), 8) + std::string(text);
}

GgufWriter& GgufWriter::Raw(std::string_view key, uint32_t type,
                            std::string_view bytes) {
  ++keys_;
  key_bytes_ += GgufString(key) + Little(type, 4) + std::string(bytes);
  return *this;
}

GgufWriter& GgufWriter::Uint32(std::string_view key, uint32_t value) {
  return Raw(key, kUint32, Little(value, 4));
}

GgufWriter& GgufWriter::Float32(std::string_view key, float value) {
  return Raw(key, kFloat32, LittleF32(value));
}

GgufWriter& GgufWriter::String(std::string_view key, std::string_view value) {
  return Raw(key, kString, GgufString(value));
}

GgufWriter& GgufWriter::Array(std::string_view key, uint32_t type,
                              uint64_t count, std::string_view bytes) {
  return Raw(key, kArray,
             Little(type, 4) + Little(count, 8) + std::string(bytes));
}

GgufWriter& GgufWriter::Float32s(std::string_view key,
                                 const std::vector<float>& list) {
  std::string bytes;
  for (const float entry : list) bytes += LittleF32(entry);
  return Array(key, kFloat32, list.size(), bytes);
}

GgufWriter& GgufWriter::Int32s(std::string_view key,
                               const std::vector<int32_t>& list) {
  std::string bytes;
  for (const int32_t entry : list) {
    bytes += Little(static_cast<uint32_t>(entry), 4);
  }
  return Array(key, kInt32, list.size(), bytes);
}

GgufWriter& GgufWriter::Bools(std::string_view key,
                              const std::vector<bool>& list) {
  std::string bytes;
  for (const bool entry : list) bytes.push_back(entry ? '\1' : '\0');
  return Array(key, kBool, list.size(), bytes);
}

GgufWriter& GgufWriter::Strings(std::string_view key,
                                const std::vector<std::string>& list) {
  std::string bytes;
  for (const std::string& entry : list) bytes += GgufString(entry);
  return Array(key, kString, list.size(), bytes);
}

GgufWriter& GgufWriter::Tensor(std::string_view name,
                               const std::vector<float>& data) {
  PadTo(kTensorAlignment, &data_);
  TensorInfo(name, {data.size()}, 0, data_.size());
  for (const float entry : data) data_ += LittleF32(entry);
  return *this;
}

GgufWriter& GgufWriter::TensorInfo(std::string_view name,
                                   const std::vector<uint64_t>& dims,
                                   uint32_t type, uint64_t offset) {
  ++tensors_;
  tensor_bytes_ += GgufString(name) + Little(dims.size(), 4);
  for (const uint64_t dim : dims) tensor_bytes_ += Little(dim, 8);
  tensor_bytes_ += Little(type, 4) + Little(offset, 8);
  return *this;
}

std::string GgufWriter::Bytes(uint32_t version, uint64_t alignment) const {
  return BytesWithCounts(tensors_, keys_, version, alignment);
}

std::string GgufWriter::BytesWithCounts(uint64_t tensors, uint64_t keys,
                                        uint32_t version,
                                        uint64_t alignment) const {
  std::string bytes = "GGUF" + Little(version, 4) + Little(tensors, 8) +
                      Little(keys, 8) + key_bytes_ + tensor_bytes_;
  if (!data_.empty()) PadTo(static_cast<size_t>(alignment), &bytes);
  return bytes + data_;
}

}  // namespace ropewalk::test
