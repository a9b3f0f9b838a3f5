// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "integration/ggml/rope_grid.h"

#include <algorithm>

namespace ropewalk::test {
namespace {

constexpr int kAllModes[] = {GGML_ROPE_TYPE_NORMAL, GGML_ROPE_TYPE_NEOX,
                             GGML_ROPE_TYPE_MROPE, GGML_ROPE_TYPE_IMROPE,
                             GGML_ROPE_TYPE_VISION};
constexpr ggml_type kTypes[] = {GGML_TYPE_F32, GGML_TYPE_F16};
constexpr float kOdd = 1.4245f;  // of freq_scale and attn_factor, where not 1

struct Shape {
  int64_t head_dim, heads, tokens;
  int n_dims;
  int mode;
};

// For each combination of arguments.
constexpr Shape kShapes[] = {
    {128, 32, 2, 128, GGML_ROPE_TYPE_NORMAL},
    {64, 128, 2, 64, GGML_ROPE_TYPE_NEOX},
};

// For plain arguments and f32 as well.
constexpr Shape kPlainShapes[] = {
    {128, 40, 2, 128, GGML_ROPE_TYPE_NORMAL},
    {128, 52, 2, 128, GGML_ROPE_TYPE_NORMAL},
    {128, 64, 2, 128, GGML_ROPE_TYPE_NORMAL},
    {16, 16, 8192, 16, GGML_ROPE_TYPE_NORMAL},
    {64, 1, 2, 64, GGML_ROPE_TYPE_NEOX},
    {64, 71, 2, 64, GGML_ROPE_TYPE_NEOX},
    {64, 8, 2, 64, GGML_ROPE_TYPE_NEOX},
    {80, 32, 2, 20, GGML_ROPE_TYPE_NORMAL},
    {80, 32, 2, 32, GGML_ROPE_TYPE_NORMAL},
    {80, 32, 4, 32, GGML_ROPE_TYPE_NORMAL},
    {80, 32, 2, 20, GGML_ROPE_TYPE_NEOX},
    {80, 32, 2, 32, GGML_ROPE_TYPE_NEOX},
    {80, 32, 4, 32, GGML_ROPE_TYPE_NEOX},
    {16, 16, 8192, 16, GGML_ROPE_TYPE_NEOX},
    {128, 12, 2, 128, GGML_ROPE_TYPE_MROPE},
    {128, 28, 2, 128, GGML_ROPE_TYPE_MROPE},
    {128, 12, 2, 20, GGML_ROPE_TYPE_MROPE},
    {128, 28, 2, 32, GGML_ROPE_TYPE_MROPE},
    {128, 12, 2, 128, GGML_ROPE_TYPE_IMROPE},
    {128, 28, 2, 128, GGML_ROPE_TYPE_IMROPE},
    {128, 12, 2, 20, GGML_ROPE_TYPE_IMROPE},
    {128, 28, 2, 32, GGML_ROPE_TYPE_IMROPE},
    {128, 16, 2, 128, GGML_ROPE_TYPE_IMROPE},
    {16, 16, 8192, 16, GGML_ROPE_TYPE_IMROPE},
    {80, 16, 2, 80, GGML_ROPE_TYPE_VISION},
};

// n_dims as the list has it; for VISION the op gets half of that.
RopeCase CaseOf(const Shape& shape, const RopeCase& like) {
  RopeCase result = like;
  result.ne[0] = shape.head_dim;
  result.ne[1] = shape.heads;
  result.ne[2] = shape.tokens;
  ropewalk_ggml::RopeArguments& arguments = result.arguments;
  arguments.mode = shape.mode;
  arguments.n_dims = shape.n_dims;
  arguments.beta_fast = arguments.beta_slow = 1;
  if (shape.mode == GGML_ROPE_TYPE_VISION) {
    result.mode = AngleMode::kExact;
    arguments.n_dims = shape.n_dims / 2;
    arguments.sections[0] = arguments.sections[1] = shape.n_dims / 4;
  } else if (ropewalk_ggml::ComponentsOf(arguments) > 1) {
    std::fill_n(arguments.sections, 3, shape.n_dims / 3);
  }
  return result;
}

template <class Visit>
void ForEachArguments(const Visit& visit) {
  RopeCase like;
  for (const bool forward : {true, false}) {
    for (const float freq_scale : {1.0f, kOdd}) {
      for (const float ext_factor : {0.0f, 0.7465f}) {
        for (const float attn_factor : {1.0f, kOdd}) {
          for (const bool factors : {false, true}) {
            like.forward = forward;
            like.arguments.freq_scale = freq_scale;
            like.arguments.ext_factor = ext_factor;
            like.arguments.attn_factor = attn_factor;
            like.factors = factors;
            visit(like);
          }
        }
      }
    }
  }
}

void AddArguments(RopeCase like, std::vector<RopeCase>* cases) {
  const bool plain = like.arguments.freq_scale == 1 &&
                     like.arguments.ext_factor == 0 &&
                     like.arguments.attn_factor == 1;
  for (const ggml_type type : kTypes) {
    like.type = type;
    for (const Place place : {Place::kDense, Place::kCorner}) {
      like.place = place;
      for (const Shape& s : kShapes) cases->push_back(CaseOf(s, like));
      if (!plain || type != GGML_TYPE_F32) continue;
      for (const Shape& s : kPlainShapes) cases->push_back(CaseOf(s, like));
    }
    like.place = Place::kSecondHalf;
    for (const int mode : kAllModes) {
      cases->push_back(CaseOf({36, 16, 2457, 36, mode}, like));
    }
  }
}

RopeCase AllOdd(ggml_type type, bool factors) {
  RopeCase like;
  like.type = type;
  like.factors = factors;
  like.arguments.freq_scale = kOdd;
  like.arguments.ext_factor = 0.7465f;
  like.arguments.attn_factor = kOdd;
  return like;
}

void AddInplace(ggml_type type, bool factors, std::vector<RopeCase>* cases) {
  RopeCase like = AllOdd(type, factors);
  like.inplace = true;
  for (const int mode : kAllModes) {
    const Shape shape = {128, 32, 2, 128, mode};
    like.place = Place::kDense;
    like.ne[3] = 1;
    cases->push_back(CaseOf(shape, like));
    like.place = Place::kCorner;
    cases->push_back(CaseOf(shape, like));
    like.ne[3] = 3;
    cases->push_back(CaseOf(shape, like));
  }
}

void AddOffset(ggml_type type, bool factors, std::vector<RopeCase>* cases) {
  RopeCase like = AllOdd(type, factors);
  like.arguments.n_offs = 32;
  for (const bool forward : {true, false}) {
    like.forward = forward;
    for (const int mode : {GGML_ROPE_TYPE_NORMAL, GGML_ROPE_TYPE_NEOX}) {
      cases->push_back(CaseOf({128, 32, 2, 32, mode}, like));
    }
    for (const int mode : {GGML_ROPE_TYPE_MROPE, GGML_ROPE_TYPE_IMROPE}) {
      cases->push_back(CaseOf({128, 12, 2, 24, mode}, like));
    }
  }
  if (factors) return;
  like.forward = like.inplace = true;
  cases->push_back(CaseOf({128, 32, 2, 32, GGML_ROPE_TYPE_NEOX}, like));
}

}  // namespace

std::vector<RopeCase> RopeGrid(int mode) {
  std::vector<RopeCase> cases;
  ForEachArguments([&](const RopeCase& like) { AddArguments(like, &cases); });
  for (const ggml_type type : kTypes) {
    for (const bool factors : {false, true}) {
      AddInplace(type, factors, &cases);
      AddOffset(type, factors, &cases);
    }
  }
  const auto other = [mode](const RopeCase& rope_case) {
    return rope_case.arguments.mode != mode;
  };
  cases.erase(std::remove_if(cases.begin(), cases.end(), other), cases.end());
  return cases;
}

}  // namespace ropewalk::test
