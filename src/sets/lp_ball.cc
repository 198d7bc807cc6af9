#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "keyhole/exploration.h"
#include "keyhole/norm_balls.h"
#include "keyhole/sets.h"
#include "math/elementary.h"
#include "math/sums.h"
#include "sets/lp_projection.h"
#include "sets/require.h"
#include "sets/signed_subsets.h"
#include "sets/symmetric_ball.h"

namespace keyhole {
namespace {

using Vector = std::vector<double>;

/// (sum_i term(i)^p)^(1/p) for terms that are not negative, 1 <= p <= inf, without overflow.
template <class Term>
double lp_power_norm(std::size_t n, double p, Term term) {
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, term(i));
  if (p == std::numeric_limits<double>::infinity() || !(largest > 0)) return largest;
  const auto power = [&](std::size_t i) {
    const double share = term(i) / largest;
    return p == 1 ? share : p == 2 ? share * share : math::pow(share, p);
  };
  const double sum = math::reduce(n, power);
  return largest * (p == 1 ? sum : p == 2 ? std::sqrt(sum) : math::pow(sum, 1 / p));
}

/// gamma(x) = (sum (w_i |x_i|)^p)^(1/p) / radius.
struct LpNorm {
  double p;
  double radius;
  Vector weights;

  [[nodiscard]] double of(std::span<const double> x) const {
    return lp_power_norm(x.size(), p, [&](std::size_t i) { return std::abs(x[i]) * weights[i]; }) /
           radius;
  }

  /// The length of the gradient of gamma at x != 0, for 1 <= p < inf.
  [[nodiscard]] double steepness(std::span<const double> x, double gamma) const {
    const auto square = [&](std::size_t i) {
      const double s =
          weights[i] / radius * math::pow(std::abs(x[i]) * weights[i] / radius / gamma, p - 1);
      return s * s;
    };
    return std::sqrt(math::reduce(x.size(), square));
  }
};

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

/// sum w_i |x_i| <= radius.
class WeightedL1Oracle final : public Oracle {
 public:
  explicit WeightedL1Oracle(const LpNorm& norm) : norm_(norm), ratios_(norm.weights.size()) {
    vertex_ = {{}, index_, value_};
  }

  const Vertex& minimise(std::span<const double> direction) override {
    const Vector& w = norm_.weights;
    std::size_t first = 0;
    for (std::size_t i = 1; i < w.size(); ++i) {
      if (std::abs(direction[i]) / w[i] > std::abs(direction[first]) / w[first]) first = i;
    }
    index_[0] = first;
    value_[0] = (direction[first] < 0 ? norm_.radius : -norm_.radius) / w[first];
    return vertex_;
  }

  /// x_i = w_i max(b_i - theta, 0) for b_i = |z_i| / w_i: Michelot's method, as for the simplex,
  /// drops the coordinates at or below the theta of those that are left until none drops. theta is
  /// counted from the largest b_i, so that points far away lose no digits.
  void project(std::span<const double> point, std::span<double> nearest) override {
    const Vector& w = norm_.weights;
    if (norm_.of(point) <= 1) {
      std::copy(point.begin(), point.end(), nearest.begin());
      return;
    }
    double largest = 0;
    for (std::size_t i = 0; i < w.size(); ++i) {
      ratios_[i] = std::abs(point[i]) / w[i];
      largest = std::max(largest, ratios_[i]);
    }
    for (double& ratio : ratios_) ratio -= largest;
    double theta = -std::numeric_limits<double>::infinity();
    for (;;) {
      const double before = theta;
      const auto square = [&](std::size_t i) { return ratios_[i] > before ? w[i] * w[i] : 0; };
      const auto part = [&](std::size_t i) {
        return ratios_[i] > before ? w[i] * w[i] * ratios_[i] : 0;
      };
      theta = (math::reduce(w.size(), part) - norm_.radius) / math::reduce(w.size(), square);
      if (!(theta > before)) break;
    }
    for (std::size_t i = 0; i < w.size(); ++i) {
      // Ratios far below the largest and theta may be equal and large; then nothing is left.
      const double magnitude = w[i] * std::max(ratios_[i] - theta, 0.0);
      nearest[i] = std::copysign(magnitude, point[i]);
    }
  }

  double gauge(std::span<const double> x, std::span<double> subgradient) override {
    for (std::size_t i = 0; i < x.size(); ++i) {
      subgradient[i] = x[i] == 0 ? 0 : std::copysign(norm_.weights[i] / norm_.radius, x[i]);
    }
    return norm_.of(x);
  }

 private:
  const LpNorm& norm_;
  Vector ratios_;
  std::array<std::size_t, 1> index_{};
  std::array<double, 1> value_{};
  Vertex vertex_;
};

/// 1 < p < inf.
class LpOracle final : public Oracle {
 public:
  explicit LpOracle(const LpNorm& norm)
      : norm_(norm),
        projection_(norm.p, norm.radius, norm.weights),
        powers_(norm.weights.size()),
        point_(norm.weights.size()) {
    vertex_.dense = point_;
  }

  /// With t_i = |d_i| / w_i over the largest of them, u = t^(q-1), q - 1 = 1/(p-1), and
  /// S = sum t_i u_i = sum u_i^p: v_i = -sign(d_i) radius / w_i u_i / S^(1/p).
  const Vertex& minimise(std::span<const double> direction) override {
    const Vector& w = norm_.weights;
    const double sum =
        powers(1 / (norm_.p - 1), [&](std::size_t i) { return std::abs(direction[i]) / w[i]; });
    std::fill(point_.begin(), point_.end(), 0.0);
    if (!(sum > 0)) {
      point_[0] = -norm_.radius / w[0];
      return vertex_;
    }
    const double length = root(sum);
    for (std::size_t i = 0; i < w.size(); ++i) {
      const double magnitude = norm_.radius / w[i] * (powers_[i] / length);
      if (direction[i] != 0) point_[i] = direction[i] < 0 ? magnitude : -magnitude;
    }
    return vertex_;
  }

  void project(std::span<const double> point, std::span<double> nearest) override {
    if (norm_.of(point) <= 1) {
      std::copy(point.begin(), point.end(), nearest.begin());
    } else {
      projection_.project(point, nearest);
    }
  }

  /// With t_i = w_i |x_i| over the largest of them and S = sum t^p, s_i = sign(x_i) w_i / radius
  /// t_i^(p-1) S^(1/p - 1).
  double gauge(std::span<const double> x, std::span<double> subgradient) override {
    const Vector& w = norm_.weights;
    const double sum = powers(norm_.p - 1, [&](std::size_t i) { return std::abs(x[i]) * w[i]; });
    if (!(sum > 0)) {
      std::fill(subgradient.begin(), subgradient.end(), 0.0);
      return 0;
    }
    const double length = root(sum) / sum;
    for (std::size_t i = 0; i < w.size(); ++i) {
      subgradient[i] = std::copysign(w[i] / norm_.radius * (powers_[i] * length), x[i]);
    }
    return norm_.of(x);
  }

 private:
  /// powers_i = t_i^exponent for t_i = term(i) over the largest; gives sum_i t_i powers_i, which is
  /// 0 if all are.
  template <class Term>
  double powers(double exponent, Term term) {
    double largest = 0;
    for (std::size_t i = 0; i < powers_.size(); ++i) largest = std::max(largest, term(i));
    if (!(largest > 0)) return 0;
    return math::reduce(powers_.size(), [&](std::size_t i) {
      const double t = term(i) / largest;
      powers_[i] = exponent == 1 ? t : math::pow(t, exponent);
      return t * powers_[i];
    });
  }
  [[nodiscard]] double root(double sum) const {
    return norm_.p == 2 ? std::sqrt(sum) : math::pow(sum, 1 / norm_.p);
  }

  const LpNorm& norm_;
  LpProjection projection_;
  Vector powers_;
  Vector point_;
  Vertex vertex_;
};

/// v = radius u / w for u uniform on the unit sphere: Sigma = radius^2 / n diag(1 / w^2).
class AxisEllipsoidSphere final : public Exploration {
 public:
  AxisEllipsoidSphere(const LpNorm& norm, Vector variance)
      : Exploration(Vector(norm.weights.size(), 0.0), std::move(variance),
                    static_cast<double>(norm.weights.size()),
                    {.words = 0, .normals = norm.weights.size()}),
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

  [[nodiscard]] std::unique_ptr<Oracle> oracle() const override {
    if (box_) return box_->oracle();
    if (norm_.p == 1) return std::make_unique<WeightedL1Oracle>(norm_);
    return std::make_unique<LpOracle>(norm_);
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
    return std::make_unique<AxisEllipsoidSphere>(norm_, std::move(values));
  }

  /// To first order, gamma - 1 over the length of its gradient is the distance from K.
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (box_) return box_->contains(x);
    if (x.size() != dimension()) return false;
    const double gamma = norm_.of(x);
    if (std::any_of(x.begin(), x.end(), [](double c) { return std::isnan(c); })) return false;
    if (!(gamma <= largest_number)) return false;
    return gamma <= 1 ||
           gamma - 1 <= membership_tolerance * geometry().outer_radius * norm_.steepness(x, gamma);
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
    return "lp_ball(" + std::to_string(dimension()) + ", " + math::number_text(norm_.p) +
           (norm_.radius == 1 ? "" : ", radius=" + math::number_text(norm_.radius)) +
           (plain ? "" : ", weights=" + list_text(norm_.weights, true)) + ")";
  }

 private:
  LpNorm norm_;
  SetPtr box_;  // for p = inf
};

}  // namespace

SetPtr lp_ball(double p, std::span<const double> weights, double radius) {
  require(!weights.empty(), "an lp ball needs at least one dimension");
  require(p >= 1, "the p of an lp ball must be 1 or more, or inf, not " + math::number_text(p) +
                      ": below 1 the set is not convex");
  require_positive("the radius of an lp ball", radius);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    require_positive("weight " + std::to_string(i) + " of an lp ball", weights[i]);
  }
  return std::make_shared<LpBall>(LpNorm{p, radius, Vector(weights.begin(), weights.end())});
}

SetPtr lp_ball(std::size_t n, double p, double radius) {
  return lp_ball(p, Vector(n, 1.0), radius);
}

}  // namespace keyhole
