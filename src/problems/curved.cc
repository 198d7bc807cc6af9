#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/problems.h"
#include "keyhole/randomness.h"
#include "math/dense.h"
#include "math/elementary.h"
#include "math/sums.h"
#include "problems/additive_noise.h"
#include "problems/draws.h"
#include "problems/option_lists.h"
#include "problems/parabola.h"
#include "problems/quadratic_form.h"
#include "problems/requirements.h"
#include "problems/rotation.h"

namespace keyhole::problems {
namespace {

using Vector = std::vector<double>;

/// I + k L, k = (condition - 1) / 4.
QuadraticForm chain(std::size_t n, double condition) {
  QuadraticForm h(n);
  Vector row(n, 0.0);
  const double root = std::sqrt((condition - 1) / 4);
  for (std::size_t i = 0; i < n; ++i) {
    row[i] = 1;
    h.add_square(row);
    if (i + 1 < n) {
      row[i] = root;
      row[i + 1] = -root;
      h.add_square(row);
      row[i + 1] = 0;
    }
    row[i] = 0;
  }
  return h;
}

/// sum_i condition^(-i / (n - 1)) q_i q_i', the q_i unit vectors or the rows of a rotation.
QuadraticForm axes(std::size_t n, const CurvedOptions& options, const Draws& draws) {
  QuadraticForm h(n);
  const Vector q = options.axes == Axes::rotated ? draw_rotation(n, draws) : Vector(n * n, 0.0);
  Vector row(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double share = n > 1 ? static_cast<double>(i) / static_cast<double>(n - 1) : 0;
    const double root = math::pow(options.condition, -share / 2);
    std::copy_n(q.begin() + static_cast<std::ptrdiff_t>(i * n), n, row.begin());
    if (options.axes == Axes::aligned) row[i] = 1;
    for (double& coordinate : row) coordinate *= root;
    h.add_square(row);
  }
  return h;
}

/// H^-1 c.
Vector solved(const QuadraticForm& h, Vector c) {
  const std::size_t n = c.size();
  Vector lower(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) lower[j * n + i] = h.from_diagonal(i)[j - i];
  }
  (void)math::cholesky(lower, n);  // H >= I
  math::cholesky_solve(lower, n, c);
  return c;
}

/// f_t(x) = 1/2 (x - theta)' H (x - theta) + noise_t.
class Curved final : public Problem {
 public:
  Curved(SetPtr set, const CurvedOptions& options, ProblemSeed seed)
      : Problem(std::move(set)),
        options_(options),
        noise_(options.noise, options.tails, seed),
        h_(options.axes == Axes::chain ? chain(this->set().dimension(), options.condition)
                                       : axes(this->set().dimension(), options, Draws(seed))),
        theta_(this->set().centre()),
        y_(theta_.size()) {
    const auto& [p, r, R, D, R_exact, D_exact] = this->set().geometry();
    Randomness w(shared_set(), seed.seed, seed.stream);
    math::add(theta_, options.distance * r, w.direction(1));
    if (options.axes == Axes::chain) theta_ = solved(h_, theta_);
    const double largest = options.axes == Axes::chain ? options.condition : 1;
    const double rounding = 1 + membership_tolerance;
    const double farthest = rounding * (R + math::norm(away(p)));
    bounds_ = noise_.widened(
        {rounding * largest * farthest * farthest / 2, rounding * largest * farthest, true});
    require_moderate_losses(*this);
  }

  [[nodiscard]] std::string spec() const override {
    CurvedOptions shown = options_;
    if (shown.noise == 0) shown.tails = Tails::normal;
    return spec_of("curved", shown, set().spec());
  }
  [[nodiscard]] LossBounds bounds() const override { return bounds_; }

  [[nodiscard]] double value(std::span<const double> x) const override { return mean(x) + added_; }
  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    slope(x, gradient);
  }
  [[nodiscard]] std::unique_ptr<TotalLoss> total() override;

  /// The loss without noise.
  [[nodiscard]] double mean(std::span<const double> x) const {
    (void)away(x);
    return h_(y_, y_) / 2;
  }
  /// Its gradient.
  void slope(std::span<const double> x, std::span<double> slope) const {
    std::fill(slope.begin(), slope.end(), 0.0);
    h_.add_product(away(x), slope);
  }
  /// argmin over 0 <= step <= longest of its value at x + step d.
  [[nodiscard]] double parabola(std::span<const double> x, std::span<const double> d,
                                double longest) const {
    return parabola_minimum(h_(away(x), d), h_(d, d), longest);
  }
  [[nodiscard]] std::span<const double> theta() const { return theta_; }
  [[nodiscard]] double added() const { return added_; }

 private:
  void realise(std::uint64_t t) override { added_ = noise_(t); }

  /// x - theta.
  std::span<const double> away(std::span<const double> x) const {
    for (std::size_t i = 0; i < x.size(); ++i) y_[i] = x[i] - theta_[i];
    return y_;
  }

  CurvedOptions options_;
  AdditiveNoise noise_;
  QuadraticForm h_;
  Vector theta_;
  mutable Vector y_;  // x - theta
  double added_ = 0;  // by the noise
  LossBounds bounds_;
};

/// F(x) = T / 2 (x - theta)' H (x - theta) + sum noise_t.
class TotalCurved final : public TotalLoss {
 public:
  explicit TotalCurved(const Curved& problem) : problem_(problem) {}

  void add() override {
    require_drawn(problem_);
    count_ += 1;
    added_ += problem_.added();
  }
  [[nodiscard]] double value(std::span<const double> x) const override {
    return count_ * problem_.mean(x) + added_;
  }
  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    problem_.slope(x, gradient);
    for (double& slope : gradient) slope *= count_;
  }
  bool guess(std::span<double> x) const override {
    std::copy(problem_.theta().begin(), problem_.theta().end(), x.begin());
    return true;
  }
  [[nodiscard]] double line_minimum(std::span<const double> x, std::span<const double> d,
                                    double longest) const override {
    return count_ > 0 ? problem_.parabola(x, d, longest) : 0;
  }

 private:
  const Curved& problem_;
  double count_ = 0;
  double added_ = 0;
};

std::unique_ptr<TotalLoss> Curved::total() { return std::make_unique<TotalCurved>(*this); }

}  // namespace

std::unique_ptr<Problem> curved(SetPtr set, const CurvedOptions& options, ProblemSeed seed) {
  require_square_fits("curved", set);
  return std::make_unique<Curved>(std::move(set), checked("curved", options), seed);
}

}  // namespace keyhole::problems
