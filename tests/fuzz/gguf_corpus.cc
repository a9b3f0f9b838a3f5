// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the seeds of gguf_fuzz into a folder: one small file an idea.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "support/gguf_writer.h"

namespace ropewalk::test {
namespace {

// Heads of 16 dims, which rotate as a whole, and 8 layers.
class Seed {
 public:
  explicit Seed(const std::string& architecture) : prefix_(architecture + ".") {
    file_.String("general.architecture", architecture);
    Uint("context_length", 8192).Uint("block_count", 8);
    Uint("attention.key_length", 16).Uint("rope.dimension_count", 16);
    Float("rope.freq_base", 1e6f);
  }
  Seed& Uint(const std::string& name, uint32_t value) {
    file_.Uint32(prefix_ + name, value);
    return *this;
  }
  Seed& Float(const std::string& name, float value) {
    file_.Float32(prefix_ + name, value);
    return *this;
  }
  Seed& Text(const std::string& name, const std::string& value) {
    file_.String(prefix_ + name, value);
    return *this;
  }
  Seed& Ints(const std::string& name, const std::vector<int32_t>& list) {
    file_.Int32s(prefix_ + name, list);
    return *this;
  }
  Seed& Yarn(float factor) {
    return Text("rope.scaling.type", "yarn")
        .Float("rope.scaling.factor", factor)
        .Uint("rope.scaling.original_context_length", 4096);
  }
  Seed& Tensor(const std::string& name, const std::vector<float>& data) {
    file_.Tensor(name, data);
    return *this;
  }
  GgufWriter& file() { return file_; }

 private:
  std::string prefix_;
  GgufWriter file_;
};

GgufWriter Derived() {
  GgufWriter file;
  file.String("general.architecture", "llama")
      .Uint32("llama.embedding_length", 64)
      .Int32s("llama.attention.head_count", {0, 4, 4})
      .Strings("tokenizer.ggml.tokens", {"a", "", "b"})
      .Bools("flags", {true, false})
      .Uint32("general.alignment", 64);
  return file;
}

std::map<std::string, GgufWriter> ScalingSeeds() {
  const std::vector<float> eight(8, 2.0f);
  std::map<std::string, GgufWriter> seeds;
  seeds["plain"] = Seed("llama").file();
  seeds["derived"] = Derived();
  seeds["linear"] = Seed("llama").Float("rope.scale_linear", 4).file();
  seeds["yarn"] = Seed("qwen2")
                      .Yarn(4)
                      .Float("rope.scaling.yarn_ext_factor", -1)
                      .Float("rope.scaling.yarn_attn_factor", 1)
                      .Float("rope.scaling.yarn_beta_fast", 32)
                      .Float("rope.scaling.yarn_beta_slow", 1)
                      .Float("rope.scaling.attn_factor", 1)
                      .file();
  seeds["gpt_oss"] = Seed("gpt-oss").Yarn(32).file();
  seeds["grok"] = Seed("grok").Yarn(16).file();
  seeds["mistral"] = Seed("mistral3")
                         .Yarn(16)
                         .Float("rope.scaling.yarn_log_multiplier", 1)
                         .file();
  seeds["rope_freqs"] = Seed("llama").Tensor("rope_freqs.weight", eight).file();
  seeds["longrope"] = Seed("phi3")
                          .Text("rope.scaling.type", "longrope")
                          .Uint("rope.scaling.original_context_length", 4096)
                          .Float("rope.scaling.attn_factor", 1.19f)
                          .Tensor("rope_factors_short.weight", eight)
                          .Tensor("rope_factors_long.weight", eight)
                          .file();
  return seeds;
}

void AddLayerSeeds(std::map<std::string, GgufWriter>* seeds) {
  auto& all = *seeds;
  all["mla"] = Seed("deepseek2")
                   .Yarn(40)
                   .Uint("attention.key_length_mla", 24)
                   .Float("rope.scaling.yarn_log_multiplier", 0.0707f)
                   .file();
  all["compressed"] = Seed("deepseek4")
                          .Yarn(16)
                          .Float("attention.compress_rope_freq_base", 160000)
                          .file();
  all["gemma3"] = Seed("gemma3")
                      .Float("rope.scaling.factor", 8)
                      .Uint("attention.sliding_window_pattern", 6)
                      .file();
  all["gemma4"] =
      Seed("gemma4")
          .Float("rope.freq_base_swa", 1e4f)
          .Uint("rope.dimension_count_swa", 8)
          .Uint("attention.key_length_swa", 8)
          .Ints("attention.sliding_window_pattern", {1, 1, 0, 1, 1, 0, 1, 0})
          .Tensor("rope_freqs.weight",
                  {1, 1, 1e30f, 1e30f, 1e30f, 1e30f, 1e30f, 1e30f})
          .file();
  all["per_layer"] =
      Seed("step35")
          .Ints("rope.freq_base_per_layer", {5, 1, 1, 1, 5, 1, 1, 1})
          .Ints("rope.dimension_count_per_layer",
                {8, 16, 16, 16, 8, 16, 16, 16})
          .Ints("attention.sliding_window_pattern", {0, 1, 1, 1, 0, 1, 1, 1})
          .file();
  all["mrope"] =
      Seed("qwen3vl").Ints("rope.dimension_sections", {3, 3, 2, 0}).file();
  all["llama4"] = Seed("llama4").Uint("attention.sliding_window", 1).file();
  all["smollm3"] = Seed("smollm3").file();
  all["cohere2"] = Seed("cohere2").file();
  all["no_rope"] = Seed("gpt2").file();
}

int Main(const std::filesystem::path& folder) {
  auto seeds = ScalingSeeds();
  AddLayerSeeds(&seeds);
  std::filesystem::create_directories(folder);
  for (const auto& [name, file] : seeds) {
    std::ofstream out(folder / (name + ".gguf"), std::ios::binary);
    const std::string bytes = file.Bytes();
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!out) {
      std::cerr << "cannot write " << folder / name << "\n";
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace ropewalk::test

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: gguf_corpus FOLDER\n";
    return 2;
  }
  return ropewalk::test::Main(arguments[1]);
}
