// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What a pairing is called in text, in JSON and in pictures.
#pragma once
#include "ropewalk/types.h"

namespace ropewalk::cli {

inline const char* PairingName(Pairing pairing) {
  return pairing == Pairing::kHalf ? "half" : "interleaved";
}

}  // namespace ropewalk::cli
