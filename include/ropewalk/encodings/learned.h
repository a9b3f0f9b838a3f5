// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Learned positions, added to hidden states.
#pragma once
#include <cstdint>

#include "ropewalk/encodings/embedding_table.h"
#include "ropewalk/encodings/hidden_states.h"
#include "ropewalk/export.h"
#include "ropewalk/parallel.h"
#include "ropewalk/positions.h"
#include "ropewalk/status.h"

namespace ropewalk {

/// Adds row position + offset of the table to each token, in place.
///
/// Shape:     hidden [positions, table.width]; integer positions of one
///            component; the table's vocabulary counts its rows. The offset is
///            2 for OPT and BART, 0 for GPT-2 and BERT.
/// Aliasing:  no two tokens share an element, nor do hidden states and table,
///            nor a byte the positions.
/// Accuracy:  the float32 sum, rounded once to the type of the hidden states,
///            to nearest even. NaN stays NaN; which, of two, is not fixed. Else
///            the same bits on every target, but for bf16 denormals where
///            FlushesBF16Denormals().
/// Errors:    kInvalidArgument; kOutOfRange: a row outside the table; the
///            message names the position, the offset and the size. On an error
///            nothing is written.
/// Threads:   safe on disjoint hidden states; allocates nothing, takes no lock.
/// Source:    Gehring et al. 2017, arXiv:1705.03122; HF's OPT and BART for the
///            offset.
ROPEWALK_EXPORT Status
AddLearned(const EmbeddingTable& table, const Positions& positions,
           int64_t offset, const HiddenStates& hidden,
           Parallel parallel = Parallel::Serial()) noexcept;

}  // namespace ropewalk
