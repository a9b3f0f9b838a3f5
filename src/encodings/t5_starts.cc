// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "encodings/t5_starts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "status/error.h"

namespace ropewalk::internal {
namespace {

// A product of as many factors below 2^31 as there are steps in a direction.
class Product {
 public:
  void MultiplyBy(uint32_t factor, int times) {
    for (int i = 0; i < times; ++i) MultiplyBy(factor);
  }

  bool AtLeast(const Product& other) const {
    if (size_ != other.size_) return size_ > other.size_;
    for (int i = size_ - 1; i >= 0; --i) {
      if (words_[i] != other.words_[i]) return words_[i] > other.words_[i];
    }
    return true;
  }

 private:
  void MultiplyBy(uint32_t factor) {
    uint64_t carry = 0;
    for (int i = 0; i < size_; ++i) {
      carry += uint64_t{words_[i]} * factor;
      words_[i] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) words_[size_++] = static_cast<uint32_t>(carry);
  }

  int size_ = 1;
  uint32_t words_[kMaxT5Buckets] = {1};  // the lowest first
};

// A bucket scale: exact (max / exact)^(k / steps), k from 0 to steps.
struct Scale {
  uint32_t exact;
  uint32_t max;
  int steps;
};

// Whether n is at least the k-th mark, in integers:
// n^steps >= exact^(steps - k) max^k.
bool Reaches(const Scale& scale, uint32_t n, int k) {
  const int divisor = std::gcd(k, scale.steps);
  const int steps = scale.steps / divisor;
  Product power;
  power.MultiplyBy(n, steps);
  Product mark;
  mark.MultiplyBy(scale.exact, steps - k / divisor);
  mark.MultiplyBy(scale.max, k / divisor);
  return power.AtLeast(mark);
}

// The least integer that is at least the k-th mark. In double the mark is off
// by less than 2^-45 of itself: the exponent, below 30, by three roundings, and
// the power by its own. Only integers within 2^-40 want the exact comparison,
// which is where the marks are integers themselves.
int32_t StartOf(const Scale& scale, int k) {
  const double ratio = static_cast<double>(scale.max) / scale.exact;
  const double mark = scale.exact * std::exp2(std::log2(ratio) * k /
                                              static_cast<double>(scale.steps));
  const double nearest = std::floor(mark + 0.5);
  if (std::abs(mark - nearest) > 0x1p-40 * mark) {
    return static_cast<int32_t>(std::ceil(mark));
  }
  const uint32_t n = static_cast<uint32_t>(nearest);
  return static_cast<int32_t>(Reaches(scale, n, k) ? n : n + 1);
}

int BucketsOfDirection(const T5Buckets& rule) {
  return rule.bidirectional ? rule.buckets / 2 : rule.buckets;
}

}  // namespace

Status ValidateT5Buckets(const T5Buckets& rule) noexcept {
  const int least = rule.bidirectional ? 4 : 2;
  if (rule.buckets < least || rule.buckets > kMaxT5Buckets) {
    return Error(StatusCode::kInvalidArgument,
                 "rule.buckets = %d: must be from %d to %d", rule.buckets,
                 least, kMaxT5Buckets);
  }
  if (rule.bidirectional && rule.buckets % 2 != 0) {
    return Error(StatusCode::kInvalidArgument,
                 "rule.buckets = %d: must be even where bidirectional",
                 rule.buckets);
  }
  const int exact = BucketsOfDirection(rule) / 2;
  if (rule.max_distance <= exact || rule.max_distance > kMaxT5Distance) {
    return Error(StatusCode::kInvalidArgument,
                 "rule.max_distance = %lld: must be above %d, half the buckets "
                 "of a direction, and at most 2^30",
                 static_cast<long long>(rule.max_distance), exact);
  }
  return Status();
}

T5Starts::T5Starts(const T5Buckets& rule) noexcept
    : bidirectional_(rule.bidirectional), count_(BucketsOfDirection(rule)) {
  const int exact = count_ / 2;
  const Scale scale = {static_cast<uint32_t>(exact),
                       static_cast<uint32_t>(rule.max_distance),
                       count_ - exact};
  for (int i = 0; i <= exact; ++i) starts_[i] = i;
  for (int i = exact + 1; i < count_; ++i) {
    starts_[i] = StartOf(scale, i - exact);
  }
}

T5Starts::Run T5Starts::RunAt(int64_t distance) const noexcept {
  if (distance <= 0) {
    const int64_t magnitude = -std::max(distance, -kMaxT5Distance);
    const int index = IndexOf(magnitude);
    return {index, -starts_[index]};
  }
  if (!bidirectional_) return {0, INT64_MAX};
  const int index = IndexOf(std::min(distance, kMaxT5Distance));
  return {count_ + index,
          index + 1 < count_ ? starts_[index + 1] - 1 : INT64_MAX};
}

int T5Starts::IndexOf(int64_t magnitude) const noexcept {
  const int32_t* const above = std::upper_bound(
      starts_, starts_ + count_, static_cast<int32_t>(magnitude));
  return static_cast<int>(above - starts_) - 1;
}

}  // namespace ropewalk::internal
