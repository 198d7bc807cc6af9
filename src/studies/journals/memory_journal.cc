#include "studies/journals/memory_journal.h"

#include <algorithm>

#include "base/number_text.h"
#include "keyhole/study.h"
#include "studies/journals/log_reader.h"
#include "studies/journals/patience.h"

namespace keyhole::studies {

void MemoryJournal::require_not_deleted() const {
  if (!log_->is_deleted) return;
  throw ReplacedStudy(name_ +
                      " was deleted while it was open: nothing was stored, open the study again");
}

void MemoryJournal::read(Mark from, const Take& take) {
  const std::uint64_t back = looks_back(from);
  std::string copy;  // so that nobody waits for what is done with it
  {
    const std::lock_guard lock(log_->mutex);
    require_not_deleted();
    copy = log_->bytes.substr(std::min<std::size_t>(from.position - back, log_->bytes.size()));
  }
  require_mark(copy, from, name_);
  const std::string_view rest = copy;
  read_frames(rest.substr(std::min<std::size_t>(back, rest.size())), from, name_, take);
}

std::optional<Mark> MemoryJournal::append(const Mark& expected, std::string_view content) {
  const std::lock_guard lock(log_->mutex);
  require_not_deleted();
  if (log_->bytes.size() != expected.position) return {};
  Mark end = expected;
  log_->bytes += frame_bytes(end, log_->hardened, content);
  return end;
}

void MemoryJournal::harden(std::uint64_t position) {
  const std::lock_guard lock(log_->mutex);
  log_->hardened = std::max(log_->hardened, position);
}

std::uint64_t MemoryJournal::hardened() const {
  const std::lock_guard lock(log_->mutex);
  return log_->hardened;
}

void MemoryJournal::in_turn(const std::function<void()>& work) {
  const auto turn = locked(log_->turn, wait_);
  if (!turn.owns_lock()) {
    throw StudyError(name_ + ": other threads have held it for " + base::number_text(wait_) +
                         " s: nothing was stored, try again",
                     ErrorCode::busy);
  }
  work();
}

std::string MemoryJournal::bytes() const {
  const std::lock_guard lock(log_->mutex);
  return log_->bytes;
}

std::optional<std::string> MemoryJournal::kept_content(const std::string& name) {
  const auto found = log_->contents.find(name);
  return found == log_->contents.end() ? std::nullopt : std::optional(found->second);
}

void MemoryJournal::lose_unhardened() {
  const std::lock_guard lock(log_->mutex);
  log_->bytes.resize(log_->hardened);
}

std::uint64_t MemorySnapshots::latest() const {
  const std::lock_guard lock(log_->mutex);
  return log_->snapshots.empty() ? 0 : log_->snapshots.begin()->first;
}

std::vector<Snapshot> MemorySnapshots::read(Unreadable /*unreadable*/) const {
  const std::lock_guard lock(log_->mutex);
  std::vector<Snapshot> result;
  for (const auto& [position, bytes] : log_->snapshots) {
    if (auto snapshot = read_snapshot(bytes)) result.push_back(std::move(*snapshot));
  }
  return result;
}

void MemorySnapshots::keep(const Snapshot& snapshot) const {
  std::string bytes = snapshot_bytes(snapshot);
  const std::lock_guard lock(log_->mutex);
  log_->snapshots.insert_or_assign(snapshot.mark.position, std::move(bytes));
  while (log_->snapshots.size() > kept) log_->snapshots.erase(std::prev(log_->snapshots.end()));
}

}  // namespace keyhole::studies
