#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "studies/journals/journal.h"
#include "studies/journals/postgres/batches.h"
#include "studies/journals/postgres/database.h"
#include "studies/journals/snapshots.h"

namespace keyhole::studies {

/// A database, and what appends to its logs.
struct SharedDatabase {
  SharedDatabase(std::string address, const StoreOptions& options)
      : database(std::move(address), options.durability, options.wait) {}

  Database database;
  Batches batches{database};
};

/// A log in a database, which any number of processes may append to. What is appended is as safe as
/// the server makes it, so there is nothing to harden.
///
/// A server that takes over from another one may have lost frames that were acknowledged. So each
/// look at the log begins with the latest frame that is known: if it is not there as it was, the
/// log is another one, and nothing is appended.
class PostgresJournal final : public Journal {
 public:
  /// The log of a study by its number. `name` is for messages.
  PostgresJournal(std::shared_ptr<SharedDatabase> shared, std::uint64_t study, std::string name);

  void read(Mark from, const Take& take) override;
  std::optional<Mark> append(const Mark& expected, std::string_view content) override;
  void harden(std::uint64_t /*position*/) override {}
  [[nodiscard]] std::uint64_t hardened() const override;
  [[nodiscard]] std::optional<std::string> kept_content(const std::string& name) override;
  [[nodiscard]] bool is_far() const override { return true; }
  [[nodiscard]] std::uint64_t waits_in_vain() const override { return waits_in_vain_; }

 private:
  /// The latest frame that is known: where it begins, the mark behind it, and its last bytes.
  struct Last {
    std::uint64_t begin = 0;
    Mark end = {};
    std::string seal = {};
  };

  /// What f() gives. Counts a wait in vain.
  template <class Function>
  auto counted(Function f);
  void look_back(const Mark& mark);
  [[noreturn]] void fail_as_replaced() const;

  std::shared_ptr<SharedDatabase> shared_;
  std::uint64_t study_;
  std::string name_;
  mutable std::mutex mutex_;
  std::optional<Last> last_;
  std::atomic<std::uint64_t> waits_in_vain_ = 0;
};

/// The bytes of a log.
[[nodiscard]] std::string read_log(Database& database, std::uint64_t study);

/// The snapshots of a study, next to its log.
class PostgresSnapshots final : public Snapshots {
 public:
  PostgresSnapshots(std::shared_ptr<SharedDatabase> shared, std::uint64_t study)
      : shared_(std::move(shared)), study_(study) {}

  [[nodiscard]] std::uint64_t latest() const override;
  [[nodiscard]] std::vector<Snapshot> read(Unreadable unreadable) const override;
  void keep(const Snapshot& snapshot) const override;

 private:
  std::shared_ptr<SharedDatabase> shared_;
  std::uint64_t study_;
};

}  // namespace keyhole::studies
