// Distributions on a line that are near one that is known, by the cost of moving it there.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/choices.h"
#include "keyhole/exploration.h"
#include "math/span.h"
#include "math/sums.h"
#include "sets/distribution.h"
#include "sets/sampled_vertices.h"
#include "sets/settle.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

constexpr std::size_t most_places = 2000;
/// Moves that an oracle has room for at first: all that there can be of 256 places.
constexpr std::size_t most_reserved = 65536;

/// A distribution q at rising places s.
struct Line {
  Vector q;
  Vector places;

  [[nodiscard]] std::size_t size() const { return q.size(); }
  [[nodiscard]] double length() const { return places.back() - places.front(); }

  /// The cost of moving q to x: what passes from each place to the next, either way, times the
  /// distance between them.
  [[nodiscard]] double distance(std::span<const double> x) const {
    double passed = 0;
    double cost = 0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      passed += q[i] - x[i];
      cost += std::abs(passed) * (places[i + 1] - places[i]);
    }
    return cost;
  }
};

/// What moves from one place to another, on its way from its own, and what a unit of cost saves.
struct Move {
  std::size_t origin;
  std::size_t to;
  double cost;
  double saving;
};

/// What q_i is worth at place j, against the cost of moving it there: only the lower hull of these
/// points counts. Its edges, of all places i, are taken in the order of what a unit of cost saves,
/// until the radius is used up: a fractional knapsack with several choices (Zemel 1980).
class WassersteinBallOracle final : public Oracle {
 public:
  WassersteinBallOracle(const Set& set, const Line& line, double radius)
      : Oracle(set),
        slack_(set.slack()),
        line_(line),
        radius_(radius),
        ends_(line.size()),
        point_(line.size()) {
    moves_.reserve(std::min(line.size() * line.size(), most_reserved));
    vertex_.dense = point_;
  }

  const Vertex& minimise(std::span<const double> direction) override {
    moves_.clear();
    for (std::size_t i = 0; i < line_.size(); ++i) {
      ends_[i] = i;
      if (line_.q[i] > 0) add_moves(i, direction);
    }
    // Those of one place save less and less, so they keep their order.
    std::sort(moves_.begin(), moves_.end(), [](const Move& a, const Move& b) {
      return a.saving != b.saving ? a.saving > b.saving : a.origin < b.origin;
    });
    std::fill(point_.begin(), point_.end(), 0.0);
    double left = radius_;
    for (const Move& move : moves_) {
      const double cost = line_.q[move.origin] * move.cost;
      if (cost > left) {  // a part of it goes, and nothing after it
        const double part = line_.q[move.origin] * (left / cost);
        point_[move.to] += part;
        point_[ends_[move.origin]] -= part;
        break;
      }
      left -= cost;
      ends_[move.origin] = move.to;
    }
    // What is there comes last: a place that a part leaves has that much.
    for (std::size_t i = 0; i < line_.size(); ++i) point_[ends_[i]] += line_.q[i];
    for (double& x : point_) x = std::max(x, 0.0);
    return vertex_;
  }

  void settle(std::span<double> point) override { settle_signs(point, slack_); }

 private:
  /// The places by their distance from i: the nearer one of the next on either side, of two equally
  /// near the cheaper.
  void add_moves(std::size_t i, std::span<const double> d) {
    const std::size_t first = moves_.size();
    const auto distance = [&](std::size_t j) {
      return std::abs(line_.places[j] - line_.places[i]);
    };
    std::size_t low = i;  // the places low, ..., high - 1 have been looked at
    std::size_t high = i + 1;
    while (low > 0 || high < line_.size()) {
      const bool is_low_next =
          low > 0 && (high == line_.size() || distance(low - 1) <= distance(high));
      const std::size_t j = is_low_next ? --low : high++;
      add_to_hull(first, {i, j, distance(j), 0}, d);
    }
    // From the distances from i to those of the edges.
    for (std::size_t k = moves_.size(); k-- > first + 1;) moves_[k].cost -= moves_[k - 1].cost;
  }

  /// In the hull so far, `cost` is the distance from the origin.
  void add_to_hull(std::size_t first, Move move, std::span<const double> d) {
    while (true) {
      const bool is_first = moves_.size() == first;
      const std::size_t from = is_first ? move.origin : moves_.back().to;
      const double width = move.cost - (is_first ? 0 : moves_.back().cost);
      const double gain = d[from] - d[move.to];
      if (!(gain > 0)) return;
      if (width > 0) {
        move.saving = gain / width;
        if (is_first || move.saving < moves_.back().saving) break;
      }
      moves_.pop_back();
    }
    moves_.push_back(move);
  }

  double slack_;
  const Line& line_;
  double radius_;
  std::vector<Move> moves_;
  std::vector<std::size_t> ends_;  // where what was at a place is now
  Vector point_;
  Vertex vertex_;
};

/// p = q + t (u - q) with u uniform, t <= 1, at a distance of at most radius / 2 from q. The
/// distance to p + v is at most that to p and max <g, v> over functions g that grow by at most 1 a
/// unit, at most ||v|| times the length of the places about their mean. No more than m =
/// radius / (the smallest step) of q moves, so that ||x - q|| <= m sqrt 2.
Geometry wasserstein_geometry(const Line& line, double radius) {
  const auto n = static_cast<double>(line.size());
  Vector p(line.size(), 1 / n);
  const double of_uniform = line.distance(p);
  const double t = 2 * of_uniform > radius ? radius / (2 * of_uniform) : 1;
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = line.q[i] + t * (p[i] - line.q[i]);

  Vector about_mean = line.places;
  math::subtract_mean(about_mean);
  const double least = *std::min_element(p.begin(), p.end());
  const double r =
      std::min((radius - t * of_uniform) / math::norm(about_mean), least / std::sqrt(1 - 1 / n)) *
      (1 - 1e-12);

  double step = line.length();
  for (std::size_t i = 1; i < line.size(); ++i) {
    step = std::min(step, line.places[i] - line.places[i - 1]);
  }
  const double moved = std::sqrt(2.0) * std::min(1.0, radius / step);
  const double from_q = std::sqrt(math::reduce(
      p.size(), [&](std::size_t i) { return (p[i] - line.q[i]) * (p[i] - line.q[i]); }));
  const double farthest = std::sqrt(math::squared_norm(p) + (1 - 2 * least));
  const double R = std::min(from_q + moved, farthest) * (1 + 1e-12);
  const double D = std::max(R, std::min({2 * R, 2 * moved, std::sqrt(2.0)}));
  return {std::move(p), r, R, D, false, false};
}

class WassersteinBall final : public Set {
 public:
  WassersteinBall(Line line, double radius, std::string spec)
      : Set(line.size(), line.size() - 1, wasserstein_geometry(line, radius)),
        line_(std::move(line)),
        radius_(radius),
        spec_(std::move(spec)) {}

  [[nodiscard]] std::unique_ptr<Oracle> oracle() const override {
    return std::make_unique<WassersteinBallOracle>(*this, line_, radius_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return explore_vertices(*this);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension()) return false;
    // The distance is convex and at most radius / 2 at p: a move by e out of K adds at least
    // e radius / (2 R) to it.
    return is_distribution(x, slack()) && line_.distance(x) <= radius_ * (1 + membership_tolerance);
  }

  void flatten(std::span<double> direction) const override { math::subtract_mean(direction); }

  [[nodiscard]] std::string spec() const override { return spec_; }

 private:
  Line line_;
  double radius_;
  std::string spec_;
};

void require_line(const Line& line) {
  base::require(line.size() >= 2 && line.size() <= most_places,
                "a Wasserstein ball needs a distribution of 2 to " + std::to_string(most_places) +
                    " probabilities, not " + std::to_string(line.size()));
  for (std::size_t i = 0; i < line.size(); ++i) {
    base::require(line.q[i] >= 0 && line.q[i] <= 1,
                  "probability " + std::to_string(i) +
                      " of a Wasserstein ball must be a number from 0 to 1, not " +
                      base::number_text(line.q[i]));
  }
  const double sum = math::sum(line.q);
  base::require(std::abs(sum - 1) <= 1e-12, "the probabilities of a Wasserstein ball sum to " +
                                                base::number_text(sum) + ", not to 1");
  base::require(line.places.size() == line.size(),
                "a Wasserstein ball needs a place for each of its " + std::to_string(line.size()) +
                    " probabilities, not " + std::to_string(line.places.size()));
  for (std::size_t i = 0; i < line.size(); ++i) {
    base::require(
        base::is_moderate(line.places[i]) && (i == 0 || line.places[i] > line.places[i - 1]),
        "the places of a Wasserstein ball must rise, but place " + std::to_string(i) + " is " +
            base::number_text(line.places[i]));
  }
}

SetPtr make_wasserstein_ball(Line line, double radius, bool tell_places) {
  require_line(line);
  const double least = 1e-4 * line.length();
  base::require(
      radius >= least && base::is_moderate(radius),
      "the radius of a Wasserstein ball must be at least 1e-4 of the length of its line, " +
          base::number_text(least) + ", and at most 1e50, not " + base::number_text(radius));
  std::string spec =
      "wasserstein_ball(" + base::list_text(line.q, false) + ", " + base::number_text(radius);
  if (tell_places) spec += ", places=" + base::list_text(line.places, false);
  return std::make_shared<WassersteinBall>(std::move(line), radius, spec + ")");
}

Vector whole_places(std::size_t n) {
  Vector places(n);
  for (std::size_t i = 0; i < n; ++i) places[i] = static_cast<double>(i);
  return places;
}

}  // namespace

SetPtr wasserstein_ball(List<double> distribution, double radius, List<double> places) {
  Line line{{distribution.begin(), distribution.end()}, {places.begin(), places.end()}};
  const bool are_whole = line.places == whole_places(line.size());
  return make_wasserstein_ball(std::move(line), radius, !are_whole);
}

SetPtr wasserstein_ball(List<double> distribution, double radius) {
  return make_wasserstein_ball(
      {{distribution.begin(), distribution.end()}, whole_places(distribution.size())}, radius,
      false);
}

}  // namespace keyhole::sets
