// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The picture of a roofline. Colours tell sizes, of the roofs and of the points
// alike; marks tell types, filled ones half pairing.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include "cli/gnuplot.h"
#include "cli/pairing_name.h"
#include "cli/roofline.h"
#include "cli/terminal.h"

namespace ropewalk::cli {
namespace {

constexpr int kWidth = 1200;
constexpr int kHeight = 640;

// Colours that also the colour-blind tell apart: Okabe and Ito 2008.
constexpr std::array<const char*, kBufferBytes.size()> kColours = {
    "0x0072b2", "0x009e73", "0xe69f00", "0xd55e00"};

// Marks of equal intensity stand side by side, each by so much further right:
// as little as keeps them apart, since their roofs rise meanwhile.
constexpr double kMarkStep = 1.055;

const char* ColourOf(int64_t bytes) {
  const auto* const found =
      std::find(kBufferBytes.begin(), kBufferBytes.end(), bytes);
  return found == kBufferBytes.end()
             ? "0x000000"
             : kColours[static_cast<size_t>(found - kBufferBytes.begin())];
}

// gnuplot's number of a mark: circle, square, triangle.
int MarkOf(DataType type, Pairing pairing) {
  const int filled = type == DataType::kF32    ? 7
                     : type == DataType::kBF16 ? 5
                                               : 9;
  return pairing == Pairing::kHalf ? filled : filled - 1;
}

std::string Rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), value < 10 ? "%.1f" : "%.0f", value);
  return text;
}

struct Range {
  double low;
  double high;
};

// Whole powers of two around the points and the ridges.
Range IntensityRange(const Roofline& roofline) {
  Range range = {1, 2};
  for (const Roof& roof : roofline.roofs) {
    const double ridge = roofline.peak_gflops / roof.gigabytes_per_second;
    range = {std::min(range.low, ridge), std::max(range.high, ridge)};
  }
  for (const RooflinePoint& point : roofline.points) {
    range = {std::min(range.low, point.flop_per_byte),
             std::max(range.high, point.flop_per_byte)};
  }
  return {std::exp2(std::floor(std::log2(range.low / 1.5))),
          std::exp2(std::ceil(std::log2(range.high * 1.5)))};
}

Range SpeedRange(const Roofline& roofline, double lowest_intensity) {
  Range range = {roofline.peak_gflops, roofline.peak_gflops};
  for (const Roof& roof : roofline.roofs) {
    range.low =
        std::min(range.low, roof.gigabytes_per_second * lowest_intensity);
  }
  for (const RooflinePoint& point : roofline.points) {
    range = {std::min(range.low, point.gflops),
             std::max(range.high, point.gflops)};
  }
  return {range.low / 1.5, range.high * 1.5};
}

// The points of one type and pairing, as far right as they stand.
struct Series {
  DataType type;
  Pairing pairing;
  double flop_per_byte;
  double x;
  std::string data;
};

std::vector<Series> SeriesOf(const Roofline& roofline) {
  std::vector<Series> all;
  for (const RooflinePoint& point : roofline.points) {
    const auto same = [&](const Series& series) {
      return series.type == point.type && series.pairing == point.pairing;
    };
    if (std::none_of(all.begin(), all.end(), same)) {
      all.push_back({point.type, point.pairing, point.flop_per_byte, 0, ""});
    }
  }
  std::map<double, int> counts, taken;
  for (const Series& series : all) ++counts[series.flop_per_byte];
  for (Series& series : all) {
    const double count = counts[series.flop_per_byte];
    const double place = taken[series.flop_per_byte]++ - (count - 1) / 2;
    series.x = series.flop_per_byte * std::pow(kMarkStep, place);
    for (const RooflinePoint& point : roofline.points) {
      if (series.type != point.type || series.pairing != point.pairing)
        continue;
      series.data += Number(series.x) + " " + Number(point.gflops) + " " +
                     ColourOf(point.bytes) + "\n";
    }
  }
  return all;
}

// Where the types stand, with their names at the foot.
std::string Guides(const std::vector<Series>& all) {
  std::map<double, std::string> names;
  for (const Series& series : all) {
    if (series.pairing != Pairing::kHalf) continue;
    std::string* const text = &names[series.flop_per_byte];
    *text += (text->empty() ? "" : ", ");
    *text += bench::TypeName(series.type);
  }
  std::string script;
  for (const auto& [x, text] : names) {
    script += "set arrow from " + Number(x) + ", graph 0.06 to " + Number(x) +
              ", graph 1 nohead back lw 1 dt 3 lc rgb '#999999'\n";
    script += "set label " + Quoted(text) + " at " + Number(x) +
              ", graph 0.03 center textcolor rgb '#444444'\n";
  }
  return script;
}

std::string Axes(const Roofline& roofline, const Range& x, const Range& y) {
  std::string script = "set title " +
                       Quoted("Rotate on " + roofline.target +
                              ": whole buffers in place, 32 heads of 128, one "
                              "thread") +
                       " noenhanced\nset logscale x 2\nset logscale y 10\n";
  // A little more than that, or the outer tics may fall off.
  script += "set xrange [" + Number(x.low * 0.97) + ":" +
            Number(x.high * 1.03) + "]\n";
  script += "set yrange [" + Number(y.low) + ":" + Number(y.high) + "]\n";
  script += "set xtics (";
  for (double tic = x.low; tic <= x.high; tic *= 2) {
    const std::string name = tic < 1 ? "1/" + Number(1 / tic) : Number(tic);
    script += (tic > x.low ? ", " : "") + Quoted(name) + " " + Number(tic);
  }
  return script +
         ")\nset format y '%g'\nset grid lt 1 lc rgb '#e8e8e8'\n"
         "set xlabel 'flop per byte read and written (marks of equal "
         "intensity stand side by side)'\n"
         "set ylabel 'Gflop/s'\n"
         "set key outside right top Left reverse samplen 2 spacing 1.2\n";
}

std::string Script(const Roofline& roofline, const std::string& file) {
  const Range x = IntensityRange(roofline);
  const Range y = SpeedRange(roofline, x.low);
  const std::vector<Series> all = SeriesOf(roofline);
  const std::string peak = Number(roofline.peak_gflops);
  std::string data;
  std::string plot = "plot " + peak +
                     " with lines lw 2 lc rgb 'black' title 'multiply-add, " +
                     Rounded(roofline.peak_gflops) + " Gflop/s'";
  int block = 0;
  const auto add = [&](const std::string& lines, const std::string& style) {
    const std::string name = "$block" + std::to_string(block++);
    data += name + " << EOD\n" + lines + "EOD\n";
    plot += ", " + name + " using " + style;
  };
  for (const Roof& roof : roofline.roofs) {
    const double speed = roof.gigabytes_per_second;
    add(Number(x.low) + " " + Number(x.low * speed) + "\n" +
            Number(roofline.peak_gflops / speed) + " " + peak + "\n",
        "1:2 with lines lw 2 lc rgb " + std::string(ColourOf(roof.bytes)) +
            " title '" + SizeText(roof.bytes) + ", " + Rounded(speed) +
            " GB/s'");
  }
  for (const Series& series : all) {
    const std::string mark =
        " with points ps 1.2 lw 1.5 pt " +
        std::to_string(MarkOf(series.type, series.pairing));
    add(series.data, "1:2:3" + mark + " lc rgb variable notitle");
    plot += ", NaN" + mark + " lc rgb '#555555' title '" +
            bench::TypeName(series.type) + ", " + PairingName(series.pairing) +
            "'";
  }
  return SetTerminal(file, kWidth, kHeight) + Axes(roofline, x, y) +
         Guides(all) + data + plot + "\n";
}

}  // namespace

std::string PlotRoofline(const Roofline& roofline, const std::string& file) {
  return RunGnuplot(Script(roofline, file), file);
}

}  // namespace ropewalk::cli
