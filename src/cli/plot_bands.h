// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws the wavelengths of a model's pairs.
#pragma once
#include <string>

#include "cli/inspect.h"

namespace ropewalk::cli {

// Draws one panel for each kind of layer that turns: wavelength by pair, plain
// and scaled, with lines at the original and the extended context. Returns
// what went wrong; empty: nothing.
std::string PlotBands(const ModelFacts& facts, const std::string& file);

}  // namespace ropewalk::cli
