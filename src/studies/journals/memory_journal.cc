#include "studies/journals/memory_journal.h"

#include <algorithm>

#include "studies/journals/log_reader.h"

namespace keyhole::studies {

void MemoryJournal::read(Mark from, const Take& take) {
  const std::string copy = bytes();
  const std::string_view all = copy;
  const std::size_t position = std::min<std::size_t>(from.position, all.size());
  require_mark(all.substr(0, position).substr(position - std::min(position, looks_back(from))),
               from, "the log in memory");
  read_frames(all.substr(position), from, "the log in memory", take);
}

std::optional<Mark> MemoryJournal::append(const Mark& expected, std::string_view content) {
  const std::lock_guard lock(mutex_);
  if (bytes_.size() != expected.position) return {};
  Mark end = expected;
  bytes_ += frame_bytes(end, hardened_, content);
  return end;
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
