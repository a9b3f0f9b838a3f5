// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// A change that makes a call wrong, and what the error has to say.
#pragma once
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "ropewalk/parallel.h"
#include "ropewalk/status.h"

namespace ropewalk::test {

template <class Call>
struct Refusal {
  StatusCode code;
  std::vector<std::string> words;  // argument, value and rule
  std::function<void(Call*)> change;
};

inline void ExpectRefused(const Status& status, StatusCode code,
                          const std::vector<std::string>& words) {
  const std::string message = status.message();
  std::string all;
  for (const std::string& word : words) all += word + " ";
  EXPECT_EQ(status.code(), code) << all << "gave: " << message;
  for (const std::string& word : words) {
    EXPECT_NE(message.find(word), std::string::npos)
        << "'" << word << "' is not in: " << message;
  }
}

// The ways to run a call, all of which have to refuse it; the given one only
// where it is itself wrong.
inline std::vector<Parallel> Ways(const Parallel& given) {
  if (given.kind() != Parallel::Kind::kSerial) return {given};
  return {given, Parallel::Tbb(), Parallel::Share(0, 3), Parallel::Share(1, 3),
          Parallel::Share(2, 3)};
}

}  // namespace ropewalk::test
