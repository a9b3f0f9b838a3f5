// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Times a call against its bound in one run. A busy or throttled machine slows
// both alike, so their ratio means something where a time does not.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

namespace ropewalk::bench {

struct TimingOptions {
  int rounds = 5;
  double round_seconds = 4e-3;    // Or one sample of each, if longer.
  double sample_seconds = 30e-6;  // A sample is one call, or as many as this.
};

// Of the round whose ratio is the median.
struct PairTiming {
  double seconds = 0;        // Of one call.
  double bound_seconds = 0;  // Of one call of the bound.
  double ratio = 0;          // bound_seconds / seconds: 1 reaches the bound.
};

inline double Now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Seconds a call, over so many.
template <class Call>
double Sample(const Call& call, int64_t calls) {
  const double start = Now();
  for (int64_t i = 0; i < calls; ++i) call();
  return (Now() - start) / static_cast<double>(calls);
}

// How many calls last as long as a sample should: far more than the clock's
// own 20 to 50 ns, and short enough to fall between interruptions. The first
// call warms up, and counts only where one call is much longer than a sample.
template <class Call>
int64_t CallsPerSample(const Call& call, double sample_seconds) {
  if (Sample(call, 1) > 100 * sample_seconds) return 1;
  int64_t calls = 1;
  while (Sample(call, calls) * static_cast<double>(calls) < sample_seconds) {
    calls *= 2;
  }
  return calls;
}

// Seconds of one call where it has no bound: the least of some samples.
template <class Call>
double LeastSample(const Call& call, const TimingOptions& options) {
  const int64_t calls = CallsPerSample(call, options.sample_seconds);
  double seconds = Sample(call, calls);
  for (int i = 0; i < 20; ++i) seconds = std::min(seconds, Sample(call, calls));
  return seconds;
}

// The round whose ratio is the median, so that one lucky round does not count.
template <class TakeRound>
PairTiming MedianRound(int count, const TakeRound& take_round) {
  std::vector<PairTiming> rounds(static_cast<size_t>(count));
  for (PairTiming& round : rounds) round = take_round();
  const auto middle = rounds.begin() + count / 2;
  std::nth_element(rounds.begin(), middle, rounds.end(),
                   [](const PairTiming& a, const PairTiming& b) {
                     return a.ratio < b.ratio;
                   });
  return *middle;
}

// One round: alternates samples of a call and its bound. The least time of each
// counts: interruptions only ever add.
template <class Call, class Bound>
PairTiming TakeRound(const Call& call, int64_t calls, const Bound& bound,
                     int64_t bound_calls, double round_seconds) {
  PairTiming round;
  round.seconds = std::numeric_limits<double>::infinity();
  round.bound_seconds = std::numeric_limits<double>::infinity();
  const double end = Now() + round_seconds;
  do {
    round.seconds = std::min(round.seconds, Sample(call, calls));
    round.bound_seconds =
        std::min(round.bound_seconds, Sample(bound, bound_calls));
  } while (Now() < end);
  round.ratio = round.bound_seconds / round.seconds;
  return round;
}

template <class Call, class Bound>
PairTiming MeasurePair(const Call& call, const Bound& bound,
                       const TimingOptions& options = TimingOptions{}) {
  const int64_t calls = CallsPerSample(call, options.sample_seconds);
  const int64_t bound_calls = CallsPerSample(bound, options.sample_seconds);
  return MedianRound(options.rounds, [&] {
    return TakeRound(call, calls, bound, bound_calls, options.round_seconds);
  });
}

}  // namespace ropewalk::bench
