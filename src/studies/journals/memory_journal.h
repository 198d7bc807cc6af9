#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "studies/journals/journal.h"
#include "studies/journals/patience.h"
#include "studies/journals/snapshots.h"

namespace keyhole::studies {

/// A log in memory, in the bytes of a file, and its snapshots: what all who have the study open
/// share.
struct MemoryLog {
  /// All of the bytes are on the medium.
  explicit MemoryLog(std::string all) : bytes(std::move(all)), hardened(bytes.size()) {}

  PatientMutex turn;  // of those who append
  std::mutex mutex;   // of what follows
  std::string bytes;
  std::uint64_t hardened;
  std::map<std::uint64_t, std::string, std::greater<>> snapshots = {};  // by their positions
  std::string label = {};
  bool is_deleted = false;
  KeptContents contents = {};  // which never change
};

/// A log in memory. It can lose what is not hardened, on command, for tests.
class MemoryJournal final : public Journal {
 public:
  /// A log that has these bytes, and that nobody else has.
  explicit MemoryJournal(std::string bytes = {})
      : MemoryJournal(std::make_shared<MemoryLog>(std::move(bytes)), "the log in memory", 0) {}
  /// A log that others may have too; `name` is for messages. Waits for a turn for so many seconds.
  MemoryJournal(std::shared_ptr<MemoryLog> log, std::string name, double wait)
      : log_(std::move(log)), name_(std::move(name)), wait_(wait) {}

  void read(Mark from, const Take& take) override;
  std::optional<Mark> append(const Mark& expected, std::string_view content) override;
  void harden(std::uint64_t position) override;
  [[nodiscard]] std::uint64_t hardened() const override;
  [[nodiscard]] std::optional<std::string> kept_content(const std::string& name) override;
  void in_turn(const std::function<void()>& work) override;

  /// The bytes.
  [[nodiscard]] std::string bytes() const;
  /// A power cut: what is not on the medium is lost.
  void lose_unhardened();

 private:
  void require_not_deleted() const;

  std::shared_ptr<MemoryLog> log_;
  std::string name_;
  double wait_;
};

/// Snapshots in memory, as bytes.
class MemorySnapshots final : public Snapshots {
 public:
  /// Those of a log.
  explicit MemorySnapshots(std::shared_ptr<MemoryLog> log) : log_(std::move(log)) {}

  [[nodiscard]] std::uint64_t latest() const override;
  [[nodiscard]] std::vector<Snapshot> read(Unreadable unreadable) const override;
  void keep(const Snapshot& snapshot) const override;

 private:
  std::shared_ptr<MemoryLog> log_;
};

}  // namespace keyhole::studies
