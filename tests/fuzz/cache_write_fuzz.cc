// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// ropewalk_rotate_into_cache: queries turn in place, keys and values go to
// exactly their slots, or nothing changes.
#include <algorithm>
#include <optional>
#include <vector>

#include "fuzz/c_call.h"
#include "fuzz/draw_cache.h"
#include "fuzz/reference_head.h"
#include "fuzz/require.h"
#include "support/operator_new.h"

namespace ropewalk::fuzz {
namespace {

constexpr auto kInvalid = ROPEWALK_INVALID_ARGUMENT;

// Q, K or V of the step. K and V have a cache; V has neither layout nor
// transform.
struct StepPart {
  bool present = false;
  bool has_transform = false;
  Tensor tensor;
  Shadow shadow;
  ropewalk_rotary_layout layout = ROPEWALK_ROTARY_LAYOUT_INIT;
  std::optional<DrawnTransform> transform;
  std::optional<DrawnCache> cache;
  Sized<ropewalk_rotary_layout> c_layout;
  Sized<ropewalk_heads> c_heads;
  Sized<ropewalk_const_heads> c_const_heads;

  bool needs_rows() const {
    return layout.rotary_dim != 0 ||
           (has_transform && transform->shadow().given &&
            transform->shadow().transform.token_scale != nullptr);
  }
  bool leaves() const {
    return present &&
           (shadow.leaves || (cache.has_value() && cache->shadow().leaves));
  }
};

struct Write {
  Write(Draw* draw, Arena* memory)
      : arena(memory), sizes(DrawSizes(draw)), rows(draw, sizes) {
    DrawPart(draw, &q, 0);
    DrawPart(draw, &k, 1);
    DrawPart(draw, &v, 3);
  }

  void DrawPart(Draw* draw, StepPart* part, int index);
  void JudgePart(StepPart* part, const DrawnSlots& slots, Verdict* verdict);
  void JudgeRows(const StepPart& part, Verdict* verdict) const;
  void JudgeTogether(Verdict* verdict) const;

  Arena* arena;
  Sizes sizes;
  DrawnRows rows;
  StepPart q, k, v;
};

void Write::DrawPart(Draw* draw, StepPart* part, int index) {
  if (draw->In(0, 3) == 3) return;
  part->present = true;
  part->layout = DrawLayout(draw);
  if (index == 3) {
    part->layout.rotary_dim = part->layout.rotary_offset = 0;
    part->layout.pair_distance = part->layout.output_pairing = 0;
    part->layout.first_pair = 0;
    part->layout.pairing = ROPEWALK_HALF;
    part->layout.head_dim = std::max(part->layout.head_dim, 1);
  } else {
    part->transform.emplace(draw, rows.count(), part->layout.head_dim);
    part->has_transform = true;
  }
  Sizes own = sizes;
  own.heads = draw->Flag() ? sizes.heads : 2 * sizes.heads;
  part->tensor = DrawTensor(draw, own, part->layout.head_dim, DrawType(draw),
                            fuzz::DrawPart(draw, arena, index, 5),
                            index != 0 && draw->Flag());
  if (index == 0) return;
  const auto heads = static_cast<int32_t>(
      std::clamp(part->tensor.heads, int64_t{0}, int64_t{12}));
  part->cache.emplace(draw, heads, part->layout.head_dim,
                      fuzz::DrawPart(draw, arena, index + 1, 5), *arena);
  // Values are as long as their cache says.
  if (index == 3) part->layout.head_dim = part->cache->value().head_dim;
}

void Write::JudgeRows(const StepPart& part, Verdict* verdict) const {
  if (!part.needs_rows()) return;
  const int64_t count = rows.count();
  const auto full =
      static_cast<__int128>(part.tensor.batch) * part.tensor.tokens;
  verdict->MustIf(count != part.tensor.tokens && count != full, kInvalid);
  verdict->Add(JudgePairs(rows.get(), part.layout));
  const int32_t heads = std::max(rows.heads(), 1);
  verdict->MustIf(part.layout.rotary_dim != 0 && part.tensor.heads % heads != 0,
                  kInvalid);
}

// Of one part; a part without elements need not be looked at.
void Write::JudgePart(StepPart* part, const DrawnSlots& slots,
                      Verdict* verdict) {
  if (!part->present) return;
  verdict->Add(JudgeBatch(part->tensor));
  part->shadow = Inspect(part->tensor, part->layout.head_dim, *arena);
  Verdict own = JudgeLayout(part->layout);
  if (part->has_transform) own.Add(part->transform->verdict());
  if (!part->cache.has_value()) part->shadow.RequireDistinct(part->tensor);
  own.Add(part->shadow.verdict);
  JudgeRows(*part, &own);
  if (part->cache.has_value()) {
    const DrawnCache& cache = *part->cache;
    own.Add(cache.verdict());
    own.MustIf(cache.value().heads != part->tensor.heads ||
                   cache.value().head_dim != part->layout.head_dim,
               kInvalid);
    const auto tokens =
        static_cast<__int128>(part->tensor.batch) * part->tensor.tokens;
    own.MustIf(slots.count() != tokens, kInvalid);
    if (!cache.shadow().leaves) own.Add(slots.Judge(cache.capacity()));
    if (own.MustFail()) own.May(ROPEWALK_OUT_OF_RANGE);
  }
  if (part->shadow.empty) {
    verdict->AddAsMay(own);
  } else {
    verdict->Add(own);
  }
}

void Write::JudgeTogether(Verdict* verdict) const {
  const StepPart* const parts[] = {&q, &k, &v};
  std::vector<const Shadow*> all;
  for (const StepPart* part : parts) {
    if (!part->present) continue;
    for (const StepPart* other : parts) {
      if (!other->present) continue;
      const bool same = part->tensor.batch == other->tensor.batch &&
                        part->tensor.tokens == other->tensor.tokens;
      const bool both = !part->shadow.empty && !other->shadow.empty;
      verdict->MustIf(!same && both, kInvalid);
      verdict->MayIf(!same, kInvalid);
    }
    if (part->shadow.empty) continue;
    all.push_back(&part->shadow);
    if (part->cache.has_value()) all.push_back(&part->cache->shadow());
  }
  for (size_t i = 0; i < all.size(); ++i) {
    for (size_t j = 0; j < i; ++j) JudgeDisjoint(*all[i], *all[j], verdict);
  }
}

// The structs of a part; what it must have is rarely null.
void Describe(Draw* draw, StepPart* part, ropewalk_cache_write* write,
              Verdict* verdict) {
  if (!part->present) return;
  if (part->has_transform) {
    part->c_layout = Sized<ropewalk_rotary_layout>(draw, part->layout, verdict);
  }
  if (!part->cache.has_value()) {
    const ropewalk_heads heads =
        ToC(part->tensor, ropewalk_heads ROPEWALK_HEADS_INIT);
    part->c_heads = Sized<ropewalk_heads>(draw, heads, verdict);
    write->q = part->c_heads.get();
    write->q_layout = part->c_layout.get();
    write->q_transform = part->transform->get();
    return;
  }
  const ropewalk_const_heads heads =
      ToC(part->tensor, ropewalk_const_heads ROPEWALK_CONST_HEADS_INIT);
  part->c_const_heads = Sized<ropewalk_const_heads>(draw, heads, verdict);
  if (!part->has_transform) {
    write->v = part->c_const_heads.get();
    write->v_cache = part->cache->get();
    return;
  }
  write->k = part->c_const_heads.get();
  write->k_layout = part->c_layout.get();
  write->k_transform = part->transform->get();
  write->k_cache = part->cache->get();
}

HeadTask TaskOf(const Write& write, const StepPart& part, size_t head) {
  HeadTask task{};
  task.layout = &part.layout;
  task.transform = part.has_transform ? &part.transform->shadow() : nullptr;
  task.rows = part.needs_rows() ? write.rows.get() : nullptr;
  task.in = write.arena->Before(part.shadow.heads[head]);
  task.in_type = part.tensor.type;
  if (task.rows == nullptr) return task;
  const auto at = static_cast<int64_t>(head);
  const int64_t token = at / part.tensor.heads;
  const bool shared = write.rows.count() == part.tensor.tokens;
  task.row = shared ? token % part.tensor.tokens : token;
  const int64_t each = part.tensor.heads / write.rows.heads();
  task.row_head =
      static_cast<int32_t>(at % part.tensor.heads / std::max(each, INT64_C(1)));
  return task;
}

// Calls function(head, where it goes) for what has a slot.
template <class Function>
void ForEachHead(const StepPart& part, const DrawnSlots& slots,
                 const Function& function) {
  for (size_t i = 0; part.present && i < part.shadow.heads.size(); ++i) {
    if (!part.cache.has_value()) {
      function(i, part.shadow.heads[i]);
      continue;
    }
    const auto at = static_cast<int64_t>(i);
    const int64_t slot = slots.At(at / part.tensor.heads);
    if (slot == -1) continue;
    function(i, part.cache->Head(slot, at % part.tensor.heads));
  }
}

void Check(const Write& write, const DrawnSlots& slots, ropewalk_status code) {
  const StepPart* const parts[] = {&write.q, &write.k, &write.v};
  if (code == ROPEWALK_OK) {
    for (const StepPart* part : parts) {
      const bool all = part->cache.has_value() ||
                       (part->present && part->transform->shadow().active());
      ForEachHead(*part, slots, [&](size_t, uint8_t* to) {
        const int32_t type = part->cache.has_value() ? part->cache->value().type
                                                     : part->tensor.type;
        AllowHead(part->layout, all, type, to, write.arena);
      });
    }
  }
  write.arena->RequireNothingElseChanged();
  if (code != ROPEWALK_OK) return;
  for (const StepPart* part : parts) {
    // Which of two keys wins a slot is nobody's contract.
    if (part->cache.has_value() && slots.HasDuplicates()) continue;
    ForEachHead(*part, slots, [&](size_t head, uint8_t* to) {
      HeadTask task = TaskOf(write, *part, head);
      task.out = to;
      task.out_type = part->cache.has_value() ? part->cache->value().type
                                              : part->tensor.type;
      RequireHead(task);
    });
  }
}

void Fuzz(const uint8_t* data, size_t size) {
  static Arena arena;
  test::refused_from = size_t{64} << 20;
  Draw draw(data, size);
  DrawTarget(&draw);
  arena.Fill(draw.Seed(), draw.In(0, 7) == 7);
  Write write(&draw, &arena);
  const Tensor& keys = write.k.present ? write.k.tensor : write.v.tensor;
  const int64_t capacity =
      write.k.present ? write.k.cache->capacity()
                      : (write.v.present ? write.v.cache->capacity() : 8);
  const bool few = keys.batch >= 0 && keys.batch < 99 && keys.tokens >= 0 &&
                   keys.tokens < 99;
  const DrawnSlots slots(&draw, few ? keys.batch * keys.tokens : 3, capacity);
  DrawnParallel parallel(&draw);
  Verdict verdict = parallel.verdict();
  verdict.Add(slots.verdict());
  ropewalk_cache_write c_write = ROPEWALK_CACHE_WRITE_INIT;
  for (StepPart* part : {&write.q, &write.k, &write.v}) {
    write.JudgePart(part, slots, &verdict);
    Describe(&draw, part, &c_write, &verdict);
  }
  write.JudgeTogether(&verdict);
  // A part that is not there is fine; the model has taken it for a fault.
  if (write.q.present && c_write.q == nullptr) return;
  if (write.k.present && c_write.k == nullptr && c_write.k_cache == nullptr) {
    return;
  }
  if (write.v.present && c_write.v == nullptr && c_write.v_cache == nullptr) {
    return;
  }
  const Sized<ropewalk_cache_write> sized(&draw, c_write, &verdict);
  const bool leaves = write.q.leaves() || write.k.leaves() || write.v.leaves();
  if (leaves && (!verdict.MustFail() || slots.count() > 99)) return;
  arena.Remember();
  const ropewalk_status code =
      parallel.MakeCalls(&draw, verdict, [&](ropewalk_error* error) {
        return ropewalk_rotate_into_cache(write.rows.get(), sized.get(),
                                          slots.get(), parallel.get(), error);
      });
  Check(write, slots, code);
}

}  // namespace
}  // namespace ropewalk::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ropewalk::fuzz::Fuzz(data, size);
  return 0;
}
