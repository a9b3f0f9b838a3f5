// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Rotates query and key heads by the angle rows of one step.
#pragma once
#include <cstdint>
#include <initializer_list>

#include "ropewalk/angle_rows.h"
#include "ropewalk/export.h"
#include "ropewalk/head_transform.h"
#include "ropewalk/parallel.h"
#include "ropewalk/status.h"
#include "ropewalk/types.h"

namespace ropewalk {

/// Which way the pairs turn, m being the rows' attention_factor.
enum class Direction : uint8_t {
  kForward = 0,    ///< Times m R(angle).
  kInverse = 1,    ///< Times R(-angle) / m: undoes kForward of a rotation.
  kTranspose = 2,  ///< Times m R(-angle): the gradient of kForward.
};

struct RotateOptions {
  Direction direction = Direction::kForward;
  Parallel parallel = Parallel::Serial();
  HeadTransform transform;  ///< Of every tensor of the call.
};

/// Rotates heads in place; several tensors, such as Q and K, in one call.
///
/// A pair (x0, x1) becomes (x0 c - x1 s, x0 s + x1 c) with c, s the row's cos
/// and sin. Rows of position 0 with attention_factor 1 are the identity: the
/// bytes are left alone, NaN payloads and -0 included; with another
/// output_pairing they change places, bit for bit. kInverse with pairing and
/// output_pairing exchanged undoes kForward.
///
/// Shape:     each tensor [batch, tokens, heads, head_dim]; rows holds
///            batch * tokens rows in [batch][token] order, or tokens rows
///            shared by the batch. No tokens or no heads: success, nothing
///            is touched.
/// Units:     strides in bytes.
/// Requires:  rows.pairs() >= layout.first_pair + rotary_dim / 2; the heads of
///            each tensor a multiple of rows.heads(), where they turn; data
///            aligned to its element size.
/// Aliasing:  no two addressed heads share an element. Tensors that lie
///            between each other, as the parts of a fused QKV buffer, are
///            fine. Rows that borrow theirs (Wrap) borrow none of these
///            tensors. With another output_pairing a head is read whole before
///            it is written.
/// Accuracy:  f32 within 2.5 ulp (3 on targets without FMA) of
///            max(|x0|, |x1|) of the exact rotation where m is 1. Otherwise
///            within 3 (3.5) ulp of max(|x0|, |x1|) * m, kInverse within 6
///            (6.5) ulp of max(|x0|, |x1|) / m. bf16 and f16 are that result
///            rounded once, to nearest even.
/// Errors:    kInvalidArgument, kOutOfRange; kUnsupported: a head past
///            kMaxTransformDim with a transform, or a rotary_dim past it with
///            another output_pairing. On an error nothing has been written.
/// Threads:   safe on disjoint tensors; allocates nothing, takes no lock.
/// Source:    Su et al. 2021, arXiv:2104.09864, eq. 34.
ROPEWALK_EXPORT Status Rotate(const AngleRows& rows, const RotaryLayout& layout,
                              const HeadsView* in_place, int count,
                              const RotateOptions& options) noexcept;
ROPEWALK_EXPORT Status Rotate(const AngleRows& rows, const RotaryLayout& layout,
                              std::initializer_list<HeadsView> in_place,
                              const RotateOptions& options) noexcept;

/// Rotates out of place, between strides and data types; dims outside the
/// rotary window are copied bit for bit, or converted.
///
/// Shape:     in and out agree in batch, tokens and heads.
/// Aliasing:  out may equal in exactly (pointer, strides and type); any
///            other overlap is refused.
///            The rest is as above.
ROPEWALK_EXPORT Status Rotate(const AngleRows& rows, const RotaryLayout& layout,
                              const ConstHeadsView& in, const HeadsView& out,
                              const RotateOptions& options) noexcept;

}  // namespace ropewalk
