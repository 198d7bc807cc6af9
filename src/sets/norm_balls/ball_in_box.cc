#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/norm_balls.h"
#include "math/sums.h"
#include "sets/bounds.h"
#include "sets/norm_balls/round_part.h"
#include "sets/sampled_vertices.h"
#include "sets/settle.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// {lower <= x <= upper, ||x - c|| <= radius}.
struct BoxedBall {
  Vector lower;
  Vector upper;
  RoundPart ball;

  [[nodiscard]] std::size_t n() const { return lower.size(); }
  [[nodiscard]] double clamped(std::size_t i, double x) const {
    return std::clamp(x, lower[i], upper[i]);
  }
};

/// The path x(t) = clamp(c + t e), t >= 0. No coordinate of it comes nearer to c, so it leaves the
/// ball once. By the conditions of Karush, Kuhn and Tucker its last point within the ball is the
/// one of largest <e, x>; and if that has t <= 1, the one nearest to c + e. One a thread.
class PathInBox {
 public:
  explicit PathInBox(const BoxedBall& set) : set_(set), breakpoints_(2 * set.n()) {}

  /// The largest t <= most, which may be infinite, with x(t) in the ball.
  double last(std::span<const double> e, double most) {
    const double squared_radius = set_.ball.radius * set_.ball.radius;
    if (squared_distance(e, most) <= squared_radius) return most;
    std::size_t count = 0;
    for (std::size_t i = 0; i < e.size(); ++i) {
      for (const double end : {enters(e, i), leaves(e, i)}) {
        if (end > 0 && end < most) breakpoints_[count++] = end;
      }
    }
    const auto begin = breakpoints_.begin();
    const auto end = begin + static_cast<std::ptrdiff_t>(count);
    std::sort(begin, end);
    const auto first_outside = std::partition_point(
        begin, end, [&](double t) { return squared_distance(e, t) <= squared_radius; });
    // Up to there, from the breakpoint before on, ||x(t) - c||^2 = a + b t^2.
    const double to = first_outside == end ? most : *first_outside;
    const double from = first_outside == begin ? 0.0 : *(first_outside - 1);
    const auto moves = [&](std::size_t i) { return enters(e, i) <= from && leaves(e, i) >= to; };
    const double a = math::reduce(e.size(), [&](std::size_t i) {
      const double off = set_.clamped(i, set_.ball.centre[i] + product(from, e[i])) - centre(i);
      return moves(i) ? 0.0 : off * off;
    });
    const double b =
        math::reduce(e.size(), [&](std::size_t i) { return moves(i) ? e[i] * e[i] : 0.0; });
    const double t = std::sqrt(std::max(0.0, squared_radius - a) / b);
    return b > 0 ? std::clamp(t, from, to) : from;
  }

  [[nodiscard]] double at(std::span<const double> e, std::size_t i, double t) const {
    return set_.clamped(i, centre(i) + product(t, e[i]));
  }

 private:
  [[nodiscard]] double centre(std::size_t i) const { return set_.ball.centre[i]; }
  /// 0 infinity = 0: where e_i is 0 the coordinate stays.
  static double product(double t, double e) { return e == 0 ? 0.0 : t * e; }
  [[nodiscard]] double enters(std::span<const double> e, std::size_t i) const {
    if (e[i] == 0) return std::numeric_limits<double>::infinity();
    return ((e[i] > 0 ? set_.lower[i] : set_.upper[i]) - centre(i)) / e[i];
  }
  [[nodiscard]] double leaves(std::span<const double> e, std::size_t i) const {
    if (e[i] == 0) return 0;
    return ((e[i] > 0 ? set_.upper[i] : set_.lower[i]) - centre(i)) / e[i];
  }
  [[nodiscard]] double squared_distance(std::span<const double> e, double t) const {
    return math::reduce(e.size(), [&](std::size_t i) {
      const double off = at(e, i, t) - centre(i);
      return off * off;
    });
  }

  const BoxedBall& set_;
  Vector breakpoints_;
};

class BallInBoxOracle final : public Oracle {
 public:
  BallInBoxOracle(const Set& set, const BoxedBall& body, double slack)
      : set_(set), body_(body), slack_(slack), path_(body), step_(body.n()), point_(body.n()) {
    vertex_.dense = point_;
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    const double largest = math::largest_magnitude(direction);
    for (std::size_t i = 0; i < step_.size(); ++i) {
      step_[i] = largest > 0 ? -direction[i] / largest : 0.0;
    }
    if (!(largest > 0)) step_[0] = -1;
    follow(std::numeric_limits<double>::infinity(), point_);
    return vertex_;
  }

  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    for (std::size_t i = 0; i < step_.size(); ++i) step_[i] = point[i] - body_.ball.centre[i];
    follow(1, nearest);
    return true;
  }

  /// The largest of the gauges of the ball and of the bounds, the ball first.
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    const Vector& p = set_.centre();
    const double of_ball = body_.ball.gauge(p, w, subgradient);
    const FarthestSide side = farthest_side(p, w, body_.lower, body_.upper, of_ball);
    if (side.coordinate < w.size()) {
      std::fill(subgradient.begin(), subgradient.end(), 0.0);
      subgradient[side.coordinate] = 1 / side.room;
    }
    return side.gauge;
  }

  void settle(std::span<double> point) override {
    settle_between(point, body_.lower, body_.upper, slack_);
  }

 private:
  void follow(double most, std::span<double> x) {
    const double t = path_.last(step_, most);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = path_.at(step_, i, t);
  }

  const Set& set_;
  const BoxedBall& body_;
  double slack_;
  PathInBox path_;
  Vector step_;
  Vector point_;
  Vertex vertex_;
};

double least_room(const BoxedBall& body, std::span<const double> p) {
  double r = body.ball.radius - body.ball.distance(p);
  for (std::size_t i = 0; i < p.size(); ++i) {
    r = std::min({r, p[i] - body.lower[i], body.upper[i] - p[i]});
  }
  return r;
}

/// The largest ball inside, of radius r: about the point of [lower + r, upper - r] nearest to c, as
/// far as that is no farther from c than radius - r.
Vector boxed_centre(const BoxedBall& body) {
  return centre_in_box(
      body.lower, body.upper, body.ball.centre, body.ball.radius,
      [&](const Vector& p, double r) { return body.ball.distance(p) + r <= body.ball.radius; });
}

/// R and D by the ball or by the box, whichever is smaller.
Geometry boxed_geometry(const BoxedBall& body, std::span<const double> p) {
  const std::size_t n = p.size();
  const double farthest = math::reduce(n, [&](std::size_t i) {
    const double off = std::max(p[i] - body.lower[i], body.upper[i] - p[i]);
    return off * off;
  });
  const double widest = math::reduce(n, [&](std::size_t i) {
    const double width = body.upper[i] - body.lower[i];
    return width * width;
  });
  Vector towards(n);  // c - p
  for (std::size_t i = 0; i < n; ++i) towards[i] = body.ball.centre[i] - p[i];
  PathInBox path(body);
  const double t = path.last(towards, std::numeric_limits<double>::infinity());
  const double least = -math::reduce(n, [&](std::size_t i) {
    return towards[i] * (path.at(towards, i, t) - body.ball.centre[i]);
  });
  // The roundings of the sums must not make a bound too small.
  const double roundings = 1 + 1e-14 * static_cast<double>(n);
  const double D =
      std::min({std::sqrt(widest), 2 * body.ball.radius, 2 * std::sqrt(farthest)}) * roundings;
  const double squared = std::min(farthest, squared_reach(body.ball, p, least));
  const double R = std::min(std::sqrt(squared) * roundings, D);
  return {{p.begin(), p.end()}, least_room(body, p), R, std::min(D, 2 * R), false, false};
}

class BallInBox final : public Set {
 public:
  explicit BallInBox(BoxedBall body)
      : Set(body.n(), body.n(), boxed_geometry(body, boxed_centre(body))),
        body_(std::move(body)),
        rounding_(
            8 * std::numeric_limits<double>::epsilon() *
            std::max({math::largest_magnitude(body_.lower), math::largest_magnitude(body_.upper),
                      math::largest_magnitude(body_.ball.centre), body_.ball.radius})) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<BallInBoxOracle>(*this, body_, slack() + rounding_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return explore_vertices(*this);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension()) return false;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!(body_.lower[i] <= x[i] && x[i] <= body_.upper[i])) return false;
    }
    return body_.ball.distance(x) <= body_.ball.radius + slack() + rounding_;
  }

  [[nodiscard]] bool can_project() const noexcept override { return true; }
  [[nodiscard]] bool can_gauge() const noexcept override { return true; }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return boxed_geometry(body_, centre);
  }

  [[nodiscard]] std::string spec() const override {
    const std::string centre = base::list_text(body_.ball.centre, true);
    return "ball_in_box(" + bounds_text(body_.lower, body_.upper) +
           (body_.ball.radius == 1 ? "" : ", radius=" + base::number_text(body_.ball.radius)) +
           (centre == "0" ? "" : ", centre=" + centre) + ")";
  }

 private:
  BoxedBall body_;
  double rounding_;
};

}  // namespace

SetPtr ball_in_box(List<double> lower, List<double> upper, double radius, List<double> centre) {
  require_bounds("a ball in a box", lower, upper);
  base::require_positive("the radius of a ball in a box", radius);
  require_centre("a ball in a box", lower.size(), centre);
  BoxedBall body{Vector(lower.begin(), lower.end()),
                 Vector(upper.begin(), upper.end()),
                 {Vector(centre.begin(), centre.end()), radius}};
  Vector nearest(body.n());
  for (std::size_t i = 0; i < nearest.size(); ++i) nearest[i] = body.clamped(i, centre[i]);
  const double away = body.ball.distance(nearest);
  base::require(away < radius, "the box of a ball in a box is " + base::number_text(away) +
                                   " away from the centre of the ball, whose radius is " +
                                   base::number_text(radius) + ": they have nothing in common");
  return std::make_shared<BallInBox>(std::move(body));
}

SetPtr ball_in_box(double lower, double upper, std::size_t n, double radius) {
  return ball_in_box(Vector(n, lower), Vector(n, upper), radius, Vector(n, 0.0));
}

}  // namespace keyhole::sets
