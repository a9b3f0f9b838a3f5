// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What writes ids and factors of positions: query scales, dual chunks, and
// grids of patches.
#include <algorithm>
#include <cmath>
#include <vector>

#include "fuzz/arena.h"
#include "fuzz/c_call.h"
#include "fuzz/draw_positions.h"
#include "fuzz/drawn_buffer.h"
#include "fuzz/require.h"
#include "ropewalk/c/multimodal_positions.h"
#include "support/operator_new.h"

namespace ropewalk::fuzz {
namespace {

constexpr auto kInvalid = ROPEWALK_INVALID_ARGUMENT;
constexpr auto kRange = ROPEWALK_OUT_OF_RANGE;
constexpr int64_t kMostTokens = 200;  // of six lists in the arena

// The library writes a list as long as it is said to be: none so long may be
// asked for.
bool Fits(const Verdict& verdict, int64_t tokens) {
  return verdict.MustFail() || tokens <= kMostTokens;
}

void ScaleQueries(Draw* draw, Arena* arena) {
  const DrawnPositions positions(draw, 100000, true);
  ropewalk_query_scale scale = ROPEWALK_QUERY_SCALE_INIT;
  scale.rule = draw->Value(draw->Int(0, 3));
  scale.positions = draw->Size(draw->In(2, 9000));
  scale.beta = draw->Double(0.1);
  float* const out =
      draw->Rarely() ? nullptr : reinterpret_cast<float*>(arena->data());
  Verdict verdict = positions.verdict();
  const int64_t count = positions.count();
  verdict.MustIf(positions.components() != 1, kInvalid);
  const bool scales = scale.rule != ROPEWALK_NO_QUERY_SCALE;
  verdict.MustIf(scale.rule < 0 || scale.rule > 3, kInvalid);
  verdict.MustIf(out == nullptr && count > 0, kInvalid);
  const int64_t least = scale.rule == ROPEWALK_LOG_N_SCALE ? 2 : 1;
  verdict.MustIf(scales && scale.positions < least, kInvalid);
  const bool beta = scale.rule >= ROPEWALK_LLAMA4_SCALE;
  verdict.MustIf(beta && !(scale.beta >= 0 && scale.beta <= 0x1p120), kInvalid);
  // Without tokens the other arguments need not be looked at.
  if (count == 0) {
    Verdict none;
    none.AddAsMay(verdict);
    none.Add(positions.verdict());
    verdict = none;
  }
  verdict.MayIf(out == nullptr, kInvalid);
  const Sized<ropewalk_query_scale> sized(draw, scale, &verdict);
  if (!Fits(verdict, count)) return;
  arena->Remember();
  const ropewalk_status code =
      MakeCall(draw, verdict, [&](ropewalk_error* error) {
        return ropewalk_write_query_scale(positions.get(), sized.get(), out,
                                          error);
      });
  if (code == ROPEWALK_OK) arena->Allow(arena->data(), 4 * count);
  arena->RequireNothingElseChanged();
  for (int64_t t = 0; code == ROPEWALK_OK && t < count; ++t) {
    Require(std::isfinite(out[t]), "a factor is a number");
    if (!scales) Require(out[t] == 1, "no rule is a factor of 1");
  }
}

void SplitChunks(Draw* draw, Arena* arena) {
  const DrawnPositions positions(draw, 100000, true);
  ropewalk_dual_chunk chunk = ROPEWALK_DUAL_CHUNK_INIT;
  chunk.chunk_size = draw->Size(draw->In(2, 900));
  chunk.local_size = draw->Size(draw->In(0, chunk.chunk_size > 2 ? 1 : 0));
  ropewalk_dual_chunk_ids ids = ROPEWALK_DUAL_CHUNK_IDS_INIT;
  int64_t** const lists[] = {&ids.key,
                             &ids.query_intra,
                             &ids.query_successive,
                             &ids.query_inter,
                             &ids.query_successive_critical,
                             &ids.query_inter_critical};
  const int64_t count = positions.count();
  Verdict verdict = positions.verdict();
  auto* const memory = reinterpret_cast<int64_t*>(arena->data());
  std::vector<int64_t*> wanted;
  for (int64_t i = 0; i < 6; ++i) {
    if (draw->Flag()) continue;
    // That they share no element is the caller's contract.
    *lists[i] = memory + i * kMostTokens;
    wanted.push_back(*lists[i]);
  }
  verdict.MustIf(!wanted.empty() && count > INT64_MAX / 8, kRange);
  verdict.MustIf(positions.components() != 1 || positions.is_real(), kInvalid);
  verdict.MustIf(chunk.local_size < 0 || chunk.chunk_size <= chunk.local_size ||
                     chunk.chunk_size > int64_t{1} << 62,
                 kInvalid);
  if (!wanted.empty() && !Fits(verdict, count)) return;
  verdict.MustIf(!verdict.MustFail() && positions.HasNegative(), kInvalid);
  verdict.MayIf(verdict.MustFail(), kInvalid);
  const Sized<ropewalk_dual_chunk> c_chunk(draw, chunk, &verdict);
  const Sized<ropewalk_dual_chunk_ids> c_ids(draw, ids, &verdict);
  arena->Remember();
  const ropewalk_status code =
      MakeCall(draw, verdict, [&](ropewalk_error* error) {
        return ropewalk_dual_chunk_positions(positions.get(), c_chunk.get(),
                                             c_ids.get(), error);
      });
  if (code == ROPEWALK_OK) {
    for (int64_t* list : wanted) arena->Allow(list, 8 * count);
  }
  arena->RequireNothingElseChanged();
  if (code != ROPEWALK_OK) return;
  const int64_t n = chunk.chunk_size - chunk.local_size;
  for (int64_t t = 0; t < (wanted.empty() ? 0 : count); ++t) {
    const int64_t rest = positions.Integer(t) % n;
    const int64_t size = chunk.chunk_size;
    // All of it is below 2^63: n is at most 2^62.
    const int64_t want[] = {rest,
                            rest,
                            std::min(rest + n, size),
                            std::min(2 * (n - 1) + 1, size),
                            rest + n,
                            rest + size};
    for (int i = 0; i < 6; ++i) {
      Require(*lists[i] == nullptr || (*lists[i])[t] == want[i],
              "the formulas of DualChunkIds");
    }
  }
}

void AppendGrid(Draw* draw, Arena* arena) {
  ropewalk_patch_grid grid = ROPEWALK_PATCH_GRID_INIT;
  grid.merge_size = draw->In(1, 3);
  grid.height = draw->Size(grid.merge_size * draw->In(1, 5));
  grid.width = draw->Size(grid.merge_size * draw->In(1, 5));
  grid.merge_size = draw->Size(grid.merge_size);
  grid.first = draw->Size(draw->In(0, 1));
  grid.class_token = draw->Value(draw->Int(0, 2));
  const Buffer buffer(draw, arena, 2);
  Verdict verdict;
  const bool positive = grid.height >= 1 && grid.width >= 1;
  verdict.MustIf(!positive || grid.merge_size < 1, kInvalid);
  verdict.MustIf(grid.merge_size >= 1 && (grid.height % grid.merge_size != 0 ||
                                          grid.width % grid.merge_size != 0),
                 kInvalid);
  verdict.MustIf(grid.class_token < 0 || grid.class_token > 2, kInvalid);
  const __int128 patches = static_cast<__int128>(grid.height) * grid.width;
  const __int128 all = patches + (grid.class_token != 0 ? 1 : 0);
  const int64_t longest = std::max(grid.height, grid.width);
  verdict.MustIf(
      positive && (all > INT64_MAX || grid.first > INT64_MAX - (longest - 1)),
      kRange);
  const auto tokens = static_cast<int64_t>(std::clamp(
      all, static_cast<__int128>(0), static_cast<__int128>(INT64_MAX)));
  buffer.Judge(tokens, buffer.value.components == 2, &verdict);
  verdict.MustIf(buffer.sized.get() == nullptr, kInvalid);
  const Sized<ropewalk_patch_grid> sized(draw, grid, &verdict);
  if (buffer.lies && !verdict.MustFail()) return;
  arena->Remember();
  const ropewalk_status code =
      MakeCall(draw, verdict, [&](ropewalk_error* error) {
        return ropewalk_append_grid_positions(sized.get(), buffer.sized.get(),
                                              error);
      });
  buffer.Check(code, tokens, arena);
}

void Fuzz(const uint8_t* data, size_t size) {
  static Arena arena;
  test::refused_from = size_t{32} << 20;
  Draw draw(data, size);
  arena.Fill(draw.Seed(), true);
  constexpr decltype(&AppendGrid) kCalls[] = {ScaleQueries, SplitChunks,
                                              AppendGrid};
  kCalls[draw.Int(0, 2)](&draw, &arena);
}

}  // namespace
}  // namespace ropewalk::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ropewalk::fuzz::Fuzz(data, size);
  return 0;
}
