// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "support/cache.h"

#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "support/ulp.h"

namespace ropewalk::test {

KvCacheView Cache::view() const {
  const HeadsView& view = heads_.view();
  return {view.data,         view.type,         view.batch,
          view.tokens,       view.heads,        spec().head_dim,
          view.batch_stride, view.token_stride, view.head_stride};
}

void Cache::Poison(Random* random) {
  for (size_t i = 0; i < buffer().size(); ++i) {
    buffer().data()[i] = static_cast<uint8_t>(random->Next());
  }
}

uint8_t* Cache::Element(int64_t slot, int64_t head, int dim) {
  return heads_.Element(slot / spec().tokens, slot % spec().tokens, head, dim);
}

double Cache::Get(int64_t slot, int64_t head, int dim) const {
  return heads_.Get(slot / spec().tokens, slot % spec().tokens, head, dim);
}

void Cache::Put(int64_t slot, const Heads& from, int64_t batch, int64_t token) {
  const size_t bytes =
      static_cast<size_t>(spec().head_dim * SizeOf(spec().type));
  for (int64_t h = 0; h < spec().heads; ++h) {
    std::memcpy(Element(slot, h, 0), from.Element(batch, token, h, 0), bytes);
  }
}

Heads Cache::Gather(const std::vector<int64_t>& slots, int64_t batch) const {
  const int64_t tokens = static_cast<int64_t>(slots.size()) / batch;
  Heads gathered({spec().type, batch, tokens, spec().heads, spec().head_dim});
  const size_t bytes =
      static_cast<size_t>(spec().head_dim * SizeOf(spec().type));
  for (int64_t i = 0; i < batch * tokens; ++i) {
    const int64_t slot = slots[static_cast<size_t>(i)];
    for (int64_t h = 0; h < spec().heads; ++h) {
      std::memcpy(
          gathered.Element(i / tokens, i % tokens, h, 0),
          heads_.Element(slot / spec().tokens, slot % spec().tokens, h, 0),
          bytes);
    }
  }
  return gathered;
}

testing::AssertionResult SameBytes(const Cache& got, const Cache& want) {
  Cache copy = want.Copy();
  const std::vector<uint8_t> bytes = got.Bytes();
  const uint8_t* begin = copy.buffer().data();
  const bool intact = const_cast<Cache&>(got).buffer().CanariesIntact();
  if (!intact) {
    return testing::AssertionFailure() << "wrote beside the cache";
  }
  if (bytes == want.Bytes()) return testing::AssertionSuccess();
  for (int64_t slot = 0; slot < want.slots(); ++slot) {
    for (int64_t h = 0; h < want.spec().heads; ++h) {
      for (int d = 0; d < want.spec().head_dim; ++d) {
        const uint8_t* element = copy.Element(slot, h, d);
        const auto at = static_cast<size_t>(element - begin);
        const auto size = static_cast<size_t>(SizeOf(want.spec().type));
        if (std::memcmp(element, bytes.data() + at, size) == 0) continue;
        return testing::AssertionFailure()
               << NameOf(want.spec().type) << " slot " << slot << " head " << h
               << " dim " << d << ": " << got.Get(slot, h, d) << ", not "
               << want.Get(slot, h, d);
      }
    }
  }
  return testing::AssertionFailure() << "wrote between the heads";
}

std::vector<HeadsSpec> CacheSpecs(DataType type, int64_t slots, int64_t heads,
                                  int head_dim) {
  constexpr DimOrder kNhd = DimOrder::kTokensHeads;
  constexpr DimOrder kHnd = DimOrder::kHeadsTokens;
  const auto blocks = [&](int64_t block_size) {
    return (slots - 1) / block_size + 1;
  };
  return {
      {type, 1, slots, heads, head_dim, kNhd, 0, 0},
      {type, 1, slots, heads, head_dim, kHnd, 0, 0},
      {type, slots, 1, heads, head_dim, kNhd, 3, 5},
      {type, blocks(16), 16, heads, head_dim, kNhd, 0, 0},
      {type, blocks(16), 16, heads, head_dim, kHnd, 1, 2, GuardSide::kBegin},
      {type, blocks(32), 32, heads, head_dim, kNhd, 4, 12, GuardSide::kBegin},
      {type, blocks(48), 48, heads, head_dim, kHnd, 0, 0},
      {type, 1, slots, heads, head_dim, kNhd, 0, 7 * head_dim},
  };
}

std::vector<int64_t> DrawSlots(int64_t count, int64_t capacity,
                               Random* random) {
  std::vector<int64_t> slots(static_cast<size_t>(capacity));
  std::iota(slots.begin(), slots.end(), 0);
  for (int64_t i = 0; i < count; ++i) {
    std::swap(slots[static_cast<size_t>(i)],
              slots[static_cast<size_t>(random->Between(i, capacity - 1))]);
  }
  slots.resize(static_cast<size_t>(count));
  return slots;
}

testing::AssertionResult Succeeds(const Status& status) {
  if (status.ok()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << status.message();
}

std::shared_ptr<const AngleTable> TableOf(const RopeParameters& parameters,
                                          int64_t length) {
  const auto frequencies = ComputeFrequencies(parameters, length);
  EXPECT_TRUE(Succeeds(frequencies.status()));
  return TableOf(frequencies.value());
}

std::shared_ptr<const AngleTable> TableOf(const Frequencies& frequencies) {
  AngleOptions options;
  options.kind = TableKind::kDirect;  // a table is not worth a few rows
  const auto table = AngleTable::Build(frequencies, options);
  EXPECT_TRUE(Succeeds(table.status()));
  return table.value();
}

AngleRows RotationRows(const AngleTable& table,
                       const std::vector<int64_t>& deltas) {
  AngleRows rows;
  EXPECT_TRUE(Succeeds(table.FillRotation(
      Positions(deltas.data(), static_cast<int64_t>(deltas.size())), &rows)));
  return rows;
}

double StoreError(DataType type, double norm, double factor) {
  const double member =
      RotationTolerance(norm / factor * 1.01, factor, Direction::kForward) +
      (type == DataType::kF32 ? 0 : Ulp(type, norm * 1.01) / 2);
  return std::sqrt(2.0) * member * 1.01;
}

}  // namespace ropewalk::test
