#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "keyhole/set.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// How large the losses of a problem and their gradients can be on its set.
struct LossBounds {
  /// M: no loss has a larger magnitude.
  double loss = std::numeric_limits<double>::infinity();
  /// G: no gradient is longer, within the hull.
  double gradient = std::numeric_limits<double>::infinity();
  /// Whether they hold for certain; otherwise they are estimates that a run may exceed.
  bool proven = false;
};

/// F = f_1 + f_2 + ...: the sum of losses that hindsight looks back on. Not thread-safe.
class TotalLoss {
 public:
  TotalLoss() = default;
  TotalLoss(const TotalLoss&) = delete;
  TotalLoss& operator=(const TotalLoss&) = delete;
  virtual ~TotalLoss() = default;

  /// Adds the loss that the problem has drawn last.
  virtual void add() = 0;
  /// F(x).
  [[nodiscard]] virtual double value(std::span<const double> x) const = 0;
  /// A (sub)gradient of F at x.
  virtual void gradient(std::span<const double> x, std::span<double> gradient) const = 0;
  /// A point near which F is known to be least, where something is known: written to x, and true
  /// returned. Losses with kinks should say, since no descent certifies a kink.
  virtual bool guess(std::span<double> /*x*/) const { return false; }
  /// argmin of F(x + step d) over 0 <= step <= longest. Default: bisection of the derivative.
  [[nodiscard]] virtual double line_minimum(std::span<const double> x, std::span<const double> d,
                                            double longest) const;
};

/// Losses f_1, f_2, ..., convex on a set. draw(t) makes f_t the current loss, a pure function of
/// the problem and t; value() and gradient() then serve it to any number of players. A problem of
/// your own derives from this class. Not thread-safe.
class Problem {
 public:
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;
  virtual ~Problem() = default;

  /// The set that is played on.
  [[nodiscard]] const Set& set() const noexcept { return *set_; }
  /// The set, shared.
  [[nodiscard]] const SetPtr& shared_set() const noexcept { return set_; }

  /// The canonical one-line description.
  [[nodiscard]] virtual std::string spec() const = 0;
  /// How many rounds there are; the largest integer if any number.
  [[nodiscard]] virtual std::uint64_t rounds() const noexcept {
    return std::numeric_limits<std::uint64_t>::max();
  }
  /// Bounds on the losses, on what is told of them, and on their gradients on the set, over all
  /// rounds.
  [[nodiscard]] virtual LossBounds bounds() const = 0;
  /// How often the best fixed point is chosen again: regret is against the best point of rounds 1
  /// to segment(), then of the next segment() rounds, and so on. The largest integer if never, as
  /// in the usual sense of regret.
  [[nodiscard]] virtual std::uint64_t segment() const noexcept {
    return std::numeric_limits<std::uint64_t>::max();
  }
  /// What is known of a round before a play, its context, as PosteriorOptions::contexts has it: an
  /// experiment tells it to learners that take contexts. Empty if nothing is.
  [[nodiscard]] virtual std::vector<std::string> contexts() const { return {}; }
  /// The context of the round drawn last: a number for each of contexts().
  [[nodiscard]] virtual std::span<const double> context() const noexcept { return {}; }
  /// What a reader of the results should know about the losses, a sentence each: data that was left
  /// out, a market that is made up.
  [[nodiscard]] virtual std::vector<std::string> warnings() const { return {}; }

  /// Makes f_t the current loss, t = 1, 2, ..., rounds(), in any order. Throws InvalidArgument for
  /// another t.
  void draw(std::uint64_t t);
  /// The round drawn last; 0 before the first.
  [[nodiscard]] std::uint64_t drawn() const noexcept { return drawn_; }
  /// f_t(x).
  [[nodiscard]] virtual double value(std::span<const double> x) const = 0;
  /// A (sub)gradient of f_t at x.
  virtual void gradient(std::span<const double> x, std::span<double> gradient) const = 0;
  /// What a player that sees losses is told of its play x, where f_t(x) = `loss`. Regret is counted
  /// in losses; this is what is learned from. Default: the loss itself.
  [[nodiscard]] virtual double told(std::span<const double> /*x*/, double loss) const {
    return loss;
  }

  /// An empty sum for the losses of this problem, which must outlive it. Problems with sufficient
  /// statistics override it; the default remembers which rounds were added and draws them all
  /// again whenever it is asked, the latest last, so that the current loss stays the current one.
  [[nodiscard]] virtual std::unique_ptr<TotalLoss> total();

 protected:
  /// Takes the set.
  explicit Problem(SetPtr set);

 private:
  /// Makes f_t the current loss.
  virtual void realise(std::uint64_t t) = 0;

  SetPtr set_;
  std::uint64_t drawn_ = 0;
};

}  // namespace keyhole
#pragma GCC visibility pop
