/* SPDX-FileCopyrightText: 2026 The ropewalk authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The layout of all structs but those of encodings_layout.c, which programs
 * that were compiled with older headers have in them. A field that is appended
 * adds a line, changes a SIZE, and needs its kFirstSize in struct_size.h; any
 * other change here breaks those programs. Numbers are for LP64. */
#include "c_api/struct_layout.h"

#include "ropewalk/ropewalk_c.h"

SIZE(error, 248);
FIELD(error, struct_size, 0);
FIELD(error, code, 4);
FIELD(error, message, 8);

SIZE(rotary_layout, 32);
FIELD(rotary_layout, struct_size, 0);
FIELD(rotary_layout, head_dim, 4);
FIELD(rotary_layout, rotary_dim, 8);
FIELD(rotary_layout, pairing, 12);
FIELD(rotary_layout, rotary_offset, 16);
FIELD(rotary_layout, pair_distance, 20);
FIELD(rotary_layout, first_pair, 24);
FIELD(rotary_layout, output_pairing, 28);

SIZE(heads, 64);
FIELD(heads, struct_size, 0);
FIELD(heads, type, 4);
FIELD(heads, data, 8);
FIELD(heads, batch, 16);
FIELD(heads, tokens, 24);
FIELD(heads, heads, 32);
FIELD(heads, batch_stride, 40);
FIELD(heads, token_stride, 48);
FIELD(heads, head_stride, 56);

SIZE(const_heads, 64);
FIELD(const_heads, struct_size, 0);
FIELD(const_heads, type, 4);
FIELD(const_heads, data, 8);
FIELD(const_heads, batch, 16);
FIELD(const_heads, tokens, 24);
FIELD(const_heads, heads, 32);
FIELD(const_heads, batch_stride, 40);
FIELD(const_heads, token_stride, 48);
FIELD(const_heads, head_stride, 56);

SIZE(parallel, 16);
FIELD(parallel, struct_size, 0);
FIELD(parallel, kind, 4);
FIELD(parallel, index, 8);
FIELD(parallel, count, 12);

SIZE(head_norm, 48);
FIELD(head_norm, struct_size, 0);
FIELD(head_norm, kind, 4);
FIELD(head_norm, weight, 8);
FIELD(head_norm, bias, 16);
FIELD(head_norm, weight_type, 24);
FIELD(head_norm, offset, 28);
FIELD(head_norm, size, 32);
FIELD(head_norm, epsilon, 36);
FIELD(head_norm, one_plus_weight, 40);
FIELD(head_norm, reserved, 44);

SIZE(head_transform, 24);
FIELD(head_transform, struct_size, 0);
FIELD(head_transform, scale, 4);
FIELD(head_transform, norm, 8);
FIELD(head_transform, token_scale, 16);

SIZE(positions, 64);
FIELD(positions, struct_size, 0);
FIELD(positions, kind, 4);
FIELD(positions, ids, 8);
FIELD(positions, count, 16);
FIELD(positions, components, 24);
FIELD(positions, component_stride, 32);
FIELD(positions, token_stride, 40);
FIELD(positions, first, 48);
FIELD(positions, count_each, 56);

SIZE(slots, 32);
FIELD(slots, struct_size, 0);
FIELD(slots, kind, 4);
FIELD(slots, slots, 8);
FIELD(slots, count, 16);
FIELD(slots, first, 24);

SIZE(query_scale, 24);
FIELD(query_scale, struct_size, 0);
FIELD(query_scale, rule, 4);
FIELD(query_scale, positions, 8);
FIELD(query_scale, beta, 16);

SIZE(dual_chunk, 24);
FIELD(dual_chunk, struct_size, 0);
FIELD(dual_chunk, chunk_size, 8);
FIELD(dual_chunk, local_size, 16);

SIZE(dual_chunk_ids, 56);
FIELD(dual_chunk_ids, struct_size, 0);
FIELD(dual_chunk_ids, key, 8);
FIELD(dual_chunk_ids, query_intra, 16);
FIELD(dual_chunk_ids, query_successive, 24);
FIELD(dual_chunk_ids, query_inter, 32);
FIELD(dual_chunk_ids, query_successive_critical, 40);
FIELD(dual_chunk_ids, query_inter_critical, 48);

SIZE(factor_scaling, 16);
FIELD(factor_scaling, struct_size, 0);
FIELD(factor_scaling, factor, 8);

SIZE(dynamic_ntk_scaling, 24);
FIELD(dynamic_ntk_scaling, struct_size, 0);
FIELD(dynamic_ntk_scaling, factor, 8);
FIELD(dynamic_ntk_scaling, max_positions, 16);

SIZE(qwen_dynamic_ntk_scaling, 24);
FIELD(qwen_dynamic_ntk_scaling, struct_size, 0);
FIELD(qwen_dynamic_ntk_scaling, original_positions, 8);
FIELD(qwen_dynamic_ntk_scaling, attention_slope, 16);

SIZE(vllm_ntk_scaling, 24);
FIELD(vllm_ntk_scaling, struct_size, 0);
FIELD(vllm_ntk_scaling, factor, 8);
FIELD(vllm_ntk_scaling, mixed_b, 16);

SIZE(yarn_scaling, 72);
FIELD(yarn_scaling, struct_size, 0);
FIELD(yarn_scaling, no_truncation, 4);
FIELD(yarn_scaling, factor, 8);
FIELD(yarn_scaling, original_positions, 16);
FIELD(yarn_scaling, beta_fast, 24);
FIELD(yarn_scaling, beta_slow, 32);
FIELD(yarn_scaling, attention_factor, 40);
FIELD(yarn_scaling, mscale, 48);
FIELD(yarn_scaling, mscale_all_dim, 56);
FIELD(yarn_scaling, extrapolation_weight, 64);

SIZE(deepseek_yarn_scaling, 56);
FIELD(deepseek_yarn_scaling, struct_size, 0);
FIELD(deepseek_yarn_scaling, factor, 8);
FIELD(deepseek_yarn_scaling, original_positions, 16);
FIELD(deepseek_yarn_scaling, beta_fast, 24);
FIELD(deepseek_yarn_scaling, beta_slow, 32);
FIELD(deepseek_yarn_scaling, mscale, 40);
FIELD(deepseek_yarn_scaling, mscale_all_dim, 48);

SIZE(grok_yarn_log_scaling, 40);
FIELD(grok_yarn_log_scaling, struct_size, 0);
FIELD(grok_yarn_log_scaling, no_truncation, 4);
FIELD(grok_yarn_log_scaling, factor, 8);
FIELD(grok_yarn_log_scaling, original_positions, 16);
FIELD(grok_yarn_log_scaling, beta_fast, 24);
FIELD(grok_yarn_log_scaling, beta_slow, 32);

SIZE(grok_theta_scaling, 24);
FIELD(grok_theta_scaling, struct_size, 0);
FIELD(grok_theta_scaling, factor, 8);
FIELD(grok_theta_scaling, original_positions, 16);

SIZE(llama3_scaling, 40);
FIELD(llama3_scaling, struct_size, 0);
FIELD(llama3_scaling, factor, 8);
FIELD(llama3_scaling, low_freq_factor, 16);
FIELD(llama3_scaling, high_freq_factor, 24);
FIELD(llama3_scaling, original_positions, 32);

SIZE(longrope_scaling, 96);
FIELD(longrope_scaling, struct_size, 0);
FIELD(longrope_scaling, policy, 4);
FIELD(longrope_scaling, short_factor, 8);
FIELD(longrope_scaling, long_factor, 16);
FIELD(longrope_scaling, short_count, 24);
FIELD(longrope_scaling, long_count, 32);
FIELD(longrope_scaling, original_positions, 40);
FIELD(longrope_scaling, max_positions, 48);
FIELD(longrope_scaling, context_limit, 56);
FIELD(longrope_scaling, factor, 64);
FIELD(longrope_scaling, attention_factor, 72);
FIELD(longrope_scaling, short_attention_factor, 80);
FIELD(longrope_scaling, long_attention_factor, 88);

SIZE(proportional_scaling, 16);
FIELD(proportional_scaling, struct_size, 0);
FIELD(proportional_scaling, head_dim, 4);
FIELD(proportional_scaling, factor, 8);

SIZE(double_list, 32);
FIELD(double_list, struct_size, 0);
FIELD(double_list, values, 8);
FIELD(double_list, count, 16);
FIELD(double_list, attention_factor, 24);

SIZE(ggml_scaling, 48);
FIELD(ggml_scaling, struct_size, 0);
FIELD(ggml_scaling, freq_scale, 4);
FIELD(ggml_scaling, n_ctx_orig, 8);
FIELD(ggml_scaling, ext_factor, 16);
FIELD(ggml_scaling, attn_factor, 20);
FIELD(ggml_scaling, beta_fast, 24);
FIELD(ggml_scaling, beta_slow, 28);
FIELD(ggml_scaling, freq_factors, 32);
FIELD(ggml_scaling, freq_factor_count, 40);

SIZE(rope_parameters, 48);
FIELD(rope_parameters, struct_size, 0);
FIELD(rope_parameters, rotary_dim, 4);
FIELD(rope_parameters, base, 8);
FIELD(rope_parameters, scheme, 16);
FIELD(rope_parameters, scaling, 24);
FIELD(rope_parameters, axis, 32);
FIELD(rope_parameters, axis_count, 40);

SIZE(pair_band, 40);
FIELD(pair_band, struct_size, 0);
FIELD(pair_band, band, 4);
FIELD(pair_band, inv_freq, 8);
FIELD(pair_band, wavelength, 16);
FIELD(pair_band, plain_wavelength, 24);
FIELD(pair_band, rotations, 32);

SIZE(bands, 24);
FIELD(bands, struct_size, 0);
FIELD(bands, original_positions, 8);
FIELD(bands, factor, 16);

SIZE(cos_sin, 80);
FIELD(cos_sin, struct_size, 0);
FIELD(cos_sin, type, 4);
FIELD(cos_sin, cos, 8);
FIELD(cos_sin, sin, 16);
FIELD(cos_sin, rows, 24);
FIELD(cos_sin, row_stride, 32);
FIELD(cos_sin, pair_stride, 40);
FIELD(cos_sin, copy_offset, 48);
FIELD(cos_sin, pairs, 56);
FIELD(cos_sin, heads, 60);
FIELD(cos_sin, head_stride, 64);
FIELD(cos_sin, attention_factor, 72);

SIZE(angle_options, 32);
FIELD(angle_options, struct_size, 0);
FIELD(angle_options, mode, 4);
FIELD(angle_options, kind, 8);
FIELD(angle_options, dense_positions, 16);
FIELD(angle_options, round_to, 24);
FIELD(angle_options, reserved, 28);

SIZE(angle_cache_stats, 56);
FIELD(angle_cache_stats, struct_size, 0);
FIELD(angle_cache_stats, tables, 8);
FIELD(angle_cache_stats, bytes, 16);
FIELD(angle_cache_stats, hits, 24);
FIELD(angle_cache_stats, misses, 32);
FIELD(angle_cache_stats, evictions, 40);
FIELD(angle_cache_stats, trig_evaluations, 48);

SIZE(rotate_options, 24);
FIELD(rotate_options, struct_size, 0);
FIELD(rotate_options, direction, 4);
FIELD(rotate_options, parallel, 8);
FIELD(rotate_options, transform, 16);

SIZE(projection, 40);
FIELD(projection, struct_size, 0);
FIELD(projection, type, 4);
FIELD(projection, data, 8);
FIELD(projection, heads, 16);
FIELD(projection, columns, 24);
FIELD(projection, row_stride, 32);

SIZE(kv_cache, 72);
FIELD(kv_cache, struct_size, 0);
FIELD(kv_cache, type, 4);
FIELD(kv_cache, data, 8);
FIELD(kv_cache, blocks, 16);
FIELD(kv_cache, block_size, 24);
FIELD(kv_cache, heads, 32);
FIELD(kv_cache, block_stride, 40);
FIELD(kv_cache, slot_stride, 48);
FIELD(kv_cache, head_stride, 56);
FIELD(kv_cache, head_dim, 64);
FIELD(kv_cache, reserved, 68);

SIZE(cache_write, 80);
FIELD(cache_write, struct_size, 0);
FIELD(cache_write, q, 8);
FIELD(cache_write, q_layout, 16);
FIELD(cache_write, q_transform, 24);
FIELD(cache_write, k, 32);
FIELD(cache_write, k_layout, 40);
FIELD(cache_write, k_transform, 48);
FIELD(cache_write, k_cache, 56);
FIELD(cache_write, v, 64);
FIELD(cache_write, v_cache, 72);

SIZE(position_buffer, 32);
FIELD(position_buffer, struct_size, 0);
FIELD(position_buffer, components, 4);
FIELD(position_buffer, ids, 8);
FIELD(position_buffer, capacity, 16);
FIELD(position_buffer, count, 24);

SIZE(patch_grid, 40);
FIELD(patch_grid, struct_size, 0);
FIELD(patch_grid, class_token, 4);
FIELD(patch_grid, height, 8);
FIELD(patch_grid, width, 16);
FIELD(patch_grid, merge_size, 24);
FIELD(patch_grid, first, 32);

SIZE(multimodal_rules, 24);
FIELD(multimodal_rules, struct_size, 0);
FIELD(multimodal_rules, video_time, 4);
FIELD(multimodal_rules, merge_size, 8);
FIELD(multimodal_rules, tokens_per_second, 16);

SIZE(vision_span, 40);
FIELD(vision_span, struct_size, 0);
FIELD(vision_span, t, 8);
FIELD(vision_span, h, 16);
FIELD(vision_span, w, 24);
FIELD(vision_span, seconds_per_frame, 32);

SIZE(model_info, 56);
FIELD(model_info, struct_size, 0);
FIELD(model_info, layer_count, 4);
FIELD(model_info, family, 8);
FIELD(model_info, max_positions, 16);
FIELD(model_info, layer_type_count, 24);
FIELD(model_info, prompt_rule, 28);
FIELD(model_info, multimodal, 32);
FIELD(model_info, has_vision, 40);
FIELD(model_info, warning_count, 44);
FIELD(model_info, warnings, 48);

SIZE(layer_rope, 136);
FIELD(layer_rope, struct_size, 0);
FIELD(layer_rope, uses_rope, 4);
FIELD(layer_rope, layer_type, 8);
FIELD(layer_rope, parameters, 16);
FIELD(layer_rope, layout, 24);
FIELD(layer_rope, key_layout, 32);
FIELD(layer_rope, softmax_multiplier, 40);
FIELD(layer_rope, original_positions, 48);
FIELD(layer_rope, layers, 56);
FIELD(layer_rope, layer_count, 64);
FIELD(layer_rope, mrope_interleaved, 68);
FIELD(layer_rope, mrope_section, 72);
FIELD(layer_rope, mrope_section_count, 80);
FIELD(layer_rope, component_count, 84);
FIELD(layer_rope, components, 88);
FIELD(layer_rope, query_scale, 96);
FIELD(layer_rope, dual_chunk, 104);
FIELD(layer_rope, inverse_on_output, 112);
FIELD(layer_rope, key_count, 116);
FIELD(layer_rope, key_paths, 120);
FIELD(layer_rope, key_values, 128);

SIZE(vision_rope, 104);
FIELD(vision_rope, struct_size, 0);
FIELD(vision_rope, scheme, 4);
FIELD(vision_rope, family, 8);
FIELD(vision_rope, head_dim, 16);
FIELD(vision_rope, heads, 20);
FIELD(vision_rope, base, 24);
FIELD(vision_rope, frequencies, 32);
FIELD(vision_rope, layouts, 40);
FIELD(vision_rope, layout_count, 48);
FIELD(vision_rope, part_count, 52);
FIELD(vision_rope, parts, 56);
FIELD(vision_rope, component_count, 64);
FIELD(vision_rope, patch_size, 68);
FIELD(vision_rope, components, 72);
FIELD(vision_rope, key_count, 80);
FIELD(vision_rope, key_paths, 88);
FIELD(vision_rope, key_values, 96);

SIZE(config_options, 32);
FIELD(config_options, struct_size, 0);
FIELD(config_options, pairing, 4);
FIELD(config_options, original_from_max_positions, 8);
FIELD(config_options, long_rope_policy, 12);
FIELD(config_options, context_limit, 16);
FIELD(config_options, ggml_parity, 24);
FIELD(config_options, reserved, 28);

SIZE(gguf_value, 56);
FIELD(gguf_value, struct_size, 0);
FIELD(gguf_value, kind, 4);
FIELD(gguf_value, integer, 8);
FIELD(gguf_value, real, 16);
FIELD(gguf_value, string, 24);
FIELD(gguf_value, integers, 32);
FIELD(gguf_value, reals, 40);
FIELD(gguf_value, count, 48);

SIZE(gguf_source, 32);
FIELD(gguf_source, struct_size, 0);
FIELD(gguf_source, context, 8);
FIELD(gguf_source, value, 16);
FIELD(gguf_source, tensor, 24);
