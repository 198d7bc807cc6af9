#pragma once

#include <chrono>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "keyhole/store.h"
#include "service/memory.h"

namespace keyhole::service {

/// The studies of all tenants. The most recently used are open. Thread-safe.
class OpenStudies {
 public:
  /// Told of a study that was closed to make room for others.
  using Closed = std::function<void(const std::string& tenant, const std::string& name)>;

  /// The studies of a store, and of tenants within it; at most so many are open.
  OpenStudies(const std::string& where, const StoreOptions& options, Catalogue catalogue,
              std::size_t most, const Memory& memory, Closed closed);

  /// The study of a name. It stays open for whoever has it. Throws Problem if there is none.
  [[nodiscard]] std::shared_ptr<Study> open(const std::string& tenant, const std::string& name);
  /// Closes it, for a reason such as a failed disk; the next open() reads what is really there.
  void close(const std::string& tenant, const std::string& name);
  /// Closes studies while memory is full, those first that were not used for longest. Whether
  /// there is memory left.
  bool make_room();
  /// The same; throws Problem if there is none.
  void require_room();
  /// The studies of a tenant.
  [[nodiscard]] const Store& store(const std::string& tenant);
  /// How many studies a tenant has, as far as is known here. It is looked up once a minute, and
  /// where it is `most` or more.
  [[nodiscard]] std::size_t count(const std::string& tenant, std::size_t most);
  /// One more was made.
  void made(const std::string& tenant);
  /// Whether that study is open.
  [[nodiscard]] bool is_open(const std::string& tenant, const std::string& name) const;
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

  /// Closes those that were not used for longest until so many are left.
  void keep(std::size_t most);

  struct Count {
    std::size_t studies = 0;
    std::chrono::steady_clock::time_point counted = {};
  };

  std::size_t most_;
  const Memory& memory_;
  Closed closed_;
  mutable std::mutex mutex_;
  std::map<std::string, Store> stores_;
  std::map<std::string, Count> counts_;
  std::map<Key, Entry> entries_;
  std::list<Key> recent_;  // the latest first
};

}  // namespace keyhole::service
