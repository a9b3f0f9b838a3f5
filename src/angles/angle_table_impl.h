// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What an AngleTable holds.
#pragma once
#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "angles/aligned_memory.h"
#include "angles/axis_selection.h"
#include "angles/levels.h"
#include "angles/row_maker.h"
#include "ropewalk/angles.h"

namespace ropewalk {

struct AngleTable::Impl {
  // Counts pairs of cos and sin; null: nobody counts.
  using TrigCounter = std::shared_ptr<std::atomic<size_t>>;

  static Result<std::shared_ptr<const AngleTable>> Make(
      Frequencies frequencies, const AngleOptions& options,
      const Parallel& parallel, const TrigCounter& counter) noexcept;

  // Rows as the options say, or exact, unscaled and unrounded ones.
  internal::RowRecipe AsAsked() const noexcept;
  internal::RowRecipe PureRotation() const noexcept;

  Status Fill(const internal::RowRecipe& recipe, const Positions& positions,
              AngleRows* rows, int64_t first_row) const noexcept;

  Frequencies frequencies;
  AngleOptions options;  // resolved
  std::vector<uint8_t> axes_used;
  internal::Levels levels;
  internal::AxisSelection selection;  // of the levels' pairs
  internal::AlignedMemory dense;
  size_t dense_bytes = 0;
  TrigCounter trig_counter;

 private:
  Status BuildLevels(internal::Levels* built,
                     const Parallel& parallel) const noexcept;
  Status BuildDense(const Parallel& parallel) noexcept;
  Status BuildRows(const Parallel& parallel) noexcept;
  void CountTrig(size_t pairs) const noexcept;
};

}  // namespace ropewalk
