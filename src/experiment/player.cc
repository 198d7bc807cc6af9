#include "experiment/player.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <variant>

#include "base/number_text.h"
#include "keyhole/spec.h"

namespace keyhole::experiment {
namespace {

/// Gradients that wait are kept twice, here and in the learner's window.
void require_memory(std::uint64_t delay, std::size_t n) {
  constexpr std::uint64_t most_numbers = std::uint64_t{1} << 27;  // 1 GiB
  if (2 * delay <= most_numbers / n) return;
  throw RunError("gradients of " + std::to_string(n) + " numbers that are up to " +
                 std::to_string(delay) +
                 " rounds late take more than 1 GiB: shorten the delay to " +
                 std::to_string(most_numbers / n / 2) + " or less");
}

}  // namespace

std::unique_ptr<Problem> build_problem(const Experiment& experiment, const Catalogue& catalogue,
                                       std::size_t index, std::uint64_t repeat) {
  return make_problem(experiment.problems[index].spec,
                      {.seed = {experiment.seed, 2 * repeat + 1}, .folder = experiment.folder},
                      catalogue);
}

std::uint64_t run_length(const Experiment& experiment, std::size_t index, const Problem& problem) {
  const std::uint64_t most = experiment.problems[index].rounds;
  return std::min({experiment.rounds, problem.rounds(), most == 0 ? experiment.rounds : most});
}

Player::Player(const Named& named, const Catalogue& catalogue, const Problem& problem,
               const Experiment& experiment, std::size_t index, std::uint64_t repeat)
    : name_(named.name), point_(problem.set().dimension()), recommended_(point_) {
  const LossBounds bounds = problem.bounds();
  const std::uint64_t rounds = run_length(experiment, index, problem);
  const std::uint64_t waiting = experiment.problems[index].waiting();
  kept_ = std::clamp<std::uint64_t>(rounds, 1, waiting);
  AnyAlgorithm algorithm = make_algorithm(named.spec,
                                          {.set = problem.shared_set(),
                                           .loss_bound = bounds.loss,
                                           .gradient_bound = bounds.gradient,
                                           .horizon = rounds,
                                           .contexts = problem.contexts()},
                                          catalogue);
  std::visit(
      [&](const auto& made) {
        algorithm_ = made->spec();
        if (made->rounds() < rounds) {
          throw RunError("it can play " + std::to_string(made->rounds()) +
                         " rounds and the run has " + std::to_string(rounds) +
                         ": leave its horizon out, or wrap it in anytime()");
        }
        const std::size_t known = problem.contexts().size();
        if (made->contexts() != 0 && made->contexts() != known) {
          throw RunError("it takes " + std::to_string(made->contexts()) +
                         " numbers as a context, and the problem has " + std::to_string(known));
        }
        context_.resize(made->contexts());
      },
      algorithm);
  const std::uint64_t seed = experiment.seed;
  const std::uint64_t stream = 2 * repeat;
  const std::uint64_t window = kept_ + 2;  // none expires
  const std::optional<double> max_step = experiment.problems[index].max_step;
  if (auto* told_losses = std::get_if<std::unique_ptr<Algorithm>>(&algorithm)) {
    auto learner = std::make_unique<Learner>(
        std::move(*told_losses),
        LearnerOptions{.seed = seed, .stream = stream, .window = window, .max_step = max_step});
    bandit_ = learner.get();
    learner_ = std::move(learner);
    values_.resize(kept_);
  } else {
    require_memory(kept_, point_.size());
    auto learner = std::make_unique<GradientLearner>(
        std::move(std::get<std::unique_ptr<GradientAlgorithm>>(algorithm)),
        GradientLearnerOptions{
            .seed = seed, .stream = stream, .window = window, .max_step = max_step});
    descending_ = learner.get();
    learner_ = std::move(learner);
    values_.resize(kept_ * point_.size());
  }
}

void Player::ask(const Problem& problem) {
  if (context_.empty()) {
    id_ = learner_->ask(point_);
    return;
  }
  const std::span<const double> now = problem.context();
  std::copy(now.begin(), now.end(), context_.begin());
  id_ = learner_->ask(context_, point_);
}

void Player::look(const Problem& problem) {
  loss_ = problem.value(point_);
  if (!std::isfinite(loss_)) {
    throw RunError("the loss of round " + std::to_string(problem.drawn()) + " is " +
                   base::number_text(loss_) + " at the point played");
  }
  if (bandit_ != nullptr) {
    values_[id_ % kept_] = problem.told(point_, loss_);
  } else {
    problem.gradient(point_, gradient_of(id_));
  }
}

void Player::account(const Problem& problem) {
  total_ += loss_;
  if (point_ != judged_) {  // many plays repeat the one before, and membership may be expensive
    judged_ = point_;
    inside_ = problem.set().contains(point_);
  }
  if (!inside_) ++infeasible_;
}

void Player::tell(std::uint64_t round) {
  if (bandit_ != nullptr) {
    bandit_->tell(round, values_[round % kept_]);
  } else {
    descending_->tell(round, gradient_of(round));
  }
}

std::span<const double> Player::recommended(const Problem& problem) {
  learner_->recommend(recommended_);
  if (!problem.set().contains(recommended_)) {
    throw RunError("it recommends a point outside of the set after round " +
                   std::to_string(problem.drawn()));
  }
  return recommended_;
}

std::span<double> Player::gradient_of(PlayId id) {
  const std::size_t n = point_.size();
  return std::span(values_).subspan(id % kept_ * n, n);
}

}  // namespace keyhole::experiment
