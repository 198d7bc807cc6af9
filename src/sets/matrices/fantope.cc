#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/choices.h"
#include "keyhole/spectral_sets.h"
#include "math/cholesky.h"
#include "math/spectral/decompositions.h"
#include "math/sums.h"
#include "sets/matrices/matrix_size.h"
#include "sets/matrices/random_frames.h"
#include "sets/matrices/symmetric_part.h"

namespace keyhole::sets {
namespace {

class FantopeOracle final : public Oracle {
 public:
  FantopeOracle(std::size_t n, std::size_t k)
      : n_(n),
        k_(k),
        decomposition_(n),
        hypersimplex_(hypersimplex(n, k)),
        spectrum_(hypersimplex_->oracle()),
        projector_(n * n) {
    vertex_.dense = projector_;
  }

  const Vertex& minimise(std::span<const double> direction) override {
    const std::span<double> lambda = decomposition_.decompose(direction);
    for (std::size_t i = 0; i < n_; ++i) lambda[i] = i < k_ ? 1 : 0;
    decomposition_.compose(projector_);
    return vertex_;
  }

  /// The eigenvalues are projected, the vectors stay (von Neumann).
  void project(std::span<const double> point, std::span<double> nearest) override {
    if (nearest.data() != point.data()) std::copy(point.begin(), point.end(), nearest.begin());
    symmetrise(nearest, n_);
    set_trace(nearest, n_, static_cast<double>(k_));  // what leaves the hull costs no digits then
    const std::span<double> lambda = decomposition_.decompose(nearest);
    spectrum_->project(lambda, lambda);
    decomposition_.compose(nearest);
  }

 private:
  std::size_t n_;
  std::size_t k_;
  math::SymmetricDecomposition decomposition_;
  SetPtr hypersimplex_;  // of the eigenvalues
  std::unique_ptr<Oracle> spectrum_;
  std::vector<double> projector_;
  Vertex vertex_;
};

/// About p = k/n I the radii are those of the hypersimplex of the eigenvalues, and projectors onto
/// subspaces that share as little as they can are as far apart as its vertices.
Geometry fantope_geometry(std::size_t n, std::size_t k) {
  Geometry geometry = hypersimplex(n, k)->geometry();
  geometry.centre = multiple_of_identity(n, geometry.centre.front());
  return geometry;
}

class Fantope final : public Set {
 public:
  Fantope(std::size_t n, std::size_t k)
      : Set(n * n, n * (n + 1) / 2 - 1, fantope_geometry(n, k)), n_(n), k_(k) {}

  [[nodiscard]] std::unique_ptr<Oracle> oracle() const override {
    return std::make_unique<FantopeOracle>(n_, k_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return random_projectors(n_, k_, 1);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    const double slack = membership_tolerance * outer_radius();
    const auto k = static_cast<double>(k_);
    if (x.size() != dimension() || !(math::norm(x) <= std::sqrt(k) + slack)) return false;
    std::vector<double> scratch(x.size());
    return std::abs(trace_of(x, n_) - k) <= slack && is_symmetric(x, n_, slack, scratch) &&
           math::is_positive_definite(x, n_, slack, scratch) &&
           math::is_positive_definite(x, n_, 1 + slack, scratch, -1);
  }

  [[nodiscard]] bool can_project() const noexcept override { return true; }

  void flatten(std::span<double> direction) const override {
    symmetrise(direction, n_);
    set_trace(direction, n_, 0);
  }

  /// The constraints 0 <= <v v', X> <= 1 are as far as those of the eigenvalues. The farthest
  /// vertex is the projector that the oracle answers the centre with.
  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    const std::vector<double> lambda = math::eigenvalues(centre, n_);
    const auto n = static_cast<double>(n_);
    const double least = math::sum(std::span(lambda).first(k_));
    return {{centre.begin(), centre.end()},
            std::min(lambda.front(), 1 - lambda.back()) * std::sqrt(n / (n - 1)),
            std::sqrt(math::squared_norm(lambda) - 2 * least + static_cast<double>(k_)),
            diameter()};
  }

  [[nodiscard]] std::string spec() const override {
    return "fantope(" + std::to_string(n_) + ", " + std::to_string(k_) + ")";
  }

 private:
  std::size_t n_;
  std::size_t k_;
};

}  // namespace

SetPtr fantope(std::size_t n, std::size_t k) {
  base::require(n >= 2, "a fantope of matrices of order " + std::to_string(n) +
                            " is a single point or empty: order 2 or more is needed");
  base::require(k >= 1 && k <= n - 1,
                "a fantope of matrices of order " + std::to_string(n) +
                    " needs a trace k of 1 to " + std::to_string(n - 1) + ", not " +
                    std::to_string(k) + (k == n ? ": with k = n there is only the identity" : ""));
  require_matrix_size("a fantope", n, n);
  return std::make_shared<Fantope>(n, k);
}

}  // namespace keyhole::sets
