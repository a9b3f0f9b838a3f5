// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/validate_write.h"

#include "cache/cache_view.h"
#include "rotate/make_job.h"
#include "rotate/overlap.h"
#include "rotate/validate_transform.h"
#include "status/error.h"

namespace ropewalk::internal {
namespace {

// The tensors, caches and slots of a call that have elements.
class Memory {
 public:
  void Add(const NamedView& view, const ByteRange& range) noexcept {
    if (range.empty()) return;
    views_[count_] = view;
    ranges_[count_++] = range;
  }

  void SetSlots(const SlotReader& slots) noexcept {
    slots_ = ByteView(slots.data(), slots.bytes(), "slots");
  }

  Status ValidateApart() const noexcept {
    for (int i = 0; i < count_; ++i) {
      for (int j = 0; j < i; ++j) {
        if (!Meet(ranges_[i], ranges_[j])) continue;
        ROPEWALK_RETURN_IF_ERROR(ValidateDisjoint(views_[j], views_[i]));
      }
      if (!Meet(ranges_[i], slots_.range())) continue;
      ROPEWALK_RETURN_IF_ERROR(internal::ValidateApart(slots_, views_[i]));
    }
    return Status();
  }

 private:
  static bool Meet(const ByteRange& a, const ByteRange& b) noexcept {
    return a.begin < b.end && b.begin < a.end;
  }

  NamedView views_[5];
  ByteRange ranges_[5];
  ByteView slots_{nullptr, 0, "slots"};
  int count_ = 0;
};

// What neither turns nor is scaled by token looks at no row.
bool NeedsRows(const RotaryLayout& layout,
               const HeadTransform& transform) noexcept {
  return layout.rotary_dim != 0 || transform.token_scale != nullptr;
}

Status ValidateQueries(const WriteParts& parts, Memory* memory) noexcept {
  const HeadsView& q = parts.write->q;
  const RotaryLayout& layout = parts.write->q_layout;
  if (q.heads == 0) return Status();
  const HeadTransform& transform = parts.write->q_transform;
  ROPEWALK_RETURN_IF_ERROR(Within("q_layout", ValidateLayout(layout)));
  ROPEWALK_RETURN_IF_ERROR(
      Within("q_transform", ValidateTransform(transform, layout.head_dim)));
  const NamedView named = {&q, layout.head_dim, {"q"}};
  ByteRange range;
  if (!IsUsualView(q, layout.head_dim, &range)) {
    ROPEWALK_RETURN_IF_ERROR(
        ValidateView(q, layout.head_dim, named.name, &range));
    if (range.empty()) return Status();
    ROPEWALK_RETURN_IF_ERROR(ValidateDistinctHeads(named));
  }
  memory->Add(named, range);
  return NeedsRows(layout, transform)
             ? ValidateRows(*parts.rows, layout, q, named.name)
             : Status();
}

Status ValidateShape(const Incoming& incoming) noexcept {
  if (incoming.layout.head_dim == incoming.cache.head_dim &&
      incoming.view.heads == incoming.cache.heads) {
    return Status();
  }
  return Error(StatusCode::kInvalidArgument,
               "%s of %lld heads, head_dim = %d: must be those of %s, %lld and "
               "%d",
               incoming.name, static_cast<long long>(incoming.view.heads),
               incoming.layout.head_dim, incoming.cache_name,
               static_cast<long long>(incoming.cache.heads),
               incoming.cache.head_dim);
}

Status ValidateIncoming(const WriteParts& parts, const Incoming& incoming,
                        Memory* memory) noexcept {
  if (incoming.view.heads == 0) return Status();
  const RotaryLayout& layout = incoming.layout;
  ByteRange range, cache_range;
  ROPEWALK_RETURN_IF_ERROR(
      ValidateCache(incoming.cache, incoming.cache_name, &cache_range));
  ROPEWALK_RETURN_IF_ERROR(
      Within(incoming.layout_name, ValidateLayout(layout)));
  ROPEWALK_RETURN_IF_ERROR(
      Within(incoming.transform_name,
             ValidateTransform(*incoming.transform, layout.head_dim)));
  ROPEWALK_RETURN_IF_ERROR(ValidateShape(incoming));
  if (!IsUsualView(incoming.view, layout.head_dim, &range)) {
    ROPEWALK_RETURN_IF_ERROR(
        ValidateView(incoming.view, layout.head_dim, {incoming.name}, &range));
  }
  if (range.empty()) return Status();
  if (NeedsRows(layout, *incoming.transform)) {
    ROPEWALK_RETURN_IF_ERROR(
        ValidateRows(*parts.rows, layout, incoming.view, {incoming.name}));
  }
  memory->Add({&incoming.view, layout.head_dim, {incoming.name}}, range);
  memory->Add({&incoming.cache_view,
               layout.head_dim,
               {incoming.cache_name, -1, TensorKind::kCache}},
              cache_range);
  const int64_t tokens = incoming.view.batch * incoming.view.tokens;
  if (parts.slots.count() != tokens) {
    return Error(StatusCode::kInvalidArgument,
                 "slots.count = %lld: must be one a token of %s, %lld",
                 static_cast<long long>(parts.slots.count()), incoming.name,
                 static_cast<long long>(tokens));
  }
  ROPEWALK_RETURN_IF_ERROR(ValidateSlots(incoming.cache, "slots", parts.slots));
  memory->SetSlots(parts.slots);
  return Status();
}

// Both tensors are of one step.
Status ValidateSameStep(const HeadsView& a, const char* a_name,
                        const HeadsView& b, const char* b_name) noexcept {
  if (a.heads == 0 || b.heads == 0 ||
      (a.batch == b.batch && a.tokens == b.tokens)) {
    return Status();
  }
  return Error(StatusCode::kInvalidArgument,
               "%s.batch = %lld, %s.tokens = %lld: must be those of %s, %lld "
               "and %lld",
               b_name, static_cast<long long>(b.batch), b_name,
               static_cast<long long>(b.tokens), a_name,
               static_cast<long long>(a.batch),
               static_cast<long long>(a.tokens));
}

}  // namespace

WriteParts PartsOf(const AngleRows& rows, const CacheWrite& write,
                   const Slots& slots) noexcept {
  static constexpr HeadTransform kNoTransform;
  RotaryLayout nothing_turns;
  nothing_turns.head_dim = write.v_cache.head_dim;
  const auto view_of = [](const ConstHeadsView* view) {
    return view == nullptr ? HeadsView{} : Unconst(*view);
  };
  return {&rows,
          &write,
          SlotReader(slots),
          {"k", "k_cache", "k_layout", "k_transform", view_of(write.k),
           write.k_layout, &write.k_transform, write.k_cache,
           ViewOf(write.k_cache)},
          {"v", "v_cache", "v_cache", "v", view_of(write.v), nothing_turns,
           &kNoTransform, write.v_cache, ViewOf(write.v_cache)}};
}

Status ValidateWrite(const WriteParts& parts) noexcept {
  const HeadsView& q = parts.write->q;
  Memory memory;
  ROPEWALK_RETURN_IF_ERROR(ValidateQueries(parts, &memory));
  ROPEWALK_RETURN_IF_ERROR(ValidateIncoming(parts, parts.k, &memory));
  ROPEWALK_RETURN_IF_ERROR(ValidateIncoming(parts, parts.v, &memory));
  ROPEWALK_RETURN_IF_ERROR(ValidateSameStep(q, "q", parts.k.view, "k"));
  ROPEWALK_RETURN_IF_ERROR(ValidateSameStep(q, "q", parts.v.view, "v"));
  ROPEWALK_RETURN_IF_ERROR(
      ValidateSameStep(parts.k.view, "k", parts.v.view, "v"));
  return memory.ValidateApart();
}

}  // namespace ropewalk::internal
