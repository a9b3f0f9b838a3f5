// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// What a call may return, as the headers say it. With several faults any of
// their codes is right: which is found first is nobody's contract.
#pragma once
#include "ropewalk/c/status.h"

namespace ropewalk::fuzz {

class Verdict {
 public:
  // A fault that the call has to report.
  void Must(ropewalk_status code, int line = __builtin_LINE()) {
    if (must_ == 0) line_ = line;
    must_ |= 1u << code;
  }
  void MustIf(bool fault, ropewalk_status code, int line = __builtin_LINE()) {
    if (fault) Must(code, line);
  }
  // One that it may find, or not look at.
  void May(ropewalk_status code) { may_ |= 1u << code; }
  void MayIf(bool fault, ropewalk_status code) {
    if (fault) May(code);
  }
  void Add(const Verdict& other) {
    if (must_ == 0) line_ = other.line_;
    must_ |= other.must_;
    may_ |= other.may_;
  }
  // Of arguments that the call need not look at.
  void AddAsMay(const Verdict& other) { may_ |= other.must_ | other.may_; }

  // Of the model, where the first fault was found: for who reads a finding.
  int line() const { return line_; }
  bool MustFail() const { return must_ != 0; }
  bool Allows(ropewalk_status code, bool memory_refused) const {
    if (code == ROPEWALK_OK) return !MustFail();
    if (code == ROPEWALK_OUT_OF_MEMORY && memory_refused) return true;
    return code > 0 && code < 8 && (((must_ | may_) >> code) & 1) != 0;
  }

 private:
  unsigned must_ = 0;
  unsigned may_ = 0;
  int line_ = 0;
};

}  // namespace ropewalk::fuzz
