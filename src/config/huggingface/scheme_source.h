// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What the readers of single schemes share.
#pragma once
#include <cstdint>

#include "config/huggingface/rope_scaling.h"

namespace ropewalk::internal {

// The dicts and the places of the model: where original lengths may stand.
Places DictsAndModel(const SchemeSource& source);

// A scheme cannot do without it; the error names key and scheme.
double RequirePositive(const SchemeSource& source, const Names& names,
                       KeyReader* reader);
int64_t RequireMaxPositions(const SchemeSource& source, KeyReader* reader);
int64_t RequireOriginalPositions(const SchemeSource& source, KeyReader* reader);

// yarn and deepseek_yarn; the caller knows which of the schemes it wants.
Scaling ReadYarn(const SchemeSource& source, KeyReader* reader);

}  // namespace ropewalk::internal
