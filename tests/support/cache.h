// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A KV cache in guarded memory, and what may be asked of one: whether all of it
// is as expected, slots, gaps and the bytes beside it alike.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/angles.h"
#include "ropewalk/kv_cache.h"
#include "ropewalk/scaling.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {

// Heads, whose batch are the blocks and whose tokens the slots of a block: NHD
// is DimOrder::kTokensHeads, HND kHeadsTokens.
class Cache {
 public:
  // Gaussian elements, random bytes in the gaps.
  Cache(const HeadsSpec& spec, Random* random) : heads_(spec, random) {}

  // The same bytes in other memory.
  Cache Copy() const { return Cache(heads_.Copy()); }

  KvCacheView view() const;
  const HeadsSpec& spec() const { return heads_.spec(); }
  int64_t slots() const { return spec().batch * spec().tokens; }
  std::vector<uint8_t> Bytes() const { return heads_.Bytes(); }
  GuardedBuffer& buffer() { return heads_.buffer(); }

  // Makes every byte random, so that NaN and Inf are among the elements.
  void Poison(Random* random);

  uint8_t* Element(int64_t slot, int64_t head, int dim);
  double Get(int64_t slot, int64_t head, int dim) const;
  // Copies the heads of a token, which have this cache's type.
  void Put(int64_t slot, const Heads& from, int64_t batch, int64_t token);
  // The heads of slots >= 0, as [batch, slots / batch, heads, head_dim].
  Heads Gather(const std::vector<int64_t>& slots, int64_t batch = 1) const;

 private:
  explicit Cache(Heads heads) : heads_(std::move(heads)) {}

  Heads heads_;
};

// Whether both hold the same bytes, and nothing beside them was written.
testing::AssertionResult SameBytes(const Cache& got, const Cache& want);

// What caches look like: blocks of 1, 16, 32 and 48 slots in NHD and HND order
// with and without padding, one block, and ggml's [embd, slots]; each of at
// least `slots` slots.
std::vector<HeadsSpec> CacheSpecs(DataType type, int64_t slots, int64_t heads,
                                  int head_dim);

// So many different slots of a cache, in any order.
std::vector<int64_t> DrawSlots(int64_t count, int64_t capacity, Random* random);

inline Slots SlotsOf(const std::vector<int64_t>& slots) {
  return Slots(slots.data(), static_cast<int64_t>(slots.size()));
}

testing::AssertionResult Succeeds(const Status& status);

// Tables of a scheme, or of given frequencies.
std::shared_ptr<const AngleTable> TableOf(const RopeParameters& parameters,
                                          int64_t length = 0);
std::shared_ptr<const AngleTable> TableOf(const Frequencies& frequencies);

// Pure rotations by the deltas.
AngleRows RotationRows(const AngleTable& table,
                       const std::vector<int64_t>& deltas);

// How far a key may be from exact, as a vector of two dims, that was rotated in
// float32 and rounded to its type; `norm` is that of the exact pair, factor
// included. Each member is off by the tolerance of the rotation and half an ulp
// of the type; a hundredth more covers magnitudes that are off themselves.
double StoreError(DataType type, double norm, double factor = 1);

}  // namespace ropewalk::test
