#pragma once

#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "keyhole/store.h"

namespace keyhole::service {

/// The studies of all tenants. The most recently used are open. Thread-safe.
class OpenStudies {
 public:
  /// The studies of a store, and of tenants within it; at most so many are open.
  OpenStudies(const std::string& where, const StoreOptions& options, Catalogue catalogue,
              std::size_t most);

  /// The study of a name. It stays open for whoever has it. Throws Problem if there is none.
  [[nodiscard]] std::shared_ptr<Study> open(const std::string& tenant, const std::string& name);
  /// Closes it, for a reason such as a failed disk; the next open() reads what is really there.
  void close(const std::string& tenant, const std::string& name);
  /// The studies of a tenant.
  [[nodiscard]] const Store& store(const std::string& tenant);
  /// How many are open.
  [[nodiscard]] std::size_t size() const;

 private:
  using Key = std::pair<std::string, std::string>;  // tenant and name
  struct Slot {
    std::mutex opening;
    std::shared_ptr<Study> study;
  };
  struct Entry {
    std::shared_ptr<Slot> slot;
    std::list<Key>::iterator place;
  };

  /// `make` says whether to make one; else null if there is none.
  [[nodiscard]] std::shared_ptr<Slot> slot_of(const Key& key, bool make);

  std::size_t most_;
  mutable std::mutex mutex_;
  std::map<std::string, Store> stores_;
  std::map<Key, Entry> entries_;
  std::list<Key> recent_;  // the latest first
};

}  // namespace keyhole::service
