// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "rope_graph.h"

#include <cstdint>
#include <utility>

#include "ropewalk/angle_rows.h"
#include "ropewalk/kv_cache.h"
#include "ropewalk/parallel.h"
#include "ropewalk/positions.h"
#include "ropewalk/slots.h"

namespace ropewalk_ggml {

using ropewalk::Direction;
using ropewalk::Parallel;
using ropewalk::Positions;
using ropewalk::Result;
using ropewalk::Status;
using ropewalk::StatusCode;

struct RopeAngles {
  Rope rope;
  ropewalk::AngleRows rows;
  int64_t tokens = 0;
  bool shift = false;
  ggml_tensor* node = nullptr;
  Status status;
};

// What a node's workers share, and where the first of them leaves its status:
// every share validates alike.
struct RopeNode {
  const RopeAngles* angles;
  ropewalk::RotaryLayout layout;
  Direction direction = Direction::kForward;
  int input = 0;      // of dst->src: an inplace op's first one is its target
  int64_t heads = 0;  // of a cache
  Status status;
};

namespace {

// What can be told while the graph is built.
Result<ropewalk::RotaryLayout> CheckHeads(const RopeAngles& angles,
                                          const ggml_tensor* a) {
  const auto type = TypeOf(a);
  if (!type.ok()) return type.status();
  if (angles.shift) {
    return Refuse("angles", 0, "must not be those of ShiftAngles");
  }
  if (a->ne[2] != angles.tokens) {
    return Refuse("tokens", a->ne[2], "must be as many as have positions");
  }
  const RopeArguments& arguments = angles.rope.arguments;
  if (arguments.mode == GGML_ROPE_TYPE_VISION &&
      a->ne[0] != 2 * int64_t{arguments.n_dims}) {
    return Refuse("n_dims", arguments.n_dims, "must be half a head in VISION");
  }
  return LayoutOf(arguments, a->ne[0]);
}

Status CheckCache(const ggml_tensor* cache, int64_t heads, int64_t head_dim) {
  const auto type = TypeOf(cache);
  if (!type.ok()) return type.status();
  if (cache->ne[0] != heads * head_dim || cache->ne[3] != 1) {
    return Refuse("k_cache", cache->ne[0],
                  "must be [heads * head_dim, cells, streams]");
  }
  return Status();
}

// The callbacks. A fill is the first worker's: ggml calls all of them, whatever
// n_tasks says. Its node is a source of those that need the rows, so that they
// come after it.
void FillRows(ggml_tensor* dst, int ith, int /*nth*/, void* userdata) {
  if (ith != 0) return;
  auto* const angles = static_cast<RopeAngles*>(userdata);
  const ggml_tensor* const ids = dst->src[0];
  const auto positions = Positions::Components(
      static_cast<const int32_t*>(ids->data),
      ComponentsOf(angles->rope.arguments), angles->tokens,
      /*component_stride=*/angles->tokens);
  const ropewalk::AngleTable& table = *angles->rope.table;
  angles->status = angles->shift ? table.FillRotation(positions, &angles->rows)
                                 : table.Fill(positions, &angles->rows);
}

// Does its share of the call where there are rows.
template <class Call>
void DoShare(int ith, int nth, void* userdata, const Call& call) {
  auto* const node = static_cast<RopeNode*>(userdata);
  Status status = node->angles->status;
  if (status.ok()) status = call(*node, Parallel::Share(ith, nth));
  if (ith == 0) node->status = status;
}

void RotateHeads(ggml_tensor* dst, int ith, int nth, void* userdata) {
  DoShare(ith, nth, userdata, [dst](const RopeNode& node, Parallel share) {
    ropewalk::RotateOptions options;
    options.direction = node.direction;
    options.parallel = share;
    return ropewalk::Rotate(node.angles->rows, node.layout,
                            ViewOf(dst->src[node.input]), ViewOf(dst), options);
  });
}

void StoreKeys(ggml_tensor* dst, int ith, int nth, void* userdata) {
  DoShare(ith, nth, userdata, [dst](const RopeNode& node, Parallel share) {
    const ropewalk::ConstHeadsView keys = ViewOf(dst->src[1]);
    const ggml_tensor* const cells = dst->src[2];
    ropewalk::CacheWrite write;
    write.k = &keys;
    write.k_layout = node.layout;
    write.k_cache = CacheOf(dst, node.heads);
    const ropewalk::Slots slots =
        cells->type == GGML_TYPE_I64
            ? ropewalk::Slots(static_cast<const int64_t*>(cells->data),
                              cells->ne[0])
            : ropewalk::Slots(static_cast<const int32_t*>(cells->data),
                              cells->ne[0]);
    return ropewalk::RotateIntoCache(node.angles->rows, write, slots, share);
  });
}

void ShiftKeys(ggml_tensor* dst, int ith, int nth, void* userdata) {
  DoShare(ith, nth, userdata, [dst](const RopeNode& node, Parallel share) {
    const ropewalk::KvCacheView cache = CacheOf(dst, node.heads);
    return ropewalk::ShiftCache(
        node.angles->rows, node.layout, cache,
        ropewalk::Slots::Range(0, cache.blocks * cache.block_size), share);
  });
}

}  // namespace

RopeGraph::RopeGraph(ggml_context* context) : context_(context) {}
RopeGraph::~RopeGraph() = default;

Result<const RopeAngles*> RopeGraph::Angles(const Rope& rope,
                                            ggml_tensor* positions) {
  return AddAngles(rope, positions, /*shift=*/false);
}

Result<const RopeAngles*> RopeGraph::ShiftAngles(const Rope& rope,
                                                 ggml_tensor* deltas) {
  if (ComponentsOf(rope.arguments) != 1) {
    return Refuse("mode", rope.arguments.mode,
                  "must be NORMAL or NEOX for a shift",
                  StatusCode::kUnsupported);
  }
  return AddAngles(rope, deltas, /*shift=*/true);
}

Result<const RopeAngles*> RopeGraph::AddAngles(const Rope& rope,
                                               ggml_tensor* positions,
                                               bool shift) {
  const int components = ComponentsOf(rope.arguments);
  if (positions->type != GGML_TYPE_I32 || !ggml_is_vector(positions) ||
      !ggml_is_contiguous(positions)) {
    return Refuse("type of positions", positions->type,
                  "must be an i32 vector without gaps");
  }
  if (positions->ne[0] % components != 0) {
    return Refuse("positions", positions->ne[0], "must be four a token");
  }
  auto angles = std::make_unique<RopeAngles>();
  angles->rope = rope;
  angles->tokens = positions->ne[0] / components;
  angles->shift = shift;
  const Status status =
      angles->rows.Reserve(angles->tokens, PairsOf(rope.arguments));
  if (!status.ok()) return status;
  angles->node = ggml_custom_4d(context_, GGML_TYPE_F32, 1, 1, 1, 1, &positions,
                                1, FillRows, /*n_tasks=*/1, angles.get());
  angles_.push_back(std::move(angles));
  return angles_.back().get();
}

RopeNode* RopeGraph::AddNode(const RopeAngles* angles,
                             const ropewalk::RotaryLayout& layout) {
  nodes_.push_back(std::make_unique<RopeNode>());
  nodes_.back()->angles = angles;
  nodes_.back()->layout = layout;
  return nodes_.back().get();
}

Result<ggml_tensor*> RopeGraph::Rotate(const RopeAngles* angles, ggml_tensor* a,
                                       Direction direction) {
  const auto layout = CheckHeads(*angles, a);
  if (!layout.ok()) return layout.status();
  RopeNode* const node = AddNode(angles, layout.value());
  node->direction = direction;
  ggml_tensor* sources[] = {a, angles->node};
  return ggml_custom_4d(context_, a->type, a->ne[0], a->ne[1], a->ne[2],
                        a->ne[3], sources, 2, RotateHeads, GGML_N_TASKS_MAX,
                        node);
}

Result<ggml_tensor*> RopeGraph::RotateInplace(const RopeAngles* angles,
                                              ggml_tensor* a,
                                              Direction direction) {
  return RotateInto(angles, a, a, direction);
}

Result<ggml_tensor*> RopeGraph::RotateInto(const RopeAngles* angles,
                                           ggml_tensor* a, ggml_tensor* out,
                                           Direction direction) {
  const auto layout = CheckHeads(*angles, a);
  if (!layout.ok()) return layout.status();
  const auto type = TypeOf(out);
  if (!type.ok()) return type.status();
  if (out->type != a->type || !ggml_are_same_shape(a, out)) {
    return Refuse("type of out", out->type,
                  "type and shape must be those of a");
  }
  RopeNode* const node = AddNode(angles, layout.value());
  node->direction = direction;
  node->input = 1;
  ggml_tensor* sources[] = {a, angles->node};
  return ggml_custom_inplace(context_, out, sources, 2, RotateHeads,
                             GGML_N_TASKS_MAX, node);
}

Result<ggml_tensor*> RopeGraph::RotateIntoCache(const RopeAngles* angles,
                                                ggml_tensor* k,
                                                ggml_tensor* k_cache,
                                                ggml_tensor* cells) {
  const auto layout = CheckHeads(*angles, k);
  if (!layout.ok()) return layout.status();
  const Status status = CheckCache(k_cache, k->ne[1], k->ne[0]);
  if (!status.ok()) return status;
  if ((cells->type != GGML_TYPE_I64 && cells->type != GGML_TYPE_I32) ||
      !ggml_is_vector(cells) || !ggml_is_contiguous(cells)) {
    return Refuse("type of cells", cells->type,
                  "must be an i64 or i32 vector without gaps");
  }
  if (cells->ne[0] != k->ne[2] || k->ne[3] != 1) {
    return Refuse("cells", cells->ne[0], "must be one a token of k");
  }
  RopeNode* const node = AddNode(angles, layout.value());
  node->heads = k->ne[1];
  ggml_tensor* sources[] = {k, cells, angles->node};
  return ggml_custom_inplace(context_, k_cache, sources, 3, StoreKeys,
                             GGML_N_TASKS_MAX, node);
}

Result<ggml_tensor*> RopeGraph::ShiftCache(const RopeAngles* shift_angles,
                                           ggml_tensor* k_cache, int heads) {
  const RopeAngles& angles = *shift_angles;
  if (!angles.shift) {
    return Refuse("shift_angles", 0, "must be those of ShiftAngles");
  }
  if (heads <= 0 || k_cache->ne[0] % heads != 0) {
    return Refuse("heads", heads, "must divide a row of the cache");
  }
  const int64_t head_dim = k_cache->ne[0] / heads;
  const Status status = CheckCache(k_cache, heads, head_dim);
  if (!status.ok()) return status;
  if (angles.tokens != k_cache->ne[1] * k_cache->ne[2]) {
    return Refuse("deltas", angles.tokens, "must be one a cell");
  }
  const auto layout = LayoutOf(angles.rope.arguments, head_dim);
  if (!layout.ok()) return layout.status();
  RopeNode* const node = AddNode(shift_angles, layout.value());
  node->heads = heads;
  ggml_tensor* sources[] = {angles.node};
  return ggml_custom_inplace(context_, k_cache, sources, 1, ShiftKeys,
                             GGML_N_TASKS_MAX, node);
}

Status RopeGraph::status() const {
  for (const auto& node : nodes_) {
    if (!node->status.ok()) return node->status;
  }
  return Status();
}

}  // namespace ropewalk_ggml
