#pragma once

// How long a learner takes for its rounds, apart from the losses. A learner is a pure function of
// its seed and of what it is told: the losses of one run are recorded, and another learner like the
// first is told them again with a clock running. That it plays the same points is checked.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "keyhole/keyhole.h"
#include "timing.h"
#include "watched_set.h"

namespace keyhole::bench {

/// An algorithm on a set.
using Make = std::function<std::unique_ptr<Algorithm>(const SetPtr& set)>;
/// The loss of round t at a point.
using Loss = std::function<double(std::uint64_t t, std::span<const double> point)>;

/// A run that can be repeated.
struct Recording {
  SetPtr set;
  Make make;
  /// What was told, round by round.
  std::vector<double> losses = {};
  /// The latest play.
  std::vector<double> latest = {};
  /// The run and its losses, in microseconds.
  double with_losses = 0;
  /// What its oracles were asked.
  std::shared_ptr<const WatchedSet> watched;

  [[nodiscard]] double rounds() const { return static_cast<double>(losses.size()); }
};

/// Plays up to `most` rounds, and as many as take `microseconds` with their losses if these are
/// fewer, but `least` at least.
inline Recording record(const SetPtr& set, const Make& make, const Loss& loss, std::uint64_t most,
                        std::uint64_t least, double microseconds) {
  Recording run{.set = set, .make = make, .watched = std::make_shared<WatchedSet>(set)};
  Learner learner(make(run.watched));
  run.latest.resize(set->dimension());
  const double start = processor_microseconds();
  for (std::uint64_t t = 1; t <= most; ++t) {
    const PlayId id = learner.ask(run.latest);
    run.losses.push_back(loss(t, run.latest));
    learner.tell(id, run.losses.back());
    if (t >= least && processor_microseconds() - start > microseconds) break;
  }
  run.with_losses = processor_microseconds() - start;
  return run;
}

/// A learner that is told recorded losses.
class Replay {
 public:
  explicit Replay(const Recording& run)
      : run_(&run),
        learner_(std::make_unique<Learner>(run.make(run.set))),
        start_(learner_->state()),
        point_(run.latest.size()) {}

  /// Begins again. Some learners take long to make, so it is the same one.
  void rewind() {
    learner_->restore(start_);
    played_ = 0;
  }

  /// Plays on to round t; returns how many microseconds that took.
  double play_to(std::size_t t) {
    const double start = processor_microseconds();
    for (; played_ < t; ++played_) learner_->tell(learner_->ask(point_), run_->losses[played_]);
    const double time = processor_microseconds() - start;
    if (played_ == run_->losses.size() && point_ != run_->latest) {
      std::fprintf(stderr, "a repeated run on %s came to another point\n",
                   run_->set->spec().substr(0, 100).c_str());
      std::exit(1);
    }
    return time;
  }
  /// The whole run.
  double play() { return play_to(run_->losses.size()); }
  /// How often a linear function was minimised so far.
  [[nodiscard]] double calls() const {
    return static_cast<double>(learner_->summary().oracle_calls);
  }

 private:
  const Recording* run_;
  std::unique_ptr<Learner> learner_;
  State start_;
  std::vector<double> point_;
  std::size_t played_ = 0;
};

/// The microseconds that a question takes an oracle of the set by itself, asked in the order of the
/// run; 0 if there was none. `ask` is a call of the oracle.
template <class Ask>
double microseconds_of(const Questions& questions, Ask ask) {
  if (questions.kept() == 0) return 0;
  constexpr double shortest = 3e3;
  for (std::size_t k = 0; k < questions.kept(); ++k) ask(questions[k]);
  const double start = processor_microseconds();
  double time = 0;
  double count = 0;
  do {
    for (std::size_t k = 0; k < questions.kept(); ++k) ask(questions[k]);
    count += static_cast<double>(questions.kept());
    time = processor_microseconds() - start;
  } while (time < shortest);
  return time / count;
}

/// What a linear minimisation takes in the dynamics of the run.
inline double microseconds_of_minimising(const Recording& run) {
  const auto oracle = run.set->oracle();
  return microseconds_of(run.watched->watch.directions, [&](std::span<const double> direction) {
    (void)oracle->minimise(direction);
  });
}

/// What a projection takes in the dynamics of the run.
inline double microseconds_of_projecting(const Recording& run) {
  const auto oracle = run.set->oracle();
  std::vector<double> nearest(run.latest.size());
  return microseconds_of(run.watched->watch.points,
                         [&](std::span<const double> point) { oracle->project(point, nearest); });
}

/// In which share of the rounds a point was outside, and the projection moved it.
inline double share_projected(const Recording& run) {
  return static_cast<double>(run.watched->watch.moved) / run.rounds();
}

}  // namespace keyhole::bench
