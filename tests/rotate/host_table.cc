// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "rotate/host_table.h"

#include <cstddef>

#include "gtest/gtest.h"

namespace ropewalk::test {
namespace {

TableRow RowOf(const HostTableSpec& spec) {
  return RowOf(spec.layout, spec.type, spec.pairs);
}

size_t BytesOf(const HostTableSpec& spec) {
  return static_cast<size_t>(spec.rows * spec.heads * RowOf(spec).width);
}

double Draw(Random* random) { return 1.4 * random->Uniform() - 0.7; }

}  // namespace

HostTable::HostTable(const HostTableSpec& spec, Random* random)
    : spec_(spec),
      first_(BytesOf(spec), GuardSide::kEnd),
      second_(RowOf(spec).two_arrays ? BytesOf(spec) : 1, GuardSide::kEnd) {
  const TableRow row = RowOf(spec);
  view_.cos = first_.data() + row.cos;
  view_.sin = (row.two_arrays ? second_ : first_).data() + row.sin;
  view_.type = spec.type;
  view_.rows = spec.rows;
  view_.pairs = spec.pairs;
  view_.heads = spec.heads;
  view_.row_stride = spec.heads_outside ? row.width : spec.heads * row.width;
  view_.head_stride = spec.heads_outside ? spec.rows * row.width : row.width;
  view_.pair_stride = row.pair_stride;
  view_.copy_offset = row.copy_offset;
  for (int64_t r = 0; r < spec.rows; ++r) {
    for (int h = 0; h < spec.heads; ++h) {
      for (int i = 0; i < spec.pairs; ++i) {
        Store(r, h, i, Draw(random), Draw(random));
      }
    }
  }
}

void HostTable::Store(int64_t row, int head, int pair, double cos, double sin) {
  const int64_t at = row * view_.row_stride + head * view_.head_stride +
                     pair * view_.pair_stride;
  for (const int64_t copy : {int64_t{0}, view_.copy_offset}) {
    StoreElement(
        spec_.type, cos,
        static_cast<uint8_t*>(const_cast<void*>(view_.cos)) + at + copy);
    StoreElement(
        spec_.type, sin,
        static_cast<uint8_t*>(const_cast<void*>(view_.sin)) + at + copy);
  }
}

double HostTable::Load(const void* array, int64_t row, int head,
                       int pair) const {
  return LoadElement(
      spec_.type, static_cast<const uint8_t*>(array) + row * view_.row_stride +
                      head * view_.head_stride + pair * view_.pair_stride);
}

Step HostTable::StepOf(int head, const std::vector<int64_t>& positions) const {
  Step step;
  step.positions = positions;
  step.inv_freq.resize(static_cast<size_t>(spec_.pairs));
  std::vector<float> cos, sin;
  for (const int64_t row : positions) {
    for (int i = 0; i < spec_.pairs; ++i) {
      step.angles.push_back(
          {Load(view_.cos, row, head, i), Load(view_.sin, row, head, i)});
      cos.push_back(static_cast<float>(step.angles.back().cos));
      sin.push_back(static_cast<float>(step.angles.back().sin));
    }
  }
  ConstCosSinView plain;
  plain.cos = cos.data();
  plain.sin = sin.data();
  plain.rows = static_cast<int64_t>(positions.size());
  plain.pairs = spec_.pairs;
  plain.row_stride = spec_.pairs * int64_t{sizeof(float)};
  plain.pair_stride = sizeof(float);
  const Status status =
      step.rows.Gather(plain, Positions::Consecutive(0, plain.rows));
  EXPECT_TRUE(status.ok()) << status.message();
  return step;
}

void HostTable::RotateHeadByHead(const std::vector<int64_t>& positions,
                                 const RotaryLayout& layout,
                                 const RotateOptions& options,
                                 const HeadsView& view) const {
  const int64_t group = view.heads / spec_.heads;
  for (int64_t h = 0; h < view.heads; ++h) {
    const Step step = StepOf(static_cast<int>(h / group), positions);
    const Status status =
        Rotate(step.rows, layout, {Slice(view, h, 1)}, options);
    EXPECT_TRUE(status.ok()) << status.message();
  }
}

void HostTable::MakeIdentity(int64_t row, int head) {
  for (int i = 0; i < spec_.pairs; ++i) Store(row, head, i, 1, 0);
}

}  // namespace ropewalk::test
