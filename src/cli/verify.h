// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// `ropewalk verify`: rotates heads of a model's shapes on every target, and
// compares frequencies and heads with the double oracle.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "cli/accuracy.h"
#include "cli/model_file.h"
#include "reference/schemes.h"
#include "ropewalk/config.h"
#include "ropewalk/frequencies.h"
#include "ropewalk/scaling.h"
#include "ropewalk/status.h"

namespace ropewalk::cli {

struct VerifyOptions {
  FileOptions file;
  std::string target;  // Empty: all that this CPU has.
};

// A kind of layer under one choice of what its scheme looks at: a list of
// LongRoPE, a sequence length. Or a vision encoder.
struct VerifyCase {
  std::string name;
  RopeParameters parameters;  // Not of a vision encoder.
  int64_t sequence_length = 0;
  // What turns in a call of its own, each: Q and K where they look the same, a
  // window of a head.
  std::vector<HeadsShape> shapes;
  // Of token 0 all components are 0; of the others, if there are several, no
  // two are the same.
  TokenPositions positions;
};

// Both lists of LongRoPE; length 0 and twice the original of what depends on
// the length; else one case.
std::vector<VerifyCase> CasesOf(const LayerRope& layer, int64_t max_positions);

// Coordinates as images have.
VerifyCase CaseOf(const VisionRope& vision);

// What an encoder's pairs must turn by; positions.axis of its case is the
// oracle's too.
reference::Scheme OracleOf(const VisionRope& vision);

// 0, 1, the last original one, the next, and the model's last one, as far as
// they are known, each once; 131071 where the last one is not. At most 2^31
// - 1.
std::vector<int64_t> PositionsOf(const LayerRope& layer, int64_t max_positions);

// One line of the report.
struct Check {
  std::string case_name;
  std::string what;    // "inv_freq", ..., or the data type of the heads.
  std::string target;  // Empty: the same on all.
  Error error;
};

// Checks a case whose frequencies `used` must be the oracle's: them, the
// factors, then heads of each data type on each target. Heads that do not turn
// must be copied bit for bit.
Status VerifyFrequencies(const VerifyCase& one, const reference::Scheme& oracle,
                         const Frequencies& used,
                         const std::vector<std::string>& targets,
                         std::vector<Check>* checks);

// Prints a line for each check. Returns kFine, or kBroken if one is past its
// limit.
int Report(const std::string& family, const std::vector<Check>& checks);

// Verifies the file's layers and reports. Returns the program's exit code,
// kFailed if it could not be done.
int RunVerify(const VerifyOptions& options);

}  // namespace ropewalk::cli
