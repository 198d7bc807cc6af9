// The convex hull of a few hundred points in space, one after the other: a point that sees faces
// takes their place (Barber, Dobkin, Huhdanpaa, "The quickhull algorithm for convex hulls", 1996,
// without the lists of points). The points are shaken a little first, so that no four of them are
// in a plane, and triangles in the same plane are joined afterwards.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>

#include "pages/solid.h"

namespace keyhole::pages {
namespace {

using Edge = std::array<std::size_t, 2>;

constexpr double parallel = 1e-3;

struct Triangle {
  std::array<std::size_t, 3> corners;
  Point3 normal;
};

double size_of(const std::vector<Point3>& points) {
  double size = 0;
  for (const Point3& x : points) size = std::max(size, std::sqrt(dot(x, x)));
  return size;
}

/// Moved by up to 1e-9 of their size, always alike.
std::vector<Point3> shaken(std::vector<Point3> points) {
  const double amount = 1e-9 * size_of(points);
  std::uint64_t state = 1;
  for (Point3& x : points) {
    for (double& c : x) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      c += amount * (static_cast<double>(state >> 11U) * 0x1p-52 - 1);
    }
  }
  return points;
}

class Hull {
 public:
  explicit Hull(const std::vector<Point3>& points)
      : points_(shaken(points)), rounding_(1e-14 * size_of(points)) {
    if (!start()) return;
    for (std::size_t k = 0; k < points_.size(); ++k) add(k);
  }

  [[nodiscard]] const std::vector<Triangle>& triangles() const { return triangles_; }

 private:
  [[nodiscard]] Triangle triangle(std::size_t a, std::size_t b, std::size_t c) const {
    return {{a, b, c}, unit(cross(points_[b] - points_[a], points_[c] - points_[a]))};
  }

  [[nodiscard]] double height(const Triangle& t, std::size_t k) const {
    return dot(t.normal, points_[k] - points_[t.corners[0]]);
  }

  template <class Value>
  [[nodiscard]] std::size_t largest(Value value) const {
    std::size_t best = 0;
    for (std::size_t k = 1; k < points_.size(); ++k) {
      if (value(points_[k]) > value(points_[best])) best = k;
    }
    return best;
  }

  /// A tetrahedron of far points; false if there is none.
  bool start() {
    if (points_.size() < 4) return false;
    const std::size_t a = largest([](const Point3& x) { return x[0]; });
    const auto from_a = [&](const Point3& x) { return dot(x - points_[a], x - points_[a]); };
    const std::size_t b = largest(from_a);
    const auto from_line = [&](const Point3& x) {
      const Point3 area = cross(x - points_[a], points_[b] - points_[a]);
      return dot(area, area);
    };
    const std::size_t c = largest(from_line);
    const Triangle base = triangle(a, b, c);
    const std::size_t d =
        largest([&](const Point3& x) { return std::abs(dot(base.normal, x - points_[a])); });
    const double above = height(base, d);
    if (!(std::abs(above) > 1e-6 * size_of(points_))) return false;
    const std::size_t left = above < 0 ? b : c;
    const std::size_t right = above < 0 ? c : b;
    // Seen from outside, the base turns clockwise as seen from d.
    triangles_ = {triangle(a, left, right), triangle(a, right, d), triangle(right, left, d),
                  triangle(left, a, d)};
    return true;
  }

  void add(std::size_t k) {
    const auto seen =
        std::stable_partition(triangles_.begin(), triangles_.end(),
                              [&](const Triangle& t) { return height(t, k) <= rounding_; });
    std::set<Edge> edges;
    for (auto t = seen; t != triangles_.end(); ++t) {
      for (std::size_t i = 0; i < 3; ++i) {
        if (t->corners[i] == k || t->corners[(i + 1) % 3] == k) return;  // rounding of its own
        edges.insert({t->corners[i], t->corners[(i + 1) % 3]});
      }
    }
    triangles_.erase(seen, triangles_.end());
    for (const Edge& edge : edges) {
      if (edges.count({edge[1], edge[0]}) == 0) {
        triangles_.push_back(triangle(edge[0], edge[1], k));
      }
    }
  }

  std::vector<Point3> points_;
  double rounding_;
  std::vector<Triangle> triangles_;
};

/// Which facet each triangle belongs to: those that hang together and are parallel.
std::vector<std::size_t> joined(const std::vector<Triangle>& triangles,
                                const std::map<Edge, std::size_t>& triangle_of) {
  std::vector<std::size_t> facet(triangles.size(), triangles.size());
  for (std::size_t first = 0; first < triangles.size(); ++first) {
    if (facet[first] != triangles.size()) continue;
    std::vector<std::size_t> todo = {first};
    facet[first] = first;
    while (!todo.empty()) {
      const Triangle& t = triangles[todo.back()];
      todo.pop_back();
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t next = triangle_of.at({t.corners[(i + 1) % 3], t.corners[i]});
        const Point3 apart = triangles[next].normal - triangles[first].normal;
        if (facet[next] == triangles.size() && dot(apart, apart) < parallel * parallel) {
          facet[next] = first;
          todo.push_back(next);
        }
      }
    }
  }
  return facet;
}

}  // namespace

Point3 operator-(const Point3& a, const Point3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

double dot(const Point3& a, const Point3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Point3 cross(const Point3& a, const Point3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Point3 unit(const Point3& a) {
  const double length = std::sqrt(dot(a, a));
  return {a[0] / length, a[1] / length, a[2] / length};
}

Solid convex_hull(const std::vector<Point3>& points) {
  Solid result{.points = points, .facets = {}, .creases = {}};
  const Hull hull(points);
  const std::vector<Triangle>& triangles = hull.triangles();
  std::map<Edge, std::size_t> triangle_of;
  for (std::size_t k = 0; k < triangles.size(); ++k) {
    for (std::size_t i = 0; i < 3; ++i) {
      triangle_of[{triangles[k].corners[i], triangles[k].corners[(i + 1) % 3]}] = k;
    }
  }
  const std::vector<std::size_t> facet = joined(triangles, triangle_of);
  std::map<std::size_t, std::map<std::size_t, std::size_t>> next_corner;
  for (const auto& [edge, k] : triangle_of) {
    const std::size_t other = triangle_of.at({edge[1], edge[0]});
    if (facet[k] == facet[other]) continue;
    next_corner[facet[k]][edge[0]] = edge[1];
  }
  std::map<std::size_t, std::size_t> number;
  for (const auto& [k, next] : next_corner) {
    number[k] = result.facets.size();
    Facet made{.corners = {}, .normal = triangles[k].normal};
    std::size_t corner = next.begin()->first;
    do {
      made.corners.push_back(corner);
      corner = next.at(corner);
    } while (corner != next.begin()->first && made.corners.size() <= next.size());
    result.facets.push_back(std::move(made));
  }
  for (const auto& [edge, k] : triangle_of) {
    const std::size_t other = triangle_of.at({edge[1], edge[0]});
    if (edge[0] > edge[1] || facet[k] == facet[other]) continue;
    result.creases.push_back({edge, {number[facet[k]], number[facet[other]]}});
  }
  return result;
}

}  // namespace keyhole::pages
