// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// One rope in two graphs, ggml's op and this library's node, with the same
// operands; and how far the two may be apart.
#pragma once
#include <cstdint>
#include <vector>

#include "integration/ggml/ggml_cpu.h"
#include "rope_mapping.h"
#include "support/random.h"

namespace ropewalk::test {

// Where the heads lie.
enum class Place : uint8_t {
  kDense = 0,
  kCorner = 1,      // of a tensor of 2, 4 and 3 times the dims, heads, tokens
  kSecondHalf = 2,  // of the dims of a tensor twice as wide
  kFused = 3,       // from head 4 on, of 16 more a token: K in a fused QKV
};

struct RopeCase {
  ggml_type type = GGML_TYPE_F32;
  int64_t ne[4] = {0, 0, 0, 1};  // head_dim, heads, tokens, batch
  ropewalk_ggml::RopeArguments arguments;
  int n_ctx = 512;       // positions are in [0, n_ctx)
  bool factors = false;  // in [0.9, 1.1]
  AngleMode mode = AngleMode::kFloat32Recurrence;  // ours
  Place place = Place::kDense;
  bool forward = true;
  bool inplace = false;
};

// Elements uniform in [-1, 1], in ggml's memory.
class RopeOperands {
 public:
  RopeOperands(const RopeCase& rope_case, Random* random);

  // Takes over the elements and positions of others of this shape.
  void CopyFrom(const RopeOperands& other);
  // Takes the heads back to what they were before a rope in place.
  void Restore() { ScatterRows(x_, heads_); }
  // Of the tensor in which the heads lie, all but them.
  std::vector<uint8_t> Outside() const;

  ggml_tensor* heads() { return heads_; }
  ggml_tensor* positions() { return positions_; }
  ggml_tensor* factors() { return factors_; }  // or null
  const std::vector<uint8_t>& x() const { return x_; }
  std::vector<float> Factors() const;
  // The largest magnitude of the components.
  double PositionBound(int64_t token) const;

 private:
  int64_t tokens_;
  int components_;
  GgmlTensors tensors_;
  ggml_tensor* parent_;
  ggml_tensor* heads_;
  ggml_tensor* positions_;
  ggml_tensor* factors_ = nullptr;
  std::vector<uint8_t> x_;
};

// The rotated heads, in the order of RopeOperands::x().
std::vector<uint8_t> RotateByGgml(const RopeCase& rope_case,
                                  RopeOperands* operands);
std::vector<uint8_t> RotateByRopewalk(const RopeCase& rope_case,
                                      RopeOperands* operands, int threads);

struct Difference {
  double absolute = 0;      // The largest.
  double of_tolerance = 0;  // 1: as far apart as they may be
  int64_t differ = 0;       // elements
  int64_t elements = 0;

  void Add(const Difference& other);
};

// Of two results of one type, which each side rounds to once.
Difference Compare(const RopeCase& rope_case, const RopeOperands& operands,
                   ggml_type type, const std::vector<uint8_t>& got,
                   const std::vector<uint8_t>& want);

// How far the pairs of a token may be apart, in parts of max(|x0|, |x1|).
std::vector<double> PairTolerances(const RopeCase& rope_case,
                                   const RopeOperands& operands, int64_t token);

}  // namespace ropewalk::test
