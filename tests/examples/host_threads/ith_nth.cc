// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Workers that run one graph together, as ggml's do: every worker walks over
// all nodes and does part ith of nth of each, with a barrier behind it.
// Compared with one thread.
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include "layers.h"
#include "ropewalk/ropewalk.h"

namespace rw = ropewalk;

namespace {

// Spins, since a node takes microseconds.
class Barrier {
 public:
  explicit Barrier(int count) : count_(count) {}

  void Wait() {
    const int passed = passed_.load(std::memory_order_relaxed);
    if (waiting_.fetch_add(1) == count_ - 1) {
      waiting_.store(0, std::memory_order_relaxed);
      passed_.store(passed + 1, std::memory_order_release);
      return;
    }
    while (passed_.load(std::memory_order_acquire) == passed) {
      std::this_thread::yield();  // there may be fewer cores than workers
    }
  }

 private:
  const int count_;
  std::atomic<int> waiting_{0};
  std::atomic<int> passed_{0};
};

struct ComputeParams {
  int ith;
  int nth;
  Barrier* barrier;
};

enum class Op { kRope, kAttention };

struct Node {
  Op op;
  size_t layer;
};

std::vector<Node> MakeGraph() {
  std::vector<Node> graph;
  for (size_t layer = 0; layer < host::kLayers; ++layer) {
    graph.push_back({Op::kRope, layer});
    graph.push_back({Op::kAttention, layer});
  }
  return graph;
}

rw::Status Compute(const ComputeParams& params, const Node& node,
                   host::Layers* layers) {
  if (node.op == Op::kRope) {
    return layers->Rotate(node.layer,
                          rw::Parallel::Share(params.ith, params.nth));
  }
  layers->Attend(node.layer, params.ith, params.nth);
  return rw::Status();
}

// The same for every worker.
rw::Status ComputeGraph(const ComputeParams& params,
                        const std::vector<Node>& graph, host::Layers* layers) {
  for (const Node& node : graph) {
    const rw::Status status = Compute(params, node, layers);
    // All shares fail or none does: nobody waits below for one that has left.
    if (!status.ok()) return status;
    params.barrier->Wait();
  }
  return rw::Status();
}

rw::Status Run(int nth, host::Layers* layers) {
  const std::vector<Node> graph = MakeGraph();
  Barrier barrier(nth);
  for (const host::Step& step : host::kSteps) {
    rw::Status status = layers->Begin(step.first_position, step.tokens);
    if (!status.ok()) return status;
    std::vector<std::thread> workers;
    for (int ith = 1; ith < nth; ++ith) {
      workers.emplace_back([=, &barrier, &graph] {
        static_cast<void>(ComputeGraph({ith, nth, &barrier}, graph, layers));
      });
    }
    status = ComputeGraph({0, nth, &barrier}, graph, layers);
    for (std::thread& worker : workers) worker.join();
    if (!status.ok()) return status;
  }
  return rw::Status();
}

}  // namespace

int main() {
  host::Layers serial;
  host::Layers layers;
  rw::Status status = host::RunSerially(&serial);
  if (status.ok()) status = Run(/*nth=*/4, &layers);
  return host::Report(status, layers, serial);
}
