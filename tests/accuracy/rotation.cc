// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "accuracy/rotation.h"

#include <cmath>
#include <vector>

#include "accuracy/active_target.h"
#include "reference/oracle.h"
#include "ropewalk/rotate.h"
#include "support/heads.h"
#include "support/step.h"

namespace ropewalk::test {
namespace {

// [positions][heads][head_dim] without gaps, addressed by pair.
class HeadsOfPairs {
 public:
  HeadsOfPairs(const RotaryLayout& layout, DataType type, size_t pairs)
      : window_(WindowOf(layout)),
        head_bytes_(static_cast<size_t>(layout.head_dim * SizeOf(type))),
        type_(type),
        data_(pairs / WindowPairs() * head_bytes_) {}

  HeadsView View(const RotaryLayout& layout) {
    const size_t tokens = data_.size() / head_bytes_ / kHeads;
    return DenseHeads(data_.data(), type_, 1, static_cast<int64_t>(tokens),
                      kHeads, layout.head_dim);
  }
  void Store(size_t pair, double x0, double x1) {
    StoreElement(type_, x0, At(pair, true));
    StoreElement(type_, x1, At(pair, false));
  }
  double Load(size_t pair, bool first) {
    return LoadElement(type_, At(pair, first));
  }

 private:
  size_t WindowPairs() const { return static_cast<size_t>(window_.pairs); }
  uint8_t* At(size_t pair, bool first) {
    const int i = static_cast<int>(pair % WindowPairs());
    const int d = first ? Member0(window_, i) : Member1(window_, i);
    return data_.data() + pair / WindowPairs() * head_bytes_ +
           static_cast<size_t>(d * SizeOf(type_));
  }

  reference::Window window_;
  size_t head_bytes_;
  DataType type_;
  std::vector<uint8_t> data_;
};

void AddErrors(const TypedPairs& typed, size_t j, double m, HeadsOfPairs* heads,
               RotationErrors* errors) {
  const double x0 = typed.before.x0[j];
  const double x1 = typed.before.x1[j];
  const double error0 = std::fabs(heads->Load(j, true) - typed.exact.x0[j]);
  const double error1 = std::fabs(heads->Load(j, false) - typed.exact.x1[j]);
  const double of_length = Ulp(typed.type, m * std::sqrt(x0 * x0 + x1 * x1));
  errors->length.Add(error0 / of_length);
  errors->length.Add(error1 / of_length);
  if (typed.type != DataType::kF32) return;
  const double of_larger = UlpF32(m * std::max(std::fabs(x0), std::fabs(x1)));
  errors->larger.Add(error0 / of_larger);
  errors->larger.Add(error1 / of_larger);
}

}  // namespace

RotationErrors MeasureRotation(const AngleRows& rows,
                               const RotaryLayout& layout,
                               const TypedPairs& typed, double m) {
  const size_t pairs = typed.before.x0.size();
  HeadsOfPairs heads(layout, typed.type, pairs);
  for (size_t j = 0; j < pairs; ++j) {
    heads.Store(j, typed.before.x0[j], typed.before.x1[j]);
  }
  Check(Rotate(rows, layout, {heads.View(layout)}, RotateOptions{}));
  RotationErrors errors;
  for (size_t j = 0; j < pairs; ++j) AddErrors(typed, j, m, &heads, &errors);
  return errors;
}

}  // namespace ropewalk::test
