// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Files are told by their first bytes, and a GGUF file is read from the disk
// in parts.
#include "cli/model_file.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <variant>

#include "cli/verify.h"
#include "gtest/gtest.h"
#include "support/gguf_writer.h"

namespace ropewalk::cli {
namespace {

// A file that is there for as long as a test runs.
class ModelFileTest : public testing::Test {
 protected:
  void SetUp() override {
    const testing::TestInfo& test =
        *testing::UnitTest::GetInstance()->current_test_info();
    options_.path = testing::TempDir() + "ropewalk_" + test.name();
  }
  void TearDown() override { std::filesystem::remove(options_.path); }

  void Write(const std::string& bytes) const {
    std::ofstream(options_.path, std::ios::binary) << bytes;
  }

  // Of a small Llama with YaRN.
  static test::GgufWriter Yarn() {
    test::GgufWriter writer;
    writer.String("general.architecture", "llama")
        .Uint32("llama.block_count", 2)
        .Uint32("llama.context_length", 16384)
        .Uint32("llama.embedding_length", 512)
        .Uint32("llama.attention.head_count", 8)
        .Uint32("llama.rope.dimension_count", 64)
        .Float32("llama.rope.freq_base", 500000)
        .String("llama.rope.scaling.type", "yarn")
        .Float32("llama.rope.scaling.factor", 4)
        .Uint32("llama.rope.scaling.original_context_length", 4096);
    return writer;
  }

  FileOptions options_;
};

TEST_F(ModelFileTest, GgufIsToldByItsFirstBytes) {
  Write(Yarn().Bytes());
  const auto model = ReadModelFile(options_);
  ASSERT_TRUE(model.ok()) << model.status().message();
  EXPECT_EQ(model.value().family, "llama");
  EXPECT_EQ(model.value().max_positions, 16384);
  ASSERT_EQ(model.value().layer_types.size(), 1u);
  const LayerRope& layer = model.value().layer_types[0];
  EXPECT_EQ(layer.layout.pairing, Pairing::kInterleaved);
  EXPECT_EQ(layer.parameters.base, 500000);
  const auto* yarn = std::get_if<YarnScaling>(&layer.parameters.scaling);
  ASSERT_NE(yarn, nullptr);
  EXPECT_EQ(yarn->factor, 4);
  EXPECT_EQ(yarn->original_positions, 4096);
}

TEST_F(ModelFileTest, OptionsReachTheReader) {
  Write(Yarn().Bytes());
  options_.config.ggml_parity = true;
  const auto model = ReadModelFile(options_);
  ASSERT_TRUE(model.ok()) << model.status().message();
  EXPECT_TRUE(std::holds_alternative<GgmlScaling>(
      model.value().layer_types[0].parameters.scaling));
}

TEST_F(ModelFileTest, HugeGgufIsNotReadWhole) {
  Write(Yarn().Bytes());
  // A sparse terabyte, which fits neither memory nor patience.
  std::error_code error;
  std::filesystem::resize_file(options_.path, uintmax_t{1} << 40, error);
  if (error) GTEST_SKIP() << error.message();
  const auto model = ReadModelFile(options_);
  EXPECT_TRUE(model.ok()) << model.status().message();
}

TEST_F(ModelFileTest, CutGgufIsAnError) {
  const std::string bytes = Yarn().Bytes();
  for (const size_t size : {size_t{4}, size_t{20}, bytes.size() / 2}) {
    Write(bytes.substr(0, size));
    const auto model = ReadModelFile(options_);
    ASSERT_FALSE(model.ok()) << size;
    EXPECT_EQ(model.status().code(), StatusCode::kParseError);
  }
}

TEST_F(ModelFileTest, RopeTensorIsVerified) {
  std::vector<float> factors(32, 1);
  factors[31] = 8;
  test::GgufWriter writer;
  writer.String("general.architecture", "llama")
      .Uint32("llama.context_length", 16384)
      .Uint32("llama.embedding_length", 512)
      .Uint32("llama.attention.head_count", 8)
      .Float32("llama.rope.freq_base", 500000)
      .Tensor("rope_freqs.weight", factors);
  Write(writer.Bytes());
  const auto model = ReadModelFile(options_);
  ASSERT_TRUE(model.ok()) << model.status().message();
  const Scaling& scaling = model.value().layer_types[0].parameters.scaling;
  const auto* list = std::get_if<FrequencyFactors>(&scaling);
  ASSERT_NE(list, nullptr);
  EXPECT_EQ(list->factors, std::vector<double>(factors.begin(), factors.end()));

  VerifyOptions verify;
  verify.file = options_;
  testing::internal::CaptureStdout();
  EXPECT_EQ(RunVerify(verify), 0);
  EXPECT_NE(testing::internal::GetCapturedStdout().find("\nall "),
            std::string::npos);
}

}  // namespace
}  // namespace ropewalk::cli
