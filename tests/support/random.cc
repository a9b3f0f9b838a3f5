// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "support/random.h"

#include <cmath>
#include <cstdio>
#include <string>

#include "gtest/gtest.h"

namespace ropewalk::test {
namespace {

std::string NameOf(const testing::TestInfo& test) {
  return std::string(test.test_suite_name()) + "." + test.name();
}

class SeedPrinter : public testing::EmptyTestEventListener {
  void OnTestEnd(const testing::TestInfo& test) override {
    if (!test.result()->Failed()) return;
    std::printf("Repeat with --gtest_filter=%s --gtest_random_seed=%d\n",
                NameOf(test).c_str(), GTEST_FLAG_GET(random_seed));
  }
};

}  // namespace

Random Random::ForTest() {
  static const bool added =
      (testing::UnitTest::GetInstance()->listeners().Append(new SeedPrinter),
       true);
  static_cast<void>(added);
  uint64_t hash = 0xCBF29CE484222325;  // FNV-1a
  const std::string name =
      NameOf(*testing::UnitTest::GetInstance()->current_test_info());
  for (const char character : name) {
    hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001B3;
  }
  return Random(hash + static_cast<uint64_t>(GTEST_FLAG_GET(random_seed)));
}

uint64_t Random::Next() {
  uint64_t z = state_ += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

int64_t Random::Below(int64_t bound) {
  return static_cast<int64_t>(Next() % static_cast<uint64_t>(bound));
}

int64_t Random::Between(int64_t first, int64_t last) {
  return first + Below(last - first + 1);
}

double Random::Uniform() {
  return static_cast<double>((Next() >> 11) + 1) * 0x1p-53;
}

double Random::Gaussian() {
  const double radius = std::sqrt(-2 * std::log(Uniform()));
  return radius * std::cos(2 * std::acos(-1.0) * Uniform());
}

}  // namespace ropewalk::test
