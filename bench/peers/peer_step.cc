// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/peers/peer_step.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "bench/rotate_shape.h"
#include "bench/run_benchmarks.h"
#include "ropewalk/rotate.h"
#include "ropewalk/target.h"

namespace ropewalk::bench {
namespace {

// Sums of two terms below 1: float32 angles are off by some 1e-4 rad at these
// positions, and f16 tables and results by 2^-11 each. Another pairing or
// position differs by 1.
constexpr double kSameRotation = 0.01;

RotaryLayout Layout(int rotary_dim, Pairing pairing) {
  RotaryLayout layout;
  layout.head_dim = kPeerHeadDim;
  layout.rotary_dim = rotary_dim;
  layout.pairing = pairing;
  return layout;
}

// Converts, turning nothing.
void Convert(const HeadsView& in, const HeadsView& out) {
  AngleRows rows;
  RequirePeer(PeerTable()->Fill(Positions::Consecutive(0, in.tokens), &rows));
  RequirePeer(
      Rotate(rows, Layout(0, Pairing::kHalf), in, out, RotateOptions{}));
}

HeadsView FloatView(const PeerCase& peer_case, std::vector<float>* floats) {
  return DenseHeads(floats->data(), peer_case.tokens, kPeerHeads, kPeerHeadDim);
}

std::vector<float> Floats(const PeerCase& peer_case, const void* data) {
  std::vector<float> floats(static_cast<size_t>(peer_case.Elements()));
  Convert(PeerView(peer_case, const_cast<void*>(data)),
          FloatView(peer_case, &floats));
  return floats;
}

}  // namespace

std::vector<PeerCase> PeerCases() {
  std::vector<PeerCase> cases;
  for (const DataType type : {DataType::kF32, DataType::kF16}) {
    for (const Pairing pairing : {Pairing::kHalf, Pairing::kInterleaved}) {
      for (const int64_t tokens : {int64_t{1}, int64_t{64}, kPeerMostTokens}) {
        cases.push_back({pairing, type, tokens});
      }
    }
  }
  return cases;
}

void RequirePeer(const Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "failed: %s\n", status.message());
  std::exit(2);
}

HeadsView PeerView(const PeerCase& peer_case, void* data) {
  return DenseHeads(data, peer_case.type, /*batch=*/1, peer_case.tokens,
                    kPeerHeads, kPeerHeadDim);
}

// Multiples of 2^-8, exact in f16 as well.
void WritePeerInput(const PeerCase& peer_case, void* data) {
  std::vector<float> floats(static_cast<size_t>(peer_case.Elements()));
  uint32_t random = 1;
  for (float& value : floats) {
    random = random * 1664525u + 1013904223u;
    value = static_cast<float>(static_cast<int>(random >> 23) - 256) / 256;
  }
  Convert(FloatView(peer_case, &floats), PeerView(peer_case, data));
}

std::shared_ptr<const AngleTable> PeerTable() {
  static AngleCache cache{AngleCacheOptions{}};
  RopeParameters parameters;
  parameters.rotary_dim = kPeerHeadDim;
  parameters.base = kPeerBase;
  auto table = cache.Get(parameters, /*sequence_length=*/0, AngleOptions{});
  RequirePeer(table.status());
  return table.value();
}

PeerStep::PeerStep(const PeerCase& peer_case, bool in_place)
    : case_(peer_case),
      layout_(Layout(kPeerHeadDim, peer_case.pairing)),
      table_(PeerTable()),
      in_(in_place ? 0 : peer_case.Bytes()),
      out_(peer_case.Bytes()),
      in_view_(PeerView(peer_case, in_place ? out_.data() : in_.data())),
      out_view_(PeerView(peer_case, out_.data())) {
  WritePeerInput(peer_case, in_view_.data);
  Fill();
}

void PeerStep::Fill() {
  RequirePeer(table_->Fill(
      Positions::Consecutive(kPeerFirstPosition, case_.tokens), &rows_));
}

void PeerStep::Turn() {
  RequirePeer(Rotate(rows_, layout_, in_view_, out_view_, RotateOptions{}));
}

double PeerDifference(const PeerCase& peer_case, const void* a, const void* b) {
  const std::vector<float> floats_a = Floats(peer_case, a);
  const std::vector<float> floats_b = Floats(peer_case, b);
  double largest = 0;
  for (size_t i = 0; i < floats_a.size(); ++i) {
    const double difference = std::abs(static_cast<double>(floats_a[i]) -
                                       static_cast<double>(floats_b[i]));
    // Of NaN too.
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}

void PrintPeerHeader(const std::string& peer) {
  std::printf("%s, %s; %d heads x %d, one thread\n", CpuModel().c_str(),
              ActiveTarget(), kPeerHeads, kPeerHeadDim);
  std::printf("peer: %s\n", peer.c_str());
  std::printf("%-12s %-4s %6s %10s %10s %11s %11s %11s %10s\n", "pairing",
              "type", "tokens", "peer, us", "Rotate, us", "ours : peer",
              "+ Fill, us", "ours : peer", "difference");
}

bool PrintPeerRow(const PeerCase& peer_case, double difference,
                  const PairTiming& turn, const PairTiming& fill_and_turn) {
  const bool same = difference <= kSameRotation;
  std::printf("%-12s %-4s %6d %10.2f %10.2f %11.3f %11.2f %11.3f %10.1e%s\n",
              peer_case.pairing == Pairing::kHalf ? "half" : "interleaved",
              TypeName(peer_case.type), static_cast<int>(peer_case.tokens),
              turn.bound_seconds * 1e6, turn.seconds * 1e6, 1 / turn.ratio,
              fill_and_turn.seconds * 1e6, 1 / fill_and_turn.ratio, difference,
              same ? "" : "  NOT THE SAME ROTATION");
  std::fflush(stdout);
  return same;
}

}  // namespace ropewalk::bench
