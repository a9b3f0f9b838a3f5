// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/move_order.h"

#include <algorithm>
#include <utility>

#include "status/error.h"

namespace ropewalk::internal {
namespace {

struct Write {
  int64_t slot;
  int64_t move;
  bool operator<(const Write& other) const {
    return slot != other.slot ? slot < other.slot : move < other.move;
  }
};

constexpr int64_t kNone = -1;

// A move must come before the one that overwrites what it reads: its follower.
// Each has at most one, so that the moves form trees, and rings at their roots.
class Followers {
 public:
  Followers(const SlotReader& from, const SlotReader& to)
      : follower_(static_cast<size_t>(from.count()), kNone),
        waiting_for_(static_cast<size_t>(from.count()), 0) {
    for (int64_t i = 0; i < from.count(); ++i) {
      if (from.At(i) >= 0 && to.At(i) >= 0) writes_.push_back({to.At(i), i});
    }
    std::sort(writes_.begin(), writes_.end());
    for (const Write& write : writes_) {
      const int64_t overwriter = Writer(from.At(write.move));
      if (overwriter == kNone || overwriter == write.move) continue;
      At(&follower_, write.move) = overwriter;
      ++At(&waiting_for_, overwriter);
    }
  }

  // Writes in the order of their slots.
  const std::vector<Write>& writes() const { return writes_; }
  int64_t follower(int64_t move) const {
    return follower_[static_cast<size_t>(move)];
  }
  int64_t& waiting_for(int64_t move) { return At(&waiting_for_, move); }

 private:
  static int64_t& At(std::vector<int64_t>* list, int64_t i) {
    return (*list)[static_cast<size_t>(i)];
  }
  // The move that writes a slot.
  int64_t Writer(int64_t slot) const {
    const auto found =
        std::lower_bound(writes_.begin(), writes_.end(), Write{slot, 0});
    return found != writes_.end() && found->slot == slot ? found->move : kNone;
  }

  std::vector<Write> writes_;
  std::vector<int64_t> follower_;
  std::vector<int64_t> waiting_for_;
};

Status ValidateDistinct(const std::vector<Write>& writes) noexcept {
  for (size_t i = 1; i < writes.size(); ++i) {
    if (writes[i].slot != writes[i - 1].slot) continue;
    return Error(StatusCode::kInvalidArgument,
                 "to[%lld] = to[%lld] = %lld: a slot must not be written twice",
                 static_cast<long long>(writes[i - 1].move),
                 static_cast<long long>(writes[i].move),
                 static_cast<long long>(writes[i].slot));
  }
  return Status();
}

// Moves that nothing waits for, and those that become so.
void AppendTrees(Followers* followers, std::vector<int64_t>* order) {
  for (const Write& write : followers->writes()) {
    int64_t move = write.move;
    // A negative count marks a move that is in the order.
    while (move != kNone && followers->waiting_for(move) == 0) {
      order->push_back(move);
      followers->waiting_for(move) = -1;
      move = followers->follower(move);
      if (move != kNone) --followers->waiting_for(move);
    }
  }
}

void AppendRings(Followers* followers, MoveOrder* result) {
  for (const Write& write : followers->writes()) {
    if (followers->waiting_for(write.move) < 0) continue;
    const auto begin = static_cast<int64_t>(result->order.size());
    for (int64_t move = write.move; followers->waiting_for(move) >= 0;
         move = followers->follower(move)) {
      result->order.push_back(move);
      followers->waiting_for(move) = -1;
    }
    result->cycles.push_back(
        {begin, static_cast<int64_t>(result->order.size())});
  }
}

}  // namespace

Result<MoveOrder> FindMoveOrder(const SlotReader& from, const SlotReader& to) {
  Followers followers(from, to);
  ROPEWALK_RETURN_IF_ERROR(ValidateDistinct(followers.writes()));
  MoveOrder result;
  result.order.reserve(followers.writes().size());
  AppendTrees(&followers, &result.order);
  result.free_moves = static_cast<int64_t>(result.order.size());
  AppendRings(&followers, &result);
  return result;
}

}  // namespace ropewalk::internal
