// SPDX-FileCopyrightText: 2026 The ropewalk authors
// SPDX-License-Identifier: Apache-2.0
//
// One mutex guards the map, and no table is built under it. An entry is
// building, or its table lives (kept by the cache, or only held by callers),
// or the table is gone and the entry waits for the next sweep.
#include <atomic>
#include <condition_variable>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "angles/angle_table_impl.h"
#include "angles/resolve_options.h"
#include "angles/table_key.h"
#include "frequencies/validate_frequencies.h"
#include "ropewalk/angles.h"
#include "status/error.h"

namespace ropewalk {
namespace {

using TablePointer = std::shared_ptr<const AngleTable>;

struct Entry {
  bool building = false;
  TablePointer kept;                      // null: the cache has let go
  std::weak_ptr<const AngleTable> alive;  // as long as anybody holds it
  size_t bytes = 0;
  uint64_t last_use = 0;

  // Callers cannot add holders without the cache's mutex while there are none.
  bool held_by_caller() const noexcept {
    return kept == nullptr ? !alive.expired() : kept.use_count() > 1;
  }
};

using EntryMap = std::map<internal::TableKey, Entry>;

}  // namespace

struct AngleCache::Impl {
  explicit Impl(size_t limit) : memory_limit(limit) {}

  Result<TablePointer> Get(internal::TableKey key,
                           const Frequencies& frequencies,
                           const AngleOptions& options);
  Result<TablePointer> BuildEntry(std::unique_lock<std::mutex>* lock,
                                  EntryMap::iterator it,
                                  Frequencies frequencies,
                                  const AngleOptions& options) noexcept;
  // The live table of the entry, marked as just used; null: there is none.
  TablePointer Use(Entry* entry) noexcept;
  void Trim() noexcept;
  Entry* LeastRecentlyUsed(bool held) noexcept;
  void LetGo(Entry* entry) noexcept;
  void Sweep() noexcept;
  size_t AliveBytes() const noexcept;
  size_t KeptBytes() const noexcept;

  const size_t memory_limit;
  mutable std::mutex mutex;
  std::condition_variable built;
  EntryMap entries;
  uint64_t uses = 0;
  size_t hits = 0;
  size_t misses = 0;
  size_t evictions = 0;
  std::shared_ptr<std::atomic<size_t>> trig_counter =
      std::make_shared<std::atomic<size_t>>(0);
};

TablePointer AngleCache::Impl::Use(Entry* entry) noexcept {
  TablePointer table = entry->alive.lock();
  if (table == nullptr) return table;
  entry->last_use = ++uses;
  if (entry->kept == nullptr) {
    entry->kept = table;
    Trim();
  }
  return table;
}

size_t AngleCache::Impl::AliveBytes() const noexcept {
  size_t bytes = 0;
  for (const auto& [key, entry] : entries) {
    if (!entry.alive.expired()) bytes += entry.bytes;
  }
  return bytes;
}

size_t AngleCache::Impl::KeptBytes() const noexcept {
  size_t bytes = 0;
  for (const auto& [key, entry] : entries) {
    if (entry.kept != nullptr) bytes += entry.bytes;
  }
  return bytes;
}

Entry* AngleCache::Impl::LeastRecentlyUsed(bool held) noexcept {
  Entry* oldest = nullptr;
  for (auto& [key, entry] : entries) {
    if (entry.kept == nullptr || entry.held_by_caller() != held) continue;
    if (oldest == nullptr || entry.last_use < oldest->last_use) oldest = &entry;
  }
  return oldest;
}

void AngleCache::Impl::LetGo(Entry* entry) noexcept {
  entry->kept.reset();
  if (entry->alive.expired()) ++evictions;
}

// Frees the tables that nobody holds first. Held ones are not freed by letting
// go, but they must not stay once their holders have gone.
void AngleCache::Impl::Trim() noexcept {
  while (AliveBytes() > memory_limit) {
    Entry* unused = LeastRecentlyUsed(/*held=*/false);
    if (unused == nullptr) break;
    LetGo(unused);
  }
  while (KeptBytes() > memory_limit) {
    Entry* used = LeastRecentlyUsed(/*held=*/true);
    if (used == nullptr) used = LeastRecentlyUsed(/*held=*/false);
    LetGo(used);
  }
}

void AngleCache::Impl::Sweep() noexcept {
  for (auto it = entries.begin(); it != entries.end();) {
    const bool gone = !it->second.building && it->second.alive.expired();
    it = gone ? entries.erase(it) : std::next(it);
  }
}

// Waits where another caller builds the same table; if that fails, this caller
// tries too, and reports its own error.
Result<TablePointer> AngleCache::Impl::Get(internal::TableKey key,
                                           const Frequencies& frequencies,
                                           const AngleOptions& options) {
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
    const auto found = entries.find(key);
    if (found != entries.end() && found->second.building) {
      built.wait(lock);
      continue;
    }
    if (found != entries.end()) {
      if (TablePointer table = Use(&found->second)) {
        ++hits;
        return table;
      }
    }
    ++misses;
    Sweep();
    Frequencies copy = frequencies;
    const auto it = entries.try_emplace(std::move(key)).first;
    return BuildEntry(&lock, it, std::move(copy), options);
  }
}

// Nothing here throws, so an entry never stays `building`.
Result<TablePointer> AngleCache::Impl::BuildEntry(
    std::unique_lock<std::mutex>* lock, EntryMap::iterator it,
    Frequencies frequencies, const AngleOptions& options) noexcept {
  it->second.building = true;
  lock->unlock();
  Result<TablePointer> table = AngleTable::Impl::Make(
      std::move(frequencies), options, Parallel::Serial(), trig_counter);
  lock->lock();
  if (table.ok()) {
    Entry& entry = it->second;
    entry.building = false;
    entry.kept = table.value();
    entry.alive = table.value();
    entry.bytes = table.value()->bytes();
    entry.last_use = ++uses;
    Trim();
  } else {
    entries.erase(it);
  }
  built.notify_all();
  return table;
}

AngleCache::AngleCache(const AngleCacheOptions& options) noexcept {
  try {
    impl_ = std::make_unique<Impl>(options.memory_limit);
  } catch (const std::bad_alloc&) {
    // Every Get reports it.
  }
}

AngleCache::~AngleCache() = default;

Result<std::shared_ptr<const AngleTable>> AngleCache::Get(
    const RopeParameters& parameters, int64_t sequence_length,
    const AngleOptions& options) noexcept {
  const Result<Frequencies> frequencies =
      ComputeFrequencies(parameters, sequence_length);
  if (!frequencies.ok()) return frequencies.status();
  return Get(frequencies.value(), options);
}

Result<std::shared_ptr<const AngleTable>> AngleCache::Get(
    const Frequencies& frequencies, const AngleOptions& options) noexcept {
  AngleOptions resolved = options;
  ROPEWALK_RETURN_IF_ERROR(internal::ValidateFrequencies(frequencies));
  ROPEWALK_RETURN_IF_ERROR(internal::ResolveOptions(frequencies, &resolved));
  const Status no_memory =
      internal::Error(StatusCode::kOutOfMemory, "angle cache: no memory");
  if (impl_ == nullptr) return no_memory;
  try {
    return impl_->Get(internal::MakeTableKey(frequencies, resolved),
                      frequencies, resolved);
  } catch (const std::bad_alloc&) {
    return no_memory;
  }
}

AngleCacheStats AngleCache::stats() const noexcept {
  AngleCacheStats stats{};
  if (impl_ == nullptr) return stats;
  const std::lock_guard<std::mutex> lock(impl_->mutex);
  for (const auto& [key, entry] : impl_->entries) {
    if (!entry.alive.expired()) ++stats.tables;
  }
  stats.bytes = impl_->AliveBytes();
  stats.hits = impl_->hits;
  stats.misses = impl_->misses;
  stats.evictions = impl_->evictions;
  stats.trig_evaluations = impl_->trig_counter->load(std::memory_order_relaxed);
  return stats;
}

}  // namespace ropewalk
