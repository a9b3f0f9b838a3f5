/* SPDX-FileCopyrightText: 2026 The ropewalk authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a shared build exports, in C99 and C++. A static build marks nothing,
 * so that a host's own shared library does not export this one's symbols. */
#ifndef ROPEWALK_EXPORT_H_
#define ROPEWALK_EXPORT_H_

/* ROPEWALK_SHARED stands on the build's targets and on whoever links them;
 * ROPEWALK_BUILDING only on those that are being built. */
#if !defined(ROPEWALK_SHARED)
#define ROPEWALK_EXPORT
#elif defined(_WIN32) && defined(ROPEWALK_BUILDING)
#define ROPEWALK_EXPORT __declspec(dllexport)
#elif defined(_WIN32)
#define ROPEWALK_EXPORT __declspec(dllimport)
#else
#define ROPEWALK_EXPORT __attribute__((visibility("default")))
#endif

#endif /* ROPEWALK_EXPORT_H_ */
