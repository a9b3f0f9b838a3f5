// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What has to hold before the first write of RotateIntoCache.
#pragma once
#include "ropewalk/kv_cache.h"
#include "rotate/slot_reader.h"
#include "rotate/validate.h"

namespace ropewalk::internal {

// Keys or values on their way into a cache; absent without heads.
struct Incoming {
  bool present() const noexcept {
    return view.heads != 0 && view.tokens != 0 && view.batch != 0;
  }

  const char* name;
  const char* cache_name;
  const char* layout_name;
  const char* transform_name;
  HeadsView view;
  RotaryLayout layout;
  const HeadTransform* transform;
  KvCacheView cache;
  HeadsView cache_view;
};

// The parts of a call.
struct WriteParts {
  const AngleRows* rows;
  const CacheWrite* write;
  SlotReader slots;
  Incoming k;
  Incoming v;
};

WriteParts PartsOf(const AngleRows& rows, const CacheWrite& write,
                   const Slots& slots) noexcept;

Status ValidateWrite(const WriteParts& parts) noexcept;

}  // namespace ropewalk::internal
