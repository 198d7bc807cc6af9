// Restarts at fixed times, the simplest answer to losses that drift. Besbes, Gur, Zeevi:
// "Non-stationary stochastic optimization", Operations Research 63, 2015.

#include <algorithm>
#include <string>
#include <utility>

#include "base/require.h"
#include "keyhole/algorithms.h"
#include "keyhole/gradient_algorithms.h"
#include "learners/wrappers/wrapper.h"

namespace keyhole::algorithms {
namespace {

/// For algorithms of either kind: what they are told is passed on as it is.
template <class Kind>
class Restarting final : public Windowed<Renewing<Kind, Kind>> {
 public:
  Restarting(std::unique_ptr<Kind> inner, std::uint64_t every)
      : Windowed<Renewing<Kind, Kind>>(std::move(inner)), every_(every) {}

  [[nodiscard]] RegretBound regret_bound(std::uint64_t rounds) const override {
    RegretBound bound = this->inner().regret_bound(std::min(rounds, every_));
    const std::uint64_t windows = rounds / every_ + (rounds % every_ == 0 ? 0 : 1);
    bound.value *= static_cast<double>(std::max<std::uint64_t>(1, windows));
    if (bound.holds) bound.note += ", for each window, against the best point of each";
    return bound;
  }

  [[nodiscard]] std::string spec() const override {
    const auto* const with_horizon = dynamic_cast<const WithHorizon<Kind>*>(&this->inner());
    return "restarting(" +
           (with_horizon != nullptr ? with_horizon->family_spec() : this->inner().spec()) +
           ", every=" + std::to_string(every_) + ")";
  }

 private:
  // Window m is the rounds m W + 1 to (m + 1) W.
  [[nodiscard]] std::uint64_t length() const noexcept override { return every_; }
  [[nodiscard]] std::uint64_t windows_before() const noexcept override {
    return (this->first() - 1) / every_;
  }
  void begin_window() override { this->begin_again(); }

  std::uint64_t every_;
};

template <class Kind>
std::unique_ptr<Kind> in_windows(std::unique_ptr<Kind> algorithm, std::uint64_t every) {
  base::require(algorithm != nullptr, "restarting needs an algorithm to restart");
  base::require(every >= 1, "restarting needs a window (every) of at least one round, not 0");
  require_plain("restarting", *algorithm);
  // The window is the horizon of an algorithm that takes one.
  if (auto* const with_horizon = dynamic_cast<WithHorizon<Kind>*>(algorithm.get())) {
    with_horizon->restart(every);
  }
  base::require(algorithm->rounds() >= every, "restarting every " + std::to_string(every) +
                                                  " rounds needs an algorithm for as many; " +
                                                  algorithm->spec() + " plays " +
                                                  std::to_string(algorithm->rounds()));
  return std::make_unique<Restarting<Kind>>(std::move(algorithm), every);
}

}  // namespace

std::unique_ptr<Algorithm> restarting(std::unique_ptr<Algorithm> algorithm, std::uint64_t every) {
  return in_windows(std::move(algorithm), every);
}

std::unique_ptr<GradientAlgorithm> restarting(std::unique_ptr<GradientAlgorithm> algorithm,
                                              std::uint64_t every) {
  return in_windows(std::move(algorithm), every);
}

}  // namespace keyhole::algorithms
