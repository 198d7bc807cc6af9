#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "base/require.h"
#include "keyhole/sets.h"
#include "math/spectral/decompositions.h"
#include "math/spectral/extreme_pairs.h"
#include "math/spectral/singular_decomposition.h"
#include "math/sums.h"
#include "sets/matrices/matrix_options.h"
#include "sets/matrices/matrix_size.h"
#include "sets/matrices/outer_products.h"
#include "sets/matrices/spectrum.h"
#include "sets/proof.h"

namespace keyhole::sets {
namespace {

/// The shape and the radius of a ball of the nuclear norm, the sum of the singular values.
struct Shape {
  std::size_t rows;
  std::size_t columns;
  double radius;
  MatrixOracleOptions options;

  /// min(rows, columns): how many singular values there are.
  [[nodiscard]] std::size_t rank() const { return std::min(rows, columns); }
  /// sqrt(rank), the most by which the nuclear norm can exceed the Euclidean one.
  [[nodiscard]] double root() const { return std::sqrt(static_cast<double>(rank())); }
};

/// An upper bound on the nuclear norm from the eigenvalues of the smaller Gram matrix, at a
/// fraction of the cost of singular values: enough for points that are not close to the boundary.
/// Squaring costs half of the digits, so an eigenvalue may be off by `error`, and the bound by
/// about 1e-6.
class NuclearNormBound {
 public:
  explicit NuclearNormBound(const Shape& shape)
      : shape_(shape), gram_(shape.rank() * shape.rank()), decomposition_(shape.rank()) {}

  double operator()(std::span<const double> x) {
    const std::size_t k = shape_.rank();
    const bool wide = shape_.rows == k;  // then the rows of X, else its columns, are multiplied
    std::fill(gram_.begin(), gram_.end(), 0.0);
    for (std::size_t l = 0; l < (wide ? shape_.columns : shape_.rows); ++l) {
      const std::size_t first = wide ? l : l * shape_.columns;
      const std::size_t step = wide ? shape_.columns : 1;
      for (std::size_t i = 0; i < k; ++i) {
        const double x_i = x[first + i * step];
        for (std::size_t j = 0; j < k; ++j) gram_[i * k + j] += x_i * x[first + j * step];
      }
    }
    const double square = math::squared_norm(x);
    const double error = 1e-14 * static_cast<double>(shape_.rows + shape_.columns) * square;
    const std::span<const double> values = decomposition_.values_of(gram_);
    return math::reduce(k,
                        [&](std::size_t i) { return std::sqrt(std::max(values[i], 0.0) + error); });
  }

 private:
  Shape shape_;
  std::vector<double> gram_;
  math::SymmetricDecomposition decomposition_;
};

class NuclearOracle final : public Oracle {
 public:
  explicit NuclearOracle(const Shape& shape)
      : shape_(shape),
        top_(shape.rows, shape.columns, method(shape.options), shape.options.threads,
             shape.options.residual),
        left_(shape.rows),
        projection_(shape.rows, shape.columns, *solid_simplex(shape.rank(), shape.radius)) {
    vertex_.left = left_;
    vertex_.right = top_.right();
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    top_.find(direction);
    require_end("the top singular vectors from being found", top_.is_proved());
    const auto u = top_.left();
    for (std::size_t i = 0; i < left_.size(); ++i) left_[i] = -shape_.radius * u[i];
    return vertex_;
  }

  /// The singular values are projected onto {s >= 0, sum s <= radius}.
  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    if (nearest.data() != point.data()) std::copy(point.begin(), point.end(), nearest.begin());
    if (math::norm(point) * shape_.root() <= shape_.radius) return true;
    projection_.project(nearest);
    return true;
  }

 private:
  Shape shape_;
  math::TopSingularPair top_;
  std::vector<double> left_;
  SpectrumProjection<math::SingularDecomposition> projection_;
  Vertex vertex_;
};

class NuclearBall final : public Set {
 public:
  explicit NuclearBall(const Shape& shape)
      : Set(shape.rows * shape.columns, shape.rows * shape.columns,
            {std::vector<double>(shape.rows * shape.columns, 0.0), shape.radius / shape.root(),
             shape.radius, 2 * shape.radius}),
        shape_(shape) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<NuclearOracle>(shape_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return random_outer_products(shape_.rows, shape_.columns, shape_.radius);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    const double most = shape_.radius * (1 + membership_tolerance);
    if (x.size() != dimension()) return false;
    const double euclidean = math::norm(x);
    if (!(euclidean <= most)) return false;
    return euclidean * shape_.root() <= shape_.radius ||
           NuclearNormBound(shape_)(x) <= shape_.radius || math::sum(spectrum(x)) <= most;
  }

  [[nodiscard]] bool can_project() const noexcept override { return true; }

  /// K is the intersection of {<W, X> <= radius} over the W of operator norm 1, of which those
  /// with all singular values 1 are enough (a quotient of a norm and a positive linear function
  /// is largest at extreme points): the nearest is at (radius - ||P||_*) / sqrt k. The farthest
  /// vertex is -radius u v' for the top pair of P.
  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    const std::vector<double> s = spectrum(centre);
    const double tau = shape_.radius;
    return {{centre.begin(), centre.end()},
            (tau - math::sum(s)) / shape_.root(),
            std::sqrt(tau * tau + 2 * tau * s.front() + math::squared_norm(s)),
            2 * tau};
  }

  [[nodiscard]] std::string spec() const override {
    return spec_of("nuclear_ball", shape_.options,
                   std::to_string(shape_.rows) + ", " + std::to_string(shape_.columns) +
                       (shape_.radius == 1 ? "" : ", radius=" + base::number_text(shape_.radius)));
  }

 private:
  [[nodiscard]] std::vector<double> spectrum(std::span<const double> x) const {
    return math::singular_values(x, shape_.rows, shape_.columns);
  }

  Shape shape_;
};

}  // namespace

SetPtr nuclear_ball(std::size_t m, std::size_t n, double radius,
                    const MatrixOracleOptions& options) {
  require_matrix_size("a nuclear ball", m, n);
  base::require_positive("the radius of a nuclear ball", radius);
  require_options(options);
  return std::make_shared<NuclearBall>(Shape{m, n, radius, options});
}

}  // namespace keyhole::sets
