#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/norm_balls.h"
#include "math/sums.h"
#include "sets/norm_balls/owl_projection.h"
#include "sets/norm_balls/signed_subsets.h"
#include "sets/norm_balls/symmetric_ball.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// The sum of the k largest of the magnitudes, which it reorders.
double k_norm(std::span<double> magnitudes, std::size_t k) {
  const auto middle = magnitudes.begin() + static_cast<std::ptrdiff_t>(k);
  std::nth_element(magnitudes.begin(), middle - 1, magnitudes.end(), std::greater<>());
  // In an order that does not depend on the library's way to select.
  std::sort(magnitudes.begin(), middle, std::greater<>());
  return math::sum(magnitudes.first(k));
}

class KNormOracle final : public Oracle {
 public:
  KNormOracle(const Vector& ones, std::size_t k, double radius)
      : k_(k),
        radius_(radius),
        projection_(ones, radius),
        magnitudes_(ones.size()),
        corner_(ones.size()) {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    std::size_t largest = 0;
    for (std::size_t i = 1; i < direction.size(); ++i) {
      if (std::abs(direction[i]) > std::abs(direction[largest])) largest = i;
    }
    const double sum =
        math::reduce(direction.size(), [&](std::size_t i) { return std::abs(direction[i]); });
    const auto k = static_cast<double>(k_);
    // For k = 1 the axes are no vertices, and for k = n, where rounding may hide it, the corners.
    const bool corner = sum > k * std::abs(direction[largest]) && k_ < direction.size();
    if (corner || k_ == 1) {
      for (std::size_t i = 0; i < corner_.size(); ++i) {
        corner_[i] = direction[i] < 0 ? radius_ / k : -radius_ / k;
      }
      vertex_ = {corner_, {}, {}};
    } else {
      index_[0] = largest;
      value_[0] = direction[largest] < 0 ? radius_ : -radius_;
      vertex_ = {{}, index_, value_};
    }
    return vertex_;
  }

  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    return projection_.project(point, nearest);
  }

  /// gamma(w) = the sum of the k largest |w_i| over the radius. The subgradient has the sign of w_i
  /// over the radius at those, the first of them where several are as large as the last.
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    for (std::size_t i = 0; i < w.size(); ++i) magnitudes_[i] = std::abs(w[i]);
    const double gamma = k_norm(magnitudes_, k_) / radius_;
    const double last = magnitudes_[k_ - 1];
    const auto tied = static_cast<std::size_t>(std::count(
        magnitudes_.begin(), magnitudes_.begin() + static_cast<std::ptrdiff_t>(k_), last));
    std::size_t left = tied;
    for (std::size_t i = 0; i < w.size(); ++i) {
      const bool is_last = std::abs(w[i]) == last;
      const bool among = std::abs(w[i]) > last || (is_last && left > 0);
      if (is_last && left > 0) --left;
      subgradient[i] = among && w[i] != 0 ? std::copysign(1 / radius_, w[i]) : 0;
    }
    return gamma;
  }

 private:
  std::size_t k_;
  double radius_;
  OwlProjection projection_;
  Vector magnitudes_;
  Vector corner_;
  std::array<std::size_t, 1> index_{};
  std::array<double, 1> value_{};
  Vertex vertex_;
};

/// r = radius / max {the k-norm of u : ||u|| = 1}, at k equal entries.
Geometry k_norm_geometry(std::size_t n, std::size_t k, double radius) {
  const auto size = static_cast<double>(k);
  const double outer = radius * std::max(1.0, std::sqrt(static_cast<double>(n)) / size);
  return {Vector(n, 0.0), std::min(radius / std::sqrt(size), outer), outer, 2 * outer};
}

class KNormBall final : public MagnitudeBall {
 public:
  KNormBall(std::size_t n, std::size_t k, double radius)
      : MagnitudeBall(n, n, k_norm_geometry(n, k, radius)),
        k_(k),
        radius_(radius),
        weights_(n, 0.0) {
    std::fill_n(weights_.begin(), k, 1.0);
  }

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<KNormOracle>(weights_, k_, radius_);
  }

  /// The axes or the corners, whichever are farther away.
  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    const auto k = static_cast<double>(k_);
    const bool corners = static_cast<double>(dimension()) > k * k;
    return signed_subsets(Vector(dimension(), corners ? radius_ / k : radius_),
                          corners ? dimension() : 1);
  }

  [[nodiscard]] std::string spec() const override {
    return "k_norm_ball(" + std::to_string(dimension()) + ", " + std::to_string(k_) +
           (radius_ == 1 ? "" : ", radius=" + base::number_text(radius_)) + ")";
  }

 private:
  [[nodiscard]] double gauge_of_magnitudes(std::span<double> magnitudes) const override {
    return k_norm(magnitudes, k_) / radius_;
  }

  std::size_t k_;
  double radius_;
  Vector weights_;  // k ones, then zeros: the norm as an ordered weighted one
};

}  // namespace

SetPtr k_norm_ball(std::size_t n, std::size_t k, double radius) {
  base::require(n >= 1, "a k-norm ball needs at least one dimension");
  base::require(k >= 1 && k <= n, "the k of a k-norm ball must be from 1 to its dimension " +
                                      std::to_string(n) + ", not " + std::to_string(k));
  base::require_positive("the radius of a k-norm ball", radius);
  return std::make_shared<KNormBall>(n, k, radius);
}

}  // namespace keyhole::sets
