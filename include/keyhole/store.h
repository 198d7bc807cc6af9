#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "keyhole/study.h"

namespace keyhole::studies {
class Journal;
class Transfer;
}  // namespace keyhole::studies

#pragma GCC visibility push(default)
namespace keyhole {

/// How safe a step is when it is answered.
enum class Durability : std::uint8_t {
  /// It survives a power cut.
  disk,
  /// It survives the end of the process by any means, but not a power cut.
  process,
};

/// How a store keeps its studies.
struct StoreOptions {
  /// How safe a step is when it is answered.
  Durability durability = Durability::disk;
  /// Whether the folder may be on a network file system. Many of these lose locks or writes.
  bool allow_network = false;
  /// How many seconds a call waits for others: for the lock of a study that another process holds,
  /// or for a database that does not answer. Then it throws an Error of ErrorCode::busy.
  double wait = 10;
  /// The time, in seconds since the beginning of 1970 in UTC, which contexts of the kind Clock are
  /// read from when a play is asked for. Default: the system's.
  double (*now)() = nullptr;
};

/// A study that is deleted and can be brought back.
struct DeletedStudy {
  /// What it was called.
  std::string name;
  /// Until when, in seconds since the beginning of 1970 in UTC.
  std::uint64_t until = 0;
};

/// What a study goes on with after its renewal.
enum class Renewal : std::uint8_t {
  /// It was of this version already: nothing was done.
  not_needed,
  /// What was learned up to its latest snapshot, or to where the digits differ. An algorithm that
  /// can be taught points that it did not choose (Learner::can_learn()) has also learned what the
  /// log holds from there on.
  what_was_learned,
  /// A new learner that starts at what the latest snapshot recommended.
  recommendation,
  /// A new learner: there was no snapshot, and no point that it can be taught.
  nothing,
};

/// How a log is read again.
enum class Replay : std::uint8_t {
  /// Everything is played again, and compared with what the log holds.
  plays,
  /// Nothing is played where the log holds the points: what was played is read, by whatever version
  /// it was made. Records have no learner then, and a tell that was repeated counts as fresh.
  facts,
};

/// What people write on a study, for people and for a search. Nothing is learned from it.
struct StudyLabel {
  /// Any text of up to 10,000 bytes.
  std::string note = {};
  /// Up to 20 words of up to 100 letters, digits and '-', '_', '.', ':', '/', such as "prod" or
  /// "team:search".
  std::vector<std::string> tags = {};

  /// Whether they say the same.
  friend bool operator==(const StudyLabel&, const StudyLabel&) = default;
};

/// Which studies to look for: those that are all of this.
struct StudySearch {
  /// It stands in the name or in the note; A and a are the same, as are B and b to Z and z.
  /// Empty for any.
  std::string text = {};
  /// It is one of the tags; empty for any.
  std::string tag = {};
  /// The name begins with it.
  std::string prefix = {};
  /// The name comes after this one.
  std::string after = {};
  /// How many at most.
  std::size_t most = 1000;
};

/// A study that was found.
struct LabelledStudy {
  /// Its name.
  std::string name;
  /// What is written on it.
  StudyLabel label;

  /// Whether they have the same name and label.
  friend bool operator==(const LabelledStudy&, const LabelledStudy&) = default;
};

/// What became of the studies of a store that was copied.
struct StoreCopy {
  /// How many were copied.
  std::size_t copied = 0;
  /// How many were there already, as far as here or farther.
  std::size_t there = 0;
  /// Why the others were not copied, a sentence each.
  std::vector<std::string> failures = {};
};

/// Studies in a folder or a database, by name. Any number of stores, in any number of processes,
/// may have the same one. Thread-safe.
///
/// A test of a program of yours needs neither. In memory, studies do all that they do elsewhere:
///
///     TEST(Tuner, TellsWhatItAsksFor) {
///       const Store store = Store::in_memory();
///       Tuner tuner(store);  // yours, which takes a store
///       tuner.run_a_round();
///       EXPECT_EQ(store.open("cache").summary().told, 1);
///     }
class Store {
 public:
  /// The studies of a folder, which is made if it does not exist, or of a database of PostgreSQL,
  /// by its address, such as `postgresql://db.example.org/studies`. Throws StudyError for a network
  /// file system that is not allowed. The catalogue makes the sets and learners.
  explicit Store(const std::string& where, const StoreOptions& options = {},
                 Catalogue catalogue = Catalogue::standard());
  /// A new store in memory, which its copies share. It ends with the last of them and of their
  /// studies, at the latest with the process. Its steps count as durable at once. A forked child
  /// has studies of its own from then on.
  [[nodiscard]] static Store in_memory(const StoreOptions& options = {},
                                       Catalogue catalogue = Catalogue::standard());

  /// The studies of a tenant, who has names of its own: they are in a folder of this one, or next
  /// to these in the database.
  [[nodiscard]] Store within(const std::string& tenant) const;

  /// A new study, or the one of that name if it has the same description. Throws StudyError if it
  /// has another one, or for a name that is no name of letters, digits, '-', '_' and '.'.
  [[nodiscard]] Study create(const std::string& name, const StudyDescription& description) const;
  /// Makes a study unless there is one of that name; whether it did.
  [[nodiscard]] bool add(const std::string& name, const StudyDescription& description) const;
  /// The study of a name. Throws StudyError if there is none. With Replay::facts it can be looked
  /// at whatever version has made it, and not be asked or told.
  [[nodiscard]] Study open(const std::string& name, Replay what = Replay::plays) const;
  /// Reads the whole log of a study, plays it again and hands over each step, in order. Then asks
  /// `more`, if there is one: as long as it says true, the steps that were appended since are
  /// handed over too. Throws StudyError if there is no such study, if its log is damaged, or if
  /// playing it again gives other points than were played (ErrorCode::other_digits).
  StudyLog replay(const std::string& name,
                  const std::function<void(const StudyRecord& record)>& take,
                  const std::function<bool()>& more = {}, Replay what = Replay::plays) const;
  /// Lets a study go on on another space: with other bounds, a parameter more or less, another
  /// rule. A new learner is taught all losses so far whose values the new space has room for. How
  /// many these were, and how many were left out, is returned. The numbers of plays go on; losses
  /// of plays from before are taken as expired. A study that is so already stays as it is, and what
  /// its latest change did is returned: the call may be made again. Whoever has the study open is
  /// told that it was replaced (ReplacedStudy). The start is the one given, or the old one as far
  /// as its parameters are left. It must say what was run until now of a parameter that is new.
  /// Throws InvalidArgument for a study on a set, if the algorithm cannot be taught
  /// (Learner::can_learn()), and for a new parameter that the start does not have.
  StudyChange change(const std::string& name, const Space& space, const Values& start = {}) const;
  /// Lets a study go on that another version has made (Study::needs_renewal()): from now on with
  /// the plays of this version. The numbers of its plays go on, and losses of plays from before are
  /// taken as expired. A dry run says what it would go on with, and changes nothing: it renews a
  /// copy in memory.
  Renewal renew(const std::string& name, bool dry_run = false) const;
  /// Copies a study to another store: its log byte for byte, its snapshots and its label. Throws
  /// StudyError if there is a study of that name, or if the log is damaged.
  void copy(const std::string& name, const Store& to) const;
  /// Copies all studies, and those of all tenants, as copy() does: each as it is at one moment,
  /// while others play on. A study that is there with an earlier part of the same log is replaced,
  /// one that is there with another log is left alone. What cannot be copied is said, and the rest
  /// is copied.
  StoreCopy copy_all(const Store& to) const;
  /// Who has studies within() this store, by name.
  [[nodiscard]] std::vector<std::string> tenants() const;
  /// The names, in order.
  [[nodiscard]] std::vector<std::string> list() const;
  /// What was written on a study. Throws StudyError if there is none.
  [[nodiscard]] StudyLabel label(const std::string& name) const;
  /// Writes on a study, in place of what was there; a tag that is given twice counts once. Throws
  /// StudyError if there is no such study, and InvalidArgument for a note or a tag that is none.
  void set_label(const std::string& name, const StudyLabel& label) const;
  /// The studies that fit, in the order of their names.
  [[nodiscard]] std::vector<LabelledStudy> find(const StudySearch& search) const;
  /// Deletes a study and all that was learned. For so many seconds it can be brought back. Throws
  /// StudyError if there is none.
  void remove(const std::string& name, double keep = 0) const;
  /// Brings back the study of that name that was deleted last, with all that was learned. Does
  /// nothing if none of the name is deleted and it is there, so that it may be called again. Throws
  /// StudyError if there is none, or if its name was taken meanwhile.
  void undelete(const std::string& name) const;
  /// What can be brought back, in the order of the names; of one name, the latest first.
  [[nodiscard]] std::vector<DeletedStudy> deleted() const;

  /// Whether it is in a database. What it is asked then takes a call over the network.
  [[nodiscard]] bool is_database() const;
  /// What tells a study from another one that takes its name later; empty if there is none.
  [[nodiscard]] std::string identity(const std::string& name) const;
  /// How long the log of a study is, in bytes; 0 if there is none.
  [[nodiscard]] std::uint64_t log_bytes(const std::string& name) const;

  /// Its own.
  class [[gnu::visibility("hidden")]] Place;

 private:
  friend class studies::Transfer;

  Store(std::shared_ptr<const Place> place, const StoreOptions& options, Catalogue catalogue);

  [[nodiscard]] std::unique_ptr<studies::Journal> journal_of(const std::string& name) const;
  [[nodiscard]] std::unique_ptr<Study::Live> open_live(const std::string& name) const;
  void require_study(const std::string& name) const;
  /// Throws StudyError: there is no such study.
  [[noreturn]] void refuse(const std::string& name) const;

  StoreOptions options_;
  std::shared_ptr<const Place> place_;
  std::shared_ptr<const Catalogue> catalogue_;  // which its studies share
};

}  // namespace keyhole
#pragma GCC visibility pop
