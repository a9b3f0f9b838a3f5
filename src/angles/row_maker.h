// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Turns positions into float32 rows by what a table keeps: its levels, its
// dense rows, or nothing.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "angles/angle_rows_writer.h"
#include "angles/axis_selection.h"
#include "angles/levels.h"
#include "angles/position_reader.h"
#include "ropewalk/angles.h"

namespace ropewalk::internal {

// All that decides a row's bits. Borrows everything.
struct RowRecipe {
  const std::vector<double>* inv_freq;
  const std::vector<uint8_t>* axis;       // of each pair; empty: component 0
  const std::vector<uint8_t>* axes_used;  // each once, ascending
  const Float32Recurrence* recurrence;    // of kFloat32Recurrence only
  const Levels* levels;
  const AxisSelection* selection;  // of several axes; may not be built
  const float* dense;  // [dense_rows][cos pairs | sin pairs], rounded already
  int64_t dense_rows;
  AngleMode mode;
  double attention_factor;
  DataType round_to;
  std::atomic<size_t>* trig_counter;  // null: nobody counts
};

// Two arrays of the same pairs. There is room for a multiple of kFactorUnit.
struct RowSpan {
  int64_t first_pair;  // a multiple of kFactorUnit
  int64_t count;
  float* cos;
  float* sin;
};

class RowMaker {
 public:
  explicit RowMaker(const RowRecipe& recipe) noexcept : recipe_(recipe) {}

  // Part of the row of one position, on every axis.
  void Make(int64_t position, const RowSpan& span) const noexcept;
  void Make(double position, const RowSpan& span) const noexcept;

  // A row each token from first_row on.
  void Fill(const PositionReader& reader, const AngleRowsWriter& writer,
            int64_t first_row) const noexcept;

 private:
  int64_t pairs() const noexcept {
    return static_cast<int64_t>(recipe_.inv_freq->size());
  }
  template <class Position>
  void FillOneAxis(const PositionReader& reader, int axis,
                   const AngleRowsWriter& writer,
                   int64_t first_row) const noexcept;
  void FillManyAxes(const PositionReader& reader, const AngleRowsWriter& writer,
                    int64_t first_row) const noexcept;
  template <class Position>
  void FillAxesRows(const PositionReader& reader, const AngleRowsWriter& writer,
                    int64_t first_row) const noexcept;
  void FillFactoredAxes(const PositionReader& reader,
                        const AngleRowsWriter& writer,
                        int64_t first_row) const noexcept;
  bool FindFactors(const PositionReader& reader, int64_t token, float* cos,
                   float* sin, FactoredRow* rows, bool* agree) const noexcept;
  template <class Position>
  bool AxesAgree(const PositionReader& reader, int64_t token) const noexcept;
  template <class Position>
  void SetAxesInfo(const PositionReader& reader, int64_t token,
                   const AngleRowsWriter& writer, int64_t row) const noexcept;
  template <class Position>
  void MakeAxesRow(const PositionReader& reader, int64_t token,
                   const AngleRowsWriter& writer, int64_t row) const noexcept;
  template <class Position>
  void MakeSelected(const PositionReader& reader, int64_t token,
                    const RowSpan& span) const noexcept;
  template <class Position>
  void MakeDirect(Position position, const RowSpan& span) const noexcept;
  template <class Position>
  void MakeExact(Position position, const RowSpan& span) const noexcept;
  void MakeFloat32(float position, const RowSpan& span) const noexcept;
  void MakeRecurrence(float position, const RowSpan& span) const noexcept;
  void MakeWithoutLevels(int64_t position, const RowSpan& span) const noexcept;
  void CopyDense(int64_t position, const RowSpan& span) const noexcept;
  bool InLevels(int64_t position) const noexcept {
    return recipe_.levels != nullptr && recipe_.levels->Covers(position);
  }
  void Multiply(const FactoredRow* rows, int64_t count,
                int64_t pairs) const noexcept;
  void MultiplyChosen(const FactoredRow* rows, int64_t count) const noexcept;
  void Round(float* values, int64_t count) const noexcept;

  RowRecipe recipe_;
};

}  // namespace ropewalk::internal
