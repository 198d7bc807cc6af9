#include "studies/journals/memory_journal.h"

#include <algorithm>

#include "studies/format/frame.h"
#include "studies/journals/log_reader.h"

namespace keyhole::studies {

void MemoryJournal::read(std::uint64_t from, const Take& take) {
  const std::string copy = bytes();
  const std::string_view all = copy;
  read_frames(all.substr(std::min<std::size_t>(from, all.size())), from, "the log in memory", take);
}

std::optional<std::uint64_t> MemoryJournal::append(std::uint64_t expected,
                                                   std::string_view content) {
  const std::lock_guard lock(mutex_);
  if (bytes_.size() != expected) return {};
  bytes_ += frame_bytes(expected, hardened_, content);
  return bytes_.size();
}

void MemoryJournal::harden(std::uint64_t position) {
  const std::lock_guard lock(mutex_);
  hardened_ = std::max(hardened_, position);
}

std::uint64_t MemoryJournal::hardened() const {
  const std::lock_guard lock(mutex_);
  return hardened_;
}

std::string MemoryJournal::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

void MemoryJournal::lose_unhardened() {
  const std::lock_guard lock(mutex_);
  bytes_.resize(hardened_);
}

}  // namespace keyhole::studies
