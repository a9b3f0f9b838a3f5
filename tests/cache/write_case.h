// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// One call of RotateIntoCache, and what it has to leave behind: the bits of
// Rotate() out of place, put into their slots.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/kv_cache.h"
#include "ropewalk/rotate.h"
#include "support/cache.h"
#include "support/heads.h"
#include "support/random.h"
#include "support/step.h"

namespace ropewalk::test {

// Keys and values are read from memory that refuses writes; the caches begin as
// random bytes.
struct WriteCase {
  WriteCase(const HeadsSpec& k_spec, const HeadsSpec& v_spec, Random* random)
      : k_cache(k_spec, random), v_cache(v_spec, random) {
    k_cache.Poison(random);
    v_cache.Poison(random);
  }

  // Queries are as the keys, but for the number of heads.
  void MakeInputs(const HeadsSpec& k_spec, const HeadsSpec& v_spec,
                  int64_t q_heads, Random* random) {
    HeadsSpec q_spec = k_spec;
    q_spec.heads = q_heads;
    k.emplace(k_spec, random);
    v.emplace(v_spec, random);
    q.emplace(q_spec, random);
    q_before.emplace(q->Copy());
  }

  void Prepare() {
    k_view = k->view();
    v_view = v->view();
    write = CacheWrite();
    if (use_q) write.q = q->view();
    write.k = use_k ? &k_view : nullptr;
    write.v = use_v ? &v_view : nullptr;
    write.q_layout = write.k_layout = layout;
    write.q_transform = q_transform;
    write.k_transform = k_transform;
    write.k_cache = k_cache.view();
    write.v_cache = v_cache.view();
  }

  Status Run(const Parallel& parallel) {
    Prepare();
    return RotateIntoCache(step.rows, write, SlotsOf(slots), parallel);
  }

  Heads RotatedTo(const Heads& from, DataType type, const RotaryLayout& how,
                  const HeadTransform& transform) const {
    HeadsSpec spec = {type, from.spec().batch, from.spec().tokens,
                      from.spec().heads, from.spec().head_dim};
    Heads out(spec);
    RotateOptions options;
    options.transform = transform;
    EXPECT_TRUE(
        Succeeds(Rotate(step.rows, how, from.view(), out.view(), options)));
    return out;
  }

  Heads RotatedKeys(DataType type) const {
    return RotatedTo(*k, type, layout, k_transform);
  }

  Cache Scattered(const Cache& cache, const Heads& heads) const {
    Cache want = cache.Copy();
    const int64_t tokens = heads.spec().tokens;
    for (size_t i = 0; i < slots.size(); ++i) {
      const auto token = static_cast<int64_t>(i);
      if (slots[i] < 0) continue;
      want.Put(slots[i], heads, token / tokens, token % tokens);
    }
    return want;
  }

  // Of the caches as they are now.
  Cache WantKeys() {
    if (write.k == nullptr) Prepare();
    return Scattered(k_cache, RotatedKeys(k_cache.spec().type));
  }
  Cache WantValues() {
    RotaryLayout still;
    still.head_dim = v->spec().head_dim;
    return Scattered(
        v_cache, RotatedTo(*v, v_cache.spec().type, still, HeadTransform()));
  }

  testing::AssertionResult WritesWhatRotateGives() {
    k->buffer().MakeReadOnly();
    v->buffer().MakeReadOnly();
    const Cache keys = use_k ? WantKeys() : k_cache.Copy();
    const Cache values = use_v ? WantValues() : v_cache.Copy();
    const Heads queries = q_before->Copy();
    RotateOptions options;
    options.transform = q_transform;
    if (use_q) {
      EXPECT_TRUE(
          Succeeds(Rotate(step.rows, layout, {queries.view()}, options)));
    }
    if (const auto ran = Succeeds(Run(Parallel::Serial())); !ran) return ran;
    if (const auto same = SameBytes(k_cache, keys); !same) return same;
    if (const auto same = SameBytes(v_cache, values); !same) return same;
    if (q->Bytes() == queries.Bytes() && q->buffer().CanariesIntact()) {
      return testing::AssertionSuccess();
    }
    return testing::AssertionFailure() << "the queries differ";
  }

  Cache k_cache;
  Cache v_cache;
  std::optional<Heads> k, v, q, q_before;
  RotaryLayout layout;
  HeadTransform q_transform, k_transform;
  Step step;
  std::vector<int64_t> slots;
  bool use_q = true, use_k = true, use_v = true;
  ConstHeadsView k_view, v_view;
  CacheWrite write;
};

// A window somewhere in a head, of either pairing, near or distant members, in
// rows of head_dim / 2 + 8 pairs.
inline RotaryLayout DrawLayout(int head_dim, Random* random) {
  RotaryLayout layout = FullLayout(
      head_dim, random->Below(2) ? Pairing::kHalf : Pairing::kInterleaved);
  layout.first_pair = static_cast<int>(random->Below(9));
  if (random->Below(3) == 0) return layout;
  layout.rotary_dim = 2 * static_cast<int>(random->Between(1, head_dim / 4));
  layout.rotary_offset = static_cast<int>(random->Below(head_dim / 4));
  if (layout.pairing == Pairing::kHalf && random->Below(2)) {
    layout.pair_distance =
        layout.rotary_dim / 2 + static_cast<int>(random->Below(head_dim / 4));
  }
  return layout;
}

inline std::vector<int64_t> DrawPositions(int64_t count, Random* random) {
  std::vector<int64_t> positions;
  for (int64_t i = 0; i < count; ++i) {
    positions.push_back(random->Between(-3, 100000));
  }
  return positions;
}

}  // namespace ropewalk::test
