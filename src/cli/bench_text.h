// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The tables of `ropewalk bench`, line by line as they are measured.
#pragma once
#include <string>

#include "cli/bench_results.h"

namespace ropewalk::cli {

class BenchText {
 public:
  // A silent one prints nothing.
  BenchText(bool silent, int target_width)
      : silent_(silent), width_(target_width) {}

  void BufferHead() const;
  // The results of one line: as many as there are sizes.
  void BufferRow(const RotateResult* results) const;
  void CallHead() const;
  void CallRow(const RotateResult& result) const;
  void FillHead() const;
  void FillRow(const FillResult& result) const;
  void MulAddHead() const;
  void MulAddRow(const MulAddResult& result) const;
  void End() const;

 private:
  bool silent_;
  int width_;
};

}  // namespace ropewalk::cli
