// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What is printed of a file cannot steer the terminal, and numbers read back.
#include "cli/terminal.h"

#include <cstdlib>
#include <string>

#include "gtest/gtest.h"

namespace ropewalk::cli {
namespace {

TEST(PrintableTest, ReplacesControlCharactersOnly) {
  EXPECT_EQ(Printable("rope_theta = 1e6"), "rope_theta = 1e6");
  EXPECT_EQ(Printable("a\x1b[31mb\n\tc\x7f"), "a?[31mb??c?");
  EXPECT_EQ(Printable(std::string("a\0b", 3)), "a?b");
  // U+009B, which some terminals take as ESC [; and U+00E9, which is a letter.
  EXPECT_EQ(Printable("\xC2\x9B"
                      "31m"),
            "??31m");
  EXPECT_EQ(Printable("caf\xC3\xA9"), "caf\xC3\xA9");
}

TEST(NumberTest, ReadsBackAsTheSame) {
  for (const double value : {1.0, 0.1, 500000.0, 1e6, 999999.4420358813,
                             1.3465735902799727, 1.0 / 3, 0x1p-60, 1e300}) {
    EXPECT_EQ(std::strtod(Number(value).c_str(), nullptr), value);
  }
  EXPECT_EQ(Number(1e6), "1000000");
  EXPECT_EQ(Number(0.1), "0.1");
  EXPECT_EQ(Number(999999.4420358813), "999999.4420358813");
}

TEST(RangesTest, JoinsNeighbours) {
  EXPECT_EQ(Ranges({}), "");
  EXPECT_EQ(Ranges({3}), "3");
  EXPECT_EQ(Ranges({0, 1, 2, 4, 6, 7}), "0-2, 4, 6-7");
}

}  // namespace
}  // namespace ropewalk::cli
