// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A step that ropewalk and a peer turn side by side, and the table of their
// times. One thread each.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/pair_benchmark.h"
#include "bench/timing.h"
#include "ropewalk/angles.h"
#include "ropewalk/types.h"

namespace ropewalk::bench {

constexpr int kPeerHeads = 32;
constexpr int kPeerHeadDim = 128;
constexpr int kPeerPairs = kPeerHeadDim / 2;
constexpr int64_t kPeerFirstPosition = 1000;
constexpr int64_t kPeerMostTokens = 512;
constexpr double kPeerBase = 10000;

struct PeerCase {
  Pairing pairing;
  DataType type;
  int64_t tokens;

  int64_t Elements() const { return tokens * kPeerHeads * kPeerHeadDim; }
  int64_t Bytes() const { return Elements() * ElementSize(type); }
};

// f32 and f16, both pairings, 1, 64 and 512 tokens.
std::vector<PeerCase> PeerCases();

// Ends the program where a call fails.
void RequirePeer(const Status& status);

// [tokens, heads, head_dim], without gaps.
HeadsView PeerView(const PeerCase& peer_case, void* data);

// Numbers in [-1, 1), the same in each type.
void WritePeerInput(const PeerCase& peer_case, void* data);

// Angles of plain RoPE with kPeerBase.
std::shared_ptr<const AngleTable> PeerTable();

// Our side: turns `in` to `out`, or in place where there is no `in`.
class PeerStep {
 public:
  PeerStep(const PeerCase& peer_case, bool in_place);

  void Fill();
  void Turn();
  // What the first Turn makes.
  const void* out() { return out_.data(); }

 private:
  PeerCase case_;
  RotaryLayout layout_;
  std::shared_ptr<const AngleTable> table_;
  AngleRows rows_;
  Memory in_, out_;
  HeadsView in_view_, out_view_;
};

void PrintPeerHeader(const std::string& peer);

// One line of the table; false where the two disagree.
bool PrintPeerRow(const PeerCase& peer_case, double difference,
                  const PairTiming& turn, const PairTiming& fill_and_turn);

// The largest difference of two tensors.
double PeerDifference(const PeerCase& peer_case, const void* a, const void* b);

// Turns once on both sides, compares, then measures. `turn` makes the peer turn
// its own copy of WritePeerInput to `out`.
template <class Turn>
bool CompareWithPeer(const PeerCase& peer_case, bool in_place, const Turn& turn,
                     const void* out) {
  PeerStep ours(peer_case, in_place);
  ours.Turn();
  turn();
  const double difference = PeerDifference(peer_case, ours.out(), out);
  // Several calls a sample, of which the first brings back what the other
  // side's evicted.
  TimingOptions timing;
  timing.sample_seconds = 500e-6;
  timing.round_seconds = 40e-3;
  const PairTiming turns = MeasurePair([&] { ours.Turn(); }, turn, timing);
  const PairTiming fills = MeasurePair(
      [&] {
        ours.Fill();
        ours.Turn();
      },
      turn, timing);
  return PrintPeerRow(peer_case, difference, turns, fills);
}

}  // namespace ropewalk::bench
