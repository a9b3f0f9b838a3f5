// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Positions of every kind from a fuzzer's bytes, and the shadow of their rules.
#pragma once
#include <cstdint>
#include <vector>

#include "fuzz/draw.h"
#include "fuzz/sized.h"
#include "fuzz/verdict.h"
#include "ropewalk/c/positions.h"

namespace ropewalk::fuzz {

class DrawnPositions {
 public:
  // Ids from 0 to `most`, mostly; components 1, mostly, where only one is used.
  DrawnPositions(Draw* draw, int64_t most, bool only_one);

  const ropewalk_positions* get() const { return c_.get(); }
  const Verdict& verdict() const { return verdict_; }
  int32_t components() const { return c_.value().components; }
  bool is_real() const { return c_.value().kind == ROPEWALK_POSITIONS_DOUBLE; }
  // So many tokens, if the verdict is good; more than kMany are not kept.
  static constexpr int64_t kMany = 1 << 20;
  int64_t count() const { return count_; }
  // Of component 0; exact, but of reals.
  int64_t Integer(int64_t token) const;
  double Real(int64_t token) const;
  // Whether one of component 0 is below 0. Requires: the verdict is good, and
  // !is_real().
  bool HasNegative() const;

 private:
  void DrawIds(Draw* draw, int64_t most, ropewalk_positions* positions);
  void JudgeIds(const ropewalk_positions& positions);
  void JudgeRuns(const ropewalk_positions& positions);

  std::vector<int32_t> int32_;
  std::vector<int64_t> int64_;
  std::vector<double> real_;
  size_t first_ = 0;  // of the array: where the first token's id is
  int64_t count_ = 0;
  Sized<ropewalk_positions> c_;
  Verdict verdict_;
};

}  // namespace ropewalk::fuzz
