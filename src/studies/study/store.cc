#include "keyhole/store.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/nearest.h"
#include "base/quoted.h"
#include "base/require.h"
#include "studies/format/frame.h"
#include "studies/image/description_text.h"
#include "studies/journals/log_reader.h"
#include "studies/journals/place.h"
#include "studies/name.h"
#include "studies/study/change.h"
#include "studies/study/label.h"
#include "studies/study/live.h"
#include "studies/study/new_study.h"

namespace keyhole {
namespace {

void require_name(const std::string& name) {
  if (studies::is_name(name)) return;
  throw StudyError("'" + name +
                   "' cannot be the name of a study: take up to 100 letters, digits, '-', '_' and "
                   "'.', and begin with a letter, a digit or '_'");
}

StoreOptions limited(StoreOptions options) {
  constexpr double longest = 1e6;  // seconds, which is a week; in milliseconds it fits an int
  base::require_not_negative("StoreOptions::wait", options.wait);
  options.wait = std::min(options.wait, longest);
  return options;
}

/// All that is kept of a study.
struct WholeStudy {
  std::string log;  // whole frames; empty if there is no such study
  std::vector<studies::Snapshot> snapshots;
  studies::KeptContents contents;
  std::string label;
};

/// Throws StudyError if it is damaged.
WholeStudy whole_study(const Store::Place& place, const std::string& name) {
  WholeStudy study = {.log = {},
                      .snapshots = place.snapshots(name)->read(studies::Unreadable::refused),
                      .contents = place.contents(name),
                      .label = place.label(name)};
  study.log = place.log(name);  // after the snapshots, so that it has all that they are of
  const studies::LogRead read =
      studies::read_frames(study.log, {}, "the log of the study '" + name + "'",
                           [&](std::string_view content, const studies::Mark& end) {
                             for (studies::Snapshot& snapshot : study.snapshots)
                               snapshot.find(content, end);
                           });
  study.log.resize(read.end.position);
  if (study.log.empty()) return study;  // it was deleted, perhaps before all of this was read
  for (const auto& [content, bytes] : study.contents) {
    studies::require_content(content, bytes, "the study '" + name + "'");
  }
  return study;
}

void put_label(const Store::Place& place, const std::string& name, const WholeStudy& study) {
  if (place.label(name) != study.label) (void)place.set_label(name, study.label);
}

/// Makes the study in another place, or brings a copy there up to date that ends at byte `there`.
/// Throws StudyError if there is another one of that name.
void put(const Store::Place& place, const std::string& name, const WholeStudy& study,
         std::uint64_t there = 0) {
  const bool is_done = there == 0 ? place.make(name, study.log, study.contents)
                                  : place.extend(name, there, study.log);
  if (!is_done) {
    throw StudyError("there is a study '" + name + "' in " + place.text() +
                         ": delete it first, or copy to another store",
                     ErrorCode::other_description);
  }
  const auto snapshots = place.snapshots(name);
  for (const studies::Snapshot& snapshot : study.snapshots) {
    try {
      if (snapshot.is_found) snapshots->keep(snapshot);
    } catch (const Error&) {  // the log alone will do, or the copy was deleted
    }
  }
  put_label(place, name, study);
}

}  // namespace

Store::Store(std::shared_ptr<const Place> place, const StoreOptions& options, Catalogue catalogue)
    : options_(options),
      place_(std::move(place)),
      catalogue_(std::make_shared<const Catalogue>(std::move(catalogue))) {}

Store::Store(const std::string& where, const StoreOptions& options, Catalogue catalogue)
    : Store(studies::names_database(where) ? studies::postgres_place(where, limited(options))
                                           : studies::folder_place(where, limited(options)),
            limited(options), std::move(catalogue)) {}

Store Store::in_memory(const StoreOptions& options, Catalogue catalogue) {
  const StoreOptions taken = limited(options);
  return {studies::memory_place(taken), taken, std::move(catalogue)};
}

Store Store::within(const std::string& tenant) const {
  Store store = *this;
  store.place_ = place_->within(tenant);
  return store;
}

bool Store::add(const std::string& name, const StudyDescription& description) const {
  require_name(name);
  if (!place_->identity(name).empty()) return false;
  studies::Mark begin;
  const studies::NewStudy study = studies::new_study(description, *catalogue_);
  studies::KeptContents contents;
  for (const auto& [content, array] : study.contents) contents[content] = array.npy();
  return place_->make(name, studies::frame_bytes(begin, 0, study.text), contents);
}

Study Store::create(const std::string& name, const StudyDescription& description) const {
  constexpr int most_tries = 1000;
  for (int tries = 1;; ++tries) {
    (void)add(name, description);
    try {
      auto live = open_live(name);
      studies::require_same(name, live->description(), description);
      return Study(std::move(live));
    } catch (const StudyError& error) {
      const bool is_gone = error.code() == ErrorCode::unknown_study ||
                           error.code() == ErrorCode::replaced;  // somebody has deleted it again
      if (!is_gone || tries == most_tries) throw;
    }
  }
}

void Store::copy(const std::string& name, const Store& to) const {
  require_study(name);
  const WholeStudy study = whole_study(*place_, name);
  if (study.log.empty()) refuse(name);
  put(*to.place_, name, study);
}

StoreCopy Store::copy_all(const Store& to) const {
  const std::string inside = place_->text() + "/@";
  if (!is_database() && to.place_->text().starts_with(inside)) {
    throw InvalidArgument(to.place_->text() + " is inside of " + place_->text() +
                          ", which cannot be copied into itself");
  }
  StoreCopy done;
  for (const std::string& name : list()) {
    try {
      const WholeStudy study = whole_study(*place_, name);
      if (study.log.empty()) continue;
      const std::string there = to.place_->log(name);
      if (!there.empty() && there.starts_with(study.log)) {
        if (there.size() == study.log.size()) put_label(*to.place_, name, study);
        ++done.there;
        continue;
      }
      put(*to.place_, name, study, study.log.starts_with(there) ? there.size() : 0);
      ++done.copied;
    } catch (const Error& error) {
      if (error.code() == ErrorCode::database) throw;  // it would be so for all
      done.failures.emplace_back(error.what());
    }
  }
  for (const std::string& tenant : tenants()) {
    StoreCopy theirs = within(tenant).copy_all(to.within(tenant));
    done.copied += theirs.copied;
    done.there += theirs.there;
    std::move(theirs.failures.begin(), theirs.failures.end(), std::back_inserter(done.failures));
  }
  return done;
}

std::vector<std::string> Store::tenants() const { return place_->tenants(); }

void Store::refuse(const std::string& name) const {
  throw StudyError(
      "there is no study '" + name + "' in " + place_->text() + base::suggestion(name, list()),
      ErrorCode::unknown_study);
}

void Store::require_study(const std::string& name) const {
  require_name(name);
  if (place_->identity(name).empty()) refuse(name);
}

std::unique_ptr<studies::Journal> Store::journal_of(const std::string& name) const {
  require_name(name);
  auto journal = place_->journal(name);
  if (journal == nullptr) refuse(name);
  return journal;
}

std::unique_ptr<Study::Live> Store::open_live(const std::string& name) const {
  return std::make_unique<Study::Live>(name, journal_of(name), options_, catalogue_,
                                       place_->snapshots(name));
}

Study Store::open(const std::string& name, Replay what) const {
  if (what == Replay::plays) return Study(open_live(name));
  return Study(std::make_unique<Study::Live>(name, journal_of(name), options_, catalogue_, nullptr,
                                             studies::Follow::facts));
}

Renewal Store::renew(const std::string& name, bool dry_run) const {
  if (dry_run) {
    const Store draft = in_memory(options_, *catalogue_);
    copy(name, draft);
    return draft.renew(name);
  }
  return Study::Live(name, journal_of(name), options_, catalogue_, place_->snapshots(name),
                     studies::Follow::plays, {}, Digits::may_differ)
      .renew();
}

StudyChange Store::change(const std::string& name, const Space& space, const Values& start) const {
  studies::ToldLosses told;
  const auto take = [&](const StudyRecord& record) { told.take(record); };
  return Study::Live(name, journal_of(name), options_, catalogue_, {}, studies::Follow::plays, take)
      .change(space, start, told);
}

StudyLog Store::replay(const std::string& name,
                       const std::function<void(const StudyRecord& record)>& take,
                       const std::function<bool()>& more, Replay what) const {
  auto journal = journal_of(name);
  const std::uint64_t size = log_bytes(name);  // before others append more
  const auto follow = what == Replay::facts ? studies::Follow::facts : studies::Follow::plays;
  Study::Live live(name, std::move(journal), options_, catalogue_, {}, follow, take);
  while (more && more()) live.follow(take);
  const studies::Image& image = live.image();
  StudyLog found{.frames = image.frames(), .bytes = image.mark().position};
  found.torn = size > found.bytes ? size - found.bytes : 0;
  if (image.plays()) found.state_hash = image.learner().state().hash();
  return found;
}

std::vector<std::string> Store::list() const {
  std::vector<std::string> names;
  place_->visit("", [&](const std::string& name, const auto&) {
    names.push_back(name);
    return true;
  });
  return names;
}

StudyLabel Store::label(const std::string& name) const {
  require_study(name);
  return studies::read_label(place_->label(name));
}

void Store::set_label(const std::string& name, const StudyLabel& label) const {
  require_name(name);
  if (!place_->set_label(name, studies::label_text(label))) refuse(name);
}

std::vector<LabelledStudy> Store::find(const StudySearch& search) const {
  std::vector<LabelledStudy> found;
  for (const std::string* const name : {&search.prefix, &search.after}) {
    if (name->empty() || studies::is_name(*name)) continue;
    throw InvalidArgument(base::quoted(*name) + " is neither a name nor the beginning of one");
  }
  if (search.most == 0) return found;
  place_->visit(std::max(search.after, search.prefix),
                [&](const std::string& name, const std::function<std::string()>& label) {
                  if (!name.starts_with(search.prefix)) return false;
                  if (name == search.after) return true;
                  LabelledStudy study = {name, studies::read_label(label())};
                  if (studies::fits(study, search)) found.push_back(std::move(study));
                  return found.size() < search.most;
                });
  return found;
}

void Store::remove(const std::string& name, double keep) const {
  require_name(name);
  base::require_not_negative("keep", keep);
  constexpr double longest = 1e10;  // seconds: 300 years
  const auto seconds = static_cast<std::uint64_t>(std::ceil(std::min(keep, longest)));
  if (!place_->remove(name, seconds)) refuse(name);
}

void Store::undelete(const std::string& name) const {
  require_name(name);
  // Who asks again, as after a lost answer, finds it there and none of its name deleted.
  const auto is_there = [&] {
    if (identity(name).empty()) return false;
    for (const DeletedStudy& deleted : place_->deleted()) {
      if (deleted.name != name) continue;
      throw StudyError("there is a study '" + name + "': the deleted one cannot take its name",
                       ErrorCode::other_description);
    }
    return true;
  };
  if (is_there() || place_->undelete(name) || is_there()) return;
  throw StudyError("no deleted study '" + name + "' is kept in " + place_->text(),
                   ErrorCode::unknown_study);
}

std::vector<DeletedStudy> Store::deleted() const {
  std::vector<DeletedStudy> found = place_->deleted();
  std::stable_sort(found.begin(), found.end(),
                   [](const DeletedStudy& a, const DeletedStudy& b) { return a.name < b.name; });
  return found;
}

bool Store::is_database() const { return place_->is_database(); }

std::string Store::identity(const std::string& name) const {
  return studies::is_name(name) ? place_->identity(name) : "";
}

std::uint64_t Store::log_bytes(const std::string& name) const {
  return studies::is_name(name) ? place_->log_bytes(name) : 0;
}

}  // namespace keyhole
