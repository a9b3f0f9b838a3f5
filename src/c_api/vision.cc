// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "ropewalk/vision.h"

#include <vector>

#include "c_api/call.h"
#include "c_api/handles.h"
#include "c_api/read_sections.h"
#include "c_api/read_types.h"
#include "c_api/struct_size.h"
#include "ropewalk/c/frequencies.h"

namespace rw = ropewalk;
namespace internal = ropewalk::internal;

ropewalk_status ropewalk_axial_frequencies(int32_t head_dim,
                                           const uint8_t* components,
                                           int32_t axes, double base,
                                           ropewalk_frequencies** frequencies,
                                           ropewalk_error* error) {
  if (frequencies != nullptr) *frequencies = nullptr;
  return internal::Call(error, [&]() -> rw::Status {
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("frequencies", frequencies));
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("components", components));
    // The same rule for axes, before so many components are read.
    ROPEWALK_RETURN_IF_ERROR(
        rw::AxialLayout(head_dim, axes, rw::Pairing::kHalf).status());
    return internal::HandOut(
        rw::AxialFrequencies(
            head_dim, std::vector<uint8_t>(components, components + axes),
            base),
        frequencies);
  });
}

ropewalk_status ropewalk_chatglm_frequencies(int32_t head_dim, double base,
                                             ropewalk_frequencies** frequencies,
                                             ropewalk_error* error) {
  if (frequencies != nullptr) *frequencies = nullptr;
  return internal::Call(error, [&]() -> rw::Status {
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("frequencies", frequencies));
    return internal::HandOut(rw::ChatGlmFrequencies(head_dim, base),
                             frequencies);
  });
}

ropewalk_status ropewalk_pixtral_frequencies(int32_t head_dim, double base,
                                             ropewalk_frequencies** frequencies,
                                             ropewalk_error* error) {
  if (frequencies != nullptr) *frequencies = nullptr;
  return internal::Call(error, [&]() -> rw::Status {
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("frequencies", frequencies));
    return internal::HandOut(rw::PixtralFrequencies(head_dim, base),
                             frequencies);
  });
}

ropewalk_status ropewalk_ggml_vision_frequencies(
    int32_t n_dims, const int32_t* sections, int32_t section_count, double base,
    ropewalk_frequencies** frequencies, ropewalk_error* error) {
  if (frequencies != nullptr) *frequencies = nullptr;
  return internal::Call(error, [&]() -> rw::Status {
    ROPEWALK_RETURN_IF_ERROR(internal::NotNull("frequencies", frequencies));
    const auto list = internal::ReadSections(sections, section_count);
    ROPEWALK_RETURN_IF_ERROR(list.status());
    return internal::HandOut(
        rw::GgmlVisionFrequencies(n_dims, list.value(), base), frequencies);
  });
}

ropewalk_status ropewalk_axial_layout(int32_t head_dim, int32_t axes,
                                      ropewalk_pairing pairing,
                                      ropewalk_rotary_layout* layout,
                                      ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    ROPEWALK_RETURN_IF_ERROR(internal::CheckSize("layout", layout));
    const auto cc_pairing = internal::ReadPairing("pairing", pairing);
    ROPEWALK_RETURN_IF_ERROR(cc_pairing.status());
    const auto made = rw::AxialLayout(head_dim, axes, cc_pairing.value());
    ROPEWALK_RETURN_IF_ERROR(made.status());
    internal::WriteStruct(internal::ToC(made.value()), layout);
    return rw::Status();
  });
}

ropewalk_status ropewalk_axial_part_layouts(int32_t head_dim, int32_t axes,
                                            ropewalk_rotary_layout* layouts,
                                            ropewalk_error* error) {
  return internal::Call(error, [&]() -> rw::Status {
    const auto made = rw::AxialPartLayouts(head_dim, axes);
    ROPEWALK_RETURN_IF_ERROR(made.status());
    ROPEWALK_RETURN_IF_ERROR(internal::CheckSizes("layouts", layouts, axes));
    for (int i = 0; i < axes; ++i) {
      internal::WriteStruct(internal::ToC(made.value()[static_cast<size_t>(i)]),
                            internal::Element(layouts, i));
    }
    return rw::Status();
  });
}
