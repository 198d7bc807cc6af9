#pragma once

#include <atomic>
#include <mutex>
#include <string>

#include "base/disk.h"
#include "studies/journals/journal.h"
#include "studies/journals/patience.h"

namespace keyhole::studies {

/// A log in a file, which any number of processes may append to. Whoever appends holds the file's
/// lock, which the kernel drops when a process dies. Syncing comes after the lock is given back, so
/// that one sync serves all that was written before it. A forked child opens the file again: it
/// would share the lock. A file that cannot be written can be read.
class FileJournal final : public Journal {
 public:
  /// The log of an existing file. Waits for the lock for so many seconds. The disk must outlive it.
  FileJournal(std::string path, base::Disk& disk, double wait);
  FileJournal(const FileJournal&) = delete;
  FileJournal& operator=(const FileJournal&) = delete;
  ~FileJournal() override;

  void read(Mark from, const Take& take) override;
  std::optional<Mark> append(const Mark& expected, std::string_view content) override;
  /// Appends whole frames of another log, which begins with this one, and syncs them; false if this
  /// one does not end at that byte. If it throws, nothing is appended.
  [[nodiscard]] bool extend(std::uint64_t expected, std::string_view frames);
  void harden(std::uint64_t position) override;
  [[nodiscard]] std::uint64_t hardened() const override { return hardened_; }
  [[nodiscard]] std::optional<std::string> kept_content(const std::string& name) override;
  void in_turn(const std::function<void()>& work) override;

  /// The file of an array next to a log: "content-..." with the digits of its name, and ".npy".
  [[nodiscard]] static std::string content_file(const std::string& name);

 private:
  class Turn;

  void open();
  void open_again_after_fork();
  void require_sound() const;
  void require_writable() const;
  [[noreturn]] void fail(const std::string& what, int error) const;
  [[noreturn]] void fail_as_busy() const;
  [[nodiscard]] std::uint64_t size() const;
  void write(std::uint64_t at, std::string_view bytes);
  void harden_what_is_there();
  void sync(std::uint64_t position);

  std::string path_;      // for messages
  std::string absolute_;  // wherever the process goes
  base::Disk& disk_;
  double wait_;
  int file_ = -1;
  bool is_read_only_ = false;
  base::DiskEntry entry_;                      // the file that is open
  std::uint64_t forks_ = 0;                    // of the process that opened it
  PatientMutex turn_;                          // of this process's threads
  int depth_ = 0;                              // of turns inside each other
  std::optional<std::uint64_t> size_in_turn_;  // while nobody else can change it
  std::mutex syncing_;
  std::atomic<std::uint64_t> whole_ = 0;     // the farthest end of a frame that was seen
  std::atomic<std::uint64_t> stated_ = 0;    // how far frames say that it is on the medium
  std::atomic<std::uint64_t> hardened_ = 0;  // how far this process knows that it is
  std::atomic<bool> failed_ = false;
};

}  // namespace keyhole::studies
