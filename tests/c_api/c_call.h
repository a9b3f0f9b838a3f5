// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the C interface share: owners of its objects, its structs
// made from those of C++, and whether two calls ended alike.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/angle_rows.h"
#include "ropewalk/angles.h"
#include "ropewalk/head_transform.h"
#include "ropewalk/kv_cache.h"
#include "ropewalk/ropewalk_c.h"
#include "ropewalk/scaling.h"
#include "ropewalk/types.h"
#include "support/c_handles.h"

namespace ropewalk::test {

CRows MakeRows();
// Of a call that must succeed.
CFrequencies FrequenciesOf(const ropewalk_rope_parameters& parameters,
                           int64_t sequence_length = 0);
CTable TableOf(const ropewalk_frequencies* frequencies,
               const ropewalk_angle_options* options = nullptr);

// An error as a failed call may have left it: a success must clear it.
ropewalk_error UsedError();

// Whether the call in C returned the code of the one in C++, and the same code
// and message in its error.
testing::AssertionResult Alike(ropewalk_status code,
                               const ropewalk_error& error,
                               const Status& status);
testing::AssertionResult Fails(ropewalk_status code,
                               const ropewalk_error& error,
                               ropewalk_status want);

// RopeParameters as C has them; points into the parameters it was made of.
class CParameters {
 public:
  explicit CParameters(const RopeParameters& parameters);
  CParameters(const CParameters&) = delete;
  CParameters& operator=(const CParameters&) = delete;

  const ropewalk_rope_parameters& value() const { return value_; }

 private:
  template <class T>
  T* Use(ropewalk_scheme scheme, const T& initial);
  void Set(const NoScaling& scaling);
  void Set(const LinearScaling& scaling);
  void Set(const NtkScaling& scaling);
  void Set(const NtkAlphaScaling& scaling);
  void Set(const DynamicNtkScaling& scaling);
  void Set(const QwenDynamicNtkScaling& scaling);
  void Set(const VllmNtkScaling& scaling);
  void Set(const YarnScaling& scaling);
  void Set(const DeepSeekYarnScaling& scaling);
  void Set(const GrokYarnLogScaling& scaling);
  void Set(const GrokThetaScaling& scaling);
  void Set(const Llama3Scaling& scaling);
  void Set(const LongRopeScaling& scaling);
  void Set(const ProportionalScaling& scaling);
  void Set(const FrequencyFactors& scaling);
  void Set(const GgmlScaling& scaling);
  void Set(const ExplicitFrequencies& scaling);

  ropewalk_rope_parameters value_ = ROPEWALK_ROPE_PARAMETERS_INIT;
  std::shared_ptr<void> scaling_;
};

int32_t TypeToC(DataType type);
int32_t PairingToC(Pairing pairing);
ropewalk_rotary_layout ToC(const RotaryLayout& layout);
ropewalk_heads ToC(const HeadsView& view);
ropewalk_const_heads ToCConst(const ConstHeadsView& view);
ropewalk_kv_cache ToC(const KvCacheView& cache);
ropewalk_cos_sin ToC(const ConstCosSinView& table);
ropewalk_parallel ToC(const Parallel& parallel);
ropewalk_head_norm ToC(const HeadNorm& norm);
// Its norm is the one that is given.
ropewalk_head_transform ToC(const HeadTransform& transform,
                            const ropewalk_head_norm* norm);
ropewalk_angle_options ToC(const AngleOptions& options);

// Whether both rows hold the same bits.
testing::AssertionResult SameRows(const ropewalk_angle_rows* got,
                                  const AngleRows& want);
testing::AssertionResult SameFrequencies(const ropewalk_frequencies* got,
                                         const Frequencies& want);

}  // namespace ropewalk::test
