// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Rows whose pairs follow several axes: RowMaker's part of M-RoPE and vision.
#include <algorithm>
#include <utility>

#include "angles/row_maker.h"

namespace ropewalk::internal {
namespace {

// Rows whose factors are looked up before any is multiplied.
constexpr int64_t kBatch = 32;

// Pairs of a row that are chosen from several axes at a time.
constexpr int64_t kSelectBlock = 256;

}  // namespace

// A row of every axis in turn, as far as its pairs go, of which each pair takes
// its own: so the bits are those of one axis.
template <class Position>
void RowMaker::MakeSelected(const PositionReader& reader, int64_t token,
                            const RowSpan& span) const noexcept {
  float cos[kSelectBlock];
  float sin[kSelectBlock];
  const uint8_t* axis_of = recipe_.axis->data() + span.first_pair;
  for (const uint8_t axis : *recipe_.axes_used) {
    int64_t begin = 0;
    int64_t end = span.count;
    while (begin < end && axis_of[begin] != axis) ++begin;
    while (begin < end && axis_of[end - 1] != axis) --end;
    if (begin == end) continue;
    begin -= begin % kFactorUnit;
    Make(reader.Get<Position>(axis, token),
         {span.first_pair + begin, end - begin, cos + begin, sin + begin});
    for (int64_t i = begin; i < end; ++i) {
      if (axis_of[i] != axis) continue;
      span.cos[i] = cos[i];
      span.sin[i] = sin[i];
    }
  }
}

// Whether the token has one position on all axes, such as text.
template <class Position>
bool RowMaker::AxesAgree(const PositionReader& reader,
                         int64_t token) const noexcept {
  const std::vector<uint8_t>& axes = *recipe_.axes_used;
  const auto first = reader.Get<Position>(axes.front(), token);
  return std::all_of(axes.begin(), axes.end(), [&](uint8_t axis) {
    return reader.Get<Position>(axis, token) == first;
  });
}

template <class Position>
void RowMaker::MakeAxesRow(const PositionReader& reader, int64_t token,
                           const AngleRowsWriter& writer,
                           int64_t row) const noexcept {
  if (AxesAgree<Position>(reader, token)) {
    return Make(reader.Get<Position>(recipe_.axes_used->front(), token),
                {0, pairs(), writer.cos(row), writer.sin(row)});
  }
  for (int64_t pair = 0; pair < pairs(); pair += kSelectBlock) {
    MakeSelected<Position>(reader, token,
                           {pair, std::min(kSelectBlock, pairs() - pair),
                            writer.cos(row) + pair, writer.sin(row) + pair});
  }
}

template <class Position>
void RowMaker::SetAxesInfo(const PositionReader& reader, int64_t token,
                           const AngleRowsWriter& writer,
                           int64_t row) const noexcept {
  const double factor = recipe_.attention_factor;
  const bool zero =
      reader.Get<Position>(recipe_.axes_used->front(), token) == 0;
  writer.SetInfo(row, factor,
                 zero && static_cast<float>(factor) == 1.0f &&
                     AxesAgree<Position>(reader, token));
}

// The factors on every axis; false where a position is not covered. Sets
// whether the axes agree.
bool RowMaker::FindFactors(const PositionReader& reader, int64_t token,
                           float* cos, float* sin, FactoredRow* rows,
                           bool* agree) const noexcept {
  const std::vector<uint8_t>& axes = *recipe_.axes_used;
  const int64_t first = reader.Integer(axes.front(), token);
  *agree = true;
  bool three = false;
  for (size_t i = 0; i < axes.size(); ++i) {
    const int64_t position = reader.Integer(axes[i], token);
    if (!InLevels(position)) return false;
    rows[i] = recipe_.levels->Factors(position, 0, cos, sin);
    *agree = *agree && position == first;
    three =
        three || rows[i].c != nullptr || rows[i].negative != rows[0].negative;
  }
  for (size_t i = 0; three && !*agree && i < axes.size(); ++i) {
    if (rows[i].c == nullptr) rows[i].c = recipe_.levels->Third();
  }
  return true;
}

void RowMaker::MultiplyChosen(const FactoredRow* rows,
                              int64_t count) const noexcept {
  if (count == 0) return;
  FillChosen({rows, count, pairs(), recipe_.levels->sin_offset(),
              recipe_.attention_factor},
             recipe_.selection->choice());
  const auto axes = static_cast<int64_t>(recipe_.axes_used->size());
  for (int64_t r = 0; r < count * axes; r += axes) {
    Round(rows[r].cos, pairs());
    Round(rows[r].sin, pairs());
  }
}

void RowMaker::FillFactoredAxes(const PositionReader& reader,
                                const AngleRowsWriter& writer,
                                int64_t first_row) const noexcept {
  FactoredRow text[kBatch], batch[kBatch * kMaxFactorAxes];
  const auto axes = static_cast<int64_t>(recipe_.axes_used->size());
  const double factor = recipe_.attention_factor;
  const bool unscaled = static_cast<float>(factor) == 1.0f;
  int64_t texts = 0;
  int64_t others = 0;
  for (int64_t t = 0; t < reader.count(); ++t) {
    const int64_t row = first_row + t;
    FactoredRow* const rows = batch + others * axes;
    bool agree;
    if (!FindFactors(reader, t, writer.cos(row), writer.sin(row), rows,
                     &agree)) {
      writer.SetInfo(row, factor, false);  // some position is far from 0
      MakeAxesRow<int64_t>(reader, t, writer, row);
      continue;
    }
    const bool zero =
        agree && reader.Integer(recipe_.axes_used->front(), t) == 0;
    writer.SetInfo(row, factor, zero && unscaled);
    if (agree) {
      text[texts++] = rows[0];
    } else {
      ++others;
    }
    if (texts == kBatch) Multiply(text, std::exchange(texts, 0), pairs());
    if (others == kBatch) MultiplyChosen(batch, std::exchange(others, 0));
  }
  Multiply(text, texts, pairs());
  MultiplyChosen(batch, others);
}

template <class Position>
void RowMaker::FillAxesRows(const PositionReader& reader,
                            const AngleRowsWriter& writer,
                            int64_t first_row) const noexcept {
  for (int64_t t = 0; t < reader.count(); ++t) {
    SetAxesInfo<Position>(reader, t, writer, first_row + t);
    MakeAxesRow<Position>(reader, t, writer, first_row + t);
  }
}

void RowMaker::FillManyAxes(const PositionReader& reader,
                            const AngleRowsWriter& writer,
                            int64_t first_row) const noexcept {
  if (reader.is_real()) return FillAxesRows<double>(reader, writer, first_row);
  return recipe_.selection->built()
             ? FillFactoredAxes(reader, writer, first_row)
             : FillAxesRows<int64_t>(reader, writer, first_row);
}

}  // namespace ropewalk::internal
