#include "keyhole/store.h"

#include "base/nearest.h"
#include "studies/format/frame.h"
#include "studies/image/description_text.h"
#include "studies/journals/log_reader.h"
#include "studies/journals/place.h"
#include "studies/name.h"
#include "studies/study/body.h"

namespace keyhole {
namespace {

void require_name(const std::string& name) {
  if (studies::is_name(name)) return;
  throw StudyError("'" + name +
                   "' cannot be the name of a study: take up to 100 letters, digits, '-', '_' and "
                   "'.', and begin with a letter, a digit or '_'");
}

}  // namespace

Store::Store(const std::string& where, const StoreOptions& options, Catalogue catalogue)
    : place_(studies::names_database(where)
                 ? studies::postgres_place(where, options.durability, options.wait)
                 : studies::folder_place(where, options.allow_network)),
      options_(options),
      catalogue_(std::make_shared<const Catalogue>(std::move(catalogue))) {}

Store Store::within(const std::string& tenant) const {
  Store store = *this;
  store.place_ = place_->within(tenant);
  return store;
}

Study Store::create(const std::string& name, const StudyDescription& description) const {
  require_name(name);
  if (place_->identity(name).empty()) {
    const std::string text = studies::new_description(description, *catalogue_);
    (void)place_->make(name, studies::frame_bytes(0, 0, text));
  }
  auto body = open_body(name);
  studies::require_same(name, body->description(), description);
  return Study(std::move(body));
}

void Store::copy(const std::string& name, const Store& to) const {
  require_study(name);
  std::string log = place_->log(name);
  log.resize(studies::read_frames(log, 0, "the log of the study '" + name + "'",
                                  [](std::string_view, std::uint64_t) {}));
  if (!to.place_->make(name, log)) {
    throw StudyError("there is a study '" + name + "' in " + to.place_->text() +
                         ": delete it first, or copy to another store",
                     ErrorCode::other_description);
  }
  const auto snapshots = to.place_->snapshots(name);
  for (const studies::Snapshot& snapshot : place_->snapshots(name)->read()) {
    if (snapshot.position <= log.size()) snapshots->keep(snapshot);
  }
}

void Store::refuse(const std::string& name) const {
  throw StudyError(
      "there is no study '" + name + "' in " + place_->text() + base::suggestion(name, list()),
      ErrorCode::unknown_study);
}

void Store::require_study(const std::string& name) const {
  require_name(name);
  if (place_->identity(name).empty()) refuse(name);
}

std::unique_ptr<Study::Body> Store::open_body(const std::string& name) const {
  require_name(name);
  auto journal = place_->journal(name);
  if (journal == nullptr) refuse(name);
  return std::make_unique<Study::Body>(name, std::move(journal), options_.durability, catalogue_,
                                       place_->snapshots(name));
}

Renewal Store::renew(const std::string& name) const { return open_body(name)->renew(); }

Study Store::open(const std::string& name) const { return Study(open_body(name)); }

StudyLog Store::replay(const std::string& name,
                       const std::function<void(const StudyRecord& record)>& take,
                       const std::function<bool()>& more) const {
  require_name(name);
  auto journal = place_->journal(name);
  if (journal == nullptr) refuse(name);
  const std::uint64_t size = log_bytes(name);  // before others append more
  StudyLog found{.frames = 1};
  const auto watch = [&](const StudyRecord& record) {
    ++found.frames;
    take(record);
  };
  Study::Body body(name, std::move(journal), options_.durability, catalogue_, watch);
  while (more && more()) body.follow(watch);
  found.bytes = body.position();
  found.torn = size > found.bytes ? size - found.bytes : 0;
  if (body.needs_renewal()) return found;
  found.state_hash = body.look([](const Learner& learner) { return learner.state().hash(); });
  return found;
}

std::vector<std::string> Store::list() const { return place_->list(); }

void Store::remove(const std::string& name) const {
  require_name(name);
  if (!place_->remove(name)) refuse(name);
}

bool Store::is_database() const { return place_->is_database(); }

std::string Store::identity(const std::string& name) const {
  return studies::is_name(name) ? place_->identity(name) : "";
}

std::uint64_t Store::log_bytes(const std::string& name) const {
  return studies::is_name(name) ? place_->log_bytes(name) : 0;
}

}  // namespace keyhole
