#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/norm_balls.h"
#include "keyhole/sets.h"
#include "math/elementary.h"
#include "math/sums.h"
#include "sets/norm_balls/lp_oracle.h"
#include "sets/norm_balls/signed_subsets.h"
#include "sets/norm_balls/symmetric_ball.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// R = max ||x|| over K: by convexity at an axis for p <= 2, else by Hoelder's inequality with the
/// exponents p/2 and p/(p-2). r = radius / max {gamma(u) : ||u|| = 1}, the same with p and 2
/// exchanged.
Geometry lp_geometry(const LpNorm& norm) {
  const double p = norm.p;
  const Vector& w = norm.weights;
  constexpr double most = std::numeric_limits<double>::infinity();
  const double outer_power = p <= 2 ? most : p == most ? 2 : 2 * p / (p - 2);
  const double inner_power = p >= 2 ? most : 2 * p / (2 - p);
  const std::size_t n = w.size();
  const double outer =
      norm.radius * lp_power_norm(n, outer_power, [&](std::size_t i) { return 1 / w[i]; });
  const double inner =
      norm.radius / lp_power_norm(n, inner_power, [&](std::size_t i) { return w[i]; });
  return {Vector(n, 0.0), std::min(inner, outer), outer, 2 * outer};
}

/// v = radius u / w for u uniform on the unit sphere: Sigma = radius^2 / n diag(1 / w^2).
class AxisEllipsoidSphere final : public Exploration {
 public:
  AxisEllipsoidSphere(const Set& ball, const LpNorm& norm, Vector variance)
      : Exploration(ball, ball.centre(), std::move(variance), static_cast<double>(ball.dimension()),
                    {.words = 0, .normals = ball.dimension()}),
        norm_(norm) {}

  void draw(const RandomBits& bits, std::span<double> v) override {
    const double length = math::norm(bits.normals);
    for (std::size_t i = 0; i < v.size(); ++i) {
      v[i] = norm_.radius / norm_.weights[i] * (bits.normals[i] / length);
    }
  }
  void score(const RandomBits& bits, std::span<double> w) override {
    const double factor = static_cast<double>(w.size()) / norm_.radius / math::norm(bits.normals);
    for (std::size_t i = 0; i < w.size(); ++i) w[i] = bits.normals[i] * norm_.weights[i] * factor;
  }

 private:
  const LpNorm& norm_;
};

class LpBall final : public Set {
 public:
  explicit LpBall(LpNorm norm)
      : Set(norm.weights.size(), norm.weights.size(), lp_geometry(norm)), norm_(std::move(norm)) {
    if (norm_.p != std::numeric_limits<double>::infinity()) return;
    Vector upper(dimension());
    Vector lower(dimension());
    for (std::size_t i = 0; i < upper.size(); ++i) {
      upper[i] = norm_.radius / norm_.weights[i];
      lower[i] = -upper[i];
    }
    box_ = box(lower, upper);
  }

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    if (box_) return box_->oracle();
    return lp_oracle(norm_);
  }

  /// The axes for p < 2; for p > 2 the points n^(-1/p) radius (+-1/w_1, ..., +-1/w_n).
  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    if (box_) return box_->exploration();
    const auto n = static_cast<double>(dimension());
    Vector values(dimension());
    const double length = norm_.p > 2 ? norm_.radius / math::pow(n, 1 / norm_.p) : norm_.radius;
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = length / norm_.weights[i];
    if (norm_.p != 2) return signed_subsets(std::move(values), norm_.p < 2 ? 1 : dimension());
    for (double& value : values) value = value * value / n;
    return std::make_unique<AxisEllipsoidSphere>(*this, norm_, std::move(values));
  }

  /// To first order, gamma - 1 over the length of its gradient is the distance from K.
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (box_) return box_->contains(x);
    if (x.size() != dimension()) return false;
    const double gamma = norm_.of(x);
    if (std::any_of(x.begin(), x.end(), [](double c) { return std::isnan(c); })) return false;
    if (!(gamma <= largest_number)) return false;
    if (gamma <= 1) return true;
    const double off = slack() * norm_.steepness(x, gamma);
    // Near the kinks of p < 2 the gradient turns quickly from a flat one to a steep one.
    return gamma - 1 <= (norm_.p < 2 ? std::min(off, 1e-7) : off);
  }

  [[nodiscard]] bool can_project() const noexcept override { return true; }
  [[nodiscard]] bool can_gauge() const noexcept override { return true; }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    if (box_) return box_->geometry_about(centre);
    return geometry_by_gauge(geometry(), centre, norm_.of(centre));
  }

  [[nodiscard]] std::string spec() const override {
    const bool plain = std::all_of(norm_.weights.begin(), norm_.weights.end(),
                                   [](double weight) { return weight == 1; });
    return "lp_ball(" + std::to_string(dimension()) + ", " + base::number_text(norm_.p) +
           (norm_.radius == 1 ? "" : ", radius=" + base::number_text(norm_.radius)) +
           (plain ? "" : ", weights=" + base::list_text(norm_.weights, true)) + ")";
  }

 private:
  LpNorm norm_;
  SetPtr box_;  // for p = inf
};

}  // namespace

SetPtr lp_ball(double p, List<double> weights, double radius) {
  base::require(!weights.empty(), "an lp ball needs at least one dimension");
  base::require(p >= 1, "the p of an lp ball must be 1 or more, or inf, not " +
                            base::number_text(p) + ": below 1 the set is not convex");
  base::require(p == 1 || p >= 1 + 1e-6,
                "the p of an lp ball, " + base::number_text(p) +
                    ", is so close to 1 that rounding hides its corners: give "
                    "1, or 1.000001 or more");
  base::require_positive("the radius of an lp ball", radius);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    base::require_positive("weight " + std::to_string(i) + " of an lp ball", weights[i]);
  }
  const auto [least, most] = std::minmax_element(weights.begin(), weights.end());
  base::require(*most <= 1e4 * *least,
                "the weights of an lp ball go from " + base::number_text(*least) + " to " +
                    base::number_text(*most) +
                    ", which makes it nearly flat: scale the coordinates so that "
                    "they are within a factor of 1e4");
  return std::make_shared<LpBall>(LpNorm{p, radius, Vector(weights.begin(), weights.end())});
}

SetPtr lp_ball(std::size_t n, double p, double radius) {
  return lp_ball(p, Vector(n, 1.0), radius);
}

}  // namespace keyhole::sets
