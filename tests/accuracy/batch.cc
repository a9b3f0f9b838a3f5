// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "accuracy/batch.h"

#include <cmath>

#include "support/heads.h"

namespace ropewalk::test {

std::vector<int64_t> DrawPositions(const Band& band, int count,
                                   Random* random) {
  std::vector<int64_t> positions = {band.after + 1, band.after + 2,
                                    band.last - 1, band.last};
  while (positions.size() < static_cast<size_t>(count)) {
    const int64_t position = random->Between(band.after + 1, band.last);
    positions.push_back(random->Below(2) == 0 ? position : -position);
  }
  return positions;
}

Pairs DrawPairs(size_t positions, size_t pairs, double m, Random* random) {
  Pairs drawn;
  for (size_t head = 0; head < positions * kHeads; ++head) {
    const double scale =
        std::ldexp(1.0, static_cast<int>(random->Between(-12, 12)));
    const bool tight = head % 4 == 3;
    for (size_t i = 0; i < pairs; ++i) {
      double x0 = random->Gaussian();
      double x1 = random->Gaussian();
      if (tight) {
        x0 = 2 / m * (1 - 0.02 * random->Uniform());
        x1 = x0 * (1 - 0.05 * random->Uniform());
        if (random->Below(2) == 0) x1 = -x1;
      }
      drawn.x0.push_back(scale * x0);
      drawn.x1.push_back(scale * x1);
    }
  }
  return drawn;
}

TypedPairs RotateExactly(const Pairs& pairs, DataType type,
                         const std::vector<ExactPair>& rows, size_t row_pairs) {
  TypedPairs typed = {type, pairs, {}};
  for (size_t j = 0; j < pairs.x0.size(); ++j) {
    const double x0 = typed.before.x0[j] = Rounded(type, pairs.x0[j]);
    const double x1 = typed.before.x1[j] = Rounded(type, pairs.x1[j]);
    const size_t position = j / row_pairs / kHeads;
    const ExactPair& angle = rows[position * row_pairs + j % row_pairs];
    const double c = angle.cos.high;
    const double s = angle.sin.high;
    typed.exact.x0.push_back(x0 * c - x1 * s);
    typed.exact.x1.push_back(x0 * s + x1 * c);
  }
  return typed;
}

}  // namespace ropewalk::test
