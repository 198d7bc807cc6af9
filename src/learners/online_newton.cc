// Lattimore, Gyorgy: "A second-order method for stochastic bandit convex optimisation", COLT 2023,
// Algorithm 1 with the practical values of its remarks. The way into a set, by its gauge, follows
// the convex extensions of Fokkema, van der Hoeven, Lattimore, Mayo, "Online Newton method for
// bandit convex optimisation", COLT 2024, with an offset of its own:
// docs/learners/online_newton.md.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "keyhole/algorithms.h"
#include "learners/for_horizon.h"
#include "learners/gauged_plane.h"
#include "learners/one_point.h"
#include "learners/option_lists.h"
#include "learners/precision_matrix.h"
#include "math/dense.h"

namespace keyhole::algorithms {
namespace {

const Set& of_few_dimensions(const Set& set) {
  base::require(set.hull_dimension() <= most_newton_dimensions,
                "online_newton is for at most " + std::to_string(most_newton_dimensions) +
                    " dimensions, and " + set.spec() + " has " +
                    std::to_string(set.hull_dimension()) + ": use parameter_free");
  return set;
}

class OnlineNewton final : public ForHorizon<HorizonAlgorithm> {
 public:
  OnlineNewton(SetPtr set, const OnlineNewtonOptions& options)
      : ForHorizon(std::move(set)),
        options_(checked("online_newton", options)),
        start_(start_point(this->set(), options_.start)),
        plane_(of_few_dimensions(this->set()), start_, options.radius),
        mu_(this->set().hull_dimension()),
        P_(mu_.size()),
        z_(mu_.size()),
        X_(mu_.size()),
        v_(mu_.size()) {
    first_start(options.horizon);
  }

  // X_t ~ N(mu, Sigma); y_t = X_t / max(1, gauge(X_t)).
  void play(PlayId t, Randomness& random, std::span<double> y) override {
    plane_.bring_in(draw(t, random), y);
  }

  bool absorb(PlayId s, double loss, Randomness& random) override {
    const double gamma = draw(s, random);
    const double Y = loss / (G() * plane_.rho());
    if (heard_++ > 0) take(gamma * (Y - Y_) + b() * (gamma - gamma_));
    Y_ = Y;
    gamma_ = gamma;
    return true;
  }

  void advance() override {}  // the step is made when its loss is absorbed

  // The mean, brought in; what is changed is workspace only.
  void recommend(std::span<double> x) const override {
    auto& self = const_cast<OnlineNewton&>(*this);  // NOLINT
    plane_.bring_in(self.plane_.gauge(self.oracle(), mu_), x);
  }

  [[nodiscard]] Activity activity() const override {
    return {1, plane_.rho() * std::sqrt(P_.trace_of_inverse()) / R()};
  }

  [[nodiscard]] RegretBound horizon_bound(std::uint64_t /*horizon*/) const override {
    return {.note =
                "no bound: the theorem is for losses defined everywhere, and names no constants"};
  }

  [[nodiscard]] std::string family_spec() const override {
    return spec_of("online_newton", options_);
  }

 private:
  void begin(std::uint64_t horizon) override {
    eta_ = options_.eta.value_or(std::sqrt(n() / static_cast<double>(horizon)) / (1 + 1 / n()));
    plane_.coordinates(start_, mu_);
    P_.reset(n() * n());
    heard_ = 0;
    Y_ = 0;
    gamma_ = 1;
  }

  void fields(Archive& archive) override {
    archive.field(heard_);
    archive.field(Y_);
    archive.field(gamma_);
    archive.field(mu_);
    P_.state(archive);
  }

  // z and X of a play, by the mean and covariance of now; max(1, gauge(X)).
  double draw(PlayId t, Randomness& random) {
    random.normals(t, z_);
    P_.draw(z_, X_);
    math::add(X_, 1, mu_);
    return plane_.gauge(oracle(), X_);
  }

  // D gives the gradient D v and the Hessian lambda D (v v' - P) of the smoothed loss, v = P (X -
  // mu) = L z.
  void take(double D) {
    const double most = 2 / (eta_ * lambda());  // |c| = 1/2
    D = std::clamp(D, -most, most);
    P_.score(z_, v_);
    P_.update(eta_ * lambda() / 4 * D, v_);
    P_.solve(v_);
    math::add(mu_, -eta_ * D, v_);
  }

  [[nodiscard]] double G() const { return *options_.gradient_bound; }
  [[nodiscard]] double lambda() const { return options_.lambda.value_or(1 / n()); }
  [[nodiscard]] double b() const { return options_.penalty * R() / plane_.rho(); }

  OnlineNewtonOptions options_;
  std::span<const double> start_;
  GaugedPlane plane_;
  double eta_ = 0;  // of the horizon
  // State, with the horizon.
  std::uint64_t heard_ = 0;  // losses
  double Y_ = 0;             // the latest, and the gauge of its play
  double gamma_ = 1;
  std::vector<double> mu_;
  PrecisionMatrix P_;
  // Workspace.
  std::vector<double> z_;
  std::vector<double> X_;
  std::vector<double> v_;
};

}  // namespace

std::unique_ptr<HorizonAlgorithm> online_newton(SetPtr set, const OnlineNewtonOptions& options) {
  return std::make_unique<OnlineNewton>(std::move(set), options);
}

}  // namespace keyhole::algorithms
