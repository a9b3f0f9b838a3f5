// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "angles/row_maker.h"

#include <algorithm>
#include <type_traits>

#include "angles/exact_angle.h"
#include "simd/scalar_convert.h"

namespace ropewalk::internal {
namespace {

// Rows whose factors are looked up before any is multiplied: one dispatch, and
// the kernel can look ahead.
constexpr int64_t kBatch = 64;

struct FloatPair {
  float cos;
  float sin;
};

// cos and sin of an angle that was rounded to float32, times the factor, each
// step rounded. An angle may reach 2^127: 2^63 times a number in range, both
// exact.
FloatPair OfRoundedAngle(float angle, float factor) {
  const CosSin exact = ExactCosSin(0x1p63, double{angle} * 0x1p-63);
  return {static_cast<float>(exact.cos) * factor,
          static_cast<float>(exact.sin) * factor};
}

}  // namespace

void RowMaker::Round(float* values, int64_t count) const noexcept {
  if (recipe_.round_to == DataType::kBF16) {
    for (int64_t i = 0; i < count; ++i) {
      values[i] = FloatFromBF16(BF16FromFloat(values[i]));
    }
  } else if (recipe_.round_to == DataType::kF16) {
    for (int64_t i = 0; i < count; ++i) {
      values[i] = FloatFromF16(F16FromFloat(values[i]));
    }
  }
}

template <class Position>
void RowMaker::MakeExact(Position position,
                         const RowSpan& span) const noexcept {
  const double* inv_freq = recipe_.inv_freq->data() + span.first_pair;
  const double factor = recipe_.attention_factor;
  for (int64_t i = 0; i < span.count; ++i) {
    const CosSin exact = ExactCosSin(position, inv_freq[i]);
    span.cos[i] = static_cast<float>(exact.cos * factor);
    span.sin[i] = static_cast<float>(exact.sin * factor);
  }
}

void RowMaker::MakeFloat32(float position, const RowSpan& span) const noexcept {
  const double* inv_freq = recipe_.inv_freq->data() + span.first_pair;
  const auto factor = static_cast<float>(recipe_.attention_factor);
  for (int64_t i = 0; i < span.count; ++i) {
    const FloatPair pair =
        OfRoundedAngle(position * static_cast<float>(inv_freq[i]), factor);
    span.cos[i] = pair.cos;
    span.sin[i] = pair.sin;
  }
}

// The order of operations is Float32Recurrence's.
void RowMaker::MakeRecurrence(float position,
                              const RowSpan& span) const noexcept {
  const Float32Recurrence& recurrence = *recipe_.recurrence;
  const float* divisor = recurrence.freq_factors.data();
  const float* ramp_mix = recurrence.ramp_mix.data();
  float running = position;
  for (int64_t i = 0; i < span.first_pair; ++i) running *= recurrence.step;
  for (int64_t i = 0; i < span.count; ++i, running *= recurrence.step) {
    const int64_t pair = span.first_pair + i;
    const float plain =
        recurrence.freq_factors.empty() ? running : running / divisor[pair];
    float angle = recurrence.freq_scale * plain;
    if (!recurrence.ramp_mix.empty()) {
      const float mix = ramp_mix[pair];
      angle = angle * (1.0f - mix) + plain * mix;
    }
    const FloatPair made = OfRoundedAngle(angle, recurrence.attention_factor);
    span.cos[i] = made.cos;
    span.sin[i] = made.sin;
  }
}

template <class Position>
void RowMaker::MakeDirect(Position position,
                          const RowSpan& span) const noexcept {
  switch (recipe_.mode) {
    case AngleMode::kExact:
      MakeExact(position, span);
      break;
    case AngleMode::kFloat32:
      MakeFloat32(static_cast<float>(position), span);
      break;
    case AngleMode::kFloat32Recurrence:
      MakeRecurrence(static_cast<float>(position), span);
      break;
  }
  if (recipe_.trig_counter != nullptr) {
    recipe_.trig_counter->fetch_add(static_cast<size_t>(span.count),
                                    std::memory_order_relaxed);
  }
  Round(span.cos, span.count);
  Round(span.sin, span.count);
}

void RowMaker::CopyDense(int64_t position, const RowSpan& span) const noexcept {
  const bool negative = position < 0;
  const float* cos = recipe_.dense +
                     (negative ? -position : position) * 2 * pairs() +
                     span.first_pair;
  const float* sin = cos + pairs();
  std::copy(cos, cos + span.count, span.cos);
  if (negative) {
    std::transform(sin, sin + span.count, span.sin, [](float s) { return -s; });
  } else {
    std::copy(sin, sin + span.count, span.sin);
  }
}

void RowMaker::MakeWithoutLevels(int64_t position,
                                 const RowSpan& span) const noexcept {
  if (-recipe_.dense_rows < position && position < recipe_.dense_rows) {
    CopyDense(position, span);
  } else {
    MakeDirect(position, span);
  }
}

void RowMaker::Multiply(const FactoredRow* rows, int64_t count,
                        int64_t pairs) const noexcept {
  if (count == 0) return;
  FillFactored({rows, count, pairs, recipe_.levels->sin_offset(),
                recipe_.attention_factor});
  if (recipe_.round_to == DataType::kF32) return;
  for (int64_t r = 0; r < count; ++r) {
    Round(rows[r].cos, pairs);
    Round(rows[r].sin, pairs);
  }
}

void RowMaker::Make(int64_t position, const RowSpan& span) const noexcept {
  if (!InLevels(position)) return MakeWithoutLevels(position, span);
  const FactoredRow row =
      recipe_.levels->Factors(position, span.first_pair, span.cos, span.sin);
  Multiply(&row, 1, span.count);
}

void RowMaker::Make(double position, const RowSpan& span) const noexcept {
  MakeDirect(position, span);
}

template <class Position>
void RowMaker::FillOneAxis(const PositionReader& reader, int axis,
                           const AngleRowsWriter& writer,
                           int64_t first_row) const noexcept {
  const double factor = recipe_.attention_factor;
  const bool unscaled = static_cast<float>(factor) == 1.0f;
  FactoredRow batch[kBatch];
  for (int64_t begin = 0; begin < reader.count(); begin += kBatch) {
    const int64_t end = std::min(begin + kBatch, reader.count());
    int64_t factored = 0;
    for (int64_t t = begin; t < end; ++t) {
      const Position position = reader.Get<Position>(axis, t);
      const int64_t row = first_row + t;
      const RowSpan span = {0, pairs(), writer.cos(row), writer.sin(row)};
      writer.SetInfo(row, factor, position == 0 && unscaled);
      if constexpr (std::is_same_v<Position, int64_t>) {
        if (InLevels(position)) {
          batch[factored++] =
              recipe_.levels->Factors(position, 0, span.cos, span.sin);
        } else {
          MakeWithoutLevels(position, span);
        }
      } else {
        MakeDirect(position, span);
      }
    }
    if (factored > 0) Multiply(batch, factored, pairs());
  }
}

void RowMaker::Fill(const PositionReader& reader, const AngleRowsWriter& writer,
                    int64_t first_row) const noexcept {
  const std::vector<uint8_t>& axes = *recipe_.axes_used;
  const bool real = reader.is_real();
  if (axes.size() > 1) {
    return FillManyAxes(reader, writer, first_row);
  }
  const int axis = axes.empty() ? 0 : axes.front();
  return real ? FillOneAxis<double>(reader, axis, writer, first_row)
              : FillOneAxis<int64_t>(reader, axis, writer, first_row);
}

}  // namespace ropewalk::internal
