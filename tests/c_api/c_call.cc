// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "c_api/c_call.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace ropewalk::test {

CRows MakeRows() {
  ropewalk_angle_rows* rows = nullptr;
  EXPECT_EQ(ropewalk_angle_rows_create(&rows, nullptr), ROPEWALK_OK);
  return CRows(rows);
}

CFrequencies FrequenciesOf(const ropewalk_rope_parameters& parameters,
                           int64_t sequence_length) {
  ropewalk_error error = UsedError();
  ropewalk_frequencies* made = nullptr;
  EXPECT_EQ(
      ropewalk_compute_frequencies(&parameters, sequence_length, &made, &error),
      ROPEWALK_OK)
      << error.message;
  return CFrequencies(made);
}

CTable TableOf(const ropewalk_frequencies* frequencies,
               const ropewalk_angle_options* options) {
  ropewalk_error error = UsedError();
  ropewalk_angle_table* made = nullptr;
  EXPECT_EQ(
      ropewalk_angle_table_build(frequencies, options, nullptr, &made, &error),
      ROPEWALK_OK)
      << error.message;
  return CTable(made);
}

ropewalk_error UsedError() {
  ropewalk_error error = ROPEWALK_ERROR_INIT;
  error.code = 77;
  std::memset(error.message, 'x', sizeof(error.message));
  return error;
}

testing::AssertionResult Alike(ropewalk_status code,
                               const ropewalk_error& error,
                               const Status& status) {
  const auto want = static_cast<ropewalk_status>(status.code());
  if (code == want && error.code == want &&
      std::string(error.message) == status.message()) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure()
         << "returned " << code << ", error " << error.code << " \""
         << error.message << "\"; C++ says " << want << " \""
         << status.message() << "\"";
}

testing::AssertionResult Fails(ropewalk_status code,
                               const ropewalk_error& error,
                               ropewalk_status want) {
  if (code == want && error.code == want && error.message[0] != '\0' &&
      error.message[0] != 'x') {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure()
         << "returned " << code << ", error " << error.code << " \""
         << std::string(error.message, strnlen(error.message, 239)) << "\"";
}

int32_t TypeToC(DataType type) {
  switch (type) {
    case DataType::kF32:
      return ROPEWALK_F32;
    case DataType::kBF16:
      return ROPEWALK_BF16;
    case DataType::kF16:
      return ROPEWALK_F16;
  }
  return static_cast<int32_t>(type) + 1;
}

int32_t PairingToC(Pairing pairing) {
  switch (pairing) {
    case Pairing::kHalf:
      return ROPEWALK_HALF;
    case Pairing::kInterleaved:
      return ROPEWALK_INTERLEAVED;
  }
  return static_cast<int32_t>(pairing) + 1;
}

ropewalk_rotary_layout ToC(const RotaryLayout& layout) {
  ropewalk_rotary_layout out = ROPEWALK_ROTARY_LAYOUT_INIT;
  out.head_dim = layout.head_dim;
  out.rotary_dim = layout.rotary_dim;
  out.pairing = PairingToC(layout.pairing);
  out.rotary_offset = layout.rotary_offset;
  out.pair_distance = layout.pair_distance;
  out.first_pair = layout.first_pair;
  if (layout.output_pairing.has_value()) {
    out.output_pairing = PairingToC(*layout.output_pairing);
  }
  return out;
}

ropewalk_heads ToC(const HeadsView& view) {
  ropewalk_heads out = ROPEWALK_HEADS_INIT;
  out.type = TypeToC(view.type);
  out.data = view.data;
  out.batch = view.batch;
  out.tokens = view.tokens;
  out.heads = view.heads;
  out.batch_stride = view.batch_stride;
  out.token_stride = view.token_stride;
  out.head_stride = view.head_stride;
  return out;
}

ropewalk_const_heads ToCConst(const ConstHeadsView& view) {
  ropewalk_const_heads out = ROPEWALK_CONST_HEADS_INIT;
  out.type = TypeToC(view.type);
  out.data = view.data;
  out.batch = view.batch;
  out.tokens = view.tokens;
  out.heads = view.heads;
  out.batch_stride = view.batch_stride;
  out.token_stride = view.token_stride;
  out.head_stride = view.head_stride;
  return out;
}

ropewalk_kv_cache ToC(const KvCacheView& cache) {
  ropewalk_kv_cache out = ROPEWALK_KV_CACHE_INIT;
  out.type = TypeToC(cache.type);
  out.data = cache.data;
  out.blocks = cache.blocks;
  out.block_size = cache.block_size;
  out.heads = cache.heads;
  out.head_dim = cache.head_dim;
  out.block_stride = cache.block_stride;
  out.slot_stride = cache.slot_stride;
  out.head_stride = cache.head_stride;
  return out;
}

ropewalk_cos_sin ToC(const ConstCosSinView& table) {
  ropewalk_cos_sin out = ROPEWALK_COS_SIN_INIT;
  out.type = TypeToC(table.type);
  out.cos = const_cast<void*>(table.cos);
  out.sin = const_cast<void*>(table.sin);
  out.rows = table.rows;
  out.pairs = table.pairs;
  out.row_stride = table.row_stride;
  out.pair_stride = table.pair_stride;
  out.copy_offset = table.copy_offset;
  out.attention_factor = table.attention_factor;
  out.heads = table.heads;
  out.head_stride = table.head_stride;
  return out;
}

ropewalk_parallel ToC(const Parallel& parallel) {
  ropewalk_parallel out = ROPEWALK_PARALLEL_INIT;
  out.kind = static_cast<int32_t>(parallel.kind());
  out.index = parallel.index();
  out.count = parallel.count();
  return out;
}

ropewalk_head_norm ToC(const HeadNorm& norm) {
  ropewalk_head_norm out = ROPEWALK_HEAD_NORM_INIT;
  out.kind = static_cast<int32_t>(norm.kind);
  out.weight = norm.weight;
  out.bias = norm.bias;
  out.weight_type = TypeToC(norm.weight_type);
  out.offset = norm.offset;
  out.size = norm.size;
  out.epsilon = norm.epsilon;
  out.one_plus_weight = norm.one_plus_weight ? 1 : 0;
  return out;
}

ropewalk_head_transform ToC(const HeadTransform& transform,
                            const ropewalk_head_norm* norm) {
  ropewalk_head_transform out = ROPEWALK_HEAD_TRANSFORM_INIT;
  out.norm = norm;
  out.scale = transform.scale;
  out.token_scale = transform.token_scale;
  return out;
}

ropewalk_angle_options ToC(const AngleOptions& options) {
  ropewalk_angle_options out = ROPEWALK_ANGLE_OPTIONS_INIT;
  out.mode = static_cast<int32_t>(options.mode);
  out.kind = static_cast<int32_t>(options.kind);
  out.dense_positions = options.dense_positions;
  out.round_to = TypeToC(options.round_to);
  return out;
}

testing::AssertionResult SameRows(const ropewalk_angle_rows* got,
                                  const AngleRows& want) {
  if (ropewalk_angle_rows_count(got) != want.rows() ||
      ropewalk_angle_rows_pairs(got) != want.pairs() ||
      ropewalk_angle_rows_heads(got) != want.heads()) {
    return testing::AssertionFailure() << "other sizes";
  }
  const size_t bytes = sizeof(float) * static_cast<size_t>(want.pairs());
  for (int64_t row = 0; row < want.rows(); ++row) {
    for (int head = 0; head < want.heads(); ++head) {
      if (std::memcmp(ropewalk_angle_rows_cos(got, row, head),
                      want.cos(row, head), bytes) != 0 ||
          std::memcmp(ropewalk_angle_rows_sin(got, row, head),
                      want.sin(row, head), bytes) != 0 ||
          ropewalk_angle_rows_identity(got, row, head) !=
              int32_t{want.identity(row, head)} ||
          ropewalk_angle_rows_attention_factor(got, row) !=
              want.attention_factor(row)) {
        return testing::AssertionFailure()
               << "row " << row << " of head " << head << " differs";
      }
    }
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult SameFrequencies(const ropewalk_frequencies* got,
                                         const Frequencies& want) {
  const int64_t pairs = ropewalk_frequencies_pairs(got);
  if (pairs != static_cast<int64_t>(want.inv_freq.size())) {
    return testing::AssertionFailure() << pairs << " pairs";
  }
  const double* const inv_freq = ropewalk_frequencies_inv_freq(got);
  const uint8_t* const axis = ropewalk_frequencies_axis(got);
  if (!std::equal(want.inv_freq.begin(), want.inv_freq.end(), inv_freq) ||
      (axis == nullptr) != want.axis.empty() ||
      !std::equal(want.axis.begin(), want.axis.end(), axis)) {
    return testing::AssertionFailure() << "inv_freq or axis differ";
  }
  if (ropewalk_frequencies_attention_factor(got) != want.attention_factor ||
      ropewalk_frequencies_softmax_multiplier(got) != want.softmax_multiplier ||
      ropewalk_frequencies_length_dependent(got) !=
          int32_t{want.length_dependent} ||
      // Of every field, the recurrence too.
      ropewalk_frequencies_checksum(got) != Checksum(want)) {
    return testing::AssertionFailure() << "a factor or the checksum differs";
  }
  return testing::AssertionSuccess();
}

}  // namespace ropewalk::test
