// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Values that are not of their enumeration, wherever one is taken.
#include <cstdint>

#include "c_api/arguments_case.h"
#include "gtest/gtest.h"
#include "ropewalk/status.h"
#include "ropewalk/target.h"

namespace ropewalk::test {
namespace {

TEST_F(CArgumentsTest, NoDataTypeAliases) {
  const auto* const r = a_.rows.get();
  const auto* const l = &a_.layout;
  ExpectEnum("tensors", 4, false, [&](int32_t value, auto* e) {
    a_.heads[1].type = value;
    return ropewalk_rotate(r, l, a_.heads, 2, nullptr, e);
  });
  ExpectEnum("dense", 4, false, [&](int32_t value, auto* e) {
    a_.heads[1].type = value;
    return ropewalk_dense_heads(&a_.heads[1], 8, e);
  });
  ExpectEnum("in", 4, false, [&](int32_t value, auto* e) {
    ropewalk_const_heads in = a_.const_heads;
    in.type = value;
    return ropewalk_rotate_to(r, l, &in, &a_.heads[0], nullptr, e);
  });
  ExpectEnum("cache", 4, false, [&](int32_t value, auto* e) {
    ropewalk_kv_cache cache = a_.k_cache;
    cache.type = value;
    return ropewalk_shift_cache(r, l, &cache, &a_.slots, nullptr, e);
  });
  ExpectEnum("nhd", 4, false, [&](int32_t value, auto* e) {
    ropewalk_kv_cache cache = a_.k_cache;
    cache.type = value;
    return ropewalk_nhd_cache(&cache, e);
  });
  ExpectEnum("projection", 4, false, [&](int32_t value, auto* e) {
    a_.projection.type = value;
    return ropewalk_permute_pairing(&a_.projection, l, ROPEWALK_HALF, nullptr,
                                    e);
  });
  ExpectEnum("wrap", 4, false, [&](int32_t value, auto* e) {
    a_.host_table.type = value;
    return ropewalk_angle_rows_wrap(a_.rows.get(), &a_.host_table, e);
  });
  ExpectEnum("export", 4, false, [&](int32_t value, auto* e) {
    a_.host_table.type = value;
    return ropewalk_angle_table_export(a_.table.get(), 0, 2, &a_.host_table,
                                       nullptr, e);
  });
}

TEST_F(CArgumentsTest, NoLayoutAliases) {
  const auto* const r = a_.rows.get();
  ExpectEnum("pairing", 3, false, [&](int32_t value, auto* e) {
    ropewalk_rotary_layout layout = a_.layout;
    layout.pairing = value;
    return ropewalk_rotate(r, &layout, a_.heads, 2, nullptr, e);
  });
  ExpectEnum("output_pairing", 3, [&](int32_t value, auto* e) {
    ropewalk_rotary_layout layout = a_.layout;
    layout.output_pairing = value;
    return ropewalk_rotate(r, &layout, a_.heads, 2, nullptr, e);
  });
  ExpectEnum("permute", 3, false, [&](int32_t value, auto* e) {
    return ropewalk_permute_pairing(&a_.projection, &a_.layout, value, nullptr,
                                    e);
  });
}

TEST_F(CArgumentsTest, NoOptionOfARotationAliases) {
  const auto rotate = [&](auto* e) {
    return ropewalk_rotate(a_.rows.get(), &a_.layout, a_.heads, 2,
                           &a_.rotate_options, e);
  };
  ExpectEnum("norm.kind", 2, [&](int32_t value, auto* e) {
    a_.norm.kind = value;
    return rotate(e);
  });
  a_.norm.kind = ROPEWALK_RMS_NORM;
  ExpectEnum("norm.weight_type", 4, [&](int32_t value, auto* e) {
    a_.norm.weight_type = value;
    return rotate(e);
  });
  a_.norm.weight_type = ROPEWALK_F32;
  ExpectEnum("direction", 3, [&](int32_t value, auto* e) {
    a_.rotate_options.direction = value;
    return rotate(e);
  });
  a_.rotate_options.direction = ROPEWALK_FORWARD;
  ExpectEnum("parallel.kind", 3, [&](int32_t value, auto* e) {
    a_.parallel.kind = value;
    return rotate(e);
  });
}

TEST_F(CArgumentsTest, NoAngleOptionAliases) {
  const auto build = [&](const ropewalk_angle_options& options, auto* e) {
    ropewalk_angle_table* table = nullptr;
    const ropewalk_status code = ropewalk_angle_table_build(
        a_.frequencies.get(), &options, nullptr, &table, e);
    EXPECT_EQ(table, nullptr);
    return code;
  };
  ExpectEnum("mode", 3, [&](int32_t value, auto* e) {
    ropewalk_angle_options options = ROPEWALK_ANGLE_OPTIONS_INIT;
    options.mode = value;
    return build(options, e);
  });
  ExpectEnum("kind", 4, [&](int32_t value, auto* e) {
    ropewalk_angle_options options = ROPEWALK_ANGLE_OPTIONS_INIT;
    options.kind = value;
    return build(options, e);
  });
  ExpectEnum("round_to", 4, [&](int32_t value, auto* e) {
    ropewalk_angle_options options = ROPEWALK_ANGLE_OPTIONS_INIT;
    options.round_to = value;
    return build(options, e);
  });
}

TEST_F(CArgumentsTest, NoSchemeAliases) {
  const auto compute = [&](const ropewalk_rope_parameters& parameters,
                           auto* e) {
    ropewalk_frequencies* made = nullptr;
    const ropewalk_status code =
        ropewalk_compute_frequencies(&parameters, 0, &made, e);
    EXPECT_EQ(made, nullptr);
    return code;
  };
  ExpectEnum("scheme", 17, [&](int32_t value, auto* e) {
    ropewalk_rope_parameters parameters = a_.parameters;
    parameters.scheme = value;
    EXPECT_EQ(ropewalk_scheme_name(value), nullptr);
    EXPECT_EQ(ropewalk_original_positions(&parameters), 0);
    return compute(parameters, e);
  });
  ExpectEnum("policy", 4, [&](int32_t value, auto* e) {
    const double list[] = {1, 2, 3, 4};
    ropewalk_longrope_scaling longrope = ROPEWALK_LONGROPE_SCALING_INIT;
    longrope.policy = value;
    longrope.short_factor = longrope.long_factor = list;
    longrope.short_count = longrope.long_count = 4;
    longrope.original_positions = 4096;
    longrope.max_positions = 8192;
    ropewalk_rope_parameters parameters = a_.parameters;
    parameters.scheme = ROPEWALK_LONGROPE;
    parameters.scaling = &longrope;
    return compute(parameters, e);
  });
}

TEST_F(CArgumentsTest, NoKindOfPositionsOrSlotsAliases) {
  ExpectEnum("positions.kind", 7, false, [&](int32_t value, auto* e) {
    a_.positions.kind = value;
    return ropewalk_angle_table_fill(a_.table.get(), &a_.positions,
                                     a_.rows.get(), 0, e);
  });
  a_.positions.kind = ROPEWALK_POSITIONS_CONSECUTIVE;
  ExpectEnum("slots.kind", 4, false, [&](int32_t value, auto* e) {
    a_.slots.kind = value;
    return ropewalk_shift_cache(a_.rows.get(), &a_.layout, &a_.k_cache,
                                &a_.slots, nullptr, e);
  });
  ExpectEnum("rule", 4, [&](int32_t value, auto* e) {
    a_.query_scale.rule = value;
    return ropewalk_write_query_scale(&a_.positions, &a_.query_scale,
                                      a_.factors, e);
  });
  ExpectEnum("class_token", 3, [&](int32_t value, auto* e) {
    a_.grid.class_token = value;
    return ropewalk_append_grid_positions(&a_.grid, &a_.grid_buffer, e);
  });
}

// Rules are checked where a span begins, but a value that fits no enumerator is
// refused at once.
TEST_F(CArgumentsTest, NoVideoTimeAliases) {
  ExpectEnum("video_time", 3, [&](int32_t value, auto* e) {
    ropewalk_multimodal_rules rules = a_.rules;
    rules.video_time = value;
    ropewalk_multimodal_positions* made = nullptr;
    ropewalk_status code =
        ropewalk_multimodal_positions_create(&rules, &made, e);
    if (code != ROPEWALK_OK) return code;
    const CMultimodal owner(made);
    return ropewalk_append_vision(made, &a_.span, &a_.text_buffer, e);
  });
}

TEST_F(CArgumentsTest, NoDataTypeOfAnEncodingAliases) {
  const auto lookup = [&](const ropewalk_embedding_table& table,
                          const ropewalk_hidden_states& out, auto* e) {
    return ropewalk_lookup(&table, &a_.token_ids, &out, nullptr, e);
  };
  ExpectEnum("table", 4, false, [&](int32_t value, auto* e) {
    ropewalk_embedding_table table = a_.embeddings;
    table.type = value;
    EXPECT_EQ(ropewalk_dense_table(&table, nullptr), ROPEWALK_INVALID_ARGUMENT);
    return lookup(table, a_.hidden, e);
  });
  ExpectEnum("out", 4, false, [&](int32_t value, auto* e) {
    ropewalk_hidden_states out = a_.hidden;
    out.type = value;
    EXPECT_EQ(ropewalk_dense_hidden(&out, nullptr), ROPEWALK_INVALID_ARGUMENT);
    return lookup(a_.embeddings, out, e);
  });
  ExpectEnum("hidden", 4, false, [&](int32_t value, auto* e) {
    ropewalk_const_hidden_states hidden = a_.const_hidden;
    hidden.type = value;
    EXPECT_EQ(ropewalk_dense_const_hidden(&hidden, nullptr),
              ROPEWALK_INVALID_ARGUMENT);
    return ropewalk_tied_logits(&a_.embeddings, &hidden, a_.logits, 12, nullptr,
                                e);
  });
  ExpectEnum("scores", 4, false, [&](int32_t value, auto* e) {
    ropewalk_scores scores = a_.scores;
    scores.type = value;
    EXPECT_EQ(ropewalk_dense_scores(&scores, nullptr),
              ROPEWALK_INVALID_ARGUMENT);
    return ropewalk_add_alibi(a_.slopes, &scores, ROPEWALK_ALL_SCORES, nullptr,
                              e);
  });
}

TEST_F(CArgumentsTest, NoChoiceOfAnEncodingAliases) {
  ExpectEnum("ids.kind", 3, false, [&](int32_t value, auto* e) {
    ropewalk_token_ids ids = a_.token_ids;
    ids.kind = value;
    return ropewalk_lookup(&a_.embeddings, &ids, &a_.hidden, nullptr, e);
  });
  ExpectEnum("order", 4, false, [&](int32_t value, auto* e) {
    ropewalk_sinusoidal_options options = ROPEWALK_SINUSOIDAL_OPTIONS_INIT;
    options.order = value;
    return ropewalk_add_sinusoidal(a_.rows.get(), &a_.hidden, &options, e);
  });
  ExpectEnum("ladder", 4, false, [&](int32_t value, auto* e) {
    ropewalk_frequencies* made = nullptr;
    const ropewalk_status code =
        ropewalk_sinusoidal_frequencies(8, 1e4, value, &made, e);
    EXPECT_EQ(made, nullptr);
    return code;
  });
  ExpectEnum("alibi", 3, false, [&](int32_t value, auto* e) {
    return ropewalk_add_alibi(a_.slopes, &a_.scores, value, nullptr, e);
  });
  ExpectEnum("t5", 3, false, [&](int32_t value, auto* e) {
    return ropewalk_add_t5_bias(&a_.t5_table, &a_.t5_rule, &a_.scores, value,
                                nullptr, e);
  });
  ExpectEnum("shaw", 3, false, [&](int32_t value, auto* e) {
    return ropewalk_add_shaw_scores(&a_.embeddings, &a_.shaw_rule,
                                    &a_.const_heads, 1, &a_.scores, value,
                                    nullptr, e);
  });
  ExpectEnum("values", 3, false, [&](int32_t value, auto* e) {
    return ropewalk_add_shaw_values(&a_.embeddings, &a_.shaw_rule, &a_.scores,
                                    &a_.heads[0], value, nullptr, e);
  });
}

TEST_F(CArgumentsTest, ListsThatCannotBeAreRefused) {
  const double list[] = {1, 2, 3, 4};
  const auto compute = [&](const double* values, int64_t count,
                           const uint8_t* axis, int64_t axis_count, auto* e) {
    ropewalk_double_list scaling = ROPEWALK_DOUBLE_LIST_INIT;
    scaling.values = values;
    scaling.count = count;
    ropewalk_rope_parameters parameters = a_.parameters;
    parameters.scheme = ROPEWALK_FREQUENCY_FACTORS;
    parameters.scaling = &scaling;
    parameters.axis = axis;
    parameters.axis_count = axis_count;
    ropewalk_frequencies* made = nullptr;
    const ropewalk_status code =
        ropewalk_compute_frequencies(&parameters, 0, &made, e);
    ropewalk_frequencies_destroy(made);
    return code;
  };
  ropewalk_error error = UsedError();
  EXPECT_EQ(compute(list, 4, nullptr, 0, &error), ROPEWALK_OK);
  ROPEWALK_REFUSES("scaling.values", compute(nullptr, 4, nullptr, 0, e));
  ROPEWALK_REFUSES("scaling.values", compute(list, -1, nullptr, 0, e));
  ROPEWALK_REFUSES("axis", compute(list, 4, nullptr, 4, e));
  ROPEWALK_REFUSES("axis", compute(list, 4, nullptr, INT64_MIN, e));
  EXPECT_TRUE(Fails(compute(list, INT64_MAX, nullptr, 0, &error), error,
                    ROPEWALK_OUT_OF_RANGE));
  a_.parameters.scaling = list;
  ROPEWALK_REFUSES("scaling", [&] {
    ropewalk_frequencies* made = nullptr;
    return ropewalk_compute_frequencies(&a_.parameters, 0, &made, e);
  }());
}

TEST(CStatusTest, NamesAreThoseOfCpp) {
  for (int32_t code = 0; code < 6; ++code) {
    EXPECT_STREQ(ropewalk_status_name(code),
                 StatusCodeName(static_cast<StatusCode>(code)));
  }
  for (const int32_t code : {-1, 6, 256, 257, INT32_MIN, INT32_MAX}) {
    EXPECT_STREQ(ropewalk_status_name(code), "unknown");
  }
  EXPECT_EQ(ropewalk_version(), uint32_t{ROPEWALK_VERSION});
}

TEST(CTargetTest, NamesAndErrorsAreThoseOfCpp) {
  const TargetNames compiled = CompiledTargets();
  const TargetNames available = AvailableTargets();
  ASSERT_GT(available.count, 0);
  for (int32_t i = 0; i < compiled.count; ++i) {
    EXPECT_STREQ(ropewalk_compiled_target(i), compiled.names[i]);
    ropewalk_error error = UsedError();
    const Status want = ForceTarget(compiled.names[i]);
    EXPECT_TRUE(
        Alike(ropewalk_force_target(compiled.names[i], &error), error, want));
    EXPECT_STREQ(ropewalk_active_target(), ActiveTarget());
    EXPECT_EQ(ropewalk_flushes_bf16_denormals(),
              FlushesBF16Denormals() ? 1 : 0);
    if (want.ok()) {
      EXPECT_STREQ(ropewalk_active_target(), compiled.names[i]);
    }
  }
  for (int32_t i = 0; i < available.count; ++i) {
    EXPECT_STREQ(ropewalk_available_target(i), available.names[i]);
  }
  for (const int32_t i : {-1, compiled.count, INT32_MIN, INT32_MAX}) {
    EXPECT_EQ(ropewalk_compiled_target(i), nullptr);
  }
  EXPECT_EQ(ropewalk_available_target(available.count), nullptr);
  ropewalk_error error = UsedError();
  EXPECT_TRUE(
      Alike(ropewalk_force_target("AVX9", &error), error, ForceTarget("AVX9")));
  EXPECT_EQ(ropewalk_force_target("", &error), ROPEWALK_OK);
}

}  // namespace
}  // namespace ropewalk::test
