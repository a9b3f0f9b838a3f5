// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Nodes of a ggml graph that take the places of ggml_rope_ext and
// ggml_rope_multi with their forms, of a rope before set_rows, and of
// llama.cpp's K-shift.
#pragma once
#include <memory>
#include <vector>

#include "ggml.h"
#include "rope_mapping.h"
#include "ropewalk/rotate.h"
#include "ropewalk/status.h"
#include "ropewalk/types.h"

namespace ropewalk_ggml {

struct RopeAngles;  // of one step, and the node that fills them
struct RopeNode;

// The ropes of one graph: to be kept as long as it is, however often it is
// computed. A call that fails has added nothing.
class RopeGraph {
 public:
  explicit RopeGraph(ggml_context* context);
  ~RopeGraph();
  RopeGraph(const RopeGraph&) = delete;
  RopeGraph& operator=(const RopeGraph&) = delete;

  // Once a graph, for Q and K of all layers with this rope.
  //
  // positions: i32, one a token; four times as many, streams first, for MROPE,
  // IMROPE and VISION.
  ropewalk::Result<const RopeAngles*> Angles(const Rope& rope,
                                             ggml_tensor* positions);
  // For a K-shift: i32, one a cell. NORMAL and NEOX only; llama.cpp shifts
  // M-RoPE as NEOX. Pure rotations, exact in every mode: what attn_factor adds
  // is in the cache already, and ggml would multiply it in again.
  ropewalk::Result<const RopeAngles*> ShiftAngles(const Rope& rope,
                                                  ggml_tensor* deltas);

  // ggml_rope_ext and ggml_rope_multi; with kTranspose their _back forms.
  ropewalk::Result<ggml_tensor*> Rotate(
      const RopeAngles* angles, ggml_tensor* a,
      ropewalk::Direction direction = ropewalk::Direction::kForward);
  // Their _inplace forms.
  ropewalk::Result<ggml_tensor*> RotateInplace(
      const RopeAngles* angles, ggml_tensor* a,
      ropewalk::Direction direction = ropewalk::Direction::kForward);
  // To a tensor or view of any strides, of a's shape and type; returns a view
  // of it.
  ropewalk::Result<ggml_tensor*> RotateInto(
      const RopeAngles* angles, ggml_tensor* a, ggml_tensor* out,
      ropewalk::Direction direction = ropewalk::Direction::kForward);

  // ggml_rope_ext of k [head_dim, heads, tokens], then ggml_set_rows: rotates,
  // converts and stores in one pass. Returns a view of the cache.
  //
  // k_cache: [heads * head_dim, cells, streams]. cells: i64 or i32, one a
  // token, counted through all streams; -1 skips the token.
  ropewalk::Result<ggml_tensor*> RotateIntoCache(const RopeAngles* angles,
                                                 ggml_tensor* k,
                                                 ggml_tensor* k_cache,
                                                 ggml_tensor* cells);

  // Shifts each cell by its delta; those of delta 0 are left alone. Any type
  // that the library has: bf16 too.
  ropewalk::Result<ggml_tensor*> ShiftCache(const RopeAngles* shift_angles,
                                            ggml_tensor* k_cache, int heads);

  // After a computation: the first failure of it. A node that failed has
  // written nothing.
  ropewalk::Status status() const;

 private:
  ropewalk::Result<const RopeAngles*> AddAngles(const Rope& rope,
                                                ggml_tensor* positions,
                                                bool shift);
  RopeNode* AddNode(const RopeAngles* angles,
                    const ropewalk::RotaryLayout& layout);

  ggml_context* context_;
  std::vector<std::unique_ptr<RopeAngles>> angles_;
  std::vector<std::unique_ptr<RopeNode>> nodes_;
};

}  // namespace ropewalk_ggml
