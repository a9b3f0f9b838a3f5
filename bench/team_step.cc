// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/team_step.h"

#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "ropewalk/angles.h"
#include "ropewalk/rotate.h"

namespace ropewalk::bench {
namespace {

constexpr int kQueryHeads = 32;
constexpr int kKeyHeads = 8;
constexpr int kHeadDim = 128;
constexpr int64_t kHeadBytes = kHeadDim * 4;

void Require(const Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "failed: %s\n", status.message());
  std::exit(1);
}

// Position 0 is left out: its row turns nothing.
AngleRows RowsOf(int64_t token, int64_t count) {
  static AngleCache cache{AngleCacheOptions{}};
  RopeParameters parameters;
  parameters.rotary_dim = kHeadDim;
  const auto table =
      cache.Get(parameters, /*sequence_length=*/0, AngleOptions{});
  Require(table.status());
  AngleRows rows;
  Require(table.value()->Fill(Positions::Consecutive(1 + token, count), &rows));
  return rows;
}

HeadsView TokensOf(HeadsView view, int64_t first, int64_t count) {
  view.data = static_cast<uint8_t*>(view.data) + first * view.token_stride;
  view.tokens = count;
  return view;
}

// View or cache.
template <class View>
View HeadsOf(View view, int64_t first, int64_t count) {
  view.data = static_cast<uint8_t*>(view.data) + first * view.head_stride;
  view.heads = count;
  return view;
}

// Of the slowest member's share and of the slowest own call. Thread t of the
// team measures members t, t + threads, ... while the others measure theirs.
PairTiming TakeTeamRound(TeamStep* step, int members, int64_t calls,
                         double round_seconds) {
  const int threads = std::min(omp_get_num_procs(), members);
  double share = 0;
  double own = 0;
#pragma omp parallel num_threads(threads) reduction(max : share, own)
  {
#pragma omp barrier
    for (int i = omp_get_thread_num(); i < members; i += threads) {
      const PairTiming round =
          TakeRound([=] { step->TurnShare(i); }, calls,
                    [=] { step->TurnOwn(i); }, calls, round_seconds);
      share = std::max(share, round.seconds);
      own = std::max(own, round.bound_seconds);
    }
  }
  return {share, own, own / share};
}

}  // namespace

TeamStep::TeamStep(TeamCall call, int64_t tokens, int members)
    : call_(call),
      tokens_(tokens),
      members_(members),
      q_memory_(tokens * kQueryHeads * kHeadBytes),
      k_memory_(tokens * kKeyHeads * kHeadBytes),
      v_memory_(tokens * kKeyHeads * kHeadBytes),
      k_cache_memory_(tokens * kKeyHeads * kHeadBytes / 2),
      v_cache_memory_(tokens * kKeyHeads * kHeadBytes / 2),
      slots_(static_cast<size_t>(tokens)),
      all_(MakeAll()) {
  layout_.head_dim = layout_.rotary_dim = kHeadDim;
  std::iota(slots_.begin(), slots_.end(), int64_t{0});
  for (int64_t i = 0; i < members; ++i) {
    const int64_t first = tokens * i / members;
    const int64_t end = tokens * (i + 1) / members;
    parts_.push_back(tokens == 1 ? SomeHeads(static_cast<int>(i))
                                 : SomeTokens(first, end - first));
  }
}

TeamStep::Part TeamStep::MakeAll() {
  const auto heads = [&](Memory* memory, int count) {
    return DenseHeads(memory->data(), DataType::kF32, 1, tokens_, count,
                      kHeadDim);
  };
  const auto cache = [&](Memory* memory) {
    return NhdCache(memory->data(), DataType::kBF16, 1, tokens_, kKeyHeads,
                    kHeadDim);
  };
  return {heads(&q_memory_, kQueryHeads),
          heads(&k_memory_, kKeyHeads),
          heads(&v_memory_, kKeyHeads),
          cache(&k_cache_memory_),
          cache(&v_cache_memory_),
          slots_.data(),
          RowsOf(0, tokens_)};
}

TeamStep::Part TeamStep::SomeTokens(int64_t first, int64_t count) const {
  return {TokensOf(all_.q, first, count),
          TokensOf(all_.k, first, count),
          TokensOf(all_.v, first, count),
          all_.k_cache,
          all_.v_cache,
          all_.slots + first,
          RowsOf(first, count)};
}

TeamStep::Part TeamStep::SomeHeads(int member) const {
  const auto some = [&](const auto& view, int64_t heads) {
    const int64_t first = heads * member / members_;
    return HeadsOf(view, first, heads * (member + 1) / members_ - first);
  };
  return {some(all_.q, kQueryHeads),
          some(all_.k, kKeyHeads),
          some(all_.v, kKeyHeads),
          some(all_.k_cache, kKeyHeads),
          some(all_.v_cache, kKeyHeads),
          all_.slots,
          RowsOf(0, tokens_)};
}

void TeamStep::Turn(const Part& part, Parallel parallel) const {
  if (call_ == TeamCall::kRotate) {
    RotateOptions options;
    options.parallel = parallel;
    return Require(Rotate(part.rows, layout_, {part.q, part.k}, options));
  }
  const ConstHeadsView k = part.k;
  const ConstHeadsView v = part.v;
  CacheWrite write;
  write.q = part.q;
  write.q_layout = write.k_layout = layout_;
  write.k = &k;
  write.k_cache = part.k_cache;
  write.v = &v;
  write.v_cache = part.v_cache;
  Require(RotateIntoCache(part.rows, write, Slots(part.slots, part.q.tokens),
                          parallel));
}

void TeamStep::TurnShare(int member) {
  Turn(all_, Parallel::Share(member, members_));
}

void TeamStep::TurnOwn(int member) {
  Turn(parts_[static_cast<size_t>(member)], Parallel::Serial());
}

void TeamStep::TurnAll() { Turn(all_, Parallel::Serial()); }

PairTiming MeasureShares(TeamStep* step, int members,
                         const TimingOptions& timing) {
  const int64_t calls =
      CallsPerSample([=] { step->TurnOwn(0); }, timing.sample_seconds);
  return MedianRound(timing.rounds, [&] {
    return TakeTeamRound(step, members, calls, timing.round_seconds);
  });
}

}  // namespace ropewalk::bench
