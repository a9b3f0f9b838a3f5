// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Source: the vision towers of the models named, in HF.
#include "config/huggingface/vision_encoder.h"

#include <optional>
#include <string_view>
#include <utility>

#include "config/huggingface/prompt_rule.h"
#include "ropewalk/vision.h"
#include "status/error.h"

namespace ropewalk::internal {
namespace {

constexpr const char kVision[] = "vision_config";

enum class Windows : uint8_t {
  kOne,    // AxialLayout, or the whole head.
  kParts,  // AxialPartLayouts.
};

struct Encoder {
  std::string_view model_type;  // Or what it begins with.
  VisionScheme scheme = VisionScheme::kAxial;
  // The components that the parts of a head follow, if x comes first.
  bool x_first = false;
  Windows windows = Windows::kOne;
  Pairing pairing = Pairing::kHalf;
  double base = 10000;
  bool base_in_file = true;
  const char* width_name = "hidden_size";
  const char* heads_name = "num_attention_heads";
  // Patches stand in blocks of spatial_merge_size.
  bool merges = false;
  int64_t first = 0;
  ClassToken class_token = ClassToken::kNone;
};

// Qwen2-VL's hidden_size is the width of the text model.
constexpr Encoder Qwen(std::string_view model_type, const char* width_name) {
  Encoder encoder = {model_type};
  encoder.base_in_file = false;
  encoder.width_name = width_name;
  encoder.heads_name = "num_heads";
  encoder.merges = true;
  return encoder;
}

constexpr Encoder Llama4() {
  Encoder encoder = {"llama4_vision"};
  encoder.x_first = true;
  encoder.pairing = Pairing::kInterleaved;
  encoder.first = 1;
  encoder.class_token = ClassToken::kLast;
  return encoder;
}

constexpr Encoder Gemma4() {
  Encoder encoder = {"gemma4_vision"};
  encoder.x_first = true;
  encoder.windows = Windows::kParts;
  encoder.base = 100;
  return encoder;
}

constexpr Encoder kEncoders[] = {
    Qwen("qwen2_vl", "embed_dim"),
    Qwen("qwen2_5_vl", "hidden_size"),
    Qwen("qwen3_vl", "hidden_size"),
    Qwen("qwen3_5", "hidden_size"),
    {"pixtral", VisionScheme::kPixtral},
    Llama4(),
    Gemma4(),
};

// HF's rope_type of any encoder whose ladder starts anew for each axis.
constexpr Encoder kGeneric = {"axial"};

// Their positions are learned.
constexpr std::string_view kStill[] = {"clip_vision_model", "mllama_vision",
                                       "siglip_vision_model"};

bool IsStill(const std::string& model_type) {
  for (const std::string_view still : kStill) {
    if (BeginsWith(model_type, still)) return true;
  }
  return false;
}

// vision_config and, where newer files have one, its dict of RoPE.
struct Source {
  const ModelConfig& config;
  Place place;
  Places all;
  std::string model_type;
};

std::optional<Source> FindSource(const ModelConfig& config, KeyReader* reader) {
  const Place& root = config.places.back();
  const JsonValue* object = root.object->Find(kVision);
  const JsonValue* thinker = root.object->Find("thinker_config");
  if (thinker != nullptr && thinker->Find(kVision) != nullptr) {
    reader->Warn("thinker_config.vision_config: not read");
  }
  if (!reader->ok() || object == nullptr || object->IsNull()) {
    return std::nullopt;
  }
  if (!object->Get<JsonValue::Object>()) {
    reader->Reject(StatusCode::kParseError, {root}, {kVision},
                   "must be an object");
    return std::nullopt;
  }
  Source source = {config, {object, std::string(kVision) + "."}, {}, ""};
  source.all = {source.place};
  for (const char* name : {"rope_parameters", "rope_scaling"}) {
    const JsonValue* dict = object->Find(name);
    if (dict == nullptr || !dict->Get<JsonValue::Object>()) continue;
    source.all.push_back({dict, source.place.prefix + name + "."});
  }
  const Names names = {"model_type"};
  const auto own = reader->Text({source.place}, names);
  source.model_type = own ? *own : reader->Text({root}, names).value_or("");
  return source;
}

std::string NameOf(const Source& source) {
  return "vision_config (model_type = " + source.model_type + ")";
}

// Null where nothing turns, or nobody knows how.
const Encoder* FindEncoder(const Source& source, KeyReader* reader) {
  const auto type = reader->Text(source.all, {"rope_type", "type"});
  const bool is_plain = !type || *type == "default" || *type == "axial";
  for (const Encoder& encoder : kEncoders) {
    if (!BeginsWith(source.model_type, encoder.model_type)) continue;
    if (is_plain) return &encoder;
    reader->Warn(NameOf(source) + ": rope_type = " + *type +
                 " is not known of it; not handed over");
    return nullptr;
  }
  if (type && *type == "axial") return &kGeneric;
  if (!IsStill(source.model_type)) {
    reader->Warn(NameOf(source) +
                 ": whether and how its encoder rotates is not known here");
  }
  return nullptr;
}

// 0 after an error, or a warning that it is not said.
int ReadHeadDim(const Source& source, const Encoder& encoder, KeyReader* reader,
                VisionRope* vision) {
  const Places at = {source.place};
  const auto heads = reader->Count(at, {encoder.heads_name});
  vision->heads = heads.value_or(0);
  if (const auto own = reader->Count(at, {"head_dim"})) return *own;
  const auto width = reader->Count(at, {encoder.width_name});
  if (!width || !heads) {
    reader->Warn(NameOf(source) + ": " + encoder.width_name + " or " +
                 encoder.heads_name +
                 " is missing; its RoPE is not handed "
                 "over");
    return 0;
  }
  if (*width % *heads == 0) return *width / *heads;
  reader->Reject(StatusCode::kInvalidArgument, at, {encoder.width_name},
                 "must be a multiple of the heads");
  return 0;
}

double ReadBase(const Source& source, const Encoder& encoder,
                KeyReader* reader) {
  const Names names = {"rope_theta"};
  const auto base = reader->Positive(source.all, names);
  if (base) return *base;
  if (encoder.base_in_file) {
    WarnAssumed(source.config, reader->PathOf(source.all, names),
                FormatNumber(encoder.base), reader);
  }
  return encoder.base;
}

Status SetLayouts(const Encoder& encoder, VisionRope* vision) {
  if (encoder.windows == Windows::kParts) {
    auto parts = AxialPartLayouts(vision->head_dim, 2);
    if (!parts.ok()) return parts.status();
    vision->layouts = std::move(parts).value();
    return Status();
  }
  // Of an even head_dim that is the whole head, unless it is no multiple of 4.
  RotaryLayout layout;
  layout.head_dim = layout.rotary_dim = vision->head_dim;
  layout.pairing = encoder.pairing;
  if (encoder.scheme == VisionScheme::kAxial) {
    const auto axial = AxialLayout(vision->head_dim, 2, encoder.pairing);
    if (!axial.ok()) return axial.status();
    layout = axial.value();
  }
  vision->layouts = {layout};
  return Status();
}

Status SetFrequencies(const Encoder& encoder, VisionRope* vision) {
  if (encoder.scheme == VisionScheme::kAxial) {
    vision->parts = {0, 1};
    if (encoder.x_first) vision->parts = {1, 0};
  }
  auto frequencies =
      encoder.scheme == VisionScheme::kPixtral
          ? PixtralFrequencies(vision->head_dim, vision->base)
          : AxialFrequencies(vision->head_dim, vision->parts, vision->base);
  if (!frequencies.ok()) return frequencies.status();
  vision->frequencies = std::move(frequencies).value();
  return SetLayouts(encoder, vision);
}

std::optional<VisionRope> ReadEncoder(const Source& source,
                                      const Encoder& encoder,
                                      KeyReader* reader) {
  const Places at = {source.place};
  VisionRope vision;
  vision.family = source.model_type;
  vision.scheme = encoder.scheme;
  vision.base = ReadBase(source, encoder, reader);
  vision.head_dim = ReadHeadDim(source, encoder, reader, &vision);
  if (!reader->IsList(at, {"patch_size"})) {
    vision.patch_size = reader->Count(at, {"patch_size"}).value_or(0);
  }
  vision.components = {"y", "x"};
  vision.grid.first = encoder.first;
  vision.grid.class_token = encoder.class_token;
  if (encoder.merges) {
    vision.grid.merge_size =
        reader->Count(at, {"spatial_merge_size"}).value_or(2);
  }
  if (!reader->ok() || vision.head_dim == 0) return std::nullopt;
  const Status status = SetFrequencies(encoder, &vision);
  if (status.ok()) return vision;
  reader->Fail(
      Error(status.code(), "%s: %s", NameOf(source).c_str(), status.message()));
  return std::nullopt;
}

}  // namespace

void ReadVision(const ModelConfig& config, KeyReader* reader,
                ModelRope* model) {
  std::vector<ConfigKey> keys;
  reader->RecordInto(&keys);
  const auto source = FindSource(config, reader);
  ReadPromptRule(config, source ? &source->place : nullptr, reader, model);
  const Encoder* encoder = source ? FindEncoder(*source, reader) : nullptr;
  if (encoder != nullptr) {
    model->vision = ReadEncoder(*source, *encoder, reader);
  }
  if (model->vision) model->vision->keys = std::move(keys);
  reader->RecordInto(nullptr);
}

}  // namespace ropewalk::internal
