#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "base/number_text.h"
#include "base/require.h"
#include "keyhole/learner.h"
#include "keyhole/version.h"
#include "learners/learner/learner_options.h"
#include "learners/learner/plays.h"

namespace keyhole {
namespace {

std::unique_ptr<AlgorithmBase> given(std::unique_ptr<AlgorithmBase> algorithm) {
  base::require(algorithm != nullptr, "a learner needs an algorithm");
  if (algorithm->rounds() == 0) {
    throw InvalidArgument(algorithm->spec() +
                          " does not know how many rounds it will play: give it a horizon, such as "
                          ".horizon = 1000, or wrap it in anytime()");
  }
  return algorithm;
}

/// The oldest trace revision whose fields are known.
constexpr std::uint64_t oldest_revision = 4;

void require_readable(std::uint64_t revision, Digits digits) {
  if (revision == trace_revision) return;
  const std::string revisions = "the state has trace revision " + std::to_string(revision) +
                                " and this version of Keyhole " + std::to_string(trace_revision);
  if (revision < oldest_revision || revision > trace_revision) {
    throw StateError(revisions + ": its fields are not known here", ErrorCode::other_digits);
  }
  if (digits == Digits::same) {
    throw StateError(revisions +
                         ": its digits would not be continued; restore it with Digits::may_differ "
                         "to keep what was learned",
                     ErrorCode::other_digits);
  }
}

}  // namespace

LearnerBase::LearnerBase(std::unique_ptr<AlgorithmBase> algorithm, const LearnerOptions& options,
                         Tells tells)
    : algorithm_(given(std::move(algorithm))),
      options_(options),
      tells_(tells),
      plays_(std::make_unique<Plays>(options, tells == Tells::losses ? 1 : set().dimension(),
                                     set().dimension())) {
  base::require(!plays_->pace || contexts() == 0,
                "max_step takes no contexts: a play on the way was wanted in another one");
}

LearnerBase::~LearnerBase() = default;
LearnerBase::LearnerBase(LearnerBase&&) noexcept = default;
LearnerBase& LearnerBase::operator=(LearnerBase&&) noexcept = default;

std::uint64_t LearnerBase::asked() const noexcept { return plays_->ledger.asked(); }

std::uint64_t LearnerBase::asks_left() const noexcept {
  const std::uint64_t rounds = algorithm_->rounds();
  constexpr std::uint64_t any_number = std::numeric_limits<std::uint64_t>::max();
  return rounds == any_number ? any_number : rounds - plays_->of_algorithm();
}

std::optional<Receipt> LearnerBase::judge(PlayId id, std::span<const double> told,
                                          double count) const {
  const std::optional<Receipt> receipt = plays_->ledger.judge(id, told, count);
  if (receipt != Receipt::fresh) return receipt;
  const PlayId number = plays_->own_number(id);
  return number != 0 && algorithm_->is_late(number) ? Receipt::late : Receipt::fresh;
}

void LearnerBase::require_whole() const {
  if (const PlayId t = plays_->failed_at) {
    throw StateError("the learner failed at play " + std::to_string(t) +
                         ", and may be half-way through it: restore a state",
                     ErrorCode::failed_learner);
  }
}

void LearnerBase::require_context(const Context& context) const {
  if (context.size() != contexts()) {
    throw InvalidArgument(contexts() == 0 ? algorithm_->spec() + " takes no context"
                                          : "a context of " + algorithm_->spec() + " has " +
                                                std::to_string(contexts()) + " numbers, not " +
                                                std::to_string(context.size()));
  }
  for (const double number : context) {
    if (std::isnan(number) || std::abs(number) <= largest_number) continue;
    throw InvalidArgument("a number of a context must be of magnitude up to 1e50, not " +
                          base::number_text(number) + "; NaN stands for one that is not known");
  }
}

PlayId LearnerBase::ask(std::span<double> point) { return ask_in({}, point); }

PlayId LearnerBase::ask(const Context& context, std::span<double> point) {
  require_context(context);
  return ask_in(context, point);
}

PlayId LearnerBase::ask_in(std::span<const double> context, std::span<double> point) {
  require_whole();
  if (point.size() != set().dimension()) {
    throw InvalidArgument("a play on " + set().spec() + " has " +
                          std::to_string(set().dimension()) + " coordinates, not " +
                          std::to_string(point.size()));
  }
  auto& [n, window, ledger, metrics, own, pace, coin, explores, step_due, failed_at] = *plays_;
  const bool on_the_way = explores != 0 && pace && pace->on_the_way();
  const bool at_start = explores != 0 && coin && toss(ledger.asked() + 1, coin->share());
  const bool of_algorithm = explores != 0 && !on_the_way && !at_start;
  const bool used_up = plays_->of_algorithm() >= algorithm_->rounds();
  if (of_algorithm && used_up) {
    throw InvalidArgument(
        "the horizon of " + std::to_string(algorithm_->rounds()) +
            " rounds is used up: give a longer one, or wrap the algorithm in anytime()",
        ErrorCode::horizon_used_up);
  }
  failed_at = ledger.asked() + 1;  // an exception from here on leaves it so
  if (step_due != 0 && !on_the_way && !used_up) {
    algorithm_->advance();
    step_due = 0;
  }
  while (const PlayId s = ledger.next_received()) {
    const std::span<const double> told = ledger.told(s);
    account(told);
    if (coin) plays_->take(s, told.front());
    const PlayId number = plays_->own_number(s);
    if (number != 0 && !absorb(number, told, ledger.count(s))) ledger.count_late();
  }
  absorb_others();
  const PlayId t = ledger.open();
  for (algorithms::Ledger& metric : metrics) metric.open();
  if (of_algorithm) {
    play(own ? own->want() : t, context, point);
    step_due = 1;
    algorithm_->oracle().settle(point);
  } else if (at_start) {
    std::copy(coin->start().begin(), coin->start().end(), point.begin());
  } else if (!on_the_way) {
    write_recommended(context, point);
  }
  if (pace) {
    if (!on_the_way) pace->aim(point);
    pace->move(t == 1, point);
    algorithm_->oracle().settle(point);
  }
  if (own) {
    const bool is_own = explores != 0 && !(pace && pace->on_the_way());
    own->note(t, at_start ? algorithms::OwnNumbers::start : is_own ? own->wanted() : 0);
  }
  failed_at = 0;
  return t;
}

void LearnerBase::explore(bool on) {
  require_whole();
  if (explores() == on) return;
  auto& [n, window, ledger, metrics, own, pace, coin, explores, step_due, failed_at] = *plays_;
  if (!own) own.emplace(window, ledger.asked());
  if (pace) pace->stop();
  explores = on ? 1 : 0;
}

bool LearnerBase::explores() const noexcept { return plays_->explores != 0; }

PlayId LearnerBase::pair_of(PlayId id) const {
  require_whole();
  plays_->ledger.require_asked(id);
  if (id < plays_->ledger.oldest()) return 0;
  const PlayId number = plays_->own_number(id);
  const PlayId first = number == 0 ? 0 : algorithm_->pair_of(number);
  if (first == 0 || first == number) return first == 0 ? 0 : id;
  PlayId t = id;
  while (t >= plays_->ledger.oldest() && plays_->own_number(t) != first) --t;
  return t < plays_->ledger.oldest() ? 0 : t;
}

Play LearnerBase::ask() {
  Play play{0, std::vector<double>(set().dimension())};
  play.id = ask(play.point);
  play.pair = pair_of(play.id);
  return play;
}

Play LearnerBase::ask(const Context& context) {
  Play play{0, std::vector<double>(set().dimension())};
  play.id = ask(context, play.point);
  play.pair = pair_of(play.id);
  return play;
}

std::vector<Play> LearnerBase::ask(std::size_t k) {
  require_whole();
  if (k > asks_left()) {
    throw InvalidArgument(std::to_string(k) + " plays are more than the horizon of " +
                              std::to_string(algorithm_->rounds()) + " rounds leaves",
                          ErrorCode::horizon_used_up);
  }
  // All memory first: running out of it half-way would lose plays.
  std::vector<Play> plays(k, {0, std::vector<double>(set().dimension())});
  for (Play& play : plays) {
    play.id = ask(play.point);
    play.pair = pair_of(play.id);
  }
  return plays;
}

void LearnerBase::write_recommended(std::span<const double> context,
                                    std::span<double> point) const {
  if (context.empty()) {
    algorithm_->recommend(point);
  } else {
    algorithm_->recommend_in(context, point);
  }
  algorithm_->oracle().settle(point);
}

void LearnerBase::recommend(std::span<double> point) const { recommend_in({}, point); }

void LearnerBase::recommend(const Context& context, std::span<double> point) const {
  require_context(context);
  recommend_in(context, point);
}

void LearnerBase::recommend_in(std::span<const double> context, std::span<double> point) const {
  require_whole();
  if (point.size() != set().dimension()) {
    throw InvalidArgument("a point of " + set().spec() + " has " +
                          std::to_string(set().dimension()) + " coordinates, not " +
                          std::to_string(point.size()));
  }
  write_recommended(context, point);
}

std::vector<double> LearnerBase::recommend(const Context& context) const {
  std::vector<double> point(set().dimension());
  recommend(context, point);
  return point;
}

std::vector<double> LearnerBase::recommend() const {
  std::vector<double> point(set().dimension());
  recommend(point);
  return point;
}

std::string LearnerBase::spec() const {
  return spec_of(tells_ == Tells::losses ? "learner" : "gradient_learner", options_,
                 algorithm_->spec());
}

RegretBound LearnerBase::regret_bound(std::uint64_t rounds) const {
  if (plays_->pace) return {.note = "no bound: max_step makes plays that no theorem counts"};
  if (plays_->own) {
    return {.note = "no bound: exploring was switched off, or a coin has made plays at the start"};
  }
  return algorithm_->regret_bound(rounds);
}

Summary LearnerBase::summary() const {
  require_whole();
  Summary summary = plays_->ledger.summary();
  summary.oracle_calls = algorithm_->oracle_calls();
  summary.average = average();
  return summary;
}

Status LearnerBase::status(std::uint64_t recent) const {
  const Summary now = summary();
  const Activity activity = algorithm_->activity();
  const auto [mean, told] = recent_mean(recent);
  return {.recent_average = mean,
          .recent_told = told,
          .average = now.average,
          .exploring = explores() ? activity.exploring : 0,
          .reach = explores() ? activity.reach : 0,
          .restarts = activity.restarts,
          .oracle_calls = now.oracle_calls,
          .belief = activity.belief,
          .proof = plays_->coin ? plays_->coin->proof() : Proof(),
          .limits = activity.limits};
}

void LearnerBase::Plays::state(Archive& archive) {
  const std::uint64_t asked = ledger.asked();
  if (archive.revision() == 4) {  // no play was ever made without the algorithm but on the way
    if (archive.reading()) {
      explores = 1;
      step_due = asked > 0 ? 1 : 0;
      coin.reset();
      if (!pace) own.reset();
    }
    if (!pace) return;
    own->count(archive, asked);
    pace->flag(archive);
    pace->points(archive);
    own->numbers(archive, asked);
    return;
  }
  // Whether some plays are not the algorithm's own, twice whether some were told with counts, and
  // four times whether there is a coin.
  auto has =
      static_cast<std::uint8_t>((own ? 1 : 0) + (ledger.has_counts() ? 2 : 0) + (coin ? 4 : 0));
  for (std::uint8_t* flag : {&explores, &step_due, &has}) archive.field(*flag);
  const unsigned has_own = has % 2U;
  if (explores > 1 || step_due > 1 || has > 7 ||
      (has_own == 0 && (pace || explores == 0 || has >= 4))) {
    throw StateError("the state's own numbers are not sound");
  }
  if (archive.reading() && has_own == 0) own.reset();
  if (archive.reading() && has_own == 1 && !own) own.emplace(window, 0);
  if (own) {
    own->count(archive, asked);
    own->numbers(archive, asked);
  }
  if (pace) {
    pace->flag(archive);
    pace->points(archive);
  }
  ledger.counts_of_plays(archive, has % 4U >= 2);
  for (algorithms::Ledger& metric : metrics) {
    metric.counts(archive);
    metric.window(archive);
  }
  if (archive.reading()) coin.reset();
  if (has < 4) return;
  if (!coin) coin.emplace(0, 0, std::vector<double>(n));
  coin->state(archive);
}

void LearnerBase::fields(Archive& archive) {
  plays_->ledger.counts(archive);
  own_fields(archive);
  plays_->ledger.window(archive);
  plays_->state(archive);
  algorithm_->state(archive);
}

State LearnerBase::state() const {
  require_whole();
  Archive archive;
  const_cast<LearnerBase*>(this)->fields(archive);  // NOLINT: one list of fields, here only read
  return State::seal(set().spec(), spec(), std::move(archive).take());
}

void LearnerBase::restore(const State& state, Digits digits) {
  const State::Header& header = state.header_;
  require_readable(header.revision, digits);
  if (header.set_fingerprint != set().fingerprint()) {
    throw StateError("the state belongs to the set " + header.set_spec + ", not to " + set().spec(),
                     ErrorCode::foreign_state);
  }
  if (!state.is_of_learner(spec())) {
    throw StateError("the state belongs to the " + header.learner_spec + ", not to the " + spec(),
                     ErrorCode::foreign_state);
  }
  const auto read = [this](const State& from) {
    Archive archive(from.payload(), from.revision());
    fields(archive);
    if (archive.left() != 0)
      throw StateError("the state has fields that this learner does not know");
    plays_->failed_at = 0;
  };
  std::optional<State> before;
  if (plays_->failed_at == 0) before = this->state();
  plays_->failed_at = asked() + 1;
  try {
    read(state);
  } catch (...) {
    if (before) read(*before);
    throw;
  }
}

}  // namespace keyhole
