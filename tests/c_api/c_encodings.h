// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// The structs and enumerators of the encodings in C, made from those of C++.
#pragma once
#include <cstdint>

#include "c_api/c_call.h"
#include "ropewalk/encodings.h"

namespace ropewalk::test {

ropewalk_embedding_table ToC(const EmbeddingTable& table);
ropewalk_hidden_states ToC(const HiddenStates& hidden);
ropewalk_const_hidden_states ToCConst(const ConstHiddenStates& hidden);
ropewalk_scores ToC(const Scores& scores);
ropewalk_t5_buckets ToC(const T5Buckets& rule);
ropewalk_shaw_rule ToC(const ShawRule& rule);
// Their pointer is the one that is given.
ropewalk_lookup_options ToC(const LookupOptions& options,
                            const ropewalk_parallel* parallel);
ropewalk_sinusoidal_options ToC(const SinusoidalOptions& options,
                                const ropewalk_parallel* parallel);

int32_t RangeToC(ScoreRange range);
int32_t OrderToC(SinusoidalOrder order);
int32_t LadderToC(SinusoidalLadder ladder);

}  // namespace ropewalk::test
