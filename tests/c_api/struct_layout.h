/* SPDX-FileCopyrightText: 2026 The ropewalk authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * How the layout of a struct is asserted. */
#ifndef ROPEWALK_TESTS_C_API_STRUCT_LAYOUT_H_
#define ROPEWALK_TESTS_C_API_STRUCT_LAYOUT_H_

#include <stddef.h>

#if !defined(__LP64__)
#error "these are the layouts of LP64"
#endif

#define SIZE(name, bytes)                            \
  _Static_assert(sizeof(ropewalk_##name) == (bytes), \
                 "the size of ropewalk_" #name)
#define FIELD(name, field, offset)                             \
  _Static_assert(offsetof(ropewalk_##name, field) == (offset), \
                 "ropewalk_" #name "." #field)

#endif /* ROPEWALK_TESTS_C_API_STRUCT_LAYOUT_H_ */
