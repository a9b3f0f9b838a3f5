// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "accuracy/exact_rows.h"

#include <mpfr.h>

namespace ropewalk::test {
namespace {

constexpr mpfr_prec_t kBits = 128;

class Number {
 public:
  Number() { mpfr_init2(value_, kBits); }
  ~Number() { mpfr_clear(value_); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;

  mpfr_ptr get() { return value_; }

 private:
  mpfr_t value_;
};

// Spoils the number.
Twofold Split(mpfr_ptr value) {
  const double high = mpfr_get_d(value, MPFR_RNDN);
  mpfr_sub_d(value, value, high, MPFR_RNDN);  // exact
  return {high, mpfr_get_d(value, MPFR_RNDN)};
}

}  // namespace

std::vector<ExactPair> ExactRows(const std::vector<int64_t>& positions,
                                 const std::vector<double>& inv_freq,
                                 double m) {
  static_assert(sizeof(long) == sizeof(int64_t), "positions pass as long");
  Number angle, cos, sin;
  std::vector<ExactPair> rows;
  rows.reserve(positions.size() * inv_freq.size());
  for (const int64_t position : positions) {
    for (const double w : inv_freq) {
      mpfr_set_d(angle.get(), w, MPFR_RNDN);
      mpfr_mul_si(angle.get(), angle.get(), position, MPFR_RNDN);
      mpfr_sin_cos(sin.get(), cos.get(), angle.get(), MPFR_RNDN);
      mpfr_mul_d(cos.get(), cos.get(), m, MPFR_RNDN);
      mpfr_mul_d(sin.get(), sin.get(), m, MPFR_RNDN);
      rows.push_back({Split(cos.get()), Split(sin.get())});
    }
  }
  return rows;
}

}  // namespace ropewalk::test
