/* SPDX-FileCopyrightText: 2026 The ropewalk authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Codes and messages of the C interface, and what all of it has in common:
 *
 *   - A struct begins with its struct_size; ..._INIT sets it, and defaults that
 *     are not 0. Without it (other languages, designated initialisers) 0 stands
 *     for the default or is refused, but where a field says what it means.
 * Later versions append fields, for which 0 is what was done before. So who was
 * compiled with older headers goes on, and newer headers go with an older
 * library as long as what it does not know is 0: ROPEWALK_UNSUPPORTED else. A
 * size that no version can have is ROPEWALK_INVALID_ARGUMENT.
 *   - In an array of structs each has the struct_size of the first.
 *   - Results are written to the struct_size that the caller has set. Structs
 *     that the library points to have its own: whoever copies one sets the
 *     copy's to the size of the copy.
 *   - Messages name fields and values as the C++ headers do.
 *   - Pointers that may be null say so. Values of enumerations are fixed.
 *   - What a call makes belongs to the caller, until ..._destroy. A call that
 *     fails sets the pointer to null.
 *   - Nothing throws, prints, ends the process (ROPEWALK_TBB tells of the one
 *     exception) or keeps state of a thread. */
#ifndef ROPEWALK_C_STATUS_H_
#define ROPEWALK_C_STATUS_H_

#include <stdint.h>

#include "ropewalk/export.h"
#include "ropewalk/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Of what a call returns. The values are fixed; those of later versions are
 *  errors too. */
typedef int32_t ropewalk_status;
enum {
  ROPEWALK_OK = 0,
  ROPEWALK_INVALID_ARGUMENT = 1, /**< Breaks a rule whatever the state. */
  ROPEWALK_OUT_OF_RANGE = 2,     /**< A position or size past a limit. */
  ROPEWALK_UNSUPPORTED = 3,      /**< Well-formed, but not in this build. */
  ROPEWALK_OUT_OF_MEMORY = 4,    /**< Nothing has changed. */
  ROPEWALK_PARSE_ERROR = 5       /**< A text is not what it claims to be. */
};

/** Where a call says why it failed. Every call takes a pointer to one, which
 *  may be null. On success code is ROPEWALK_OK and the message empty.
 *
 *  Requires:  struct_size = sizeof(ropewalk_error), as ROPEWALK_ERROR_INIT
 *             has it. No byte past struct_size is written. */
typedef struct ropewalk_error {
  uint32_t struct_size;
  ropewalk_status code;
  char message[240]; /**< "rotary_dim = 7: must be even" */
} ropewalk_error;
#define ROPEWALK_ERROR_INIT \
  { sizeof(ropewalk_error), ROPEWALK_OK, "" }

/** Names a code in words, such as "invalid argument". Never null. */
ROPEWALK_EXPORT const char* ropewalk_status_name(ropewalk_status status);

/** ROPEWALK_VERSION of the library that is linked. */
ROPEWALK_EXPORT uint32_t ropewalk_version(void);

#ifdef __cplusplus
}
#endif

#endif /* ROPEWALK_C_STATUS_H_ */
