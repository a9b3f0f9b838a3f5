// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "angles/rerotation.h"

#include <algorithm>

#include "angles/angle_rows_writer.h"
#include "angles/angle_table_impl.h"
#include "angles/exact_angle.h"
#include "angles/fill.h"
#include "angles/position_reader.h"
#include "frequencies/validate_frequencies.h"
#include "status/error.h"

namespace ropewalk {
namespace internal {
namespace {

// Rows whose factors are looked up before any is multiplied.
constexpr int64_t kBatch = 64;

int AxisOf(const Frequencies& frequencies, size_t pair) noexcept {
  return frequencies.axis.empty() ? 0 : frequencies.axis[pair];
}

// What there is of a table.
struct Angles {
  const Frequencies& frequencies;
  const Levels& levels;
};

// Makes rows from the angles of one table to those of the other.
class Rerotation {
 public:
  Rerotation(const Angles& from, const Angles& to,
             const std::vector<uint8_t>& axes_used) noexcept
      : from_(from),
        to_(to),
        axes_used_(axes_used),
        factor_(to.frequencies.attention_factor /
                from.frequencies.attention_factor),
        equal_(from.frequencies.inv_freq == to.frequencies.inv_freq) {}

  template <class Position>
  void Fill(const PositionReader& reader,
            const AngleRowsWriter& writer) const noexcept {
    FactoredRow rows[kBatch], back[kBatch];
    int64_t factored = 0;
    for (int64_t t = 0; t < reader.count(); ++t) {
      SetInfo<Position>(reader, writer, t);
      if (Find<Position>(reader, writer, t, rows + factored, back + factored)) {
        if (++factored < kBatch) continue;
        Multiply(rows, back, factored);
        factored = 0;
      } else {
        MakeDirect<Position>(reader, writer, t);
      }
    }
    Multiply(rows, back, factored);
  }

 private:
  size_t pairs() const noexcept { return to_.frequencies.inv_freq.size(); }

  template <class Position>
  void SetInfo(const PositionReader& reader, const AngleRowsWriter& writer,
               int64_t t) const noexcept {
    const bool stays =
        equal_ ||
        std::all_of(axes_used_.begin(), axes_used_.end(), [&](uint8_t axis) {
          return reader.Get<Position>(axis, t) == 0;
        });
    writer.SetInfo(t, factor_, stays && factor_ == 1.0);
  }

  // The factors of a position that both tables hold; false where they do not.
  template <class Position>
  bool Find(const PositionReader& reader, const AngleRowsWriter& writer,
            int64_t t, FactoredRow* row, FactoredRow* back) const noexcept {
    if constexpr (std::is_same_v<Position, int64_t>) {
      const int64_t position = reader.Integer(axes_used_.front(), t);
      for (const uint8_t axis : axes_used_) {
        if (reader.Integer(axis, t) != position) return false;
      }
      if (!from_.levels.Covers(position) || !to_.levels.Covers(position)) {
        return false;
      }
      *row = to_.levels.Factors(position, 0, writer.cos(t), writer.sin(t));
      *back = from_.levels.Factors(position, 0, nullptr, nullptr);
      return true;
    }
    return false;
  }

  void Multiply(const FactoredRow* rows, const FactoredRow* back,
                int64_t count) const noexcept {
    if (count == 0) return;
    FillDifferences({rows, count, static_cast<int64_t>(pairs()),
                     to_.levels.sin_offset(), factor_},
                    back);
  }

  template <class Position>
  void MakeDirect(const PositionReader& reader, const AngleRowsWriter& writer,
                  int64_t t) const noexcept {
    float* const cos = writer.cos(t);
    float* const sin = writer.sin(t);
    for (size_t i = 0; i < pairs(); ++i) {
      const auto position = reader.Get<Position>(AxisOf(to_.frequencies, i), t);
      const CosSin to = ExactCosSin(position, to_.frequencies.inv_freq[i]);
      const CosSin from = ExactCosSin(position, from_.frequencies.inv_freq[i]);
      cos[i] =
          static_cast<float>((to.cos * from.cos + to.sin * from.sin) * factor_);
      sin[i] =
          static_cast<float>((to.sin * from.cos - to.cos * from.sin) * factor_);
    }
  }

  const Angles from_;
  const Angles to_;
  const std::vector<uint8_t>& axes_used_;
  double factor_;
  bool equal_;  // whether no pair turns
};

}  // namespace

Status ValidateRerotation(const Frequencies& from,
                          const Frequencies& to) noexcept {
  if (from.inv_freq.size() != to.inv_freq.size()) {
    return Error(StatusCode::kInvalidArgument,
                 "to has %zu pairs: must have those of from, %zu",
                 to.inv_freq.size(), from.inv_freq.size());
  }
  for (size_t i = 0; i < to.inv_freq.size(); ++i) {
    if (AxisOf(from, i) == AxisOf(to, i)) continue;
    return Error(StatusCode::kInvalidArgument,
                 "to.axis[%zu] = %d: must be that of from, %d, so that a key "
                 "has one position",
                 i, AxisOf(to, i), AxisOf(from, i));
  }
  return ValidateAttentionFactor(to.attention_factor / from.attention_factor);
}

}  // namespace internal

Status AngleTable::FillRerotation(const AngleTable& from,
                                  const Positions& positions,
                                  AngleRows* rows) const noexcept {
  internal::PositionReader reader(positions);
  ROPEWALK_RETURN_IF_ERROR(reader.Validate());
  ROPEWALK_RETURN_IF_ERROR(
      internal::ValidateRerotation(from.frequencies(), frequencies()));
  ROPEWALK_RETURN_IF_ERROR(reader.ValidateAxis(impl_->axes_used.back()));
  ROPEWALK_RETURN_IF_ERROR(
      AngleRowsWriter::Resize(rows, 0, reader.count(),
                              static_cast<int>(frequencies().inv_freq.size())));
  const internal::Rerotation rerotation(
      {from.frequencies(), from.impl_->levels}, {frequencies(), impl_->levels},
      impl_->axes_used);
  const AngleRowsWriter writer(rows);
  if (reader.is_real()) {
    rerotation.Fill<double>(reader, writer);
  } else {
    rerotation.Fill<int64_t>(reader, writer);
  }
  return Status();
}

}  // namespace ropewalk
