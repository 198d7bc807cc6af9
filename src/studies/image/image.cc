#include "studies/image/image.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/number_text.h"
#include "keyhole/version.h"
#include "spaces/contexts.h"
#include "spaces/metrics.h"
#include "spaces/values.h"
#include "studies/format/bytes.h"
#include "studies/json/study_json.h"

namespace keyhole::studies {
namespace {

/// Points of more coordinates have a witness in the log.
constexpr std::size_t most_coordinates = 64;

/// Nobody in particular has none.
bool is_a_workers_name(const std::string& name) {
  return name.size() <= 100 &&
         std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c <= '~'; });
}

State state_of(const std::string& bytes) {
  return State::from_bytes(std::as_bytes(std::span(bytes)));
}

std::string bytes_of(const State& state) {
  return {reinterpret_cast<const char*>(state.bytes().data()), state.bytes().size()};
}

std::vector<double> point_of(std::string_view bits) {
  std::vector<double> point(bits.size() / sizeof(double));
  std::memcpy(point.data(), bits.data(), bits.size());
  return point;
}

/// In place of a hash: what was given then has other points now.
constexpr std::uint64_t of_another_space = 0;

/// Of the losses and their points.
std::uint64_t hash_of(const Past& past) {
  std::uint64_t hash = first_seal;
  for (const Past::Loss& one : past.losses) {
    hash = sealed(hash, bits_of(one.point));
    hash = sealed(hash, bits_of(std::array{one.loss, one.weight}));
    hash = sealed(hash, bits_of(one.context));
    for (const auto& [metric, value] : one.metrics) {
      hash = sealed(hash, bits_of(std::array{static_cast<double>(metric), value}));
    }
  }
  return hash;
}

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// NaN where one was not measured.
Metrics all_metrics(const Space& space, const Measured& metrics) {
  Metrics all(space.limits().size(), unknown);
  for (const auto& [place, value] : metrics) all[place] = value;
  return all;
}

Feedback feedback_of(const Space* space, const Past::Loss& loss) {
  return {.loss = loss.loss,
          .metrics = loss.metrics.empty() ? Metrics() : all_metrics(*space, loss.metrics),
          .count = loss.weight};
}

}  // namespace

void learn(Learner& learner, const Space* space, const Past::Loss& loss) {
  const Feedback feedback = feedback_of(space, loss);
  if (loss.context.empty()) {
    learner.learn(loss.point, feedback);
    return;
  }
  std::uint64_t clipped = 0;
  learner.learn(spaces::context_of(*space, loss.context, clipped), loss.point, feedback);
}

Image::Image(std::string name, std::shared_ptr<const Catalogue> catalogue, Follow follow,
             SetPtr set, ReadContent read)
    : name_(std::move(name)),
      catalogue_(std::move(catalogue)),
      follow_(follow),
      read_(std::move(read)),
      set_(std::move(set)) {}

void Image::take(std::string_view content, const Mark& end, const Watch& watch) {
  if (mark_.position == 0) {
    event_ = Description{std::string(content)};
  } else if (!read_event(content, asked_, event_)) {
    throw StudyError("the study '" + name_ + "': a newer version has written its log at byte " +
                         std::to_string(mark_.position) + ": use that version",
                     ErrorCode::newer_log);
  }
  std::visit([&](const auto& event) { apply(event, watch); }, event_);
  mark_ = end;
  ++frames_;
  if (lost_) use_what_is_remembered(content);
}

/// The learner of a description, which has played nothing.
void Image::begin(const std::string& text) {
  const std::string where = "the study '" + name_ + "'";
  DescriptionRead read = read_description(text, where);
  if (set_ && set_->spec() != read.set_spec) set_.reset();  // of another era
  if (!set_) {
    const std::string& held = read.making.held.spec;
    const Contents contents = held.empty() ? Contents() : read_contents(held, read_, where);
    set_ = make_set_of(read.description, *catalogue_, read.making, contents);
  }
  learner_.emplace(make_learner_of(set_, read.description, *catalogue_, read.making));
  text_ = text;
  making_ = std::move(read.making);
  description_hash_ = sealed(first_seal, description_json(read.description).dump());
  description_.emplace(std::move(read.description));
  played_.point.resize(set_->dimension());
  workers_ = {};
  const bool same = read.trace_revision == trace_revision &&
                    learner_->spec() == read.learner_spec && set_->spec() == read.set_spec;
  lost_.reset();
  differs_ = 0;
  untold_.clear();
  if (!same) lost_ = read.trace_revision;
  has_learned_ = false;
  recommended_.clear();
}

void Image::begin_with(const Snapshot& snapshot) {
  begin(snapshot.text);
  require_no_renewal();
  asked_ = snapshot.asked;
  before_ = snapshot.before;
  offset_ = snapshot.offset;
  explores_ = snapshot.explores;
  past_ = snapshot.past;
  clipped_ = snapshot.clipped;
  changed_ = snapshot.changed;
  calls_ = snapshot.calls;
  learner_->restore(state_of(snapshot.state));
  workers_ = Workers(snapshot.workers);
  mark_ = snapshot.mark;
}

void Image::remember(Snapshot snapshot) { remembered_.push_back(std::move(snapshot)); }

/// What a snapshot says was learned up to here.
void Image::use_what_is_remembered(std::string_view content) {
  for (Snapshot& snapshot : remembered_) {
    if (snapshot.mark.position != mark_.position || snapshot.text != text_) continue;
    snapshot.find(content, mark_);
    if (!snapshot.is_found) continue;
    recommended_ = snapshot.recommended;
    go_on_with(snapshot.state);
    learner_->explore(explores_);
  }
}

Snapshot Image::snapshot() const {
  return {.mark = mark_,
          .asked = asked_,
          .before = before_,
          .offset = offset_,
          .text = text_,
          .recommended = learner_->recommend(),
          .explores = explores_,
          .past = past_,
          .clipped = clipped_,
          .changed = changed_,
          .calls = calls_,
          .workers = workers_.plays(),
          .state = bytes_of(learner_->state())};
}

void Image::apply(const Description& description, const Watch& /*watch*/) {
  begin(description.text);
}

void Image::apply(const Era& era, const Watch& watch) {
  begin(era.text);
  before_ = asked_;
  if (!era.state.empty()) go_on_with(era.state);
  offset_ = before_ - learner_->asked();
  learner_->explore(explores_);
  if (era.changed) {
    changed_ = era.changed;
    for (PastCall& call : calls_) call.hash = of_another_space;
  }
  if (watch) watch({.renewed = !era.changed, .changed = era.changed});
}

/// The state that an era begins with, or that of a snapshot. What another version had learned is of
/// use for renewal.
void Image::go_on_with(const std::string& state) {
  if (!lost_) return learner_->restore(state_of(state));
  try {
    learner_->restore(state_of(state), Digits::may_differ);
    has_learned_ = true;
  } catch (const Error&) {  // a new learner, or what was recommended, is what is left
  }
}

void Image::apply(const Switch& change, const Watch& watch) {
  explores_ = change.explores;
  learner_->explore(explores_);
  if (watch) watch({.explores = explores_});
}

void Image::apply(const Coin& coin, const Watch& watch) {
  learner_->prove(coin.share, coin.start);
  if (watch) watch({.proves = coin.share});
}

Coin Image::coin(double share) const {
  if (share == 0) return {};
  const Making making{.held = making_.held,
                      .chooses = making_.chooses};  // without the start of a renewal
  return {share, make_learner_of(set_, *description_, *catalogue_, making).recommend()};
}

Status Image::status(std::uint64_t recent) const {
  Status status = learner_->status(recent);
  for (PlayId* const play : {&status.proof.proven, &status.proof.worse}) {
    if (*play > 0) *play += offset_;
  }
  return status;
}

/// Where nothing is played they are taught for renewal, as what was told is.
void Image::apply(const Past& past, const Watch& watch) {
  past_ += past.losses.size();
  if (!past.id.empty()) remember_call(past);
  for (const Past::Loss& one : past.losses) {
    require_contexts(one.context);
    require_metrics(one.metrics);
    if (plays()) {
      learn(*learner_, space(), one);
    } else {
      teach(one);
    }
  }
  if (watch) watch(past_record(past));
}

void Image::remember_call(const Past& past) {
  constexpr std::size_t most = 1000;
  // One more is kept, so that one that is not in the log can be taken back.
  if (calls_.size() > most) calls_.pop_front();
  calls_.push_back({past.id, hash_of(past), {past.losses.size(), past.projected, past.skipped}});
  ++calls_so_far_;
}

const PastCall* Image::call_of(const std::string& id) const {
  const auto call = std::find_if(calls_.begin(), calls_.end(),
                                 [&](const PastCall& each) { return each.id == id; });
  return call == calls_.end() ? nullptr : &*call;
}

std::optional<PastReceipt> Image::learned_before_change(const std::string& id) const {
  const PastCall* const call = call_of(id);
  if (call == nullptr || call->hash != of_another_space) return {};
  return call->receipt;
}

std::optional<PastReceipt> Image::learned_by_id(const Past& past) const {
  const PastCall* const call = call_of(past.id);
  if (call == nullptr) return {};
  if (call->hash == hash_of(past)) return call->receipt;
  throw FeedbackError(
      "other losses of the past were learned by the id '" + past.id + "' before: take another one",
      ErrorCode::contradiction);
}

/// Teaches what is not played again.
void Image::teach(const Past::Loss& loss) {
  if (!teaches_ || !learner_->can_learn()) return;
  try {
    learn(*learner_, space(), loss);
    has_learned_ = true;
  } catch (const InvalidArgument&) {  // the set of this build does not have the point
  }
}

/// Teaches what a tell says for the first time of a play, of which that is known so far.
void Image::teach_news(const Tell& tell, Past::Loss& play) {
  const double loss = std::isnan(play.loss) ? tell.loss : unknown;
  // Logs may have any count where no loss is told.
  Past::Loss news = {.loss = loss,
                     .weight = std::isnan(loss) ? 1 : tell.weight,
                     .point = play.point,
                     .context = play.context};
  for (const auto& metric : tell.metrics) {
    const auto is_same = [&](const auto& known) { return known.first == metric.first; };
    if (std::any_of(play.metrics.begin(), play.metrics.end(), is_same)) continue;
    news.metrics.push_back(metric);
    play.metrics.push_back(metric);
  }
  if (!std::isnan(news.loss)) play.loss = news.loss;
  if (!std::isnan(news.loss) || !news.metrics.empty()) teach(news);
}

StudyRecord Image::past_record(const Past& past) const {
  StudyRecord record;
  for (const Past::Loss& one : past.losses) {
    record.past.push_back({.point = one.point, .loss = one.loss, .count = one.weight});
    if (space() == nullptr) continue;
    record.past.back().values = space()->likeliest(one.point);
    record.past.back().context = spaces::context_values(*space(), one.context);
    record.past.back().metrics =
        spaces::metric_values(*space(), all_metrics(*space(), one.metrics));
  }
  return record;
}

void Image::apply(const Sealed& /*sealed*/, const Watch& /*watch*/) {}

/// Takes a step of the log. What it gave is written only if somebody wants it: playing a log again
/// has no use for it.
void Image::apply(const Step& step, const Watch& watch) {
  require_known(step);
  StudyStep gave;
  StudyStep* const result = watch ? &gave : nullptr;
  for (const Tell& told : step.tells) plays() ? tell(told, result) : count(told, result);
  for (std::uint64_t k = 0; k < step.asks; ++k) {
    if (plays()) {
      ask(step);
      if (!is_same(step, k)) lose_track(played_.play);
    }
    if (!plays()) {
      count(step, k, result);
    } else if (result != nullptr) {
      result->plays.push_back(described(played_));
    }
  }
  settle(step);
  if (watch) watch(record_of(step, std::move(gave)));
}

StudyRecord Image::record_of(const Step& step, StudyStep gave) const {
  StudyRecord record{
      .worker = step.worker, .gave = std::move(gave), .learner = plays() ? &*learner_ : nullptr};
  for (const Tell& tell : step.tells) {
    StudyTell& told = record.tells.emplace_back(StudyTell{.id = tell.play, .count = tell.weight});
    if (tell.has_loss()) told.loss = tell.loss;
    if (!tell.metrics.empty()) {
      told.metrics = spaces::metric_values(*space(), all_metrics(*space(), tell.metrics));
    }
    for (const auto& [name, value] : tell.notes) told.metrics.emplace_back(name, value);
  }
  return record;
}

/// Later versions know more to say of a step.
void Image::require_known(const Step& step) const {
  require_contexts(step.context);
  for (const Tell& tell : step.tells) require_metrics(tell.metrics);
}

/// Those of the limits of the space.
void Image::require_metrics(const Measured& metrics) const {
  const std::size_t own = space() == nullptr ? 0 : space()->limits().size();
  const auto is_other = [&](const auto& metric) { return metric.first >= own; };
  if (std::any_of(metrics.begin(), metrics.end(), is_other)) {
    fail_as_newer("metrics of another kind");
  }
}

/// Those of the space, or none.
void Image::require_contexts(const std::vector<double>& context) const {
  const std::size_t own = space() == nullptr ? 0 : space()->contexts().size();
  if (!context.empty() && context.size() != own) fail_as_newer("a context of another kind");
}

void Image::fail_as_newer(const std::string& what) const {
  throw StudyError("the study '" + name_ + "': its log has " + what + " at byte " +
                       std::to_string(mark_.position) +
                       ", which only a newer version can learn from: use that version",
                   ErrorCode::newer_log);
}

/// The latest play is at another point than the log says: what follows is not played again.
void Image::lose_track(PlayId differs) {
  lost_ = trace_revision;
  differs_ = differs;
  has_learned_ = true;
}

void Image::require_same_digits() const {
  if (differs_ == 0) return;
  throw StudyError("the study '" + name_ + "': play " + std::to_string(differs_) +
                       " was made at another point than this build gives: renew it ('keyhole study "
                       "renew' or Store::renew), or use the build that wrote it",
                   ErrorCode::other_digits);
}

void Image::tell(const Tell& tell, StudyStep* result) {
  const Receipt receipt = is_of_an_earlier_era(tell.play) ? Receipt::expired : learn_from(tell);
  if (result != nullptr) result->receipts.push_back(receipt);
}

Receipt Image::learn_from(const Tell& tell) {
  const PlayId id = tell.play - offset_;
  if (tell.metrics.empty()) return learner_->tell(id, tell.loss, tell.weight);
  if (tell.has_loss()) {
    return learner_->tell(
        id,
        {.loss = tell.loss, .metrics = all_metrics(*space(), tell.metrics), .count = tell.weight});
  }
  learner_->measure(id, all_metrics(*space(), tell.metrics));
  return has_expired(tell.play) ? Receipt::expired : Receipt::fresh;
}

void Image::ask(const Step& step) {
  const PlayId id =
      step.context.empty()
          ? learner_->ask(played_.point)
          : learner_->ask(spaces::context_of(*space(), step.context, clipped_), played_.point);
  played_.play = id + offset_;
  played_.explores = explores_;
  played_.context = step.context;
}

/// What a step changes besides the learner. Where nothing is played nobody has a play.
void Image::settle(const Step& step) {
  asked_ += step.asks;
  if (!plays()) return;
  for (const Tell& tell : step.tells) {
    if (tell.has_loss()) workers_.told(tell.play);
  }
  if (step.asks > 0 && !step.worker.empty()) workers_.give(step.worker, played_);
  if (asked_ >= expiry()) workers_.expire(asked_ - expiry());
}

Kept Image::what_is_kept() const {
  const bool points = description_->facts == Facts::points && set_->dimension() <= most_coordinates;
  return points ? Kept::point : Kept::witness;
}

StudyStep Image::play(Step& step) {
  StudyStep result;
  facts_.clear();
  step.kept = what_is_kept();
  for (const Tell& told : step.tells) tell(told, &result);
  for (std::uint64_t k = 0; k < step.asks; ++k) {
    ask(step);
    result.plays.push_back(described(played_));
    if (step.kept == Kept::point) {
      facts_ += bits_of(played_.point);
    } else {
      put_bytes(facts_, witness_of(played_.point), 4);
    }
  }
  step.facts = facts_;
  settle(step);
  return result;
}

void Image::undo(Before before) {
  learner_->restore(before.state);
  workers_ = std::move(before.workers);
  asked_ = before.asked;
  past_ = before.past;
  clipped_ = before.clipped;
  for (; calls_so_far_ > before.calls; --calls_so_far_) calls_.pop_back();
  frames_ = before.frames;
}

/// Whether the latest play is the one that was made at the k-th ask of a step, as far as is known.
bool Image::is_same(const Step& step, std::uint64_t k) const {
  switch (step.kept) {
    case Kept::nothing:
      return true;
    case Kept::witness:
      return Taker(step.fact(k)).fixed(4) == witness_of(played_.point);
    case Kept::point:
      break;
  }
  return step.fact(k) == bits_of(played_.point);
}

/// Takes a tell of a play that was not played again. Its point may be known; it stays so while
/// metrics may follow, or a loss.
void Image::count(const Tell& tell, StudyStep* result) {
  const auto point = untold_.find(tell.play);
  if (point != untold_.end()) {
    Past::Loss& play = point->second;
    teach_news(tell, play);
    if (!std::isnan(play.loss) && play.metrics.size() == learner_->metrics()) untold_.erase(point);
  }
  if (result == nullptr) return;
  const bool expired = is_of_an_earlier_era(tell.play) || has_expired(tell.play);
  result->receipts.push_back(expired ? Receipt::expired : Receipt::fresh);
}

/// Takes the k-th ask of a step without playing it. The log may have its point.
void Image::count(const Step& step, std::uint64_t k, StudyStep* result) {
  WorkersPlay play{.play = asked_ + k + 1, .explores = explores_, .context = step.context};
  if (step.kept == Kept::point) play.point = point_of(step.fact(k));
  const bool has_point = play.point.size() == set_->dimension();
  if (teaches_ && has_point && explores_ && learner_->can_learn()) {
    while (!untold_.empty() && untold_.begin()->first + expiry() <= play.play) {
      untold_.erase(untold_.begin());
    }
    untold_[play.play] = {.loss = unknown, .point = play.point, .context = play.context};
  }
  if (result == nullptr) return;
  StudyPlay& counted =
      result->plays.emplace_back(StudyPlay{.id = play.play, .recommended = !explores_});
  if (space() != nullptr) counted.context = spaces::context_values(*space(), play.context);
  if (!has_point) return;
  counted.values = values_of(play);
  counted.point = std::move(play.point);
}

void Image::check(const Step& step) const {
  std::map<PlayId, Tell> told;
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
  if (step.asks > most_asks) {
    throw InvalidArgument("a step may ask for " + std::to_string(most_asks) +
                          " plays at most, not " + std::to_string(step.asks));
  }
  if (explores_ && step.asks > learner_->asks_left()) {
    throw InvalidArgument("the study '" + name_ + "' has " + std::to_string(learner_->asks_left()) +
                              " plays left of the learner's horizon, not " +
                              std::to_string(step.asks),
                          ErrorCode::horizon_used_up);
  }
}

void Image::check(const Past& past) const {
  if (!is_a_workers_name(past.id)) {
    throw InvalidArgument(
        "the id of losses of the past must be at most 100 letters, digits and signs of ASCII, "
        "without blanks");
  }
  if (!learner_->can_learn()) learner_->check(std::vector<double>(), 0);  // it says so
  if (past.losses.size() > most_asks) {
    throw InvalidArgument("a study learns " + std::to_string(most_asks) +
                          " losses of the past at a time, not " +
                          std::to_string(past.losses.size()));
  }
  for (std::size_t k = 0; k < past.losses.size(); ++k) {
    const Past::Loss& one = past.losses[k];
    try {
      learner_->check(one.point, feedback_of(space(), one));
    } catch (const Error& error) {
      throw PastError(error, k);
    }
  }
}

/// `told` is what the same step told before.
void Image::check_tell(const Tell& tell, std::map<PlayId, Tell>& told) const {
  check_tell(tell);
  const auto [same, fresh] = told.emplace(tell.play, tell);
  if (fresh) return;
  Tell& before = same->second;
  const auto require_same = [&](const std::string& what, double first, double second) {
    if (first == second) return;
    throw FeedbackError("play " + std::to_string(tell.play) + " is told twice in one step, " +
                            what + base::number_text(first) + " and " + base::number_text(second),
                        ErrorCode::contradiction);
  };
  if (tell.has_loss() && before.has_loss()) {
    require_same("as ", before.loss, tell.loss);
    require_same("with the counts ", before.weight, tell.weight);
  } else if (tell.has_loss()) {
    before.loss = tell.loss;
    before.weight = tell.weight;
  }
  for (const auto& [place, value] : tell.metrics) {
    for (const auto& [known, first] : before.metrics) {
      if (known == place) {
        require_same("with a " + space()->limits()[place].name + " of ", first, value);
      }
    }
  }
  before.metrics.insert(before.metrics.end(), tell.metrics.begin(), tell.metrics.end());
}

void Image::check_tell(const Tell& tell) const {
  if (is_of_an_earlier_era(tell.play)) return;
  if (offset_ > 0 && tell.play > asked_) {  // the learner has other numbers
    throw FeedbackError("play " + std::to_string(tell.play) +
                            " was never asked for; the latest is " + std::to_string(asked_),
                        ErrorCode::unknown_play);
  }
  try {
    const bool tells_loss = tell.has_loss() || tell.metrics.empty();
    if (tells_loss) (void)learner_->check(tell.play - offset_, tell.loss, tell.weight);
    check_metrics(tell);
  } catch (const FeedbackError& error) {
    if (offset_ == 0) throw;
    throw FeedbackError("play " + std::to_string(tell.play) + ", which is play " +
                            std::to_string(tell.play - offset_) +
                            " since the study was renewed: " + error.what(),
                        error.code());
  }
}

/// One by one, for the learner does not know their names.
void Image::check_metrics(const Tell& tell) const {
  for (const auto& metric : tell.metrics) {
    try {
      learner_->check_metrics(tell.play - offset_, all_metrics(*space(), {metric}));
    } catch (const FeedbackError& error) {
      if (error.code() == ErrorCode::unknown_play) throw;
      throw FeedbackError("'" + space()->limits()[metric.first].name + "', " + error.what(),
                          error.code());
    }
  }
}

std::uint64_t Image::expiry() const {
  const LearnerOptions& options = description_->options;
  return options.expiry.value_or(options.window);
}

std::optional<StudyPlay> Image::kept_play(const Step& step) const {
  if (step.asks == 0 || step.worker.empty()) return {};
  const WorkersPlay* const pending = workers_.find(step.worker);
  if (pending == nullptr) return {};
  const auto is_it = [&](const Tell& tell) {
    return tell.play == pending->play && tell.has_loss();
  };
  if (std::any_of(step.tells.begin(), step.tells.end(), is_it)) return {};
  return described(*pending);
}

StudyPlay Image::described(const WorkersPlay& play) const {
  const PlayId pair = learner_->pair_of(play.play - offset_);
  return {
      .id = play.play,
      .point = play.point,
      .values = values_of(play),
      .recommended = !play.explores,
      .pair = pair == 0 ? 0 : pair + offset_,
      .context = space() == nullptr ? Values() : spaces::context_values(*space(), play.context)};
}

/// What is recommended is what recommend_values() says, without chance.
Values Image::values_of(const WorkersPlay& play) const {
  if (space() == nullptr) return {};
  const bool obeys = making_.rules_hold;
  if (!play.explores) {
    return obeys ? space()->likeliest(play.point)
                 : spaces::likeliest_one_by_one(*space(), play.point);
  }
  const LearnerOptions& options = description_->options;
  const std::uint64_t stream = making_.values_have_streams ? options.stream : 0;
  return obeys ? space()->values(play.point, options.seed, play.play, stream)
               : spaces::drawn_one_by_one(*space(), play.point, options.seed, play.play, stream);
}

StudyPlayRecord Image::play_of(PlayId id) const {
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
    record.worker = workers_.who_has(id);
    if (!record.worker.empty()) record.play = described(*workers_.find(record.worker));
  }
  return record;
}

std::vector<double> Image::recommend(const std::vector<double>& context) const {
  if (!lost_ || has_learned_) {
    if (context.empty()) return learner_->recommend();
    std::uint64_t clipped = 0;
    return learner_->recommend(spaces::context_of(*space(), context, clipped));
  }
  if (!recommended_.empty()) return recommended_;
  throw StudyError("the study '" + name_ + "' was made with revision " + std::to_string(*lost_) +
                       " of the digits and has no snapshot: what it recommends is not known; use "
                       "the version that made it",
                   ErrorCode::needs_renewal);
}

std::vector<Estimate> Image::estimate(const std::vector<std::vector<double>>& points,
                                      const std::vector<double>& context) const {
  if (context.empty()) return learner_->estimate(points);
  std::uint64_t clipped = 0;
  return learner_->estimate(points, spaces::context_of(*space(), context, clipped));
}

void Image::require_no_renewal() const {
  if (follow_ == Follow::facts) {
    throw StudyError("the study '" + name_ + "' was opened to be looked at only: open it again");
  }
  if (!lost_) return;
  throw StudyError(
      "the study '" + name_ + "' was made with revision " + std::to_string(*lost_) +
          " of the digits, and this version has revision " + std::to_string(trace_revision) +
          ": renew it ('keyhole study renew' or Store::renew), or use the version that "
          "made it",
      ErrorCode::needs_renewal);
}

Renewal Image::next_era(Era& era) {
  const std::uint64_t rest = asked_ - offset_ - learner_->asked();
  if (has_learned_ && learner_->asks_left() >= rest) {
    // The plays since then have numbers, and will not be told. If they are few, the learner's own
    // numbers stay the same as those of the study.
    for (std::uint64_t k = 0; rest <= expiry() && k < rest; ++k) (void)learner_->ask(played_.point);
    era.text = description_text(*description_, *learner_, making_);
    era.state = bytes_of(learner_->state());
    return Renewal::what_was_learned;
  }
  const auto text_of = [&](const Making& making) {
    return description_text(*description_,
                            make_learner_of(set_, *description_, *catalogue_, making), making);
  };
  if (!recommended_.empty()) {
    try {
      era.text = text_of({.start = recommended_, .held = making_.held, .chooses = making_.chooses});
      return Renewal::recommendation;
    } catch (const Error&) {  // the algorithm takes no start, or not this one
    }
  }
  era.text = text_of({.held = making_.held, .chooses = making_.chooses});
  return Renewal::nothing;
}

}  // namespace keyhole::studies
