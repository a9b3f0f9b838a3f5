// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Readers of what model files say about RoPE: config.json of Hugging Face and
// GGUF metadata. In the component ropewalk::config, so that who has parsed the
// files already links no JSON.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ropewalk/export.h"
#include "ropewalk/frequencies.h"
#include "ropewalk/grid_positions.h"
#include "ropewalk/multimodal_positions.h"
#include "ropewalk/position_transforms.h"
#include "ropewalk/query_scale.h"
#include "ropewalk/scaling.h"
#include "ropewalk/status.h"
#include "ropewalk/types.h"

namespace ropewalk {

/// A value that was used, and where in the file it stood.
struct ConfigKey {
  std::string path;  ///< Such as "text_config.rope_parameters.factor".
  std::string value;
};

/// RoPE of one kind of layer.
struct LayerRope {
  /// "full_attention", "sliding_attention", ... as HF names them, "no_rope"
  /// for layers without RoPE that have no other name; "all" where a model has
  /// one kind.
  std::string layer_type;
  /// False: these layers do not rotate, and rotary_dim is 0 everywhere.
  bool uses_rope = true;
  RopeParameters parameters;
  /// Of a query head. MLA: the nope dims, then the rotary ones.
  RotaryLayout layout;
  /// Of a key as it is cached; differs in MLA models, whose row is the latent,
  /// then the rotary dims.
  RotaryLayout key_layout;
  /// For the caller's softmax scale: of ComputeFrequencies at length 0, but
  /// of DeepSeek's YaRN where GgmlScaling, which cannot say it, stands for it.
  double softmax_multiplier = 1;
  /// Length that the model was trained on before scaling; 0: not said.
  int64_t original_positions = 0;
  /// Indices of the layers; empty where the file does not say.
  std::vector<int> layers;
  /// Pairs of each position component (M-RoPE) in the file's order, which is h,
  /// w, t in Ernie 4.5 VL, whatever the order of components; and whether they
  /// are interleaved, by the family's code if it looks at no key, else by the
  /// file. Empty: one component. Which pair follows which, by the model's rule,
  /// is parameters.axis.
  std::vector<int> mrope_section;
  bool mrope_interleaved = false;
  /// Names of the position components that tokens have, in their order: t, h,
  /// w of M-RoPE, p, w, h, t of XDRoPE; e is ggml's fourth. Empty: one.
  std::vector<std::string> components;
  /// What multiplies the whole of Q.
  QueryScale query_scale;
  /// For DualChunkPositions: queries and keys turn by its positions.
  std::optional<DualChunk> dual_chunk;
  /// The attention's output, too, has its window turned, back by the positions
  /// of the queries: Rotate with `layout` and Direction::kInverse
  /// (DeepSeek-V4).
  bool inverse_on_output = false;
  std::vector<ConfigKey> keys;
};

/// Of which kind the ladders of a vision encoder are. The values are fixed.
enum class VisionScheme : uint8_t {
  kAxial = 0,    ///< AxialFrequencies: a ladder for each axis.
  kPixtral = 1,  ///< PixtralFrequencies.
};

/// RoPE of a vision encoder, the same in all its layers.
struct VisionRope {
  std::string family;  ///< model_type of the encoder, or of the model.
  VisionScheme scheme = VisionScheme::kAxial;
  int head_dim = 0;
  int heads = 0;  ///< 0: not said.
  double base = 0;
  /// kAxial: the components argument of AxialFrequencies.
  std::vector<uint8_t> parts;
  Frequencies frequencies;
  /// Call Rotate once with each, for Q and K.
  std::vector<RotaryLayout> layouts;
  /// Names of the position components, in their order: y, x.
  std::vector<std::string> components;
  /// For AppendGridPositions once height and width are set: the order of the
  /// patches, what is added to coordinates, a class token. The order is that
  /// of the encoder's input; Qwen2.5-VL's then permutes patches by windows
  /// before attention, and positions have to go with them.
  PatchGrid grid;
  int patch_size = 0;  ///< Pixels a side; 0: not said.
  std::vector<ConfigKey> keys;
};

/// How the tokens of a prompt get their positions. The values are fixed.
enum class PromptRule : uint8_t {
  kConsecutive = 0,  ///< One component: 0, 1, 2, ..., images too.
  kMultimodal = 1,   ///< MultimodalPositions by ModelRope::multimodal.
  /// Several components. For a token of text all are the same, 0, 1, 2, ...,
  /// XDRoPE's fourth too, but ggml's fourth, e, is always 0. How those of
  /// images count the file does not say, or, as a warning says then, is not
  /// known here.
  kTextOnly = 2,
};

/// RoPE of a model.
struct ModelRope {
  std::string family;         ///< model_type, or general.architecture.
  int64_t max_positions = 0;  ///< 0: not said.
  int layer_count = 0;        ///< 0: not said.
  std::vector<LayerRope> layer_types;
  PromptRule prompt_rule = PromptRule::kConsecutive;
  std::optional<MultimodalRules> multimodal;  ///< Of kMultimodal only.
  /// None: there is no vision encoder, it does not rotate, or, as a warning
  /// says then, its rule is not known here. Of config.json only.
  std::optional<VisionRope> vision;
  /// What the reader assumed, or did not understand: for the host's log.
  std::vector<std::string> warnings;

  /// Finds a kind of layer by its name; "all" of a model of one kind answers
  /// to every name. Null if there is none: never another kind.
  ROPEWALK_EXPORT const LayerRope* Find(
      std::string_view layer_type) const noexcept;
};

/// What a file cannot say, or what the host knows better.
struct ConfigOptions {
  /// For model families that do not fix the pairing; against one that does, it
  /// wins with a warning (weights that were permuted).
  std::optional<Pairing> pairing;
  /// Takes the model's maximum where a scheme needs the original length and
  /// the file lacks it (as HF does), instead of an error.
  bool original_from_max_positions = false;
  /// For LongRopeScaling.
  LongRopePolicy long_rope_policy = LongRopePolicy::kByContextLimit;
  int64_t context_limit = 0;
  /// GGUF only: gives GgmlScaling throughout, for parity with ggml (which, for
  /// one, truncates gpt-oss's YaRN ramp), instead of the model's own scheme.
  bool ggml_parity = false;
};

/// Reads a config.json as transformers v4 and v5 write it. Python's NaN and
/// Infinity are let pass where nothing reads them.
///
/// Errors:    kParseError: not JSON, a wrong type, a required key missing, a
///            list of the wrong length, an unknown scheme, two places that
///            contradict each other. kInvalidArgument: a value against its
///            rule, a pairing that the family does not fix and nobody gave.
///            kUnsupported: a scheme that is none of angles (FoPE), two
///            positions for each token (ChatGLM-6B: ChatGlmFrequencies in
///            vision.h is the way).
///            kOutOfMemory. The message names key, value and rule.
/// Threads:   safe.
ROPEWALK_EXPORT Result<ModelRope> ParseHuggingFaceConfig(
    std::string_view text,
    const ConfigOptions& options = ConfigOptions{}) noexcept;

/// A value of a GGUF key; unsigned integers as int64_t.
using GgufValue = std::variant<bool, int64_t, double, std::string,
                               std::vector<int64_t>, std::vector<double>>;

/// What a host that has parsed a GGUF file answers. Both may be asked for any
/// name, and answer nullopt for what the file lacks.
struct GgufSource {
  std::function<std::optional<GgufValue>(std::string_view key)> value;
  /// The float32 tensors rope_freqs.weight, rope_factors_short.weight and
  /// rope_factors_long.weight; may be null.
  std::function<std::optional<std::vector<float>>(std::string_view name)>
      tensor;
};

/// Reads the metadata of a GGUF file.
///
/// Errors:    as ParseHuggingFaceConfig; kInvalidArgument also for a null
///            value callback. What a callback throws becomes kParseError.
/// Threads:   safe if the callbacks are.
ROPEWALK_EXPORT Result<ModelRope> ReadGgufMetadata(
    const GgufSource& source,
    const ConfigOptions& options = ConfigOptions{}) noexcept;

}  // namespace ropewalk
