#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/norm_balls.h"
#include "math/sums.h"
#include "sets/multiplier.h"
#include "sets/norm_balls/largest_magnitudes.h"
#include "sets/norm_balls/signed_subsets.h"
#include "sets/norm_balls/symmetric_ball.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// The norm of Argyriou, Foygel, Srebro (2012, proposition 2.1): with the magnitudes m in falling
/// order and tails t_j = m_j + ... + m_n, there is one number r of 0, ..., k - 1 with m_{k-r-1} >
/// t_{k-r} / (r + 1) >= m_{k-r}, and the square of the norm is m_1^2 + ... + m_{k-r-1}^2 +
/// t_{k-r}^2 / (r + 1).
struct KSupportNorm {
  double value = 0;
  double level = 0;  // t_{k-r} / (r + 1): larger magnitudes count by themselves

  /// Sorts the magnitudes.
  KSupportNorm(std::span<double> magnitudes, std::size_t k) {
    std::sort(magnitudes.begin(), magnitudes.end(), std::greater<>());
    double tail = math::sum(magnitudes.subspan(k - 1));
    std::size_t apart = k - 1;  // of the largest, k - r - 1
    while (apart > 0 && !(magnitudes[apart - 1] > tail / static_cast<double>(k - apart))) {
      tail += magnitudes[--apart];
    }
    level = tail / static_cast<double>(k - apart);
    value = std::sqrt(math::squared_norm(magnitudes.first(apart)) +
                      level * level * static_cast<double>(k - apart));
  }
};

/// The projection onto the ball from outside. The square of the norm is the least sum x_i^2 /
/// theta_i over 0 <= theta <= 1, sum theta <= k (McDonald, Pontil, Stamos 2014). So with the
/// multiplier l of the radius
///
///   x_i = z_i theta_i / (theta_i + l),  theta_i = clamp(c |z_i| - l, 0, 1),  sum theta = k.
///
/// With m the k-th largest magnitude and b = c m - l, which is from 0 to 1, theta_i = b + c (|z_i|
/// - m) and x_i = theta_i / c between the bounds: that keeps its digits where l is large. b is
/// found for each l, and l by Newton's steps for 1 / the norm, which is about linear in l.
class KSupportProjection {
 public:
  KSupportProjection(std::size_t n, std::size_t k, double radius)
      : k_(static_cast<double>(k)), radius_(radius), magnitudes_(n) {}

  /// `kth` is the k-th largest magnitude of z, `norm` the norm of z.
  void project(std::span<const double> z, std::span<double> nearest, double kth, double norm) {
    kth_ = kth;
    for (std::size_t i = 0; i < z.size(); ++i) magnitudes_[i] = std::abs(z[i]);
    // z - x is l times x in the sense of the norms, and no longer than z in that of the dual.
    const double high = math::norm(z) / radius_;
    const double l = multiplier(
        0.0, high, std::min(norm / radius_ - 1, high),
        [&](double at) {
          find_shares(at);
          return step(at);
        },
        1e-15);
    find_shares(l);
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double theta = share(magnitudes_[i]);
      nearest[i] = theta < 1 ? std::copysign(std::max(theta, 0.0) / scale_, z[i]) : z[i] / (1 + l);
    }
  }

 private:
  /// theta before it is clamped.
  [[nodiscard]] double share(double magnitude) const { return base_ + scale_ * (magnitude - kth_); }
  [[nodiscard]] bool is_between(double magnitude) const {
    return share(magnitude) > 0 && share(magnitude) < 1;
  }
  /// The sum of those between the bounds.
  [[nodiscard]] double sum_between() const {
    return math::reduce(magnitudes_.size(), [&](std::size_t i) {
      return is_between(magnitudes_[i]) ? magnitudes_[i] : 0.0;
    });
  }

  /// b and c for this l.
  void find_shares(double l) {
    const auto set_base = [&](double b) {
      base_ = b;
      scale_ = (l + b) / kth_;
    };
    set_base(multiplier(0.0, 1.0, 0.5, [&](double b) {
      set_base(b);
      const double excess =
          math::reduce(magnitudes_.size(),
                       [&](std::size_t i) { return std::clamp(share(magnitudes_[i]), 0.0, 1.0); }) -
          k_;
      const double slope = sum_between() / kth_;
      if (slope > 0) return excess / slope;
      return std::abs(excess) <= 1e-12 * k_ ? 0.0 : std::copysign(1.0, excess);
    }));
  }

  /// (1 / N - 1 / radius) over its derivative: with h at 1, m between, of sum s, and squares q of
  /// those at 1, N^2 = q / (1 + l)^2 + (k - h) s^2 / (k - h + m l)^2.
  [[nodiscard]] double step(double l) const {
    double full = 0;
    double between = 0;
    for (const double magnitude : magnitudes_) {
      if (share(magnitude) >= 1) ++full;
      if (is_between(magnitude)) ++between;
    }
    const double squares = math::reduce(magnitudes_.size(), [&](std::size_t i) {
      return share(magnitudes_[i]) >= 1 ? magnitudes_[i] * magnitudes_[i] : 0.0;
    });
    const double sum = sum_between();
    const double left = k_ - full;
    const double part = squares / ((1 + l) * (1 + l));
    double norm = part;
    double fall = part / (1 + l);
    if (left > 0 && between > 0) {
      const double by = sum / (left + between * l);
      norm += left * by * by;
      fall += left * by * by * between / (left + between * l);
    }
    norm = std::sqrt(norm);
    return (1 / norm - 1 / radius_) * (norm * norm * norm) / fall;
  }

  double k_;
  double radius_;
  double kth_ = 0;    // m
  double base_ = 0;   // b
  double scale_ = 0;  // c
  Vector magnitudes_;
};

class KSupportOracle final : public Oracle {
 public:
  KSupportOracle(std::size_t n, std::size_t k, double radius)
      : k_(k),
        radius_(radius),
        largest_(n, k),
        projection_(n, k, radius),
        magnitudes_(n),
        values_(k) {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    const std::span<const std::size_t> chosen = largest_.find(direction);
    for (std::size_t j = 0; j < k_; ++j) values_[j] = direction[chosen[j]];
    const double length = math::norm(values_);
    for (double& value : values_) value = length > 0 ? -radius_ * (value / length) : 0;
    if (!(length > 0)) values_[0] = -radius_;
    vertex_ = {{}, chosen, values_};
    return vertex_;
  }

  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    const double norm = norm_of(point).value;
    const double scale = norm > radius_ ? radius_ / norm : 1;
    if (scale == 1 || k_ == magnitudes_.size() || magnitudes_[k_] == 0) {
      // Of k magnitudes the norm is the length.
      for (std::size_t i = 0; i < point.size(); ++i) nearest[i] = scale * point[i];
      return true;
    }
    projection_.project(point, nearest, magnitudes_[k_ - 1], norm);
    return true;
  }

  /// The subgradient has the length 1 / radius in the dual norm, that of the k largest magnitudes:
  /// w_i / norm where |w_i| is above the level of the norm, else the sign times that.
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    const KSupportNorm norm = norm_of(w);
    for (std::size_t i = 0; i < w.size(); ++i) {
      const double magnitude = std::max(std::abs(w[i]), norm.level);
      subgradient[i] = w[i] == 0 ? 0 : std::copysign(magnitude / norm.value / radius_, w[i]);
    }
    return norm.value / radius_;
  }

 private:
  KSupportNorm norm_of(std::span<const double> x) {
    for (std::size_t i = 0; i < x.size(); ++i) magnitudes_[i] = std::abs(x[i]);
    return {magnitudes_, k_};
  }

  std::size_t k_;
  double radius_;
  LargestMagnitudes largest_;
  KSupportProjection projection_;
  Vector magnitudes_;
  Vector values_;
  Vertex vertex_;
};

class KSupportBall final : public MagnitudeBall {
 public:
  KSupportBall(std::size_t n, std::size_t k, double radius)
      : MagnitudeBall(
            n, n,
            {Vector(n, 0.0), radius * std::sqrt(static_cast<double>(k) / static_cast<double>(n)),
             radius, 2 * radius}),
        k_(k),
        radius_(radius) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<KSupportOracle>(dimension(), k_, radius_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return signed_subsets(Vector(dimension(), radius_ / std::sqrt(static_cast<double>(k_))), k_);
  }

  [[nodiscard]] std::string spec() const override {
    return "k_support_ball(" + std::to_string(dimension()) + ", " + std::to_string(k_) +
           (radius_ == 1 ? "" : ", radius=" + base::number_text(radius_)) + ")";
  }

 private:
  [[nodiscard]] double gauge_of_magnitudes(std::span<double> magnitudes) const override {
    return KSupportNorm(magnitudes, k_).value / radius_;
  }

  std::size_t k_;
  double radius_;
};

}  // namespace

SetPtr k_support_ball(std::size_t n, std::size_t k, double radius) {
  base::require(n >= 1, "a k-support ball needs at least one dimension");
  base::require(k >= 1 && k <= n, "the k of a k-support ball must be from 1 to its dimension " +
                                      std::to_string(n) + ", not " + std::to_string(k));
  base::require_positive("the radius of a k-support ball", radius);
  return std::make_shared<KSupportBall>(n, k, radius);
}

}  // namespace keyhole::sets
