#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/choices.h"
#include "keyhole/exploration.h"
#include "math/elementary.h"
#include "math/span.h"
#include "math/sums.h"
#include "sets/distribution.h"
#include "sets/multiplier.h"
#include "sets/sampled_vertices.h"
#include "sets/settle.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// t log t - t + 1 >= 0, with all its digits near t = 1 by the series in t - 1.
double entropy_term(double t) {
  if (!(t > 0)) return 1;
  const double s = t - 1;
  if (std::abs(s) > 0.1) return t * math::log(t) - s;
  double sum = 0;
  constexpr int terms = 18;
  for (int k = terms; k >= 2; --k) sum = 1.0 / (k * (k - 1)) - s * sum;
  return s * s * sum;
}

/// sum x_i log(x_i / q_i), as sum q_i f(x_i / q_i) with f >= 0: the same for sum x = sum q.
double divergence(std::span<const double> x, std::span<const double> q) {
  return math::reduce(x.size(), [&](std::size_t i) { return q[i] * entropy_term(x[i] / q[i]); });
}

class KlBallOracle final : public Oracle {
 public:
  KlBallOracle(const Set& set, const Vector& q, double radius)
      : slack_(set.slack()), q_(q), radius_(radius), costs_(q.size()), point_(q.size()) {
    vertex_.dense = point_;
  }

  /// x_i = q_i exp(-beta d_i) / sum for the beta at which the divergence is the radius; it grows
  /// with beta, by beta times the variance of d under x.
  const Vertex& do_minimise(std::span<const double> direction) override {
    const auto least = std::min_element(direction.begin(), direction.end());
    const double width = *std::max_element(direction.begin(), direction.end()) - *least;
    const auto first = static_cast<std::size_t>(least - direction.begin());
    if (-math::log(q_[first]) <= radius_) {
      std::fill(point_.begin(), point_.end(), 0.0);
      point_[first] = 1;
      return vertex_;
    }
    if (!(width > 0)) {
      std::copy(q_.begin(), q_.end(), point_.begin());
      return vertex_;
    }
    for (std::size_t i = 0; i < q_.size(); ++i) costs_[i] = (direction[i] - *least) / width;
    find_tilt();
    return vertex_;
  }

  void settle(std::span<double> point) override { settle_signs(point, slack_); }

 private:
  /// point = the tilted distribution; its divergence.
  double tilt(double beta) {
    for (std::size_t i = 0; i < q_.size(); ++i) point_[i] = q_[i] * math::exp(-beta * costs_[i]);
    const double sum = math::sum(point_);
    for (double& x : point_) x /= sum;
    return divergence(point_, q_);
  }

  /// The variance of the costs under the point.
  [[nodiscard]] double variance() const {
    const double mean = math::dot(costs_, point_);
    return math::reduce(q_.size(), [&](std::size_t i) {
      return point_[i] * (costs_[i] - mean) * (costs_[i] - mean);
    });
  }

  /// The root of the divergence is nearly linear in beta near 0, so Newton's steps are taken for
  /// it.
  void find_tilt() {
    (void)tilt(0);
    double low = 0;
    double high = std::sqrt(2 * radius_ / variance());
    while (tilt(high) < radius_) {
      low = high;
      high *= 2;
      if (!(high <= 0x1p60)) return;  // all that costs more than the least has gone
    }
    const double beta = multiplier(
        low, high, high,
        [&](double x) {
          const double reached = tilt(x);
          return 2 * (reached - std::sqrt(reached * radius_)) / (x * variance());
        },
        1e-14);
    (void)tilt(beta);
  }

  double slack_;
  const Vector& q_;
  double radius_;
  Vector costs_;  // of the direction, from 0 to 1
  Vector point_;
  Vertex vertex_;
};

/// With c = x - q of sum 0: the divergence is at most log(1 + sum c_i^2 / q_i) (Gibbs, Su 2002), so
/// it is at most the radius for ||c||^2 <= (exp(radius) - 1) min q; no coordinate is below 0 for
/// ||c|| <= min q / sqrt(1 - 1/n). And ||c||^2 <= (sum |c_i|)^2 / 2 <= radius (Pinsker).
Geometry kl_geometry(const Vector& q, double radius) {
  const auto n = static_cast<double>(q.size());
  const double least = *std::min_element(q.begin(), q.end());
  const double growth = std::max(radius, math::exp(std::min(radius, 700.0)) - 1);
  const double r = std::min(std::sqrt(growth * least), least / std::sqrt(1 - 1 / n));
  // The vertex of the smallest q_i is the farthest one.
  const double farthest = std::sqrt(math::squared_norm(q) + (1 - 2 * least));
  const double R = std::min(std::sqrt(radius), farthest) * (1 + 1e-14 * n);
  return {q, r, R, std::min(2 * R, std::max(R, std::sqrt(2.0))), false, false};
}

class KlBall final : public Set {
 public:
  KlBall(Vector q, double radius)
      : Set(q.size(), q.size() - 1, kl_geometry(q, radius)), q_(std::move(q)), radius_(radius) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<KlBallOracle>(*this, q_, radius_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return explore_vertices(*this);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension()) return false;
    // The divergence is convex and 0 at q: a move by e out of K adds at least e radius / R to it.
    return is_distribution(x, slack()) && divergence(x, q_) <= radius_ * (1 + membership_tolerance);
  }

  void flatten(std::span<double> direction) const override { math::subtract_mean(direction); }

  [[nodiscard]] std::string spec() const override {
    return "kl_ball(" + base::list_text(q_, false) + ", " + base::number_text(radius_) + ")";
  }

 private:
  Vector q_;
  double radius_;
};

}  // namespace

SetPtr kl_ball(List<double> distribution, double radius) {
  base::require(distribution.size() >= 2,
                "a KL ball needs a distribution of at least 2 probabilities, not " +
                    std::to_string(distribution.size()));
  for (std::size_t i = 0; i < distribution.size(); ++i) {
    base::require(distribution[i] >= 1e-9 && distribution[i] <= 1,
                  "probability " + std::to_string(i) +
                      " of a KL ball must be a number from 1e-9 to 1, not " +
                      base::number_text(distribution[i]) + ": leave out what cannot happen");
  }
  const double sum = math::sum(distribution);
  base::require(std::abs(sum - 1) <= 1e-12,
                "the probabilities of a KL ball sum to " + base::number_text(sum) + ", not to 1");
  base::require(radius >= 1e-10 && base::is_moderate(radius),
                "the radius of a KL ball must be a number from 1e-10 to 1e50, not " +
                    base::number_text(radius));
  return std::make_shared<KlBall>(Vector(distribution.begin(), distribution.end()), radius);
}

}  // namespace keyhole::sets
