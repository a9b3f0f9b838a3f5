// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "c_api/read_types.h"

#include "c_api/struct_size.h"

namespace ropewalk::internal {
namespace {

// ropewalk_heads and ropewalk_const_heads have the same fields.
template <class C, class View>
Status ReadHeads(const char* name, const C* given, View* heads) noexcept {
  C in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct(name, given, &in));
  if (in.batch < 1) {
    return Error(StatusCode::kInvalidArgument,
                 "%s.batch = %lld: must be at least 1", name,
                 static_cast<long long>(in.batch));
  }
  ROPEWALK_RETURN_IF_ERROR(ReadType(name, "type", in.type, &heads->type));
  heads->data = in.data;
  heads->batch = in.batch;
  heads->tokens = in.tokens;
  heads->heads = in.heads;
  heads->batch_stride = in.batch_stride;
  heads->token_stride = in.token_stride;
  heads->head_stride = in.head_stride;
  return Status();
}

Status ReadNorm(const ropewalk_head_norm* given, HeadNorm* norm) noexcept {
  if (given == nullptr) return Status();
  ropewalk_head_norm in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct("norm", given, &in));
  ROPEWALK_RETURN_IF_ERROR(ReadReserved("norm", in.reserved));
  ROPEWALK_RETURN_IF_ERROR(ReadEnum("norm", "kind", in.kind, &norm->kind));
  const bool has_weights = in.weight != nullptr || in.bias != nullptr;
  if (in.size == 0 && has_weights) {
    return Error(StatusCode::kInvalidArgument,
                 "norm.size = 0: must be positive with a weight or a bias");
  }
  if (in.size != 0 && in.epsilon == 0) {
    return Error(StatusCode::kInvalidArgument,
                 "norm.epsilon = 0: must be positive");
  }
  if (has_weights || in.weight_type != 0) {
    ROPEWALK_RETURN_IF_ERROR(
        ReadType("norm", "weight_type", in.weight_type, &norm->weight_type));
  }
  norm->weight = in.weight;
  norm->bias = in.bias;
  norm->offset = in.offset;
  norm->size = in.size;
  norm->epsilon = in.epsilon;
  norm->one_plus_weight = in.one_plus_weight != 0;
  return Status();
}

template <class T>
Positions ReadIds(const ropewalk_positions& in) noexcept {
  return Positions::Components(static_cast<const T*>(in.ids), in.components,
                               in.count, in.component_stride,
                               in.token_stride != 0 ? in.token_stride : 1);
}

}  // namespace

Result<Pairing> ReadPairing(const char* name, ropewalk_pairing given) noexcept {
  if (given == ROPEWALK_HALF) return Pairing::kHalf;
  if (given == ROPEWALK_INTERLEAVED) return Pairing::kInterleaved;
  return Error(StatusCode::kInvalidArgument, "%s = %d: no such value", name,
               static_cast<int>(given));
}

Status ReadPairing(const char* owner, const char* field, ropewalk_pairing given,
                   std::optional<Pairing>* pairing) noexcept {
  pairing->reset();
  if (given == 0) return Status();
  if (given != ROPEWALK_HALF && given != ROPEWALK_INTERLEAVED) {
    return Error(StatusCode::kInvalidArgument, "%s.%s = %d: no such value",
                 owner, field, static_cast<int>(given));
  }
  *pairing = static_cast<Pairing>(given - 1);
  return Status();
}

Status ReadType(const char* owner, const char* field, ropewalk_data_type given,
                DataType* type) noexcept {
  if (given < ROPEWALK_F32 || given > ROPEWALK_F16) {
    return Error(StatusCode::kInvalidArgument, "%s.%s = %d: no such value",
                 owner, field, static_cast<int>(given));
  }
  *type = static_cast<DataType>(given - 1);
  return Status();
}

Status ReadReserved(const char* owner, int32_t given) noexcept {
  if (given == 0) return Status();
  return Error(StatusCode::kUnsupported, "%s.reserved = %d: must be 0", owner,
               static_cast<int>(given));
}

Status Read(const char* name, const ropewalk_rotary_layout* given,
            RotaryLayout* layout) noexcept {
  ropewalk_rotary_layout in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct(name, given, &in));
  std::optional<Pairing> pairing;
  ROPEWALK_RETURN_IF_ERROR(ReadPairing(name, "pairing", in.pairing, &pairing));
  if (!pairing.has_value()) {
    return Error(StatusCode::kInvalidArgument, "%s.pairing = 0: must be given",
                 name);
  }
  layout->pairing = *pairing;
  ROPEWALK_RETURN_IF_ERROR(ReadPairing(
      name, "output_pairing", in.output_pairing, &layout->output_pairing));
  layout->head_dim = in.head_dim;
  layout->rotary_dim = in.rotary_dim;
  layout->rotary_offset = in.rotary_offset;
  layout->pair_distance = in.pair_distance;
  layout->first_pair = in.first_pair;
  return Status();
}

Status Read(const char* name, const ropewalk_heads* given,
            HeadsView* heads) noexcept {
  return ReadHeads(name, given, heads);
}

Status Read(const char* name, const ropewalk_const_heads* given,
            ConstHeadsView* heads) noexcept {
  return ReadHeads(name, given, heads);
}

Status Read(const char* name, const ropewalk_head_transform* given,
            HeadTransform* transform) noexcept {
  if (given == nullptr) return Status();
  ropewalk_head_transform in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct(name, given, &in));
  if (in.scale == 0) {
    return Error(StatusCode::kInvalidArgument,
                 "%s.scale = 0: must be 1 for no scale", name);
  }
  transform->scale = in.scale;
  transform->token_scale = in.token_scale;
  return ReadNorm(in.norm, &transform->norm);
}

Status Read(const char* name, const ropewalk_kv_cache* given,
            KvCacheView* cache) noexcept {
  ropewalk_kv_cache in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct(name, given, &in));
  ROPEWALK_RETURN_IF_ERROR(ReadReserved(name, in.reserved));
  ROPEWALK_RETURN_IF_ERROR(ReadType(name, "type", in.type, &cache->type));
  cache->data = in.data;
  cache->blocks = in.blocks;
  cache->block_size = in.block_size;
  cache->heads = in.heads;
  cache->head_dim = in.head_dim;
  cache->block_stride = in.block_stride;
  cache->slot_stride = in.slot_stride;
  cache->head_stride = in.head_stride;
  return Status();
}

Status Read(const char* name, const ropewalk_cos_sin* given,
            CosSinView* table) noexcept {
  ropewalk_cos_sin in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct(name, given, &in));
  ROPEWALK_RETURN_IF_ERROR(ReadType(name, "type", in.type, &table->type));
  table->cos = in.cos;
  table->sin = in.sin;
  table->rows = in.rows;
  table->pairs = in.pairs;
  table->row_stride = in.row_stride;
  table->pair_stride = in.pair_stride;
  table->copy_offset = in.copy_offset;
  table->heads = in.heads;
  table->head_stride = in.head_stride;
  return Status();
}

Status Read(const char* name, const ropewalk_cos_sin* given,
            ConstCosSinView* table) noexcept {
  CosSinView view;
  ROPEWALK_RETURN_IF_ERROR(Read(name, given, &view));
  *table = view.AsConst(given->attention_factor);
  return Status();
}

Status Read(const char* name, const ropewalk_parallel* given,
            Parallel* parallel) noexcept {
  if (given == nullptr) return Status();
  ropewalk_parallel in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct(name, given, &in));
  switch (in.kind) {
    case ROPEWALK_SERIAL:
      *parallel = Parallel::Serial();
      return Status();
    case ROPEWALK_TBB:
      *parallel = Parallel::Tbb();
      return Status();
    case ROPEWALK_SHARE:
      *parallel = Parallel::Share(in.index, in.count);
      return Status();
    default:
      return Error(StatusCode::kInvalidArgument, "%s.kind = %d: no such value",
                   name, static_cast<int>(in.kind));
  }
}

Result<Positions> ReadPositions(const char* name,
                                const ropewalk_positions* given) noexcept {
  ropewalk_positions in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct(name, given, &in));
  switch (in.kind) {
    case ROPEWALK_POSITIONS_INT32:
      return ReadIds<int32_t>(in);
    case ROPEWALK_POSITIONS_INT64:
      return ReadIds<int64_t>(in);
    case ROPEWALK_POSITIONS_DOUBLE:
      return ReadIds<double>(in);
    case ROPEWALK_POSITIONS_CONSECUTIVE:
      return Positions::Consecutive(in.first, in.count, in.components);
    case ROPEWALK_POSITIONS_CONSECUTIVE_EACH:
      return Positions::Consecutive(static_cast<const int64_t*>(in.ids),
                                    in.count, in.count_each, in.components);
    case ROPEWALK_POSITIONS_CONSTANT:
      return Positions::Constant(in.first, in.count, in.components);
    default:
      return Error(StatusCode::kInvalidArgument, "%s.kind = %d: no such value",
                   name, static_cast<int>(in.kind));
  }
}

Result<Slots> ReadSlots(const char* name,
                        const ropewalk_slots* given) noexcept {
  ropewalk_slots in;
  ROPEWALK_RETURN_IF_ERROR(ReadStruct(name, given, &in));
  switch (in.kind) {
    case ROPEWALK_SLOTS_INT32:
      return Slots(static_cast<const int32_t*>(in.slots), in.count);
    case ROPEWALK_SLOTS_INT64:
      return Slots(static_cast<const int64_t*>(in.slots), in.count);
    case ROPEWALK_SLOTS_RANGE:
      if (in.first < 0) {
        return Error(StatusCode::kInvalidArgument,
                     "%s.first = %lld: must not be negative", name,
                     static_cast<long long>(in.first));
      }
      return Slots::Range(in.first, in.count);
    default:
      return Error(StatusCode::kInvalidArgument, "%s.kind = %d: no such value",
                   name, static_cast<int>(in.kind));
  }
}

ropewalk_rotary_layout ToC(const RotaryLayout& layout) noexcept {
  ropewalk_rotary_layout out = ROPEWALK_ROTARY_LAYOUT_INIT;
  out.head_dim = layout.head_dim;
  out.rotary_dim = layout.rotary_dim;
  out.pairing = ToC(layout.pairing);
  out.rotary_offset = layout.rotary_offset;
  out.pair_distance = layout.pair_distance;
  out.first_pair = layout.first_pair;
  if (layout.output_pairing.has_value()) {
    out.output_pairing = ToC(*layout.output_pairing);
  }
  return out;
}

}  // namespace ropewalk::internal
