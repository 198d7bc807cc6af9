#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/archive.h"
#include "keyhole/randomness.h"
#include "keyhole/set.h"
#include "keyhole/summary.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// The number of a play: the first ask is 1, the second 2, and so on.
using PlayId = std::uint64_t;

/// What is known when a play is asked for: a number for each of AlgorithmBase::contexts(), NaN
/// where one is not known.
struct Context : std::vector<double> {
  using std::vector<double>::vector;
};

/// What was measured of a play besides its loss: a number for each of Algorithm::metrics(), NaN
/// where one was not measured.
struct Metrics : std::vector<double> {
  using std::vector<double>::vector;
};

/// A theorem's bound on the expected regret, with these constants.
struct RegretBound {
  /// The bound; NaN where there is none.
  double value = std::numeric_limits<double>::quiet_NaN();
  /// Whether the theorem holds for the constants in use.
  bool holds = false;
  /// Which theorem it is, or why there is none or it does not hold.
  std::string note;
};

/// What an algorithm is doing now: see Status.
struct Activity {
  /// The share of the plays that explore, from 0 to 1; NaN if it does not say.
  double exploring = std::numeric_limits<double>::quiet_NaN();
  /// How far these go, as a share of the way to an extreme point or of R; NaN if it does not say.
  double reach = std::numeric_limits<double>::quiet_NaN();
  /// How often it has started again.
  std::uint64_t restarts = 0;
  /// What it believes of the losses.
  Belief belief = {};
  /// How it keeps limits.
  std::vector<LimitStatus> limits = {};
};

/// What algorithms have in common, whatever they are told: a set with an oracle of their own for
/// it, a description, a bound, a state. Bring an algorithm of your own as an Algorithm, which is
/// told losses, or as a GradientAlgorithm. Not thread-safe.
class AlgorithmBase {
 public:
  AlgorithmBase(const AlgorithmBase&) = delete;
  AlgorithmBase& operator=(const AlgorithmBase&) = delete;
  virtual ~AlgorithmBase() = default;

  /// The set that is played on.
  [[nodiscard]] const Set& set() const noexcept { return *set_; }
  /// The set, shared.
  [[nodiscard]] const SetPtr& shared_set() const noexcept { return set_; }

  /// The canonical one-line description with every constant that shapes a play.
  [[nodiscard]] virtual std::string spec() const = 0;

  /// How many rounds it can play; the largest integer if any number, and 0 if it needs a horizon
  /// that nobody has given it: then no learner takes it.
  [[nodiscard]] virtual std::uint64_t rounds() const noexcept {
    return std::numeric_limits<std::uint64_t>::max();
  }

  /// Called once, before anything is drawn, with the numbers that every play will be given: an
  /// algorithm that gives another one inside a sub-stream makes it here, so that no play allocates.
  /// By default nothing is done.
  virtual void prepare(Randomness& /*random*/) {}

  /// Whether what is told of round s, which was played, comes too late to be learned from, as after
  /// a restart: then absorb() returns false for it.
  [[nodiscard]] virtual bool is_late(PlayId /*s*/) const { return false; }

  /// For algorithms that play in pairs, to be told values of the same loss: the first play of the
  /// pair of play t; 0 if t is in no pair that the algorithm still knows.
  [[nodiscard]] virtual PlayId pair_of(PlayId /*t*/) const { return 0; }

  /// Makes the step from the round played last to the next.
  virtual void advance() = 0;
  /// Writes the point to deploy, without exploration, in K up to rounding.
  virtual void recommend(std::span<double> x) const = 0;

  /// How many numbers say what is known when a play is asked for, its context; 0 if it takes none.
  [[nodiscard]] virtual std::size_t contexts() const noexcept { return 0; }
  /// recommend() for a context; NaN stands for a number that is not known. By default the context
  /// makes no difference.
  virtual void recommend_in(std::span<const double> /*context*/, std::span<double> x) const {
    recommend(x);
  }

  /// The theorem's bound on the expected regret after `rounds` rounds.
  [[nodiscard]] virtual RegretBound regret_bound(std::uint64_t rounds) const = 0;

  /// What it is doing now.
  [[nodiscard]] virtual Activity activity() const { return {}; }

  /// Lists every field of the state; reads or writes them.
  virtual void state(Archive& archive);

  /// How often a linear function has been minimised.
  [[nodiscard]] virtual std::uint64_t oracle_calls() const noexcept { return oracle_calls_; }
  /// The oracle that the algorithm works with.
  [[nodiscard]] virtual Oracle& oracle() noexcept { return *oracle_; }

 protected:
  /// Takes the set, and an oracle of its own for it.
  explicit AlgorithmBase(SetPtr set);
  /// For algorithms that wrap another one: these must override oracle() and oracle_calls().
  AlgorithmBase(SetPtr set, std::unique_ptr<Oracle> oracle);

  /// p: the centre of the set.
  [[nodiscard]] const std::vector<double>& p() const noexcept { return set_->centre(); }
  /// r: the radius of a ball about p in the hull that is in the set.
  [[nodiscard]] double r() const noexcept { return set_->inner_radius(); }
  /// R: no point of the set is farther from p.
  [[nodiscard]] double R() const noexcept { return set_->outer_radius(); }
  /// D: no two points of the set are farther from each other.
  [[nodiscard]] double D() const noexcept { return set_->diameter(); }
  /// n: the dimension of the set's affine hull.
  [[nodiscard]] double n() const noexcept { return static_cast<double>(set_->hull_dimension()); }

  /// argmin over K of <direction, v>, counted.
  const Vertex& minimise(std::span<const double> direction);

 private:
  SetPtr set_;
  std::unique_ptr<Oracle> oracle_;
  std::uint64_t oracle_calls_ = 0;
};

/// One bandit algorithm on one set: what a Learner calls to play and to learn. It is written like
/// the pseudo-code of its paper and knows nothing of duplicates, order or loss of feedback, which
/// the Learner sorts out. The calls, in the order of events of one ask:
///
///   advance();                       from the second ask on: the step of the round before, from
///                                    the losses absorbed so far
///   absorb(s, loss, random); ...     the losses told since the last ask, in order of s
///   play(t, random, y);              the point of round t
///
/// An algorithm around another one that draws for itself too gives the inner one a sub-stream of
/// its randomness; one that draws nothing passes its own on.
///
/// Implement one to bring an algorithm of your own; check_learner() of keyhole/testing.h tells
/// whether it keeps the contract. Not thread-safe.
class Algorithm : public AlgorithmBase {
 public:
  /// What it is told of a play: its loss.
  using Told = double;

  /// Takes the set, and an oracle of its own for it.
  explicit Algorithm(SetPtr set) : AlgorithmBase(std::move(set)) {}

  /// Writes the point of round t, in K up to rounding.
  virtual void play(PlayId t, Randomness& random, std::span<double> y) = 0;
  /// Learns the loss of round s. Returns false if it came too late to be learned from.
  virtual bool absorb(PlayId s, double loss, Randomness& random) = 0;
  /// play() for a context, which it remembers until the loss comes; of an empty one nothing is
  /// known. See contexts(). By default the context makes no difference.
  virtual void play_in(PlayId t, std::span<const double> /*context*/, Randomness& random,
                       std::span<double> y) {
    play(t, random, y);
  }

  /// How many metrics it takes besides losses; 0 if it takes none.
  [[nodiscard]] virtual std::size_t metrics() const noexcept { return 0; }
  /// Learns a metric of round s, which may come with the loss, before it, after it or never.
  /// Returns false if it came too late to be learned from. By default nothing is done.
  virtual bool absorb_metric(PlayId /*s*/, std::size_t /*metric*/, double /*value*/,
                             Randomness& /*random*/) {
    return true;
  }

  /// Points of the front of the loss and a metric, from the best metric to the least loss, at an
  /// average context and within the limits of the other metrics; empty if too little is known.
  [[nodiscard]] virtual std::vector<FrontPoint> front(std::size_t /*metric*/) const { return {}; }

  /// What points of K, one behind the other, are believed to cost in a context; an empty one stands
  /// for the average. By default nothing is believed.
  [[nodiscard]] virtual std::vector<Estimate> estimates(std::span<const double> /*context*/,
                                                        std::span<const double> points) const {
    return std::vector<Estimate>(points.size() / set().dimension());
  }

  /// Whether learn() takes points, and losses may have counts.
  [[nodiscard]] virtual bool can_learn() const noexcept { return false; }
  /// absorb() of a loss that counts as often as that many losses: its noise has 1/count of their
  /// variance. By default it is absorbed like any other; a Learner takes no counts unless
  /// can_learn().
  virtual bool absorb_counted(PlayId s, double loss, double /*count*/, Randomness& random) {
    return absorb(s, loss, random);
  }
  /// Learns the loss of a point of K that it was not asked for: what was measured before it began,
  /// or elsewhere. It is no round, and nothing that is counted over the rounds counts it. May come
  /// at any time, also while plays wait for their losses. The count is that of absorb_counted().
  /// Throws InvalidArgument unless can_learn().
  virtual void learn(std::span<const double> point, double loss, double count);
  /// learn() for a loss of that context.
  virtual void learn_in(std::span<const double> /*context*/, std::span<const double> point,
                        double loss, double count) {
    learn(point, loss, count);
  }
  /// The same for a metric, of those that absorb_metric() takes. By default it is not learned from.
  virtual void learn_metric(std::span<const double> /*context*/, std::span<const double> /*point*/,
                            std::size_t /*metric*/, double /*value*/) {}

  /// M, the largest magnitude that losses are said to have; infinity if nothing was said.
  [[nodiscard]] virtual double loss_bound() const noexcept {
    return std::numeric_limits<double>::infinity();
  }

 protected:
  /// For algorithms that wrap another one.
  Algorithm(SetPtr set, std::unique_ptr<Oracle> oracle)
      : AlgorithmBase(std::move(set), std::move(oracle)) {}
};

/// An algorithm, of either kind, whose constants depend on the number of rounds T that it is going
/// to play.
template <class Kind>
class WithHorizon : public Kind {
 public:
  using Kind::Kind;

  /// Forgets everything and prepares for `horizon` rounds. Throws InvalidArgument where the
  /// constants do not allow that horizon.
  virtual void restart(std::uint64_t horizon) = 0;
  /// The horizon T of the latest restart; 0 if none was given yet.
  [[nodiscard]] virtual std::uint64_t horizon() const noexcept = 0;
  /// The canonical one-line description but for the horizon.
  [[nodiscard]] virtual std::string family_spec() const = 0;
  /// The theorem's bound on the expected regret after T rounds with the constants for T.
  [[nodiscard]] virtual RegretBound horizon_bound(std::uint64_t horizon) const = 0;

  /// family_spec() and the horizon.
  [[nodiscard]] std::string spec() const final {
    std::string text = family_spec();
    if (horizon() == 0) return text;
    text.pop_back();  // the closing parenthesis
    return text + (text.back() == '(' ? "" : ", ") + "horizon=" + std::to_string(horizon()) + ")";
  }
  /// The horizon.
  [[nodiscard]] std::uint64_t rounds() const noexcept final { return horizon(); }
  /// The bound for the horizon, which holds for every number of rounds up to it: no term of these
  /// bounds falls with the rounds. Without a horizon it is that for `rounds`.
  [[nodiscard]] RegretBound regret_bound(std::uint64_t rounds) const final {
    if (horizon() == 0) return horizon_bound(rounds == 0 ? 1 : rounds);
    if (rounds <= horizon()) return horizon_bound(horizon());
    return {.note =
                "the theorem covers the horizon of " + std::to_string(horizon()) + " rounds only"};
  }
};

/// A bandit algorithm that takes a horizon.
using HorizonAlgorithm = WithHorizon<Algorithm>;

}  // namespace keyhole
#pragma GCC visibility pop
