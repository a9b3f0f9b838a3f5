// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/demo_cache.h"

#include <cstdio>
#include <numeric>

#include "bench/bound.h"
#include "cli/accuracy.h"
#include "cli/cached_context.h"
#include "reference/scaling_oracle.h"
#include "ropewalk/target.h"

namespace ropewalk::cli {
namespace {

// A full cache, from which the oldest quarter is dropped.
constexpr int64_t kTokens = 4096;
constexpr int64_t kDropped = 1024;
constexpr int64_t kKept = kTokens - kDropped;

// What keys must become: at first, and those kept once they are shifted.
struct ExactKeys {
  ExactRotation written;
  ExactRotation shifted;
};

ExactKeys ExactKeysOf(const Model& model, const AngleTable& table) {
  const reference::Scheme oracle = reference::SchemeOf(model.rope, 0);
  std::vector<int64_t> positions(static_cast<size_t>(kTokens));
  std::iota(positions.begin(), positions.end(), 0);
  ExactKeys keys;
  keys.written = ComputeExactRotation(oracle, table.frequencies(), positions);
  positions.resize(static_cast<size_t>(kKept));
  keys.shifted = ComputeExactRotation(oracle, table.frequencies(), positions);
  return keys;
}

void PrintHead(const Model& model) {
  std::printf(
      "\nA decode loop of %lld tokens with a context shift: one layer of %s "
      "into a\npaged bf16 cache, float32 activations, one thread. write: "
      "RotateIntoCache of one\ntoken, error in bf16 ulp as above. shift: "
      "ShiftCache of the %lld newest by -%lld,\nerror in bf16 ulp of a pair's "
      "length, against the exact rotation there.\n\n%-10s%12s%8s%7s%12s%8s%9s"
      "%8s%7s\n",
      static_cast<long long>(kTokens), model.name,
      static_cast<long long>(kKept), static_cast<long long>(kDropped), "target",
      "write us", "error", "limit", "shift us", "GB/s", "% bound", "error",
      "limit");
}

// One row of the table.
struct Results {
  double write_seconds;
  Error written;
  bench::PairTiming shift;
  Error shifted;

  bool broken() const {
    return !(written.worst <= written.limit && shifted.worst <= shifted.limit);
  }
};

Status Measure(const AngleTable& table, const ExactKeys& exact,
               const std::string& target, const bench::TimingOptions& timing,
               CachedContext* context, Results* results) {
  AngleRows last, delta;
  Status s = table.Fill(Positions::Consecutive(kTokens - 1, 1), &last);
  if (s.ok()) s = table.FillRotation(Positions::Constant(-kDropped, 1), &delta);
  if (s.ok()) s = context->Decode(table);
  if (!s.ok()) return s;
  results->written = WorstError(context->activations(), context->Read(0),
                                exact.written, target);
  results->write_seconds = bench::LeastSample(
      [&] { s = context->Write(kTokens - 1, last); }, timing);
  if (s.ok()) s = context->Shift(delta, kDropped);
  if (!s.ok()) return s;
  results->shifted = WorstShiftError(context->activations(), kDropped,
                                     context->Read(kDropped), exact.shifted);
  results->shift = bench::MeasurePair(
      [&] { s = context->Shift(delta, kDropped); },
      [&] { bench::XorInPlace(context->data(), context->KeyBytes(kKept)); },
      timing);
  return s;
}

void PrintRow(const std::string& target, const CachedContext& context,
              const Results& results) {
  const auto bytes = static_cast<double>(context.KeyBytes(kKept));
  std::printf(
      "%-10s%12.3f%8.3f%7.1f%12.1f%8.1f%9.1f%8.3f%7.2f%s\n", target.c_str(),
      results.write_seconds * 1e6, results.written.worst, results.written.limit,
      results.shift.seconds * 1e6, 2 * bytes / results.shift.seconds * 1e-9,
      results.shift.ratio * 100, results.shifted.worst, results.shifted.limit,
      results.broken() ? "  BROKEN" : "");
  std::fflush(stdout);
}

}  // namespace

Status RunCacheDemo(const Model& model, const AngleTable& table,
                    const std::vector<std::string>& targets,
                    const bench::TimingOptions& timing, bool* broken) {
  const ExactKeys exact = ExactKeysOf(model, table);
  CachedContext context(ShapeOf(model), kTokens);
  PrintHead(model);
  for (const std::string& target : targets) {
    Results results = {};
    Status s = ForceTarget(target);
    if (s.ok()) s = Measure(table, exact, target, timing, &context, &results);
    if (!s.ok()) return s;
    PrintRow(target, context, results);
    *broken |= results.broken();
  }
  return Status();
}

}  // namespace ropewalk::cli
