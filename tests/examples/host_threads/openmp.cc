// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// An OpenMP team that is kept for all layers: each member makes the same call
// with its own share. Compared with one thread.
#include <omp.h>

#include <cstddef>

#include "layers.h"
#include "ropewalk/ropewalk.h"

namespace rw = ropewalk;

constexpr int kThreads = 4;

// The layers of one step, by one member.
static rw::Status RotateLayers(host::Layers* layers) {
  const int index = omp_get_thread_num();
  const int count = omp_get_num_threads();  // of this team, not of the machine
  for (size_t layer = 0; layer < host::kLayers; ++layer) {
    const rw::Status status =
        layers->Rotate(layer, rw::Parallel::Share(index, count));
    // All shares fail or none does: nobody waits below for one that has left.
    if (!status.ok()) return status;
#pragma omp barrier
    layers->Attend(layer, index, count);
#pragma omp barrier
  }
  return rw::Status();
}

static rw::Status Run(host::Layers* layers) {
  for (const host::Step& step : host::kSteps) {
    rw::Status status = layers->Begin(step.first_position, step.tokens);
    if (!status.ok()) return status;
#pragma omp parallel num_threads(kThreads)
    {
      const rw::Status member = RotateLayers(layers);
#pragma omp master
      status = member;
    }
    if (!status.ok()) return status;
  }
  return rw::Status();
}

int main() {
  host::Layers serial;
  host::Layers layers;
  rw::Status status = host::RunSerially(&serial);
  if (status.ok()) status = Run(&layers);
  return host::Report(status, layers, serial);
}
