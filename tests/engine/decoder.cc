// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "decoder.h"

#include <cmath>
#include <cstddef>

#include "attention.h"

namespace ropewalk::test {
namespace {

Slots SlotsOf(const std::vector<int64_t>& slots, int64_t first = 0) {
  return Slots(slots.data() + first,
               static_cast<int64_t>(slots.size()) - first);
}

HeadTransform NormThenScale(const std::vector<float>& weight, float epsilon,
                            float scale) {
  HeadTransform transform;
  transform.norm.weight = weight.data();
  transform.norm.size = static_cast<int>(weight.size());
  transform.norm.epsilon = epsilon;
  transform.scale = scale;
  return transform;
}

// Heads first to first + heads - 1 of a tensor.
HeadsView Slice(HeadsView view, int64_t first, int64_t heads) {
  view.data = static_cast<uint8_t*>(view.data) + first * view.head_stride;
  view.heads = heads;
  return view;
}

// Values move without turning.
RotaryLayout WithoutRotation(RotaryLayout layout) {
  layout.rotary_dim = 0;
  return layout;
}

}  // namespace

Decoder::Decoder(const Model& model, const DecoderOptions& options)
    : model_(model),
      options_(options),
      cache_(model.shape, options.blocks, options.block_size),
      angles_(AngleCacheOptions{}) {
  layout_.head_dim = model.shape.head_dim;
  layout_.rotary_dim = options.rope.rotary_dim;
  layout_.pairing = options.pairing;
}

Status Decoder::Forward(const std::vector<Request>& step,
                        std::vector<float>* outputs) {
  if (Status s = Prepare(step); !s.ok()) return s;
  for (int layer = 0; layer < model_.shape.layers; ++layer) {
    const LayerWeights& weights = model_.layers[static_cast<size_t>(layer)];
    ProjectIn(weights);
    if (Status s = WriteCache(layer); !s.ok()) return s;
    Attend(step, layer);
    ProjectOut(weights);
  }
  *outputs = batch_.hidden;
  return Status();
}

// Once a step, for all layers: slots and angle rows.
Status Decoder::Prepare(const std::vector<Request>& step) {
  batch_.tokens = 0;
  batch_.slots.clear();
  batch_.hidden.clear();
  for (const Request& request : step) {
    const auto count = static_cast<int64_t>(request.tokens.size());
    const int64_t length = request.sequence->next_position + count;
    if (Status s = UseTable(length, request.sequence); !s.ok()) return s;
    if (Status s = Append(request); !s.ok()) return s;
  }
  const ModelShape& shape = model_.shape;
  batch_.fused.resize(static_cast<size_t>(batch_.tokens * shape.fused_heads() *
                                          shape.head_dim));
  batch_.attended.resize(
      static_cast<size_t>(batch_.tokens * shape.query_heads * shape.head_dim));
  return Status();
}

// The same frequencies give the same table. Other ones, where they depend on
// the length, take the cached keys along.
Status Decoder::UseTable(int64_t length, Sequence* sequence) {
  auto table = angles_.Get(options_.rope, length, AngleOptions{});
  if (!table.ok()) return table.status();
  if (sequence->table == table.value()) return Status();
  if (sequence->tokens() != 0) {
    const Status status = RerotateKeys(*table.value(), *sequence);
    if (!status.ok()) return status;
  }
  sequence->table = table.value();
  return Status();
}

Status Decoder::RerotateKeys(const AngleTable& to, const Sequence& sequence) {
  AngleRows rows;  // the same for every layer
  Status status = to.FillRerotation(
      *sequence.table, Positions(sequence.positions.data(), sequence.tokens()),
      &rows);
  for (int layer = 0; status.ok() && layer < model_.shape.layers; ++layer) {
    status = options_.execution([&](Parallel parallel) {
      return Rerotate(rows, layout_, cache_.Keys(layer),
                      SlotsOf(sequence.slots), parallel);
    });
  }
  return status;
}

Status Decoder::Append(const Request& request) {
  Sequence* sequence = request.sequence;
  const auto count = static_cast<int64_t>(request.tokens.size());
  const Status filled = sequence->table->Fill(
      Positions::Consecutive(sequence->next_position, count), &batch_.rows,
      /*first_row=*/batch_.tokens);
  if (!filled.ok()) return filled;
  for (const int token : request.tokens) {
    int64_t slot;
    if (Status s = cache_.TakeSlot(sequence, &slot); !s.ok()) return s;
    sequence->slots.push_back(slot);
    sequence->positions.push_back(sequence->next_position++);
    batch_.slots.push_back(slot);
    const float* embedding = model_.Embedding(token);
    batch_.hidden.insert(batch_.hidden.end(), embedding,
                         embedding + model_.shape.hidden);
  }
  batch_.tokens += count;
  return Status();
}

void Decoder::ProjectIn(const LayerWeights& weights) {
  const ModelShape& shape = model_.shape;
  for (int64_t t = 0; t < batch_.tokens; ++t) {
    Project(weights.qkv, batch_.hidden.data() + t * shape.hidden, shape.hidden,
            batch_.fused.data() + t * shape.fused_heads() * shape.head_dim);
  }
}

// Q, K and V stay where the projection left them, side by side. The softmax
// scale is folded into the queries.
Status Decoder::WriteCache(int layer) {
  const ModelShape& shape = model_.shape;
  const LayerWeights& weights = model_.layers[static_cast<size_t>(layer)];
  const HeadsView fused = DenseHeads(batch_.fused.data(), batch_.tokens,
                                     shape.fused_heads(), shape.head_dim);
  const ConstHeadsView k = Slice(fused, shape.query_heads, shape.kv_heads);
  const ConstHeadsView v =
      Slice(fused, shape.query_heads + shape.kv_heads, shape.kv_heads);
  CacheWrite write;
  write.q = Slice(fused, 0, shape.query_heads);
  write.q_layout = write.k_layout = layout_;
  write.q_transform =
      NormThenScale(weights.q_norm, model_.norm_epsilon,
                    1 / std::sqrt(static_cast<float>(shape.head_dim)));
  write.k = &k;
  write.k_transform = NormThenScale(weights.k_norm, model_.norm_epsilon, 1);
  write.k_cache = cache_.Keys(layer);
  write.v = &v;
  write.v_cache = cache_.Values(layer);
  return options_.execution([&](Parallel parallel) {
    return RotateIntoCache(batch_.rows, write, SlotsOf(batch_.slots), parallel);
  });
}

void Decoder::Attend(const std::vector<Request>& step, int layer) {
  const ModelShape& shape = model_.shape;
  const float* fused = batch_.fused.data();
  float* out = batch_.attended.data();
  for (const Request& request : step) {
    const auto count = static_cast<int64_t>(request.tokens.size());
    const int64_t before = request.sequence->tokens() - count;
    for (int64_t t = 0; t < count; ++t) {
      for (int head = 0; head < shape.query_heads; ++head) {
        const VisibleTokens tokens = {cache_,
                                      layer,
                                      shape.KvHeadOf(head),
                                      shape.head_dim,
                                      request.sequence->slots.data(),
                                      before + t + 1};
        AttendHead(fused + head * shape.head_dim, tokens, &attention_weights_,
                   out);
        out += shape.head_dim;
      }
      fused += shape.fused_heads() * shape.head_dim;
    }
  }
}

void Decoder::ProjectOut(const LayerWeights& weights) {
  const ModelShape& shape = model_.shape;
  const int columns = shape.query_heads * shape.head_dim;
  std::vector<float> added(static_cast<size_t>(shape.hidden));
  for (int64_t t = 0; t < batch_.tokens; ++t) {
    Project(weights.output, batch_.attended.data() + t * columns, columns,
            added.data());
    float* hidden = batch_.hidden.data() + t * shape.hidden;
    for (const float x : added) *hidden++ += x;
  }
}

void Decoder::Evict(int64_t first, int64_t count, Sequence* sequence) {
  const auto erase = [&](std::vector<int64_t>* list) {
    list->erase(list->begin() + first, list->begin() + first + count);
  };
  sequence->vacant.insert(sequence->vacant.end(),
                          sequence->slots.begin() + first,
                          sequence->slots.begin() + first + count);
  erase(&sequence->slots);
  erase(&sequence->positions);
}

// One rotation serves all slots and all layers.
Status Decoder::Shift(int64_t first, int64_t delta, Sequence* sequence) {
  const Status can = CanShift(*sequence->table, layout_, cache_.Keys(0),
                              /*all_axes_move_together=*/true);
  if (!can.ok()) return can;
  const Status filled = sequence->table->FillRotation(
      Positions::Constant(delta, 1), &shift_rows_);
  if (!filled.ok()) return filled;
  for (int layer = 0; layer < model_.shape.layers; ++layer) {
    const Status status = options_.execution([&](Parallel parallel) {
      return ShiftCache(shift_rows_, layout_, cache_.Keys(layer),
                        SlotsOf(sequence->slots, first), parallel);
    });
    if (!status.ok()) return status;
  }
  for (int64_t t = first; t < sequence->tokens(); ++t) {
    sequence->positions[static_cast<size_t>(t)] += delta;
  }
  sequence->next_position += delta;
  return Status();
}

// The keys turn by the difference of positions on the way; one row a token,
// since the copied tokens need not stand side by side.
Status Decoder::Reuse(const Sequence& from, int64_t first, int64_t count,
                      Sequence* to) {
  const Status can = CanShift(*from.table, layout_, cache_.Keys(0),
                              /*all_axes_move_together=*/true);
  if (!can.ok()) return can;
  if (to->table == nullptr) to->table = from.table;
  std::vector<int64_t> deltas;
  for (int64_t t = first; t < first + count; ++t) {
    int64_t slot;
    if (Status s = cache_.TakeSlot(to, &slot); !s.ok()) return s;
    deltas.push_back(to->next_position -
                     from.positions[static_cast<size_t>(t)]);
    to->slots.push_back(slot);
    to->positions.push_back(to->next_position++);
  }
  const Status filled =
      from.table->FillRotation(Positions(deltas.data(), count), &shift_rows_);
  if (!filled.ok()) return filled;
  const Slots source(from.slots.data() + first, count);
  const Slots target = SlotsOf(to->slots, to->tokens() - count);
  for (int layer = 0; layer < model_.shape.layers; ++layer) {
    const Status status = options_.execution([&](Parallel parallel) {
      const Status moved = MoveCache(shift_rows_, layout_, cache_.Keys(layer),
                                     source, target, parallel);
      if (!moved.ok()) return moved;
      return MoveCache(shift_rows_, WithoutRotation(layout_),
                       cache_.Values(layer), source, target, parallel);
    });
    if (!status.ok()) return status;
  }
  return Status();
}

}  // namespace ropewalk::test
