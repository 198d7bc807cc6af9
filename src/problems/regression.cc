#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "keyhole/problems.h"
#include "math/dense.h"
#include "math/elementary.h"
#include "math/sums.h"
#include "problems/draws.h"
#include "problems/option_lists.h"
#include "problems/parabola.h"
#include "problems/places.h"
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

/// f_t(x) = 1/2 (a_t . (x - theta) - e_t)^2. Where stages move theta, e_t holds a_t . (where it is
/// less theta), so that losses of different stages add up.
class Regression final : public Problem {
 public:
  Regression(SetPtr set, const RegressionOptions& options, ProblemSeed seed)
      : Problem(std::move(set)),
        options_(options),
        draws_(seed),
        places_(shared_set(), 0.9 * this->set().inner_radius(), options.stage, seed),
        theta_(sparse_point(this->set())),
        numbers_(theta_.size() + 1) {
    bounds_ = sampled_bounds(*this, [this](std::uint64_t k) {
      draw_from(Purpose::samples, k);
      if (options_.stage > 0) move_to(places_.sample(k));
    });
    std::fill(numbers_.begin(), numbers_.end(), 0.0);  // no loss has been drawn yet
    e_ = 0;
    require_moderate_losses(*this);
  }

  [[nodiscard]] std::string spec() const override {
    return spec_of("regression", options_, set().spec());
  }
  [[nodiscard]] LossBounds bounds() const override { return bounds_; }
  [[nodiscard]] std::uint64_t segment() const noexcept override {
    return options_.stage > 0 ? options_.stage : Problem::segment();
  }

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
  [[nodiscard]] double e() const { return e_; }

 private:
  void realise(std::uint64_t t) override {
    draw_from(Purpose::rounds, t);
    if (options_.stage > 0) move_to(places_.of_round(t));
  }

  void draw_from(Purpose purpose, std::uint64_t t) {
    draws_.normals(purpose, t, numbers_);
    e_ = options_.noise * numbers_.back();
    if (!options_.bounded) return;
    double u = 0;
    draws_.uniforms(purpose, t, {&u, 1});
    const double length = math::pow(u, 1 / static_cast<double>(theta_.size()));
    const double scale = length / math::norm(a());
    for (std::size_t i = 0; i < theta_.size(); ++i) numbers_[i] *= scale;
  }

  void move_to(std::span<const double> place) {
    e_ += math::reduce(theta_.size(),
                       [&](std::size_t i) { return numbers_[i] * (place[i] - theta_[i]); });
  }

  /// a_t . x - b_t.
  [[nodiscard]] double residual(std::span<const double> x) const {
    return math::reduce(x.size(), [&](std::size_t i) { return numbers_[i] * (x[i] - theta_[i]); }) -
           e();
  }

  RegressionOptions options_;
  Draws draws_;
  Places places_;
  Vector theta_;
  Vector numbers_;  // a_t, and the number behind the noise
  double e_ = 0;
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
  require_square_fits("regression", set);
  return std::make_unique<Regression>(std::move(set), checked("regression", options), seed);
}

}  // namespace keyhole::problems
