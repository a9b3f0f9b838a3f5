// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Angles: the immutable table of one set of frequencies, and the manager that
// shares tables.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "ropewalk/angle_rows.h"
#include "ropewalk/export.h"
#include "ropewalk/frequencies.h"
#include "ropewalk/parallel.h"
#include "ropewalk/positions.h"
#include "ropewalk/scaling.h"
#include "ropewalk/status.h"
#include "ropewalk/types.h"

namespace ropewalk {

/// How an angle and its cos and sin are rounded.
enum class AngleMode : uint8_t {
  /// position * inv_freq without rounding; cos and sin rounded once.
  kExact = 0,
  /// inv_freq, position and their product each rounded to float32: the
  /// arithmetic of HF transformers and vLLM.
  kFloat32 = 1,
  /// ggml's running product over the pairs: only from GgmlScaling, and exact
  /// about the order and rounding of its operations. cos and sin themselves
  /// are rounded correctly, which libm's float32 ones may not be.
  kFloat32Recurrence = 2,
};

/// What a table keeps.
enum class TableKind : uint8_t {
  kAuto = 0,      ///< kFactored, or kDirect where angles do not add.
  kFactored = 1,  ///< Three levels of 1024 rows: every |position| < 2^30.
  kDense = 2,     ///< float32 rows of positions 0 to dense_positions - 1.
  kDirect = 3,    ///< Nothing: every row is computed when it is asked for.
};

struct AngleOptions {
  AngleMode mode = AngleMode::kExact;
  TableKind kind = TableKind::kAuto;
  /// Rows of a dense table; beyond it rows are computed directly.
  int64_t dense_positions = 0;
  /// Rounds cos and sin to bf16 or f16, for parity with engines that store
  /// them so.
  DataType round_to = DataType::kF32;
};

/// The angles of one set of frequencies: immutable, shared by layers,
/// sequences and threads, without a largest position.
class AngleTable {
 public:
  /// Builds a table.
  ///
  /// Requires:  parallel is Serial() or Tbb(): a table is built whole.
  /// Errors:    kInvalidArgument: frequencies that break their rules, an
  ///            unknown enum value, kFactored with a mode whose angles do
  ///            not add, kDense without positive dense_positions, a Share.
  ///            kUnsupported: kFloat32Recurrence of frequencies
  ///            without a recurrence. kOutOfRange, kOutOfMemory.
  ROPEWALK_EXPORT static Result<std::shared_ptr<const AngleTable>> Build(
      Frequencies frequencies, const AngleOptions& options = AngleOptions{},
      Parallel parallel = Parallel::Serial()) noexcept;
  ROPEWALK_EXPORT ~AngleTable();

  /// Writes one row a position, attention_factor included.
  ///
  /// Shape:     rows before first_row are kept, and rows->rows() becomes
  ///            first_row + count: several tables can fill one batch.
  /// Requires:  first_row <= rows->rows(); the same pairs() as the rows kept.
  /// Accuracy:  kExact: cos and sin within 0.5 ulp of m cos(position *
  ///            inv_freq) plus m 2^-40, at any position; m 2^-50 where the
  ///            row is computed directly. The inv_freq are taken as exact.
  /// Errors:    kInvalidArgument: a NaN or Inf position, fewer components
  ///            than the axes need, null rows, first_row out of range, other
  ///            pairs() than the rows kept. kOutOfRange, kOutOfMemory. On an
  ///            error the rows are as they were.
  /// Threads:   safe; takes no lock; allocates only while rows grow past the
  ///            largest step so far.
  ROPEWALK_EXPORT Status Fill(const Positions& positions, AngleRows* rows,
                              int64_t first_row = 0) const noexcept;

  /// As Fill, but exact pure rotations (factor 1, unrounded) whatever the
  /// options: for shifts by deltas of position.
  ROPEWALK_EXPORT Status FillRotation(const Positions& deltas, AngleRows* rows,
                                      int64_t first_row = 0) const noexcept;

  /// Writes rows that take keys from the angles and the attention factor of
  /// another table to those of this one, for Rerotate().
  ///
  /// Shape:     one row a position: where each key stands.
  /// Requires:  both tables have as many pairs, on the same axes.
  /// Accuracy:  the exact difference of both angles, whatever the options
  ///            round; as FillRotation. The quotient of the factors is in it.
  /// Errors:    as Fill; kInvalidArgument: other pairs or axes.
  /// Threads:   as Fill. Factored tables make it 20 to 80 times faster where a
  ///            token has one position on all axes.
  ROPEWALK_EXPORT Status FillRerotation(const AngleTable& from,
                                        const Positions& positions,
                                        AngleRows* rows) const noexcept;

  /// Writes the classical table of positions first to first + count - 1.
  /// Every axis takes the same position.
  ///
  /// Shape:     out.rows = count, out.pairs = the number of pairs.
  /// Accuracy:  the bits of Fill, rounded once more to out.type.
  /// Errors:    as Fill; on an error nothing has been written.
  ROPEWALK_EXPORT Status
  Export(int64_t first, int64_t count, const CosSinView& out,
         Parallel parallel = Parallel::Serial()) const noexcept;

  ROPEWALK_EXPORT const Frequencies& frequencies() const noexcept;
  /// The options, with the kind that kAuto chose.
  ROPEWALK_EXPORT const AngleOptions& options() const noexcept;
  /// Memory of the table.
  ROPEWALK_EXPORT size_t bytes() const noexcept;

 private:
  friend class AngleCache;
  struct Impl;
  explicit AngleTable(std::unique_ptr<const Impl> impl) noexcept;
  std::unique_ptr<const Impl> impl_;
};

struct AngleCacheOptions {
  size_t memory_limit = size_t{256} << 20;  ///< Bytes.
};

struct AngleCacheStats {
  size_t tables;  ///< Alive: kept by the cache or held by a caller.
  size_t bytes;   ///< Of those tables.
  size_t hits;
  size_t misses;
  size_t evictions;         ///< Tables freed for the limit.
  size_t trig_evaluations;  ///< Pairs of cos and sin, by all its tables.
};

/// Shares one immutable table per distinct set of frequencies and options.
/// Owned by the engine: there are no globals.
///
/// bytes() may exceed the limit only by tables that somebody holds; such a
/// table is still shared, and freed when the last holder lets go.
///
/// Threads:   safe.
class AngleCache {
 public:
  ROPEWALK_EXPORT explicit AngleCache(
      const AngleCacheOptions& options) noexcept;
  ROPEWALK_EXPORT ~AngleCache();
  AngleCache(const AngleCache&) = delete;
  AngleCache& operator=(const AngleCache&) = delete;

  /// Finds the table, or builds it; never fails for the memory limit.
  ///
  /// Errors:    those of ComputeFrequencies and AngleTable::Build.
  ROPEWALK_EXPORT Result<std::shared_ptr<const AngleTable>> Get(
      const RopeParameters& parameters, int64_t sequence_length,
      const AngleOptions& options) noexcept;
  ROPEWALK_EXPORT Result<std::shared_ptr<const AngleTable>> Get(
      const Frequencies& frequencies, const AngleOptions& options) noexcept;

  ROPEWALK_EXPORT AngleCacheStats stats() const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ropewalk
