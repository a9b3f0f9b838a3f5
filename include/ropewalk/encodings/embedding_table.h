// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of token embeddings: rows of it as hidden states, and the logits of
// a hidden state where the output shares the table.
#pragma once
#include <cstdint>

#include "ropewalk/encodings/hidden_states.h"
#include "ropewalk/export.h"
#include "ropewalk/parallel.h"
#include "ropewalk/status.h"
#include "ropewalk/types.h"

namespace ropewalk {

/// [vocabulary, width]; also a table of learned positions.
///
/// Units:     row_stride in bytes, of any sign, a multiple of the element size.
/// Requires:  width positive; row_stride not 0 where there are several rows; a
///            vocabulary of 0 is legal where nothing is read.
struct EmbeddingTable {
  const void* data = nullptr;
  DataType type = DataType::kF32;
  int64_t vocabulary = 0;
  int64_t width = 0;
  int64_t row_stride = 0;
};

/// Describes [vocabulary, width] without gaps. Sizes that are negative or too
/// large are reported by the call that takes the table.
inline EmbeddingTable DenseTable(const void* data, DataType type,
                                 int64_t vocabulary, int64_t width) {
  return {data, type, vocabulary, width,
          internal::MultiplyOrMax(width, ElementSize(type))};
}

/// Token ids. Borrowed until the call returns, which reads them twice: nobody
/// may write them meanwhile.
class TokenIds {
 public:
  TokenIds(const int32_t* ids, int64_t count)
      : ids_(ids), count_(count), wide_(false) {}
  TokenIds(const int64_t* ids, int64_t count)
      : ids_(ids), count_(count), wide_(true) {}

  int64_t count() const { return count_; }
  const void* data() const { return ids_; }
  int64_t bytes() const { return count_ * (wide_ ? 8 : 4); }
  int64_t operator[](int64_t i) const {
    return wide_ ? static_cast<const int64_t*>(ids_)[i]
                 : static_cast<const int32_t*>(ids_)[i];
  }

 private:
  const void* ids_;
  int64_t count_;
  bool wide_;
};

struct LookupOptions {
  /// Multiplies each element in float32, before it is rounded to the type of
  /// the output: the original Transformer's sqrt(width), as of Marian and M2M
  /// (scale_embedding) and Gemma. HF's Gemma rounds it to the type of the
  /// hidden states first: 55.5, not 55.4256, for 3072 in bf16.
  float multiplier = 1.0f;
  Parallel parallel = Parallel::Serial();
};

/// Copies or converts the table's row of each token.
///
/// Shape:     out [ids.count(), table.width].
/// Requires:  the multiplier is finite.
/// Aliasing:  out shares no element with the table, and no byte with the ids.
/// Accuracy:  bit for bit with multiplier 1 and the same type; else the float32
///            product, rounded once to the type, to nearest even. NaN stays
///            NaN. The same bits on every target, but for bf16 denormals where
///            FlushesBF16Denormals().
/// Errors:    kInvalidArgument: views against their rules, shapes that do not
///            agree. kOutOfRange: an id outside the table; the message names
///            it, its token and the vocabulary. On an error nothing is written.
/// Threads:   safe on disjoint outputs; allocates nothing, takes no lock.
/// Source:    Vaswani et al. 2017, arXiv:1706.03762, section 3.4.
ROPEWALK_EXPORT Status Lookup(
    const EmbeddingTable& table, const TokenIds& ids, const HiddenStates& out,
    const LookupOptions& options = LookupOptions{}) noexcept;

/// logits[t, v] = sum over i of hidden[t, i] * table[v, i]: the output layer of
/// a model whose embeddings are tied.
///
/// Reads the table once for all tokens: made for the few whose logits an engine
/// wants. It is no matrix product for a whole prompt.
///
/// Shape:     logits [hidden.tokens, table.vocabulary], float32, contiguous in
///            the vocabulary. A Parallel splits the vocabulary.
/// Units:     logits_stride in bytes, from token to token.
/// Aliasing:  no two tokens' logits share an element, nor do logits and hidden
///            or table. Tokens of hidden may.
/// Accuracy:  the same bits on every target and for every split: element i goes
///            to partial sum i % 16, each product is rounded to float32 and
///            then each sum, nothing is fused, and the partial sums are added
///            in a tree, s[i] += s[i + 8], then + 4, + 2, + 1. Within
///            (width / 16 + 8) 2^-24 of the sum of |hidden[t, i] * table[v, i]|
///            up to a width of 2^16, while no product is below 2^-126. Which
///            NaN a sum of two is, is not fixed.
/// Errors:    kInvalidArgument, kOutOfRange; on an error nothing is written.
/// Threads:   safe on disjoint logits; allocates nothing, takes no lock.
/// Source:    Press and Wolf 2017, arXiv:1608.05859.
ROPEWALK_EXPORT Status TiedLogits(
    const EmbeddingTable& table, const ConstHiddenStates& hidden, float* logits,
    int64_t logits_stride, Parallel parallel = Parallel::Serial()) noexcept;

}  // namespace ropewalk
