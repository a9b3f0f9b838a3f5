/* SPDX-FileCopyrightText: 2026 The ropewalk authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Which instruction set the kernels use: target.h for C. */
#ifndef ROPEWALK_C_TARGET_H_
#define ROPEWALK_C_TARGET_H_

#include <stdint.h>

#include "ropewalk/c/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The names of targets, best first: of those that were compiled in, and of
 *  those among them that this CPU supports. Null past the last. */
ROPEWALK_EXPORT const char* ropewalk_compiled_target(int32_t index);
ROPEWALK_EXPORT const char* ropewalk_available_target(int32_t index);

/** Names the target that the next call will use. */
ROPEWALK_EXPORT const char* ropewalk_active_target(void);

/** Makes every later call use the named target; "" restores detection.
 *
 *  Errors:    ROPEWALK_INVALID_ARGUMENT: null, or no compiled target of that
 *             name. ROPEWALK_UNSUPPORTED: compiled, but not supported by this
 *             CPU. */
ROPEWALK_EXPORT ropewalk_status ropewalk_force_target(const char* name,
                                                      ropewalk_error* error);

/** 1 where the active target converts to bf16 by AVX512_BF16, which reads and
 *  writes denormals as zero. */
ROPEWALK_EXPORT int32_t ropewalk_flushes_bf16_denormals(void);

#ifdef __cplusplus
}
#endif

#endif /* ROPEWALK_C_TARGET_H_ */
