#include "sets/norm_balls/lp_oracle.h"

#include <array>

#include "sets/norm_balls/lp_projection.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// sum w_i |x_i| <= radius.
class WeightedL1Oracle final : public Oracle {
 public:
  explicit WeightedL1Oracle(const LpNorm& norm) : norm_(norm), ratios_(norm.weights.size()) {
    vertex_ = {{}, index_, value_};
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
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
  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    const Vector& w = norm_.weights;
    if (norm_.of(point) <= 1) {
      std::copy(point.begin(), point.end(), nearest.begin());
      return true;
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
    return true;
  }

  double do_gauge(std::span<const double> x, std::span<double> subgradient) override {
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
  const Vertex& do_minimise(std::span<const double> direction) override {
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

  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    if (norm_.of(point) <= 1) {
      std::copy(point.begin(), point.end(), nearest.begin());
    } else {
      projection_.project(point, nearest);
    }
    return true;
  }

  /// With t_i = w_i |x_i| over the largest of them and S = sum t^p, s_i = sign(x_i) w_i / radius
  /// t_i^(p-1) S^(1/p - 1).
  double do_gauge(std::span<const double> x, std::span<double> subgradient) override {
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

}  // namespace

std::unique_ptr<Oracle> lp_oracle(const LpNorm& norm) {
  if (norm.p == 1) return std::make_unique<WeightedL1Oracle>(norm);
  return std::make_unique<LpOracle>(norm);
}

}  // namespace keyhole::sets
