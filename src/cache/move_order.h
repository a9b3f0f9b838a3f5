// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// In which order slots are copied to slots, so that each is read before it is
// overwritten.
#pragma once
#include <cstdint>
#include <vector>

#include "ropewalk/status.h"
#include "rotate/slot_reader.h"

namespace ropewalk::internal {

struct MoveOrder {
  // A ring of moves, each of which overwrites what the one before it has read:
  // order[begin, end). What the last one reads is overwritten by the first,
  // and must be put aside before it.
  struct Cycle {
    int64_t begin;
    int64_t end;
  };

  // Indices of the moves; those of no cycle first. Skipped ones are left out.
  std::vector<int64_t> order;
  std::vector<Cycle> cycles;
  int64_t free_moves = 0;  // of no cycle
};

// Errors: kInvalidArgument where a slot is written twice. Throws
// std::bad_alloc.
Result<MoveOrder> FindMoveOrder(const SlotReader& from, const SlotReader& to);

}  // namespace ropewalk::internal
