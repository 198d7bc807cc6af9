#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "base/require.h"
#include "keyhole/spectral_sets.h"
#include "math/cholesky.h"
#include "math/spectral/extreme_pairs.h"
#include "math/sums.h"
#include "sets/matrices/proved_programs.h"
#include "sets/matrices/random_signs.h"
#include "sets/matrices/symmetric_part.h"

namespace keyhole::sets {
namespace {

class ElliptopeOracle final : public Oracle {
 public:
  explicit ElliptopeOracle(std::size_t n)
      : n_(n),
        program_("the oracle of an elliptope", math::MaxCutRelaxation(n)),
        pair_(n, math::Method::direct),
        away_(n * n) {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    vertex_.dense = program_.minimise(direction);
    return vertex_;
  }

  /// Minus the least eigenvalue of W - I, the largest v'(I - W) v: the subgradient is -v v' without
  /// its diagonal.
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    std::copy(w.begin(), w.end(), away_.begin());
    for (std::size_t i = 0; i < n_; ++i) away_[i * n_ + i] = 0;
    const double least = pair_.smallest(away_);
    std::fill(subgradient.begin(), subgradient.end(), 0.0);
    if (!(least < 0)) return 0;
    const std::span<const double> v = pair_.vector();
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < n_; ++j) {
        if (i != j) subgradient[i * n_ + j] = -v[i] * v[j];
      }
    }
    return -least;
  }

 private:
  std::size_t n_;
  ProvedRelaxation program_;
  math::ExtremeEigenpair pair_;
  std::vector<double> away_;
  Vertex vertex_;
};

class Elliptope final : public Set {
 public:
  explicit Elliptope(std::size_t n) : Set(n * n, n * (n - 1) / 2, own_geometry(n)), n_(n) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<ElliptopeOracle>(n_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return random_cuts(n_);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension() || !(math::norm(x) <= static_cast<double>(n_) + slack())) {
      return false;
    }
    const double off_diagonal = std::sqrt(math::reduce(n_, [&](std::size_t i) {
      const double off = x[i * n_ + i] - 1;
      return off * off;
    }));
    if (!(off_diagonal <= slack())) return false;
    std::vector<double> scratch(dimension());
    return is_symmetric(x, n_, slack(), scratch) &&
           math::is_positive_definite(x, n_, slack(), scratch);
  }

  [[nodiscard]] bool can_gauge() const noexcept override { return true; }

  void flatten(std::span<double> direction) const override {
    symmetrise(direction, n_);
    for (std::size_t i = 0; i < n_; ++i) direction[i * n_ + i] = 0;
  }

  /// With l the least eigenvalue of P: the plane <v v', X> = 0 is v' P v / ||v v' less its
  /// diagonal|| away, at least l sqrt(n/(n - 1)), since sum v_i^4 >= 1/n. And ||X - P||^2 is at
  /// most n^2 - 2 n l + ||P||^2, since tr X = n. Both are bounds, and exact for P = I.
  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    const auto n = static_cast<double>(n_);
    math::ExtremeEigenpair pair(n_, math::Method::direct);
    const double least = pair.smallest(centre);
    const double farthest = std::sqrt(n * n - 2 * n * least + math::squared_norm(centre));
    Geometry result = geometry();
    result.centre.assign(centre.begin(), centre.end());
    result.inner_radius = least * inner_radius();
    result.outer_radius = std::min(farthest, diameter());
    result.outer_radius_exact = false;
    return result;
  }

  [[nodiscard]] std::string spec() const override {
    return "elliptope(" + std::to_string(n_) + ")";
  }

 private:
  /// About I a step H has the diagonal 0, so its eigenvalues sum to 0 and the least is at least
  /// -sqrt((n - 1)/n) ||H||, as it is for H = I - 11': r. ||X - I||^2 = ||X||^2 - n with ||X|| <=
  /// tr X = n, as it is for x x', x of signs: R. ||X - Y||^2 <= 2 n^2 since <X, Y> >= 0: D, which
  /// x x' and y y' reach if x.y = 0, and that takes an even n.
  static Geometry own_geometry(std::size_t order) {
    const auto n = static_cast<double>(order);
    return {.centre = multiple_of_identity(order, 1),
            .inner_radius = std::sqrt(n / (n - 1)),
            .outer_radius = std::sqrt(n * (n - 1)),
            .diameter = std::sqrt(2.0) * n,
            .outer_radius_exact = true,
            .diameter_exact = order % 2 == 0};
  }

  std::size_t n_;
};

}  // namespace

SetPtr elliptope(std::size_t n) {
  base::require(n >= 2, "an elliptope of matrices of order " + std::to_string(n) +
                            " is a single point or empty: order 2 or more is needed");
  base::require(n <= most_relaxation_order,
                "an elliptope of matrices of order " + std::to_string(n) + " is too large: order " +
                    std::to_string(most_relaxation_order) + " is the most");
  return std::make_shared<Elliptope>(n);
}

}  // namespace keyhole::sets
