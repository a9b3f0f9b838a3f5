// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "fuzz/draw_positions.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace ropewalk::fuzz {
namespace {

constexpr auto kInvalid = ROPEWALK_INVALID_ARGUMENT;

}  // namespace

DrawnPositions::DrawnPositions(Draw* draw, int64_t most, bool only_one) {
  ropewalk_positions positions = ROPEWALK_POSITIONS_INIT;
  positions.kind = draw->Int(1, 6);
  positions.count = draw->In(0, 8);
  positions.components = only_one && !draw->Rarely() ? 1 : draw->Int(1, 3);
  positions.first = draw->Size(draw->In(0, most));
  positions.count_each = draw->Size(draw->In(0, 3));
  const bool arrays = positions.kind <= ROPEWALK_POSITIONS_DOUBLE ||
                      positions.kind == ROPEWALK_POSITIONS_CONSECUTIVE_EACH;
  if (arrays) {
    DrawIds(draw, most, &positions);
  } else {
    positions.count = draw->Size(positions.count);
  }
  if (draw->Rarely()) positions.kind = draw->Pick<int32_t>({0, 7, -1, 260});
  verdict_.MustIf(positions.kind < 1 || positions.kind > 6, kInvalid);
  verdict_.MustIf(positions.count < 0, kInvalid);
  verdict_.MustIf(positions.components < 1, kInvalid);
  const bool each = positions.kind == ROPEWALK_POSITIONS_CONSECUTIVE_EACH;
  verdict_.MustIf(each && positions.count_each < 0, kInvalid);
  count_ = positions.count;
  c_ = Sized<ropewalk_positions>(draw, positions, &verdict_);
  if (positions.count > 0) {
    if (arrays) JudgeIds(positions);
    JudgeRuns(positions);
  }
}

void DrawnPositions::DrawIds(Draw* draw, int64_t most,
                             ropewalk_positions* positions) {
  const bool each = positions->kind == ROPEWALK_POSITIONS_CONSECUTIVE_EACH;
  if (each) {
    positions->component_stride = 0;
    positions->token_stride = 1;
  } else {
    positions->token_stride = draw->Flag() ? draw->Int(-2, 3) : 1;
    positions->component_stride = draw->Flag() ? draw->Int(-9, 9) : 8;
  }
  // All ids lie between the lowest and the highest index.
  const int64_t steps =
      positions->token_stride == 0 ? 1 : positions->token_stride;
  const int64_t tokens = (positions->count - 1) * steps;
  const int64_t components =
      (positions->components - 1) * positions->component_stride;
  const int64_t low =
      std::min(tokens, INT64_C(0)) + std::min(components, INT64_C(0));
  const int64_t high =
      std::max(tokens, INT64_C(0)) + std::max(components, INT64_C(0));
  const int64_t ids = positions->count > 0 ? high - low + 1 : 0;
  first_ = static_cast<size_t>(positions->count > 0 ? -low : 0);
  for (int64_t i = 0; i < ids; ++i) {
    int64_.push_back(draw->Size(draw->In(0, most)));
    int32_.push_back(static_cast<int32_t>(int64_.back()));
    real_.push_back(draw->Double(static_cast<double>(int64_.back())));
  }
  int32_.shrink_to_fit();
  int64_.shrink_to_fit();
  real_.shrink_to_fit();
  if (positions->kind == ROPEWALK_POSITIONS_INT32) {
    positions->ids = int32_.data() + first_;
  } else if (positions->kind == ROPEWALK_POSITIONS_DOUBLE) {
    positions->ids = real_.data() + first_;
  } else {
    positions->ids = int64_.data() + first_;
  }
  if (draw->Rarely()) positions->ids = nullptr;
  if (draw->Rarely()) positions->count = draw->Pick<int64_t>({-1, INT64_MIN});
  if (draw->Rarely()) positions->components = draw->Pick<int32_t>({0, -1});
  if (positions->components > 1 && !each && draw->Rarely()) {
    positions->component_stride = draw->Pick<int64_t>({INT64_MIN, INT64_MAX});
    if (positions->count > 0) verdict_.Must(ROPEWALK_OUT_OF_RANGE);
  }
}

void DrawnPositions::JudgeIds(const ropewalk_positions& positions) {
  verdict_.MustIf(positions.ids == nullptr &&
                      (positions.kind != ROPEWALK_POSITIONS_CONSECUTIVE_EACH ||
                       positions.count_each > 0),
                  kInvalid);
  if (!is_real() || verdict_.MustFail()) return;
  for (int32_t c = 0; c < positions.components; ++c) {
    for (int64_t t = 0; t < positions.count; ++t) {
      const int64_t steps =
          positions.token_stride == 0 ? 1 : positions.token_stride;
      const double id = real_[static_cast<size_t>(
          static_cast<int64_t>(first_) + c * positions.component_stride +
          t * steps)];
      verdict_.MustIf(!std::isfinite(id), kInvalid);
      verdict_.MustIf(std::fabs(id) > 0x1p63, ROPEWALK_OUT_OF_RANGE);
    }
  }
}

void DrawnPositions::JudgeRuns(const ropewalk_positions& positions) {
  const auto runs_past = [&](int64_t first, int64_t count) {
    verdict_.MustIf(count > 0 && first > INT64_MAX - (count - 1),
                    ROPEWALK_OUT_OF_RANGE);
  };
  if (positions.kind == ROPEWALK_POSITIONS_CONSECUTIVE) {
    runs_past(positions.first, positions.count);
  }
  if (positions.kind != ROPEWALK_POSITIONS_CONSECUTIVE_EACH) return;
  const auto all = static_cast<__int128>(positions.count) *
                   std::max(positions.count_each, INT64_C(0));
  verdict_.MustIf(all > INT64_MAX, ROPEWALK_OUT_OF_RANGE);
  if (verdict_.MustFail()) return;
  count_ = static_cast<int64_t>(all);
  if (all == 0) return;
  for (int64_t i = 0; i < positions.count; ++i) {
    runs_past(int64_[static_cast<size_t>(i)], positions.count_each);
  }
}

int64_t DrawnPositions::Integer(int64_t token) const {
  const ropewalk_positions& positions = c_.value();
  const int64_t steps =
      positions.token_stride == 0 ? 1 : positions.token_stride;
  const auto at =
      static_cast<size_t>(static_cast<int64_t>(first_) + token * steps);
  switch (positions.kind) {
    case ROPEWALK_POSITIONS_INT32:
      return int32_[at];
    case ROPEWALK_POSITIONS_INT64:
      return int64_[at];
    case ROPEWALK_POSITIONS_CONSECUTIVE:
      return positions.first + token;
    case ROPEWALK_POSITIONS_CONSECUTIVE_EACH:
      return int64_[static_cast<size_t>(token / positions.count_each)] +
             token % positions.count_each;
    default:
      return positions.first;
  }
}

// The first of a run is the smallest of it.
bool DrawnPositions::HasNegative() const {
  if (count_ == 0) return false;
  const ropewalk_positions& positions = c_.value();
  const bool each = positions.kind == ROPEWALK_POSITIONS_CONSECUTIVE_EACH;
  const bool arrays = positions.kind <= ROPEWALK_POSITIONS_DOUBLE || each;
  const int64_t run = each ? positions.count_each : 1;
  const int64_t runs = arrays ? positions.count : 1;
  for (int64_t i = 0; i < runs; ++i) {
    if (Integer(i * run) < 0) return true;
  }
  return false;
}

double DrawnPositions::Real(int64_t token) const {
  if (!is_real()) return static_cast<double>(Integer(token));
  const int64_t stride = c_.value().token_stride;
  return real_[static_cast<size_t>(static_cast<int64_t>(first_) +
                                   token * (stride == 0 ? 1 : stride))];
}

}  // namespace ropewalk::fuzz
