// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// No text can become a command of gnuplot.
#include "cli/gnuplot.h"

#include <string>

#include "gtest/gtest.h"

namespace ropewalk::cli {
namespace {

TEST(CanPlotToTest, TakesSvgAndPng) {
  EXPECT_TRUE(CanPlotTo("a.svg"));
  EXPECT_TRUE(CanPlotTo("folder/a b.png"));
  EXPECT_FALSE(CanPlotTo("a.pdf"));
  EXPECT_FALSE(CanPlotTo(".svg"));
  EXPECT_FALSE(CanPlotTo("svg"));
  EXPECT_FALSE(CanPlotTo(""));
}

TEST(QuotedTest, EndsNeitherTheStringNorTheLine) {
  EXPECT_EQ(Quoted("plain"), "'plain'");
  EXPECT_EQ(Quoted("a'b"), "'a''b'");
  EXPECT_EQ(Quoted("a\nset output"), "'a?set output'");
}

TEST(SetTerminalTest, FollowsTheNameOnWhite) {
  EXPECT_EQ(SetTerminal("a.svg", 900, 450),
            "set terminal svg size 900,450 background '#ffffff'\n");
  EXPECT_EQ(SetTerminal("a.png", 900, 450),
            "set terminal pngcairo size 900,450 background '#ffffff'\n");
}

}  // namespace
}  // namespace ropewalk::cli
