// Hazan: "Introduction to Online Convex Optimization", 2nd ed., Algorithm 27 and Theorem 7.3; or
// Weibel, Gaillard, Koolen, Taylor: "Optimized projection-free algorithms for online learning:
// construction and worst-case analysis", 2025, Theorem 2.1. With noise the former is the baseline
// StochOCG of Chen, Zhang, Karbasi: "Projection-Free Bandit Convex Optimization", AISTATS 2019.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "keyhole/gradient_algorithms.h"
#include "learners/conditional_gradient.h"
#include "learners/for_horizon.h"
#include "learners/one_point.h"
#include "learners/option_lists.h"
#include "math/dense.h"
#include "math/elementary.h"

namespace keyhole::algorithms {
namespace {

class Ocg final : public ForHorizon<HorizonGradientAlgorithm> {
 public:
  /// Without noise if there is no standard deviation.
  Ocg(SetPtr set, const OcgOptions& options, std::optional<double> deviation)
      : ForHorizon(std::move(set)),
        options_(options),
        deviation_(deviation),
        x_1_(start_point(this->set(), options_.start)),
        S_(x_1_.size()),
        x_(x_1_.size()),
        gradient_(x_1_.size()) {
    first_start(options.horizon);
  }

  void play(PlayId /*t*/, Randomness& /*random*/, std::span<double> y) override {
    if (std::exchange(due_, false)) step();
    std::copy(x_.begin(), x_.end(), y.begin());
  }

  bool absorb(PlayId s, std::span<const double> gradient, Randomness& random) override {
    math::add(S_, 1, gradient);
    if (deviation_) math::add(S_, *deviation_, random.noise(s));
    return true;
  }

  // What is told of round t is absorbed after this. So a step that is to know g_t waits until the
  // next point is played.
  void advance() override {
    due_ = optimized();
    if (!due_) step();
  }

  void recommend(std::span<double> x) const override { std::copy(x_.begin(), x_.end(), x.begin()); }

  [[nodiscard]] RegretBound horizon_bound(std::uint64_t horizon) const override {
    if (deviation_) return {.note = "no bound: no theorem covers the noise"};
    if (options_.eta) return {.note = "no bound: eta was overridden, and the theorem sets it"};
    const double T = static_cast<double>(horizon);
    if (optimized()) {
      return {4 * G() * D() * math::pow(T / 3, 0.75), true,
              "Weibel, Gaillard, Koolen and Taylor 2025, Theorem 2.1"};
    }
    return {8 * D() * G() * math::pow(T, 0.75), true, "Hazan 2022, Theorem 7.3"};
  }

  [[nodiscard]] double gradient_bound() const noexcept override { return G(); }

  [[nodiscard]] std::string family_spec() const override {
    if (!deviation_) return spec_of("ocg", options_);
    return spec_of("stochastic_ocg", StochasticOcgOptions{.gradient_bound = G(),
                                                          .standard_deviation = deviation_,
                                                          .eta = options_.eta,
                                                          .start = options_.start});
  }

 private:
  void begin(std::uint64_t horizon) override {
    const double T = static_cast<double>(horizon);
    const double power = optimized() ? math::pow(3 / T, 0.75) : math::pow(T, -0.75);
    eta_ = options_.eta.value_or(D() / (2 * G()) * power);
    t_ = 1;
    due_ = false;
    std::fill(S_.begin(), S_.end(), 0.0);
    x_.assign(x_1_.begin(), x_1_.end());
  }

  void fields(Archive& archive) override {
    archive.field(t_);
    archive.field(S_);
    archive.field(x_);
  }

  [[nodiscard]] double G() const noexcept { return *options_.gradient_bound; }
  [[nodiscard]] bool optimized() const noexcept {
    return options_.constants == OcgConstants::optimized;
  }

  [[nodiscard]] double sigma() const {
    return optimized() ? std::min(1.0, std::sqrt(3 / static_cast<double>(horizon())))
                       : std::min(1.0, 2 / std::sqrt(static_cast<double>(t_)));
  }

  void step() {
    // grad F_t(x_t) for F_t(x) = eta S . x + ||x - x_1||^2, or with half of the regularizer.
    const double weight = optimized() ? 1 : 2;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      gradient_[i] = eta_ * S_[i] + weight * (x_[i] - x_1_[i]);
    }
    move_towards(minimise(gradient_), sigma(), x_);  // x_{t+1} = (1 - sigma_t) x_t + sigma_t v_t
    ++t_;
  }

  OcgOptions options_;
  std::optional<double> deviation_;
  std::span<const double> x_1_;
  // Of the horizon.
  double eta_ = 0;
  // State, with the horizon.
  std::uint64_t t_ = 1;
  std::vector<double> S_;  // g_1 + ... of the gradients absorbed, with their noise
  std::vector<double> x_;
  // Workspace.
  bool due_ = false;  // whether a step is left to make, within an ask only
  std::vector<double> gradient_;
};

}  // namespace

std::unique_ptr<HorizonGradientAlgorithm> ocg(SetPtr set, const OcgOptions& options) {
  return std::make_unique<Ocg>(std::move(set), checked("ocg", options), std::nullopt);
}

std::unique_ptr<HorizonGradientAlgorithm> stochastic_ocg(SetPtr set,
                                                         const StochasticOcgOptions& options) {
  base::require(set != nullptr, "an algorithm needs a set to play on");
  const auto [G, deviation, T, eta, start] = checked("stochastic_ocg", options);
  const double n = static_cast<double>(set->hull_dimension());
  return std::make_unique<Ocg>(
      std::move(set), OcgOptions{.gradient_bound = G, .horizon = T, .eta = eta, .start = start},
      deviation.value_or(n));
}

}  // namespace keyhole::algorithms
