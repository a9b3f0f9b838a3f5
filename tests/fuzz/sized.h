// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// Structs that begin with their size, in memory of exactly so many bytes: one
// that is read past its end is found by AddressSanitizer.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "fuzz/draw.h"
#include "fuzz/verdict.h"

namespace ropewalk::fuzz {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

// Sizes that c/status.h allows or refuses: those of later versions are longer
// and end in zeros.
template <class T>
struct DrawnSize {
  DrawnSize(Draw* draw, Verdict* verdict) {
    constexpr uint32_t kSize = sizeof(T);
    value = bytes = kSize;
    if (!draw->Rarely()) return;
    switch (draw->Int(0, 5)) {
      case 0:
        value = bytes = kSize + 8 * static_cast<uint32_t>(draw->Int(1, 4));
        return;
      case 1:
        value = bytes = kSize + 8;
        has_unknown = true;
        verdict->Must(ROPEWALK_UNSUPPORTED);
        return;
      case 2:
        value = bytes = kSize - alignof(T);
        break;
      case 3:
        value = bytes = kSize + 1;
        break;
      case 4:
        value = 0;
        bytes = sizeof(uint32_t);
        break;
      default:
        value = draw->Pick<uint32_t>({1025, 2048, INT32_MAX, UINT32_MAX});
        break;
    }
    verdict->Must(ROPEWALK_INVALID_ARGUMENT);
  }

  uint32_t value;
  uint32_t bytes;            // that may be read
  bool has_unknown = false;  // a byte past sizeof(T) is not 0
};

template <class T>
class Sized {
 public:
  Sized() = default;
  // Rarely null, which must be reported, unless it is said to be legal.
  Sized(Draw* draw, const T& value, Verdict* verdict, bool may_be_null = false)
      : value_(value) {
    if (draw->Rarely()) {
      if (!may_be_null) verdict->Must(ROPEWALK_INVALID_ARGUMENT);
      return;
    }
    const DrawnSize<T> size(draw, verdict);
    bytes_.reset(static_cast<uint8_t*>(std::calloc(size.bytes, 1)));
    value_.struct_size = size.value;
    std::memcpy(bytes_.get(), &value_,
                std::min<size_t>(size.bytes, sizeof(value_)));
    if (size.has_unknown) bytes_.get()[size.bytes - 1] = 1;
  }

  T* get() const { return reinterpret_cast<T*>(bytes_.get()); }
  const T& value() const { return value_; }

 private:
  T value_;
  std::unique_ptr<uint8_t, Free> bytes_;
};

}  // namespace ropewalk::fuzz
