// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/c/score_biases.h"

#include "c_api/call.h"
#include "c_api/read_encodings.h"
#include "c_api/read_types.h"

namespace ropewalk::internal {
namespace {

// What all that add a bias are told beside their tensors.
struct Work {
  ScoreRange range = ScoreRange::kAll;
  Parallel parallel = Parallel::Serial();
};

Status ReadWork(ropewalk_score_range range, const ropewalk_parallel* parallel,
                Work* work) noexcept {
  ROPEWALK_RETURN_IF_ERROR(
      ReadFromOne("range", range, ScoreRange::kCausal, &work->range));
  return Read("parallel", parallel, &work->parallel);
}

}  // namespace
}  // namespace ropewalk::internal

namespace rw = ropewalk;
namespace internal = ropewalk::internal;

ropewalk_status ropewalk_alibi_slopes(int32_t heads, double max_bias,
                                      float* slopes, ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    return rw::AlibiSlopes(heads, max_bias, slopes);
  });
}

ropewalk_status ropewalk_add_alibi(const float* slopes,
                                   const ropewalk_scores* scores,
                                   ropewalk_score_range range,
                                   const ropewalk_parallel* parallel,
                                   ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    rw::Scores cc_scores;
    internal::Work work;
    ROPEWALK_RETURN_IF_ERROR(internal::Read("scores", scores, &cc_scores));
    ROPEWALK_RETURN_IF_ERROR(internal::ReadWork(range, parallel, &work));
    return rw::AddAlibi(slopes, cc_scores, work.range, work.parallel);
  });
}

ropewalk_status ropewalk_t5_bucket(const ropewalk_t5_buckets* rule,
                                   int64_t key_minus_query, int32_t* bucket,
                                   ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    rw::T5Buckets cc_rule;
    ROPEWALK_RETURN_IF_ERROR(internal::Read("rule", rule, &cc_rule));
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("bucket", bucket));
    const auto found = rw::T5Bucket(cc_rule, key_minus_query);
    ROPEWALK_RETURN_IF_ERROR(found.status());
    *bucket = found.value();
    return rw::Status();
  });
}

ropewalk_status ropewalk_add_t5_bias(const ropewalk_embedding_table* table,
                                     const ropewalk_t5_buckets* rule,
                                     const ropewalk_scores* scores,
                                     ropewalk_score_range range,
                                     const ropewalk_parallel* parallel,
                                     ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    rw::EmbeddingTable cc_table;
    rw::T5Buckets cc_rule;
    rw::Scores cc_scores;
    internal::Work work;
    ROPEWALK_RETURN_IF_ERROR(internal::Read("table", table, &cc_table));
    ROPEWALK_RETURN_IF_ERROR(internal::Read("rule", rule, &cc_rule));
    ROPEWALK_RETURN_IF_ERROR(internal::Read("scores", scores, &cc_scores));
    ROPEWALK_RETURN_IF_ERROR(internal::ReadWork(range, parallel, &work));
    return rw::AddT5Bias(cc_table, cc_rule, cc_scores, work.range,
                         work.parallel);
  });
}

ropewalk_status ropewalk_shaw_index(const ropewalk_shaw_rule* rule,
                                    int64_t key_minus_query, int64_t* index,
                                    ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    rw::ShawRule cc_rule;
    ROPEWALK_RETURN_IF_ERROR(internal::Read("rule", rule, &cc_rule));
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("index", index));
    // ShawIndex does not look.
    if (cc_rule.clip < 0 || cc_rule.clip > rw::kMaxShawClip) {
      return internal::Error(rw::StatusCode::kInvalidArgument,
                             "rule.clip = %lld: must be from 0 to 2^30",
                             static_cast<long long>(cc_rule.clip));
    }
    *index = rw::ShawIndex(cc_rule, key_minus_query);
    return rw::Status();
  });
}

ropewalk_status ropewalk_add_shaw_scores(
    const ropewalk_embedding_table* table, const ropewalk_shaw_rule* rule,
    const ropewalk_const_heads* queries, float multiplier,
    const ropewalk_scores* scores, ropewalk_score_range range,
    const ropewalk_parallel* parallel, ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    rw::EmbeddingTable cc_table;
    rw::ShawRule cc_rule;
    rw::ConstHeadsView cc_queries;
    rw::Scores cc_scores;
    internal::Work work;
    ROPEWALK_RETURN_IF_ERROR(internal::Read("table", table, &cc_table));
    ROPEWALK_RETURN_IF_ERROR(internal::Read("rule", rule, &cc_rule));
    ROPEWALK_RETURN_IF_ERROR(internal::Read("queries", queries, &cc_queries));
    ROPEWALK_RETURN_IF_ERROR(internal::Read("scores", scores, &cc_scores));
    ROPEWALK_RETURN_IF_ERROR(internal::ReadWork(range, parallel, &work));
    return rw::AddShawScores(cc_table, cc_rule, cc_queries, multiplier,
                             cc_scores, work.range, work.parallel);
  });
}

ropewalk_status ropewalk_add_shaw_values(const ropewalk_embedding_table* table,
                                         const ropewalk_shaw_rule* rule,
                                         const ropewalk_scores* weights,
                                         const ropewalk_heads* output,
                                         ropewalk_score_range range,
                                         const ropewalk_parallel* parallel,
                                         ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    rw::EmbeddingTable cc_table;
    rw::ShawRule cc_rule;
    rw::Scores cc_weights;
    rw::HeadsView cc_output;
    internal::Work work;
    ROPEWALK_RETURN_IF_ERROR(internal::Read("table", table, &cc_table));
    ROPEWALK_RETURN_IF_ERROR(internal::Read("rule", rule, &cc_rule));
    ROPEWALK_RETURN_IF_ERROR(internal::Read("weights", weights, &cc_weights));
    ROPEWALK_RETURN_IF_ERROR(internal::Read("output", output, &cc_output));
    ROPEWALK_RETURN_IF_ERROR(internal::ReadWork(range, parallel, &work));
    return rw::AddShawValues(cc_table, cc_rule, cc_weights, cc_output,
                             work.range, work.parallel);
  });
}
