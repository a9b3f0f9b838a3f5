// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Rows that are given back, and tables that all inputs share.
#pragma once
#include <cstdint>
#include <vector>

#include "fuzz/draw.h"
#include "ropewalk/c/angles.h"
#include "support/c_handles.h"

namespace ropewalk::fuzz {

using Frequencies = test::CFrequencies;
using Table = test::CTable;

class Rows {
 public:
  Rows() { ropewalk_angle_rows_create(&rows_, nullptr); }
  ~Rows() { ropewalk_angle_rows_destroy(rows_); }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;
  ropewalk_angle_rows* get() const { return rows_; }

 private:
  ropewalk_angle_rows* rows_ = nullptr;
};

// Tables of few pairs, of every kind; their frequencies are below 1 / 2.
class Tables {
 public:
  static const Tables& Get();

  // Rarely null.
  const ropewalk_angle_table* Draw(fuzz::Draw* draw) const;
  // 0 of null.
  int64_t PairsOf(const ropewalk_angle_table* table) const;

 private:
  Tables();

  std::vector<Table> tables_;
  std::vector<int64_t> pairs_;
};

}  // namespace ropewalk::fuzz
