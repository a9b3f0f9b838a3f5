// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "support/step.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "ropewalk/angles.h"
#include "ropewalk/frequencies.h"
#include "support/all_targets.h"
#include "support/ulp.h"

namespace ropewalk::test {
namespace {

testing::AssertionResult IsCopied(const Heads& before, const Heads& after,
                                  int64_t b, int64_t t, int64_t h, int d) {
  const DataType in = before.spec().type;
  const DataType out = after.spec().type;
  const double want = Rounded(out, before.Get(b, t, h, d));
  const double got = after.Get(b, t, h, d);
  const bool same_value =
      (std::isnan(want) && std::isnan(got)) ||
      (want == got && std::signbit(want) == std::signbit(got));
  const bool same_bits =
      in != out || before.Bits(b, t, h, d) == after.Bits(b, t, h, d);
  if (same_value && same_bits) return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << "batch " << b << " token " << t << " head " << h << " dim " << d
         << " does not turn: " << want << " became " << got;
}

testing::AssertionResult IsHeadRotated(const Step& step, int64_t row,
                                       const RotaryLayout& layout,
                                       Direction direction, const Heads& before,
                                       const Heads& after, int64_t b, int64_t t,
                                       int64_t h) {
  std::vector<double> x(static_cast<size_t>(layout.head_dim));
  std::vector<bool> turns(x.size(), false);
  for (int d = 0; d < layout.head_dim; ++d) {
    x[static_cast<size_t>(d)] = before.Get(b, t, h, d);
  }
  std::vector<double> want = x;
  const reference::Window window = WindowOf(layout);
  reference::RotateHead(window, step.Row(row) + layout.first_pair, step.factor,
                        TurnOf(direction), want.data());
  const DataType type = after.spec().type;
  const reference::Window to = OutputWindowOf(layout);
  for (int i = 0; i < window.pairs; ++i) {
    const int members[] = {Member0(window, i), Member1(window, i)};
    const int written[] = {Member0(to, i), Member1(to, i)};
    const double max_input =
        std::max(std::fabs(x[static_cast<size_t>(members[0])]),
                 std::fabs(x[static_cast<size_t>(members[1])]));
    const double tolerance =
        RotationTolerance(max_input, step.factor, direction);
    for (int member = 0; member < 2; ++member) {
      const int d = written[member];
      turns[static_cast<size_t>(d)] = true;
      const double exact = want[static_cast<size_t>(members[member])];
      // The float32 result is within the tolerance, and its rounding keeps
      // order; float32 itself needs no further rounding.
      const bool wide = type == DataType::kF32;
      const double low = exact - tolerance;
      const double high = exact + tolerance;
      const double got = after.Get(b, t, h, d);
      if (got >= (wide ? low : Rounded(type, low)) &&
          got <= (wide ? high : Rounded(type, high))) {
        continue;
      }
      return testing::AssertionFailure()
             << "batch " << b << " token " << t << " head " << h << " pair "
             << i << " dim " << d << ": got " << got << ", exact " << exact
             << ", off by " << std::fabs(got - exact) / Ulp(type, max_input)
             << " ulp of " << max_input << ", allowed before rounding "
             << tolerance;
    }
  }
  for (int d = 0; d < layout.head_dim; ++d) {
    if (turns[static_cast<size_t>(d)]) continue;
    if (const auto copied = IsCopied(before, after, b, t, h, d); !copied) {
      return copied;
    }
  }
  return testing::AssertionSuccess();
}

}  // namespace

Step MakeAxesStep(const std::vector<double>& inv_freq,
                  const std::vector<uint8_t>& axis,
                  const std::vector<int64_t>& ids, int components,
                  double factor) {
  Step step;
  step.inv_freq = inv_freq;
  step.factor = factor;
  Frequencies frequencies;
  frequencies.inv_freq = inv_freq;
  frequencies.axis = axis;
  frequencies.attention_factor = factor;
  AngleOptions options;
  options.kind = TableKind::kDirect;  // a table is not worth a few rows
  auto table = AngleTable::Build(frequencies, options);
  if (!table.ok()) {
    ADD_FAILURE() << table.status().message();
    return step;
  }
  const int64_t tokens = static_cast<int64_t>(ids.size()) / components;
  const Status filled = table.value()->Fill(
      Positions::Components(ids.data(), components, tokens, tokens),
      &step.rows);
  EXPECT_TRUE(filled.ok()) << filled.message();
  for (int64_t t = 0; t < tokens; ++t) {
    for (size_t i = 0; i < inv_freq.size(); ++i) {
      const int component = axis.empty() ? 0 : axis[i];
      const auto at = static_cast<size_t>(component * tokens + t);
      step.angles.push_back(
          reference::ExactAngle(static_cast<double>(ids[at]), inv_freq[i]));
    }
  }
  return step;
}

Step MakeStep(const std::vector<double>& inv_freq,
              const std::vector<int64_t>& positions, double factor) {
  Step step = MakeAxesStep(inv_freq, {}, positions, 1, factor);
  step.positions = positions;
  return step;
}

Step MakeStep(int rotary_dim, const std::vector<int64_t>& positions,
              double factor) {
  return MakeStep(reference::PlainInvFreq(rotary_dim, 10000), positions,
                  factor);
}

std::vector<int64_t> Count(int64_t first, int64_t count) {
  std::vector<int64_t> positions;
  for (int64_t i = 0; i < count; ++i) positions.push_back(first + i);
  return positions;
}

RotaryLayout FullLayout(int head_dim, Pairing pairing) {
  RotaryLayout layout;
  layout.head_dim = layout.rotary_dim = head_dim;
  layout.pairing = pairing;
  return layout;
}

reference::Window WindowOf(const RotaryLayout& layout) {
  const int pairs = layout.rotary_dim / 2;
  return {pairs, layout.pairing == Pairing::kInterleaved, layout.rotary_offset,
          layout.pair_distance == 0 ? pairs : layout.pair_distance};
}

reference::Window OutputWindowOf(const RotaryLayout& layout) {
  reference::Window window = WindowOf(layout);
  if (!layout.output_pairing.has_value()) return window;
  window.interleaved = *layout.output_pairing == Pairing::kInterleaved;
  return window;
}

reference::Turn TurnOf(Direction direction) {
  switch (direction) {
    case Direction::kInverse:
      return reference::Turn::kInverse;
    case Direction::kTranspose:
      return reference::Turn::kTranspose;
    case Direction::kForward:
      break;
  }
  return reference::Turn::kForward;
}

double RotationTolerance(double max_input, double factor, Direction direction) {
  const bool inverse = direction == Direction::kInverse;
  const double scale = inverse ? 1 / factor : factor;
  return MaxRotationUlps(factor, inverse) * UlpF32(max_input * scale);
}

testing::AssertionResult IsRotated(const Step& step, const RotaryLayout& layout,
                                   Direction direction, const Heads& before,
                                   const Heads& after) {
  const HeadsSpec& spec = before.spec();
  const bool shared =
      step.rows.rows() == spec.tokens && spec.batch * spec.tokens != 0;
  for (int64_t b = 0; b < spec.batch; ++b) {
    for (int64_t t = 0; t < spec.tokens; ++t) {
      const int64_t row = shared ? t : b * spec.tokens + t;
      for (int64_t h = 0; h < spec.heads; ++h) {
        const auto rotated =
            IsHeadRotated(step, row, layout, direction, before, after, b, t, h);
        if (!rotated) return rotated;
      }
    }
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult RotatesInPlace(const Step& step,
                                        const RotaryLayout& layout,
                                        Direction direction, const Heads& x) {
  Heads y = x.Copy();
  RotateOptions options;
  options.direction = direction;
  const Status status = Rotate(step.rows, layout, {y.view()}, options);
  if (!status.ok()) return testing::AssertionFailure() << status.message();
  if (y.GapBytes() != x.GapBytes() || !y.buffer().CanariesIntact()) {
    return testing::AssertionFailure() << "wrote between or beside the heads";
  }
  return IsRotated(step, layout, direction, x, y);
}

testing::AssertionResult RotatesOutOfPlace(const Step& step,
                                           const RotaryLayout& layout,
                                           Direction direction, const Heads& x,
                                           Heads* out) {
  Heads in = x.Copy();
  in.buffer().MakeReadOnly();
  const std::vector<uint8_t> gaps = out->GapBytes();
  RotateOptions options;
  options.direction = direction;
  const Status status =
      Rotate(step.rows, layout, in.view(), out->view(), options);
  if (!status.ok()) return testing::AssertionFailure() << status.message();
  if (out->GapBytes() != gaps || !out->buffer().CanariesIntact()) {
    return testing::AssertionFailure() << "wrote between or beside the heads";
  }
  return IsRotated(step, layout, direction, x, *out);
}

}  // namespace ropewalk::test
