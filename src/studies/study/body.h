#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "keyhole/store.h"
#include "studies/format/step.h"
#include "studies/image/description_text.h"
#include "studies/journals/journal.h"
#include "studies/journals/snapshots.h"
#include "studies/study/rivals.h"
#include "studies/study/stopwatch.h"
#include "studies/study/turns.h"

namespace keyhole {

/// A study at work: the image of its log up to a position. Thread-safe.
///
/// A log has eras: a new one begins where the study was renewed, with a description of its own. The
/// numbers of plays go on from era to era; the learner's are smaller by `offset_`. Plays up to
/// `before_` are those of earlier eras, and cannot be told.
class [[gnu::visibility("hidden")]] Study::Body {
 public:
  /// Takes a step that was found in the log.
  using Watch = std::function<void(const StudyRecord& record)>;

  /// The study of a log, which must have a description. `name` is for messages. It begins with a
  /// snapshot and keeps new ones, if there is a place for them.
  Body(std::string name, std::unique_ptr<studies::Journal> journal, Durability durability,
       std::shared_ptr<const Catalogue> catalogue,
       std::unique_ptr<studies::Snapshots> snapshots = {});
  /// The same of the whole log. `watch` sees the steps that the log has by now.
  Body(std::string name, std::unique_ptr<studies::Journal> journal, Durability durability,
       std::shared_ptr<const Catalogue> catalogue, const Watch& watch);

  StudyStep step(const studies::Step& step);
  StudyStep append(const studies::Step& step, std::uint64_t& end);
  void harden(std::uint64_t end);
  void explore(bool on);
  [[nodiscard]] bool explores();
  Renewal renew();
  /// Shows the steps that were appended since.
  void follow(const Watch& watch);

  /// What f(learner) gives, once all that is in the log is known.
  template <class Function>
  auto look(Function f) {
    const auto lock = held();
    catch_up();
    return f(*learner_);
  }
  [[nodiscard]] StudyPlayRecord play(PlayId id);
  [[nodiscard]] std::vector<double> recommend();
  [[nodiscard]] bool needs_renewal();
  [[nodiscard]] StudyPosition durable_position();

  [[nodiscard]] const StudyDescription& description() const { return *description_; }
  /// The space; null for a study on a set.
  [[nodiscard]] const Space* space() const { return std::get_if<Space>(&description_->on); }
  [[nodiscard]] const Set& set() const { return *set_; }
  /// How many bytes of the log are in the image.
  [[nodiscard]] std::uint64_t position() const { return position_; }

 private:
  using Stopwatch = studies::Stopwatch;

  [[nodiscard]] std::unique_lock<std::mutex> held() { return held(journal_->waits_in_vain()); }
  [[nodiscard]] std::unique_lock<std::mutex> held(std::uint64_t before);
  void catch_up(const Watch& watch = {});
  void take(std::string_view content, std::uint64_t end, const Watch& watch);
  void move_on(std::string_view content, std::uint64_t end);
  void begin(const std::string& text);
  void begin_era(const studies::Era& era);
  void switch_exploring(bool on);
  void count(const studies::Step& step, StudyStep* result);
  void apply(const studies::Step& step, StudyStep* result);
  StudyStep append_far(const studies::Step& step, std::uint64_t& end);
  [[nodiscard]] bool append_to_image(const studies::Step& step, StudyStep& result);
  [[nodiscard]] bool suffices_for(const studies::Step& step) const;
  void require_description() const;
  void require_no_renewal() const;
  void check(const studies::Step& step) const;
  void check_tell(const studies::Tell& tell) const;
  void check_tell(const studies::Tell& tell, std::map<PlayId, double>& told) const;
  [[nodiscard]] std::optional<StudyPlay> kept_play(const studies::Step& step) const;
  [[nodiscard]] std::optional<StudyPlay> pending_play(const std::string& worker) const;
  [[nodiscard]] StudyPlay described(const studies::WorkersPlay& play) const;

  [[nodiscard]] bool is_of_an_earlier_era(PlayId id) const { return id > 0 && id <= before_; }
  [[nodiscard]] bool has_expired(PlayId id) const;
  [[nodiscard]] Renewal next_era(studies::Era & era);

  void begin_with_a_snapshot();
  void begin_with(const studies::Snapshot& snapshot);
  void restore(const studies::Snapshot& snapshot);
  void keep_snapshot_if_due();
  [[nodiscard]] studies::Snapshot snapshot() const;

  std::string name_;
  std::unique_ptr<studies::Journal> journal_;
  Durability durability_;
  std::shared_ptr<const Catalogue> catalogue_;
  std::unique_ptr<studies::Snapshots> snapshots_;
  studies::Turns turns_;    // of those who append to a log that is far...
  studies::Rivals rivals_;  // ...and the processes that do so as well; with a turn only
  std::mutex mutex_;

  // The image.
  std::string text_;  // of the era
  std::optional<StudyDescription> description_;
  studies::Making making_;
  std::optional<Learner> learner_;
  // Users hold references to the set of the first learner, and renewal makes another one.
  const Set* set_ = nullptr;
  std::vector<Learner> retired_;
  /// Of a study that needs renewal: the revision that made it.
  std::optional<std::uint64_t> old_revision_;
  /// Of such a study: whether the learner has what was learned up to the latest snapshot, and what
  /// that recommended.
  bool has_learned_ = false;
  std::vector<double> recommended_;
  bool explores_ = true;
  std::uint64_t asked_ = 0;
  std::uint64_t before_ = 0;
  std::uint64_t offset_ = 0;
  std::map<std::string, studies::WorkersPlay> of_worker_;  // the latest play of each
  std::uint64_t position_ = 0;                             // how far the log is in the image
  std::uint64_t last_ = 0;                                 // where its latest frame begins
  std::string last_content_;                               // what that says

  // When the next snapshot is due.
  std::uint64_t snapshot_position_ = 0;
  Stopwatch::Seconds replay_time_ = {};
  Stopwatch::Seconds writing_time_ = {};

  // Scratch.
  studies::Step replayed_;
  studies::WorkersPlay played_;
};

}  // namespace keyhole
