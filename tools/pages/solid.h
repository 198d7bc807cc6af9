#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

namespace keyhole::pages {

using Point3 = std::array<double, 3>;

Point3 operator-(const Point3& a, const Point3& b);
double dot(const Point3& a, const Point3& b);
Point3 cross(const Point3& a, const Point3& b);
/// Of length 1.
Point3 unit(const Point3& a);

/// The farthest point of a convex body along a direction.
using Farthest3 = std::function<Point3(const Point3& direction)>;

/// A flat face: its corners, counterclockwise from outside.
struct Facet {
  std::vector<std::size_t> corners;
  Point3 normal;
};

/// Where two faces meet.
struct Crease {
  std::array<std::size_t, 2> ends;
  std::array<std::size_t, 2> facets;
};

/// A convex polyhedron.
struct Solid {
  std::vector<Point3> points;
  std::vector<Facet> facets;
  std::vector<Crease> creases;
  /// Whether it stands for a body with a curved surface.
  bool is_curved = false;
};

/// The convex hull of points, which are extreme points of their hull; facets that are parallel to
/// 1e-3 are one. Creases are all pairs of neighbours.
[[nodiscard]] Solid convex_hull(const std::vector<Point3>& points);

/// The body as a polyhedron with corners on its surface: exactly if it is a polytope, else with a
/// grid of them. Lengths below `small` are taken for rounding.
[[nodiscard]] Solid solid(const Farthest3& farthest, double small);

}  // namespace keyhole::pages
