#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "keyhole/store.h"
#include "studies/format/events.h"
#include "studies/format/frame.h"
#include "studies/format/snapshot.h"
#include "studies/image/description_text.h"
#include "studies/image/workers.h"

namespace keyhole::studies {

/// How an image follows the plays of its log.
enum class Follow : std::uint8_t {
  /// It plays them again.
  plays,
  /// It plays nothing where the log holds the points.
  facts,
};

/// Teaches a loss of the past. The space is null for a study on a set.
void learn(Learner& learner, const Space* space, const Past::Loss& loss);

/// What a log leads to: a fold over its events, without a file, a lock or a clock. Whatever throws
/// leaves it half-way, and it must be made again from the log. Not thread-safe.
///
/// A log has eras: a new one begins where the study was renewed, with a description of its own. The
/// numbers of plays go on from era to era; the learner's are smaller by `offset_`. Plays up to
/// `before_` are those of earlier eras, and cannot be told.
class Image {
 public:
  /// Takes a step that was found in the log.
  using Watch = std::function<void(const StudyRecord& record)>;

  /// Of an empty log. `name` is for messages. A set that was made before for the same study is not
  /// made again; else `read` gives the arrays that it is made of.
  Image(std::string name, std::shared_ptr<const Catalogue> catalogue, Follow follow,
        SetPtr set = {}, ReadContent read = {});

  /// Begins with a snapshot that knows its seal. Throws StudyError if this version cannot go on
  /// with it.
  void begin_with(const Snapshot& snapshot);
  /// A snapshot of a study that another version has made: what it says was learned is of use for
  /// renewal, when its position is reached.
  void remember(Snapshot snapshot);

  /// Takes the content of a frame that ends at a mark.
  void take(std::string_view content, const Mark& end, const Watch& watch = {});
  /// Where the log is that far.
  [[nodiscard]] const Mark& mark() const { return mark_; }
  /// How many frames were taken.
  [[nodiscard]] std::uint64_t frames() const { return frames_; }

  /// Throws if a step could not be taken whole.
  void check(const Step& step) const;
  /// Throws if losses of the past could not all be learned.
  void check(const Past& past) const;
  /// What became of losses of the past that were learned before by the same id; nothing if they
  /// were not, or a thousand others since. Throws FeedbackError if they were other losses.
  [[nodiscard]] std::optional<PastReceipt> learned_by_id(const Past& past) const;
  /// The same of losses that were learned by an id before the study was changed, whatever they
  /// were.
  [[nodiscard]] std::optional<PastReceipt> learned_before_change(const std::string& id) const;
  /// The play that the worker of a step gets again: it is pending, and the step does not tell it.
  [[nodiscard]] std::optional<StudyPlay> kept_play(const Step& step) const;
  /// Plays a step that is not in the log yet. It sets the facts of the step, whose bytes are valid
  /// until the next step. The image is ahead of its log then, until move_to().
  StudyStep play(Step& step);
  /// All that was taken is in the log now, which ends there.
  void move_to(const Mark& end) noexcept { mark_ = end; }

  /// What a step changes, or losses of the past.
  struct Before {
    State state;
    Workers workers;
    std::uint64_t asked;
    std::uint64_t past;
    std::uint64_t clipped;
    std::uint64_t calls;
    std::uint64_t frames;
  };
  [[nodiscard]] Before before() const {
    return {learner_->state(), workers_, asked_, past_, clipped_, calls_so_far_, frames_};
  }
  /// Takes a step back that is not in the log.
  void undo(Before before);

  /// Throws StudyError if another version made the study: then it can only be looked at.
  void require_no_renewal() const;
  [[nodiscard]] bool needs_renewal() const { return lost_.has_value(); }
  /// Throws StudyError of ErrorCode::other_digits if playing the latest era again has given another
  /// point than was played.
  void require_same_digits() const;
  /// The era with which a study goes on that needs renewal.
  [[nodiscard]] Renewal next_era(Era& era);
  /// From now on what the log says of plays that are not played again is taught to the learner, if
  /// it can be taught points that it did not choose: for renewal.
  void teach_what_is_not_played() { teaches_ = true; }

  /// Whether the learner plays what the log has from here on.
  [[nodiscard]] bool plays() const {
    return !lost_ &&
           !(follow_ == Follow::facts && mark_.is_sealed && what_is_kept() == Kept::point);
  }

  [[nodiscard]] bool is_empty() const { return !learner_.has_value(); }
  [[nodiscard]] const Learner& learner() const { return *learner_; }
  /// What the learner is doing, with the study's numbers of plays.
  [[nodiscard]] Status status(std::uint64_t recent) const;
  /// The coin of a share: its start is where a new learner of this study would start.
  [[nodiscard]] Coin coin(double share) const;
  [[nodiscard]] const StudyDescription& description() const { return *description_; }
  /// Another description has another one.
  [[nodiscard]] std::uint64_t description_hash() const { return description_hash_; }
  /// The space; null for a study on a set.
  [[nodiscard]] const Space* space() const { return std::get_if<Space>(&description_->on); }
  [[nodiscard]] const SetPtr& set() const { return set_; }
  [[nodiscard]] bool explores() const { return explores_; }
  [[nodiscard]] std::uint64_t asked() const { return asked_; }
  /// How many losses of the past were learned.
  [[nodiscard]] std::uint64_t past() const { return past_; }
  /// How many numbers of contexts of plays were far outside their ranges.
  [[nodiscard]] std::uint64_t clipped() const { return clipped_; }
  /// Where it was last changed, if it was.
  [[nodiscard]] const std::optional<StudyChange>& changed() const { return changed_; }
  [[nodiscard]] StudyPlayRecord play_of(PlayId id) const;
  /// For what is known, as in a step.
  [[nodiscard]] std::vector<double> recommend(const std::vector<double>& context = {}) const;
  /// What points are believed to cost in a context, of numbers as they are given.
  [[nodiscard]] std::vector<Estimate> estimate(const std::vector<std::vector<double>>& points,
                                               const std::vector<double>& context) const;
  [[nodiscard]] Snapshot snapshot() const;

 private:
  void begin(const std::string& text);
  void go_on_with(const std::string& state);
  void apply(const Description& description, const Watch& watch);
  void apply(const Step& step, const Watch& watch);
  void apply(const Era& era, const Watch& watch);
  void apply(const Switch& change, const Watch& watch);
  void apply(const Coin& coin, const Watch& watch);
  void apply(const Past& past, const Watch& watch);
  void apply(const Sealed& sealed, const Watch& watch);
  void tell(const Tell& tell, StudyStep* result);
  [[nodiscard]] Receipt learn_from(const Tell& tell);
  void ask(const Step& step);
  void settle(const Step& step);
  void teach(const Past::Loss& loss);
  void teach_news(const Tell& tell, Past::Loss& play);
  void remember_call(const Past& past);
  [[nodiscard]] const PastCall* call_of(const std::string& id) const;
  void count(const Tell& tell, StudyStep* result);
  void count(const Step& step, std::uint64_t k, StudyStep* result);
  void lose_track(PlayId differs);
  void require_known(const Step& step) const;
  void require_contexts(const std::vector<double>& context) const;
  void require_metrics(const Measured& metrics) const;
  [[noreturn]] void fail_as_newer(const std::string& what) const;
  [[nodiscard]] Kept what_is_kept() const;
  [[nodiscard]] bool is_same(const Step& step, std::uint64_t k) const;
  void use_what_is_remembered(std::string_view content);
  void check_tell(const Tell& tell) const;
  void check_metrics(const Tell& tell) const;
  void check_tell(const Tell& tell, std::map<PlayId, Tell>& told) const;
  [[nodiscard]] bool is_of_an_earlier_era(PlayId id) const { return id > 0 && id <= before_; }
  [[nodiscard]] bool has_expired(PlayId id) const { return asked_ - id >= expiry(); }
  [[nodiscard]] std::uint64_t expiry() const;
  [[nodiscard]] StudyRecord past_record(const Past& past) const;
  [[nodiscard]] StudyRecord record_of(const Step& step, StudyStep gave) const;
  [[nodiscard]] StudyPlay described(const WorkersPlay& play) const;
  [[nodiscard]] Values values_of(const WorkersPlay& play) const;

  std::string name_;
  std::shared_ptr<const Catalogue> catalogue_;
  Follow follow_;
  ReadContent read_;
  std::vector<Snapshot> remembered_;
  Mark mark_;
  std::uint64_t frames_ = 0;

  std::string text_;  // of the era
  std::optional<StudyDescription> description_;
  std::uint64_t description_hash_ = 0;
  Making making_;
  SetPtr set_;
  std::optional<Learner> learner_;
  /// Of a study whose plays this version would not repeat: the revision of the digits that made
  /// them.
  std::optional<std::uint64_t> lost_;
  PlayId differs_ = 0;  // the first play that differs, if the revision is this one
  /// Of such a study: whether the learner has what was learned up to a snapshot, and
  /// what that recommended.
  bool has_learned_ = false;
  std::vector<double> recommended_;
  bool teaches_ = false;
  // Points that can be taught when they are told, with what is known of them so far.
  std::map<PlayId, Past::Loss> untold_;
  bool explores_ = true;
  std::uint64_t asked_ = 0;
  std::uint64_t past_ = 0;
  std::uint64_t clipped_ = 0;
  std::optional<StudyChange> changed_;
  std::deque<PastCall> calls_;  // the latest that had an id
  std::uint64_t calls_so_far_ = 0;
  std::uint64_t before_ = 0;
  std::uint64_t offset_ = 0;
  Workers workers_;

  // Scratch.
  Event event_;
  WorkersPlay played_;  // the latest
  std::string facts_;
};

}  // namespace keyhole::studies
