// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A graph of 32 layers that turn Q and K in place, as llama.cpp has it: with
// ggml's ropes, and with the adapter's nodes. Prints how many times as long the
// first takes. Decoding with two threads is mostly the barrier after each node.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bench/timing.h"
#include "integration/ggml/ggml_cpu.h"
#include "rope_graph.h"
#include "rope_mapping.h"
#include "ropewalk/target.h"

namespace ropewalk::test {
namespace {

constexpr int kLayers = 32;
constexpr int64_t kHeadDim = 128;
constexpr int64_t kQueryHeads = 32;
constexpr int64_t kKeyHeads = 8;

struct Size {
  ggml_type type;
  int64_t tokens;
};

ropewalk_ggml::RopeArguments Arguments() {
  ropewalk_ggml::RopeArguments arguments;
  arguments.n_dims = kHeadDim;
  arguments.mode = GGML_ROPE_TYPE_NEOX;
  arguments.freq_base = 500000;
  return arguments;
}

// Ends the program where a call fails.
template <class T>
T Need(const Result<T>& result) {
  if (!result.ok()) {
    std::fprintf(stderr, "%s\n", result.status().message());
    std::abort();
  }
  return result.value();
}

// All layers turn the same memory: that of a layer's heads is the next one's in
// an engine too.
struct Heads {
  explicit Heads(const Size& size) {
    ggml_context* const context = tensors.context();
    q = ggml_new_tensor_3d(context, size.type, kHeadDim, kQueryHeads,
                           size.tokens);
    k = ggml_new_tensor_3d(context, size.type, kHeadDim, kKeyHeads,
                           size.tokens);
    positions = ggml_new_tensor_1d(context, GGML_TYPE_I32, size.tokens);
    tensors.Allocate();
    for (ggml_tensor* tensor : {q, k}) {
      std::vector<float> x(static_cast<size_t>(ggml_nelements(tensor)));
      for (size_t i = 0; i < x.size(); ++i) {
        x[i] = static_cast<float>(i * 7919 % 2003) / 1001.0f - 1.0f;
      }
      ScatterRows(FromFloats(size.type, x), tensor);
    }
    for (int32_t t = 0; t < size.tokens; ++t) {
      static_cast<int32_t*>(positions->data)[t] = 1000 + t;
    }
  }

  GgmlTensors tensors;
  ggml_tensor* q;
  ggml_tensor* k;
  ggml_tensor* positions;
};

struct TheirGraph {
  explicit TheirGraph(Heads* heads) {
    for (ggml_tensor* x : {heads->q, heads->k}) {
      const ropewalk_ggml::RopeArguments r = Arguments();
      for (int i = 0; i < kLayers; ++i) {
        x = ggml_rope_ext_inplace(graph.context(), x, heads->positions, nullptr,
                                  r.n_dims, r.mode, r.n_ctx_orig, r.freq_base,
                                  r.freq_scale, r.ext_factor, r.attn_factor,
                                  r.beta_fast, r.beta_slow);
      }
      graph.AddResult(x);
    }
  }

  GgmlGraph graph;
};

struct OurGraph {
  OurGraph(Heads* heads, AngleMode mode, AngleCache* tables)
      : ropes(graph.context()) {
    const auto rope =
        Need(ropewalk_ggml::MakeRope(Arguments(), nullptr, mode, tables));
    const auto* const angles = Need(ropes.Angles(rope, heads->positions));
    for (ggml_tensor* x : {heads->q, heads->k}) {
      for (int i = 0; i < kLayers; ++i) {
        x = Need(ropes.RotateInplace(angles, x));
      }
      graph.AddResult(x);
    }
  }

  GgmlGraph graph;
  ropewalk_ggml::RopeGraph ropes;
};

double Ratio(const Size& size, int threads, AngleMode mode) {
  Heads heads(size);
  AngleCache tables{AngleCacheOptions{}};
  TheirGraph theirs(&heads);
  OurGraph ours(&heads, mode, &tables);
  bench::TimingOptions timing;
  timing.sample_seconds = 500e-6;
  timing.round_seconds = 200e-3;
  const bench::PairTiming pair =
      bench::MeasurePair([&] { ours.graph.Compute(threads); },
                         [&] { theirs.graph.Compute(threads); }, timing);
  if (!ours.ropes.status().ok()) {
    std::fprintf(stderr, "%s\n", ours.ropes.status().message());
    std::abort();
  }
  return pair.ratio;
}

void PrintTimes() {
  std::printf("%s; ropewalk %s\n", GgmlName().c_str(), ActiveTarget());
  std::printf("%d layers, %d + %d heads of %d, NEOX, in place\n", kLayers,
              static_cast<int>(kQueryHeads), static_cast<int>(kKeyHeads),
              static_cast<int>(kHeadDim));
  std::printf("ggml takes times as long as ropewalk with\n");
  std::printf("type  tokens  threads   ggml's angles   exact angles\n");
  for (const ggml_type type : {GGML_TYPE_F32, GGML_TYPE_F16}) {
    for (const int64_t tokens : {1, 512}) {
      for (const int threads : {1, 2}) {
        const Size size = {type, tokens};
        std::printf("%-4s  %6d  %7d  %14.1f %14.1f\n", ggml_type_name(type),
                    static_cast<int>(tokens), threads,
                    Ratio(size, threads, AngleMode::kFloat32Recurrence),
                    Ratio(size, threads, AngleMode::kExact));
        std::fflush(stdout);
      }
    }
  }
}

}  // namespace
}  // namespace ropewalk::test

int main() { ropewalk::test::PrintTimes(); }
