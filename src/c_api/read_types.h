// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// From the structs of C to those of C++. A null pointer is an error, but where
// a function says what it stands for; names go into messages.
#pragma once
#include <cstdint>
#include <optional>

#include "ropewalk/angle_rows.h"
#include "ropewalk/c/angle_rows.h"
#include "ropewalk/c/kv_cache.h"
#include "ropewalk/c/positions.h"
#include "ropewalk/c/types.h"
#include "ropewalk/head_transform.h"
#include "ropewalk/kv_cache.h"
#include "ropewalk/parallel.h"
#include "ropewalk/positions.h"
#include "ropewalk/slots.h"
#include "ropewalk/status.h"
#include "ropewalk/types.h"
#include "status/error.h"

namespace ropewalk::internal {

// A value that fits the enumeration; whether it is one of it says the call
// that takes it.
template <class E>
Status ReadEnum(const char* owner, const char* field, int32_t value,
                E* out) noexcept {
  if (value < 0 || value > UINT8_MAX) {
    return Error(StatusCode::kInvalidArgument, "%s.%s = %d: no such value",
                 owner, field, static_cast<int>(value));
  }
  *out = static_cast<E>(value);
  return Status();
}

Result<Pairing> ReadPairing(const char* name, ropewalk_pairing given) noexcept;
// 0: none.
Status ReadPairing(const char* owner, const char* field, ropewalk_pairing given,
                   std::optional<Pairing>* pairing) noexcept;
Status ReadType(const char* owner, const char* field, ropewalk_data_type given,
                DataType* type) noexcept;
// Of a field for later versions.
Status ReadReserved(const char* owner, int32_t given) noexcept;
Status Read(const char* name, const ropewalk_rotary_layout* given,
            RotaryLayout* layout) noexcept;
Status Read(const char* name, const ropewalk_heads* given,
            HeadsView* heads) noexcept;
Status Read(const char* name, const ropewalk_const_heads* given,
            ConstHeadsView* heads) noexcept;
// Null: no transform.
Status Read(const char* name, const ropewalk_head_transform* given,
            HeadTransform* transform) noexcept;
Status Read(const char* name, const ropewalk_kv_cache* given,
            KvCacheView* cache) noexcept;
Status Read(const char* name, const ropewalk_cos_sin* given,
            CosSinView* table) noexcept;
Status Read(const char* name, const ropewalk_cos_sin* given,
            ConstCosSinView* table) noexcept;
// Null: Serial().
Status Read(const char* name, const ropewalk_parallel* given,
            Parallel* parallel) noexcept;
Result<Positions> ReadPositions(const char* name,
                                const ropewalk_positions* given) noexcept;
Result<Slots> ReadSlots(const char* name, const ropewalk_slots* given) noexcept;

// The other way.
constexpr ropewalk_data_type ToC(DataType type) noexcept {
  return static_cast<ropewalk_data_type>(type) + 1;
}
constexpr ropewalk_pairing ToC(Pairing pairing) noexcept {
  return static_cast<ropewalk_pairing>(pairing) + 1;
}
ropewalk_rotary_layout ToC(const RotaryLayout& layout) noexcept;

}  // namespace ropewalk::internal
