// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "c_api/c_encodings.h"

namespace ropewalk::test {

ropewalk_embedding_table ToC(const EmbeddingTable& table) {
  ropewalk_embedding_table out = ROPEWALK_EMBEDDING_TABLE_INIT;
  out.type = TypeToC(table.type);
  out.data = table.data;
  out.vocabulary = table.vocabulary;
  out.width = table.width;
  out.row_stride = table.row_stride;
  return out;
}

ropewalk_hidden_states ToC(const HiddenStates& hidden) {
  ropewalk_hidden_states out = ROPEWALK_HIDDEN_STATES_INIT;
  out.type = TypeToC(hidden.type);
  out.data = hidden.data;
  out.tokens = hidden.tokens;
  out.width = hidden.width;
  out.token_stride = hidden.token_stride;
  return out;
}

ropewalk_const_hidden_states ToCConst(const ConstHiddenStates& hidden) {
  ropewalk_const_hidden_states out = ROPEWALK_CONST_HIDDEN_STATES_INIT;
  out.type = TypeToC(hidden.type);
  out.data = hidden.data;
  out.tokens = hidden.tokens;
  out.width = hidden.width;
  out.token_stride = hidden.token_stride;
  return out;
}

ropewalk_scores ToC(const Scores& scores) {
  ropewalk_scores out = ROPEWALK_SCORES_INIT;
  out.type = TypeToC(scores.type);
  out.data = scores.data;
  out.heads = scores.heads;
  out.queries = scores.queries;
  out.keys = scores.keys;
  out.head_stride = scores.head_stride;
  out.query_stride = scores.query_stride;
  out.first_query = scores.first_query;
  out.first_key = scores.first_key;
  return out;
}

ropewalk_t5_buckets ToC(const T5Buckets& rule) {
  ropewalk_t5_buckets out = ROPEWALK_T5_BUCKETS_INIT;
  out.buckets = rule.buckets;
  out.max_distance = rule.max_distance;
  out.unidirectional = rule.bidirectional ? 0 : 1;
  return out;
}

ropewalk_shaw_rule ToC(const ShawRule& rule) {
  ropewalk_shaw_rule out = ROPEWALK_SHAW_RULE_INIT;
  out.clip = rule.clip;
  out.reversed = rule.reversed ? 1 : 0;
  return out;
}

ropewalk_lookup_options ToC(const LookupOptions& options,
                            const ropewalk_parallel* parallel) {
  ropewalk_lookup_options out = ROPEWALK_LOOKUP_OPTIONS_INIT;
  out.multiplier = options.multiplier;
  out.parallel = parallel;
  return out;
}

ropewalk_sinusoidal_options ToC(const SinusoidalOptions& options,
                                const ropewalk_parallel* parallel) {
  ropewalk_sinusoidal_options out = ROPEWALK_SINUSOIDAL_OPTIONS_INIT;
  out.order = OrderToC(options.order);
  out.parallel = parallel;
  return out;
}

int32_t RangeToC(ScoreRange range) {
  switch (range) {
    case ScoreRange::kAll:
      return ROPEWALK_ALL_SCORES;
    case ScoreRange::kCausal:
      return ROPEWALK_CAUSAL_SCORES;
  }
  return -1;
}

int32_t OrderToC(SinusoidalOrder order) {
  switch (order) {
    case SinusoidalOrder::kInterleaved:
      return ROPEWALK_SINUSOIDAL_INTERLEAVED;
    case SinusoidalOrder::kSinCos:
      return ROPEWALK_SINUSOIDAL_SIN_COS;
    case SinusoidalOrder::kCosSin:
      return ROPEWALK_SINUSOIDAL_COS_SIN;
  }
  return -1;
}

int32_t LadderToC(SinusoidalLadder ladder) {
  switch (ladder) {
    case SinusoidalLadder::kByWidth:
      return ROPEWALK_LADDER_BY_WIDTH;
    case SinusoidalLadder::kToBase:
      return ROPEWALK_LADDER_TO_BASE;
    case SinusoidalLadder::kByPairs:
      return ROPEWALK_LADDER_BY_PAIRS;
  }
  return -1;
}

}  // namespace ropewalk::test
