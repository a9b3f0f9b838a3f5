// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// How an inference engine uses the library: a decoder with a paged BF16 cache
// that serves several sequences at a time, evicts, shifts and reuses keys.
// Everything else is as plain as it can be. These files (decoder, attention,
// execution, model, paged_cache) include nothing but each other, the library's
// installed headers and the standard library: they can be copied. The library's
// calls, in decoder.cc:
//   once a step     AngleCache::Get, AngleTable::Fill; FillRerotation, and
//                   Rerotate for each layer, where the frequencies have
//                   changed with the length
//   once a layer    RotateIntoCache
//   when asked      CanShift, FillRotation, ShiftCache, MoveCache
#pragma once
#include <cstdint>
#include <vector>

#include "execution.h"
#include "model.h"
#include "paged_cache.h"
#include "ropewalk/ropewalk.h"

namespace ropewalk::test {

struct DecoderOptions {
  RopeParameters rope;
  Pairing pairing = Pairing::kHalf;
  int64_t blocks = 64;
  int64_t block_size = 16;
  Execution execution = RunSerially;
};

// The next tokens of one sequence: a prompt, a chunk of one, or one token.
struct Request {
  Sequence* sequence;
  std::vector<int> tokens;
};

class Decoder {
 public:
  // The model must outlive the decoder.
  Decoder(const Model& model, const DecoderOptions& options);

  // Takes one step for several sequences at once. outputs becomes [tokens of
  // all requests][hidden]: what the last layer makes of each token.
  Status Forward(const std::vector<Request>& step, std::vector<float>* outputs);

  // Forgets the tokens [first, first + count). The keys after them stand where
  // they stood, until they are shifted.
  void Evict(int64_t first, int64_t count, Sequence* sequence);

  // Moves the tokens from `first` on, and those to come, by delta positions.
  Status Shift(int64_t first, int64_t delta, Sequence* sequence);

  // Appends copies of the tokens [first, first + count) of another sequence, at
  // the positions that follow.
  Status Reuse(const Sequence& from, int64_t first, int64_t count,
               Sequence* to);

  PagedCache& cache() { return cache_; }
  const Model& model() const { return model_; }
  const RotaryLayout& layout() const { return layout_; }
  AngleCacheStats angle_stats() const { return angles_.stats(); }

 private:
  // One step's tokens, of all its sequences.
  struct Batch {
    int64_t tokens = 0;
    AngleRows rows;               // one a token
    std::vector<int64_t> slots;   // one a token
    std::vector<float> hidden;    // [tokens][hidden]
    std::vector<float> fused;     // [tokens][fused_heads][head_dim]
    std::vector<float> attended;  // [tokens][query_heads][head_dim]
  };

  Status Prepare(const std::vector<Request>& step);
  Status UseTable(int64_t length, Sequence* sequence);
  Status RerotateKeys(const AngleTable& to, const Sequence& sequence);
  Status Append(const Request& request);
  void ProjectIn(const LayerWeights& weights);
  Status WriteCache(int layer);
  void Attend(const std::vector<Request>& step, int layer);
  void ProjectOut(const LayerWeights& weights);

  const Model& model_;
  const DecoderOptions options_;
  RotaryLayout layout_;
  PagedCache cache_;
  AngleCache angles_;
  Batch batch_;  // kept: no allocation after the largest step
  AngleRows shift_rows_;
  std::vector<double> attention_weights_;
};

}  // namespace ropewalk::test
