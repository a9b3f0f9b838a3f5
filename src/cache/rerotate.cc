// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <new>
#include <vector>

#include "angles/position_reader.h"
#include "angles/rerotation.h"
#include "cache/cache_view.h"
#include "cache/cached_keys.h"
#include "parallel/parallel_for.h"
#include "ropewalk/kv_cache.h"
#include "status/error.h"

namespace ropewalk {
namespace internal {
namespace {

// Slots whose rows are made at a time: 512 KiB for 64 pairs.
constexpr int64_t kChunk = 1024;

// Positions of some of the tokens, of all components.
template <class T>
class PositionChunk {
 public:
  explicit PositionChunk(const PositionReader& reader)
      : reader_(reader),
        components_(std::min(reader.components(), kMaxComponents)),
        ids_(static_cast<size_t>(components_ * kChunk)) {}

  Positions Of(int64_t first, int64_t count) {
    for (int c = 0; c < components_; ++c) {
      for (int64_t t = 0; t < count; ++t) {
        ids_[static_cast<size_t>(c * kChunk + t)] =
            reader_.Get<T>(c, first + t);
      }
    }
    return Positions::Components(ids_.data(), components_, count, kChunk);
  }

 private:
  static constexpr int kMaxComponents = 256;  // an axis is a uint8_t

  const PositionReader& reader_;
  int components_;
  std::vector<T> ids_;
};

struct Call {
  const AngleTable& from;
  const AngleTable& to;
  const RotaryLayout& layout;
  const KvCacheView& cache;
  const SlotReader& slots;
  const Parallel& parallel;
};

// Slots [begin, end) of this share; all of them where the work is not shared.
struct SlotRange {
  int64_t begin = 0;
  int64_t end = 0;
};

// The chunks of a share are turned by its own thread.
Parallel InChunk(const Call& call) {
  return call.parallel.kind() == Parallel::Kind::kShare ? Parallel::Serial()
                                                        : call.parallel;
}

SlotRange RangeOf(const Call& call) {
  if (call.parallel.kind() != Parallel::Kind::kShare) {
    return {0, call.slots.count()};
  }
  SlotRange range;
  ParallelFor(call.parallel, call.slots.count(), 1,
              [&](int64_t begin, int64_t end) {
                range = {begin, end};
              });
  return range;
}

// Chunk by chunk; all memory is there before the first, and the positions are
// valid, so that nothing fails once something is written.
template <class T>
Status Run(const Call& call, const PositionReader& reader) {
  const SlotRange range = RangeOf(call);
  const int64_t chunk = std::min(kChunk, range.end - range.begin);
  PositionChunk<T> positions(reader);
  std::vector<int64_t> slots(static_cast<size_t>(chunk));
  AngleRows rows;
  ROPEWALK_RETURN_IF_ERROR(rows.Reserve(
      chunk, static_cast<int>(call.to.frequencies().inv_freq.size())));
  for (int64_t first = range.begin; first < range.end; first += chunk) {
    const int64_t count = std::min(chunk, range.end - first);
    ROPEWALK_RETURN_IF_ERROR(
        call.to.FillRerotation(call.from, positions.Of(first, count), &rows));
    for (int64_t t = 0; t < count; ++t) {
      slots[static_cast<size_t>(t)] = call.slots.At(first + t);
    }
    TurnKeys(rows, call.layout, call.cache,
             SlotReader(Slots(slots.data(), count)), InChunk(call));
  }
  return Status();
}

Status ValidateCall(const Call& call, const PositionReader& positions,
                    ByteRange* range) {
  const Frequencies& to = call.to.frequencies();
  ROPEWALK_RETURN_IF_ERROR(ValidateParallel(call.parallel));
  ROPEWALK_RETURN_IF_ERROR(ValidateRerotation(call.from.frequencies(), to));
  ROPEWALK_RETURN_IF_ERROR(ValidateKeys(call.layout, call.cache, range));
  ROPEWALK_RETURN_IF_ERROR(ValidateKeySlots(call.cache, "slots", call.slots));
  ROPEWALK_RETURN_IF_ERROR(ValidateWindow(to, call.layout));
  if (positions.count() != call.slots.count()) {
    return Error(StatusCode::kInvalidArgument,
                 "positions.count = %lld: must be one a slot, %lld",
                 static_cast<long long>(positions.count()),
                 static_cast<long long>(call.slots.count()));
  }
  ROPEWALK_RETURN_IF_ERROR(
      ValidateApart(ByteView(positions.begin(), positions.bytes(), "positions"),
                    call.cache, "k_cache"));
  return positions.ValidateAxis(
      to.axis.empty() ? 0 : *std::max_element(to.axis.begin(), to.axis.end()));
}

Status RerotateKeys(const Call& call, const Positions& positions) {
  PositionReader reader(positions);
  ROPEWALK_RETURN_IF_ERROR(reader.Validate());
  ByteRange range;
  ROPEWALK_RETURN_IF_ERROR(ValidateCall(call, reader, &range));
  if (range.empty() || call.layout.rotary_dim == 0) return Status();
  return reader.is_real() ? Run<double>(call, reader)
                          : Run<int64_t>(call, reader);
}

}  // namespace
}  // namespace internal

Status Rerotate(const AngleTable& from, const AngleTable& to,
                const RotaryLayout& layout, const KvCacheView& k_cache,
                const Slots& slots, const Positions& positions,
                Parallel parallel) noexcept {
  try {
    const internal::SlotReader reader(slots);
    return internal::RerotateKeys({from, to, layout, k_cache, reader, parallel},
                                  positions);
  } catch (const std::bad_alloc&) {
    return internal::Error(StatusCode::kOutOfMemory,
                           "rows of the difference: no memory");
  }
}

Status Rerotate(const AngleRows& rows, const RotaryLayout& layout,
                const KvCacheView& k_cache, const Slots& slots,
                Parallel parallel) noexcept {
  return internal::TurnKeysBy(internal::ValidateKeyRows, rows, layout, k_cache,
                              internal::SlotReader(slots), parallel);
}

}  // namespace ropewalk
