// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "support/thread_creation.h"

#include <dlfcn.h>
#include <pthread.h>

namespace ropewalk::test {

std::atomic<int64_t> threads_created{0};

}  // namespace ropewalk::test

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attr,
                              void* (*start)(void*), void* argument) noexcept {
  using Create =
      int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create =
      reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  ++ropewalk::test::threads_created;
  return create(thread, attr, start, argument);
}
