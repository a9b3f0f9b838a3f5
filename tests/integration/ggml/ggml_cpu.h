// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// ggml's CPU backend, tensors in its memory, and graphs that it computes.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ggml-alloc.h"
#include "ggml-backend.h"
#include "ggml.h"

namespace ropewalk::test {

// The backend, which may be a plug-in; ends the program where there is none.
ggml_backend_t GgmlCpu();
// Its version and what it calls the CPU.
std::string GgmlName();

struct GgmlFree {
  void operator()(ggml_context* context) const { ggml_free(context); }
  void operator()(ggml_backend_buffer* buffer) const {
    ggml_backend_buffer_free(buffer);
  }
  void operator()(ggml_gallocr* allocator) const {
    ggml_gallocr_free(allocator);
  }
};

// Tensors that live as long as this: made in the context, then allocated.
class GgmlTensors {
 public:
  GgmlTensors();
  ggml_context* context() { return context_.get(); }
  void Allocate();

 private:
  std::unique_ptr<ggml_context, GgmlFree> context_;
  std::unique_ptr<ggml_backend_buffer, GgmlFree> buffer_;
};

// Nodes over such tensors. What they make is planned as llama.cpp plans it:
// memory is used again, but that of results.
class GgmlGraph {
 public:
  GgmlGraph();
  ggml_context* context() { return context_.get(); }
  ggml_tensor* AddResult(ggml_tensor* node);
  void Compute(int threads);

 private:
  std::unique_ptr<ggml_context, GgmlFree> context_;
  std::unique_ptr<ggml_gallocr, GgmlFree> allocator_;
  ggml_cgraph* graph_;
  bool allocated_ = false;
};

// The elements of a tensor or view, without its gaps, and back.
std::vector<uint8_t> GatherRows(const ggml_tensor* tensor);
void ScatterRows(const std::vector<uint8_t>& rows, ggml_tensor* tensor);

// Elements of f32, f16 or bf16 as float32, and back with one rounding.
std::vector<float> ToFloats(ggml_type type, const std::vector<uint8_t>& bytes);
std::vector<uint8_t> FromFloats(ggml_type type, const std::vector<float>& x);

}  // namespace ropewalk::test
