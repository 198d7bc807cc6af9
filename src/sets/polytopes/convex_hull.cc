#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/choices.h"
#include "keyhole/exploration.h"
#include "math/dense.h"
#include "math/span.h"
#include "math/sums.h"
#include "sets/explored_points.h"
#include "sets/inner_ball.h"
#include "sets/nearest_point.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// Beyond so many operations the diameter is not looked for among all pairs.
constexpr double most_pair_work = 4e9;

/// The points in coordinates of their own: v = first point + basis' y, y of the dimension k of
/// their hull.
struct HullCoordinates {
  std::size_t dimension = 0;  // k
  Vector basis;               // k orthonormal rows of n numbers
  std::vector<Vector> points;

  explicit HullCoordinates(const std::vector<Vector>& given) {
    const std::size_t n = given.front().size();
    Vector differences;
    double longest = 0;
    for (const Vector& point : given) {
      Vector away = point;
      math::add(away, -1, given.front());
      longest = std::max(longest, math::norm(away));
      differences.insert(differences.end(), away.begin(), away.end());
    }
    constexpr double nothing = 1e-10;
    basis = math::orthonormal_basis(differences, n, nothing * longest);
    dimension = basis.size() / n;
    for (std::size_t i = 0; i < given.size(); ++i) {
      points.push_back(coordinates(std::span(differences).subspan(i * n, n)));
    }
  }

  [[nodiscard]] Vector coordinates(std::span<const double> away) const {
    Vector y(dimension);
    write_coordinates(away, y);
    return y;
  }
  void write_coordinates(std::span<const double> away, std::span<double> y) const {
    for (std::size_t l = 0; l < y.size(); ++l) {
      y[l] = math::dot(std::span(basis).subspan(l * away.size(), away.size()), away);
    }
  }
  /// x += basis' y.
  void add_back(std::span<const double> y, std::span<double> x) const {
    for (std::size_t l = 0; l < y.size(); ++l) {
      math::add(x, y[l], std::span(basis).subspan(l * x.size(), x.size()));
    }
  }
};

std::size_t distinct(std::vector<Vector> points) {
  std::sort(points.begin(), points.end());
  return static_cast<std::size_t>(std::unique(points.begin(), points.end()) - points.begin());
}

/// The largest distance of two points, `from_centre` being how far each is from a point between
/// them: the farthest first, so that most pairs need no look.
template <class Distance>
double largest_distance(const std::vector<Vector>& points, const Vector& from_centre,
                        const Distance& distance) {
  constexpr double rounding = 1 + 1e-12;
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return from_centre[i] > from_centre[j]; });
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double most = (from_centre[order[i]] + from_centre[order[j]]) * rounding;
      if (most < largest) break;
      largest = std::max(largest, distance(points[order[i]], points[order[j]]));
    }
  }
  return largest;
}

/// R from the points. D from their pairs, if they are not too many.
Geometry hull_geometry(const std::vector<Vector>& points, const HullCoordinates& hull,
                       const InnerBall& ball) {
  Vector centre = points.front();
  hull.add_back(ball.centre, centre);
  Vector away(centre.size());
  const auto distance = [&](const Vector& x, const Vector& y) {
    for (std::size_t i = 0; i < away.size(); ++i) away[i] = x[i] - y[i];
    return math::norm(away);
  };
  Vector from_centre;
  for (const Vector& point : points) from_centre.push_back(distance(point, centre));
  const double R = *std::max_element(from_centre.begin(), from_centre.end());
  const auto count = static_cast<double>(points.size());
  const bool all_pairs = count * count * static_cast<double>(away.size()) <= most_pair_work;
  const double D = all_pairs ? largest_distance(points, from_centre, distance) : 2 * R;
  return {std::move(centre), ball.radius, R, D, true, all_pairs};
}

class ConvexHull final : public Set {
 public:
  ConvexHull(std::vector<Vector> points, HullCoordinates hull, const InnerBall& ball)
      : Set(points.front().size(), hull.dimension, hull_geometry(points, hull, ball)),
        points_(std::move(points)),
        hull_(std::move(hull)),
        weights_(ball.weights) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override;

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return KeptExploration::of(*this, [this] {
      return std::make_shared<const ExploredPoints>(space_of(*this), points_, weights_);
    });
  }

  /// As near to the hull as to its affine hull and, in its coordinates, to the points' hull.
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (x.size() != dimension()) return false;
    Vector away(x.begin(), x.end());
    math::add(away, -1, centre());
    const double distance = math::norm(away);
    if (!(distance <= outer_radius() + tolerance())) return false;
    Vector off = away;
    flatten(off);
    for (std::size_t i = 0; i < off.size(); ++i) off[i] = away[i] - off[i];
    if (!(math::norm(off) <= tolerance())) return false;
    if (distance <= inner_radius()) return true;
    return nearest_point().is_within(coordinates(x), tolerance());
  }

  [[nodiscard]] bool can_project() const noexcept override { return true; }

  void flatten(std::span<double> direction) const override {
    if (hull_dimension() < dimension()) math::project_onto_span(hull_.basis, direction);
  }

  [[nodiscard]] std::string spec() const override {
    Vector all;
    for (const Vector& point : points_) all.insert(all.end(), point.begin(), point.end());
    return "convex_hull(" + base::matrix_text(all, dimension()) + ")";
  }

  [[nodiscard]] const std::vector<Vector>& points() const { return points_; }
  [[nodiscard]] const HullCoordinates& hull() const { return hull_; }

  /// In the hull's coordinates.
  [[nodiscard]] NearestPoint nearest_point() const { return nearest_among(hull_.points); }

  /// The same for the hull of some of the points, which must outlive it.
  [[nodiscard]] NearestPoint nearest_among(const std::vector<Vector>& points) const {
    return {hull_.dimension, diameter(), [&points](std::span<const double> d, std::span<double> v) {
              const Vector& best = first_of_least(points, d);
              std::copy(best.begin(), best.end(), v.begin());
            }};
  }

  [[nodiscard]] Vector coordinates(std::span<const double> x) const {
    Vector away(x.begin(), x.end());
    math::add(away, -1, points_.front());
    return hull_.coordinates(away);
  }

  [[nodiscard]] static const Vector& first_of_least(const std::vector<Vector>& points,
                                                    std::span<const double> d) {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double value = math::dot(points[i], d);
      if (!(value < least)) continue;
      least = value;
      best = i;
    }
    return points[best];
  }

 private:
  [[nodiscard]] double tolerance() const {
    const double roundings = 16 * std::numeric_limits<double>::epsilon() * math::norm(centre());
    return slack() + roundings;
  }

  std::vector<Vector> points_;
  HullCoordinates hull_;
  Vector weights_;
};

class ConvexHullOracle final : public Oracle {
 public:
  explicit ConvexHullOracle(const ConvexHull& set)
      : set_(set),
        nearest_(set.nearest_point()),
        centre_(set.coordinates(set.centre())),
        away_(set.dimension()),
        coordinates_(set.hull_dimension()) {}

  const Vertex& do_minimise(std::span<const double> direction) override {
    vertex_.dense = ConvexHull::first_of_least(set_.points(), direction);
    return vertex_;
  }

  bool do_project(std::span<const double> point, std::span<double> nearest) override {
    const Vector& first = set_.points().front();
    for (std::size_t i = 0; i < away_.size(); ++i) away_[i] = point[i] - first[i];
    set_.hull().write_coordinates(away_, coordinates_);
    constexpr double far = 1024;
    if (distance_of(coordinates_) <= far * set_.outer_radius()) {
      (void)nearest_.find(coordinates_, coordinates_);
    } else {
      find_from_afar(coordinates_);
    }
    std::copy(first.begin(), first.end(), nearest.begin());
    set_.hull().add_back(coordinates_, nearest);
    return true;
  }

 private:
  [[nodiscard]] double distance_of(std::span<const double> z) const {
    return std::sqrt(math::reduce(
        z.size(), [&](std::size_t l) { return (z[l] - centre_[l]) * (z[l] - centre_[l]); }));
  }

  /// Looks at the points only that lie far enough towards z, and at the part of z in their affine
  /// hull. The nearest point x is among these: with c the centre, <z - x, v - x> = 0 for each point
  /// v of which x is made, so <z - c, v - x> = <x - c, v - x> >= -R D, and no point w of the set
  /// has <z - c, w - x> > R D. A z whose products with the differences of the points are at most
  /// 3 R D loses no digits. Unlike from near this allocates.
  void find_from_afar(std::span<double> z) const {
    const std::vector<Vector>& all = set_.hull().points;
    const std::size_t k = z.size();
    Vector towards(z.begin(), z.end());
    math::add(towards, -1, centre_);
    Vector reached(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      reached[i] =
          math::reduce(k, [&](std::size_t l) { return towards[l] * (all[i][l] - centre_[l]); });
    }
    const double farthest = *std::max_element(reached.begin(), reached.end());
    std::vector<Vector> points;
    Vector differences;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (farthest - reached[i] > 3 * set_.outer_radius() * set_.diameter()) continue;
      points.push_back(all[i]);
      Vector away = all[i];
      math::add(away, -1, points.front());
      differences.insert(differences.end(), away.begin(), away.end());
    }
    constexpr double nothing = 1e-10;
    const Vector basis =
        math::orthonormal_basis(std::move(differences), k, nothing * set_.diameter());
    math::add(z, -1, points.front());
    math::project_onto_span(basis, z);
    math::add(z, 1, points.front());
    (void)set_.nearest_among(points).find(z, z);
  }

  const ConvexHull& set_;
  NearestPoint nearest_;
  Vector centre_;
  Vector away_;
  Vector coordinates_;
  Vertex vertex_;
};

std::unique_ptr<Oracle> ConvexHull::make_oracle() const {
  return std::make_unique<ConvexHullOracle>(*this);
}

}  // namespace

SetPtr convex_hull(const std::vector<std::vector<double>>& points) {
  base::require(!points.empty(), "a convex hull needs points, at least two different ones");
  const std::size_t n = points.front().size();
  base::require(n >= 1, "the points of a convex hull need at least one coordinate");
  for (std::size_t i = 0; i < points.size(); ++i) {
    base::require(points[i].size() == n, "point " + std::to_string(i) + " of a convex hull has " +
                                             std::to_string(points[i].size()) +
                                             " coordinates, and the first has " +
                                             std::to_string(n));
    for (const double coordinate : points[i]) {
      base::require(base::is_moderate(coordinate),
                    "point " + std::to_string(i) +
                        " of a convex hull must have coordinates of magnitude "
                        "up to 1e50, not " +
                        base::number_text(coordinate));
    }
  }
  base::require(distinct(points) > 1, "the points of a convex hull are all the same, " +
                                          base::list_text(points.front(), false) +
                                          ": there is nothing to choose");
  HullCoordinates hull(points);
  const InnerBall ball = inner_ball(hull.points);
  auto set = std::make_shared<ConvexHull>(points, std::move(hull), ball);
  base::require(set->inner_radius() >= 1e-6 * set->outer_radius(), hidden_flat);
  return set;
}

}  // namespace keyhole::sets
