#include <algorithm>
#include <cmath>
#include <vector>

#include "base/require.h"
#include "keyhole/polytope.h"
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

/// {0 <= x <= 1, A x <= 1}, A uniform on [0, 1].
SetPtr draw_polytope(const QuadraticOptions& options, const Draws& draws) {
  const auto [n, rows] = options;
  PolytopeConstraints constraints{.n = n, .lower = Vector(n, 0.0), .upper = Vector(n, 1.0)};
  constraints.inequalities.dense.resize(rows * n);
  constraints.inequalities.right.assign(rows, 1.0);
  draws.uniforms(Purpose::rounds, 0, constraints.inequalities.dense);
  return polytope(constraints);
}

/// f_t(x) = 1/2 ||G_t x||^2 + w_t . x.
class Quadratic final : public Problem {
 public:
  Quadratic(const QuadraticOptions& options, const Draws& draws)
      : Problem(draw_polytope(options, draws)),
        options_(options),
        draws_(draws),
        numbers_((options.n + 1) * options.n) {
    bounds_ = sampled_bounds(
        *this, [this](std::uint64_t k) { draws_.normals(Purpose::samples, k, numbers_); });
    std::fill(numbers_.begin(), numbers_.end(), 0.0);  // no loss has been drawn yet
  }

  [[nodiscard]] std::string spec() const override { return spec_of("quadratic", options_); }
  [[nodiscard]] LossBounds bounds() const override { return bounds_; }

  [[nodiscard]] double value(std::span<const double> x) const override {
    const double squares = math::reduce(x.size(), [&](std::size_t i) {
      const double of_row = math::dot(row(i), x);
      return of_row * of_row;
    });
    return squares / 2 + math::dot(w(), x);
  }

  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    std::copy(w().begin(), w().end(), gradient.begin());
    for (std::size_t i = 0; i < x.size(); ++i) {
      math::add(gradient, math::dot(row(i), x), row(i));
    }
  }

  [[nodiscard]] std::unique_ptr<TotalLoss> total() override;

  /// Row i of G_t.
  [[nodiscard]] std::span<const double> row(std::size_t i) const {
    return std::span(numbers_).subspan(i * options_.n, options_.n);
  }
  [[nodiscard]] std::span<const double> w() const { return row(options_.n); }

 private:
  void realise(std::uint64_t t) override { draws_.normals(Purpose::rounds, t, numbers_); }

  QuadraticOptions options_;
  Draws draws_;
  Vector numbers_;  // the rows of G_t, and w_t
  LossBounds bounds_;
};

/// F(x) = 1/2 x' H x + w . x with H = sum G_t' G_t and w = sum w_t.
class TotalQuadratic final : public TotalLoss {
 public:
  explicit TotalQuadratic(const Quadratic& problem)
      : problem_(problem), n_(problem.set().dimension()), h_(n_), w_(n_) {}

  void add() override {
    require_drawn(problem_);
    // Four rows of G at a time, so that H is walked through n / 4 times only.
    std::size_t k = 0;
    for (; k + 4 <= n_; k += 4) {
      const double* const a = problem_.row(k).data();
      const double* const b = problem_.row(k + 1).data();
      const double* const c = problem_.row(k + 2).data();
      const double* const d = problem_.row(k + 3).data();
      for (std::size_t i = 0; i < n_; ++i) {
        double* __restrict h = h_.from_diagonal(i).data();
        for (std::size_t j = i; j < n_; ++j) {
          h[j - i] += (a[i] * a[j] + b[i] * b[j]) + (c[i] * c[j] + d[i] * d[j]);
        }
      }
    }
    for (; k < n_; ++k) h_.add_square(problem_.row(k));
    math::add(w_, 1, problem_.w());
  }

  [[nodiscard]] double value(std::span<const double> x) const override {
    return h_(x, x) / 2 + math::dot(w_, x);
  }

  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    std::copy(w_.begin(), w_.end(), gradient.begin());
    h_.add_product(x, gradient);
  }

  [[nodiscard]] double line_minimum(std::span<const double> x, std::span<const double> d,
                                    double longest) const override {
    return parabola_minimum(h_(x, d) + math::dot(w_, d), h_(d, d), longest);
  }

 private:
  const Quadratic& problem_;
  std::size_t n_;
  QuadraticForm h_;
  Vector w_;
};

std::unique_ptr<TotalLoss> Quadratic::total() { return std::make_unique<TotalQuadratic>(*this); }

}  // namespace

std::unique_ptr<Problem> quadratic(const QuadraticOptions& options, ProblemSeed seed) {
  return std::make_unique<Quadratic>(checked("quadratic", options), Draws(seed));
}

}  // namespace keyhole::problems
