#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/norm_balls.h"
#include "math/programs/row_in_box.h"
#include "math/sums.h"
#include "sets/bounds.h"
#include "sets/fractional_knapsack.h"
#include "sets/sampled_vertices.h"
#include "sets/settle.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// {lower <= x <= upper, sum |x_i| <= radius}, lower <= 0 <= upper.
struct BoxedCross {
  Vector lower;
  Vector upper;
  double radius = 0;

  [[nodiscard]] std::size_t n() const { return lower.size(); }
  /// The magnitude that the bounds allow on the side of a sign.
  [[nodiscard]] double most(std::size_t i, bool above) const {
    return above ? upper[i] : -lower[i];
  }
  [[nodiscard]] static double length(std::span<const double> x) {
    return math::reduce(x.size(), [&](std::size_t i) { return std::abs(x[i]); });
  }
};

class L1BallInBoxOracle final : public Oracle {
 public:
  L1BallInBoxOracle(const Set& set, const BoxedCross& body, double slack)
      : set_(set),
        body_(body),
        slack_(slack),
        zeros_(body.n(), 0.0),
        ones_(body.n(), 1.0),
        most_(body.n()),
        magnitudes_(body.n()),
        greedy_(ones_, most_),
        row_(zeros_, most_, ones_, body.radius),
        indices_(body.n()),
        values_(body.n()) {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    for (std::size_t i = 0; i < direction.size(); ++i) {
      most_[i] = body_.most(i, direction[i] < 0);
      magnitudes_[i] = most_[i] > 0 ? -std::abs(direction[i]) : 0.0;
    }
    std::size_t count = 0;
    greedy_.minimise(magnitudes_, body_.radius, [&](std::size_t i, double magnitude) {
      indices_[count] = i;
      values_[count++] = direction[i] < 0 ? magnitude : -magnitude;
    });
    vertex_ = {{}, std::span(indices_).first(count), std::span(values_).first(count)};
    return vertex_;
  }

  /// The magnitudes go to {0 <= y <= the bounds of their sides, sum y <= radius}; the signs stay.
  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    for (std::size_t i = 0; i < point.size(); ++i) {
      most_[i] = body_.most(i, point[i] > 0);
      magnitudes_[i] = std::abs(point[i]);
    }
    const double sum = math::reduce(
        point.size(), [&](std::size_t i) { return std::min(magnitudes_[i], most_[i]); });
    if (sum > body_.radius) {
      if (!row_.project(magnitudes_, magnitudes_)) return false;
    } else {
      for (std::size_t i = 0; i < point.size(); ++i) {
        magnitudes_[i] = std::min(magnitudes_[i], most_[i]);
      }
    }
    for (std::size_t i = 0; i < point.size(); ++i) {
      nearest[i] = std::copysign(magnitudes_[i], point[i]);
    }
    return true;
  }

  /// The largest of the gauges of the bounds and of the sum, bounds first. That of the sum is 1 / t
  /// for the t with sum |p_i + t (w_i - p_i)| = radius: convex in t and piecewise linear, so that
  /// Newton's steps from above end.
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    const Vector& p = set_.centre();
    std::fill(subgradient.begin(), subgradient.end(), 0.0);
    const auto [gamma, room, first] = farthest_side(p, w, body_.lower, body_.upper);
    if (first == w.size()) return 0;
    const double t = end_of_ray(w);
    if (!(1 > gamma * t)) {
      subgradient[first] = 1 / room;
      return gamma;
    }
    const double along = slope(w, t);  // of the sum, t = 1 / gamma
    for (std::size_t i = 0; i < w.size(); ++i) subgradient[i] = sign(w, i, t) / (along * t);
    return 1 / t;
  }

  void settle(std::span<double> point) override {
    settle_between(point, body_.lower, body_.upper, slack_);
  }

 private:
  [[nodiscard]] double at(std::span<const double> w, std::size_t i, double t) const {
    const double p = set_.centre()[i];
    return p + t * (w[i] - p);
  }
  /// The sign to the left of t.
  [[nodiscard]] double sign(std::span<const double> w, std::size_t i, double t) const {
    const double x = at(w, i, t);
    return x > 0 || (x == 0 && w[i] < set_.centre()[i]) ? 1.0 : -1.0;
  }
  [[nodiscard]] double slope(std::span<const double> w, double t) const {
    return math::reduce(w.size(),
                        [&](std::size_t i) { return sign(w, i, t) * (w[i] - set_.centre()[i]); });
  }
  [[nodiscard]] double end_of_ray(std::span<const double> w) const {
    const std::size_t n = w.size();
    const double speed =
        math::reduce(n, [&](std::size_t i) { return std::abs(w[i] - set_.centre()[i]); });
    double t = (body_.radius + BoxedCross::length(set_.centre())) / speed;
    for (std::size_t step = 0; step <= n; ++step) {
      const double over =
          math::reduce(n, [&](std::size_t i) { return std::abs(at(w, i, t)); }) - body_.radius;
      const double next = t - over / slope(w, t);
      if (!(next < t) || !(next > 0)) break;
      t = next;
    }
    return t;
  }

  const Set& set_;
  const BoxedCross& body_;
  double slack_;
  Vector zeros_;
  Vector ones_;
  Vector most_;  // on the sides of a direction, or of a point
  Vector magnitudes_;
  FractionalKnapsack greedy_;
  math::RowInBox row_;
  std::vector<std::size_t> indices_;
  Vector values_;
  Vertex vertex_;
};

/// The largest ball inside, of radius r: about the point of [lower + r, upper - r] nearest to 0, as
/// far as the sum of its magnitudes leaves r sqrt n.
Vector boxed_cross_centre(const BoxedCross& body) {
  const double root = std::sqrt(static_cast<double>(body.n()));
  return centre_in_box(
      body.lower, body.upper, Vector(body.n(), 0.0), body.radius / root,
      [&](const Vector& p, double r) { return BoxedCross::length(p) + r * root <= body.radius; });
}

/// r from the facets. With m_i the largest |x_i| in K and g_i the larger of upper_i - 2 p_i and
/// 2 p_i - lower_i, no bound taken beyond radius, (x_i - p_i)^2 <= p_i^2 + g_i |x_i|; and |x_i -
/// y_i| is at most the width w_i, and all of them sum to no more than 2 radius:
///
///   R^2 <= ||p||^2 + max of sum g_i z_i over 0 <= z <= m, sum z <= radius,
///   D^2 <= max of sum w_i z_i over 0 <= z <= w, sum z <= 2 radius.
Geometry boxed_cross_geometry(const BoxedCross& body, std::span<const double> p) {
  const std::size_t n = p.size();
  const double root = std::sqrt(static_cast<double>(n));
  double r = (body.radius - BoxedCross::length(p)) / root;
  Vector most(n);
  Vector widths(n);
  Vector gains(n);
  for (std::size_t i = 0; i < n; ++i) {
    r = std::min({r, p[i] - body.lower[i], body.upper[i] - p[i]});
    const double above = std::min(body.upper[i], body.radius);
    const double below = std::min(-body.lower[i], body.radius);
    most[i] = std::max(above, below);
    widths[i] = above + below;
    gains[i] = -std::max(above - 2 * p[i], below + 2 * p[i]);
  }
  const Vector ones(n, 1.0);
  double squared_radius = math::squared_norm(p);
  FractionalKnapsack(ones, most).minimise(gains, body.radius, [&](std::size_t i, double z) {
    squared_radius -= gains[i] * z;
  });
  for (std::size_t i = 0; i < n; ++i) gains[i] = -widths[i];
  double squared_diameter = 0;
  FractionalKnapsack(ones, widths).minimise(gains, 2 * body.radius, [&](std::size_t i, double z) {
    squared_diameter -= gains[i] * z;
  });
  // The roundings of the sums must not make a bound too small.
  const double roundings = 1 + 1e-14 * static_cast<double>(n);
  const double D = std::sqrt(squared_diameter) * roundings;
  const double R = std::min(std::sqrt(squared_radius) * roundings, D);
  return {{p.begin(), p.end()}, r, R, std::min(D, 2 * R), false, false};
}

class L1BallInBox final : public Set {
 public:
  explicit L1BallInBox(BoxedCross body)
      : Set(body.n(), body.n(), boxed_cross_geometry(body, boxed_cross_centre(body))),
        body_(std::move(body)) {
    // A move by a length of e, out of K, changes the sum by e to e sqrt n; this is between the two.
    const double root = std::sqrt(static_cast<double>(dimension()));
    sum_slack_ = slack() * std::sqrt(root) +
                 8 * std::numeric_limits<double>::epsilon() * body_.radius * root;
  }

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<L1BallInBoxOracle>(*this, body_, slack());
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return explore_vertices(*this);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension()) return false;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!(body_.lower[i] <= x[i] && x[i] <= body_.upper[i])) return false;
    }
    return BoxedCross::length(x) <= body_.radius + sum_slack_;
  }

  [[nodiscard]] bool can_project() const noexcept override { return true; }
  [[nodiscard]] bool can_gauge() const noexcept override { return true; }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return boxed_cross_geometry(body_, centre);
  }

  [[nodiscard]] std::string spec() const override {
    return "l1_ball_in_box(" + bounds_text(body_.lower, body_.upper) +
           (body_.radius == 1 ? "" : ", radius=" + base::number_text(body_.radius)) + ")";
  }

 private:
  BoxedCross body_;
  double sum_slack_ = 0;
};

}  // namespace

SetPtr l1_ball_in_box(List<double> lower, List<double> upper, double radius) {
  require_bounds("an l1 ball in a box", lower, upper);
  base::require_positive("the radius of an l1 ball in a box", radius);
  for (std::size_t i = 0; i < lower.size(); ++i) {
    base::require(lower[i] <= 0 && upper[i] >= 0,
                  "coordinate " + std::to_string(i) + " of an l1 ball in a box has the bounds [" +
                      base::number_text(lower[i]) + ", " + base::number_text(upper[i]) +
                      "]: they must have 0 between them; use polytope for others");
  }
  return std::make_shared<L1BallInBox>(
      BoxedCross{Vector(lower.begin(), lower.end()), Vector(upper.begin(), upper.end()), radius});
}

SetPtr l1_ball_in_box(double lower, double upper, std::size_t n, double radius) {
  return l1_ball_in_box(Vector(n, lower), Vector(n, upper), radius);
}

}  // namespace keyhole::sets
