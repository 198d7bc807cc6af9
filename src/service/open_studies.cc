#include "service/open_studies.h"

#include <algorithm>
#include <vector>

#include "service/problem.h"
#include "studies/name.h"

namespace keyhole::service {
namespace {

[[noreturn]] void refuse(const std::string& name) {
  throw Problem(404, ErrorCode::unknown_study,
                studies::is_name(name)
                    ? "there is no study '" + name + "': GET /v1/studies lists them"
                    : "there is no such study: GET /v1/studies lists them");
}

}  // namespace

OpenStudies::OpenStudies(const std::string& where, const StoreOptions& options, Catalogue catalogue,
                         std::size_t most, const Memory& memory, Closed closed)
    : most_(most), memory_(memory), closed_(std::move(closed)) {
  stores_.emplace("", Store(where, options, std::move(catalogue)));
}

const Store& OpenStudies::store(const std::string& tenant) {
  const std::lock_guard lock(mutex_);
  const auto found = stores_.find(tenant);
  if (found != stores_.end()) return found->second;
  return stores_.emplace(tenant, stores_.at("").within(tenant)).first->second;
}

std::shared_ptr<OpenStudies::Slot> OpenStudies::slot_of(const Key& key, bool make) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(key);
  if (found != entries_.end()) {
    recent_.splice(recent_.begin(), recent_, found->second.place);
    return found->second.slot;
  }
  if (!make) return {};
  recent_.push_front(key);
  const auto slot = std::make_shared<Slot>();
  entries_[key] = {slot, recent_.begin()};
  return slot;
}

void OpenStudies::keep(std::size_t most) {
  std::vector<std::pair<Key, Entry>> gone;  // which may take a while to go
  {
    const std::lock_guard lock(mutex_);
    while (entries_.size() > most) {
      const auto last = entries_.find(recent_.back());
      gone.emplace_back(*last);
      entries_.erase(last);
      recent_.pop_back();
    }
  }
  for (const auto& [key, entry] : gone) closed_(key.first, key.second);
}

bool OpenStudies::make_room() {
  bool full = memory_.is_full();
  while (full && size() > 0) {
    constexpr std::size_t part = 8;
    const std::size_t open = size();
    keep(open - std::min(open, open / part + 1));
    full = memory_.is_full();
  }
  return !full;
}

void OpenStudies::require_room() {
  if (make_room()) return;
  throw Problem(
      503, "memory",
      "there is no memory for another study: try again, or ask whoever runs the service to "
      "raise --memory");
}

std::shared_ptr<Study> OpenStudies::open(const std::string& tenant, const std::string& name) {
  // A study that is open notices by itself that it was deleted.
  if (const auto open = slot_of({tenant, name}, false)) {
    const std::lock_guard lock(open->opening);
    if (open->study != nullptr) return open->study;
  }
  const Store& studies = store(tenant);
  // Names that cannot be one have no study; so no slot is made of what a client may invent.
  if (studies.identity(name).empty()) {
    close(tenant, name);
    refuse(name);
  }
  require_room();
  const auto slot = slot_of({tenant, name}, true);
  keep(most_);
  const std::lock_guard lock(slot->opening);
  try {
    if (slot->study == nullptr) slot->study = std::make_shared<Study>(studies.open(name));
  } catch (const StudyError& error) {
    if (error.code() != ErrorCode::unknown_study) throw;
    close(tenant, name);  // somebody has just deleted it
    refuse(name);
  }
  return slot->study;
}

void OpenStudies::close(const std::string& tenant, const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find({tenant, name});
  if (found == entries_.end()) return;
  recent_.erase(found->second.place);
  entries_.erase(found);
}

std::size_t OpenStudies::count(const std::string& tenant, std::size_t most) {
  const auto now = std::chrono::steady_clock::now();
  {
    const std::lock_guard lock(mutex_);
    const auto found = counts_.find(tenant);
    if (found != counts_.end() && found->second.studies < most &&
        now < found->second.counted + std::chrono::minutes(1)) {
      return found->second.studies;
    }
  }
  const std::size_t studies = store(tenant).list().size();
  const std::lock_guard lock(mutex_);
  counts_[tenant] = {studies, now};
  return studies;
}

void OpenStudies::made(const std::string& tenant) {
  const std::lock_guard lock(mutex_);
  ++counts_[tenant].studies;
}

bool OpenStudies::is_open(const std::string& tenant, const std::string& name) const {
  const std::lock_guard lock(mutex_);
  return entries_.contains({tenant, name});
}

std::size_t OpenStudies::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace keyhole::service
