// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "frequencies/sections.h"
#include "ropewalk/axes.h"

namespace ropewalk {
namespace internal {
namespace {

// Deals the pairs of up to three sections out, one after the other.
class Balance {
 public:
  explicit Balance(const std::vector<int>& sections) noexcept {
    for (size_t k = 0; k < sections.size(); ++k) sizes_[k] = sections[k];
  }

  int Next() noexcept {
    int best = -1;
    for (int k = 0; k < 3; ++k) {
      if (dealt_[k] == sizes_[k] || k == last_) continue;
      // Quotients compared without a division.
      if (best < 0 || dealt_[k] * sizes_[best] < dealt_[best] * sizes_[k]) {
        best = k;
      }
    }
    if (best >= 0) last_ = best;
    ++dealt_[last_];
    return last_;
  }

  void TakeOneOf(int section) noexcept { --sizes_[section]; }

 private:
  int64_t sizes_[3] = {0, 0, 0};
  int64_t dealt_[3] = {0, 0, 0};
  int last_ = -1;
};

}  // namespace
}  // namespace internal

Result<std::vector<uint8_t>> BalancedAxes(const std::vector<int>& sections,
                                          int pairs) noexcept {
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateSections(sections, pairs, 2, 3));
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateSum(sections, pairs));
  internal::Balance balance(sections);
  const bool last_is_temporal = sections.size() == 3 && pairs > 0;
  if (last_is_temporal) {
    if (sections[0] == 0) {
      return internal::Error(StatusCode::kInvalidArgument,
                             "sections[0] = 0: must be positive, as the last "
                             "pair of three sections follows component 0");
    }
    balance.TakeOneOf(0);
  }
  return internal::MakeAxes(pairs, [&](int i) {
    return last_is_temporal && i == pairs - 1 ? 0 : balance.Next();
  });
}

}  // namespace ropewalk
