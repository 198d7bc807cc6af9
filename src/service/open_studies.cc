#include "service/open_studies.h"

#include <sys/stat.h>

#include "service/problem.h"
#include "studies/name.h"

namespace keyhole::service {
namespace {

using File = std::pair<std::uint64_t, std::uint64_t>;

/// What tells a file from one that takes its place: device and number; zeros if there is none.
File identity(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  return {status.st_dev, status.st_ino};
}

[[noreturn]] void refuse(const std::string& name) {
  throw Problem(404, "unknown-study",
                studies::is_name(name)
                    ? "there is no study '" + name + "': GET /v1/studies lists them"
                    : "there is no such study: GET /v1/studies lists them");
}

}  // namespace

OpenStudies::OpenStudies(std::string folder, const StoreOptions& options, Catalogue catalogue,
                         std::size_t most)
    : folder_(std::move(folder)), options_(options), catalogue_(std::move(catalogue)), most_(most) {
  (void)store("");
}

std::string OpenStudies::folder_of(const std::string& tenant) const {
  return tenant.empty() ? folder_ : folder_ + "/@" + tenant;
}

const Store& OpenStudies::store(const std::string& tenant) {
  const std::lock_guard lock(mutex_);
  const auto found = stores_.find(tenant);
  if (found != stores_.end()) return found->second;
  return stores_.emplace(tenant, Store(folder_of(tenant), options_, catalogue_)).first->second;
}

std::shared_ptr<OpenStudies::Slot> OpenStudies::slot_of(const Key& key) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(key);
  if (found != entries_.end()) {
    recent_.splice(recent_.begin(), recent_, found->second.place);
    return found->second.slot;
  }
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
  // Names that cannot be one have no log; so no slot is made of what a client may invent.
  const File file =
      studies::is_name(name) ? identity(folder_of(tenant) + "/" + name + "/log") : File();
  if (file == File()) {
    close(tenant, name);
    refuse(name);
  }
  const auto slot = slot_of({tenant, name});
  const std::lock_guard lock(slot->opening);
  // Somebody may have deleted it and made another one of that name.
  if (slot->study == nullptr || slot->file != file) {
    slot->study = std::make_shared<Study>(store(tenant).open(name));
    slot->file = file;
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

std::size_t OpenStudies::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace keyhole::service
