// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// All of ropewalk::ropewalk in one include; config.h is apart, as its library
// is. A complete program:
//
//   #include <cmath>
//   #include <cstdint>
//   #include <cstdio>
//   #include <vector>
//
//   #include "ropewalk/ropewalk.h"
//
//   namespace rw = ropewalk;
//
//   static int Fail(const rw::Status& status) {
//     std::fprintf(stderr, "%s\n", status.message());
//     return 1;
//   }
//
//   int main() {
//     // When the model is loaded.
//     rw::RopeParameters rope;
//     rope.rotary_dim = 128;
//     rope.base = 500000;
//     rw::AngleCache angles{rw::AngleCacheOptions{}};
//     auto table = angles.Get(rope, /*sequence_length=*/0, rw::AngleOptions{});
//     if (!table.ok()) return Fail(table.status());
//
//     // Once per step, for all layers.
//     const std::vector<int64_t> ids = {0, 1, 131071};
//     const auto tokens = static_cast<int64_t>(ids.size());
//     rw::AngleRows rows;  // kept: no allocation after the largest step
//     rw::Status s = table.value()->Fill({ids.data(), tokens}, &rows);
//     if (!s.ok()) return Fail(s);
//
//     // Once per layer: Q with 32 heads and K with 8, [tokens, heads, 128].
//     std::vector<float> q(3 * 32 * 128, 1.0f), k(3 * 8 * 128, 1.0f);
//     rw::RotaryLayout layout;
//     layout.head_dim = layout.rotary_dim = 128;
//     s = rw::Rotate(rows, layout,
//                    {rw::DenseHeads(q.data(), tokens, 32, 128),
//                     rw::DenseHeads(k.data(), tokens, 8, 128)},
//                    rw::RotateOptions{});
//     if (!s.ok()) return Fail(s);
//
//     // Pair 0 of the second token turned by one radian.
//     const double want = std::cos(1.0) - std::sin(1.0);
//     return std::fabs(q[32 * 128] - want) < 1e-6 ? 0 : 1;
//   }
#pragma once

#include "ropewalk/angle_rows.h"
#include "ropewalk/angles.h"
#include "ropewalk/axes.h"
#include "ropewalk/bands.h"
#include "ropewalk/frequencies.h"
#include "ropewalk/grid_positions.h"
#include "ropewalk/head_transform.h"
#include "ropewalk/kv_cache.h"
#include "ropewalk/multimodal_positions.h"
#include "ropewalk/parallel.h"
#include "ropewalk/position_buffer.h"
#include "ropewalk/position_transforms.h"
#include "ropewalk/positions.h"
#include "ropewalk/query_scale.h"
#include "ropewalk/rotate.h"
#include "ropewalk/scaling.h"
#include "ropewalk/scaling_schemes.h"
#include "ropewalk/slots.h"
#include "ropewalk/status.h"
#include "ropewalk/target.h"
#include "ropewalk/types.h"
#include "ropewalk/version.h"
#include "ropewalk/vision.h"
#include "ropewalk/weights.h"
