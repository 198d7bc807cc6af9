#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/norm_balls.h"
#include "math/span.h"
#include "math/sums.h"
#include "sets/norm_balls/symmetric_ball.h"
#include "sets/norm_balls/total_variation_projection.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// x = height s_k, where the step s_k is -(n - k)/n on the first k coordinates and k/n on the
/// others, so that it sums to 0.
void write_step(std::span<double> x, std::size_t k, double height) {
  const auto n = static_cast<double>(x.size());
  const auto before = static_cast<double>(k);
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>(k);
  std::fill(x.begin(), middle, -height * ((n - before) / n));
  std::fill(middle, x.end(), height * (before / n));
}

class TotalVariationOracle final : public Oracle {
 public:
  TotalVariationOracle(std::size_t n, double radius)
      : radius_(radius), projection_(n, radius), point_(n) {
    vertex_.dense = point_;
  }

  /// <d, s_k> is minus the sum of the first k coordinates of d less its mean.
  const Vertex& do_minimise(std::span<const double> direction) override {
    const std::size_t n = direction.size();
    const double mean = math::sum(direction) / static_cast<double>(n);
    std::size_t best = 1;
    double most = -1;
    double sum = 0;
    bool falls = true;
    for (std::size_t k = 1; k < n; ++k) {
      sum += direction[k - 1] - mean;
      if (!(std::abs(sum) > most)) continue;
      most = std::abs(sum);
      best = k;
      falls = sum <= 0;
    }
    write_step(point_, best, falls ? -radius_ : radius_);
    return vertex_;
  }

  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    return projection_.project(point, nearest);
  }

  /// gamma(w) = total variation / radius.
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    std::fill(subgradient.begin(), subgradient.end(), 0.0);
    for (std::size_t i = 0; i + 1 < w.size(); ++i) {
      const double slope = w[i + 1] > w[i] ? 1 / radius_ : w[i + 1] < w[i] ? -1 / radius_ : 0;
      subgradient[i] -= slope;
      subgradient[i + 1] += slope;
    }
    return total_variation(w) / radius_;
  }

 private:
  double radius_;
  TotalVariationProjection projection_;
  Vector point_;
  Vertex vertex_;
};

/// Uniform on the vertices +-radius s_k, 0 < k < n: Sigma = radius^2 / (n - 1) sum_k s_k s_k'. The
/// vector e_{k+1} - e_k has the product 1 with s_k and 0 with the other steps, and is in the hull:
/// so Sigma^-1 v = +-(n - 1) / radius (e_{k+1} - e_k).
class TotalVariationSteps final : public Exploration {
 public:
  TotalVariationSteps(std::size_t n, double radius)
      : TotalVariationSteps(n, radius, variances(n, radius)) {}

  void draw(const RandomBits& bits, std::span<double> v) override {
    const auto [k, sign] = choice(bits);
    write_step(v, k, sign * radius_);
  }

  void score(const RandomBits& bits, std::span<double> w) override {
    const auto [k, sign] = choice(bits);
    std::fill(w.begin(), w.end(), 0.0);
    const double factor = sign * static_cast<double>(w.size() - 1) / radius_;
    w[k - 1] = -factor;
    w[k] = factor;
  }

 private:
  TotalVariationSteps(std::size_t n, double radius, const Vector& variance)
      : Exploration(Vector(n, 0.0), variance, farthest(variance, radius),
                    {.words = 1, .normals = 0}),
        radius_(radius) {}

  [[nodiscard]] std::pair<std::size_t, double> choice(const RandomBits& bits) const {
    const std::size_t j = bits.below(0, 2 * (mean().size() - 1));
    return {j / 2 + 1, j % 2 == 0 ? 1 : -1};
  }

  /// radius^2 / (n - 1) times the sum over k of (k/n)^2 for k < i, of (1 - k/n)^2 for k >= i, i
  /// counted from 1.
  static Vector variances(std::size_t n, double radius) {
    const auto share = [n](std::size_t k) {
      return static_cast<double>(k) / static_cast<double>(n) / static_cast<double>(n) *
             static_cast<double>(k);
    };
    Vector result(n, 0.0);
    for (std::size_t i = 1; i < n; ++i) result[i] = result[i - 1] + share(i);
    double after = 0;
    for (std::size_t i = n; i-- > 0;) {
      result[i] += after;
      after += share(n - i);
    }
    const double factor = radius * (radius / static_cast<double>(n - 1));
    for (double& value : result) value *= factor;
    return result;
  }

  /// The largest of sum_i v_i^2 / variance_i.
  static double farthest(const Vector& variance, double radius) {
    const auto n = static_cast<double>(variance.size());
    double all = 0;
    for (const double value : variance) all += 1 / value;
    double most = 0;
    double first = 0;
    for (std::size_t k = 1; k < variance.size(); ++k) {
      first += 1 / variance[k - 1];
      const double share = static_cast<double>(k) / n;
      most = std::max(most, first * (1 - share) * (1 - share) + (all - first) * share * share);
    }
    return most * radius * radius * (1 + membership_tolerance);
  }

  double radius_;
};

/// The vertices have the lengths radius sqrt(k (n - k) / n). A facet lies where the differences
/// have given signs, its normal is the sum of +-(e_{i+1} - e_i), which is longest where the signs
/// alternate: 1 + 4 (n - 2) + 1.
Geometry total_variation_geometry(std::size_t n, double radius) {
  const auto size = static_cast<double>(n);
  const std::size_t k = n / 2;
  const auto half = static_cast<double>(k);
  const double outer = radius * std::sqrt(half * (size - half) / size);
  return {Vector(n, 0.0), std::min(radius / std::sqrt(4 * size - 6), outer), outer, 2 * outer};
}

class TotalVariationBall final : public Set {
 public:
  TotalVariationBall(std::size_t n, double radius)
      : Set(n, n - 1, total_variation_geometry(n, radius)), radius_(radius) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<TotalVariationOracle>(dimension(), radius_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return std::make_unique<TotalVariationSteps>(dimension(), radius_);
  }

  /// The normals of the facets are as long as radius / r, that of the hull is as long as sqrt n.
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension()) return false;
    const double off = std::min(slack() / inner_radius(), 1e-7);
    const double root = std::sqrt(static_cast<double>(x.size()));
    return total_variation(x) <= radius_ * (1 + off) && std::abs(math::sum(x)) <= slack() * root;
  }

  [[nodiscard]] bool can_project() const noexcept override { return true; }
  [[nodiscard]] bool can_gauge() const noexcept override { return true; }

  void flatten(std::span<double> direction) const override { math::subtract_mean(direction); }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return geometry_by_gauge(geometry(), centre, total_variation(centre) / radius_);
  }

  [[nodiscard]] std::string spec() const override {
    return "total_variation_ball(" + std::to_string(dimension()) +
           (radius_ == 1 ? "" : ", radius=" + base::number_text(radius_)) + ")";
  }

 private:
  double radius_;
};

}  // namespace

SetPtr total_variation_ball(std::size_t n, double radius) {
  base::require(n >= 2, "a total variation ball of " + std::to_string(n) +
                            " coordinates is a single point or empty: at least 2 are needed");
  base::require_positive("the radius of a total variation ball", radius);
  return std::make_shared<TotalVariationBall>(n, radius);
}

}  // namespace keyhole::sets
