#include "keyhole/learner.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "keyhole/version.h"
#include "math/number_text.h"
#include "sets/require.h"

namespace keyhole {
namespace {

const SetPtr& set_of(const std::unique_ptr<Algorithm>& algorithm) {
  require(algorithm != nullptr, "a learner needs an algorithm");
  return algorithm->shared_set();
}

std::uint64_t checked_window(std::uint64_t window) {
  constexpr std::uint64_t most = std::uint64_t{1} << 32;
  require(window >= 1 && window <= most,
          "the window must be from 1 to 2^32 plays, not " + std::to_string(window));
  return window;
}

}  // namespace

Learner::Learner(std::unique_ptr<Algorithm> algorithm, LearnerOptions options)
    : algorithm_(std::move(algorithm)),
      options_(options),
      directions_(set_of(algorithm_), options.seed, options.stream),
      losses_(checked_window(options.window)),
      feedback_(options.window) {}

PlayId Learner::ask(std::span<double> point) {
  if (point.size() != set().dimension()) {
    throw InvalidArgument("a play on " + set().spec() + " has " +
                          std::to_string(set().dimension()) + " coordinates, not " +
                          std::to_string(point.size()));
  }
  if (asked_ >= algorithm_->rounds()) {
    throw InvalidArgument(
        "the horizon of " + std::to_string(algorithm_->rounds()) +
        " rounds is used up: give a longer one, or wrap the algorithm in anytime()");
  }
  if (asked_ > 0) {
    algorithm_->advance();
    absorb_received();
  }
  ++asked_;
  losses_[slot(asked_)] = 0;
  feedback_[slot(asked_)] = Feedback::pending;
  algorithm_->play(asked_, directions_, point);
  algorithm_->oracle().settle(point);
  return asked_;
}

Play Learner::ask() {
  Play play{0, std::vector<double>(set().dimension())};
  play.id = ask(play.point);
  return play;
}

std::vector<Play> Learner::ask(std::size_t k) {
  if (k > algorithm_->rounds() - asked_) {
    throw InvalidArgument(std::to_string(k) + " plays are more than the horizon of " +
                          std::to_string(algorithm_->rounds()) + " rounds leaves");
  }
  std::vector<Play> plays(k);
  for (Play& play : plays) play = ask();
  return plays;
}

void Learner::tell(PlayId id, double loss) {
  if (id == 0 || id > asked_) {
    throw FeedbackError("play " + std::to_string(id) + " was never asked for; the latest is " +
                        std::to_string(asked_));
  }
  if (!(std::abs(loss) <= largest_number)) {
    throw FeedbackError("the loss of play " + std::to_string(id) +
                        " must be a number of magnitude up to 1e50, not " +
                        math::number_text(loss) + "; leave a play untold if its loss is unknown");
  }
  if (id < oldest()) {
    ++expired_;
    return;
  }
  const double cost = (options_.maximize ? -loss : loss) + 0.0;  // + 0.0: no negative zero
  double& known = losses_[slot(id)];
  Feedback& feedback = feedback_[slot(id)];
  if (feedback == Feedback::pending) {
    known = cost;
    feedback = Feedback::received;
    ++told_;
    if (std::abs(cost) > algorithm_->loss_bound()) ++above_bound_;
    first_received_ = first_received_ == 0 ? id : std::min(first_received_, id);
    last_received_ = std::max(last_received_, id);
  } else if (known == cost) {
    ++duplicates_;
  } else {
    throw FeedbackError("play " + std::to_string(id) + " was told " +
                        math::number_text(options_.maximize ? -known : known) + " before and " +
                        math::number_text(loss) + " now: the first stands");
  }
}

void Learner::absorb_received() {
  if (first_received_ == 0) return;
  for (PlayId id = first_received_; id <= last_received_; ++id) {
    if (feedback_[slot(id)] != Feedback::received) continue;
    const double loss = losses_[slot(id)];
    if (!algorithm_->absorb(id, loss, directions_)) ++late_;
    loss_sum_ += loss;
    feedback_[slot(id)] = Feedback::absorbed;
  }
  first_received_ = 0;
  last_received_ = 0;
}

void Learner::recommend(std::span<double> point) const {
  if (point.size() != set().dimension()) {
    throw InvalidArgument("a point of " + set().spec() + " has " +
                          std::to_string(set().dimension()) + " coordinates, not " +
                          std::to_string(point.size()));
  }
  algorithm_->recommend(point);
  algorithm_->oracle().settle(point);
}

std::string Learner::spec() const {
  return "learner(" + algorithm_->spec() + ", seed=" + std::to_string(options_.seed) +
         ", stream=" + std::to_string(options_.stream) +
         ", window=" + std::to_string(options_.window) + (options_.maximize ? ", maximize)" : ")");
}

Summary Learner::summary() const {
  Summary summary{.asked = asked_,
                  .told = told_,
                  .duplicates = duplicates_,
                  .expired = expired_,
                  .late = late_,
                  .above_bound = above_bound_,
                  .oracle_calls = algorithm_->oracle_calls(),
                  .average = std::numeric_limits<double>::quiet_NaN()};
  double sum = loss_sum_;
  for (PlayId id = oldest(); id <= asked_; ++id) {
    const Feedback feedback = feedback_[slot(id)];
    if (feedback == Feedback::pending) ++summary.pending;
    if (feedback == Feedback::received) sum += losses_[slot(id)];
  }
  if (told_ > 0) summary.average = (options_.maximize ? -sum : sum) / static_cast<double>(told_);
  return summary;
}

void Learner::fields(Archive& archive) {
  for (std::uint64_t* count : {&asked_, &told_, &duplicates_, &expired_, &late_, &above_bound_}) {
    archive.field(*count);
  }
  archive.field(loss_sum_);
  first_received_ = 0;
  last_received_ = 0;
  for (PlayId id = oldest(); id <= asked_; ++id) {
    auto feedback = static_cast<std::uint8_t>(feedback_[slot(id)]);
    archive.field(feedback);
    if (feedback > static_cast<std::uint8_t>(Feedback::absorbed)) {
      throw StateError("the state has an unknown mark for play " + std::to_string(id));
    }
    feedback_[slot(id)] = static_cast<Feedback>(feedback);
    archive.field(losses_[slot(id)]);
    if (feedback_[slot(id)] == Feedback::received) {
      if (first_received_ == 0) first_received_ = id;
      last_received_ = id;
    }
  }
  algorithm_->state(archive);
}

State Learner::state() const {
  Archive archive;
  const_cast<Learner*>(this)->fields(archive);  // NOLINT: the one list of fields, here only read
  return State::seal(set().spec(), spec(), std::move(archive).take());
}

void Learner::restore(const State& state) {
  const State::Header& header = state.header_;
  if (header.revision != trace_revision) {
    throw StateError("the state has trace revision " + std::to_string(header.revision) +
                     " and this version of Keyhole " + std::to_string(trace_revision) +
                     ": its digits would not be continued");
  }
  if (header.set_fingerprint != set().fingerprint()) {
    throw StateError("the state belongs to the set " + header.set_spec + ", not to " +
                     set().spec());
  }
  const State before = this->state();
  if (header.learner_fingerprint != before.header_.learner_fingerprint) {
    throw StateError("the state belongs to the " + header.learner_spec + ", not to the " + spec());
  }
  const auto read = [this](const State& from) {
    Archive archive(from.payload());
    fields(archive);
    if (archive.left() != 0)
      throw StateError("the state has fields that this learner does not know");
  };
  try {
    read(state);
  } catch (const Error&) {
    read(before);
    throw;
  }
}

}  // namespace keyhole
