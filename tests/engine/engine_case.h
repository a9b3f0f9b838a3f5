// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the engine share: a model's RoPE as the library and as the
// oracle take it, tokens, and comparisons of outputs and of cached keys.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "engine/decoder.h"
#include "engine/model.h"
#include "engine/reference_attention.h"
#include "gtest/gtest.h"

namespace ropewalk::test {

// The unit roundoff of BF16, half the distance from 1 to its successor: the
// relative error of a rounding at worst, just above a power of two, and half of
// it just below.
inline constexpr double kBF16Roundoff = 0x1p-8;

struct RopeCase {
  std::string name;
  RopeParameters parameters;
  Pairing pairing = Pairing::kHalf;
  ReferenceRope reference;
};

// inv_freq of the plain ladder, each divided by its divisor (none: all by 1).
RopeCase MakeRope(const std::string& name, int rotary_dim, Pairing pairing,
                  double attention_factor = 1,
                  const std::vector<double>& divisors = {});
// Both pairings, part of a head, an attention factor.
std::vector<RopeCase> RopeCases();

DecoderOptions OptionsOf(const RopeCase& rope);
ModelShape ShapeOf(int layers);

// Fixed pseudo-random tokens of the vocabulary.
std::vector<int> MakeTokens(const ModelShape& shape, int count, uint64_t seed);
std::vector<int> Part(const std::vector<int>& tokens, size_t first,
                      size_t count);
std::vector<int> Joined(const std::vector<int>& a, const std::vector<int>& b);

// Runs one step of one sequence; a failure fails the test.
std::vector<float> TakeStep(Decoder* decoder, Sequence* sequence,
                            const std::vector<int>& tokens);

// The bits of all layers' keys and values of the sequence, in the order of its
// tokens, wherever their slots are.
std::vector<uint16_t> CachedBits(Decoder* decoder, const Sequence& sequence);
// The values of one layer alone.
std::vector<uint16_t> CachedValueBits(Decoder* decoder,
                                      const Sequence& sequence, int layer);
// Likewise one layer's keys, as numbers: [tokens][kv_heads * head_dim].
std::vector<std::vector<double>> CachedKeys(Decoder* decoder,
                                            const Sequence& sequence,
                                            int layer);

// How much of the bound the outputs use at most, which are those of the last
// tokens of the reference.
double UsedOfBound(const std::vector<float>& outputs,
                   const ReferenceOutput& reference);
// How much of both bounds together the difference of two decoders uses.
double UsedByDifference(const std::vector<float>& a,
                        const std::vector<float>& b,
                        const ReferenceOutput& bound_of_a,
                        const ReferenceOutput& bound_of_b);

// Prints and records a number of the running test, and gives it back.
double Report(const std::string& name, double value);

// Whether keys that were rounded, turned once more and rounded again are those
// which were rounded once. What parts an element of a pair of length r from its
// twin: the first rounding, u r at most, which the turn carries to any member
// of the pair, and the rounding of each one's store, u times itself. Dims
// outside the window are equal.
testing::AssertionResult KeysAgreeButForARounding(
    const RotaryLayout& layout, const std::vector<std::vector<double>>& turned,
    const std::vector<std::vector<double>>& fresh);

}  // namespace ropewalk::test
