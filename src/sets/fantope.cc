#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "keyhole/spectral_sets.h"
#include "math/cholesky.h"
#include "math/decompositions.h"
#include "math/extreme_pairs.h"
#include "math/sums.h"
#include "sets/random_frames.h"
#include "sets/require.h"
#include "sets/symmetric_part.h"

namespace keyhole {
namespace {

/// Projects rising numbers onto {0 <= l <= 1, sum l = k}: l_i = clip(z_i - theta, 0, 1), and the
/// sum falls with theta, in straight pieces between the 2n numbers z_i and z_i - 1.
class FantopeSpectrum {
 public:
  FantopeSpectrum(std::size_t n, std::size_t k)
      : k_(static_cast<double>(k)), breaks_(2 * n), offsets_(n) {}

  void project(std::span<double> z) {
    for (std::size_t i = 0; i < z.size(); ++i) {
      breaks_[2 * i] = z[i];
      breaks_[2 * i + 1] = z[i] - 1;
    }
    std::sort(breaks_.begin(), breaks_.end());
    // The last of them where the sum is at least k: at the first it is n, to rounding.
    std::size_t low = 0;
    std::size_t high = breaks_.size();
    while (high - low > 1) {
      const std::size_t middle = low + (high - low) / 2;
      (sum_at(z, breaks_[middle]) >= k_ ? low : high) = middle;
    }
    // From there theta = breaks_[low] + step. Differences to a number nearby, and only those, keep
    // the digits of points far away.
    double count = 0;
    double excess = -k_;
    for (std::size_t i = 0; i < z.size(); ++i) {
      offsets_[i] = z[i] - breaks_[low];
      const bool sloping = offsets_[i] > 0 && offsets_[i] <= 1;
      count += sloping ? 1 : 0;
      excess += std::clamp(offsets_[i], 0.0, 1.0);
    }
    const double step = count > 0 ? std::max(excess, 0.0) / count : 0;
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = std::clamp(offsets_[i] - step, 0.0, 1.0);
  }

 private:
  static double sum_at(std::span<const double> z, double theta) {
    return math::reduce(z.size(),
                        [&](std::size_t i) { return std::clamp(z[i] - theta, 0.0, 1.0); });
  }

  double k_;
  std::vector<double> breaks_;
  std::vector<double> offsets_;
};

class FantopeOracle final : public Oracle {
 public:
  FantopeOracle(std::size_t n, std::size_t k)
      : n_(n), k_(k), decomposition_(n), spectrum_(n, k), projector_(n * n) {
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
    spectrum_.project(decomposition_.decompose(nearest));
    decomposition_.compose(nearest);
  }

 private:
  std::size_t n_;
  std::size_t k_;
  math::SymmetricDecomposition decomposition_;
  FantopeSpectrum spectrum_;
  std::vector<double> projector_;
  Vertex vertex_;
};

/// About p = k/n I the radii are those of the hypersimplex of the eigenvalues. Its facets l_i = 0
/// and l_i = 1 are at k/n and 1 - k/n along e_i, which within the hull has the length
/// sqrt((n - 1)/n); projectors onto subspaces that share as little as they can are farthest apart.
Geometry fantope_geometry(std::size_t n_, std::size_t k_) {
  const auto n = static_cast<double>(n_);
  const auto k = static_cast<double>(k_);
  const double less = std::min(k, n - k);
  return {multiple_of_identity(n_, k / n), less / n * std::sqrt(n / (n - 1)),
          std::sqrt(k * (n - k) / n), std::sqrt(2 * less)};
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
    const double slack = membership_tolerance * geometry().outer_radius;
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
            geometry().diameter};
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
  require(n >= 2, "a fantope of matrices of order " + std::to_string(n) +
                      " is a single point or empty: order 2 or more is needed");
  require(k >= 1 && k <= n - 1, "a fantope of matrices of order " + std::to_string(n) +
                                    " needs a trace k of 1 to " + std::to_string(n - 1) + ", not " +
                                    std::to_string(k) +
                                    (k == n ? ": with k = n there is only the identity" : ""));
  return std::make_shared<Fantope>(n, k);
}

}  // namespace keyhole
