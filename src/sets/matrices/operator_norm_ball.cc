#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "base/require.h"
#include "keyhole/sets.h"
#include "keyhole/spectral_sets.h"
#include "math/cholesky.h"
#include "math/spectral/singular_decomposition.h"
#include "math/sums.h"
#include "sets/matrices/matrix_size.h"
#include "sets/matrices/random_frames.h"
#include "sets/matrices/spectrum.h"

namespace keyhole::sets {
namespace {

class OperatorNormOracle final : public Oracle {
 public:
  OperatorNormOracle(std::size_t rows, std::size_t columns, double radius)
      : radius_(radius),
        projection_(rows, columns, *box(-radius, radius, std::min(rows, columns))),
        decomposition_(projection_.decomposition()),
        isometry_(rows * columns) {
    vertex_.dense = isometry_;
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    const std::span<double> s = projection_.decompose(direction);
    decomposition_.complete();
    std::fill(s.begin(), s.end(), -radius_);
    decomposition_.compose(isometry_);
    return vertex_;
  }

  /// The singular values are cut off.
  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    if (nearest.data() != point.data()) std::copy(point.begin(), point.end(), nearest.begin());
    if (math::norm(point) <= radius_) return true;
    projection_.project(nearest, true);
    return true;
  }

  /// sigma_1 / radius, with the subgradient u_1 v_1' / radius.
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    const std::span<double> s = projection_.decompose(w);
    const auto top = std::max_element(s.begin(), s.end());
    const double norm = *top;
    std::fill(s.begin(), s.end(), 0.0);
    if (norm > 0) *top = 1 / radius_;
    decomposition_.compose(subgradient);
    return norm / radius_;
  }

 private:
  double radius_;
  SpectrumProjection<math::SingularDecomposition> projection_;
  math::SingularDecomposition& decomposition_;
  std::vector<double> isometry_;
  Vertex vertex_;
};

class OperatorNormBall final : public Set {
 public:
  OperatorNormBall(std::size_t rows, std::size_t columns, double radius)
      : Set(rows * columns, rows * columns, own_geometry(rows, columns, radius)),
        rows_(rows),
        columns_(columns),
        radius_(radius) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<OperatorNormOracle>(rows_, columns_, radius_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return random_isometries(rows_, columns_, radius_);
  }

  /// Whether most^2 - X X', or most^2 - X' X if that is smaller, is positive definite: squaring
  /// costs no digits of the largest singular value.
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension()) return false;
    const double euclidean = math::norm(x);
    if (!(euclidean <= outer_radius() + slack())) return false;
    if (euclidean <= radius_) return true;
    const bool wide = rows_ <= columns_;
    const std::size_t k = wide ? rows_ : columns_;
    const std::size_t length = wide ? columns_ : rows_;
    const std::size_t step = wide ? 1 : columns_;    // from entry to entry of a row or a column
    const std::size_t stride = wide ? columns_ : 1;  // from one to the next
    std::vector<double> gram(k * k);
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        gram[i * k + j] = gram[j * k + i] = math::reduce(length, [&](std::size_t l) {
          return (x[i * stride + l * step] / radius_) * (x[j * stride + l * step] / radius_);
        });
      }
    }
    std::vector<double> scratch(k * k);
    const double most = 1 + slack() / radius_;
    return math::is_positive_definite(gram, k, most * most, scratch, -1);
  }

  [[nodiscard]] bool can_project() const noexcept override { return true; }
  [[nodiscard]] bool can_gauge() const noexcept override { return true; }

  /// The constraints are <u v', X> <= radius for unit vectors u and v: the nearest is that of the
  /// top pair of P. The farthest vertex is the oracle's answer to P.
  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    const std::vector<double> s = math::singular_values(centre, rows_, columns_);
    const double R = outer_radius();
    return {{centre.begin(), centre.end()},
            radius_ - s.front(),
            std::sqrt(math::squared_norm(s) + 2 * radius_ * math::sum(s) + R * R),
            diameter()};
  }

  [[nodiscard]] std::string spec() const override {
    return "operator_norm_ball(" + std::to_string(rows_) + ", " + std::to_string(columns_) +
           (radius_ == 1 ? "" : ", radius=" + base::number_text(radius_)) + ")";
  }

 private:
  static Geometry own_geometry(std::size_t rows, std::size_t columns, double radius) {
    const double R = radius * std::sqrt(static_cast<double>(std::min(rows, columns)));
    return {std::vector<double>(rows * columns, 0.0), radius, R, 2 * R};
  }

  std::size_t rows_;
  std::size_t columns_;
  double radius_;
};

}  // namespace

SetPtr operator_norm_ball(std::size_t m, std::size_t n, double radius) {
  require_matrix_size("an operator norm ball", m, n);
  base::require_positive("the radius of an operator norm ball", radius);
  return std::make_shared<OperatorNormBall>(m, n, radius);
}

}  // namespace keyhole::sets
