// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Owners of the C interface's objects.
#pragma once
#include <memory>

#include "ropewalk/ropewalk_c.h"

namespace ropewalk::test {

template <auto kDestroy>
struct Destroyer {
  template <class T>
  void operator()(T* object) const {
    kDestroy(object);
  }
};
using CFrequencies = std::unique_ptr<ropewalk_frequencies,
                                     Destroyer<ropewalk_frequencies_destroy>>;
using CTable = std::unique_ptr<ropewalk_angle_table,
                               Destroyer<ropewalk_angle_table_destroy>>;
using CRows = std::unique_ptr<ropewalk_angle_rows,
                              Destroyer<ropewalk_angle_rows_destroy>>;
using CAngleCache = std::unique_ptr<ropewalk_angle_cache,
                                    Destroyer<ropewalk_angle_cache_destroy>>;
using CMultimodal =
    std::unique_ptr<ropewalk_multimodal_positions,
                    Destroyer<ropewalk_multimodal_positions_destroy>>;

}  // namespace ropewalk::test
