// A store in memory: it lives as long as a store or a study that has it.

#include <algorithm>
#include <map>
#include <mutex>

#include "studies/journals/memory_journal.h"
#include "studies/journals/place.h"
#include "studies/name.h"

namespace keyhole::studies {
namespace {

class MemoryPlace final : public Store::Place {
 public:
  explicit MemoryPlace(double wait) : wait_(wait) {}

  [[nodiscard]] std::string text() const override { return "memory"; }
  [[nodiscard]] bool is_database() const override { return false; }
  [[nodiscard]] std::shared_ptr<const Place> within(const std::string& tenant) const override {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const Place>& place = tenants_[tenant];
    if (place == nullptr) place = std::make_shared<MemoryPlace>(wait_);
    return place;
  }

  [[nodiscard]] std::vector<std::string> tenants() const override {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> found;
    for (const auto& [tenant, place] : tenants_) found.push_back(tenant);
    return found;
  }

  void visit(const std::string& from, const Visit& visit) const override {
    std::vector<std::string> names;
    {
      const std::lock_guard lock(mutex_);
      for (auto k = studies_.lower_bound(from); k != studies_.end(); ++k) names.push_back(k->first);
    }
    for (const std::string& name : names) {
      if (!visit(name, [&] { return label(name); })) return;
    }
  }

  [[nodiscard]] std::string label(const std::string& name) const override {
    const auto study = find(name);
    if (!study) return "";
    const std::lock_guard lock(study->log->mutex);
    return study->log->label;
  }

  [[nodiscard]] bool set_label(const std::string& name, const std::string& text) const override {
    const auto study = find(name);
    if (!study) return false;
    const std::lock_guard lock(study->log->mutex);
    study->log->label = text;
    return true;
  }

  /// How many were made before it.
  [[nodiscard]] std::string identity(const std::string& name) const override {
    const auto study = find(name);
    return study ? std::to_string(study->number) : "";
  }

  [[nodiscard]] std::unique_ptr<Journal> journal(const std::string& name) const override {
    const auto study = find(name);
    if (!study) return {};
    return std::make_unique<MemoryJournal>(study->log, "the study '" + name + "' in memory", wait_);
  }

  [[nodiscard]] std::unique_ptr<Snapshots> snapshots(const std::string& name) const override {
    const auto study = find(name);
    return std::make_unique<MemorySnapshots>(study ? study->log : std::make_shared<MemoryLog>(""));
  }

  [[nodiscard]] std::string log(const std::string& name) const override {
    const auto study = find(name);
    if (!study) return "";
    const std::lock_guard lock(study->log->mutex);
    return study->log->bytes;
  }

  [[nodiscard]] std::uint64_t log_bytes(const std::string& name) const override {
    const auto study = find(name);
    if (!study) return 0;
    const std::lock_guard lock(study->log->mutex);
    return study->log->bytes.size();
  }

  [[nodiscard]] KeptContents contents(const std::string& name) const override {
    const auto study = find(name);
    return study ? study->log->contents : KeptContents();
  }

  [[nodiscard]] bool make(const std::string& name, const std::string& log,
                          const KeptContents& contents) const override {
    auto made = std::make_shared<MemoryLog>(log);
    made->contents = contents;
    const std::lock_guard lock(mutex_);
    const bool is_free = studies_.try_emplace(name, Entry{made_, std::move(made)}).second;
    if (is_free) ++made_;
    return is_free;
  }

  [[nodiscard]] bool extend(const std::string& name, std::uint64_t size,
                            const std::string& log) const override {
    const auto study = find(name);
    if (!study) return false;
    const std::lock_guard lock(study->log->mutex);
    if (study->log->is_deleted || study->log->bytes.size() != size) return false;
    study->log->bytes = log;
    study->log->hardened = log.size();
    return true;
  }

  bool remove(const std::string& name, std::uint64_t keep) const override {
    const std::lock_guard lock(mutex_);
    const auto found = studies_.find(name);
    if (found == studies_.end()) return false;
    sweep();
    if (keep > 0) kept_.insert(kept_.begin(), {seconds_now() + keep, name, found->second});
    set_deleted(found->second, true);
    studies_.erase(found);
    return true;
  }

  [[nodiscard]] std::vector<DeletedStudy> deleted() const override {
    const std::lock_guard lock(mutex_);
    sweep();
    std::vector<DeletedStudy> found;
    for (const Kept& each : kept_) found.push_back({each.name, each.until});
    return found;
  }

  [[nodiscard]] bool undelete(const std::string& name) const override {
    const std::lock_guard lock(mutex_);
    sweep();
    const auto latest = std::find_if(kept_.begin(), kept_.end(),
                                     [&](const Kept& each) { return each.name == name; });
    if (latest == kept_.end()) return false;
    if (!studies_.try_emplace(name, latest->entry).second) return false;
    set_deleted(latest->entry, false);
    kept_.erase(latest);
    return true;
  }

 private:
  struct Entry {
    std::uint64_t number = 0;
    std::shared_ptr<MemoryLog> log;
  };

  struct Kept {
    std::uint64_t until = 0;
    std::string name;
    Entry entry;
  };

  /// For those who have it open.
  static void set_deleted(const Entry& entry, bool is_deleted) {
    const std::lock_guard lock(entry.log->mutex);
    entry.log->is_deleted = is_deleted;
  }

  void sweep() const {
    std::erase_if(kept_, [](const Kept& each) { return each.until < seconds_now(); });
  }

  [[nodiscard]] std::optional<Entry> find(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    const auto found = studies_.find(name);
    return found == studies_.end() ? std::nullopt : std::optional(found->second);
  }

  double wait_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, Entry> studies_;
  mutable std::map<std::string, std::shared_ptr<const Place>> tenants_;
  mutable std::vector<Kept> kept_;  // the latest first
  mutable std::uint64_t made_ = 0;
};

}  // namespace

std::shared_ptr<const Store::Place> memory_place(const StoreOptions& options) {
  return std::make_shared<MemoryPlace>(options.wait);
}

}  // namespace keyhole::studies
