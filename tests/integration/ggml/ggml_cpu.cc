// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "integration/ggml/ggml_cpu.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace ropewalk::test {
namespace {

constexpr size_t kMostNodes = 1024;

ggml_backend_dev_t Device() {
  static const ggml_backend_dev_t device = [] {
    // Workers that spin at barriers keep those that have no core from coming
    // there. Read when the plug-in is loaded.
    setenv("OMP_WAIT_POLICY", "passive", /*overwrite=*/0);
    ggml_log_set([](ggml_log_level, const char*, void*) {}, nullptr);
    ggml_backend_load_all();
    return ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);
  }();
  if (device == nullptr) {
    std::fprintf(stderr, "ggml has no CPU backend here\n");
    std::abort();
  }
  return device;
}

// A plug-in's functions have to be asked for.
void SetThreads(int threads) {
  const auto set = reinterpret_cast<ggml_backend_set_n_threads_t>(
      ggml_backend_reg_get_proc_address(ggml_backend_dev_backend_reg(Device()),
                                        "ggml_backend_set_n_threads"));
  if (set == nullptr) {
    std::fprintf(stderr, "ggml's CPU backend has no number of threads\n");
    std::abort();
  }
  set(GgmlCpu(), threads);
}

ggml_context* MakeContext() {
  ggml_init_params params{};
  params.mem_size = kMostNodes * ggml_tensor_overhead() + ggml_graph_overhead();
  params.no_alloc = true;
  return ggml_init(params);
}

// Calls with the address of every row of dim 0.
template <class Call>
void ForEachRow(const ggml_tensor* tensor, const Call& call) {
  auto* const data = static_cast<uint8_t*>(tensor->data);
  for (int64_t i3 = 0; i3 < tensor->ne[3]; ++i3) {
    for (int64_t i2 = 0; i2 < tensor->ne[2]; ++i2) {
      for (int64_t i1 = 0; i1 < tensor->ne[1]; ++i1) {
        call(data + static_cast<size_t>(i3) * tensor->nb[3] +
             static_cast<size_t>(i2) * tensor->nb[2] +
             static_cast<size_t>(i1) * tensor->nb[1]);
      }
    }
  }
}

}  // namespace

ggml_backend_t GgmlCpu() {
  static const ggml_backend_t backend =
      ggml_backend_dev_init(Device(), nullptr);
  return backend;
}

std::string GgmlName() {
  return std::string("ggml ") + ggml_version() + ", " +
         ggml_backend_dev_description(Device());
}

GgmlTensors::GgmlTensors() : context_(MakeContext()) {}

void GgmlTensors::Allocate() {
  buffer_.reset(ggml_backend_alloc_ctx_tensors(context_.get(), GgmlCpu()));
}

GgmlGraph::GgmlGraph()
    : context_(MakeContext()),
      allocator_(
          ggml_gallocr_new(ggml_backend_get_default_buffer_type(GgmlCpu()))),
      graph_(ggml_new_graph(context_.get())) {}

ggml_tensor* GgmlGraph::AddResult(ggml_tensor* node) {
  ggml_set_output(node);
  ggml_build_forward_expand(graph_, node);
  return node;
}

void GgmlGraph::Compute(int threads) {
  if (!allocated_) {
    allocated_ = ggml_gallocr_alloc_graph(allocator_.get(), graph_);
  }
  SetThreads(threads);
  if (!allocated_ ||
      ggml_backend_graph_compute(GgmlCpu(), graph_) != GGML_STATUS_SUCCESS) {
    std::fprintf(stderr, "ggml could not compute the graph\n");
    std::abort();
  }
}

std::vector<uint8_t> GatherRows(const ggml_tensor* tensor) {
  const size_t row = ggml_row_size(tensor->type, tensor->ne[0]);
  std::vector<uint8_t> rows(row * static_cast<size_t>(ggml_nrows(tensor)));
  uint8_t* to = rows.data();
  ForEachRow(tensor, [&](const uint8_t* from) {
    std::memcpy(to, from, row);
    to += row;
  });
  return rows;
}

void ScatterRows(const std::vector<uint8_t>& rows, ggml_tensor* tensor) {
  const size_t row = ggml_row_size(tensor->type, tensor->ne[0]);
  const uint8_t* from = rows.data();
  ForEachRow(tensor, [&](uint8_t* to) {
    std::memcpy(to, from, row);
    from += row;
  });
}

std::vector<float> ToFloats(ggml_type type, const std::vector<uint8_t>& bytes) {
  std::vector<float> x(bytes.size() / ggml_type_size(type));
  const auto count = static_cast<int64_t>(x.size());
  if (type == GGML_TYPE_F16) {
    ggml_fp16_to_fp32_row(reinterpret_cast<const ggml_fp16_t*>(bytes.data()),
                          x.data(), count);
  } else if (type == GGML_TYPE_BF16) {
    ggml_bf16_to_fp32_row(reinterpret_cast<const ggml_bf16_t*>(bytes.data()),
                          x.data(), count);
  } else {
    std::memcpy(x.data(), bytes.data(), bytes.size());
  }
  return x;
}

std::vector<uint8_t> FromFloats(ggml_type type, const std::vector<float>& x) {
  std::vector<uint8_t> bytes(x.size() * ggml_type_size(type));
  const auto count = static_cast<int64_t>(x.size());
  if (type == GGML_TYPE_F16) {
    ggml_fp32_to_fp16_row(x.data(),
                          reinterpret_cast<ggml_fp16_t*>(bytes.data()), count);
  } else if (type == GGML_TYPE_BF16) {
    ggml_fp32_to_bf16_row(x.data(),
                          reinterpret_cast<ggml_bf16_t*>(bytes.data()), count);
  } else {
    std::memcpy(bytes.data(), x.data(), bytes.size());
  }
  return bytes;
}

}  // namespace ropewalk::test
