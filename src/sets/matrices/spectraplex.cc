#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/sets.h"
#include "keyhole/spectral_sets.h"
#include "math/cholesky.h"
#include "math/spectral/decompositions.h"
#include "math/spectral/extreme_pairs.h"
#include "math/sums.h"
#include "sets/matrices/matrix_options.h"
#include "sets/matrices/matrix_size.h"
#include "sets/matrices/random_frames.h"
#include "sets/matrices/symmetric_part.h"

namespace keyhole::sets {
namespace {

struct SpectraplexShape {
  std::size_t n;
  double trace;
  MatrixOracleOptions options;
};

class SpectraplexOracle final : public Oracle {
 public:
  explicit SpectraplexOracle(const SpectraplexShape& shape)
      : shape_(shape),
        root_(std::sqrt(shape.trace)),
        pair_(shape.n, method(shape.options), shape.options.threads, shape.options.residual),
        factor_(shape.n) {
    vertex_.left = factor_;
    vertex_.right = factor_;
    if (shape.n <= math::largest_direct_order) prepare_projection();
  }

  const Vertex& minimise(std::span<const double> direction) override {
    pair_.smallest(direction);
    const auto v = pair_.vector();
    // Both factors carry the root of the trace, so that the product is symmetric to the last bit.
    for (std::size_t i = 0; i < v.size(); ++i) factor_[i] = root_ * v[i];
    return vertex_;
  }

  /// The eigenvalues are projected onto their simplex, the vectors stay (von Neumann).
  void project(std::span<const double> point, std::span<double> nearest) override {
    if (simplex_ == nullptr) prepare_projection();
    if (nearest.data() != point.data()) std::copy(point.begin(), point.end(), nearest.begin());
    symmetrise(nearest, shape_.n);
    set_trace(nearest, shape_.n, shape_.trace);  // what leaves the hull costs no digits then
    const std::span<double> lambda = decomposition_->decompose(nearest);
    spectrum_->project(lambda, lambda);
    decomposition_->compose(nearest);
  }

 private:
  void prepare_projection() {
    simplex_ = simplex(shape_.n, shape_.trace);
    spectrum_ = simplex_->oracle();
    decomposition_ = std::make_unique<math::SymmetricDecomposition>(shape_.n);
  }

  SpectraplexShape shape_;
  double root_;
  math::ExtremeEigenpair pair_;
  std::vector<double> factor_;
  Vertex vertex_;
  // Of projections; of large matrices they are made when first needed.
  SetPtr simplex_;
  std::unique_ptr<Oracle> spectrum_;
  std::unique_ptr<math::SymmetricDecomposition> decomposition_;
};

/// About p = trace/n I the radii are those of the simplex of the eigenvalues: a unit direction of
/// symmetric matrices has eigenvalues of length 1.
Geometry spectraplex_geometry(const SpectraplexShape& shape) {
  Geometry geometry = simplex(shape.n, shape.trace)->geometry();
  geometry.centre = multiple_of_identity(shape.n, geometry.centre.front());
  return geometry;
}

class Spectraplex final : public Set {
 public:
  explicit Spectraplex(const SpectraplexShape& shape)
      : Set(shape.n * shape.n, shape.n * (shape.n + 1) / 2 - 1, spectraplex_geometry(shape)),
        shape_(shape) {}

  [[nodiscard]] std::unique_ptr<Oracle> oracle() const override {
    return std::make_unique<SpectraplexOracle>(shape_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return random_projectors(shape_.n, 1, shape_.trace);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    const double slack = membership_tolerance * outer_radius();
    if (x.size() != dimension() || !(math::norm(x) <= shape_.trace + slack)) return false;
    std::vector<double> scratch(x.size());
    return std::abs(trace_of(x, shape_.n) - shape_.trace) <= slack &&
           is_symmetric(x, shape_.n, slack, scratch) &&
           math::is_positive_definite(x, shape_.n, slack, scratch);
  }

  [[nodiscard]] bool can_project() const noexcept override { return true; }

  void flatten(std::span<double> direction) const override {
    symmetrise(direction, shape_.n);
    set_trace(direction, shape_.n, 0);
  }

  /// The constraints <v v', X> >= 0 are as far as those of the eigenvalues, and so is the farthest
  /// vertex, trace v v' for the least eigenvalue.
  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    Geometry geometry =
        simplex(shape_.n, shape_.trace)->geometry_about(math::eigenvalues(centre, shape_.n));
    geometry.centre.assign(centre.begin(), centre.end());
    return geometry;
  }

  [[nodiscard]] std::string spec() const override {
    return "spectraplex(" + std::to_string(shape_.n) +
           (shape_.trace == 1 ? "" : ", trace=" + base::number_text(shape_.trace)) +
           options_text(shape_.options) + ")";
  }

 private:
  SpectraplexShape shape_;
};

}  // namespace

SetPtr spectraplex(std::size_t n, double trace, const MatrixOracleOptions& options) {
  base::require(n >= 2, "a spectraplex of matrices of order " + std::to_string(n) +
                            " is a single point or empty: order 2 or more is needed");
  require_matrix_size("a spectraplex", n, n);
  base::require_positive("the trace of a spectraplex", trace);
  require_options(options);
  return std::make_shared<Spectraplex>(SpectraplexShape{n, trace, options});
}

}  // namespace keyhole::sets
