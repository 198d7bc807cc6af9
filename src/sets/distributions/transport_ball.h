// Distributions near one that is known, by the least cost of moving it there.

#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/exploration.h"
#include "math/span.h"
#include "math/sums.h"
#include "sets/distribution.h"
#include "sets/distributions/cheapest_moves.h"
#include "sets/sampled_vertices.h"
#include "sets/settle.h"

namespace keyhole::sets {

/// Throws InvalidArgument unless q, of such a `ball`, is a distribution of 2 to `most`
/// probabilities.
void require_probabilities(const std::string& ball, std::span<const double> q, std::size_t most);

/// What a Ground tells: the distribution `q` at its places; distance(x), the least cost of moving
/// it to x, which is convex; slope(), such that distance(x + v) <= distance(x) + slope() ||v|| for
/// all v of sum 0; step(), the least cost of moving a unit to another place; Places, whose
/// for_each(i, visit) calls visit(j, cost) for the places j != i by rising costs. It may leave out
/// places at which d, as look_at(d) was told, is no less than at i or at one before.
///
/// p = q + t (u - q) with u uniform, t <= 1, at a distance of at most radius / 2 from q. No more
/// than m = radius / step() of q moves, so that ||x - q|| <= m sqrt 2.
template <class Ground>
Geometry transport_geometry(const Ground& ground, double radius) {
  const std::vector<double>& q = ground.q;
  const auto n = static_cast<double>(q.size());
  std::vector<double> p(q.size(), 1 / n);
  const double of_uniform = ground.distance(p);
  const double t = 2 * of_uniform > radius ? radius / (2 * of_uniform) : 1;
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = q[i] + t * (p[i] - q[i]);

  const double least = *std::min_element(p.begin(), p.end());
  const double r =
      std::min((radius - t * of_uniform) / ground.slope(), least / std::sqrt(1 - 1 / n)) *
      (1 - 1e-12);
  const double moved = std::sqrt(2.0) * std::min(1.0, radius / ground.step());
  const double from_q = std::sqrt(
      math::reduce(p.size(), [&](std::size_t i) { return (p[i] - q[i]) * (p[i] - q[i]); }));
  const double farthest = std::sqrt(math::squared_norm(p) + (1 - 2 * least));
  const double R = std::min(from_q + moved, farthest) * (1 + 1e-12);
  const double D = std::max(R, std::min({2 * R, 2 * moved, std::sqrt(2.0)}));
  return {std::move(p), r, R, D, false, false};
}

template <class Ground>
class TransportBallOracle final : public Oracle {
 public:
  TransportBallOracle(const Set& set, const Ground& ground, double radius)
      : slack_(set.slack()), places_(ground), moves_(ground.q, radius) {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    places_.look_at(direction);
    vertex_.dense = moves_.find(direction, places_);
    return vertex_;
  }

  void settle(std::span<double> point) override { settle_signs(point, slack_); }

 private:
  double slack_;
  typename Ground::Places places_;
  CheapestMoves moves_;
  Vertex vertex_;
};

template <class Ground>
class TransportBall final : public Set {
 public:
  TransportBall(Ground ground, double radius, std::string spec)
      : Set(ground.q.size(), ground.q.size() - 1, transport_geometry(ground, radius)),
        ground_(std::move(ground)),
        radius_(radius),
        spec_(std::move(spec)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<TransportBallOracle<Ground>>(*this, ground_, radius_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return explore_vertices(*this);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension()) return false;
    // The distance is convex and at most radius / 2 at p: a move by e out of K adds at least
    // e radius / (2 R) to it.
    return is_distribution(x, slack()) &&
           ground_.distance(x) <= radius_ * (1 + membership_tolerance);
  }

  void flatten(std::span<double> direction) const override { math::subtract_mean(direction); }

  [[nodiscard]] std::string spec() const override { return spec_; }

 private:
  Ground ground_;
  double radius_;
  std::string spec_;
};

}  // namespace keyhole::sets
