/* SPDX-FileCopyrightText: 2026 The ropewalk authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Readers of what model files say about RoPE. config.h for C. */
#ifndef ROPEWALK_C_CONFIG_H_
#define ROPEWALK_C_CONFIG_H_

#include <stddef.h>
#include <stdint.h>

#include "ropewalk/c/model.h"
#include "ropewalk/c/status.h"
#include "ropewalk/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a file cannot say. Null is these options with all else 0. */
typedef struct ropewalk_config_options {
  uint32_t struct_size;
  ropewalk_pairing pairing; /**< For families that do not fix it; 0: none. */
  int32_t original_from_max_positions; /**< ConfigOptions in config.h. */
  int32_t long_rope_policy; /**< ROPEWALK_LONGROPE_BY_CONTEXT_LIMIT, ... */
  int64_t context_limit;
  int32_t ggml_parity; /**< GGUF only: ROPEWALK_GGML throughout. */
  int32_t reserved;    /**< 0. */
} ropewalk_config_options;
#define ROPEWALK_CONFIG_OPTIONS_INIT \
  { sizeof(ropewalk_config_options), 0, 0, 0, 0, 0, 0 }

/** Reads a config.json as transformers v4 and v5 write it.
 *
 *  Shape:     text [length] of UTF-8; needs no terminator.
 *  Errors:    ROPEWALK_PARSE_ERROR, ROPEWALK_INVALID_ARGUMENT,
 *             ROPEWALK_UNSUPPORTED, ROPEWALK_OUT_OF_MEMORY;
 *             ParseHuggingFaceConfig in config.h says when. *model is null
 *             then. */
ROPEWALK_EXPORT ropewalk_status ropewalk_parse_huggingface_config(
    const char* text, size_t length, const ropewalk_config_options* options,
    ropewalk_model** model, ropewalk_error* error);

enum {
  ROPEWALK_GGUF_BOOL = 0,    /**< integer, 0 or 1. */
  ROPEWALK_GGUF_INTEGER = 1, /**< Unsigned ones as int64_t. */
  ROPEWALK_GGUF_REAL = 2,
  ROPEWALK_GGUF_STRING = 3, /**< string, with its terminator. */
  ROPEWALK_GGUF_INTEGERS = 4,
  ROPEWALK_GGUF_REALS = 5
};

/** A value of a GGUF key: its kind, which must be set, and the field of that
 *  kind. Before each question all else is 0.
 *
 *  Requires:  strings and lists are given; at most 65536 entries. */
typedef struct ropewalk_gguf_value {
  uint32_t struct_size; /**< Set by the library: write nothing past it. */
  int32_t kind;         /**< ROPEWALK_GGUF_BOOL, ... */
  int64_t integer;
  double real;
  const char* string;
  const int64_t* integers;
  const double* reals;
  int64_t count; /**< Of integers or reals. */
} ropewalk_gguf_value;

/** What a host that has parsed a GGUF file answers: 1, 0 for what the file
 *  lacks, anything else for a failure. Both may be asked for any name, on the
 *  calling thread. What they point to must live until the next question, or
 *  the end of the call.
 *
 *  Shape:     tensor: the float32 tensors rope_freqs.weight,
 *             rope_factors_short.weight and rope_factors_long.weight; may be
 *             null.
 *  Requires:  no exception and no longjmp leaves a callback. */
typedef struct ropewalk_gguf_source {
  uint32_t struct_size;
  void* context; /**< Passed back. */
  int32_t (*value)(void* context, const char* key, ropewalk_gguf_value* value);
  int32_t (*tensor)(void* context, const char* name, const float** data,
                    int64_t* count);
} ropewalk_gguf_source;
#define ROPEWALK_GGUF_SOURCE_INIT \
  { sizeof(ropewalk_gguf_source), 0, 0, 0 }

/** Reads the metadata of a GGUF file.
 *
 *  Errors:    as above; ROPEWALK_PARSE_ERROR also for an answer that is neither
 *             0 nor 1, a value of an unknown kind, a bool that is neither 0 nor
 *             1, a null string, a null list with entries, a count that is
 *             negative or past 65536. Nothing is asked after it. */
ROPEWALK_EXPORT ropewalk_status ropewalk_read_gguf_metadata(
    const ropewalk_gguf_source* source, const ropewalk_config_options* options,
    ropewalk_model** model, ropewalk_error* error);

#ifdef __cplusplus
}
#endif

#endif /* ROPEWALK_C_CONFIG_H_ */
