#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/norm_balls.h"
#include "math/sums.h"
#include "sets/norm_balls/owl_projection.h"
#include "sets/norm_balls/signed_subsets.h"
#include "sets/norm_balls/symmetric_ball.h"
#include "sets/sort_by_key.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

class OwlOracle final : public Oracle {
 public:
  /// sums_k = w_1 + ... + w_{k+1}.
  OwlOracle(const Vector& weights, const Vector& sums, double radius)
      : weights_(weights),
        sums_(sums),
        radius_(radius),
        projection_(weights, radius),
        order_(weights.size()),
        sort_(weights.size()),
        values_(weights.size()),
        falling_(weights.size()) {}

  /// On the k largest |d_i|, k the first for which their sum over that of k weights is largest.
  const Vertex& do_minimise(std::span<const double> direction) override {
    sort(direction);
    std::size_t last = 0;
    double best = -1;
    double sum = 0;
    for (std::size_t k = 0; k < order_.size(); ++k) {
      sum += std::abs(direction[order_[k]]);
      if (!gives_vertices(k) || !(sum / sums_[k] > best)) continue;
      best = sum / sums_[k];
      last = k;
    }
    for (std::size_t k = 0; k <= last; ++k) {
      values_[k] = (direction[order_[k]] < 0 ? radius_ : -radius_) / sums_[last];
    }
    vertex_ = {{}, std::span(order_).first(last + 1), std::span(values_).first(last + 1)};
    return vertex_;
  }

  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    return projection_.project(point, nearest);
  }

  /// gamma(x) = Omega(x) / radius; coordinate i of rank k has the slope sign(x_i) w_k / radius.
  double do_gauge(std::span<const double> x, std::span<double> subgradient) override {
    sort(x);
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const std::size_t i = order_[k];
      falling_[k] = x[i];
      subgradient[i] = x[i] == 0 ? 0 : std::copysign(weights_[k] / radius_, x[i]);
    }
    return owl_norm(weights_, falling_) / radius_;
  }

 private:
  /// Whether points of k + 1 entries are vertices. They are between those with fewer entries if the
  /// weights are equal so far, and between those with more if the next weight is 0.
  [[nodiscard]] bool gives_vertices(std::size_t k) const {
    const bool more = k > 0 && weights_[k] == weights_[0];
    return !more && (k + 1 == weights_.size() || weights_[k + 1] > 0);
  }

  /// The coordinates by falling magnitude, the first first where they are equal.
  void sort(std::span<const double> x) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    sort_(order_, [&](std::size_t i) { return -std::abs(x[i]); });
  }

  const Vector& weights_;
  const Vector& sums_;
  double radius_;
  OwlProjection projection_;
  std::vector<std::size_t> order_;
  SortByKey sort_;
  Vector values_;
  Vector falling_;
  Vertex vertex_;
};

/// The k for which the vertices of k entries, radius / (w_1 + ... + w_k) each, are farthest away.
std::size_t farthest_count(const Vector& weights) {
  std::size_t farthest = 1;
  double most = 0;
  double sum = 0;
  for (std::size_t k = 1; k <= weights.size(); ++k) {
    sum += weights[k - 1];
    const double length = std::sqrt(static_cast<double>(k)) / sum;
    if (!(length > most)) continue;
    most = length;
    farthest = k;
  }
  return farthest;
}

Vector owl_prefix_sums(const Vector& weights) {
  Vector sums(weights.size());
  std::partial_sum(weights.begin(), weights.end(), sums.begin());
  return sums;
}

/// r = radius / max {Omega(u) : ||u|| = 1}, at u = w / ||w||.
Geometry owl_geometry(const Vector& weights, double radius) {
  const std::size_t k = farthest_count(weights);
  const double outer =
      radius * (std::sqrt(static_cast<double>(k)) / owl_prefix_sums(weights)[k - 1]);
  const double inner = radius / math::norm(weights);
  return {Vector(weights.size(), 0.0), std::min(inner, outer), outer, 2 * outer};
}

class OwlBall final : public MagnitudeBall {
 public:
  OwlBall(Vector weights, double radius)
      : MagnitudeBall(weights.size(), weights.size(), owl_geometry(weights, radius)),
        weights_(std::move(weights)),
        sums_(owl_prefix_sums(weights_)),
        radius_(radius) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<OwlOracle>(weights_, sums_, radius_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    const std::size_t k = farthest_count(weights_);
    return signed_subsets(Vector(dimension(), radius_ / sums_[k - 1]), k);
  }

  [[nodiscard]] std::string spec() const override {
    return "owl_ball(" + base::list_text(weights_, false) +
           (radius_ == 1 ? "" : ", radius=" + base::number_text(radius_)) + ")";
  }

 private:
  [[nodiscard]] double gauge_of_magnitudes(std::span<double> magnitudes) const override {
    std::sort(magnitudes.begin(), magnitudes.end(), std::greater<>());
    return owl_norm(weights_, magnitudes) / radius_;
  }

  Vector weights_;
  Vector sums_;
  double radius_;
};

}  // namespace

SetPtr owl_ball(List<double> weights, double radius) {
  base::require(!weights.empty(), "an owl ball needs at least one weight");
  base::require_positive("the first weight of an owl ball", weights[0]);
  for (std::size_t i = 1; i < weights.size(); ++i) {
    base::require(weights[i] >= 0 && weights[i] <= weights[i - 1],
                  "weight " + std::to_string(i) + " of an owl ball is " +
                      base::number_text(weights[i]) + " after " +
                      base::number_text(weights[i - 1]) +
                      ": the weights must not rise, nor be negative");
  }
  base::require_positive("the radius of an owl ball", radius);
  return std::make_shared<OwlBall>(Vector(weights.begin(), weights.end()), radius);
}

}  // namespace keyhole::sets
