// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Shifts, moves and re-rotations of one cache, one after the other: each fails
// and changes nothing, or turns exactly the keys of its slots.
#include <algorithm>
#include <vector>

#include "fuzz/c_call.h"
#include "fuzz/draw_cache.h"
#include "fuzz/handles.h"
#include "fuzz/reference_head.h"
#include "fuzz/require.h"
#include "support/operator_new.h"

namespace ropewalk::fuzz {
namespace {

constexpr auto kInvalid = ROPEWALK_INVALID_ARGUMENT;

// A cache that lives as long as the input, and what its calls share.
struct Keys {
  Keys(Draw* draw, Arena* arena)
      : layout(DrawLayout(draw)),
        cache(draw, draw->Int(0, 4), layout.head_dim,
              DrawPart(draw, arena, 0, 1), *arena) {
    c_layout = Sized<ropewalk_rotary_layout>(draw, layout, &verdict);
    verdict.Add(JudgeLayout(layout));
    verdict.Add(cache.verdict());
    verdict.MustIf(
        cache.get() != nullptr && cache.value().head_dim != layout.head_dim,
        kInvalid);
    verdict.MustIf(layout.rotary_dim > 0 && layout.output_pairing != 0 &&
                       layout.output_pairing != layout.pairing,
                   kInvalid);
  }

  bool has_heads() const { return cache.value().heads != 0; }
  // Nothing to turn: rows and positions need not be looked at.
  bool idle() const { return cache.shadow().empty || layout.rotary_dim == 0; }

  void JudgeSlots(const DrawnSlots& slots, Verdict* out) const {
    out->Add(slots.verdict());
    const Verdict of_slots = slots.Judge(cache.capacity());
    // Where the cache cannot be, its capacity is not known.
    if (has_heads() && !verdict.MustFail() && !cache.shadow().leaves) {
      out->Add(of_slots);
    } else {
      out->AddAsMay(of_slots);
      out->May(ROPEWALK_OUT_OF_RANGE);
      out->May(kInvalid);
    }
  }

  ropewalk_rotary_layout layout;
  DrawnCache cache;
  Sized<ropewalk_rotary_layout> c_layout;
  Verdict verdict;
};

void JudgeRows(const ropewalk_angle_rows* rows, double factor, bool only_turns,
               int64_t slots, const Keys& keys, Verdict* verdict) {
  Verdict own;
  const int64_t count = ropewalk_angle_rows_count(rows);
  own.MustIf(count != 1 && count != slots, kInvalid);
  own.MustIf(ropewalk_angle_rows_heads(rows) != 1, kInvalid);
  own.Add(JudgePairs(rows, keys.layout));
  own.MustIf(only_turns && factor != 1 && count > 0, kInvalid);
  if (keys.idle()) {
    verdict->AddAsMay(own);
  } else {
    verdict->Add(own);
  }
}

// The key of slot `from`, as it was, turned and kept in slot `to`.
void RequireKey(const Keys& keys, const ropewalk_angle_rows* rows, int64_t row,
                int64_t from, int64_t to, const Arena& arena) {
  const ropewalk_kv_cache& cache = keys.cache.value();
  for (int64_t head = 0; head < cache.heads; ++head) {
    HeadTask task{};
    task.layout = &keys.layout;
    task.rows = rows;
    task.row = row;
    task.in = arena.Before(keys.cache.Head(from, head));
    task.out = keys.cache.Head(to, head);
    task.in_type = task.out_type = cache.type;
    RequireHead(task);
  }
}

void AllowKey(const Keys& keys, bool whole_head, int64_t slot, Arena* arena) {
  for (int64_t head = 0; head < keys.cache.value().heads; ++head) {
    AllowHead(keys.layout, whole_head, keys.cache.value().type,
              keys.cache.Head(slot, head), arena);
  }
}

// After a call that turned slots where they are.
void CheckTurned(const Keys& keys, const ropewalk_angle_rows* rows,
                 const DrawnSlots& slots, ropewalk_status code, Arena* arena) {
  const bool done = code == ROPEWALK_OK && !keys.idle();
  const int64_t count = done ? slots.count() : 0;
  for (int64_t i = 0; i < count; ++i) {
    if (slots.At(i) != -1) AllowKey(keys, false, slots.At(i), arena);
  }
  arena->RequireNothingElseChanged();
  if (slots.count() > 99 || slots.HasDuplicates()) return;
  for (int64_t i = 0; i < count; ++i) {
    if (slots.At(i) == -1) continue;
    const int64_t row = ropewalk_angle_rows_count(rows) == 1 ? 0 : i;
    RequireKey(keys, rows, row, slots.At(i), slots.At(i), *arena);
  }
}

bool MayCall(const Keys& keys, const DrawnSlots& slots,
             const Verdict& verdict) {
  return !keys.cache.shadow().leaves ||
         (verdict.MustFail() && slots.count() < 99);
}

void Turn(Draw* draw, const Keys& keys, Arena* arena) {
  const bool shift = draw->Flag();
  const DrawnSlots slots(draw, draw->In(0, 8), keys.cache.capacity());
  const Sizes sizes = {1, draw->Flag() ? 1 : slots.count(), 1};
  const DrawnRows rows(draw, sizes, shift && !draw->Rarely());
  DrawnParallel parallel(draw);
  Verdict verdict = keys.verdict;
  verdict.Add(parallel.verdict());
  verdict.MustIf(rows.get() == nullptr, kInvalid);
  keys.JudgeSlots(slots, &verdict);
  JudgeRows(rows.get(), rows.factor(), shift, slots.count(), keys, &verdict);
  if (!MayCall(keys, slots, verdict)) return;
  const auto call = shift ? ropewalk_shift_cache : ropewalk_rerotate;
  arena->Remember();
  const ropewalk_status code =
      parallel.MakeCalls(draw, verdict, [&](ropewalk_error* error) {
        return call(rows.get(), keys.c_layout.get(), keys.cache.get(),
                    slots.get(), parallel.get(), error);
      });
  CheckTurned(keys, rows.get(), slots, code, arena);
}

void CheckMoved(const Keys& keys, const ropewalk_angle_rows* rows,
                const DrawnSlots& from, const DrawnSlots& to,
                ropewalk_status code, Arena* arena) {
  const bool done = code == ROPEWALK_OK && !keys.cache.shadow().empty;
  const int64_t count = done ? to.count() : 0;
  const auto moves = [&](int64_t i) {
    return from.At(i) >= 0 && to.At(i) >= 0;
  };
  for (int64_t i = 0; i < count; ++i) {
    if (moves(i)) AllowKey(keys, true, to.At(i), arena);
  }
  arena->RequireNothingElseChanged();
  for (int64_t i = 0; i < count; ++i) {
    if (!moves(i)) continue;
    const int64_t row = ropewalk_angle_rows_count(rows) == 1 ? 0 : i;
    RequireKey(keys, rows, row, from.At(i), to.At(i), *arena);
  }
}

// A slot that two moves write. One whose source is skipped writes none.
bool WritesTwice(const DrawnSlots& from, const DrawnSlots& to) {
  std::vector<int64_t> written;
  for (int64_t i = 0; i < to.count(); ++i) {
    if (from.At(i) >= 0 && to.At(i) >= 0) written.push_back(to.At(i));
  }
  std::sort(written.begin(), written.end());
  return std::adjacent_find(written.begin(), written.end()) != written.end();
}

void Move(Draw* draw, const Keys& keys, Arena* arena) {
  const int64_t count = draw->In(0, 8);
  const DrawnSlots from(draw, count, keys.cache.capacity());
  const DrawnSlots to(draw, from.count(), keys.cache.capacity());
  const Sizes sizes = {1, draw->Flag() ? 1 : from.count(), 1};
  const DrawnRows rows(draw, sizes, !draw->Rarely());
  DrawnParallel parallel(draw);
  Verdict verdict = keys.verdict;
  verdict.Add(parallel.verdict());
  verdict.MustIf(rows.get() == nullptr && !keys.idle(), kInvalid);
  verdict.MayIf(rows.get() == nullptr, kInvalid);
  keys.JudgeSlots(from, &verdict);
  keys.JudgeSlots(to, &verdict);
  const bool in_cache =
      keys.has_heads() && !verdict.MustFail() && !keys.cache.shadow().leaves;
  verdict.MustIf(from.count() != to.count(), kInvalid);
  if (in_cache && from.count() == to.count()) {
    const bool twice = WritesTwice(from, to);
    verdict.MustIf(twice && !keys.cache.shadow().empty, kInvalid);
    verdict.MayIf(twice, kInvalid);
  }
  JudgeRows(rows.get(), rows.factor(), true, from.count(), keys, &verdict);
  if (!MayCall(keys, from, verdict) || !MayCall(keys, to, verdict)) return;
  arena->Remember();
  const ropewalk_status code =
      parallel.MakeCalls(draw, verdict, [&](ropewalk_error* error) {
        return ropewalk_move_cache(rows.get(), keys.c_layout.get(),
                                   keys.cache.get(), from.get(), to.get(),
                                   parallel.get(), error);
      });
  CheckMoved(keys, rows.get(), from, to, code, arena);
}

void RerotateTables(Draw* draw, const Keys& keys, Arena* arena) {
  const DrawnSlots slots(draw, draw->In(0, 8), keys.cache.capacity());
  const Tables& tables = Tables::Get();
  const ropewalk_angle_table* const from = tables.Draw(draw);
  const ropewalk_angle_table* const to = tables.Draw(draw);
  DrawnParallel parallel(draw);
  ropewalk_positions positions = ROPEWALK_POSITIONS_INIT;
  positions.kind = ROPEWALK_POSITIONS_CONSECUTIVE;
  positions.count = draw->Rarely() ? draw->In(0, 8) : slots.count();
  positions.first = draw->In(-9, 9);
  Verdict verdict = keys.verdict;
  const Sized<ropewalk_positions> c_positions(draw, positions, &verdict);
  verdict.Add(parallel.verdict());
  verdict.MustIf(from == nullptr || to == nullptr, kInvalid);
  verdict.MustIf(tables.PairsOf(from) != tables.PairsOf(to), kInvalid);
  keys.JudgeSlots(slots, &verdict);
  verdict.MustIf(positions.count != slots.count(), kInvalid);
  const int64_t pairs =
      int64_t{keys.layout.first_pair} + keys.layout.rotary_dim / 2;
  verdict.MustIf(pairs > tables.PairsOf(to), kInvalid);
  if (!MayCall(keys, slots, verdict)) return;
  arena->Remember();
  const ropewalk_status code =
      parallel.MakeCalls(draw, verdict, [&](ropewalk_error* error) {
        return ropewalk_rerotate_tables(
            from, to, keys.c_layout.get(), keys.cache.get(), slots.get(),
            c_positions.get(), parallel.get(), error);
      });
  Rows rows;
  // Of a cache without keys nobody counts the slots.
  if (code == ROPEWALK_OK && !keys.idle()) {
    Require(
        ropewalk_angle_table_fill_rerotation(
            to, from, c_positions.get(), rows.get(), nullptr) == ROPEWALK_OK,
        "rows of a valid call");
  }
  CheckTurned(keys, rows.get(), slots, code, arena);
}

void CanShift(Draw* draw, const Keys& keys, Arena* arena) {
  if (keys.cache.shadow().leaves) return;
  const ropewalk_angle_table* const table = Tables::Get().Draw(draw);
  Verdict verdict = keys.verdict;
  verdict.MustIf(table == nullptr, kInvalid);
  const int64_t pairs =
      int64_t{keys.layout.first_pair} + keys.layout.rotary_dim / 2;
  verdict.MustIf(table != nullptr && pairs > Tables::Get().PairsOf(table),
                 kInvalid);
  arena->Remember();
  MakeCall(draw, verdict, [&](ropewalk_error* error) {
    return ropewalk_can_shift(table, keys.c_layout.get(), keys.cache.get(),
                              draw->Value(0), error);
  });
  arena->RequireNothingElseChanged();
}

void Fuzz(const uint8_t* data, size_t size) {
  static Arena arena;
  test::refused_from = size_t{64} << 20;
  Draw draw(data, size);
  DrawTarget(&draw);
  arena.Fill(draw.Seed(), draw.In(0, 7) == 7);
  const Keys keys(&draw, &arena);
  for (int call = 0; call < 4 && !draw.done(); ++call) {
    constexpr decltype(&Turn) kCalls[] = {Turn, Move, RerotateTables, CanShift};
    kCalls[draw.Int(0, 3)](&draw, keys, &arena);
  }
}

}  // namespace
}  // namespace ropewalk::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ropewalk::fuzz::Fuzz(data, size);
  return 0;
}
