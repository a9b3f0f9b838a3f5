// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What commands say to people: errors, numbers, and text that comes from files.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace ropewalk::cli {

// Exit codes of the program.
inline constexpr int kFine = 0;
inline constexpr int kBroken = 1;
inline constexpr int kFailed = 2;

// Prints an error to stderr. Returns kFailed.
int Fail(std::string_view message);

// The same for a bound that was measured and does not hold. Returns kBroken.
int FailBroken();

// The text without its control characters: a model file must not steer the
// terminal.
std::string Printable(std::string_view text);

// The shortest of the usual forms that reads back as the same number.
std::string Number(double value);

// "0-4, 6, 8-11".
std::string Ranges(const std::vector<int>& increasing);

}  // namespace ropewalk::cli
