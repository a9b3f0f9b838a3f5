// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The oracle: what a rotation is, in double precision and one pair at a time.
// Includes nothing of the library.
#pragma once
#include <cstdint>
#include <vector>

namespace ropewalk::reference {

struct CosSin {
  double cos;
  double sin;
};

// cos and sin of position * inv_freq, the product taken as exact: within 2^-51
// while |position * inv_freq| < 2^53.
CosSin ExactAngle(double position, double inv_freq);

// base^(-2i / rotary_dim), for every pair.
std::vector<double> PlainInvFreq(int rotary_dim, double base);

// Where the pairs of a head are: pair i at dims offset + i and
// offset + i + distance, or at offset + 2i and its neighbour.
struct Window {
  int pairs;
  bool interleaved;
  int offset;
  int distance;  // of the members of a pair; unused when interleaved
};

int Member0(const Window& window, int pair);
int Member1(const Window& window, int pair);

enum class Turn {
  kForward,    // m R(angle)
  kInverse,    // R(-angle) / m
  kTranspose,  // m R(-angle)
};

// Rotates one head; angles has one entry a pair.
void RotateHead(const Window& window, const CosSin* angles, double m, Turn turn,
                double* head);

// Rounded once, to nearest even; NaN stays NaN.
uint16_t ToBF16(double value);
uint16_t ToF16(double value);
double FromBF16(uint16_t bits);
double FromF16(uint16_t bits);

}  // namespace ropewalk::reference
