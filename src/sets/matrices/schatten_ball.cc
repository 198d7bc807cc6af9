#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/norm_balls.h"
#include "keyhole/spectral_sets.h"
#include "math/elementary.h"
#include "math/spectral/singular_decomposition.h"
#include "math/sums.h"
#include "sets/matrices/matrix_size.h"
#include "sets/matrices/outer_products.h"
#include "sets/matrices/random_frames.h"
#include "sets/matrices/spectrum.h"

namespace keyhole::sets {
namespace {

/// What the lp ball does to the singular values, with the singular vectors kept (von Neumann).
class SchattenOracle final : public Oracle {
 public:
  SchattenOracle(const Set& set, std::size_t rows, std::size_t columns, const Set& of_values)
      : projection_(rows, columns, of_values),
        decomposition_(projection_.decomposition()),
        of_values_(of_values.oracle()),
        slope_(of_values.dimension()),
        inner_radius_(set.inner_radius()),
        point_(rows * columns) {
    vertex_.dense = point_;
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    const std::span<double> s = projection_.decompose(direction);
    decomposition_.complete();
    of_values_->minimise(s).write_to(s);
    decomposition_.compose(point_);
    return vertex_;
  }

  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    if (nearest.data() != point.data()) std::copy(point.begin(), point.end(), nearest.begin());
    if (math::norm(point) <= inner_radius_) return true;
    projection_.project(nearest, true);
    return true;
  }

  /// That of the singular values; its subgradient has the same singular vectors.
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    const std::span<double> s = projection_.decompose(w);
    decomposition_.complete();
    const double gamma = of_values_->gauge(s, slope_);
    std::copy(slope_.begin(), slope_.end(), s.begin());
    decomposition_.compose(subgradient);
    return gamma;
  }

 private:
  SpectrumProjection<math::SingularDecomposition> projection_;
  math::SingularDecomposition& decomposition_;
  std::unique_ptr<Oracle> of_values_;
  std::vector<double> slope_;
  double inner_radius_;
  std::vector<double> point_;
  Vertex vertex_;
};

/// The radii of the values: the Frobenius norm is the length of the singular values.
Geometry schatten_geometry(std::size_t rows, std::size_t columns, const Set& of_values) {
  Geometry result = of_values.geometry();
  result.centre.assign(rows * columns, 0.0);
  return result;
}

class SchattenBall final : public Set {
 public:
  SchattenBall(std::size_t rows, std::size_t columns, double p, double radius, SetPtr of_values)
      : Set(rows * columns, rows * columns, schatten_geometry(rows, columns, *of_values)),
        rows_(rows),
        columns_(columns),
        p_(p),
        radius_(radius),
        of_values_(std::move(of_values)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<SchattenOracle>(*this, rows_, columns_, *of_values_);
  }

  /// Rank one for p < 2, all singular values equal for p > 2: the vertices farthest from 0.
  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    if (p_ < 2) return random_outer_products(rows_, columns_, radius_);
    if (p_ == 2) return Set::exploration();
    const auto k = static_cast<double>(std::min(rows_, columns_));
    return random_isometries(rows_, columns_, radius_ / math::pow(k, 1 / p_));
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension()) return false;
    const double euclidean = math::norm(x);
    if (!(euclidean <= outer_radius() + slack())) return false;
    return euclidean <= inner_radius() ||
           of_values_->contains(math::singular_values(x, rows_, columns_));
  }

  [[nodiscard]] bool can_project() const noexcept override { return true; }
  [[nodiscard]] bool can_gauge() const noexcept override { return true; }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    Geometry result = of_values_->geometry_about(math::singular_values(centre, rows_, columns_));
    result.centre.assign(centre.begin(), centre.end());
    return result;
  }

  [[nodiscard]] std::string spec() const override {
    return "schatten_ball(" + std::to_string(rows_) + ", " + std::to_string(columns_) + ", " +
           base::number_text(p_) + (radius_ == 1 ? "" : ", radius=" + base::number_text(radius_)) +
           ")";
  }

 private:
  std::size_t rows_;
  std::size_t columns_;
  double p_;
  double radius_;
  SetPtr of_values_;
};

}  // namespace

SetPtr schatten_ball(std::size_t m, std::size_t n, double p, double radius) {
  require_matrix_size("a Schatten ball", m, n);
  base::require_positive("the radius of a Schatten ball", radius);
  base::require(p != 1, "the p of a Schatten ball is 1: use nuclear_ball");
  base::require(p != std::numeric_limits<double>::infinity(),
                "the p of a Schatten ball is inf: use operator_norm_ball");
  base::require(p >= 1.01 && p <= 100,
                "the p of a Schatten ball must be a number from 1.01 to 100, "
                "not " +
                    base::number_text(p));
  return std::make_shared<SchattenBall>(m, n, p, radius, lp_ball(std::min(m, n), p, radius));
}

}  // namespace keyhole::sets
