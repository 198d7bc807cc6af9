#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "keyhole/store.h"
#include "studies/journals/journal.h"
#include "studies/journals/snapshots.h"

namespace keyhole {

/// Where a store keeps its studies: a folder, a database, or memory. Names were checked before.
/// Thread-safe.
class [[gnu::visibility("hidden")]] Store::Place {
 public:
  Place() = default;
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  virtual ~Place() = default;

  /// Its name, for messages; without a password.
  [[nodiscard]] virtual std::string text() const = 0;
  [[nodiscard]] virtual bool is_database() const = 0;
  /// The studies of a tenant.
  [[nodiscard]] virtual std::shared_ptr<const Place> within(const std::string& tenant) const = 0;

  /// Who has studies within it, in order.
  [[nodiscard]] virtual std::vector<std::string> tenants() const = 0;
  /// Takes a name and what reads its label; whether to go on.
  using Visit =
      std::function<bool(const std::string& name, const std::function<std::string()>& label)>;
  /// Hands over the names from one on, in order.
  virtual void visit(const std::string& from, const Visit& visit) const = 0;
  /// What was written on a study; empty if nothing was, or if there is no such study.
  [[nodiscard]] virtual std::string label(const std::string& name) const = 0;
  /// Writes on a study; whether there is one.
  [[nodiscard]] virtual bool set_label(const std::string& name, const std::string& text) const = 0;
  /// As Store::identity().
  [[nodiscard]] virtual std::string identity(const std::string& name) const = 0;
  /// The log of a study; null if there is none.
  [[nodiscard]] virtual std::unique_ptr<studies::Journal> journal(const std::string& name)
      const = 0;
  /// Its snapshots.
  [[nodiscard]] virtual std::unique_ptr<studies::Snapshots> snapshots(const std::string& name)
      const = 0;
  /// The bytes of its log, those of a torn end included.
  [[nodiscard]] virtual std::string log(const std::string& name) const = 0;
  /// How many there are; 0 if there is no such study.
  [[nodiscard]] virtual std::uint64_t log_bytes(const std::string& name) const = 0;
  /// The arrays next to its log.
  [[nodiscard]] virtual studies::KeptContents contents(const std::string& name) const = 0;
  /// Makes a study of a log of whole frames and what is kept next to it, whole or not at all;
  /// whether the name was free.
  [[nodiscard]] virtual bool make(const std::string& name, const std::string& log,
                                  const studies::KeptContents& contents) const = 0;
  /// Appends what a log of whole frames has beyond so many bytes, and waits until it is on the
  /// medium; false, and nothing is appended, if the log of the study does not end there.
  [[nodiscard]] virtual bool extend(const std::string& name, std::uint64_t size,
                                    const std::string& log) const = 0;
  /// Deletes a study, at once or after so many seconds; whether there was one.
  virtual bool remove(const std::string& name, std::uint64_t keep) const = 0;
  /// What is deleted and not gone yet, that first which was deleted last.
  [[nodiscard]] virtual std::vector<DeletedStudy> deleted() const = 0;
  /// Brings back the study of that name that was deleted last; whether there is one.
  [[nodiscard]] virtual bool undelete(const std::string& name) const = 0;
};

namespace studies {

/// Whether a store of that name is in a database.
[[nodiscard]] inline bool names_database(std::string_view store) {
  return store.starts_with("postgresql://") || store.starts_with("postgres://");
}

/// A folder, which is made if it does not exist.
[[nodiscard]] std::shared_ptr<const Store::Place> folder_place(std::string folder,
                                                               const StoreOptions& options);

/// Memory, which nobody else has.
[[nodiscard]] std::shared_ptr<const Store::Place> memory_place(const StoreOptions& options);

/// The database of an address of PostgreSQL, whose tables are made if they do not exist.
[[nodiscard]] std::shared_ptr<const Store::Place> postgres_place(const std::string& address,
                                                                 const StoreOptions& options);

}  // namespace studies
}  // namespace keyhole
