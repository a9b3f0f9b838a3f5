// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What both readers do with a kind of layer once its keys are read.
#pragma once
#include <string>
#include <vector>

#include "ropewalk/config.h"

namespace ropewalk::internal {

// Makes a kind of layer one that does not rotate; head_dim stays.
void RemoveRope(LayerRope* layer);

// Checks parameters and layouts by what will use them, and sets
// softmax_multiplier; warns of factors below 1. The message of an error begins
// with the kind of layer. Throws std::bad_alloc.
Status FinishLayer(LayerRope* layer, std::vector<std::string>* warnings);

// Whether query_scale.h takes a beta, and the rule that it breaks if not.
inline constexpr char kQueryBetaRule[] = "must be from 0 to 2^120";
inline bool IsQueryBeta(double beta) { return beta >= 0 && beta <= 0x1p120; }

}  // namespace ropewalk::internal
