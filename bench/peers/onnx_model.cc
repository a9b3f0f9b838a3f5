// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Field numbers are those of onnx.proto, which never change.
#include "bench/peers/onnx_model.h"

#include <cstdint>
#include <string_view>

namespace ropewalk::bench {
namespace {

constexpr uint64_t kFloat = 1;  // TensorProto.DataType
constexpr uint64_t kInt64 = 7;
constexpr uint64_t kFloat16 = 10;
constexpr uint64_t kInt = 2;  // AttributeProto.AttributeType

std::string Varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) {
    bytes += static_cast<char>(0x80 | (value & 0x7F));
  }
  return bytes + static_cast<char>(value);
}

// protobuf's two wire types that are needed here: 0 and 2.
std::string Number(uint64_t field, uint64_t value) {
  return Varint(field << 3) + Varint(value);
}

std::string Bytes(uint64_t field, std::string_view bytes) {
  return Varint(field << 3 | 2) + Varint(bytes.size()) + std::string(bytes);
}

// TensorShapeProto.Dimension: of a size, or of a name for any size.
std::string Dim(uint64_t size) { return Bytes(1, Number(1, size)); }
std::string Dim(const char* name) { return Bytes(1, Bytes(2, name)); }

std::string ValueInfo(const char* name, uint64_t type,
                      const std::string& shape) {
  const std::string tensor = Number(1, type) + Bytes(2, shape);
  return Bytes(1, name) + Bytes(2, Bytes(1, tensor));
}

std::string Node(Pairing pairing) {
  const std::string interleaved =
      Bytes(1, "interleaved") +
      Number(3, pairing == Pairing::kInterleaved ? 1 : 0) + Number(20, kInt);
  return Bytes(1, "x") + Bytes(1, "pos") + Bytes(1, "cos") + Bytes(1, "sin") +
         Bytes(2, "y") + Bytes(4, "RotaryEmbedding") + Bytes(5, interleaved) +
         Bytes(7, "com.microsoft");
}

std::string OperatorSet(const char* domain, uint64_t version) {
  return Bytes(1, domain) + Number(2, version);
}

}  // namespace

std::string RotaryEmbeddingModel(DataType type, Pairing pairing, int pairs) {
  const uint64_t element = type == DataType::kF32 ? kFloat : kFloat16;
  const std::string heads = Dim(1) + Dim("tokens") + Dim("hidden");
  const std::string table =
      Dim("positions") + Dim(static_cast<uint64_t>(pairs));
  const std::string graph =
      Bytes(1, Node(pairing)) + Bytes(2, "rope") +
      Bytes(11, ValueInfo("x", element, heads)) +
      Bytes(11, ValueInfo("pos", kInt64, Dim(1) + Dim("tokens"))) +
      Bytes(11, ValueInfo("cos", element, table)) +
      Bytes(11, ValueInfo("sin", element, table)) +
      Bytes(12, ValueInfo("y", element, heads));
  // IR version 8 is that of operator set 17.
  return Number(1, 8) + Bytes(7, graph) + Bytes(8, OperatorSet("", 17)) +
         Bytes(8, OperatorSet("com.microsoft", 1));
}

}  // namespace ropewalk::bench
