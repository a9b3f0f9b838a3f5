// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_text.h"

#include <cstdio>

#include "cli/build_info.h"
#include "cli/pairing_name.h"
#include "cli/rotation.h"

namespace ropewalk::cli {

std::string SizeText(int64_t bytes) {
  const bool mib = bytes >= int64_t{1} << 20;
  return std::to_string(bytes >> (mib ? 20 : 10)) + (mib ? " MiB" : " KiB");
}

void BenchText::BufferHead() const {
  if (silent_) return;
  std::printf(
      "Percent of the bound, which is measured in the same run on the same "
      "target: an\nXOR in place over as many bytes, a copy where the call is "
      "out of place. Heads of\n128; validation included; one thread. A whole "
      "buffer of 32 heads, in place:\n\n%-6s%-13s%-*s",
      "type", "pairing", width_, "target");
  for (const int64_t bytes : kBufferBytes) {
    std::printf("%10s", SizeText(bytes).c_str());
  }
  std::printf("\n");
}

void BenchText::BufferRow(const RotateResult* results) const {
  if (silent_) return;
  std::printf("%-6s%-13s%-*s", bench::TypeName(results->shape.type),
              PairingName(results->shape.pairing), width_,
              results->target.c_str());
  for (size_t i = 0; i < kBufferBytes.size(); ++i) {
    std::printf("%10.1f", Percent(results[i].time));
  }
  std::printf("\n");
  std::fflush(stdout);
}

void BenchText::CallHead() const {
  if (silent_) return;
  std::printf(
      "\nHalf pairing. decode: one token of Q with 32 heads and K with 8. "
      "prefill: 512\ntokens of them, out of place. GB/s: read + written.\n%s"
      "\n%-9s%-13s%-*s%10s%8s%9s\n",
      HasThreads() ? "threads: 8 MiB by two, in Parallel::Tbb(), against the "
                     "bound by two.\n"
                   : "",
      "call", "type", width_, "target", "us", "GB/s", "% bound");
}

void BenchText::CallRow(const RotateResult& result) const {
  if (silent_) return;
  const std::string type = std::string(bench::TypeName(result.shape.type)) +
                           (result.shape.to_bf16 ? " to bf16" : "");
  std::printf("%-9s%-13s%-*s%10.3f%8.1f%9.1f\n", NameOf(result.call),
              type.c_str(), width_, result.target.c_str(),
              result.time.seconds * 1e6,
              GigabytesPerSecond(result.shape, result.time.seconds),
              Percent(result.time));
  std::fflush(stdout);
}

void BenchText::FillHead() const {
  if (silent_) return;
  std::printf(
      "\nFill of %d pairs at random positions below 2^20, beside copying rows "
      "of "
      "a dense\nfloat32 table and beside libm: ns a row, and their time in "
      "percent of ours.\n\n%-*s%10s%10s%10s%10s%10s\n",
      kFillPairs, width_, "target", "Fill", "copy", "libm", "% copy", "% libm");
}

void BenchText::FillRow(const FillResult& result) const {
  if (silent_) return;
  std::printf("%-*s%10.1f%10.1f%10.1f%10.1f%10.1f\n", width_,
              result.target.c_str(), NanosecondsPerRow(result.copy.seconds),
              NanosecondsPerRow(result.copy.bound_seconds),
              NanosecondsPerRow(result.libm.bound_seconds),
              Percent(result.copy), Percent(result.libm));
  std::fflush(stdout);
}

void BenchText::MulAddHead() const {
  if (silent_) return;
  std::printf("\nMultiply-adds in registers:\n\n%-*s%10s\n", width_, "target",
              "Gflop/s");
}

void BenchText::MulAddRow(const MulAddResult& result) const {
  if (silent_) return;
  std::printf("%-*s%10.1f\n", width_, result.target.c_str(), result.gflops);
}

void BenchText::End() const {
  if (!silent_) std::printf("\n%s\n", BuildLine().c_str());
}

}  // namespace ropewalk::cli
