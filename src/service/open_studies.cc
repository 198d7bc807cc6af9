#include "service/open_studies.h"

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
                         std::size_t most)
    : most_(most) {
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
  if (entries_.size() > most_) {
    entries_.erase(recent_.back());
    recent_.pop_back();
  }
  return slot;
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
  const auto slot = slot_of({tenant, name}, true);
  const std::lock_guard lock(slot->opening);
  if (slot->study == nullptr) slot->study = std::make_shared<Study>(studies.open(name));
  return slot->study;
}

void OpenStudies::close(const std::string& tenant, const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find({tenant, name});
  if (found == entries_.end()) return;
  recent_.erase(found->second.place);
  entries_.erase(found);
}

std::size_t OpenStudies::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace keyhole::service
