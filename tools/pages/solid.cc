#include "pages/solid.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace keyhole::pages {
namespace {

/// Adds a point unless it is there.
bool add(std::vector<Point3>& points, const Point3& x, double small) {
  const bool is_new = std::none_of(points.begin(), points.end(), [&](const Point3& y) {
    return dot(x - y, x - y) <= small * small;
  });
  if (is_new) points.push_back(x);
  return is_new;
}

/// In an order that does not depend on the last digits, which ties of the oracle may.
void sort(std::vector<Point3>& points, double small) {
  const auto steps = [&](double c) { return std::llround(c / (8 * small)); };
  std::sort(points.begin(), points.end(), [&](const Point3& x, const Point3& y) {
    return std::array{steps(x[2]), steps(x[1]), steps(x[0])} <
           std::array{steps(y[2]), steps(y[1]), steps(y[0])};
  });
}

std::vector<Point3> answers_to_a_grid(const Farthest3& farthest, int rings, double small) {
  const int around = 2 * rings;
  std::vector<Point3> points;
  for (int i = 0; i < rings; ++i) {
    // Off the equator and the poles, where answers are tied.
    const double height = std::numbers::pi * ((i + 0.513) / rings - 0.5);
    for (int k = 0; k < around; ++k) {
      const double angle = 2 * std::numbers::pi * (k + 0.237) / around;
      const Point3 direction = {std::cos(height) * std::cos(angle),
                                std::cos(height) * std::sin(angle), std::sin(height)};
      add(points, farthest(direction), small);
    }
  }
  return points;
}

/// Those of the points that keep a distance from each other.
std::vector<Point3> thinned(const std::vector<Point3>& points, double distance) {
  std::vector<Point3> kept;
  for (const Point3& x : points) add(kept, x, distance);
  return kept;
}

struct Surface {
  std::vector<Point3> points;
  bool is_curved;
};

/// Points all over the surface. If a finer grid of directions finds the same, they are the vertices
/// of a polytope; else the surface is curved, and they are about as dense as can be seen.
Surface surface_of(const Farthest3& farthest, double size, double small) {
  constexpr std::size_t enough = 700;
  std::vector<Point3> points = answers_to_a_grid(farthest, 23, small);
  std::vector<Point3> finer = answers_to_a_grid(farthest, 47, small);
  sort(finer, small);
  if (3 * finer.size() < 4 * points.size()) return {finer, false};
  sort(points, small);
  std::vector<Point3> kept = thinned(points, 0.035 * size);
  if (kept.size() > enough) return {kept, true};
  kept = thinned(finer, 0.035 * size);  // its extreme points are on curves
  return {kept.size() > enough ? thinned(finer, 0.07 * size) : kept, true};
}

}  // namespace

Solid solid(const Farthest3& farthest, double small) {
  constexpr std::size_t most_points = 850;
  constexpr double visible = 2e-3;  // of the size
  double size = 0;
  for (const double side : {-1.0, 1.0}) {
    for (const Point3& axis : {Point3{side, 0, 0}, Point3{0, side, 0}, Point3{0, 0, side}}) {
      size = std::max(size, dot(axis, farthest(axis)));
    }
  }
  Surface surface = surface_of(farthest, size, small);
  std::vector<Point3>& points = surface.points;
  for (bool complete = false; !complete;) {
    sort(points, small);
    Solid result = convex_hull(points);
    result.is_curved = surface.is_curved;
    complete = true;
    // A facet that is one of the body has nothing beyond it.
    for (const Facet& facet : result.facets) {
      const Point3 x = farthest(facet.normal);
      const double beyond = dot(facet.normal, x - points[facet.corners[0]]);
      if (beyond > visible * size && points.size() < most_points && add(points, x, small)) {
        complete = false;
      }
    }
    if (complete) return result;
  }
  return {};
}

}  // namespace keyhole::pages
