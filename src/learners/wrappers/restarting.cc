// Restarts at fixed times, the simplest answer to losses that drift. Besbes, Gur, Zeevi:
// "Non-stationary stochastic optimization", Operations Research 63, 2015.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/drift.h"
#include "learners/wrappers/renewed.h"

namespace keyhole::algorithms {
namespace {

/// For algorithms of either kind: what they are told is passed on as it is.
template <class Kind>
class Restarting : public Kind {
 public:
  using Randomness = typename Kind::Randomness;
  using Told = typename Kind::Told;

  Restarting(std::unique_ptr<Kind> inner, std::uint64_t every)
      : Kind(inner->shared_set(), nullptr),
        every_(every),
        inner_(std::move(inner)),
        previous_(this->set().dimension()) {}

  // Window m is the rounds m W + 1 to (m + 1) W.
  void play(PlayId t, Randomness& random, std::span<double> y) override {
    if (played_ == every_) {
      inner_->recommend(previous_);
      inner_.begin_anew();
      played_ = 0;
      first_ = t;
    }
    ++played_;
    inner_->play(t, random, y);
  }

  bool absorb(PlayId s, Told told, Randomness& random) override {
    return s >= first_ && inner_->absorb(s, told, random);
  }

  void advance() override { inner_->advance(); }

  void recommend(std::span<double> x) const override {
    if (first_ > 1 && played_ < every_ / 2) {
      std::copy(previous_.begin(), previous_.end(), x.begin());
    } else {
      inner_->recommend(x);
    }
  }

  [[nodiscard]] RegretBound regret_bound(std::uint64_t rounds) const override {
    RegretBound bound = inner_->regret_bound(std::min(rounds, every_));
    const std::uint64_t windows = rounds / every_ + (rounds % every_ == 0 ? 0 : 1);
    bound.value *= static_cast<double>(std::max<std::uint64_t>(1, windows));
    if (bound.holds) bound.note += ", for each window, against the best point of each";
    return bound;
  }

  [[nodiscard]] std::uint64_t oracle_calls() const noexcept override {
    return inner_.oracle_calls();
  }
  [[nodiscard]] Oracle& oracle() noexcept override { return inner_->oracle(); }
  [[nodiscard]] std::string spec() const override {
    const auto* const with_horizon = dynamic_cast<const WithHorizon<Kind>*>(&*inner_);
    return "restarting(" +
           (with_horizon != nullptr ? with_horizon->family_spec() : inner_->spec()) +
           ", every=" + std::to_string(every_) + ")";
  }

  void state(Archive& archive) override {
    inner_.state(archive);
    archive.field(played_);
    archive.field(first_);
    archive.field(previous_);
  }

 protected:
  [[nodiscard]] const Kind& inner() const noexcept { return *inner_; }

 private:
  std::uint64_t every_;
  Renewed<Kind> inner_;
  // State, with the inner algorithm's.
  std::uint64_t played_ = 0;      // rounds of this window
  PlayId first_ = 1;              // the first play of this window
  std::vector<double> previous_;  // what the window before recommended at its end
};

class RestartingBandit final : public Restarting<Algorithm> {
 public:
  using Restarting::Restarting;
  [[nodiscard]] double loss_bound() const noexcept override { return inner().loss_bound(); }
};

class RestartingGradient final : public Restarting<GradientAlgorithm> {
 public:
  using Restarting::Restarting;
  [[nodiscard]] double gradient_bound() const noexcept override { return inner().gradient_bound(); }
};

/// The algorithm, with the window as its horizon if it takes one.
template <class Kind>
std::unique_ptr<Kind> for_windows(std::unique_ptr<Kind> algorithm, std::uint64_t every) {
  base::require(algorithm != nullptr, "restarting needs an algorithm to start anew");
  base::require(every >= 1, "restarting needs a window (every) of at least one round, not 0");
  if (auto* const with_horizon = dynamic_cast<WithHorizon<Kind>*>(algorithm.get())) {
    with_horizon->restart(every);
  }
  base::require(algorithm->rounds() >= every, "restarting every " + std::to_string(every) +
                                                  " rounds needs an algorithm for as many; " +
                                                  algorithm->spec() + " plays " +
                                                  std::to_string(algorithm->rounds()));
  return algorithm;
}

}  // namespace

std::unique_ptr<Algorithm> restarting(std::unique_ptr<Algorithm> algorithm, std::uint64_t every) {
  return std::make_unique<RestartingBandit>(for_windows(std::move(algorithm), every), every);
}

std::unique_ptr<GradientAlgorithm> restarting(std::unique_ptr<GradientAlgorithm> algorithm,
                                              std::uint64_t every) {
  return std::make_unique<RestartingGradient>(for_windows(std::move(algorithm), every), every);
}

}  // namespace keyhole::algorithms
