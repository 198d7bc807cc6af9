// Distributions near one that is known, by a divergence from it.

#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "math/span.h"
#include "math/sums.h"
#include "sets/distribution.h"
#include "sets/multiplier.h"
#include "sets/sampled_vertices.h"
#include "sets/settle.h"

namespace keyhole::sets {

/// A step c from q of sum 0 keeps the divergence below its level for ||c||^2 <= inner, and no step
/// within the set is longer than ||c||^2 = outer. No coordinate is below 0 for ||c|| <= min q /
/// sqrt(1 - 1/n), and the vertex of the smallest q_i is the farthest one.
[[nodiscard]] inline Geometry divergence_geometry(const std::vector<double>& q, double inner,
                                                  double outer) {
  const auto n = static_cast<double>(q.size());
  const double least = *std::min_element(q.begin(), q.end());
  const double r = std::min(std::sqrt(inner), least / std::sqrt(1 - 1 / n));
  const double farthest = std::sqrt(math::squared_norm(q) + (1 - 2 * least));
  const double R = std::min(std::sqrt(outer), farthest) * (1 + 1e-14 * n);
  return {q, r, R, std::min(2 * R, std::max(R, std::sqrt(2.0))), false, false};
}

/// The least <costs, x> where the minimiser is a distribution tilted away from costs. A Tilt has
/// tilt(beta, costs, x), which makes x of q and returns its divergence, and slope(beta, costs, x),
/// the derivative of that. The divergence grows with beta, at first as beta^2 / 2 times the
/// variance of the costs under q.
template <class Tilt>
class TiltMethod {
 public:
  TiltMethod(const std::vector<double>& q, double level) : tilt_{q}, level_(level) {}

  /// The root of the divergence is nearly linear in beta near 0, so Newton's steps are taken for
  /// it. x_i / q_i - 1, of the size of that root, has the roundings of numbers about 1: nothing
  /// finer than a few of these is asked for.
  void find(std::span<const double> costs, std::span<double> x) {
    (void)tilt_.tilt(0, costs, x);
    double low = 0;
    double high = std::sqrt(2 * level_ / variance(costs, x));
    while (tilt_.tilt(high, costs, x) < level_) {
      low = high;
      high *= 2;
      if (!(high <= 0x1p60)) return;  // all that costs more than the least has gone
    }
    const double fine =
        std::max(1e-14, 4 * std::numeric_limits<double>::epsilon() / std::sqrt(level_));
    const double beta = multiplier(
        low, high, high,
        [&](double b) {
          const double reached = tilt_.tilt(b, costs, x);
          return 2 * (reached - std::sqrt(reached * level_)) / tilt_.slope(b, costs, x);
        },
        fine);
    (void)tilt_.tilt(beta, costs, x);
  }

  /// The variance of the costs under x.
  [[nodiscard]] static double variance(std::span<const double> costs, std::span<const double> x) {
    const double mean = math::dot(costs, x);
    return math::reduce(
        x.size(), [&](std::size_t i) { return x[i] * (costs[i] - mean) * (costs[i] - mean); });
  }

 private:
  Tilt tilt_;
  double level_;
};

/// What a Divergence tells: its `name` in specs; level(radius), the divergence that a radius
/// stands for; between(x, q), which is convex in x and 0 at q; of_vertex(q_i), that of e_i; a
/// Method(q, level), whose find(costs, x) writes the minimiser for costs from 0 to 1, both of
/// which are there; geometry(q, level).
template <class Divergence>
class DivergenceBallOracle final : public Oracle {
 public:
  DivergenceBallOracle(const Set& set, const std::vector<double>& q, double level)
      : slack_(set.slack()),
        q_(q),
        level_(level),
        method_(q, level),
        costs_(q.size()),
        point_(q.size()) {
    vertex_.dense = point_;
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    const auto least = std::min_element(direction.begin(), direction.end());
    const double width = *std::max_element(direction.begin(), direction.end()) - *least;
    const auto first = static_cast<std::size_t>(least - direction.begin());
    if (Divergence::of_vertex(q_[first]) <= level_) {
      std::fill(point_.begin(), point_.end(), 0.0);
      point_[first] = 1;
      return vertex_;
    }
    if (!(width > 0)) {
      std::copy(q_.begin(), q_.end(), point_.begin());
      return vertex_;
    }
    for (std::size_t i = 0; i < q_.size(); ++i) costs_[i] = (direction[i] - *least) / width;
    method_.find(costs_, point_);
    return vertex_;
  }

  void settle(std::span<double> point) override { settle_signs(point, slack_); }

 private:
  double slack_;
  const std::vector<double>& q_;
  double level_;
  typename Divergence::Method method_;
  std::vector<double> costs_;  // of the direction, from 0 to 1
  std::vector<double> point_;
  Vertex vertex_;
};

template <class Divergence>
class DivergenceBall final : public Set {
 public:
  DivergenceBall(std::vector<double> q, double radius)
      : Set(q.size(), q.size() - 1, Divergence::geometry(q, Divergence::level(radius))),
        q_(std::move(q)),
        radius_(radius) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<DivergenceBallOracle<Divergence>>(*this, q_,
                                                              Divergence::level(radius_));
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return explore_vertices(*this);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension()) return false;
    // The divergence is convex and 0 at q: a move by e out of K adds at least e level / R to it.
    return is_distribution(x, slack()) &&
           Divergence::between(x, q_) <= Divergence::level(radius_) * (1 + membership_tolerance);
  }

  void flatten(std::span<double> direction) const override { math::subtract_mean(direction); }

  [[nodiscard]] std::string spec() const override {
    return Divergence::name + ("(" + base::list_text(q_, false)) + ", " +
           base::number_text(radius_) + ")";
  }

 private:
  std::vector<double> q_;
  double radius_;
};

/// Throws InvalidArgument unless q, of such a `ball`, is a distribution of positive probabilities
/// and the radius is sound: one of `radii`, such as "1 to 2".
void require_divergence_ball(const std::string& ball, std::span<const double> q, double radius,
                             bool is_sound, const std::string& radii);

}  // namespace keyhole::sets
