// Chen, Harshaw, Hassani, Karbasi: "Projection-Free Online Optimization with Stochastic Gradient:
// From Convexity to Submodularity", ICML 2018, Algorithm 2 and Theorem 2.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "keyhole/gradient_algorithms.h"
#include "learners/conditional_gradient.h"
#include "learners/one_point.h"
#include "learners/option_lists.h"
#include "learners/power_sequence.h"
#include "math/elementary.h"

namespace keyhole::algorithms {
namespace {

class OneShot final : public GradientAlgorithm {
 public:
  OneShot(SetPtr set, const OneShotOptions& options)
      : GradientAlgorithm(std::move(set)),
        options_(checked("one_shot", options)),
        d_(this->set().dimension()),
        x_(this->set().dimension()) {
    const auto start = start_point(this->set(), options_.start);
    x_.assign(start.begin(), start.end());
  }

  void play(PlayId /*t*/, Randomness& /*random*/, std::span<double> y) override {
    if (std::exchange(due_, false)) step();
    std::copy(x_.begin(), x_.end(), y.begin());
  }

  // d_k = (1 - rho_k) d_{k-1} + rho_k g for the k-th gradient received.
  bool absorb(PlayId /*s*/, std::span<const double> gradient, Randomness& /*random*/) override {
    ++received_;
    const double rho = 2 * power_(received_ + 3);
    for (std::size_t i = 0; i < d_.size(); ++i) d_[i] = (1 - rho) * d_[i] + rho * gradient[i];
    return true;
  }

  // The step knows the newest gradient, which is absorbed after this: it waits for the next play.
  void advance() override { due_ = true; }

  void recommend(std::span<double> x) const override { std::copy(x_.begin(), x_.end(), x.begin()); }

  [[nodiscard]] RegretBound regret_bound(std::uint64_t rounds) const override {
    const auto& [M, sigma, L, start_gradient, start] = options_;
    if (!M || !sigma || !L || !start_gradient) {
      return {.note =
                  "no bound: loss_bound (M), gradient_deviation, smoothness (L) and start_gradient "
                  "were not all given"};
    }
    const double T = static_cast<double>(rounds);
    const double Q = std::max(math::pow(4, 2.0 / 3) * *start_gradient * *start_gradient,
                              4 * *sigma * *sigma + 1.5 * (*L * D()) * (*L * D()));
    const double logarithm = math::log(T + 3);
    const double value = 4 * *M * math::log(T + 1) +
                         6 * std::sqrt(Q) * D() * math::pow(T, 2.0 / 3) +
                         4.0 / 3 * *L * D() * D() * logarithm * logarithm;
    return {value, true,
            "Chen, Harshaw, Hassani and Karbasi 2018, Theorem 2: for losses drawn independently "
            "from one distribution, against the best point of their mean"};
  }

  // The constants of the bound shape no play.
  [[nodiscard]] std::string spec() const override {
    return spec_of("one_shot", OneShotOptions{.start = options_.start});
  }

  void state(Archive& archive) override {
    GradientAlgorithm::state(archive);
    archive.field(t_);
    archive.field(received_);
    archive.field(d_);
    archive.field(x_);
  }

 private:
  // x_{t+1} = (1 - eta_t) x_t + eta_t argmin over K of d_t . v, eta_t = 1 / (t + 3). Where d_t is
  // zero every point of K is such an argmin, and x_t is taken: nobody is moved by nothing.
  void step() {
    const double eta = 1 / (static_cast<double>(t_) + 3);
    ++t_;
    if (std::all_of(d_.begin(), d_.end(), [](double value) { return value == 0; })) return;
    move_towards(minimise(d_), eta, x_);
  }

  OneShotOptions options_;
  // State.
  std::uint64_t t_ = 1;         // of the next step
  std::uint64_t received_ = 0;  // gradients
  std::vector<double> d_;       // their running average
  std::vector<double> x_;
  // Workspace.
  PowerSequence power_{-2.0 / 3};
  bool due_ = false;  // whether a step is left to make, within an ask only
};

}  // namespace

std::unique_ptr<GradientAlgorithm> one_shot(SetPtr set, const OneShotOptions& options) {
  return std::make_unique<OneShot>(std::move(set), options);
}

}  // namespace keyhole::algorithms
