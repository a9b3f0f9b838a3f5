// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Who does the work of a call. Results are bit-identical for every way of
// splitting it.
#pragma once
#include <cstdint>

namespace ropewalk {

/// The threads a call may use.
class Parallel {
 public:
  /// The calling thread only; the default everywhere.
  static constexpr Parallel Serial() { return Parallel(Kind::kSerial, 0, 1); }

  /// The calling thread for small work, else oneTBB in the caller's arena.
  /// Serial in a build without oneTBB. The first call starts oneTBB, which
  /// allocates, and ends the process where it cannot.
  static constexpr Parallel Tbb() { return Parallel(Kind::kTbb, 0, 1); }

  /// Only share `index` of `count`, for the host's own threads: each calls
  /// the same function with its own index, and the host joins them. Every
  /// share validates alike, so all fail or none does; but a share that
  /// returns kOutOfMemory has done nothing, whatever the others did, and can
  /// be called again.
  ///
  /// Requires:  0 <= index < count; the call reports a violation.
  static constexpr Parallel Share(int index, int count) {
    return Parallel(Kind::kShare, index, count);
  }

  enum class Kind : uint8_t { kSerial = 0, kTbb = 1, kShare = 2 };
  constexpr Kind kind() const { return kind_; }
  constexpr int index() const { return index_; }
  constexpr int count() const { return count_; }

 private:
  constexpr Parallel(Kind kind, int index, int count)
      : index_(index), count_(count), kind_(kind) {}

  int index_;
  int count_;
  Kind kind_;
};

}  // namespace ropewalk
