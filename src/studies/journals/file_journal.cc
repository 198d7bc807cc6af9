#include "studies/journals/file_journal.h"

#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/number_text.h"
#include "keyhole/study.h"
#include "studies/journals/log_reader.h"
#include "studies/journals/patience.h"

namespace keyhole::studies {
namespace {

/// How many forks lie between the first process and this one. A step looks three times; the number
/// of the process would be a call of the system each time.
std::uint64_t forks() {
  static std::atomic<std::uint64_t> count = 0;
  [[maybe_unused]] static const int registered =
      ::pthread_atfork(nullptr, nullptr, [] { ++count; });
  return count;
}

void raise(std::atomic<std::uint64_t>& most, std::uint64_t to) {
  std::uint64_t was = most;
  while (was < to && !most.compare_exchange_weak(was, to)) {
  }
}

}  // namespace

/// The right to append, of this thread and process.
class FileJournal::Turn {
 public:
  explicit Turn(FileJournal& journal)
      : journal_(journal), threads_(locked(journal.turn_, journal.wait_)) {
    if (!threads_.owns_lock()) journal_.fail_as_busy();
    journal_.open_again_after_fork();
    if (journal_.depth_ == 0) take_lock();
    ++journal_.depth_;
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    if (--journal_.depth_ > 0) return;
    journal_.size_in_turn_.reset();
    (void)journal_.disk_.unlock(journal_.file_);
  }

 private:
  void take_lock() {
    journal_.size_in_turn_.reset();
    if (has_lock()) return;
    for (Patience patience(journal_.wait_); !has_lock();) {
      if (!patience.wait()) journal_.fail_as_busy();
    }
  }

  [[nodiscard]] bool has_lock() const {
    if (journal_.disk_.lock(journal_.file_) == 0) return true;
    if (errno != EINTR && errno != EWOULDBLOCK) journal_.fail("cannot be locked", errno);
    return false;
  }

  FileJournal& journal_;
  std::unique_lock<PatientMutex> threads_;
};

FileJournal::FileJournal(std::string path, base::Disk& disk, double wait)
    : path_(std::move(path)),
      absolute_(std::filesystem::absolute(path_)),
      disk_(disk),
      wait_(wait) {
  open();
}

FileJournal::~FileJournal() { disk_.close(file_); }

void FileJournal::open() {
  file_ = disk_.open(absolute_, base::Access::writing);
  is_read_only_ = file_ < 0 && (errno == EACCES || errno == EROFS || errno == EPERM);
  if (is_read_only_) file_ = disk_.open(absolute_, base::Access::reading);
  if (file_ < 0) fail("cannot be opened", errno);
  if (disk_.look(absolute_, entry_) != 0) {
    const int error = errno;
    disk_.close(file_);
    fail("cannot be looked at", error);
  }
  forks_ = forks();
}

void FileJournal::open_again_after_fork() {
  if (forks_ == forks()) return;
  disk_.close(file_);
  depth_ = 0;
  open();
}

void FileJournal::require_sound() const {
  if (failed_) {
    throw base::DiskError(path_ +
                          ": syncing it has failed, so nobody knows what is on the disk: open the "
                          "study again");
  }
}

void FileJournal::require_writable() const {
  if (is_read_only_) {
    throw base::DiskError(path_ +
                          ": it can be read only: nothing was stored, copy the study to a " +
                          "folder that can be written");
  }
}

void FileJournal::fail(const std::string& what, int error) const {
  throw base::DiskError(path_ + ": " + what + ": " + std::generic_category().message(error));
}

void FileJournal::fail_as_busy() const {
  throw StudyError(path_ + ": somebody else has held its lock for " + base::number_text(wait_) +
                       " s: nothing was stored, try again; a process that was stopped may hold it",
                   ErrorCode::busy);
}

/// How long the file is. It must still be the one that was opened.
std::uint64_t FileJournal::size() const {
  base::DiskEntry now;
  const bool is_there = disk_.look(absolute_, now) == 0;
  if (!is_there && errno != ENOENT && errno != ENOTDIR) fail("cannot be looked at", errno);
  if (!is_there || !now.is(entry_)) {
    throw ReplacedStudy(path_ +
                        " was deleted or replaced while it was open: nothing was stored, open the "
                        "study again");
  }
  return now.size;
}

void FileJournal::read(Mark from, const Take& take) {
  require_sound();
  const std::lock_guard lock(turn_);
  open_again_after_fork();
  const std::uint64_t end = size();
  if (depth_ > 0) size_in_turn_ = end;
  const std::uint64_t back = looks_back(from);
  const std::uint64_t begin = from.position - back;
  std::string bytes;
  if (end > begin && !base::read_all(disk_, file_, begin, end - begin, bytes)) {
    fail("cannot be read", errno);
  }
  require_mark(bytes, from, path_);
  if (end < from.position) require_mark({}, {.position = from.position}, path_);
  const std::string_view rest = std::string_view{bytes}.substr(std::min(back, bytes.size()));
  const LogRead read = read_frames(rest, from, path_, take);
  // The first look begins where a snapshot was kept, if not at the beginning: that was synced.
  raise(stated_, whole_ == 0 ? std::max(from.position, read.hardened) : read.hardened);
  raise(whole_, read.end.position);
  // Whoever has the turn knows that nobody is writing the rest.
  if (read.end.position < from.position + rest.size() && depth_ > 0 && !is_read_only_) {
    if (disk_.truncate(file_, read.end.position) != 0)
      fail("its torn end cannot be cut off", errno);
    size_in_turn_ = read.end.position;
  }
}

/// Writes all of the bytes or none.
void FileJournal::write(std::uint64_t at, std::string_view bytes) {
  if (base::write_all(disk_, file_, bytes, at)) return;
  const int error = errno;
  // A torn frame stays if this fails too: the next reader with the turn cuts it off.
  (void)disk_.truncate(file_, at);
  size_in_turn_.reset();
  fail("cannot be written", error);
}

std::optional<Mark> FileJournal::append(const Mark& expected, std::string_view content) {
  require_sound();
  require_writable();
  const Turn turn(*this);
  if ((size_in_turn_ ? *size_in_turn_ : size()) != expected.position) return {};
  // Else the frames of processes that make one step each would say nothing of those before them,
  // and damage would look like a torn end.
  if (hardened_ == 0) harden_what_is_there();
  Mark end = expected;
  write(expected.position, frame_bytes(end, hardened_, content));
  size_in_turn_.reset();
  raise(whole_, end.position);
  return end;
}

bool FileJournal::extend(std::uint64_t expected, std::string_view frames) {
  require_sound();
  require_writable();
  const Turn turn(*this);
  if (size() != expected) return false;
  write(expected, frames);
  size_in_turn_.reset();
  if (disk_.sync_data(file_) == 0) return true;
  const int error = errno;
  failed_ = true;
  (void)disk_.truncate(file_, expected);
  fail("cannot be synced", error);
}

void FileJournal::harden(std::uint64_t position) {
  require_sound();
  require_writable();
  if (hardened_ == 0) harden_what_is_there();
  sync(position);
}

/// The first sync of a process. Another one's may have failed: then the kernel takes what was not
/// written for written, and a sync says nothing of it. So what nobody has said to be on the medium
/// is written again.
void FileJournal::harden_what_is_there() {
  const Turn turn(*this);
  if (hardened_ > 0) return;
  const std::uint64_t end = whole_;
  const std::uint64_t from = std::min<std::uint64_t>(stated_, end);
  std::string bytes;
  if (!base::read_all(disk_, file_, from, end - from, bytes)) fail("cannot be read", errno);
  if (!base::write_all(disk_, file_, bytes, from)) fail("cannot be written", errno);
  sync(end);
}

void FileJournal::sync(std::uint64_t position) {
  const std::lock_guard lock(syncing_);
  require_sound();
  if (hardened_ >= position) return;
  // A sync serves all that is written by now. What follows the last whole frame may be the begin of
  // one whose writer dies, and be written again.
  const std::uint64_t end = whole_;
  if (disk_.sync_data(file_) != 0) {
    // A later sync would succeed, and what was to be written could be gone.
    failed_ = true;
    fail("cannot be synced", errno);
  }
  hardened_ = end;
}

std::string FileJournal::content_file(const std::string& name) {
  return "content-" + name.substr(name.find(':') + 1) + ".npy";
}

std::optional<std::string> FileJournal::kept_content(const std::string& name) {
  const std::filesystem::path folder = std::filesystem::path(absolute_).parent_path();
  return base::read_file(disk_, (folder / content_file(name)).string());
}

void FileJournal::in_turn(const std::function<void()>& work) {
  require_sound();
  require_writable();
  const Turn turn(*this);
  work();
}

}  // namespace keyhole::studies
