// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "simd/targets.h"

#include <cstdlib>

#include "ropewalk/target.h"
#include "status/error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/simd/targets.cc"
#include "hwy/foreach_target.h"

#include "hwy/highway.h"

#include "simd/bf16_codec-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::internal {
namespace HWY_NAMESPACE {

const char* NameOfTarget() { return hwy::TargetName(HWY_TARGET); }

bool UsesNativeBF16() { return ROPEWALK_NATIVE_BF16 != 0; }

}  // namespace HWY_NAMESPACE
}  // namespace ropewalk::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace ropewalk {
namespace internal {

HWY_EXPORT(NameOfTarget);
HWY_EXPORT(UsesNativeBF16);

namespace {

// Constant-initialised: usable before any static constructor has run.
hwy::ChosenTarget chosen;

struct NameList {
  const char* names[64];
  int count = 0;
};

// Names of the compiled targets among `mask`. A better target has a lower bit
// in every version of Highway.
NameList NamesOf(int64_t mask) {
  NameList list;
  for (int bit = 0; bit < 63; ++bit) {
    const int64_t target = int64_t{1} << bit;
    if (HWY_TARGETS & mask & target) {
      list.names[list.count++] = hwy::TargetName(target);
    }
  }
  return list;
}

// The compiled target of that name, or 0.
int64_t TargetOf(std::string_view name) {
  for (int bit = 0; bit < 63; ++bit) {
    const int64_t target = int64_t{1} << bit;
    if ((HWY_TARGETS & target) && name == hwy::TargetName(target)) {
      return target;
    }
  }
  return 0;
}

// Highway reports the static target as supported when it finds nothing.
int64_t Available() { return hwy::SupportedTargets() & HWY_TARGETS; }

// What detection and the environment say, the first time.
int64_t Detected() {
  static const int64_t detected = [] {
    if (const char* name = std::getenv("ROPEWALK_TARGET")) {
      if (const int64_t forced = TargetOf(name) & Available()) return forced;
    }
    return Available();
  }();
  return detected;
}

}  // namespace

const hwy::ChosenTarget& ChosenTarget() noexcept {
  // Once only, so that a ForceTarget from another thread is not overwritten.
  static const bool detected = (chosen.Update(Detected()), true);
  static_cast<void>(detected);
  return chosen;
}

const char* ActiveName() noexcept { return ROPEWALK_DISPATCH(NameOfTarget)(); }

bool ActiveFlushes() noexcept { return ROPEWALK_DISPATCH(UsesNativeBF16)(); }

}  // namespace internal

const char* ActiveTarget() noexcept { return internal::ActiveName(); }

bool FlushesBF16Denormals() noexcept { return internal::ActiveFlushes(); }

TargetNames CompiledTargets() noexcept {
  static const internal::NameList list = internal::NamesOf(HWY_TARGETS);
  return {list.names, list.count};
}

TargetNames AvailableTargets() noexcept {
  static const internal::NameList list =
      internal::NamesOf(internal::Available());
  return {list.names, list.count};
}

Status ForceTarget(std::string_view name) noexcept {
  internal::ChosenTarget();
  if (name.empty()) {
    internal::chosen.Update(internal::Detected());
    return Status();
  }
  const int length = static_cast<int>(name.size() < 64 ? name.size() : 64);
  const int64_t target = internal::TargetOf(name);
  if (target == 0) {
    return internal::Error(StatusCode::kInvalidArgument,
                           "target = \"%.*s\": not compiled into the library",
                           length, name.data());
  }
  if ((target & internal::Available()) == 0) {
    return internal::Error(StatusCode::kUnsupported,
                           "target = \"%.*s\": not supported by this CPU",
                           length, name.data());
  }
  internal::chosen.Update(target);
  return Status();
}

}  // namespace ropewalk

#endif  // HWY_ONCE
