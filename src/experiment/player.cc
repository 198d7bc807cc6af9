#include "experiment/player.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <variant>

#include "math/number_text.h"

namespace keyhole::experiment {
namespace {

std::optional<double> if_finite(double bound) {
  return std::isfinite(bound) ? std::optional(bound) : std::nullopt;
}

}  // namespace

std::unique_ptr<Problem> build_problem(const Experiment& experiment, const Factories& factories,
                                       std::size_t index, std::uint64_t repeat) {
  return factories.problem(
      experiment.problems[index].spec,
      {.seed = {experiment.seed, 2 * repeat + 1}, .folder = experiment.folder});
}

std::uint64_t run_length(const Experiment& experiment, const Problem& problem) {
  return std::min(experiment.rounds, problem.rounds());
}

Player::Player(const Named& named, const Factories& factories, const Problem& problem,
               const Experiment& experiment, std::uint64_t repeat)
    : name_(named.name), point_(problem.set().dimension()) {
  const LossBounds bounds = problem.bounds();
  const std::uint64_t rounds = run_length(experiment, problem);
  AnyAlgorithm algorithm =
      factories.algorithm(named.spec, {.set = problem.shared_set(),
                                       .loss_bound = if_finite(bounds.loss),
                                       .gradient_bound = if_finite(bounds.gradient),
                                       .horizon = rounds,
                                       .experiment = true});
  std::visit(
      [&](const auto& made) {
        algorithm_ = made->spec();
        if (made->rounds() < rounds) {
          throw RunError("it can play " + std::to_string(made->rounds()) +
                         " rounds and the run has " + std::to_string(rounds) +
                         ": leave its horizon out, or wrap it in anytime()");
        }
      },
      algorithm);
  const std::uint64_t seed = experiment.seed;
  const std::uint64_t stream = 2 * repeat;
  if (auto* told_losses = std::get_if<std::unique_ptr<Algorithm>>(&algorithm)) {
    // Every play is told at once: a short window will do.
    auto learner = std::make_unique<Learner>(
        std::move(*told_losses), LearnerOptions{.seed = seed, .stream = stream, .window = 2});
    bandit_ = learner.get();
    learner_ = std::move(learner);
  } else {
    auto learner = std::make_unique<GradientLearner>(
        std::move(std::get<std::unique_ptr<GradientAlgorithm>>(algorithm)),
        GradientLearnerOptions{.seed = seed, .stream = stream, .window = 2});
    descending_ = learner.get();
    learner_ = std::move(learner);
    gradient_.resize(point_.size());
  }
}

void Player::look(const Problem& problem) {
  loss_ = problem.value(point_);
  if (!std::isfinite(loss_)) {
    throw RunError("the loss of round " + std::to_string(problem.drawn()) + " is " +
                   math::number_text(loss_) + " at the point played");
  }
  if (descending_ != nullptr) problem.gradient(point_, gradient_);
}

void Player::account(const Problem& problem) {
  total_ += loss_;
  if (!problem.set().contains(point_)) ++infeasible_;
}

void Player::tell() {
  if (bandit_ != nullptr) {
    bandit_->tell(id_, loss_);
  } else {
    descending_->tell(id_, gradient_);
  }
}

}  // namespace keyhole::experiment
