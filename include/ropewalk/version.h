/* SPDX-FileCopyrightText: 2026 The ropewalk authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * The version of these headers, in C99 and C++. The build reads it here. */
#ifndef ROPEWALK_VERSION_H_
#define ROPEWALK_VERSION_H_

#define ROPEWALK_VERSION_MAJOR 0
#define ROPEWALK_VERSION_MINOR 1
#define ROPEWALK_VERSION_PATCH 0

/* As one number that grows: 0.1.0 is 100. */
#define ROPEWALK_VERSION                                           \
  (ROPEWALK_VERSION_MAJOR * 10000 + ROPEWALK_VERSION_MINOR * 100 + \
   ROPEWALK_VERSION_PATCH)

#endif /* ROPEWALK_VERSION_H_ */
