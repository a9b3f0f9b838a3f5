// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// From the arguments and tensors of ggml's ropes to this library's tables,
// layouts and views. With rope_graph an adapter to be copied; what ropewalk
// would not do as ggml does is refused.
#pragma once
#include <cstdint>
#include <memory>

#include "ggml.h"
#include "ropewalk/angles.h"
#include "ropewalk/kv_cache.h"
#include "ropewalk/status.h"
#include "ropewalk/types.h"

namespace ropewalk_ggml {

// The arguments of ggml_rope_multi after its tensors, by their names; those of
// ggml_rope_ext are all but `sections`.
struct RopeArguments {
  int n_dims = 0;
  int mode = GGML_ROPE_TYPE_NORMAL;
  int sections[GGML_MROPE_SECTIONS] = {0, 0, 0, 0};
  int n_ctx_orig = 0;
  float freq_base = 10000;
  float freq_scale = 1;
  float ext_factor = 0;
  float attn_factor = 1;
  float beta_fast = 32;
  float beta_slow = 1;
  int n_offs = 0;  // ggml_rope_set_offset's
};

// The rope of one kind of layer: kept with the model.
struct Rope {
  RopeArguments arguments;
  std::shared_ptr<const ropewalk::AngleTable> table;
};

// Reads the arguments, and the tensor of frequency factors where there is one,
// whose data must be there. Ropes with the same numbers share a table.
//
// kFloat32Recurrence gives ggml's own angles, and is kUnsupported with VISION;
// kExact gives those that its running product misses at long contexts.
ropewalk::Result<Rope> MakeRope(const RopeArguments& arguments,
                                const ggml_tensor* freq_factors,
                                ropewalk::AngleMode mode,
                                ropewalk::AngleCache* tables);

// Position components, and pairs that turn.
int ComponentsOf(const RopeArguments& arguments);
int PairsOf(const RopeArguments& arguments);

// Where the pairs sit in a head of so many dims.
ropewalk::Result<ropewalk::RotaryLayout> LayoutOf(
    const RopeArguments& arguments, int64_t head_dim);

// f32, f16 and bf16, whose dim 0 has no gaps.
ropewalk::Result<ropewalk::DataType> TypeOf(const ggml_tensor* tensor);

// [head_dim, heads, tokens, batch], of a type that TypeOf has.
ropewalk::HeadsView ViewOf(const ggml_tensor* tensor);

// [heads * head_dim, cells, streams], of a type that TypeOf has.
ropewalk::KvCacheView CacheOf(const ggml_tensor* tensor, int64_t heads);

// "argument = value: rule".
ropewalk::Status Refuse(
    const char* argument, int64_t value, const char* rule,
    ropewalk::StatusCode code = ropewalk::StatusCode::kInvalidArgument);

}  // namespace ropewalk_ggml
