/* SPDX-FileCopyrightText: 2026 The ropewalk authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The normal form to which every RoPE reduces, what makes it, and which
 * position component each pair follows: frequencies.h, scaling.h, bands.h,
 * axes.h and vision.h for C. */
#ifndef ROPEWALK_C_FREQUENCIES_H_
#define ROPEWALK_C_FREQUENCIES_H_

#include <stdint.h>

#include "ropewalk/c/scaling.h"
#include "ropewalk/c/status.h"
#include "ropewalk/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Frequencies of one kind of layer: pair i turns by
 *  position[axis[i]] * inv_freq[i] and is scaled by attention_factor.
 *  Immutable: any number of threads may read it. */
typedef struct ropewalk_frequencies ropewalk_frequencies;

/** Computes the normal form in double precision.
 *
 *  Units:     sequence_length counts tokens; only length-dependent schemes
 *             look at it, and take 0 as a length within the original.
 *  Accuracy:  each inv_freq within a relative 2^-48 of the formula;
 *             ComputeFrequencies in scaling.h has the exceptions.
 *  Errors:    ROPEWALK_INVALID_ARGUMENT, ROPEWALK_OUT_OF_RANGE,
 *             ROPEWALK_OUT_OF_MEMORY; *frequencies is null then, as the result
 *             of every call here that makes an object. */
ROPEWALK_EXPORT ropewalk_status ropewalk_compute_frequencies(
    const ropewalk_rope_parameters* parameters, int64_t sequence_length,
    ropewalk_frequencies** frequencies, ropewalk_error* error);
ROPEWALK_EXPORT void ropewalk_frequencies_destroy(
    ropewalk_frequencies* frequencies);

/** Of a null pointer these give 0, null, or a factor of 1. */
ROPEWALK_EXPORT int64_t
ropewalk_frequencies_pairs(const ropewalk_frequencies* frequencies);
/** [pairs], radians per position; lives as long as the frequencies. */
ROPEWALK_EXPORT const double* ropewalk_frequencies_inv_freq(
    const ropewalk_frequencies* frequencies);
/** [pairs], or null: component 0. */
ROPEWALK_EXPORT const uint8_t* ropewalk_frequencies_axis(
    const ropewalk_frequencies* frequencies);
ROPEWALK_EXPORT double ropewalk_frequencies_attention_factor(
    const ropewalk_frequencies* frequencies);
/** For the caller's softmax scale; never part of cos and sin. */
ROPEWALK_EXPORT double ropewalk_frequencies_softmax_multiplier(
    const ropewalk_frequencies* frequencies);
/** 1 where keys cached under another length do not match. */
ROPEWALK_EXPORT int32_t
ropewalk_frequencies_length_dependent(const ropewalk_frequencies* frequencies);
/** The same on every machine; not cryptographic. */
ROPEWALK_EXPORT uint64_t
ropewalk_frequencies_checksum(const ropewalk_frequencies* frequencies);

/** The context before scaling that a scheme names; 0: none, or no valid
 *  parameters. */
ROPEWALK_EXPORT int64_t
ropewalk_original_positions(const ropewalk_rope_parameters* parameters);

/** What a scheme does to a pair; PairBand in bands.h. */
enum {
  ROPEWALK_EXTRAPOLATED = 0,
  ROPEWALK_BLENDED = 1,
  ROPEWALK_INTERPOLATED = 2
};
typedef struct ropewalk_pair_band {
  uint32_t struct_size;
  int32_t band; /**< ROPEWALK_EXTRAPOLATED, ... */
  double inv_freq;
  double wavelength;
  double plain_wavelength;
  double rotations;
} ropewalk_pair_band;
#define ROPEWALK_PAIR_BAND_INIT \
  { sizeof(ropewalk_pair_band), 0, 0, 0, 0, 0 }

/** Names a band: "extrapolated", "blended", "interpolated", or "unknown". */
ROPEWALK_EXPORT const char* ropewalk_band_name(int32_t band);

/** What all pairs have in common. */
typedef struct ropewalk_bands {
  uint32_t struct_size;
  int64_t original_positions;
  double factor; /**< The scheme's whole factor. */
} ropewalk_bands;
#define ROPEWALK_BANDS_INIT \
  { sizeof(ropewalk_bands), 0, 0 }

/** Computes the bands of a scheme.
 *
 *  Shape:     pairs [count], count = rotary_dim / 2 (ROPEWALK_EXPLICIT: of the
 *             list). Either result may be null.
 *  Units:     original_positions 0 takes the one that the scheme names.
 *  Requires:  the same struct_size in each of pairs.
 *  Errors:    those of ropewalk_compute_frequencies; nothing is written. */
ROPEWALK_EXPORT ropewalk_status ropewalk_compute_bands(
    const ropewalk_rope_parameters* parameters, int64_t original_positions,
    int64_t sequence_length, ropewalk_bands* bands, ropewalk_pair_band* pairs,
    int64_t count, ropewalk_error* error);

/** The rules by which pairs follow position components; the functions of
 *  axes.h. */
enum {
  ROPEWALK_CONTIGUOUS_AXES = 0,  /**< Qwen2-VL, XDRoPE. */
  ROPEWALK_INTERLEAVED_AXES = 1, /**< Qwen3-VL; HF and vLLM. */
  ROPEWALK_GGML_MROPE_AXES = 2,
  ROPEWALK_GGML_IMROPE_AXES = 3,
  ROPEWALK_BALANCED_AXES = 4, /**< openPangu. */
  ROPEWALK_ERNIE_AXES = 5     /**< Ernie 4.5 VL: sections h, w, t. */
};

/** Writes ropewalk_rope_parameters.axis.
 *
 *  Shape:     sections [section_count], pairs of each component; axis [pairs].
 *  Errors:    ROPEWALK_INVALID_ARGUMENT: an unknown rule, sections against
 *             it; ROPEWALK_OUT_OF_RANGE, ROPEWALK_OUT_OF_MEMORY. On an error
 *             nothing is written. */
ROPEWALK_EXPORT ropewalk_status ropewalk_write_axes(
    int32_t rule, const int32_t* sections, int32_t section_count, uint8_t* axis,
    int32_t pairs, ropewalk_error* error);

/** Frequencies of vision encoders; the functions of vision.h.
 *
 *  Shape:     components [axes]: which one each part of the head follows.
 *  Errors:    ROPEWALK_INVALID_ARGUMENT, ROPEWALK_OUT_OF_RANGE,
 *             ROPEWALK_OUT_OF_MEMORY. */
ROPEWALK_EXPORT ropewalk_status ropewalk_axial_frequencies(
    int32_t head_dim, const uint8_t* components, int32_t axes, double base,
    ropewalk_frequencies** frequencies, ropewalk_error* error);
ROPEWALK_EXPORT ropewalk_status ropewalk_chatglm_frequencies(
    int32_t head_dim, double base, ropewalk_frequencies** frequencies,
    ropewalk_error* error);
ROPEWALK_EXPORT ropewalk_status ropewalk_pixtral_frequencies(
    int32_t head_dim, double base, ropewalk_frequencies** frequencies,
    ropewalk_error* error);
ROPEWALK_EXPORT ropewalk_status ropewalk_ggml_vision_frequencies(
    int32_t n_dims, const int32_t* sections, int32_t section_count, double base,
    ropewalk_frequencies** frequencies, ropewalk_error* error);

/** The one window of axial frequencies. */
ROPEWALK_EXPORT ropewalk_status
ropewalk_axial_layout(int32_t head_dim, int32_t axes, ropewalk_pairing pairing,
                      ropewalk_rotary_layout* layout, ropewalk_error* error);
/** A window for each part, half-paired within itself.
 *
 *  Shape:     layouts [axes], each with the struct_size of layouts[0]. */
ROPEWALK_EXPORT ropewalk_status ropewalk_axial_part_layouts(
    int32_t head_dim, int32_t axes, ropewalk_rotary_layout* layouts,
    ropewalk_error* error);

#ifdef __cplusplus
}
#endif

#endif /* ROPEWALK_C_FREQUENCIES_H_ */
