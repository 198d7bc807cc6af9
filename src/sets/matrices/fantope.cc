#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "base/require.h"
#include "keyhole/choices.h"
#include "keyhole/spectral_sets.h"
#include "math/cholesky.h"
#include "math/spectral/decompositions.h"
#include "math/sums.h"
#include "sets/matrices/matrix_size.h"
#include "sets/matrices/random_frames.h"
#include "sets/matrices/spectrum.h"

namespace keyhole::sets {
namespace {

class FantopeOracle final : public SpectralOracle {
 public:
  FantopeOracle(const SpectralSet& set, std::size_t k)
      : SpectralOracle(set), k_(k), projector_(set.dimension()) {
    (void)decomposition();  // now, however large: minimise() must not allocate
    vertex_.dense = projector_;
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    const std::span<double> lambda = decompose(direction);
    for (std::size_t i = 0; i < lambda.size(); ++i) lambda[i] = i < k_ ? 1 : 0;
    decomposition().compose(projector_);
    return vertex_;
  }

 private:
  std::size_t k_;
  std::vector<double> projector_;
  Vertex vertex_;
};

/// Projectors onto subspaces that share as little as they can are as far apart as the vertices of
/// the hypersimplex of the eigenvalues.
class Fantope final : public SpectralSet {
 public:
  Fantope(std::size_t n, std::size_t k)
      : SpectralSet(n, hypersimplex(n, k), static_cast<double>(k)), k_(k) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<FantopeOracle>(*this, k_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return random_projectors(order(), k_, 1);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    std::vector<double> scratch(dimension());
    return may_contain(x, std::sqrt(static_cast<double>(k_)), false, scratch) &&
           math::is_positive_definite(x, order(), 1 + slack(), scratch, -1);
  }

  /// The constraints 0 <= <v v', X> <= 1 are as far as those of the eigenvalues. The farthest
  /// vertex is the projector that the oracle answers the centre with.
  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    const std::vector<double> lambda = math::eigenvalues(centre, order());
    const auto n = static_cast<double>(order());
    const double least = math::sum(std::span(lambda).first(k_));
    return {{centre.begin(), centre.end()},
            std::min(lambda.front(), 1 - lambda.back()) * std::sqrt(n / (n - 1)),
            std::sqrt(math::squared_norm(lambda) - 2 * least + static_cast<double>(k_)),
            diameter()};
  }

  [[nodiscard]] std::string spec() const override {
    return "fantope(" + std::to_string(order()) + ", " + std::to_string(k_) + ")";
  }

 private:
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
