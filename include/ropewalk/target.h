// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Which instruction set the kernels use. The dispatch state is this library's
// own: it never switches the host's own Highway code.
#pragma once
#include <string_view>

#include "ropewalk/export.h"
#include "ropewalk/status.h"

namespace ropewalk {

/// Target names, best first; the strings live as long as the program.
struct TargetNames {
  const char* const* names;
  int count;
};

/// Lists the targets the kernels were compiled for.
ROPEWALK_EXPORT TargetNames CompiledTargets() noexcept;

/// Lists the compiled targets that this CPU supports.
ROPEWALK_EXPORT TargetNames AvailableTargets() noexcept;

/// Names the target that the next call will use: the best available one,
/// unless the environment variable ROPEWALK_TARGET (read once, at the first
/// use of the library) or ForceTarget() names another. A variable that names
/// no available target is ignored; ActiveTarget() tells.
ROPEWALK_EXPORT const char* ActiveTarget() noexcept;

/// Makes every later call use the named target; "" restores detection.
///
/// Errors:    kInvalidArgument: no compiled target of that name.
///            kUnsupported: compiled, but not supported by this CPU.
/// Threads:   safe; a call that is running meanwhile may use both targets,
///            whose bits differ as FMA does.
ROPEWALK_EXPORT Status ForceTarget(std::string_view name) noexcept;

/// Whether the active target converts to bf16 by the CPU's own instruction
/// (AVX512_BF16), which reads and writes denormals as zero; everything else
/// has the same bits. The build option ROPEWALK_NATIVE_BF16 turns it off.
ROPEWALK_EXPORT bool FlushesBF16Denormals() noexcept;

}  // namespace ropewalk
