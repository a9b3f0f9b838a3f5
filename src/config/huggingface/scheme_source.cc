// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "config/huggingface/scheme_source.h"

#include <limits>

#include "status/error.h"

namespace ropewalk::internal {
namespace {

void FailMissing(const SchemeSource& source, const Names& names,
                 KeyReader* reader) {
  reader->Fail(Error(StatusCode::kParseError, "%s: missing, required by %s",
                     reader->PathOf(source.dicts, names).c_str(),
                     source.name.c_str()));
}

}  // namespace

Places DictsAndModel(const SchemeSource& source) {
  Places places = source.dicts;
  places.insert(places.end(), source.config.places.begin(),
                source.config.places.end());
  return places;
}

double RequirePositive(const SchemeSource& source, const Names& names,
                       KeyReader* reader) {
  const auto value = reader->Positive(source.dicts, names);
  if (!value) FailMissing(source, names, reader);
  return value.value_or(1);
}

int64_t RequireMaxPositions(const SchemeSource& source, KeyReader* reader) {
  if (source.config.max_positions == 0) {
    reader->Fail(Error(StatusCode::kParseError,
                       "max_position_embeddings: missing, required by %s",
                       source.name.c_str()));
  }
  return source.config.max_positions;
}

int64_t RequireOriginalPositions(const SchemeSource& source,
                                 KeyReader* reader) {
  const Names names = {"original_max_position_embeddings"};
  const auto original = reader->Integer(DictsAndModel(source), names, 1,
                                        std::numeric_limits<int64_t>::max());
  if (original) return *original;
  if (!source.config.options.original_from_max_positions) {
    FailMissing(source, names, reader);
    return 1;
  }
  const int64_t maximum = RequireMaxPositions(source, reader);
  WarnAssumed(source.config, reader->PathOf(source.dicts, names),
              "max_position_embeddings = " + std::to_string(maximum), reader);
  return maximum;
}

}  // namespace ropewalk::internal
