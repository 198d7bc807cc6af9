// Lattimore, Gyorgy: "A second-order method for stochastic bandit convex optimisation", COLT 2023,
// Algorithm 1 with the practical values of its remarks. The way into a set, by its gauge, follows
// the convex extensions of Fokkema, van der Hoeven, Lattimore, Mayo, "Online Newton method for
// bandit convex optimisation", COLT 2024, with an offset of its own: docs/learners.md.

#include "keyhole/online_newton.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "learners/hull_basis.h"
#include "learners/one_point.h"
#include "learners/precision_matrix.h"
#include "math/dense.h"
#include "math/sums.h"
#include "sets/bisected_gauge.h"

namespace keyhole::algorithms {
namespace {

class OnlineNewton final : public HorizonAlgorithm {
 public:
  OnlineNewton(SetPtr set, const OnlineNewtonOptions& options)
      : HorizonAlgorithm(std::move(set)),
        options_(options),
        start_(start_point(this->set(), options_.start)),
        basis_(few_dimensions(this->set())),
        mu_(basis_.size()),
        P_(basis_.size()),
        z_(basis_.size()),
        X_(basis_.size()),
        v_(basis_.size()),
        point_(this->set().dimension()),
        subgradient_(this->set().dimension()) {
    require_gradient_bound("online_newton", options.gradient_bound);
    require_optional_positive("radius (rho)", options.radius);
    require_optional_positive("eta", options.eta);
    require_optional_positive("lambda", options.lambda);
    base::require(
        options.penalty >= 0 && base::is_moderate(options.penalty),
        "the penalty must be a number from 0 to 1e50, not " + base::number_text(options.penalty));
    const auto from_centre = [&](std::size_t i) {
      return (start_[i] - p()[i]) * (start_[i] - p()[i]);
    };
    const double off = std::sqrt(math::reduce(start_.size(), from_centre));
    rho_ = options.radius.value_or(std::min(D(), R() + off));
    restart(options.horizon);
  }

  void restart(std::uint64_t horizon) override {
    require_horizon(horizon);
    horizon_ = horizon;
    eta_ = options_.eta.value_or(std::sqrt(n() / static_cast<double>(horizon)) / (1 + 1 / n()));
    for (std::size_t i = 0; i < point_.size(); ++i) point_[i] = (start_[i] - p()[i]) / rho_;
    basis_.coordinates(point_, mu_);
    P_.reset(n() * n());
    heard_ = 0;
    Y_ = 0;
    gamma_ = 1;
  }

  // X_t ~ N(mu, Sigma); y_t = X_t / max(1, gauge(X_t)).
  void play(PlayId t, Directions& u, std::span<double> y) override { bring_in(draw(t, u), y); }

  bool absorb(PlayId s, double loss, Directions& u) override {
    const double gamma = draw(s, u);
    const double Y = loss / (G() * rho_);
    if (heard_ > 0) learn(gamma * (Y - Y_) + b() * (gamma - gamma_));
    ++heard_;
    Y_ = Y;
    gamma_ = gamma;
    return true;
  }

  void advance() override {}  // the step is made when its loss is absorbed

  // The mean, brought in.
  void recommend(std::span<double> x) const override {
    // What is changed is workspace only.
    auto& self = const_cast<OnlineNewton&>(*this);  // NOLINT
    self.X_ = mu_;
    self.bring_in(self.gauge_of_draw(), x);
  }

  [[nodiscard]] RegretBound horizon_bound(std::uint64_t /*horizon*/) const override {
    return {.note =
                "no bound: the theorem is for losses defined everywhere, and names no constants"};
  }

  [[nodiscard]] std::uint64_t horizon() const noexcept override { return horizon_; }

  [[nodiscard]] std::string family_spec() const override {
    std::string text = "online_newton(gradient_bound=" + base::number_text(G());
    if (options_.radius) text += ", radius=" + base::number_text(*options_.radius);
    if (options_.eta) text += ", eta=" + base::number_text(*options_.eta);
    if (options_.lambda) text += ", lambda=" + base::number_text(*options_.lambda);
    if (options_.penalty != OnlineNewtonOptions{}.penalty) {
      text += ", penalty=" + base::number_text(options_.penalty);
    }
    if (!options_.start.empty()) text += ", start=" + base::list_text(start_, false);
    return text + ")";
  }

  void state(Archive& archive) override {
    Algorithm::state(archive);
    archive.field(horizon_);
    if (archive.reading()) restart(horizon_);  // eta follows from T
    archive.field(heard_);
    archive.field(Y_);
    archive.field(gamma_);
    archive.field(mu_);
    P_.state(archive);
  }

 private:
  static const Set& few_dimensions(const Set& set) {
    base::require(set.hull_dimension() <= most_newton_dimensions,
                  "online_newton is for at most " + std::to_string(most_newton_dimensions) +
                      " dimensions, and " + set.spec() + " has " +
                      std::to_string(set.hull_dimension()) + ": use parameter_free");
    return set;
  }

  // z and X of a play, by the mean and covariance of now; max(1, gauge(X)).
  double draw(PlayId t, Directions& u) {
    u.normals(t, z_);
    P_.draw(z_, X_);
    math::add(X_, 1, mu_);
    return gauge_of_draw();
  }

  // D gives the gradient D v and the Hessian lambda D (v v' - P) of the smoothed loss, v = P (X -
  // mu) = L z.
  void learn(double D) {
    const double most = 2 / (eta_ * lambda());  // |c| = 1/2
    D = std::clamp(D, -most, most);
    P_.score(z_, v_);
    P_.update(eta_ * lambda() / 4 * D, v_);
    P_.solve(v_);
    math::add(mu_, -eta_ * D, v_);
  }

  // max(1, gauge) of p + rho X, which is left in point_.
  double gauge_of_draw() {
    std::copy(p().begin(), p().end(), point_.begin());
    basis_.add_to(point_, rho_, X_);
    if (set().can_gauge()) return std::max(1.0, oracle().gauge(point_, subgradient_));
    if (set().contains(point_)) return 1;
    return std::max(1.0, sets::bisected_gauge(set(), point_, subgradient_));
  }

  void bring_in(double gamma, std::span<double> y) const {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = p()[i] + (point_[i] - p()[i]) / gamma;
  }

  [[nodiscard]] double G() const { return options_.gradient_bound; }
  [[nodiscard]] double lambda() const { return options_.lambda.value_or(1 / n()); }
  [[nodiscard]] double b() const { return options_.penalty * R() / rho_; }

  OnlineNewtonOptions options_;
  std::span<const double> start_;
  HullBasis basis_;
  double rho_ = 1;
  // Constants of the horizon.
  std::uint64_t horizon_ = 0;
  double eta_ = 0;
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
  std::vector<double> point_;
  std::vector<double> subgradient_;
};

}  // namespace

std::unique_ptr<HorizonAlgorithm> online_newton(SetPtr set, const OnlineNewtonOptions& options) {
  return std::make_unique<OnlineNewton>(std::move(set), options);
}

}  // namespace keyhole::algorithms
