// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The caller's own frequencies.
#pragma once
#include "ropewalk/scaling.h"

namespace ropewalk::internal {

// Takes the list over. rotary_dim 0 means twice its length; base plays no
// part. Throws std::bad_alloc.
Result<Frequencies> FrequenciesOfList(const RopeParameters& parameters,
                                      const ExplicitFrequencies& list);

}  // namespace ropewalk::internal
