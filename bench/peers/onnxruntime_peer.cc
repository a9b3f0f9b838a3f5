// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// ONNX Runtime's rotation beside ours, out of place as its operator is: a
// session of one node whose tensors are bound once. Its angles come from a
// table of cos and sin, which this library exports.
#include <onnxruntime_cxx_api.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "bench/pair_benchmark.h"
#include "bench/peers/onnx_model.h"
#include "bench/peers/peer_step.h"

namespace ropewalk::bench {
namespace {

constexpr int64_t kRows = kPeerFirstPosition + kPeerMostTokens;

ONNXTensorElementDataType TypeOf(DataType type) {
  return type == DataType::kF32 ? ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT
                                : ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16;
}

template <size_t kDims>
Ort::Value Tensor(void* data, int64_t bytes,
                  const std::array<int64_t, kDims>& shape,
                  ONNXTensorElementDataType type) {
  const Ort::MemoryInfo memory =
      Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault);
  return Ort::Value::CreateTensor(memory, data, static_cast<size_t>(bytes),
                                  shape.data(), kDims, type);
}

Ort::Session MakeSession(const Ort::Env& env, const PeerCase& peer_case) {
  Ort::SessionOptions options;
  options.SetIntraOpNumThreads(1);
  options.SetInterOpNumThreads(1);
  const std::string model =
      RotaryEmbeddingModel(peer_case.type, peer_case.pairing, kPeerPairs);
  return Ort::Session(env, model.data(), model.size(), options);
}

class OnnxStep {
 public:
  OnnxStep(const Ort::Env& env, const PeerCase& peer_case)
      : session_(MakeSession(env, peer_case)),
        binding_(session_),
        in_(peer_case.Bytes()),
        out_(peer_case.Bytes()),
        cos_(TableBytes(peer_case)),
        sin_(TableBytes(peer_case)) {
    WritePeerInput(peer_case, in_.data());
    ExportTable(peer_case);
    for (int64_t t = 0; t < peer_case.tokens; ++t) {
      positions_.push_back(kPeerFirstPosition + t);
    }
    Bind(peer_case);
  }

  void Turn() { session_.Run(run_options_, binding_); }
  const void* out() { return out_.data(); }

 private:
  static int64_t TableBytes(const PeerCase& peer_case) {
    return kRows * kPeerPairs * ElementSize(peer_case.type);
  }

  void ExportTable(const PeerCase& peer_case) {
    CosSinView view;
    view.cos = cos_.data();
    view.sin = sin_.data();
    view.type = peer_case.type;
    view.rows = kRows;
    view.pairs = kPeerPairs;
    view.pair_stride = ElementSize(peer_case.type);
    view.row_stride = kPeerPairs * view.pair_stride;
    RequirePeer(PeerTable()->Export(/*first=*/0, kRows, view));
  }

  void Bind(const PeerCase& peer_case) {
    const ONNXTensorElementDataType type = TypeOf(peer_case.type);
    const std::array<int64_t, 3> heads = {1, peer_case.tokens,
                                          kPeerHeads * kPeerHeadDim};
    const std::array<int64_t, 2> tokens = {1, peer_case.tokens};
    const std::array<int64_t, 2> table = {kRows, kPeerPairs};
    binding_.BindInput("x", Tensor(in_.data(), peer_case.Bytes(), heads, type));
    binding_.BindInput("pos",
                       Tensor(positions_.data(), 8 * peer_case.tokens, tokens,
                              ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64));
    binding_.BindInput("cos",
                       Tensor(cos_.data(), TableBytes(peer_case), table, type));
    binding_.BindInput("sin",
                       Tensor(sin_.data(), TableBytes(peer_case), table, type));
    binding_.BindOutput("y",
                        Tensor(out_.data(), peer_case.Bytes(), heads, type));
  }

  Ort::Session session_;
  Ort::IoBinding binding_;
  Ort::RunOptions run_options_;
  Memory in_, out_, cos_, sin_;
  std::vector<int64_t> positions_;
};

int CompareAll() {
  const Ort::Env env(ORT_LOGGING_LEVEL_FATAL, "ropewalk");
  PrintPeerHeader("ONNX Runtime " + Ort::GetVersionString());
  bool same = true;
  for (const PeerCase& peer_case : PeerCases()) {
    OnnxStep onnx(env, peer_case);
    same &= CompareWithPeer(
        peer_case, /*in_place=*/false, [&] { onnx.Turn(); }, onnx.out());
  }
  return same ? 0 : 1;
}

}  // namespace
}  // namespace ropewalk::bench

int main() {
  try {
    return ropewalk::bench::CompareAll();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ONNX Runtime: %s\n", error.what());
    return 2;
  }
}
