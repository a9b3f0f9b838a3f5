// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The main() that programs of Google Benchmark share. It adds to their report
// what a ratio depends on besides the target: cpu_model, highway, compiler.
#pragma once
#include <string>

namespace ropewalk::bench {

// As the kernel names it, with family and model: a virtual machine's name
// alone stands for several. "unknown" where it does not say.
std::string CpuModel();

// Returns the exit code.
int RunBenchmarks(int argc, char** argv, void (*register_all)());

}  // namespace ropewalk::bench
