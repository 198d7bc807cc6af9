#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/problems.h"
#include "math/dense.h"
#include "math/sums.h"
#include "problems/draws.h"
#include "problems/option_lists.h"
#include "problems/parabola.h"
#include "problems/quadratic_form.h"
#include "problems/requirements.h"
#include "problems/sampled_bounds.h"

namespace keyhole::problems {
namespace {

using Vector = std::vector<double>;

/// p + s v, v = (0.5, -0.3, 0.2, 0, ...) along the hull and s the first of R, R/2, R/4, ... with
/// which it is in the set.
Vector sparse_point(const Set& set) {
  constexpr std::array<double, 3> first = {0.5, -0.3, 0.2};
  Vector v(set.dimension(), 0.0);
  std::copy_n(first.begin(), std::min(first.size(), v.size()), v.begin());
  set.flatten(v);
  const auto& [p, r, R, D, R_exact, D_exact] = set.geometry();
  const auto oracle = set.oracle();
  for (double scale = R;; scale /= 2) {
    Vector theta = p;
    math::add(theta, scale, v);
    oracle->settle(theta);
    // ||v|| < 1: within the inner ball at the latest, but for rounding.
    if (set.contains(theta) || scale < r / 2) return theta;
  }
}

/// f_t(x) = 1/2 (a_t . (x - theta) - e_t)^2.
class Regression final : public Problem {
 public:
  Regression(SetPtr set, const RegressionOptions& options, ProblemSeed seed)
      : Problem(std::move(set)),
        options_(options),
        draws_(seed),
        theta_(sparse_point(this->set())),
        numbers_(theta_.size() + 1) {
    bounds_ = sampled_bounds(
        *this, [this](std::uint64_t k) { draws_.normals(Purpose::samples, k, numbers_); });
    std::fill(numbers_.begin(), numbers_.end(), 0.0);  // no loss has been drawn yet
    require_moderate_losses(*this);
  }

  [[nodiscard]] std::string spec() const override {
    return spec_of("regression", options_, set().spec());
  }
  [[nodiscard]] LossBounds bounds() const override { return bounds_; }

  [[nodiscard]] double value(std::span<const double> x) const override {
    return residual(x) * residual(x) / 2;
  }

  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    const double slope = residual(x);
    for (std::size_t i = 0; i < x.size(); ++i) gradient[i] = slope * a()[i];
  }

  [[nodiscard]] std::unique_ptr<TotalLoss> total() override;

  [[nodiscard]] std::span<const double> theta() const { return theta_; }
  [[nodiscard]] std::span<const double> a() const {
    return std::span(numbers_).first(theta_.size());
  }
  /// e_t = b_t - a_t . theta.
  [[nodiscard]] double e() const { return options_.noise * numbers_.back(); }

 private:
  void realise(std::uint64_t t) override { draws_.normals(Purpose::rounds, t, numbers_); }

  /// a_t . x - b_t.
  [[nodiscard]] double residual(std::span<const double> x) const {
    return math::reduce(x.size(), [&](std::size_t i) { return numbers_[i] * (x[i] - theta_[i]); }) -
           e();
  }

  RegressionOptions options_;
  Draws draws_;
  Vector theta_;
  Vector numbers_;  // a_t, and the number behind e_t
  LossBounds bounds_;
};

/// F(x) = 1/2 y' H y - y . w + q/2 with y = x - theta, H = sum a_t a_t', w = sum e_t a_t and q =
/// sum e_t^2: relative to theta, which is where F is small.
class TotalRegression final : public TotalLoss {
 public:
  explicit TotalRegression(const Regression& problem)
      : problem_(problem), h_(problem.set().dimension()), w_(problem.set().dimension()), y_(w_) {}

  void add() override {
    require_drawn(problem_);
    h_.add_square(problem_.a());
    math::add(w_, problem_.e(), problem_.a());
    squares_ += problem_.e() * problem_.e();
  }

  [[nodiscard]] double value(std::span<const double> x) const override {
    const std::span<const double> y = from_theta(x);
    return (h_(y, y) + squares_) / 2 - math::dot(y, w_);
  }

  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    for (std::size_t i = 0; i < x.size(); ++i) gradient[i] = -w_[i];
    h_.add_product(from_theta(x), gradient);
  }

  [[nodiscard]] double line_minimum(std::span<const double> x, std::span<const double> d,
                                    double longest) const override {
    return parabola_minimum(h_(from_theta(x), d) - math::dot(w_, d), h_(d, d), longest);
  }

 private:
  [[nodiscard]] std::span<const double> from_theta(std::span<const double> x) const {
    for (std::size_t i = 0; i < x.size(); ++i) y_[i] = x[i] - problem_.theta()[i];
    return y_;
  }

  const Regression& problem_;
  QuadraticForm h_;
  Vector w_;
  double squares_ = 0;
  mutable Vector y_;  // x - theta
};

std::unique_ptr<TotalLoss> Regression::total() { return std::make_unique<TotalRegression>(*this); }

}  // namespace

std::unique_ptr<Problem> regression(SetPtr set, const RegressionOptions& options,
                                    ProblemSeed seed) {
  base::require(set != nullptr, "regression needs a set to play on");
  constexpr std::size_t largest = 4096;  // sums take n^2 numbers
  base::require(
      set->dimension() <= largest,
      "regression needs a set of dimension up to 4096, not " + std::to_string(set->dimension()));
  return std::make_unique<Regression>(std::move(set), checked("regression", options), seed);
}

}  // namespace keyhole::problems
