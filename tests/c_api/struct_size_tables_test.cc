// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Structs of other versions in the calls of tables, schemes and rotations.
#include "c_api/struct_size_case.h"

#include <cstdint>
#include <type_traits>
#include <vector>

#include "gtest/gtest.h"

namespace ropewalk::test {
namespace {

TEST_F(StructSizeTest, OfTablesAndRows) {
  Arguments& a = good_;
  const auto parameters = [&](const ropewalk_rope_parameters* given,
                              ropewalk_error* error) {
    ropewalk_frequencies* made = nullptr;
    const ropewalk_status code =
        ropewalk_compute_frequencies(given, 0, &made, error);
    EXPECT_EQ(made != nullptr, code == ROPEWALK_OK);
    ropewalk_frequencies_destroy(made);
    return code;
  };
  ExpectRead<ropewalk_rope_parameters>("parameters", a.parameters, parameters);
  const auto build = [&](const ropewalk_angle_options* options,
                         const ropewalk_parallel* parallel,
                         ropewalk_error* error) {
    ropewalk_angle_table* made = nullptr;
    const ropewalk_status code = ropewalk_angle_table_build(
        a.frequencies.get(), options, parallel, &made, error);
    EXPECT_EQ(made != nullptr, code == ROPEWALK_OK);
    ropewalk_angle_table_destroy(made);
    return code;
  };
  ExpectRead<ropewalk_angle_options>(
      "options", a.angle_options,
      [&](auto* given, auto* error) { return build(given, nullptr, error); });
  ExpectRead<ropewalk_parallel>(
      "parallel", a.parallel,
      [&](auto* given, auto* error) { return build(nullptr, given, error); });
  ExpectRead<ropewalk_positions>(
      "positions", a.positions, [&](auto* given, auto* error) {
        return ropewalk_angle_table_fill(a.table.get(), given, a.rows.get(), 0,
                                         error);
      });
  ExpectRead<ropewalk_cos_sin>(
      "out", a.host_table, [&](auto* given, auto* error) {
        return ropewalk_angle_table_export(a.table.get(), 0, 2, given, nullptr,
                                           error);
      });
  ExpectRead<ropewalk_cos_sin>(
      "table", a.host_table, [&](auto* given, auto* error) {
        const CRows rows = MakeRows();
        return ropewalk_angle_rows_wrap(rows.get(), given, error);
      });
}

TEST_F(StructSizeTest, OfSchemes) {
  const auto expect = [&](ropewalk_scheme scheme, const auto& scaling) {
    using T = std::decay_t<decltype(scaling)>;
    ExpectRead<T>(ropewalk_scheme_name(scheme), scaling,
                  [&](const T* given, ropewalk_error* error) {
                    ropewalk_rope_parameters parameters = good_.parameters;
                    parameters.scheme = scheme;
                    parameters.scaling = given;
                    ropewalk_frequencies* made = nullptr;
                    const ropewalk_status code = ropewalk_compute_frequencies(
                        &parameters, 0, &made, error);
                    ropewalk_frequencies_destroy(made);
                    return code;
                  });
  };
  const double list[] = {1, 2, 3, 4};
  const ropewalk_factor_scaling factor = ROPEWALK_FACTOR_SCALING_INIT;
  for (const ropewalk_scheme scheme :
       {ROPEWALK_LINEAR, ROPEWALK_NTK, ROPEWALK_NTK_ALPHA}) {
    expect(scheme, factor);
  }
  ropewalk_dynamic_ntk_scaling dynamic = ROPEWALK_DYNAMIC_NTK_SCALING_INIT;
  dynamic.max_positions = 64;
  expect(ROPEWALK_DYNAMIC_NTK, dynamic);
  ropewalk_qwen_dynamic_ntk_scaling qwen =
      ROPEWALK_QWEN_DYNAMIC_NTK_SCALING_INIT;
  qwen.original_positions = 64;
  expect(ROPEWALK_QWEN_DYNAMIC_NTK, qwen);
  const ropewalk_vllm_ntk_scaling vllm = ROPEWALK_VLLM_NTK_SCALING_INIT;
  expect(ROPEWALK_VLLM_NTK, vllm);
  ropewalk_yarn_scaling yarn = ROPEWALK_YARN_SCALING_INIT;
  yarn.original_positions = 4096;
  expect(ROPEWALK_YARN, yarn);
  ropewalk_deepseek_yarn_scaling deepseek = ROPEWALK_DEEPSEEK_YARN_SCALING_INIT;
  deepseek.original_positions = 4096;
  expect(ROPEWALK_DEEPSEEK_YARN, deepseek);
  ropewalk_grok_yarn_log_scaling grok = ROPEWALK_GROK_YARN_LOG_SCALING_INIT;
  grok.original_positions = 4096;
  expect(ROPEWALK_GROK_YARN_LOG, grok);
  ropewalk_grok_theta_scaling theta = ROPEWALK_GROK_THETA_SCALING_INIT;
  theta.original_positions = 4096;
  expect(ROPEWALK_GROK_THETA, theta);
  const ropewalk_llama3_scaling llama3 = ROPEWALK_LLAMA3_SCALING_INIT;
  expect(ROPEWALK_LLAMA3, llama3);
  ropewalk_longrope_scaling longrope = ROPEWALK_LONGROPE_SCALING_INIT;
  longrope.short_factor = longrope.long_factor = list;
  longrope.short_count = longrope.long_count = 4;
  longrope.original_positions = 4096;
  longrope.max_positions = 8192;
  expect(ROPEWALK_LONGROPE, longrope);
  ropewalk_proportional_scaling proportional =
      ROPEWALK_PROPORTIONAL_SCALING_INIT;
  proportional.head_dim = 16;
  expect(ROPEWALK_PROPORTIONAL, proportional);
  ropewalk_double_list values = ROPEWALK_DOUBLE_LIST_INIT;
  values.values = list;
  values.count = 4;
  expect(ROPEWALK_FREQUENCY_FACTORS, values);
  expect(ROPEWALK_EXPLICIT, values);
  const ropewalk_ggml_scaling ggml = ROPEWALK_GGML_SCALING_INIT;
  expect(ROPEWALK_GGML, ggml);
}

TEST_F(StructSizeTest, OfRotations) {
  Arguments& a = good_;
  const auto rotate =
      [&](const ropewalk_rotary_layout* layout, const ropewalk_heads* heads,
          const ropewalk_rotate_options* options, ropewalk_error* error) {
        return ropewalk_rotate(a.rows.get(), layout, heads, 2, options, error);
      };
  ExpectRead<ropewalk_rotary_layout>(
      "layout", a.layout, [&](auto* given, auto* error) {
        return rotate(given, a.heads, nullptr, error);
      });
  ExpectReadAll<ropewalk_heads>(
      "heads", a.heads, 2, [&](auto* given, auto* error) {
        return rotate(&a.layout, given, nullptr, error);
      });
  ExpectRead<ropewalk_rotate_options>(
      "options", a.rotate_options, [&](auto* given, auto* error) {
        return rotate(&a.layout, a.heads, given, error);
      });
  ExpectRead<ropewalk_parallel>(
      "parallel", a.parallel, [&](auto* given, auto* error) {
        ropewalk_rotate_options options = a.rotate_options;
        options.parallel = given;
        return rotate(&a.layout, a.heads, &options, error);
      });
  ExpectRead<ropewalk_head_transform>(
      "transform", a.transform, [&](auto* given, auto* error) {
        ropewalk_rotate_options options = a.rotate_options;
        options.transform = given;
        return rotate(&a.layout, a.heads, &options, error);
      });
  ExpectRead<ropewalk_head_norm>("norm", a.norm, [&](auto* given, auto* error) {
    ropewalk_head_transform transform = a.transform;
    transform.norm = given;
    ropewalk_rotate_options options = a.rotate_options;
    options.transform = &transform;
    return rotate(&a.layout, a.heads, &options, error);
  });
  ExpectRead<ropewalk_const_heads>(
      "in", a.const_heads, [&](auto* given, auto* error) {
        return ropewalk_rotate_to(a.rows.get(), &a.layout, given, &a.heads[0],
                                  nullptr, error);
      });
  ExpectRead<ropewalk_heads>("out", a.heads[0], [&](auto* given, auto* error) {
    return ropewalk_rotate_to(a.rows.get(), &a.layout, &a.const_heads, given,
                              nullptr, error);
  });
  ExpectRead<ropewalk_projection>(
      "projection", a.projection, [&](auto* given, auto* error) {
        return ropewalk_permute_pairing(given, &a.layout, ROPEWALK_INTERLEAVED,
                                        nullptr, error);
      });
  ExpectReadInPlace<ropewalk_heads>(
      "heads", a.heads[0], [](auto* given, auto* error) {
        return ropewalk_dense_heads(given, 8, error);
      });
  ExpectReadInPlace<ropewalk_const_heads>(
      "heads", a.const_heads, [](auto* given, auto* error) {
        return ropewalk_dense_const_heads(given, 8, error);
      });
}

TEST_F(StructSizeTest, OfElementsThatDiffer) {
  // More than are kept on the stack, too.
  for (const int count : {2, 3, 9}) {
    std::vector<ropewalk_heads> heads(static_cast<size_t>(count),
                                      good_.heads[0]);
    for (ropewalk_heads& view : heads) view.tokens = 0;
    heads.back().struct_size += 8;
    ropewalk_error error = UsedError();
    EXPECT_TRUE(Fails(ropewalk_rotate(good_.rows.get(), &good_.layout,
                                      heads.data(), count, nullptr, &error),
                      error, ROPEWALK_INVALID_ARGUMENT));
  }
  const ropewalk_pair_band init = ROPEWALK_PAIR_BAND_INIT;
  ropewalk_pair_band pairs[4] = {init, init, init, init};
  pairs[3].struct_size = 0;
  ropewalk_error error = UsedError();
  EXPECT_TRUE(Fails(ropewalk_compute_bands(&good_.parameters, 9, 0, nullptr,
                                           pairs, 4, &error),
                    error, ROPEWALK_INVALID_ARGUMENT));
  EXPECT_EQ(pairs[0].inv_freq, 0);
}

}  // namespace
}  // namespace ropewalk::test
