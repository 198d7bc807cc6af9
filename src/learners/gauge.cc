// Mhammedi: "Efficient Projection-Free Online Convex Optimization with Membership Oracle", COLT
// 2022, Algorithm 1 and Lemma 7, around projected gradient descent on a ball, with the one-point
// estimates of Flaxman, Kalai, McMahan (SODA 2005). docs/learners/gauge.md derives the bound.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "keyhole/algorithms.h"
#include "learners/for_horizon.h"
#include "learners/gauge_lift.h"
#include "learners/one_point.h"
#include "learners/option_lists.h"
#include "math/dense.h"
#include "math/elementary.h"
#include "math/sums.h"

namespace keyhole::algorithms {
namespace {

class Gauge final : public ForHorizon<HorizonAlgorithm> {
 public:
  Gauge(SetPtr set, const GaugeOptions& options)
      : ForHorizon(std::move(set)),
        options_(checked("gauge", options)),
        start_(start_point(this->set(), options_.start)),
        w_(start_.size()),
        lifted_(p()) {
    base::require(this->set().can_gauge(), "gauge needs the gauge of its set, and " +
                                               this->set().spec() +
                                               " has none: use posterior or bbcg");
    base::require(
        options.gradient_bound || options.delta,
        "gauge needs gradient_bound (G), the largest norm a gradient can have, for its delta");
    for (std::size_t i = 0; i < w_.size(); ++i) w_[i] = start_[i] - p()[i];
    L_ = std::min(D(), R() + math::norm(w_));
    first_start(options.horizon);
  }

  // y_t = x_t + delta u_t.
  void play(PlayId t, Randomness& random, std::span<double> y) override {
    perturb(lifted_.x(), delta_, random.direction(t), y);
  }

  // w <- projection onto the ball of w - eta h, h = g_s - 1{g_s . w < 0} (g_s . x) nu.
  bool absorb(PlayId s, double loss, Randomness& random) override {
    if (alpha_ >= 1) return true;  // (1 - alpha) K is the centre
    const std::span<const double> u_s = random.direction(s);
    const double factor = n() / delta_ * loss;
    const double g_w = factor * math::dot(u_s, w_);
    const double g_x = g_w / lifted_.at_least_1();
    add_one_point_estimate(n(), delta_, loss, -eta_, u_s, w_);
    if (lifted_.gamma() >= 1 && g_w < 0) math::add(w_, eta_ * g_x, lifted_.nu());
    set().flatten(w_);  // the roundings of many steps do not leave the hull
    const double length = math::norm(w_);
    const double radius = (1 - alpha_) * R();
    if (length > radius) {
      for (double& coordinate : w_) coordinate = radius * (coordinate / length);
    }
    lifted_.lift(oracle(), alpha_, w_);
    return true;
  }

  void advance() override {}  // the step is made when its loss is absorbed

  void recommend(std::span<double> x) const override { std::ranges::copy(lifted_.x(), x.begin()); }
  [[nodiscard]] Activity activity() const override { return {1, delta_ / R()}; }

  // L^2 / (2 eta) + eta ((1 + kappa) n M / delta)^2 T / 2 + (2 + kappa) G delta T.
  [[nodiscard]] RegretBound horizon_bound(std::uint64_t horizon) const override {
    if (!options_.gradient_bound) return {.note = no_gradient_bound};
    const auto [delta, eta] = constants(horizon);
    const double T = static_cast<double>(horizon);
    const double of_estimate = (1 + kappa()) * n() * M() / delta;
    const double value = L_ * L_ / (2 * eta) + eta * of_estimate * of_estimate * T / 2 +
                         (2 + kappa()) * G() * delta * T;
    return {value, true, "from Lemma 7 of Mhammedi 2022, as docs/learners/gauge.md derives it"};
  }

  [[nodiscard]] double loss_bound() const noexcept override { return M(); }

  [[nodiscard]] std::string family_spec() const override { return spec_of("gauge", options_); }

 private:
  void begin(std::uint64_t horizon) override {
    const auto [delta, eta] = constants(horizon);
    alpha_ = shrinkage(delta, r(), horizon);
    delta_ = delta;
    eta_ = eta;
    for (std::size_t i = 0; i < w_.size(); ++i) w_[i] = (1 - alpha_) * (start_[i] - p()[i]);
    lifted_.lift(oracle(), alpha_, w_);
  }

  void fields(Archive& archive) override {
    archive.field(w_);
    if (archive.reading()) lifted_.lift(oracle(), alpha_, w_);  // which follows from w
  }

  struct Sizes {
    double delta;
    double eta;
  };

  [[nodiscard]] Sizes constants(std::uint64_t horizon) const {
    const double T = static_cast<double>(horizon);
    const double per_play = (1 + kappa()) * n() * M();
    const double delta =
        options_.delta ? *options_.delta
                       : std::min(r() / 2, math::pow(T, -0.25) *
                                               std::sqrt(L_ * per_play / (G() * (2 + kappa()))));
    return {delta, options_.eta.value_or(L_ * delta / (per_play * std::sqrt(T)))};
  }

  [[nodiscard]] double kappa() const { return R() / r(); }
  [[nodiscard]] double M() const noexcept { return *options_.loss_bound; }
  [[nodiscard]] double G() const { return *options_.gradient_bound; }

  GaugeOptions options_;
  std::span<const double> start_;
  double L_ = 0;  // no point of K is farther from the start
  // Constants of the horizon.
  double delta_ = 0;
  double alpha_ = 0;
  double eta_ = 0;
  // State, with the horizon: from p on.
  std::vector<double> w_;
  // What follows from it: x, and the gauge.
  GaugeLift lifted_;
};

}  // namespace

std::unique_ptr<HorizonAlgorithm> gauge(SetPtr set, const GaugeOptions& options) {
  return std::make_unique<Gauge>(std::move(set), options);
}

}  // namespace keyhole::algorithms
