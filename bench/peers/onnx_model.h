// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The bytes of an ONNX model of one node: com.microsoft's RotaryEmbedding.
#pragma once
#include <string>

#include "ropewalk/types.h"

namespace ropewalk::bench {

// Inputs x [1, tokens, hidden], pos [1, tokens] of int64, cos and sin
// [positions, pairs]; output y as x. All but pos are of the type.
std::string RotaryEmbeddingModel(DataType type, Pairing pairing, int pairs);

}  // namespace ropewalk::bench
