// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws the wavelengths of a model's pairs with gnuplot.
#pragma once
#include <string>

#include "cli/inspect.h"

namespace ropewalk::cli {

// Whether the name ends in .svg or .png.
bool CanPlotTo(const std::string& file);

// Draws one panel for each kind of layer that turns: wavelength by pair, plain
// and scaled, with lines at the original and the extended context. Returns
// what went wrong; empty: nothing.
std::string Plot(const ModelFacts& facts, const std::string& file);

}  // namespace ropewalk::cli
