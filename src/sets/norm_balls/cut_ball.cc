#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/norm_balls.h"
#include "math/dense.h"
#include "math/quotients.h"
#include "math/sums.h"
#include "sets/bounds.h"
#include "sets/norm_balls/round_part.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// {||x - c|| <= radius, <axis, x - c> <= height}, axis a unit vector, |height| < radius.
struct CutBallBody {
  RoundPart ball;
  Vector axis;
  double height = 0;
  /// As they were given, for the spec.
  Vector normal;
  double offset = 0;

  [[nodiscard]] std::size_t n() const { return axis.size(); }
  /// <axis, x - c>.
  [[nodiscard]] double along(std::span<const double> x) const {
    return math::reduce(x.size(), [&](std::size_t i) { return axis[i] * (x[i] - ball.centre[i]); });
  }
  /// Of the sphere at the height h, within its plane.
  [[nodiscard]] double width(double h) const {
    return std::sqrt((ball.radius - h) * (ball.radius + h));
  }
  /// Takes the part along the axis away from x, which is mostly across it, twice for its digits.
  void make_across(std::span<double> x) const {
    for (int pass = 0; pass < 2; ++pass) math::add(x, -math::dot(axis, x), axis);
  }
};

class CutBallOracle final : public Oracle {
 public:
  CutBallOracle(const Set& set, const CutBallBody& body)
      : set_(set), body_(body), across_(body.n()), point_(body.n()) {
    vertex_.dense = point_;
  }

  const Vertex& do_minimise(std::span<const double> direction) override {
    const double length = math::norm(direction);
    for (std::size_t i = 0; i < across_.size(); ++i) {
      across_[i] = length > 0 ? -direction[i] / length : 0.0;
    }
    if (!(length > 0)) across_[0] = -1;
    const double up = math::dot(body_.axis, across_);
    body_.make_across(across_);
    const double sideways = math::norm(across_);
    const double radius = body_.ball.radius;
    if (radius * up <= body_.height) {
      write(radius * up, radius, point_);
    } else {
      write(body_.height, sideways > 0 ? body_.width(body_.height) / sideways : 0.0, point_);
    }
    return vertex_;
  }

  /// In the half-plane of height and distance from the axis: onto the disc, or the line, if what is
  /// found is within the other, else to where the two meet.
  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    const double length = body_.ball.distance(point);
    const double up = body_.along(point);
    const double radius = body_.ball.radius;
    if (length <= radius && up <= body_.height) {
      std::copy(point.begin(), point.end(), nearest.begin());
      return true;
    }
    for (std::size_t i = 0; i < across_.size(); ++i) {
      across_[i] = length > 0 ? (point[i] - body_.ball.centre[i]) / length : 0.0;
    }
    const double share = math::dot(body_.axis, across_);
    body_.make_across(across_);
    const double sideways = math::norm(across_);
    if (length > radius && radius * share <= body_.height) {
      write(radius * share, radius, nearest);
    } else {
      const double rim = body_.width(body_.height);
      write(body_.height, sideways * length <= rim ? length : rim / sideways, nearest);
    }
    return true;
  }

  /// The larger of the gauges of the ball and of the half-space, of equal ones the ball's.
  double do_gauge(std::span<const double> w, std::span<double> subgradient) override {
    const Vector& p = set_.centre();
    const double gamma = body_.ball.gauge(p, w, subgradient);
    const double room = body_.height - body_.along(p);
    const double of_plane =
        math::reduce(w.size(), [&](std::size_t i) { return body_.axis[i] * (w[i] - p[i]); }) / room;
    if (!(of_plane > gamma)) return gamma;
    for (std::size_t i = 0; i < w.size(); ++i) subgradient[i] = body_.axis[i] / room;
    return of_plane;
  }

 private:
  /// c + up axis + by across. Of a short vector what is across the axis may be roundings, with a
  /// part along it, which must not grow with them.
  void write(double up, double by, std::span<double> x) {
    for (double& coordinate : across_) coordinate *= by;
    body_.make_across(across_);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = body_.ball.centre[i] + (up * body_.axis[i] + across_[i]);
    }
  }

  const Set& set_;
  const CutBallBody& body_;
  Vector across_;
  Vector point_;
  Vertex vertex_;
};

/// With probability n / (n + 1) a point of the circle of the sphere at the height h = min(height,
/// radius / n), uniform on it, else the pole opposite to the plane. With w the probability of the
/// circle and s its radius the covariance is w (1 - w) (h + radius)^2 along the axis and w s^2 / (n
/// - 1) across it; of these distributions it is the one of largest determinant, and for height >=
/// radius / n both are radius^2 / n, as on the whole sphere.
class PoleAndCircle final : public Exploration {
 public:
  PoleAndCircle(const Set& set, const CutBallBody& body) : PoleAndCircle(set, body, Layers(body)) {}

  void draw(const RandomBits& bits, std::span<double> v) override {
    const double up = of_.circle(bits) ? of_.height : -body_.ball.radius;
    unit(bits);
    const double by = of_.circle(bits) ? of_.width : 0.0;
    for (std::size_t i = 0; i < v.size(); ++i) {
      v[i] = body_.ball.centre[i] + (up * body_.axis[i] + by * u_[i]);
    }
  }

  void score(const RandomBits& bits, std::span<double> w) override {
    unit(bits);
    const double up = of_.circle(bits) ? of_.height : -body_.ball.radius;
    const double by = of_.circle(bits) ? of_.width / of_.across : 0.0;
    for (std::size_t i = 0; i < w.size(); ++i) {
      w[i] = (up - of_.mean) / of_.along * body_.axis[i] + by * u_[i];
    }
  }

 private:
  struct Layers {
    double share;   // w
    double height;  // h
    double width;   // s
    double mean;    // of the heights
    double along;   // the variances
    double across;

    explicit Layers(const CutBallBody& body) {
      const auto n = static_cast<double>(body.n());
      share = n / (n + 1);
      height = std::min(body.height, body.ball.radius / n);
      width = body.width(height);
      const double apart = height + body.ball.radius;
      mean = height - apart / (n + 1);
      along = share / (n + 1) * apart * apart;
      across = share * width * width / (n - 1);
    }
    [[nodiscard]] bool circle(const RandomBits& bits) const { return bits.uniform(0) < share; }
  };

  PoleAndCircle(const Set& set, const CutBallBody& body, const Layers& of)
      : Exploration(set, mean_of(body, of), variances(body, of), squared_radius_of(body, of),
                    {.words = 1, .normals = body.n()}),
        body_(body),
        of_(of),
        u_(body.n()) {}

  static Vector mean_of(const CutBallBody& body, const Layers& of) {
    Vector p = body.ball.centre;
    math::add(p, of.mean, body.axis);
    return p;
  }

  static Vector variances(const CutBallBody& body, const Layers& of) {
    Vector result(body.n());
    for (std::size_t i = 0; i < result.size(); ++i) {
      const double share = body.axis[i] * body.axis[i];
      result[i] = share * of.along + std::max(0.0, 1 - share) * of.across;
    }
    return result;
  }

  /// Of a axis + b u, u across the axis: no u_i^2 exceeds 1 - axis_i^2, so neither does it
  /// variance_i / across.
  static double squared_radius_of(const CutBallBody& body, const Layers& of) {
    const Vector variance = variances(body, of);
    const auto n = static_cast<double>(body.n());
    const double of_axis = math::reduce(
        variance.size(), [&](std::size_t i) { return body.axis[i] * body.axis[i] / variance[i]; });
    const double least = *std::min_element(variance.begin(), variance.end());
    const double of_unit = std::min(1 / least, n / of.across);
    const double circle =
        (of.height - of.mean) * std::sqrt(of_axis) + of.width * std::sqrt(of_unit);
    const double pole = (of.mean + body.ball.radius) * std::sqrt(of_axis);
    return std::max(circle * circle, pole * pole) * (1 + 1e-12);
  }

  /// u uniform on the unit sphere across the axis.
  void unit(const RandomBits& bits) {
    std::copy(bits.normals.begin(), bits.normals.end(), u_.begin());
    for (int pass = 0; pass < 2; ++pass) {
      body_.make_across(u_);
      math::divide(u_, math::norm(u_));
    }
  }

  const CutBallBody& body_;
  Layers of_;
  Vector u_;
};

/// All extreme points are on the sphere, so R is exact.
Geometry cut_geometry(const CutBallBody& body, std::span<const double> p) {
  const double radius = body.ball.radius;
  const double off = body.ball.distance(p);
  const double up = body.along(p);
  const double sideways = std::sqrt(std::max(0.0, (off - up) * (off + up)));
  // min <q, x - c> over K for q = p - c: as the oracle finds it.
  const double least = -radius * up <= body.height * off
                           ? -radius * off
                           : body.height * up - body.width(body.height) * sideways;
  return {{p.begin(), p.end()},
          std::min(radius - off, body.height - up),
          std::sqrt(squared_reach(body.ball, p, least)),
          2 * (body.height >= 0 ? radius : body.width(body.height))};
}

/// Half way between the pole and the plane.
Vector cut_centre(const CutBallBody& body) {
  Vector p = body.ball.centre;
  math::add(p, (body.height - body.ball.radius) / 2, body.axis);
  return p;
}

class CutBall final : public Set {
 public:
  explicit CutBall(CutBallBody body)
      : Set(body.n(), body.n(), cut_geometry(body, cut_centre(body))),
        body_(std::move(body)),
        rounding_(8 * std::numeric_limits<double>::epsilon() *
                  (math::norm(body_.ball.centre) + body_.ball.radius)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<CutBallOracle>(*this, body_);
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return std::make_unique<PoleAndCircle>(*this, body_);
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    const double over = slack() + rounding_;
    return x.size() == dimension() && body_.ball.distance(x) <= body_.ball.radius + over &&
           body_.along(x) <= body_.height + over;
  }

  [[nodiscard]] bool can_project() const noexcept override { return true; }
  [[nodiscard]] bool can_gauge() const noexcept override { return true; }

  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return cut_geometry(body_, centre);
  }

  [[nodiscard]] std::string spec() const override {
    const std::string centre = base::list_text(body_.ball.centre, true);
    return "cut_ball(" + base::list_text(body_.normal, false) +
           (body_.offset == 0 ? "" : ", offset=" + base::number_text(body_.offset)) +
           (body_.ball.radius == 1 ? "" : ", radius=" + base::number_text(body_.ball.radius)) +
           (centre == "0" ? "" : ", centre=" + centre) + ")";
  }

 private:
  CutBallBody body_;
  double rounding_;
};

}  // namespace

SetPtr cut_ball(List<double> normal, double offset, double radius, List<double> centre) {
  base::require(normal.size() >= 2, "a cut ball needs at least two dimensions: use box");
  base::require_positive("the radius of a cut ball", radius);
  base::require(base::is_moderate(offset),
                "the offset of a cut ball must be a number of magnitude up to 1e50, not " +
                    base::number_text(offset));
  require_centre("a cut ball", normal.size(), centre);
  for (std::size_t i = 0; i < normal.size(); ++i) {
    base::require(
        base::is_moderate(normal[i]),
        "coordinate " + std::to_string(i) +
            " of the normal of a cut ball must be a number of magnitude up to 1e50, not " +
            base::number_text(normal[i]));
  }
  const double length = math::norm(normal);
  base::require_positive("the length of the normal of a cut ball", length);
  CutBallBody body{{Vector(centre.begin(), centre.end()), radius},
                   Vector(normal.begin(), normal.end()),
                   0,
                   Vector(normal.begin(), normal.end()),
                   offset};
  math::divide(body.axis, length);
  body.height = offset / length - math::dot(body.axis, centre);
  const std::string away = "the plane of a cut ball is " +
                           base::number_text(std::abs(body.height)) +
                           " away from its centre, and the radius is " + base::number_text(radius);
  base::require(body.height < radius, away + ": nothing is cut off, use ball");
  base::require(body.height > -radius, away + ": nothing is left");
  return std::make_shared<CutBall>(std::move(body));
}

SetPtr cut_ball(List<double> normal, double offset, double radius) {
  return cut_ball(normal, offset, radius, Vector(normal.size(), 0.0));
}

}  // namespace keyhole::sets
