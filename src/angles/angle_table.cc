// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <new>
#include <utility>

#include "angles/angle_rows_writer.h"
#include "angles/angle_table_impl.h"
#include "angles/position_reader.h"
#include "angles/resolve_options.h"
#include "frequencies/validate_frequencies.h"
#include "parallel/parallel_for.h"
#include "status/error.h"

namespace ropewalk {
namespace {

using internal::Error;
using internal::Levels;
using internal::RowMaker;
using internal::RowRecipe;

// A dense table of more positions than this is made from temporary levels,
// which cost Levels::kLevels * Levels::kRows directly computed rows.
constexpr int64_t kDenseFromLevels = 2 * Levels::kLevels * Levels::kRows;

// Pairs of a dense row that are made at a time.
constexpr int64_t kBlock = 256;

std::vector<uint8_t> AxesUsed(const Frequencies& frequencies) {
  std::vector<uint8_t> axes = frequencies.axis;
  if (axes.empty()) axes.push_back(0);
  std::sort(axes.begin(), axes.end());
  axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
  return axes;
}

Status ValidateBuildParallel(const Parallel& parallel) noexcept {
  if (parallel.kind() == Parallel::Kind::kShare) {
    return Error(StatusCode::kInvalidArgument,
                 "parallel = Share(%d, %d): a table is built whole, by Serial "
                 "or Tbb",
                 parallel.index(), parallel.count());
  }
  return internal::ValidateParallel(parallel);
}

// Writes one row of a dense table, whose rows have no padding.
void MakeDenseRow(const RowMaker& maker, int64_t position, int64_t pairs,
                  float* row) noexcept {
  float cos[kBlock];
  float sin[kBlock];
  for (int64_t first = 0; first < pairs; first += kBlock) {
    const int64_t count = std::min(kBlock, pairs - first);
    maker.Make(position, {first, count, cos, sin});
    std::copy(cos, cos + count, row + first);
    std::copy(sin, sin + count, row + pairs + first);
  }
}

}  // namespace

void AngleTable::Impl::CountTrig(size_t pairs) const noexcept {
  if (trig_counter == nullptr) return;
  trig_counter->fetch_add(pairs, std::memory_order_relaxed);
}

Status AngleTable::Impl::BuildLevels(Levels* built,
                                     const Parallel& parallel) const noexcept {
  const size_t pairs = frequencies.inv_freq.size();
  if (!built->Build(frequencies.inv_freq, parallel)) {
    return Error(StatusCode::kOutOfMemory,
                 "factored table of %zu pairs: no memory", pairs);
  }
  CountTrig(static_cast<size_t>(Levels::kLevels * Levels::kRows) * pairs);
  return Status();
}

Status AngleTable::Impl::BuildDense(const Parallel& parallel) noexcept {
  const int64_t pairs = static_cast<int64_t>(frequencies.inv_freq.size());
  if (pairs == 0) return Status();
  const int64_t rows = options.dense_positions;
  const size_t bytes = static_cast<size_t>(rows * 2 * pairs) * sizeof(float);
  internal::AlignedMemory memory = internal::AllocateAligned(bytes);
  if (memory == nullptr) {
    return Error(StatusCode::kOutOfMemory,
                 "dense_positions = %lld: no memory for %zu bytes",
                 static_cast<long long>(rows), bytes);
  }
  Levels temporary;
  RowRecipe recipe = AsAsked();
  if (options.mode == AngleMode::kExact && rows > kDenseFromLevels) {
    ROPEWALK_RETURN_IF_ERROR(BuildLevels(&temporary, parallel));
    recipe.levels = &temporary;
  }
  const RowMaker maker(recipe);
  float* table = reinterpret_cast<float*>(memory.get());
  const int64_t grain = 1 + 16384 / (pairs + 1);
  internal::ParallelFor(parallel, rows, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      MakeDenseRow(maker, row, pairs, table + row * 2 * pairs);
    }
  });
  dense = std::move(memory);
  dense_bytes = bytes;
  return Status();
}

Status AngleTable::Impl::BuildRows(const Parallel& parallel) noexcept {
  switch (options.kind) {
    case TableKind::kFactored:
      return BuildLevels(&levels, parallel);
    case TableKind::kDense:
      return BuildDense(parallel);
    default:
      return Status();
  }
}

Result<std::shared_ptr<const AngleTable>> AngleTable::Impl::Make(
    Frequencies frequencies, const AngleOptions& options,
    const Parallel& parallel, const TrigCounter& counter) noexcept {
  ROPEWALK_RETURN_IF_ERROR(ValidateBuildParallel(parallel));
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateFrequencies(frequencies));
  AngleOptions resolved = options;
  ROPEWALK_RETURN_IF_ERROR(internal::ResolveOptions(frequencies, &resolved));
  try {
    auto impl = std::make_unique<Impl>();
    impl->axes_used = AxesUsed(frequencies);
    impl->frequencies = std::move(frequencies);
    impl->options = resolved;
    impl->trig_counter = counter;
    ROPEWALK_RETURN_IF_ERROR(impl->BuildRows(parallel));
    if (resolved.kind == TableKind::kFactored) {
      impl->selection.Build(impl->frequencies.axis, impl->axes_used);
    }
    return std::shared_ptr<const AngleTable>(new AngleTable(std::move(impl)));
  } catch (const std::bad_alloc&) {
    return Error(StatusCode::kOutOfMemory, "angle table: no memory");
  }
}

RowRecipe AngleTable::Impl::AsAsked() const noexcept {
  RowRecipe recipe = PureRotation();
  recipe.dense = reinterpret_cast<const float*>(dense.get());
  recipe.dense_rows = dense == nullptr ? 0 : options.dense_positions;
  recipe.mode = options.mode;
  recipe.attention_factor = frequencies.attention_factor;
  if (options.mode == AngleMode::kFloat32Recurrence) {
    recipe.recurrence = &*frequencies.recurrence;
    recipe.attention_factor = double{frequencies.recurrence->attention_factor};
  }
  recipe.round_to = options.round_to;
  return recipe;
}

RowRecipe AngleTable::Impl::PureRotation() const noexcept {
  RowRecipe recipe{};
  recipe.inv_freq = &frequencies.inv_freq;
  recipe.axis = &frequencies.axis;
  recipe.axes_used = &axes_used;
  recipe.levels = &levels;
  recipe.selection = &selection;
  recipe.mode = AngleMode::kExact;
  recipe.attention_factor = 1.0;
  recipe.round_to = DataType::kF32;
  recipe.trig_counter = trig_counter.get();
  return recipe;
}

Status AngleTable::Impl::Fill(const RowRecipe& recipe,
                              const Positions& positions, AngleRows* rows,
                              int64_t first_row) const noexcept {
  internal::PositionReader reader(positions);
  ROPEWALK_RETURN_IF_ERROR(reader.Validate());
  ROPEWALK_RETURN_IF_ERROR(reader.ValidateAxis(axes_used.back()));
  ROPEWALK_RETURN_IF_ERROR(
      AngleRowsWriter::Resize(rows, first_row, reader.count(),
                              static_cast<int>(frequencies.inv_freq.size())));
  RowMaker(recipe).Fill(reader, AngleRowsWriter(rows), first_row);
  return Status();
}

AngleTable::AngleTable(std::unique_ptr<const Impl> impl) noexcept
    : impl_(std::move(impl)) {}

AngleTable::~AngleTable() = default;

Result<std::shared_ptr<const AngleTable>> AngleTable::Build(
    Frequencies frequencies, const AngleOptions& options,
    Parallel parallel) noexcept {
  return Impl::Make(std::move(frequencies), options, parallel, nullptr);
}

Status AngleTable::Fill(const Positions& positions, AngleRows* rows,
                        int64_t first_row) const noexcept {
  return impl_->Fill(impl_->AsAsked(), positions, rows, first_row);
}

Status AngleTable::FillRotation(const Positions& deltas, AngleRows* rows,
                                int64_t first_row) const noexcept {
  return impl_->Fill(impl_->PureRotation(), deltas, rows, first_row);
}

const Frequencies& AngleTable::frequencies() const noexcept {
  return impl_->frequencies;
}

const AngleOptions& AngleTable::options() const noexcept {
  return impl_->options;
}

size_t AngleTable::bytes() const noexcept {
  return impl_->levels.bytes() + impl_->dense_bytes + impl_->selection.bytes() +
         sizeof(Impl) + impl_->frequencies.inv_freq.size() * sizeof(double) +
         impl_->frequencies.axis.size();
}

}  // namespace ropewalk
