// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The growth of YaRN's attention factor; the readers of model files need it as
// well as the schemes, from a library of their own, so that it is exported.
#pragma once
#include "ropewalk/export.h"

namespace ropewalk::internal {

// 1 + 0.1 k ln(s) for s > 1, else 1.
// Source: Peng et al. 2023, arXiv:2309.00071, eq. 22; k is DeepSeek's mscale.
ROPEWALK_EXPORT double YarnMagnitude(double s, double k) noexcept;

}  // namespace ropewalk::internal
