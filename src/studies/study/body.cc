#include "studies/study/body.h"

#include <algorithm>

#include "base/number_text.h"
#include "keyhole/version.h"
#include "studies/image/description_text.h"

namespace keyhole {
namespace {

StudyRecord record_of(const studies::Step& step, StudyStep gave, const Learner* learner) {
  StudyRecord record{.worker = step.worker, .gave = std::move(gave), .learner = learner};
  for (const studies::Tell& tell : step.tells) record.tells.push_back({tell.play, tell.loss});
  return record;
}

/// Nobody in particular has none.
bool is_a_workers_name(const std::string& name) {
  return name.size() <= 100 &&
         std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c <= '~'; });
}

State state_of(const std::string& bytes) {
  return State::from_bytes(std::as_bytes(std::span(bytes)));
}

}  // namespace

Study::Body::Body(std::string name, std::unique_ptr<studies::Journal> journal,
                  Durability durability, std::shared_ptr<const Catalogue> catalogue,
                  std::unique_ptr<studies::Snapshots> snapshots)
    : name_(std::move(name)),
      journal_(std::move(journal)),
      durability_(durability),
      catalogue_(std::move(catalogue)),
      snapshots_(std::move(snapshots)) {
  if (snapshots_) begin_with_a_snapshot();
  catch_up();
  require_description();
  keep_snapshot_if_due();
}

Study::Body::Body(std::string name, std::unique_ptr<studies::Journal> journal,
                  Durability durability, std::shared_ptr<const Catalogue> catalogue,
                  const Watch& watch)
    : name_(std::move(name)),
      journal_(std::move(journal)),
      durability_(durability),
      catalogue_(std::move(catalogue)) {
  catch_up(watch);
  require_description();
}

void Study::Body::require_description() const {
  if (learner_) return;
  throw StudyError("the log of the study '" + name_ +
                   "' does not begin with a whole description: restore it from a copy");
}

/// The lock of the study. `before` is how many waits were in vain when the call began to wait. If
/// there was one meanwhile, the call ends: else each of many threads would wait as long, one after
/// the other.
std::unique_lock<std::mutex> Study::Body::held(std::uint64_t before) {
  std::unique_lock lock(mutex_);
  if (journal_->waits_in_vain() == before) return lock;
  throw DatabaseError("the study '" + name_ +
                          "' waits for its database, which has not answered another thread: "
                          "nothing was stored, try again",
                      false, "", ErrorCode::busy);
}

/// Takes what others have appended into the image.
void Study::Body::catch_up(const Watch& watch) {
  const std::uint64_t before = position_;
  Stopwatch::Seconds time = {};
  {
    const Stopwatch stopwatch(time);
    journal_->read(position_,
                   [&](std::string_view content, std::uint64_t end) { take(content, end, watch); });
  }
  if (position_ > before) replay_time_ += time;  // a look at a log that is far takes time too
}

void Study::Body::follow(const Watch& watch) {
  const auto lock = held();
  catch_up(watch);
}

void Study::Body::take(std::string_view content, std::uint64_t end, const Watch& watch) {
  if (position_ == 0) {
    begin(std::string(content));
  } else if (studies::read_step(content, asked_, replayed_)) {
    StudyStep gave;
    apply(replayed_, watch ? &gave : nullptr);
    if (watch) watch(record_of(replayed_, std::move(gave), old_revision_ ? nullptr : &*learner_));
  } else if (const auto era = studies::read_era(content)) {
    begin_era(*era);
    if (watch) watch({.renewed = true});
  } else if (const auto on = studies::read_switch(content)) {
    switch_exploring(*on);
    if (watch) watch({.explores = *on});
  } else {
    throw StudyError("the study '" + name_ + "': a newer version has written its log at byte " +
                     std::to_string(position_) + ": use that version");
  }
  move_on(content, end);
}

void Study::Body::move_on(std::string_view content, std::uint64_t end) {
  last_ = position_;
  last_content_ = content;
  position_ = end;
}

/// The learner of a description, which has played nothing.
void Study::Body::begin(const std::string& text) {
  const std::string where = "the study '" + name_ + "'";
  studies::DescriptionRead read = studies::read_description(text, where);
  if (learner_) retired_.push_back(std::move(*learner_));
  learner_.emplace(studies::make_learner_of(read.description, *catalogue_, read.making));
  text_ = text;
  making_ = std::move(read.making);
  if (!description_) {  // that of every era is the same
    description_.emplace(std::move(read.description));
    set_ = &learner_->set();
  }
  played_.point.resize(set().dimension());
  of_worker_.clear();
  const bool same = read.trace_revision == trace_revision &&
                    learner_->spec() == read.learner_spec &&
                    learner_->set().spec() == read.set_spec;
  old_revision_.reset();
  if (!same) old_revision_ = read.trace_revision;
  has_learned_ = false;
  recommended_.clear();
}

void Study::Body::begin_era(const studies::Era& era) {
  begin(era.text);
  before_ = asked_;
  if (!era.state.empty() && !old_revision_) learner_->restore(state_of(era.state));
  offset_ = before_ - learner_->asked();
  learner_->explore(explores_);
}

void Study::Body::switch_exploring(bool on) {
  explores_ = on;
  learner_->explore(on);
}

StudyStep Study::Body::step(const studies::Step& step) {
  std::uint64_t end = 0;
  StudyStep result = append(step, end);
  harden(end);
  return result;
}

void Study::Body::harden(std::uint64_t end) {
  if (journal_->is_far()) return;  // what was appended is safe, and a snapshot was kept
  if (durability_ == Durability::disk) journal_->harden(end);
  const auto lock = held();
  keep_snapshot_if_due();
}

void Study::Body::explore(bool on) {
  const auto lock = held();
  journal_->in_turn([&] {
    while (true) {
      catch_up();
      require_no_renewal();
      if (explores_ == on) break;
      const std::string content = studies::switch_content(on);
      if (const auto appended = journal_->append(position_, content)) {
        switch_exploring(on);
        move_on(content, *appended);
        break;
      }
    }
  });
  // Also if somebody else has just switched it: what was said must hold.
  if (durability_ == Durability::disk) journal_->harden(position_);
}

bool Study::Body::explores() {
  const auto lock = held();
  catch_up();
  return explores_;
}

StudyPosition Study::Body::durable_position() {
  const auto lock = held();
  catch_up();
  return {position_, std::min(position_, journal_->hardened())};
}

StudyStep Study::Body::append(const studies::Step& step, std::uint64_t& end) {
  if (journal_->is_far()) return append_far(step, end);
  StudyStep result;
  const auto lock = held();
  journal_->in_turn([&] {
    catch_up();
    while (!append_to_image(step, result)) catch_up();
    end = position_;
  });
  return result;
}

/// Each step takes a while, so those who wait get their turn in order.
StudyStep Study::Body::append_far(const studies::Step& step, std::uint64_t& end) {
  StudyStep result;
  const std::uint64_t before = journal_->waits_in_vain();
  const std::lock_guard turn(turns_);
  rivals_.let_in();
  const auto lock = held(before);
  if (!suffices_for(step)) catch_up();
  while (!append_to_image(step, result)) {
    rivals_.seen();
    catch_up();
  }
  end = position_;
  keep_snapshot_if_due();
  return result;
}

/// Whether the step can be tried without looking for what others have appended: if they have, the
/// log refuses it. What is said to be wrong with it, and the play that a worker has, may be old.
bool Study::Body::suffices_for(const studies::Step& step) const {
  if (kept_play(step)) return false;
  try {
    require_no_renewal();
    check(step);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Appends a step if the log ends where the image does; false if somebody else was first.
bool Study::Body::append_to_image(const studies::Step& step, StudyStep& result) {
  result = {};
  require_no_renewal();
  const auto again = kept_play(step);
  const studies::Step rest = again ? studies::Step{.tells = step.tells} : studies::Step{};
  const studies::Step& made = again ? rest : step;
  if (again) result.plays = {*again};
  if (again && made.tells.empty()) return true;
  check(made);
  const std::string content = studies::step_content(made, asked_);
  const auto appended = journal_->append(position_, content);
  if (!appended) return false;
  const Stopwatch stopwatch(replay_time_);
  apply(made, &result);
  move_on(content, *appended);
  return true;
}

/// A study of another version can only be looked at.
void Study::Body::require_no_renewal() const {
  if (!old_revision_) return;
  throw StudyError(
      "the study '" + name_ + "' was made with revision " + std::to_string(*old_revision_) +
      " of the digits, and this version has revision " + std::to_string(trace_revision) +
      ": renew it ('keyhole study renew' or Store::renew), or use the version that "
      "made it");
}

/// Throws if the step could not be applied whole.
void Study::Body::check(const studies::Step& step) const {
  std::map<PlayId, double> told;
  for (std::size_t k = 0; k < step.tells.size(); ++k) {
    try {
      check_tell(step.tells[k], told);
    } catch (const FeedbackError& error) {
      throw TellError(error, k);
    }
  }
  if (!is_a_workers_name(step.worker)) {
    throw InvalidArgument(
        "the name of a worker must be at most 100 letters, digits and signs of ASCII, without "
        "blanks");
  }
  if (step.asks > studies::most_asks) {
    throw InvalidArgument("a step may ask for " + std::to_string(studies::most_asks) +
                          " plays at most, not " + std::to_string(step.asks));
  }
  if (explores_ && step.asks > learner_->asks_left()) {
    throw InvalidArgument("the study '" + name_ + "' has " + std::to_string(learner_->asks_left()) +
                              " plays left of the learner's horizon, not " +
                              std::to_string(step.asks),
                          ErrorCode::horizon_used_up);
  }
}

/// `told` is what the same step told before.
void Study::Body::check_tell(const studies::Tell& tell, std::map<PlayId, double>& told) const {
  check_tell(tell);
  const auto [same, fresh] = told.emplace(tell.play, tell.loss);
  if (fresh || same->second == tell.loss) return;
  throw FeedbackError("play " + std::to_string(tell.play) + " is told twice in one step, as " +
                          base::number_text(same->second) + " and " + base::number_text(tell.loss),
                      ErrorCode::contradiction);
}

void Study::Body::check_tell(const studies::Tell& tell) const {
  if (is_of_an_earlier_era(tell.play)) return;
  if (offset_ > 0 && tell.play > asked_) {  // the learner has other numbers
    throw FeedbackError("play " + std::to_string(tell.play) +
                            " was never asked for; the latest is " + std::to_string(asked_),
                        ErrorCode::unknown_play);
  }
  try {
    (void)learner_->check(tell.play - offset_, tell.loss);
  } catch (const FeedbackError& error) {
    if (offset_ == 0) throw;
    throw FeedbackError("play " + std::to_string(tell.play) + ", which is play " +
                            std::to_string(tell.play - offset_) +
                            " since the study was renewed: " + error.what(),
                        error.code());
  }
}

/// Takes a step into the image. What it gave is written only if somebody wants it: replaying a log
/// has no use for it.
void Study::Body::apply(const studies::Step& step, StudyStep* result) {
  if (old_revision_) return count(step, result);
  for (const studies::Tell& tell : step.tells) {
    const Receipt receipt = is_of_an_earlier_era(tell.play)
                                ? Receipt::expired
                                : learner_->tell(tell.play - offset_, tell.loss);
    if (result != nullptr) result->receipts.push_back(receipt);
    if (of_worker_.empty()) continue;
    std::erase_if(of_worker_, [&](const auto& entry) { return entry.second.play == tell.play; });
  }
  for (std::uint64_t k = 0; k < step.asks; ++k) {
    asked_ = learner_->ask(played_.point) + offset_;
    played_.play = asked_;
    played_.explores = explores_;
    if (result != nullptr) result->plays.push_back(described(played_));
    if (!step.worker.empty()) of_worker_[step.worker] = played_;
  }
}

/// The same for a study of another version, whose points are not known.
void Study::Body::count(const studies::Step& step, StudyStep* result) {
  for (const studies::Tell& tell : step.tells) {
    const bool expired = is_of_an_earlier_era(tell.play) || has_expired(tell.play);
    if (result != nullptr) result->receipts.push_back(expired ? Receipt::expired : Receipt::fresh);
  }
  for (std::uint64_t k = 0; k < step.asks; ++k) {
    ++asked_;
    if (result != nullptr) result->plays.push_back({.id = asked_, .recommended = !explores_});
  }
}

bool Study::Body::has_expired(PlayId id) const {
  const LearnerOptions& options = description_->options;
  return asked_ - id >= options.expiry.value_or(options.window);
}

/// The play that the worker of a step gets again: it is pending, and the step does not tell it.
std::optional<StudyPlay> Study::Body::kept_play(const studies::Step& step) const {
  if (step.asks == 0) return {};
  const auto pending = pending_play(step.worker);
  const auto is_it = [&](const studies::Tell& tell) { return tell.play == pending->id; };
  if (!pending || std::any_of(step.tells.begin(), step.tells.end(), is_it)) return {};
  return pending;
}

std::optional<StudyPlay> Study::Body::pending_play(const std::string& worker) const {
  const auto found = of_worker_.find(worker);
  if (worker.empty() || found == of_worker_.end()) return {};
  if (has_expired(found->second.play)) return {};
  return described(found->second);
}

/// What is recommended is what recommend_values() says, without chance.
StudyPlay Study::Body::described(const studies::WorkersPlay& play) const {
  const PlayId pair = learner_->pair_of(play.play - offset_);
  StudyPlay result{.id = play.play,
                   .point = play.point,
                   .recommended = !play.explores,
                   .pair = pair == 0 ? 0 : pair + offset_};
  if (space() == nullptr) return result;
  result.values = play.explores ? space()->values(play.point, description_->options.seed, play.play)
                                : space()->likeliest(play.point);
  return result;
}

StudyPlayRecord Study::Body::play(PlayId id) {
  const auto lock = held();
  catch_up();
  require_no_renewal();
  if (id == 0 || id > asked_) {
    throw FeedbackError(
        "there is no play " + std::to_string(id) + "; the latest is " + std::to_string(asked_),
        ErrorCode::unknown_play);
  }
  StudyPlayRecord record{.play = {.id = id}};
  if (!is_of_an_earlier_era(id)) record.loss = learner_->told(id - offset_);
  if (record.loss) {
    record.fate = PlayFate::told;
  } else if (is_of_an_earlier_era(id) || has_expired(id)) {
    record.fate = PlayFate::expired;
  } else {
    for (const auto& [worker, latest] : of_worker_) {
      if (latest.play != id) continue;
      record.worker = worker;
      record.play = described(latest);
    }
  }
  return record;
}

std::vector<double> Study::Body::recommend() {
  const auto lock = held();
  catch_up();
  if (!old_revision_ || has_learned_) return learner_->recommend();
  if (!recommended_.empty()) return recommended_;
  throw StudyError("the study '" + name_ + "' was made with revision " +
                   std::to_string(*old_revision_) +
                   " of the digits and has no snapshot: what it recommends is not known; use the "
                   "version that made it");
}

bool Study::Body::needs_renewal() {
  const auto lock = held();
  catch_up();
  return old_revision_.has_value();
}

Renewal Study::Body::renew() {
  const auto lock = held();
  Renewal renewal = Renewal::not_needed;
  journal_->in_turn([&] {
    while (true) {
      catch_up();
      if (!old_revision_) break;
      studies::Era era;
      renewal = next_era(era);
      const std::string content = studies::era_content(era);
      if (const auto appended = journal_->append(position_, content)) {
        begin_era(era);
        move_on(content, *appended);
        break;
      }
    }
  });
  journal_->harden(position_);
  return renewal;
}

/// What goes on after what is in the log now.
Renewal Study::Body::next_era(studies::Era& era) {
  if (has_learned_ && learner_->asks_left() >= asked_ - learner_->asked()) {
    // The plays since the snapshot have numbers, and will not be told.
    while (learner_->asked() < asked_) (void)learner_->ask(played_.point);
    const State state = learner_->state();
    era.text = studies::description_text(*description_, *learner_, making_);
    era.state =
        std::string(reinterpret_cast<const char*>(state.bytes().data()), state.bytes().size());
    return Renewal::what_was_learned;
  }
  const auto text_of = [&](const studies::Making& making) {
    return studies::description_text(
        *description_, studies::make_learner_of(*description_, *catalogue_, making), making);
  };
  if (!recommended_.empty()) {
    try {
      era.text = text_of({.start = recommended_, .held = making_.held});
      return Renewal::recommendation;
    } catch (const Error&) {  // the algorithm takes no start, or not this one
    }
  }
  era.text = text_of({.held = making_.held});
  return Renewal::nothing;
}

}  // namespace keyhole
