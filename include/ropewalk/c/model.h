/* SPDX-FileCopyrightText: 2026 The ropewalk authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a model's file says about RoPE: LayerRope, VisionRope and ModelRope of
 * config.h for C.
 *
 *   - All that a model hands out is the model's: it lives as long, and nothing
 *     of it is to be destroyed.
 *   - A struct that it points to has the library's struct_size and no byte past
 *     it, and goes into calls as it is. A copy must say its own size.
 *   - Lists without entries are null. A string ends at its first NUL. */
#ifndef ROPEWALK_C_MODEL_H_
#define ROPEWALK_C_MODEL_H_

#include <stdint.h>

#include "ropewalk/c/frequencies.h"
#include "ropewalk/c/multimodal_positions.h"
#include "ropewalk/c/positions.h"
#include "ropewalk/c/scaling.h"
#include "ropewalk/c/status.h"
#include "ropewalk/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** RoPE of a model. Immutable: any number of threads may read it, and no call
 *  that does allocates. */
typedef struct ropewalk_model ropewalk_model;

ROPEWALK_EXPORT void ropewalk_model_destroy(ropewalk_model* model);

/** How the tokens of a prompt get their positions; PromptRule in config.h. */
enum {
  ROPEWALK_PROMPT_CONSECUTIVE = 0,
  ROPEWALK_PROMPT_MULTIMODAL = 1,
  ROPEWALK_PROMPT_TEXT_ONLY = 2
};

/** What holds for the whole model. */
typedef struct ropewalk_model_info {
  uint32_t struct_size;
  int32_t layer_count; /**< 0: not said. */
  const char* family;
  int64_t max_positions;    /**< 0: not said. */
  int32_t layer_type_count; /**< For ropewalk_model_layer_type. */
  int32_t prompt_rule;      /**< ROPEWALK_PROMPT_CONSECUTIVE, ... */
  /** Null but for ROPEWALK_PROMPT_MULTIMODAL. */
  const ropewalk_multimodal_rules* multimodal;
  int32_t has_vision; /**< For ropewalk_model_vision. */
  int32_t warning_count;
  const char* const* warnings; /**< For the host's log. */
} ropewalk_model_info;
#define ROPEWALK_MODEL_INFO_INIT \
  { sizeof(ropewalk_model_info), 0, 0, 0, 0, 0, 0, 0, 0, 0 }

ROPEWALK_EXPORT ropewalk_status
ropewalk_model_get_info(const ropewalk_model* model, ropewalk_model_info* info,
                        ropewalk_error* error);

/** RoPE of one kind of layer; LayerRope in config.h says more. */
typedef struct ropewalk_layer_rope {
  uint32_t struct_size;
  int32_t uses_rope; /**< 0: these layers do not rotate. */
  const char* layer_type;
  const ropewalk_rope_parameters* parameters;
  const ropewalk_rotary_layout* layout;     /**< Of a query head. */
  const ropewalk_rotary_layout* key_layout; /**< Of a key as it is cached. */
  double softmax_multiplier;
  int64_t original_positions; /**< 0: not said. */
  const int32_t* layers;      /**< Indices of the layers. */
  int32_t layer_count;        /**< 0: not said. */
  int32_t mrope_interleaved;
  /** Pairs of each component, in the file's order. Which pair follows which is
   *  parameters->axis. */
  const int32_t* mrope_section;
  int32_t mrope_section_count;
  int32_t component_count;       /**< 0: one component without a name. */
  const char* const* components; /**< In the order of a token's ids. */
  const ropewalk_query_scale* query_scale;
  const ropewalk_dual_chunk* dual_chunk; /**< Null: none. */
  int32_t inverse_on_output; /**< The attention's output is turned back. */
  int32_t key_count; /**< Values that were used: where they stood, and what. */
  const char* const* key_paths;
  const char* const* key_values;
} ropewalk_layer_rope;
#define ROPEWALK_LAYER_ROPE_INIT                                              \
  {                                                                           \
    sizeof(ropewalk_layer_rope), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
        0, 0, 0, 0, 0                                                         \
  }

/** Describes a kind of layer by its index, or by its name: "all" of a model of
 *  one kind answers to every name.
 *
 *  Errors:    ROPEWALK_INVALID_ARGUMENT; ROPEWALK_OUT_OF_RANGE: no such kind.
 */
ROPEWALK_EXPORT ropewalk_status
ropewalk_model_layer_type(const ropewalk_model* model, int32_t index,
                          ropewalk_layer_rope* layer, ropewalk_error* error);
ROPEWALK_EXPORT ropewalk_status ropewalk_model_find_layer_type(
    const ropewalk_model* model, const char* layer_type,
    ropewalk_layer_rope* layer, ropewalk_error* error);

enum { ROPEWALK_AXIAL_VISION = 0, ROPEWALK_PIXTRAL_VISION = 1 };

/** RoPE of a vision encoder; VisionRope in config.h says more. */
typedef struct ropewalk_vision_rope {
  uint32_t struct_size;
  int32_t scheme; /**< ROPEWALK_AXIAL_VISION, ROPEWALK_PIXTRAL_VISION. */
  const char* family;
  int32_t head_dim;
  int32_t heads; /**< 0: not said. */
  double base;
  const ropewalk_frequencies* frequencies;
  const ropewalk_rotary_layout* const* layouts; /**< Rotate with each once. */
  int32_t layout_count;
  int32_t part_count;   /**< ROPEWALK_AXIAL_VISION only. */
  const uint8_t* parts; /**< components of ropewalk_axial_frequencies. */
  int32_t component_count;
  int32_t patch_size;            /**< Pixels a side; 0: not said. */
  const char* const* components; /**< In the order of a patch's ids: y, x. */
  int32_t key_count;             /**< As in ropewalk_layer_rope. */
  const char* const* key_paths;
  const char* const* key_values;
} ropewalk_vision_rope;
#define ROPEWALK_VISION_ROPE_INIT                                              \
  {                                                                            \
    sizeof(ropewalk_vision_rope), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
        0                                                                      \
  }

/** Errors:    ROPEWALK_INVALID_ARGUMENT; ROPEWALK_OUT_OF_RANGE: there is no
 *             vision encoder. */
ROPEWALK_EXPORT ropewalk_status
ropewalk_model_vision(const ropewalk_model* model, ropewalk_vision_rope* vision,
                      ropewalk_error* error);
/** Writes the grid of an image of height by width patches in this encoder, for
 *  ropewalk_append_grid_positions, which checks it. VisionRope::grid in
 *  config.h says of which order the patches are.
 *
 *  Errors:    as ropewalk_model_vision. */
ROPEWALK_EXPORT ropewalk_status ropewalk_model_patch_grid(
    const ropewalk_model* model, int64_t height, int64_t width,
    ropewalk_patch_grid* grid, ropewalk_error* error);

#ifdef __cplusplus
}
#endif

#endif /* ROPEWALK_C_MODEL_H_ */
