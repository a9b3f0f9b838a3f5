// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The roofline follows from what was measured, of its target only.
#include "cli/roofline.h"

#include <string>

#include "gtest/gtest.h"

namespace ropewalk::cli {
namespace {

// A whole buffer, which takes so long and its bound so long.
RotateResult Buffer(const std::string& target, DataType type, int64_t bytes,
                    double seconds, double bound_seconds) {
  RotateResult result;
  result.target = target;
  result.shape.type = type;
  result.shape.tokens =
      bytes / (result.shape.Heads() * result.shape.HeadBytes());
  result.time = {seconds, bound_seconds, bound_seconds / seconds};
  return result;
}

BenchResults Results() {
  BenchResults results;
  results.targets = {"BEST", "OTHER"};
  results.mul_adds = {{"BEST", 100}, {"OTHER", 10}};
  for (const int64_t bytes : kBufferBytes) {
    // Read and written: f32 1 GB/s of 2, f16 0.5 GB/s of 4.
    const double seconds = static_cast<double>(bytes) * 1e-9;
    results.rotations.push_back(
        Buffer("BEST", DataType::kF32, bytes, 2 * seconds, seconds));
    results.rotations.push_back(
        Buffer("BEST", DataType::kF16, bytes, 4 * seconds, seconds / 2));
    results.rotations.push_back(
        Buffer("OTHER", DataType::kF32, bytes, 1e-9 * seconds, 1e-9 * seconds));
  }
  return results;
}

TEST(RooflineTest, CountsSixFlopAPair) {
  const bench::Shape shape;  // 32 heads of 64 pairs.
  EXPECT_EQ(FlopOf(shape), 6 * 64 * 32);
}

TEST(RooflineTest, RoofsAreTheFastestBounds) {
  const Roofline roofline = RooflineOf(Results(), "BEST");
  EXPECT_EQ(roofline.target, "BEST");
  EXPECT_EQ(roofline.peak_gflops, 100);
  ASSERT_EQ(roofline.roofs.size(), kBufferBytes.size());
  for (size_t i = 0; i < kBufferBytes.size(); ++i) {
    EXPECT_EQ(roofline.roofs[i].bytes, kBufferBytes[i]);
    // As many bytes read as written, in bytes / 2 ns.
    EXPECT_DOUBLE_EQ(roofline.roofs[i].gigabytes_per_second, 4);
  }
}

TEST(RooflineTest, PointsAreIntensityAndSpeed) {
  const Roofline roofline = RooflineOf(Results(), "BEST");
  ASSERT_EQ(roofline.points.size(), 2 * kBufferBytes.size());
  for (const RooflinePoint& point : roofline.points) {
    // A pair reads and writes 16 bytes, or 8.
    const bool f32 = point.type == DataType::kF32;
    EXPECT_DOUBLE_EQ(point.flop_per_byte, f32 ? 6.0 / 16 : 6.0 / 8);
    // 1 GB/s, or half of it.
    EXPECT_DOUBLE_EQ(point.gflops / point.flop_per_byte, f32 ? 1 : 0.5);
  }
}

TEST(RooflineTest, TakesWholeBuffersOfOneThreadOnly) {
  BenchResults results = Results();
  for (RotateResult& result : results.rotations) {
    result.call = RotateCall::kThreads;
  }
  const Roofline roofline = RooflineOf(results, "BEST");
  EXPECT_TRUE(roofline.points.empty());
}

TEST(RooflineTest, IsOfOneTarget) {
  EXPECT_EQ(RooflineOf(Results(), "OTHER").points.size(), kBufferBytes.size());
  EXPECT_EQ(RooflineOf(Results(), "OTHER").peak_gflops, 10);
  EXPECT_TRUE(RooflineOf(Results(), "NONE").points.empty());
}

TEST(SizeTextTest, NamesKibAndMib) {
  EXPECT_EQ(SizeText(16384), "16 KiB");
  EXPECT_EQ(SizeText(524288), "512 KiB");
  EXPECT_EQ(SizeText(1048576), "1 MiB");
  EXPECT_EQ(SizeText(134217728), "128 MiB");
}

}  // namespace
}  // namespace ropewalk::cli
