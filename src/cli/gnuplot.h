// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs gnuplot. What is drawn is not known here.
#pragma once
#include <string>
#include <string_view>

namespace ropewalk::cli {

// Whether the name ends in .svg or .png.
bool CanPlotTo(const std::string& file);

// The text as a string of gnuplot.
std::string Quoted(std::string_view text);

// Chooses what the file's name asks for, on white: pictures lie on dark pages
// too.
std::string SetTerminal(const std::string& file, int width, int height);

// Why nothing can be drawn to the file, before anything is computed for it;
// empty: it can. Makes the file, but leaves one that is there alone.
std::string CheckPlot(const std::string& file);

// Returns what went wrong; empty: nothing.
std::string RunGnuplot(const std::string& script, const std::string& file);

}  // namespace ropewalk::cli
