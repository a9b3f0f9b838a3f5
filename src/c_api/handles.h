// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What the opaque types of the C interface are.
#pragma once
#include <memory>

#include "ropewalk/angle_rows.h"
#include "ropewalk/angles.h"
#include "ropewalk/c/angles.h"
#include "ropewalk/c/multimodal_positions.h"
#include "ropewalk/frequencies.h"
#include "ropewalk/multimodal_positions.h"

struct ropewalk_frequencies {
  ropewalk::Frequencies value;
};

struct ropewalk_angle_rows {
  ropewalk::AngleRows value;
};

struct ropewalk_angle_table {
  std::shared_ptr<const ropewalk::AngleTable> value;
};

struct ropewalk_angle_cache {
  ropewalk::AngleCache value;
};

struct ropewalk_multimodal_positions {
  ropewalk::MultimodalPositions value;
};
