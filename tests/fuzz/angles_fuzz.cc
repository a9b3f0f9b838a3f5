// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Angle caches, tables and fills in the order of their use: rows are as they
// were after a failure, and the angles of their positions after a success.
#include <algorithm>
#include <cmath>
#include <vector>

#include "fuzz/c_call.h"
#include "fuzz/draw_positions.h"
#include "fuzz/handles.h"
#include "fuzz/require.h"
#include "fuzz/shadow_rows.h"
#include "support/operator_new.h"

namespace ropewalk::fuzz {
namespace {

constexpr auto kInvalid = ROPEWALK_INVALID_ARGUMENT;
constexpr int kPairs = 3;
// Of which cos and sin are compared: double has them to 2^-40.
constexpr int64_t kNear = 4096;

// A table, and the frequencies it was made of.
struct KnownTable {
  Table table;
  double inv_freq[kPairs] = {};
  double factor = 1;
  bool rounded = false;
};

ropewalk_angle_options DrawOptions(Draw* draw, Verdict* verdict) {
  ropewalk_angle_options options = ROPEWALK_ANGLE_OPTIONS_INIT;
  options.mode = draw->Value(draw->In(0, 7) == 7 ? draw->Int(0, 1) : 0);
  // Factored tables take milliseconds here.
  options.kind = draw->Value(
      options.mode == 0 ? draw->Pick<int32_t>({3, 3, 3, 2, 2, 2, 1, 0}) : 0);
  options.dense_positions = draw->Size(draw->Int(1, 40));
  if (draw->In(0, 3) == 3) options.round_to = draw->Value(draw->Int(1, 3));
  options.reserved = draw->Value(0);
  verdict->MustIf(options.mode < 0 || options.mode > 2, kInvalid);
  verdict->MustIf(options.kind < 0 || options.kind > 3, kInvalid);
  verdict->MustIf(options.round_to < 0 || options.round_to > 3, kInvalid);
  verdict->MustIf(options.reserved != 0, ROPEWALK_UNSUPPORTED);
  verdict->MustIf(options.mode == ROPEWALK_FLOAT32_RECURRENCE,
                  ROPEWALK_UNSUPPORTED);
  verdict->MustIf(
      options.kind == ROPEWALK_FACTORED_TABLE && options.mode != ROPEWALK_EXACT,
      kInvalid);
  const bool dense = options.kind == ROPEWALK_DENSE_TABLE;
  verdict->MustIf(dense && options.dense_positions <= 0, kInvalid);
  verdict->MayIf(options.dense_positions < 0, kInvalid);
  // No memory, or no number of bytes.
  verdict->MustIf(dense && options.dense_positions > DrawnPositions::kMany * 4,
                  ROPEWALK_OUT_OF_RANGE);
  return options;
}

// By the frequencies or the parameters, from a cache or not.
struct TableMaker {
  explicit TableMaker(Draw* draw) {
    const double kInvFreq[] = {0, 1, 0.5, 1e-3, -0.25, 7};
    for (double& w : list_values) w = kInvFreq[draw->Int(0, 5)];
    list.values = list_values;
    list.count = kPairs;
    list.attention_factor = draw->Pick<double>({1, 1, 1.5, 0.25});
    parameters.scheme = ROPEWALK_EXPLICIT;
    parameters.scaling = &list;
    ropewalk_frequencies* made = nullptr;
    Require(ropewalk_compute_frequencies(&parameters, 0, &made, nullptr) ==
            ROPEWALK_OK);
    frequencies.reset(made);
  }

  ropewalk_status Make(int way, ropewalk_angle_cache* cache,
                       const ropewalk_angle_options* options,
                       ropewalk_angle_table** made, ropewalk_error* error) {
    switch (way) {
      case 0:
        return ropewalk_angle_table_build(frequencies.get(), options, nullptr,
                                          made, error);
      case 1:
        return ropewalk_angle_cache_get_frequencies(cache, frequencies.get(),
                                                    options, made, error);
      default:
        return ropewalk_angle_cache_get(cache, &parameters, 0, options, made,
                                        error);
    }
  }

  double list_values[kPairs];
  ropewalk_double_list list = ROPEWALK_DOUBLE_LIST_INIT;
  ropewalk_rope_parameters parameters = ROPEWALK_ROPE_PARAMETERS_INIT;
  Frequencies frequencies;
};

// A cache that was made without memory has none for any table.
void GetTable(Draw* draw, ropewalk_angle_cache* cache, bool lacks_memory,
              KnownTable* known) {
  TableMaker maker(draw);
  Verdict verdict;
  Verdict of_options;
  const ropewalk_angle_options options = DrawOptions(draw, &of_options);
  const Sized<ropewalk_angle_options> c_options(draw, options, &of_options,
                                                true);
  const bool plain = c_options.get() == nullptr;
  if (!plain) verdict.Add(of_options);
  const int way = draw->Int(0, 2);
  verdict.MustIf(way != 0 && cache == nullptr, kInvalid);
  verdict.MayIf(way != 0 && lacks_memory, ROPEWALK_OUT_OF_MEMORY);
  ropewalk_angle_table* made = nullptr;
  const ropewalk_status code =
      MakeCall(draw, verdict, [&](ropewalk_error* error) {
        return maker.Make(way, cache, c_options.get(), &made, error);
      });
  Require((made != nullptr) == (code == ROPEWALK_OK),
          "a table is handed out on success only");
  if (code != ROPEWALK_OK) return;
  known->table.reset(made);
  std::copy(maker.list_values, maker.list_values + kPairs, known->inv_freq);
  known->factor = maker.list.attention_factor;
  known->rounded = !plain && (options.mode != 0 || options.round_to > 1);
  Require(ropewalk_angle_table_bytes(made) > 0, "a table has bytes");
}

void RequireAngles(const KnownTable& known, const DrawnPositions& positions,
                   bool pure, int64_t first_row,
                   const ropewalk_angle_rows* rows) {
  const double m = pure ? 1 : known.factor;
  // bf16 has 8 bits; float32 angles of 4096 are off by up to 2^-11.
  const double bound = m * (known.rounded && !pure ? 0x1p-7 : 0x1p-23);
  for (int64_t t = 0; t < positions.count(); ++t) {
    const int64_t row = first_row + t;
    Require(ropewalk_angle_rows_attention_factor(rows, row) == m,
            "rows say their factor");
    const double position = positions.Real(t);
    if (!(std::fabs(position) <= static_cast<double>(kNear))) continue;
    const float* const cos = ropewalk_angle_rows_cos(rows, row, 0);
    const float* const sin = ropewalk_angle_rows_sin(rows, row, 0);
    for (int i = 0; i < kPairs; ++i) {
      const double angle = position * known.inv_freq[i];
      Require(std::fabs(static_cast<double>(cos[i]) - m * std::cos(angle)) <=
                      bound &&
                  std::fabs(static_cast<double>(sin[i]) -
                            m * std::sin(angle)) <= bound,
              "rows hold cos and sin of their positions");
    }
  }
}

void Fill(Draw* draw, const KnownTable& known, ropewalk_angle_rows* rows) {
  const RowsContent before(rows);
  const DrawnPositions positions(draw, kNear, false);
  const bool pure = draw->Flag();
  int64_t first_row = draw->Flag() ? before.count : 0;
  first_row = draw->Size(first_row);
  Verdict verdict = positions.verdict();
  const bool no_rows = draw->Rarely();
  verdict.MustIf(no_rows || known.table == nullptr, kInvalid);
  verdict.MustIf(first_row < 0 || first_row > before.count, kInvalid);
  verdict.MustIf(first_row > 0 && (before.pairs != kPairs || before.heads != 1),
                 kInvalid);
  verdict.MustIf(positions.count() > DrawnPositions::kMany,
                 ROPEWALK_OUT_OF_RANGE);
  const auto call =
      pure ? ropewalk_angle_table_fill_rotation : ropewalk_angle_table_fill;
  const ropewalk_status code =
      MakeCall(draw, verdict, [&](ropewalk_error* error) {
        return call(known.table.get(), positions.get(),
                    no_rows ? nullptr : rows, first_row, error);
      });
  const RowsContent after(rows);
  if (code != ROPEWALK_OK) {
    return Require(after.Same(before), "the rows are as they were");
  }
  Require(after.count == first_row + positions.count(), "a row a position");
  Require(after.count == 0 || after.pairs == kPairs, "the table's pairs");
  Require(after.SameRows(before, first_row), "rows before are kept");
  RequireAngles(known, positions, pure, first_row, rows);
}

void FillRerotation(Draw* draw, const KnownTable& to, const KnownTable& from,
                    ropewalk_angle_rows* rows) {
  const RowsContent before(rows);
  const DrawnPositions positions(draw, 64, false);
  Verdict verdict = positions.verdict();
  verdict.MustIf(to.table == nullptr || from.table == nullptr, kInvalid);
  verdict.MustIf(positions.count() > DrawnPositions::kMany,
                 ROPEWALK_OUT_OF_RANGE);
  const ropewalk_status code =
      MakeCall(draw, verdict, [&](ropewalk_error* error) {
        return ropewalk_angle_table_fill_rerotation(
            to.table.get(), from.table.get(), positions.get(), rows, error);
      });
  const RowsContent after(rows);
  if (code != ROPEWALK_OK) {
    return Require(after.Same(before), "the rows are as they were");
  }
  Require(after.count == positions.count(), "a row a position");
}

void Reserve(Draw* draw, ropewalk_angle_rows* rows) {
  const RowsContent before(rows);
  const int64_t count = draw->Size(draw->In(0, 20));
  const int32_t pairs = draw->Value(draw->Int(0, 9));
  const int32_t heads = draw->Value(draw->Int(1, 3));
  Verdict verdict;
  verdict.MustIf(count < 0 || pairs < 0 || heads < 1, kInvalid);
  const auto floats =
      static_cast<__int128>(count) * std::max(pairs, 1) * std::max(heads, 1);
  verdict.MayIf(floats > DrawnPositions::kMany, ROPEWALK_OUT_OF_RANGE);
  const ropewalk_status code =
      MakeCall(draw, verdict, [&](ropewalk_error* error) {
        return ropewalk_angle_rows_reserve(rows, count, pairs, heads, error);
      });
  if (code == ROPEWALK_OK) return;
  Require(RowsContent(rows).Same(before), "the rows are as they were");
}

void ReadStats(Draw* draw, const ropewalk_angle_cache* cache) {
  Verdict verdict;
  ropewalk_angle_cache_stats stats = ROPEWALK_ANGLE_CACHE_STATS_INIT;
  // Later fields of a longer struct need not be 0: it is only written.
  const Sized<ropewalk_angle_cache_stats> sized(draw, stats, &verdict);
  verdict.MustIf(cache == nullptr, kInvalid);
  if (sized.get() != nullptr && sized.get()->struct_size > sizeof(stats))
    return;
  MakeCall(draw, verdict, [&](ropewalk_error* error) {
    return ropewalk_angle_cache_get_stats(cache, sized.get(), error);
  });
}

void Fuzz(const uint8_t* data, size_t size) {
  test::refused_from = size_t{32} << 20;
  Draw draw(data, size);
  DrawTarget(&draw);
  ropewalk_angle_cache* cache = nullptr;
  // Down to a limit that no table fits into.
  const auto limit = static_cast<size_t>(draw.Pick<int64_t>({0, 1, 1 << 20}));
  Verdict verdict;
  const int64_t refusals = test::refusals;
  MakeCall(&draw, verdict, [&](ropewalk_error* error) {
    return ropewalk_angle_cache_create(limit, &cache, error);
  });
  const bool lacks_memory = test::refusals != refusals;
  KnownTable tables[2];
  Rows rows;
  for (int call = 0; call < 8 && !draw.done(); ++call) {
    KnownTable& one = tables[draw.Int(0, 1)];
    switch (draw.Int(0, 6)) {
      case 0:
        GetTable(&draw, cache, lacks_memory, &one);
        break;
      case 1:
        FillRerotation(&draw, tables[0], tables[1], rows.get());
        break;
      case 2:
        Reserve(&draw, rows.get());
        break;
      case 3:
        ReadStats(&draw, cache);
        break;
      case 4:  // Tables that are held live on.
        ropewalk_angle_cache_destroy(cache);
        cache = nullptr;
        break;
      default:
        Fill(&draw, one, rows.get());
        break;
    }
  }
  ropewalk_angle_cache_destroy(cache);
}

}  // namespace
}  // namespace ropewalk::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ropewalk::fuzz::Fuzz(data, size);
  return 0;
}
