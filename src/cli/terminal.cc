// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace ropewalk::cli {

int Fail(std::string_view message) {
  std::fprintf(stderr, "ropewalk: %s\n", Printable(message).c_str());
  return kFailed;
}

int FailBroken() {
  std::fprintf(stderr, "ropewalk: an error is above its limit\n");
  return kBroken;
}

std::string Printable(std::string_view text) {
  std::string printable(text);
  for (size_t i = 0; i < printable.size(); ++i) {
    const auto byte = static_cast<unsigned char>(printable[i]);
    // C1 controls are U+0080 to U+009F: in UTF-8, C2 and a byte below A0.
    const bool c1 = byte == 0xC2 && i + 1 < printable.size() &&
                    static_cast<unsigned char>(printable[i + 1]) < 0xA0;
    if (byte < 0x20 || byte == 0x7F || c1) printable[i] = '?';
    if (c1) printable[i + 1] = '?';
  }
  return printable;
}

std::string Number(double value) {
  char text[32] = "";
  for (const int digits : {9, 15, 16, 17}) {
    std::snprintf(text, sizeof(text), "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value) break;
  }
  return text;
}

std::string Ranges(const std::vector<int>& increasing) {
  std::string text;
  for (size_t i = 0; i < increasing.size();) {
    size_t end = i + 1;
    while (end < increasing.size() &&
           increasing[end] == increasing[end - 1] + 1) {
      ++end;
    }
    if (!text.empty()) text += ", ";
    text += std::to_string(increasing[i]);
    if (end > i + 1) text += "-" + std::to_string(increasing[end - 1]);
    i = end;
  }
  return text;
}

}  // namespace ropewalk::cli
