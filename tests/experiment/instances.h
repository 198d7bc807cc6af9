#pragma once

// Problems, algorithms and folders of the tests' own, so that they lean on the runner alone.

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "experiment/config.h"
#include "experiment/run.h"
#include "folder.h"
#include "keyhole/keyhole.h"

namespace keyhole::tests {

/// f_t(x) = 1/2 ||x - theta_t||^2, theta_t = e_1 / 2 + 0.4 u_t, on ball(3). Its total knows the
/// sums that it needs, so no loss is ever drawn again.
class Target final : public Problem {
 public:
  Target(ProblemSeed seed, std::uint64_t rounds, std::atomic<std::uint64_t>* draws)
      : Problem(ball(3)),
        u_(shared_set(), seed.seed, seed.stream),
        rounds_(rounds),
        draws_(draws),
        theta_(3) {}

  [[nodiscard]] std::string spec() const override { return "target()"; }
  [[nodiscard]] std::uint64_t rounds() const noexcept override { return rounds_; }
  [[nodiscard]] LossBounds bounds() const override { return {1.9 * 1.9 / 2, 1.9, true}; }
  [[nodiscard]] double value(std::span<const double> x) const override {
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += (x[i] - theta_[i]) * (x[i] - theta_[i]);
    return sum / 2;
  }
  void gradient(std::span<const double> x, std::span<double> g) const override {
    for (std::size_t i = 0; i < 3; ++i) g[i] = x[i] - theta_[i];
  }
  [[nodiscard]] std::unique_ptr<TotalLoss> total() override {
    return std::make_unique<Total>(*this);
  }
  [[nodiscard]] const std::vector<double>& theta() const { return theta_; }

 private:
  class Total final : public TotalLoss {
   public:
    explicit Total(const Target& problem) : problem_(problem), sum_(3, 0.0) {}
    void add() override {
      ++count_;
      for (std::size_t i = 0; i < 3; ++i) {
        sum_[i] += problem_.theta_[i];
        squares_ += problem_.theta_[i] * problem_.theta_[i];
      }
    }
    [[nodiscard]] double value(std::span<const double> x) const override {
      double sum = squares_;
      for (std::size_t i = 0; i < 3; ++i) sum += count_ * x[i] * x[i] - 2 * sum_[i] * x[i];
      return sum / 2;
    }
    void gradient(std::span<const double> x, std::span<double> g) const override {
      for (std::size_t i = 0; i < 3; ++i) g[i] = count_ * x[i] - sum_[i];
    }

   private:
    const Target& problem_;
    double count_ = 0;
    std::vector<double> sum_;
    double squares_ = 0;
  };

  void realise(std::uint64_t t) override {
    if (draws_ != nullptr) ++*draws_;
    const auto u = u_.direction(t);
    for (std::size_t i = 0; i < 3; ++i) theta_[i] = (i == 0 ? 0.5 : 0.0) + 0.4 * u[i];
  }

  Randomness u_;
  std::uint64_t rounds_;
  std::atomic<std::uint64_t>* draws_;
  std::vector<double> theta_;
};

/// Plays the centre; or, from round `first` on, throws, or leaves the set.
class Mischief final : public Algorithm {
 public:
  enum class Kind { none, leaves, throws };
  Mischief(SetPtr set, Kind kind, PlayId first = 1)
      : Algorithm(std::move(set)), kind_(kind), first_(first) {}

  [[nodiscard]] std::string spec() const override { return "mischief()"; }
  void advance() override {}
  void recommend(std::span<double> x) const override {
    std::copy(set().centre().begin(), set().centre().end(), x.begin());
  }
  [[nodiscard]] RegretBound regret_bound(std::uint64_t) const override {
    return {.note = "it does not learn"};
  }
  void play(PlayId t, Randomness&, std::span<double> y) override {
    recommend(y);
    if (t < first_) return;
    if (kind_ == Kind::throws) throw std::runtime_error("mischief in round " + std::to_string(t));
    if (kind_ == Kind::leaves) y[0] = 3;
  }
  bool absorb(PlayId, double, Randomness&) override { return true; }
  [[nodiscard]] double loss_bound() const noexcept override { return 1; }

 private:
  Kind kind_;
  PlayId first_;
};

/// An algorithm without parameters.
template <class Make>
SpecEntry algorithm(const std::string& name, Make make) {
  return {.name = name,
          .summary = "of the tests",
          .build = [make](const Arguments&, const AlgorithmContext& context) -> AnyAlgorithm {
            return make(context);
          }};
}

/// A problem without parameters.
template <class Make>
SpecEntry problem(const std::string& name, Make make) {
  return {
      .name = name,
      .summary = "of the tests",
      .build = [make](const Arguments&, const ProblemContext& context) -> std::unique_ptr<Problem> {
        return make(context);
      }};
}

/// The problems target and short (20 rounds), and some learners.
inline Catalogue catalogue(std::atomic<std::uint64_t>* draws = nullptr) {
  using Kind = Mischief::Kind;
  const auto options = [](const AlgorithmContext& context) {
    return ProjectionFreeOptions{.loss_bound = context.loss_bound.value(),
                                 .gradient_bound = context.gradient_bound,
                                 .horizon = context.horizon.value()};
  };
  const auto still = [](const AlgorithmContext& context) {
    return std::make_unique<Mischief>(context.set, Kind::none);
  };
  Catalogue all;
  all.add(problem("target", [draws](const ProblemContext& context) {
    return std::make_unique<Target>(context.seed, std::numeric_limits<std::uint64_t>::max(), draws);
  }));
  all.add(problem("short", [draws](const ProblemContext& context) {
    return std::make_unique<Target>(context.seed, 20, draws);
  }));
  all.add(algorithm("projection_free", [options](const AlgorithmContext& context) {
    return projection_free(context.set, options(context));
  }));
  all.add(algorithm("anytime", [options](const AlgorithmContext& context) {
    return anytime(projection_free(context.set, options(context)));
  }));
  all.add(algorithm("ogd", [](const AlgorithmContext& context) {
    return ogd(context.set, {.gradient_bound = context.gradient_bound.value()});
  }));
  all.add(algorithm("ten", [](const AlgorithmContext& context) {
    return projection_free(context.set, {.loss_bound = 1, .horizon = 10});
  }));
  all.add(algorithm("leaves", [](const AlgorithmContext& context) {
    return std::make_unique<Mischief>(context.set, Kind::leaves, context.horizon.value() - 4);
  }));
  all.add(algorithm("throws", [](const AlgorithmContext& context) {
    return std::make_unique<Mischief>(context.set, Kind::throws, 7);
  }));
  all.add(algorithm("stay", still));
  all.add(algorithm("random_vertex", still));
  SpecEntry fed_constant = algorithm("fed_constant", still);
  fed_constant.parameters = {{"learner", ParameterType::learner, "which is not asked"}};
  all.add(fed_constant);
  return all;
}

/// An experiment of the problem target and two learners, without controls.
inline experiment::Experiment small_experiment(std::uint64_t rounds, std::uint64_t repeats,
                                               std::uint64_t seed = 3) {
  return experiment::parse_experiment("rounds = " + std::to_string(rounds) +
                                          "\nrepeats = " + std::to_string(repeats) +
                                          "\nseed = " + std::to_string(seed) +
                                          "\nproblems = ['target']\nlearners = ['anytime', 'ogd']"
                                          "\ncontrols = false\n",
                                      "small.toml", "", catalogue());
}

/// Options for quick runs into a directory.
inline experiment::RunOptions quick(const std::string& out, unsigned threads = 1) {
  return {.out = out, .threads = threads, .timing_seconds = 0, .catalogue = catalogue()};
}

}  // namespace keyhole::tests
