// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// How structs that begin with their size are read and written. A field that is
// appended must not lie in what was padding, which older callers have not set.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "ropewalk/status.h"
#include "status/error.h"

namespace ropewalk::internal {

// sizeof(T) in the version that brought the struct: specialise it, with the
// number, where a field is appended.
template <class T>
inline constexpr uint32_t kFirstSize = sizeof(T);

// No struct will ever be larger; a size that nobody has set may be.
inline constexpr uint32_t kLargestSize = 1024;

// Of a struct of either direction: null, and sizes that cannot be.
template <class T>
Status CheckSize(const char* name, const T* given) noexcept {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= kLargestSize);
  if (given == nullptr) {
    return Error(StatusCode::kInvalidArgument, "%s = null: must be given",
                 name);
  }
  const uint32_t size = given->struct_size;
  // A compiler's sizes are multiples of the alignment; others would misalign
  // the elements of an array.
  if (size >= kFirstSize<T> && size <= kLargestSize && size % alignof(T) == 0) {
    return Status();
  }
  return Error(StatusCode::kInvalidArgument,
               "%s.struct_size = %u: must be the struct's size, at least %u",
               name, size, kFirstSize<T>);
}

// Of a struct of another version, or none.
template <class T>
[[gnu::noinline]] Status ReadOtherSize(const char* name, const T* given,
                                       T* out) noexcept {
  ROPEWALK_RETURN_IF_ERROR(CheckSize(name, given));
  const auto* const bytes = reinterpret_cast<const unsigned char*>(given);
  const uint32_t size = given->struct_size;
  for (uint32_t i = sizeof(T); i < size; ++i) {
    if (bytes[i] != 0) {
      return Error(StatusCode::kUnsupported,
                   "%s.struct_size = %u: byte %u is not 0, of a field that "
                   "this version does not know",
                   name, size, i);
    }
  }
  *out = T{};
  std::memcpy(out, given, std::min<size_t>(size, sizeof(T)));
  return Status();
}

// Copies what both the caller and this version know; the rest of *out is 0.
// Small enough to be inlined: a decode reads four structs.
template <class T>
Status ReadStruct(const char* name, const T* given, T* out) noexcept {
  if (given == nullptr || given->struct_size != sizeof(T)) {
    return ReadOtherSize(name, given, out);
  }
  *out = *given;
  return Status();
}

// Writes what both the caller and this version know: no byte past sizeof(T), in
// case that nobody has set the size. Requires CheckSize.
template <class T>
void WriteStruct(const T& value, T* out) noexcept {
  const uint32_t size = out->struct_size;
  std::memcpy(out, &value, std::min<size_t>(size, sizeof(T)));
  out->struct_size = size;
}

// Element i of an array whose caller may have other sizes: all have that of
// the first.
template <class T>
const T* Element(const T* first, int64_t i) noexcept {
  return reinterpret_cast<const T*>(
      reinterpret_cast<const unsigned char*>(first) + i * first->struct_size);
}
template <class T>
T* Element(T* first, int64_t i) noexcept {
  return const_cast<T*>(Element(static_cast<const T*>(first), i));
}

// Whether element i says the size by which it was found.
template <class T>
Status CheckSameSize(const char* name, const T* first, int64_t i) noexcept {
  const uint32_t size = Element(first, i)->struct_size;
  if (size == first->struct_size) return Status();
  return Error(StatusCode::kInvalidArgument,
               "%s[%lld].struct_size = %u: must be that of the first, %u", name,
               static_cast<long long>(i), size, first->struct_size);
}

// Of an array: null, a size that cannot be, or one that differs.
template <class T>
Status CheckSizes(const char* name, const T* first, int64_t count) noexcept {
  if (count > 0) ROPEWALK_RETURN_IF_ERROR(CheckSize(name, first));
  for (int64_t i = 1; i < count; ++i) {
    ROPEWALK_RETURN_IF_ERROR(CheckSameSize(name, first, i));
  }
  return Status();
}

}  // namespace ropewalk::internal
