// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// From the tensors of a call to the jobs of the kernels.
#pragma once
#include "ropewalk/export.h"
#include "ropewalk/head_transform.h"
#include "ropewalk/rotate.h"
#include "ropewalk/types.h"
#include "rotate/rows.h"

namespace ropewalk::internal {

// How heads are turned, whatever tensors they are in.
struct Turning {
  // Whether a head in place can become another.
  bool changes() const noexcept {
    return transform != nullptr || layout->rotary_dim != 0;
  }

  const AngleRows* rows;
  const RotaryLayout* layout;
  const HeadTransform* transform;  // null: none
  Direction direction;
};

// Borrows everything.
Turning MakeTurning(const AngleRows& rows, const RotaryLayout& layout,
                    const HeadTransform& transform,
                    Direction direction) noexcept;

// The view as the kernels take it; they never write through it.
ROPEWALK_EXPORT HeadsView Unconst(const ConstHeadsView& view) noexcept;

// Whether both are the same elements in the same order.
bool SameMemory(const HeadsView& in, const HeadsView& out) noexcept;

// The job of one tensor. Valid tensors of one shape.
RowsJob MakeJob(const Turning& turning, const HeadsView& in,
                const HeadsView& out) noexcept;

// Whether the heads of `next` can follow those of the job's tensors. A job
// without tokens takes no other: its heads may be any number.
bool Joins(const RowsJob& job, const HeadsView& next) noexcept;

// Whether one look tells that the calling thread does all of the work: of a
// decode step, with whatever Parallel but Share. False: the jobs' grain tells.
bool StaysOnThread(const Parallel& parallel, int64_t heads,
                   int head_dim) noexcept;

}  // namespace ropewalk::internal
