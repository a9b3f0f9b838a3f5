// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// How commands name what config.h says of positions.
#pragma once
#include "ropewalk/config.h"

namespace ropewalk::cli {

inline const char* RuleName(QueryScaleRule rule) {
  switch (rule) {
    case QueryScaleRule::kNone:
      return "none";
    case QueryScaleRule::kLogN:
      return "logn";
    case QueryScaleRule::kLlama4:
      return "llama4";
    case QueryScaleRule::kMistral3:
      return "mistral3";
  }
  return "";
}

inline const char* RuleName(PromptRule rule) {
  switch (rule) {
    case PromptRule::kConsecutive:
      return "consecutive";
    case PromptRule::kMultimodal:
      return "multimodal";
    case PromptRule::kTextOnly:
      return "text only";
  }
  return "";
}

inline const char* TimeName(VideoTime time) {
  switch (time) {
    case VideoTime::kFrames:
      return "frames";
    case VideoTime::kSeconds:
      return "seconds";
    case VideoTime::kTimestamps:
      return "timestamps";
  }
  return "";
}

inline const char* SchemeName(VisionScheme scheme) {
  return scheme == VisionScheme::kPixtral ? "pixtral" : "axial";
}

inline const char* PlaceName(ClassToken place) {
  switch (place) {
    case ClassToken::kNone:
      return "none";
    case ClassToken::kFirst:
      return "first";
    case ClassToken::kLast:
      return "last";
  }
  return "";
}

}  // namespace ropewalk::cli
