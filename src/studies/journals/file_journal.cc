#include "studies/journals/file_journal.h"

#include <pthread.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "keyhole/study.h"
#include "studies/format/frame.h"
#include "studies/journals/log_reader.h"

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

}  // namespace

/// The right to append, of this thread and process.
class FileJournal::Turn {
 public:
  explicit Turn(FileJournal& journal) : journal_(journal), threads_(journal.turn_) {
    journal_.open_again_after_fork();
    if (journal_.depth_++ > 0) return;
    journal_.size_in_turn_.reset();
    while (::flock(journal_.file_, LOCK_EX) != 0) {
      if (errno == EINTR) continue;
      --journal_.depth_;
      journal_.fail("cannot be locked", errno);
    }
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    if (--journal_.depth_ > 0) return;
    journal_.size_in_turn_.reset();
    ::flock(journal_.file_, LOCK_UN);
  }

 private:
  FileJournal& journal_;
  std::lock_guard<std::recursive_mutex> threads_;
};

FileJournal::FileJournal(std::string path, base::Disk& disk) : path_(std::move(path)), disk_(disk) {
  open();
}

FileJournal::~FileJournal() { ::close(file_); }

void FileJournal::open() {
  file_ = disk_.open_log(path_);
  if (file_ < 0) fail("cannot be opened", errno);
  forks_ = forks();
}

void FileJournal::open_again_after_fork() {
  if (forks_ == forks()) return;
  ::close(file_);
  depth_ = 0;
  open();
}

void FileJournal::require_sound() const {
  if (failed_) {
    throw StudyError(path_ +
                     ": syncing it has failed, so nobody knows what is on the disk: open the study "
                     "again");
  }
}

void FileJournal::fail(const std::string& what, int error) const {
  throw base::DiskError(path_ + ": " + what + ": " + std::generic_category().message(error));
}

std::uint64_t FileJournal::size() const {
  struct stat status = {};
  if (::fstat(file_, &status) != 0) fail("cannot be looked at", errno);
  if (status.st_nlink == 0) {
    throw ReplacedStudy(path_ +
                        " was deleted while it was open: nothing was stored, open the study again");
  }
  return static_cast<std::uint64_t>(status.st_size);
}

void FileJournal::read(std::uint64_t from, const Take& take) {
  require_sound();
  const std::lock_guard lock(turn_);
  open_again_after_fork();
  const std::uint64_t end = size();
  if (depth_ > 0) size_in_turn_ = end;
  if (end < from) {
    throw StudyError(path_ + " has " + std::to_string(end) + " bytes, and had " +
                     std::to_string(from) + ": it was cut or replaced");
  }
  if (end == from) return;
  std::string bytes(end - from, '\0');
  std::size_t got = 0;
  while (got < bytes.size()) {
    const ssize_t count =
        ::pread(file_, bytes.data() + got, bytes.size() - got, static_cast<off_t>(from + got));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("cannot be read", errno);
    if (count == 0) break;  // a torn tail was cut off meanwhile
    got += static_cast<std::size_t>(count);
  }
  bytes.resize(got);
  const std::uint64_t whole = read_frames(bytes, from, path_, take);
  whole_ = std::max<std::uint64_t>(whole_, whole);
  // Whoever has the turn knows that nobody is writing the rest.
  if (whole < from + got && depth_ > 0) {
    if (disk_.truncate(file_, whole) != 0) fail("its torn end cannot be cut off", errno);
    size_in_turn_ = whole;
  }
}

void FileJournal::write_all(std::uint64_t at, std::string_view bytes) {
  std::string_view left = bytes;
  while (!left.empty()) {
    const std::ptrdiff_t count = disk_.write(file_, left.data(), left.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const int error = count < 0 ? errno : ENOSPC;
      // A torn frame stays if this fails too: the next reader with the turn cuts it off.
      (void)disk_.truncate(file_, at);
      size_in_turn_.reset();
      fail("cannot be written", error);
    }
    left.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::optional<std::uint64_t> FileJournal::append(std::uint64_t expected, std::string_view content) {
  require_sound();
  const Turn turn(*this);
  if ((size_in_turn_ ? *size_in_turn_ : size()) != expected) return {};
  // Else the frames of processes that make one step each would say nothing of those before them,
  // and damage would look like a torn end.
  if (hardened_ == 0) harden(expected);
  const std::string bytes = frame_bytes(expected, hardened_, content);
  write_all(expected, bytes);
  const std::uint64_t end = expected + bytes.size();
  size_in_turn_.reset();
  whole_ = std::max<std::uint64_t>(whole_, end);
  return end;
}

void FileJournal::harden(std::uint64_t position) {
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

void FileJournal::in_turn(const std::function<void()>& work) {
  require_sound();
  const Turn turn(*this);
  work();
}

}  // namespace keyhole::studies
