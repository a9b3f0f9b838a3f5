// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Structs of callers who have no ..._INIT: what is 0 is the default, or is
// refused. And what was given in part: a list without its count, a cache
// without its keys.
#include <cmath>
#include <cstdint>

#include "c_api/arguments_case.h"
#include "gtest/gtest.h"

namespace ropewalk::test {
namespace {

// All 0, as by designated initialisers.
template <class T>
T Zeroed() {
  T value{};
  value.struct_size = sizeof(T);
  return value;
}

uint64_t ChecksumOf(ropewalk_scheme scheme, const void* scaling) {
  ropewalk_rope_parameters parameters = ROPEWALK_ROPE_PARAMETERS_INIT;
  parameters.rotary_dim = 64;
  parameters.scheme = scheme;
  parameters.scaling = scaling;
  return ropewalk_frequencies_checksum(FrequenciesOf(parameters, 0).get());
}

// Sets what every YaRN must have.
template <class T>
T WithFactors(T yarn) {
  yarn.factor = 4;
  yarn.original_positions = 4096;
  yarn.beta_fast = 32;
  yarn.beta_slow = 1;
  return yarn;
}

TEST(CZeroedTest, YarnsAreThoseOfTheirInitialisers) {
  const ropewalk_yarn_scaling yarn = ROPEWALK_YARN_SCALING_INIT;
  const auto want = WithFactors(yarn);
  const auto got = WithFactors(Zeroed<ropewalk_yarn_scaling>());
  EXPECT_EQ(ChecksumOf(ROPEWALK_YARN, &got), ChecksumOf(ROPEWALK_YARN, &want));
  const ropewalk_grok_yarn_log_scaling grok =
      ROPEWALK_GROK_YARN_LOG_SCALING_INIT;
  const auto want_grok = WithFactors(grok);
  const auto got_grok = WithFactors(Zeroed<ropewalk_grok_yarn_log_scaling>());
  EXPECT_EQ(ChecksumOf(ROPEWALK_GROK_YARN_LOG, &got_grok),
            ChecksumOf(ROPEWALK_GROK_YARN_LOG, &want_grok));
}

TEST_F(CArgumentsTest, ZeroedPositionsStandOneAfterTheOther) {
  const int64_t ids[] = {0, 7, 9};
  auto positions = Zeroed<ropewalk_positions>();
  positions.ids = ids;
  positions.count = 3;
  positions.components = 1;
  ROPEWALK_REFUSES("positions.kind",
                   ropewalk_angle_table_fill(a_.table.get(), &positions,
                                             a_.rows.get(), 0, e));
  positions.kind = ROPEWALK_POSITIONS_INT64;
  const CRows got = MakeRows();
  ASSERT_EQ(ropewalk_angle_table_fill(a_.table.get(), &positions, got.get(), 0,
                                      nullptr),
            ROPEWALK_OK);
  EXPECT_EQ(ropewalk_angle_rows_identity(got.get(), 0, 0), 1);
  for (const int64_t row : {1, 2}) {
    // Half an ulp of a float32 below 1, and of libm's double.
    EXPECT_NEAR(*ropewalk_angle_rows_sin(got.get(), row, 0),
                std::sin(static_cast<double>(ids[row])), 0x1p-24);
  }
}

TEST_F(CArgumentsTest, ZeroedSlotsLayoutsAndTypesAreRefused) {
  auto slots = Zeroed<ropewalk_slots>();
  slots.count = 2;
  ROPEWALK_REFUSES("slots.kind",
                   ropewalk_shift_cache(a_.rows.get(), &a_.layout, &a_.k_cache,
                                        &slots, nullptr, e));
  slots.kind = ROPEWALK_SLOTS_RANGE;
  slots.first = -1;
  ROPEWALK_REFUSES("slots.first",
                   ropewalk_shift_cache(a_.rows.get(), &a_.layout, &a_.k_cache,
                                        &slots, nullptr, e));
  auto layout = Zeroed<ropewalk_rotary_layout>();
  layout.head_dim = layout.rotary_dim = 8;
  ROPEWALK_REFUSES("layout.pairing", ropewalk_rotate(a_.rows.get(), &layout,
                                                     a_.heads, 2, nullptr, e));
  auto transform = Zeroed<ropewalk_head_transform>();
  a_.rotate_options.transform = &transform;
  ROPEWALK_REFUSES("transform.scale",
                   ropewalk_rotate(a_.rows.get(), &a_.layout, a_.heads, 2,
                                   &a_.rotate_options, e));
}

TEST_F(CArgumentsTest, ABatchOfZeroIsRefused) {
  a_.heads[0].batch = 0;
  ROPEWALK_REFUSES("tensors.batch", ropewalk_rotate(a_.rows.get(), &a_.layout,
                                                    a_.heads, 1, nullptr, e));
}

TEST_F(CArgumentsTest, NormsGivenInPartAreRefused) {
  const auto rotate = [&](ropewalk_error* e) {
    return ropewalk_rotate(a_.rows.get(), &a_.layout, a_.heads, 2,
                           &a_.rotate_options, e);
  };
  const float weight[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  a_.norm.weight = weight;
  ASSERT_EQ(rotate(nullptr), ROPEWALK_OK);
  a_.norm.weight_type = 0;
  ROPEWALK_REFUSES("norm.weight_type", rotate(e));
  a_.norm.weight_type = ROPEWALK_F32;
  a_.norm.epsilon = 0;
  ROPEWALK_REFUSES("norm.epsilon", rotate(e));
  a_.norm.epsilon = 1e-6f;
  a_.norm.size = 0;
  ROPEWALK_REFUSES("norm.size", rotate(e));
}

TEST_F(CArgumentsTest, ListsWithoutTheirCountAreRefused) {
  const float factors[] = {4, 4, 4, 4};
  ropewalk_ggml_scaling ggml = ROPEWALK_GGML_SCALING_INIT;
  ggml.freq_factors = factors;
  ropewalk_rope_parameters parameters = a_.parameters;
  parameters.scheme = ROPEWALK_GGML;
  parameters.scaling = &ggml;
  ropewalk_frequencies* made = nullptr;
  ROPEWALK_REFUSES("freq_factors",
                   ropewalk_compute_frequencies(&parameters, 0, &made, e));
  const uint8_t axis[] = {0, 1, 2, 0};
  parameters = a_.parameters;
  parameters.axis = axis;
  ROPEWALK_REFUSES("axis",
                   ropewalk_compute_frequencies(&parameters, 0, &made, e));
}

TEST_F(CArgumentsTest, CachesIntoWhichNothingGoesAreRefused) {
  const auto write = [&](const ropewalk_cache_write& given, ropewalk_error* e) {
    return ropewalk_rotate_into_cache(a_.rows.get(), &given, &a_.slots, nullptr,
                                      e);
  };
  ropewalk_cache_write given = a_.write;
  given.k = nullptr;
  ROPEWALK_REFUSES("k", write(given, e));
  given = a_.write;
  given.v = nullptr;
  ROPEWALK_REFUSES("v", write(given, e));
}

TEST_F(CArgumentsTest, HostTablesWithoutStridesAreRefused) {
  for (const bool row : {false, true}) {
    ropewalk_cos_sin table = a_.host_table;
    (row ? table.row_stride : table.pair_stride) = 0;
    ROPEWALK_REFUSES("row_stride",
                     ropewalk_angle_rows_wrap(a_.rows.get(), &table, e));
  }
}

TEST_F(CArgumentsTest, ZeroedChoicesOfEncodingsAreRefused) {
  const auto lookup = [&](const ropewalk_token_ids& ids,
                          const ropewalk_lookup_options& options,
                          ropewalk_error* e) {
    return ropewalk_lookup(&a_.embeddings, &ids, &a_.hidden, &options, e);
  };
  ROPEWALK_REFUSES("options.multiplier",
                   lookup(a_.token_ids, Zeroed<ropewalk_lookup_options>(), e));
  auto ids = Zeroed<ropewalk_token_ids>();
  ids.count = 2;
  ROPEWALK_REFUSES("ids.kind", lookup(ids, a_.lookup_options, e));
  const auto order = Zeroed<ropewalk_sinusoidal_options>();
  ROPEWALK_REFUSES("options.order", ropewalk_add_sinusoidal(
                                        a_.rows.get(), &a_.hidden, &order, e));
  ropewalk_frequencies* made = nullptr;
  ROPEWALK_REFUSES("ladder",
                   ropewalk_sinusoidal_frequencies(8, 1e4, 0, &made, e));
  ROPEWALK_REFUSES("range",
                   ropewalk_add_alibi(a_.slopes, &a_.scores, 0, nullptr, e));
}

TEST_F(CArgumentsTest, TablesWithoutTheirStrideAreRefused) {
  auto table = a_.embeddings;
  table.row_stride = 0;
  ROPEWALK_REFUSES("table.row_stride", ropewalk_lookup(&table, &a_.token_ids,
                                                       &a_.hidden, nullptr, e));
  ROPEWALK_REFUSES("table.row_stride",
                   ropewalk_tied_logits(&table, &a_.const_hidden, a_.logits, 12,
                                        nullptr, e));
  ROPEWALK_REFUSES(
      "table.row_stride",
      ropewalk_add_shaw_scores(&table, &a_.shaw_rule, &a_.const_heads, 1,
                               &a_.scores, ROPEWALK_ALL_SCORES, nullptr, e));
  // One row needs none.
  table.vocabulary = 1;
  a_.id_list[0] = 0;
  EXPECT_EQ(
      ropewalk_lookup(&table, &a_.token_ids, &a_.hidden, nullptr, nullptr),
      ROPEWALK_OK);
}

TEST_F(CArgumentsTest, ZeroedRulesAreThoseOfTheirInitialisers) {
  auto t5 = Zeroed<ropewalk_t5_buckets>();
  int32_t bucket = 0;
  ROPEWALK_REFUSES("rule.buckets", ropewalk_t5_bucket(&t5, 1, &bucket, e));
  t5.buckets = 32;
  t5.max_distance = 128;
  // Keys after the query have the upper half.
  ASSERT_EQ(ropewalk_t5_bucket(&t5, 1, &bucket, nullptr), ROPEWALK_OK);
  EXPECT_EQ(bucket, 17);
  auto shaw = Zeroed<ropewalk_shaw_rule>();
  shaw.clip = 4;
  int64_t index = 0;
  ASSERT_EQ(ropewalk_shaw_index(&shaw, 1, &index, nullptr), ROPEWALK_OK);
  EXPECT_EQ(index, 5);
}

TEST_F(CArgumentsTest, FieldsOfLaterVersionsAreRefused) {
  ropewalk_error error = UsedError();
  a_.t5_rule.reserved = 1;
  int32_t bucket = 0;
  EXPECT_TRUE(Fails(ropewalk_t5_bucket(&a_.t5_rule, 1, &bucket, &error), error,
                    ROPEWALK_UNSUPPORTED));
  a_.norm.reserved = 1;
  EXPECT_TRUE(Fails(ropewalk_rotate(a_.rows.get(), &a_.layout, a_.heads, 2,
                                    &a_.rotate_options, &error),
                    error, ROPEWALK_UNSUPPORTED));
  a_.k_cache.reserved = 1;
  EXPECT_TRUE(Fails(ropewalk_shift_cache(a_.rows.get(), &a_.layout, &a_.k_cache,
                                         &a_.slots, nullptr, &error),
                    error, ROPEWALK_UNSUPPORTED));
  ropewalk_angle_options options = ROPEWALK_ANGLE_OPTIONS_INIT;
  options.reserved = 1;
  ropewalk_angle_table* table = nullptr;
  EXPECT_TRUE(Fails(ropewalk_angle_table_build(a_.frequencies.get(), &options,
                                               nullptr, &table, &error),
                    error, ROPEWALK_UNSUPPORTED));
  ropewalk_config_options config = ROPEWALK_CONFIG_OPTIONS_INIT;
  config.reserved = 1;
  ropewalk_model* model = nullptr;
  EXPECT_TRUE(
      Fails(ropewalk_parse_huggingface_config("{}", 2, &config, &model, &error),
            error, ROPEWALK_UNSUPPORTED));
}

// A limit of 0 stands for the default: what nobody holds is kept.
TEST(CZeroedTest, ACacheWithoutALimitKeepsTables) {
  ropewalk_angle_cache* cache = nullptr;
  ASSERT_EQ(ropewalk_angle_cache_create(0, &cache, nullptr), ROPEWALK_OK);
  ropewalk_rope_parameters parameters = ROPEWALK_ROPE_PARAMETERS_INIT;
  parameters.rotary_dim = 64;
  for (int i = 0; i < 2; ++i) {
    ropewalk_angle_table* table = nullptr;
    EXPECT_EQ(ropewalk_angle_cache_get(cache, &parameters, 0, nullptr, &table,
                                       nullptr),
              ROPEWALK_OK);
    ropewalk_angle_table_destroy(table);
  }
  ropewalk_angle_cache_stats stats = ROPEWALK_ANGLE_CACHE_STATS_INIT;
  EXPECT_EQ(ropewalk_angle_cache_get_stats(cache, &stats, nullptr),
            ROPEWALK_OK);
  EXPECT_EQ(stats.hits, 1u);
  ropewalk_angle_cache_destroy(cache);
}

}  // namespace
}  // namespace ropewalk::test
