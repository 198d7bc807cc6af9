#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "base/require.h"
#include "keyhole/choices.h"
#include "keyhole/exploration.h"
#include "keyhole/norm_balls.h"
#include "math/sums.h"
#include "sets/magnitude_projection.h"
#include "sets/norm_balls/largest_magnitudes.h"
#include "sets/norm_balls/signed_subsets.h"
#include "sets/settle.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// sum |x_i|.
double k_sparse_sum(std::span<const double> x) {
  return math::reduce(x.size(), [&](std::size_t i) { return std::abs(x[i]); });
}

class KSparseOracle final : public Oracle {
 public:
  KSparseOracle(const Set& ball, std::size_t k, double radius)
      : k_(static_cast<double>(k)),
        radius_(radius),
        slack_(ball.slack()),
        largest_(ball.dimension(), k),
        values_(k),
        magnitudes_(solid_hypersimplex(ball.dimension(), k, radius)) {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    const std::span<const std::size_t> chosen = largest_.find(direction);
    for (std::size_t j = 0; j < chosen.size(); ++j) {
      values_[j] = direction[chosen[j]] < 0 ? radius_ : -radius_;
    }
    vertex_ = {{}, chosen, values_};
    return vertex_;
  }

  /// The magnitudes are projected onto {0 <= m <= radius, sum m <= k radius}, the signs stay.
  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    magnitudes_.project(point, nearest);
    return true;
  }

  /// gamma(w) = max(max |w_i|, sum |w_i| / k) / radius, the first where both are.
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    const double largest = math::largest_magnitude(w);
    const double of_sum = k_sparse_sum(w) / k_;
    if (of_sum > largest) {
      for (std::size_t i = 0; i < w.size(); ++i) {
        subgradient[i] = w[i] == 0 ? 0 : std::copysign(1 / (k_ * radius_), w[i]);
      }
      return of_sum / radius_;
    }
    std::fill(subgradient.begin(), subgradient.end(), 0.0);
    for (std::size_t i = 0; largest > 0; ++i) {
      if (std::abs(w[i]) != largest) continue;
      subgradient[i] = std::copysign(1 / radius_, w[i]);
      break;
    }
    return largest / radius_;
  }

  void settle(std::span<double> point) override {
    settle_between(point, -radius_, radius_, slack_);
  }

 private:
  double k_;
  double radius_;
  double slack_;
  LargestMagnitudes largest_;
  Vector values_;
  MagnitudeProjection magnitudes_;
  Vertex vertex_;
};

Geometry k_sparse_geometry(std::size_t n, std::size_t k, double radius) {
  const auto size = static_cast<double>(k);
  const double outer = radius * std::sqrt(size);
  const double inner = radius * std::min(1.0, size / std::sqrt(static_cast<double>(n)));
  return {Vector(n, 0.0), inner, outer, 2 * outer};
}

class KSparseBall final : public Set {
 public:
  KSparseBall(std::size_t n, std::size_t k, double radius)
      : Set(n, n, k_sparse_geometry(n, k, radius)), k_(k), radius_(radius) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<KSparseOracle>(*this, k_, radius_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return signed_subsets(Vector(dimension(), radius_), k_);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return x.size() == dimension() && math::largest_magnitude(x) <= radius_ &&
           k_sparse_sum(x) <= static_cast<double>(k_) * radius_ * (1 + membership_tolerance);
  }

  [[nodiscard]] bool can_project() const noexcept override { return true; }
  [[nodiscard]] bool can_gauge() const noexcept override { return true; }

  /// The facets are at distance radius - |c_i| and (k radius - sum |c_i|) / sqrt n; the farthest
  /// vertex has its entries where |c_i| is largest.
  [[nodiscard]] Geometry geometry_about(std::span<const double> c) const override {
    Vector magnitudes(c.size());
    for (std::size_t i = 0; i < c.size(); ++i) magnitudes[i] = std::abs(c[i]);
    std::sort(magnitudes.begin(), magnitudes.end(), std::greater<>());
    const double of_sum = static_cast<double>(k_) * radius_ - math::sum(magnitudes);
    const double r =
        std::min(radius_ - magnitudes[0], of_sum / std::sqrt(static_cast<double>(dimension())));
    for (std::size_t j = 0; j < k_; ++j) magnitudes[j] += radius_;
    return {{c.begin(), c.end()}, r, math::norm(magnitudes), diameter()};
  }

  [[nodiscard]] std::string spec() const override {
    return "k_sparse_ball(" + std::to_string(dimension()) + ", " + std::to_string(k_) +
           (radius_ == 1 ? "" : ", radius=" + base::number_text(radius_)) + ")";
  }

 private:
  std::size_t k_;
  double radius_;
};

}  // namespace

SetPtr k_sparse_ball(std::size_t n, std::size_t k, double radius) {
  base::require(n >= 1, "a k-sparse ball needs at least one dimension");
  base::require(k >= 1 && k <= n, "the k of a k-sparse ball must be from 1 to its dimension " +
                                      std::to_string(n) + ", not " + std::to_string(k));
  base::require_positive("the radius of a k-sparse ball", radius);
  return std::make_shared<KSparseBall>(n, k, radius);
}

}  // namespace keyhole::sets
