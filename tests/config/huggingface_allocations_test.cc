// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What happens where memory is refused. An executable of its own: it replaces
// operator new.
#include <cstddef>
#include <cstdint>
#include <string>

#include "config/config_text.h"
#include "support/operator_new.h"

namespace ropewalk::test {
namespace {

// Several kinds, lists, warnings and long strings, so that many sizes are
// asked for.
const char kText[] = R"({"model_type": "outer", "rope_novelty_of_a_long_name":
    [[1, 2.5, {"a": "text that is longer than any string keeps in itself"}]],
    "text_config": {"model_type": "llama", "head_dim": 16,
      "num_hidden_layers": 4, "max_position_embeddings": 131072,
      "layer_types": ["full_attention", "sliding_attention",
                      "sliding_attention", "full_attention"],
      "rope_parameters": {
        "sliding_attention": {"rope_type": "default", "rope_theta": 10000},
        "full_attention": {"rope_type": "longrope", "rope_theta": 1e6,
          "original_max_position_embeddings": 4096,
          "short_factor": [1, 1, 1, 1, 1, 1, 1, 1],
          "long_factor": [1, 2, 3, 4, 5, 6, 7, 8]}}}})";

StatusCode CodeWhereRefusedFrom(size_t bytes, const std::string& text) {
  refused_from = bytes;
  const StatusCode code = ParseHuggingFaceConfig(text).status().code();
  refused_from = SIZE_MAX;
  return code;
}

TEST(HuggingFaceAllocationsTest, RefusedMemoryIsAnErrorWhereverItHappens) {
  const std::string text = kText;
  ASSERT_EQ(CodeWhereRefusedFrom(SIZE_MAX, text), StatusCode::kOk);
  EXPECT_EQ(CodeWhereRefusedFrom(1, text), StatusCode::kOutOfMemory);
  int refusals = 0;
  for (size_t bytes = 1; bytes <= 8192; bytes += bytes < 512 ? 1 : 64) {
    const StatusCode code = CodeWhereRefusedFrom(bytes, text);
    EXPECT_TRUE(code == StatusCode::kOk || code == StatusCode::kOutOfMemory)
        << bytes << ": " << StatusCodeName(code);
    if (code == StatusCode::kOutOfMemory) ++refusals;
  }
  // Refusals met the tree as well as what is read from it.
  EXPECT_GT(refusals, 100);
}

}  // namespace
}  // namespace ropewalk::test
