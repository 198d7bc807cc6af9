#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "keyhole/catalogue.h"
#include "keyhole/gradient_learner.h"
#include "keyhole/learner.h"

namespace keyhole::experiment {

/// The problem of a repeat: losses of the stream 2 repeat + 1 of the seed.
[[nodiscard]] std::unique_ptr<Problem> build_problem(const Experiment& experiment,
                                                     const Catalogue& catalogue, std::size_t index,
                                                     std::uint64_t repeat);

/// How long a run of a problem is: the rounds of the experiment, or those that are asked of the
/// problem or that it has, if these are fewer.
[[nodiscard]] std::uint64_t run_length(const Experiment& experiment, std::size_t index,
                                       const Problem& problem);

/// One learner in a run, with the randomness of the stream 2 repeat of the seed. A round is
/// ask(), look() at the loss that the problem has drawn, and tell() of what arrives in it. Not
/// thread-safe.
class Player {
 public:
  /// A player of a problem of the experiment, which `problem` is in that repeat. Throws RunError if
  /// it cannot play as many rounds as the run has.
  Player(const Named& named, const Catalogue& catalogue, const Problem& problem,
         const Experiment& experiment, std::size_t index, std::uint64_t repeat);

  /// The next point to play, in the context of the round that the problem has drawn if the learner
  /// takes contexts.
  void ask(const Problem& problem);
  /// Sees what the point costs, and remembers it for as long as it can be told. Throws RunError if
  /// it is not finite.
  void look(const Problem& problem);
  /// Counts the point if it is not in the set, and adds up its loss.
  void account(const Problem& problem);
  /// Tells the learner what it is meant to see of a round, the loss or the gradient; not later than
  /// the problem's delay allows.
  void tell(std::uint64_t round);

  /// The name.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// What the learner recommends now; valid until the next call. Throws RunError if it is not in
  /// the set.
  [[nodiscard]] std::span<const double> recommended(const Problem& problem);
  /// Whether the learner is told losses rather than gradients.
  [[nodiscard]] bool told_losses() const noexcept { return bandit_ != nullptr; }
  /// The learner.
  [[nodiscard]] const LearnerBase& learner() const noexcept { return *learner_; }
  /// The canonical description of the algorithm.
  [[nodiscard]] const std::string& algorithm() const noexcept { return algorithm_; }
  /// The loss of the latest play.
  [[nodiscard]] double loss() const noexcept { return loss_; }
  /// The sum of the losses so far.
  [[nodiscard]] double total() const noexcept { return total_; }
  /// How many of the points were not in the set.
  [[nodiscard]] std::uint64_t infeasible() const noexcept { return infeasible_; }

 private:
  [[nodiscard]] std::span<double> gradient_of(PlayId id);

  std::string name_;
  std::string algorithm_;
  std::unique_ptr<LearnerBase> learner_;
  Learner* bandit_ = nullptr;              // the learner, if it is told losses...
  GradientLearner* descending_ = nullptr;  // ...or if it is told gradients
  PlayId id_ = 0;
  Context context_;  // empty if the learner takes none
  std::vector<double> point_;
  std::vector<double> recommended_;
  std::vector<double> judged_;  // the latest point whose membership was tested
  bool inside_ = false;         // and whether it belongs to the set
  double loss_ = 0;             // of the latest play
  std::uint64_t kept_;          // of how many plays the values are remembered
  std::vector<double> values_;  // what is told, losses or gradients: those of play t at t mod kept_
  double total_ = 0;
  std::uint64_t infeasible_ = 0;
};

}  // namespace keyhole::experiment
