// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// ggml's rotation beside ours, in place, through its public API: a graph of one
// node that is planned once. ggml makes its angles anew in every call; the
// second ratio is against ours doing so too.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "bench/peers/peer_step.h"
#include "ggml-alloc.h"
#include "ggml-backend.h"
#include "ggml.h"

namespace ropewalk::bench {
namespace {

struct Free {
  void operator()(ggml_context* context) const { ggml_free(context); }
  void operator()(ggml_backend* backend) const { ggml_backend_free(backend); }
  void operator()(ggml_backend_buffer* buffer) const {
    ggml_backend_buffer_free(buffer);
  }
};

ggml_type TypeOf(DataType type) {
  return type == DataType::kF32 ? GGML_TYPE_F32 : GGML_TYPE_F16;
}

// The CPU backend may be a plug-in, whose functions have to be asked for.
void SetOneThread(ggml_backend_dev_t device, ggml_backend_t backend) {
  const auto set = reinterpret_cast<ggml_backend_set_n_threads_t>(
      ggml_backend_reg_get_proc_address(ggml_backend_dev_backend_reg(device),
                                        "ggml_backend_set_n_threads"));
  if (set != nullptr) set(backend, 1);
}

// As many tensors and nodes as the graph has, and a few to spare.
ggml_context* MakeContext() {
  ggml_init_params params{};
  params.mem_size = 8 * ggml_tensor_overhead() + ggml_graph_overhead();
  params.no_alloc = true;
  return ggml_init(params);
}

class GgmlStep {
 public:
  GgmlStep(const PeerCase& peer_case, ggml_backend_dev_t device)
      : context_(MakeContext()),
        backend_(ggml_backend_dev_init(device, nullptr)) {
    heads_ = ggml_new_tensor_3d(context_.get(), TypeOf(peer_case.type),
                                kPeerHeadDim, kPeerHeads, peer_case.tokens);
    positions_ =
        ggml_new_tensor_1d(context_.get(), GGML_TYPE_I32, peer_case.tokens);
    const int mode =
        peer_case.pairing == Pairing::kHalf ? GGML_ROPE_TYPE_NEOX : 0;
    // Plain: no extrapolation, so that the last two arguments do not matter.
    ggml_tensor* const turned = ggml_rope_ext_inplace(
        context_.get(), heads_, positions_, /*c=*/nullptr, kPeerHeadDim, mode,
        /*n_ctx_orig=*/4096, static_cast<float>(kPeerBase), /*freq_scale=*/1,
        /*ext_factor=*/0, /*attn_factor=*/1, /*beta_fast=*/32,
        /*beta_slow=*/1);
    graph_ = ggml_new_graph(context_.get());
    ggml_build_forward_expand(graph_, turned);
    buffer_.reset(
        ggml_backend_alloc_ctx_tensors(context_.get(), backend_.get()));
    SetOneThread(device, backend_.get());
    WriteInput(peer_case);
    plan_ = ggml_backend_graph_plan_create(backend_.get(), graph_);
  }
  ~GgmlStep() { ggml_backend_graph_plan_free(backend_.get(), plan_); }
  GgmlStep(const GgmlStep&) = delete;
  GgmlStep& operator=(const GgmlStep&) = delete;

  void Turn() { ggml_backend_graph_plan_compute(backend_.get(), plan_); }
  // The CPU backend's tensors are plain memory.
  const void* out() const { return heads_->data; }

 private:
  void WriteInput(const PeerCase& peer_case) {
    WritePeerInput(peer_case, heads_->data);
    auto* const ids = static_cast<int32_t*>(positions_->data);
    for (int64_t t = 0; t < peer_case.tokens; ++t) {
      ids[t] = static_cast<int32_t>(kPeerFirstPosition + t);
    }
  }

  std::unique_ptr<ggml_context, Free> context_;
  std::unique_ptr<ggml_backend, Free> backend_;
  std::unique_ptr<ggml_backend_buffer, Free> buffer_;
  ggml_tensor* heads_ = nullptr;
  ggml_tensor* positions_ = nullptr;
  ggml_cgraph* graph_ = nullptr;
  ggml_backend_graph_plan_t plan_ = nullptr;
};

int CompareAll() {
  ggml_backend_load_all();
  const ggml_backend_dev_t device =
      ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);
  if (device == nullptr) {
    std::fprintf(stderr, "ggml has no CPU backend here\n");
    return 2;
  }
  PrintPeerHeader(std::string("ggml ") + ggml_version() + ", " +
                  ggml_backend_dev_description(device));
  bool same = true;
  for (const PeerCase& peer_case : PeerCases()) {
    GgmlStep ggml(peer_case, device);
    same &= CompareWithPeer(
        peer_case, /*in_place=*/true, [&] { ggml.Turn(); }, ggml.out());
  }
  return same ? 0 : 1;
}

}  // namespace
}  // namespace ropewalk::bench

int main() {
  ggml_log_set([](ggml_log_level, const char*, void*) {}, nullptr);
  return ropewalk::bench::CompareAll();
}
