// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/c/target.h"

#include "c_api/call.h"
#include "ropewalk/target.h"

namespace internal = ropewalk::internal;

namespace {

const char* Name(const ropewalk::TargetNames& targets, int32_t index) {
  return index >= 0 && index < targets.count ? targets.names[index] : nullptr;
}

}  // namespace

const char* ropewalk_compiled_target(int32_t index) {
  return Name(ropewalk::CompiledTargets(), index);
}

const char* ropewalk_available_target(int32_t index) {
  return Name(ropewalk::AvailableTargets(), index);
}

const char* ropewalk_active_target(void) { return ropewalk::ActiveTarget(); }

ropewalk_status ropewalk_force_target(const char* name, ropewalk_error* error) {
  return internal::Call(error, [&]() -> ropewalk::Status {
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("name", name));
    return ropewalk::ForceTarget(name);
  });
}

int32_t ropewalk_flushes_bf16_denormals(void) {
  return ropewalk::FlushesBF16Denormals() ? 1 : 0;
}
