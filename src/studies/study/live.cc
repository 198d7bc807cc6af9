#include "studies/study/live.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "base/disk.h"
#include "base/number_text.h"
#include "base/require.h"
#include "spaces/contexts.h"
#include "studies/journals/patience.h"
#include "studies/study/counts.h"
#include "studies/study/past_points.h"

namespace keyhole {

using studies::Event;
using studies::Mark;
using studies::Step;
using studies::Stopwatch;

namespace {

double seconds_since_1970() {
  using Seconds = std::chrono::duration<double>;
  return Seconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

Study::Live::Lock::Lock(studies::PatientMutex& mutex, const Live& live)
    : lock_(studies::locked(mutex, live.options_.wait)) {
  if (!lock_.owns_lock()) live.fail_as_busy();
}

void Study::Live::fail_as_busy() const {
  const std::string message = "the study '" + name_ + "': other threads have waited for it for " +
                              base::number_text(options_.wait) +
                              " s: nothing was stored, try again";
  if (journal_->is_far()) throw DatabaseError(message, false, "", ErrorCode::busy);
  throw StudyError(message, ErrorCode::busy);
}

Study::Live::Live(std::string name, std::unique_ptr<studies::Journal> journal,
                  const StoreOptions& options, std::shared_ptr<const Catalogue> catalogue,
                  std::unique_ptr<studies::Snapshots> snapshots, studies::Follow follow,
                  const Watch& watch, Digits digits)
    : name_(std::move(name)),
      journal_(std::move(journal)),
      options_(options),
      catalogue_(std::move(catalogue)),
      snapshots_(std::move(snapshots)),
      follow_(follow),
      digits_(digits) {
  load(watch);
  if (digits_ == Digits::same) image_->require_same_digits();
  description_ = image_->description();
  description_hash_ = image_->description_hash();
  keep_snapshot_if_due();
}

/// Makes the image: of the latest snapshot that fits the log and what stands behind it, or of the
/// whole log.
void Study::Live::load(const Watch& watch) {
  broken_ = true;
  if (known_.position > 0) journal_->read(known_, [](std::string_view, const Mark&) {});
  std::vector<studies::Snapshot> snapshots;
  if (snapshots_ != nullptr) {
    snapshots = snapshots_->read(digits_ == Digits::same ? studies::Unreadable::passed_over
                                                         : studies::Unreadable::refused);
  }
  for (const studies::Snapshot& snapshot : snapshots) {
    if (load_from(snapshot)) return;
  }
  image_.emplace(name_, catalogue_, follow_, set_,
                 [this](const std::string& content) { return journal_->kept_content(content); });
  if (digits_ == Digits::may_differ) image_->teach_what_is_not_played();
  for (studies::Snapshot& snapshot : snapshots) image_->remember(std::move(snapshot));
  const Stopwatch stopwatch(clock_.replay_time);
  journal_->read({}, [&](std::string_view content, const Mark& end) { take(content, end, watch); });
  if (image_->is_empty()) {
    throw StudyError("the log of the study '" + name_ +
                         "' does not begin with a whole description: restore it from a copy",
                     ErrorCode::damaged_log);
  }
  broken_ = false;
}

/// Whether a snapshot is of this log, and the image was made of it.
bool Study::Live::load_from(const studies::Snapshot& snapshot) {
  if (snapshot.old_checksum) return false;  // it does not say of which log it is
  try {
    image_.emplace(name_, catalogue_, follow_, set_,
                   [this](const std::string& content) { return journal_->kept_content(content); });
    if (digits_ == Digits::may_differ) image_->teach_what_is_not_played();
    image_->begin_with(snapshot);
    if (!set_) set_ = image_->set();
    const Stopwatch stopwatch(clock_.replay_time);
    journal_->read(snapshot.mark,
                   [&](std::string_view content, const Mark& end) { take(content, end, {}); });
  } catch (const DatabaseError&) {  // which says nothing of the snapshot
    throw;
  } catch (const Error&) {  // an earlier one, or the whole log, which says what is wrong
    return false;
  }
  clock_.kept(snapshot.mark.position);
  broken_ = false;
  return true;
}

/// Takes what others have appended into the image.
void Study::Live::read_on(const Watch& watch) {
  if (broken_) load(watch);
  journal_->read(image_->mark(), [&](std::string_view content, const Mark& end) {
    const Stopwatch stopwatch(clock_.replay_time);
    take(content, end, watch);
  });
  if (digits_ == Digits::same) image_->require_same_digits();
}

/// The same, of a study that is as it was when it was opened.
void Study::Live::catch_up() {
  read_on();
  if (image_->description_hash() != description_hash_) {
    throw ReplacedStudy("the study '" + name_ + "' was changed: open it again");
  }
}

void Study::Live::take(std::string_view content, const Mark& end, const Watch& watch) {
  broken_ = true;
  image_->take(content, end, watch);
  if (!description_) set_ = image_->set();  // until it is opened
  if (known_.position < end.position) known_ = end;
  broken_ = false;
}

void Study::Live::follow(const Watch& watch) {
  const Lock lock(mutex_, *this);
  read_on(watch);
}

void Study::Live::harden(std::uint64_t end) {
  if (journal_->is_far()) return;  // what was appended is safe, and a snapshot was kept
  if (options_.durability == Durability::disk) journal_->harden(end);
  const Lock lock(mutex_, *this);
  keep_snapshot_if_due();
}

StudyPosition Study::Live::durable_position() {
  const Lock lock(mutex_, *this);
  catch_up();
  const std::uint64_t position = image_->mark().position;
  return {position, std::min(position, journal_->hardened())};
}

std::vector<double> Study::Live::context_of(const Values& given, bool reads_clocks) const {
  const auto* const space = std::get_if<Space>(&description_->on);
  base::require(
      space != nullptr || given.empty(),
      "the study '" + name_ + "' is on a set, which has no contexts: those are of a space");
  if (space == nullptr) return {};
  std::vector<double> numbers = spaces::context_numbers(*space, given);
  std::optional<double> now;
  for (std::size_t i = 0; reads_clocks && i < numbers.size(); ++i) {
    const SpaceContext& context = space->contexts()[i];
    const auto* const clock = std::get_if<Clock>(&context.domain);
    const auto is_it = [&](const auto& each) { return each.first == context.name; };
    if (clock == nullptr || std::any_of(given.begin(), given.end(), is_it)) continue;
    if (!now) now = options_.now != nullptr ? options_.now() : seconds_since_1970();
    numbers[i] = spaces::clock_number(*clock, *now);
  }
  const auto is_unknown = [](double number) { return std::isnan(number); };
  if (std::all_of(numbers.begin(), numbers.end(), is_unknown)) numbers.clear();
  return numbers;
}

studies::Tell Study::Live::tell_of(PlayId id, std::optional<double> loss, double count,
                                   const Values& metrics, bool extra, std::size_t place) const {
  constexpr double not_told = std::numeric_limits<double>::quiet_NaN();
  const auto refuse = [place](const std::string& message) {
    throw TellError(FeedbackError(message, ErrorCode::unusable_feedback), place);
  };
  studies::Tell tell{.play = id, .loss = loss.value_or(not_told), .weight = count};
  if (loss && std::isnan(*loss)) return tell;  // the learner refuses it
  const std::string name = "play " + std::to_string(id);
  try {
    tell.metrics = studies::measured_in(std::get_if<Space>(&description_->on), metrics,
                                        extra ? &tell.notes : nullptr);
  } catch (const InvalidArgument& error) {
    refuse(name + ": " + error.what());
  }
  if (!loss && tell.metrics.empty()) {
    refuse("nothing is told of " + name + ": give a loss, or metrics");
  }
  if (!loss && count != 1) {
    refuse("the count of " + name + " is one of a loss, and no loss is told");
  }
  return tell;
}

StudyStep Study::Live::step(const Step& step) {
  std::uint64_t end = 0;
  StudyStep result = append(step, end);
  harden(end);
  return result;
}

StudyStep Study::Live::append(const Step& step, std::uint64_t& end) {
  if (journal_->is_far()) return append_far(step, end);
  StudyStep result;
  const Lock lock(mutex_, *this);
  journal_->in_turn([&] {
    do catch_up();
    while (!take_step(step, result));
    end = image_->mark().position;
  });
  return result;
}

/// Each step takes a while, so those who wait get their turn in order.
StudyStep Study::Live::append_far(const Step& step, std::uint64_t& end) {
  StudyStep result;
  const std::uint64_t waits = journal_->waits_in_vain();
  const std::lock_guard turn(turns_);
  // Else each of many threads would wait as long, one after the other.
  if (journal_->waits_in_vain() != waits) fail_as_busy();
  rivals_.let_in();
  const Lock lock(mutex_, *this);
  if (broken_ || !suffices_for(step)) catch_up();
  while (!take_step(step, result)) {
    rivals_.seen();
    catch_up();
  }
  end = image_->mark().position;
  keep_snapshot_if_due();
  return result;
}

/// Whether the step can be tried without looking for what others have appended: if they have, the
/// log refuses it. What is said to be wrong with it, and the play that a worker has, may be old.
bool Study::Live::suffices_for(const Step& step) const {
  if (image_->kept_play(step)) return false;
  try {
    image_->require_no_renewal();
    image_->check(step);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Plays a step and appends it, if the log ends where the image does; false if somebody else was
/// first. It is played before it is appended, so that the log holds what was played, and holds
/// nothing that could not be played.
bool Study::Live::take_step(const Step& step, StudyStep& result) {
  result = {};
  image_->require_no_renewal();
  auto again = image_->kept_play(step);
  Step made = step;
  if (again) {
    result.plays.push_back(std::move(*again));
    made.asks = 0;
    made.worker.clear();
    made.context.clear();
    if (made.tells.empty()) return true;
  }
  image_->check(made);
  if (!seal()) return false;
  // Where others are likely to be first, to take a play back must be quick.
  std::optional<Image::Before> before;
  if (rivals_.are_around()) before = image_->before();
  const std::uint64_t asked = image_->asked();
  broken_ = true;
  const Stopwatch stopwatch(clock_.replay_time);
  StudyStep played = image_->play(made);
  if (again) played.plays = std::move(result.plays);
  const auto end = journal_->append(image_->mark(), studies::event_content(std::move(made), asked));
  // From here on nothing can throw: what is in the log was said to be.
  if (!end) ++studies::counts().conflicts;
  if (end) {
    known_ = *end;
    image_->move_to(*end);
    result = std::move(played);
  } else if (before) {
    image_->undo(std::move(*before));
  } else {
    return false;  // and the image is made again
  }
  broken_ = false;
  return end.has_value();
}

/// Lets a log of format 1 go on in format 2; false if somebody else was first.
bool Study::Live::seal() {
  const Mark& mark = image_->mark();
  return mark.is_sealed || append_event(studies::Sealed{mark.seal});
}

/// Appends what is not played; false if somebody else was first.
bool Study::Live::append_event(const Event& event) {
  const Mark mark = image_->mark();
  const std::string content = studies::event_content(event, image_->asked());
  broken_ = true;
  image_->take(content, mark);
  const auto end = journal_->append(mark, content);
  if (!end) return false;
  known_ = *end;
  image_->move_to(*end);
  broken_ = false;
  return true;
}

void Study::Live::explore(bool on) {
  const Lock lock(mutex_, *this);
  journal_->in_turn([&] {
    do {
      catch_up();
      image_->require_no_renewal();
    } while (image_->explores() != on && !(seal() && append_event(studies::Switch{on})));
  });
  // Also if somebody else has just switched it: what was said must hold.
  if (options_.durability == Durability::disk) journal_->harden(image_->mark().position);
}

void Study::Live::prove(double share) {
  const Lock lock(mutex_, *this);
  const auto is_so = [&] { return image_->learner().status(0).proof.share == share; };
  journal_->in_turn([&] {
    do {
      catch_up();
      image_->require_no_renewal();
    } while (!is_so() && !(seal() && append_event(image_->coin(share))));
  });
  if (options_.durability == Durability::disk) journal_->harden(image_->mark().position);
}

PastReceipt Study::Live::learn(const studies::Past& past) {
  const Lock lock(mutex_, *this);
  PastReceipt receipt{past.losses.size(), past.projected, past.skipped};
  studies::Patience patience(options_.wait);
  journal_->in_turn([&] {
    while (true) {
      catch_up();
      image_->require_no_renewal();
      if (const auto before = image_->learned_by_id(past)) {
        receipt = *before;
        return;
      }
      image_->check(past);
      if (past.losses.empty()) return;
      if (!seal()) continue;
      // They take a while to learn. If somebody else was first they are learned again, behind that.
      std::optional<Image::Before> before;
      if (journal_->is_far()) before = image_->before();
      if (append_event(past)) return;
      if (before) image_->undo(std::move(*before));
      broken_ = !before;
      if (!patience.wait()) fail_as_busy();
    }
  });
  if (options_.durability == Durability::disk) journal_->harden(image_->mark().position);
  keep_snapshot_if_due();
  return receipt;
}

Renewal Study::Live::renew() {
  const Lock lock(mutex_, *this);
  Renewal renewal = Renewal::not_needed;
  journal_->in_turn([&] {
    studies::Era era;
    do {
      catch_up();  // somebody else may have renewed it since the last try
      renewal = image_->needs_renewal() ? image_->next_era(era) : Renewal::not_needed;
    } while (renewal != Renewal::not_needed && !(seal() && append_event(era)));
  });
  journal_->harden(image_->mark().position);
  return renewal;
}

StudyChange Study::Live::change(const Space& space, const Values& start,
                                studies::ToldLosses& told) {
  const Lock lock(mutex_, *this);
  journal_->in_turn([&] {
    while (true) {
      if (broken_) told.clear();  // all of the log is read again
      read_on([&](const StudyRecord& record) { told.take(record); });
      // Somebody else may have changed it since the last try.
      const StudyDescription& before = image_->description();
      const StudyDescription changed = studies::changed_description(before, space, start);
      if (studies::is_same(changed, before)) return;
      image_->require_no_renewal();
      if (seal() && append_event(studies::changed_era(before, image_->learner(), changed,
                                                      told.get(), *catalogue_))) {
        return;
      }
    }
  });
  journal_->harden(image_->mark().position);  // also if it was so: what is said must hold
  return image_->changed().value_or(StudyChange{});
}

void Study::Live::keep_snapshot_if_due() {
  if (snapshots_ == nullptr || broken_ || image_->needs_renewal()) return;
  const Mark mark = image_->mark();
  if (!mark.is_sealed || !clock_.is_due(mark.position)) return;
  try {
    const std::uint64_t latest = snapshots_->latest();  // of another process
    if (latest > clock_.latest() && latest <= mark.position) {
      clock_.kept(latest);
      if (!clock_.is_due(mark.position)) return;
    }
    clock_.writing_time = {};
    const Stopwatch stopwatch(clock_.writing_time);
    // A snapshot of what a power cut may take back would be of another log.
    journal_->harden(mark.position);
    snapshots_->keep(image_->snapshot());
    ++studies::counts().snapshots;
  } catch (const Error&) {  // the log alone will do
    ++studies::counts().failed_snapshots;
  } catch (const std::bad_alloc&) {
    ++studies::counts().failed_snapshots;
  }
  clock_.kept(mark.position);
}

}  // namespace keyhole
