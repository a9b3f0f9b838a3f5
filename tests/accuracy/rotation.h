// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Errors of a rotation on the active target.
#pragma once
#include "accuracy/batch.h"
#include "accuracy/errors.h"
#include "ropewalk/angle_rows.h"
#include "ropewalk/types.h"

namespace ropewalk::test {

struct RotationErrors {
  ErrorCount length;  // in ulp of the type at the pair's length
  ErrorCount larger;  // in ulp at m times its larger input member; f32 only
};

// Rotates the pairs in place by rows whose factor is m. Throws
// std::runtime_error where the library refuses.
RotationErrors MeasureRotation(const AngleRows& rows,
                               const RotaryLayout& layout,
                               const TypedPairs& typed, double m);

}  // namespace ropewalk::test
