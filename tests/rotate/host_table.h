// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A host's own cos/sin table in guarded memory, and what rows made of its
// numbers do, one head at a time.
#pragma once
#include <cstdint>
#include <vector>

#include "ropewalk/angle_rows.h"
#include "ropewalk/rotate.h"
#include "support/guarded_buffer.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"
#include "support/table_layout.h"

namespace ropewalk::test {

struct HostTableSpec {
  TableLayout layout = TableLayout::kCosSin;
  DataType type = DataType::kF32;
  int64_t rows = 1;
  int pairs = 1;
  int heads = 1;
  bool heads_outside = false;  // [heads][rows] in memory, or [rows][heads]
};

// cos and sin independent of each other, as FoPE's are: from -0.7 to 0.7, so
// that no result is past the binade of a rotation's. The last element of each
// array lies at the end of memory.
class HostTable {
 public:
  HostTable(const HostTableSpec& spec, Random* random);

  const ConstCosSinView& view() const { return view_; }

  // The numbers of the rows at these positions, of one head: rows that own
  // them, and the oracle's.
  Step StepOf(int head, const std::vector<int64_t>& positions) const;

  // Turns each head of a tensor by the rows of its own row head, in a call of
  // its own: what a call with rows of all heads has to give.
  void RotateHeadByHead(const std::vector<int64_t>& positions,
                        const RotaryLayout& layout,
                        const RotateOptions& options,
                        const HeadsView& view) const;

  // Makes a row of one head turn nothing.
  void MakeIdentity(int64_t row, int head);

 private:
  void Store(int64_t row, int head, int pair, double cos, double sin);
  double Load(const void* array, int64_t row, int head, int pair) const;

  HostTableSpec spec_;
  GuardedBuffer first_;   // cos, or both
  GuardedBuffer second_;  // sin where it is an array of its own
  ConstCosSinView view_;
};

}  // namespace ropewalk::test
