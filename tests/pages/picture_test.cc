// Outlines and surfaces are those of the bodies that they are asked of, and every set has a
// picture.

#include "pages/picture.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "catalogue.h"
#include "pages/outline.h"
#include "pages/solid.h"

namespace keyhole::tests {
namespace {

using pages::operator-;
using pages::Point2;
using pages::Point3;
using pages::Solid;

template <class Point>
auto farthest_of(const std::vector<Point>& points) {
  return [points](const Point& direction) {
    const auto value = [&](const Point& x) {
      double sum = 0;
      for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * direction[i];
      return sum;
    };
    return *std::max_element(points.begin(), points.end(),
                             [&](const Point& x, const Point& y) { return value(x) < value(y); });
  };
}

TEST(Outline, OfAPolygonHasItsCorners) {
  Random random(1);
  for (std::size_t n = 3; n < 20; ++n) {
    std::vector<Point2> corners;
    for (std::size_t k = 0; k < n; ++k) {
      const double angle = 2 * std::numbers::pi *
                           (static_cast<double>(k) + random.uniform(0, 0.5)) /
                           static_cast<double>(n);
      corners.push_back({2 * std::cos(angle), std::sin(angle)});
    }
    std::vector<Point2> found = pages::outline(farthest_of(corners), 1e-4);
    EXPECT_EQ(std::set<Point2>(found.begin(), found.end()),
              std::set<Point2>(corners.begin(), corners.end()));
    for (std::size_t k = 0; k < n; ++k) {  // counterclockwise
      const Point2& a = found[k];
      const Point2& b = found[(k + 1) % n];
      EXPECT_GT(a[0] * b[1] - a[1] * b[0], 0);
    }
  }
}

TEST(Outline, OfADiscIsWithinTheTolerance) {
  const auto disc = [](const Point2& d) -> Point2 {
    const double length = std::hypot(d[0], d[1]);
    return {d[0] / length, d[1] / length};
  };
  for (const double tolerance : {1e-2, 1e-3, 1e-4}) {
    const std::vector<Point2> found = pages::outline(disc, tolerance);
    EXPECT_LT(static_cast<double>(found.size()), 5 / std::sqrt(tolerance));
    for (std::size_t k = 0; k < found.size(); ++k) {
      const Point2& a = found[k];
      const Point2& b = found[(k + 1) % found.size()];
      EXPECT_GE(std::hypot(a[0] + b[0], a[1] + b[1]) / 2, 1 - tolerance);
    }
  }
}

TEST(Solid, OfACubeHasItsFaces) {
  std::vector<Point3> corners;
  for (int k = 0; k < 8; ++k)
    corners.push_back({k & 1 ? 1. : -1, k & 2 ? 1. : -1, k & 4 ? 2. : -2});
  const Solid cube = pages::solid(farthest_of(corners), 1e-6);
  EXPECT_FALSE(cube.is_curved);
  EXPECT_EQ(cube.points.size(), 8u);
  EXPECT_EQ(cube.facets.size(), 6u);
  EXPECT_EQ(cube.creases.size(), 12u);
  for (const pages::Facet& facet : cube.facets) {
    EXPECT_EQ(facet.corners.size(), 4u);
    EXPECT_NEAR(std::abs(facet.normal[0]) + std::abs(facet.normal[1]) + std::abs(facet.normal[2]),
                1, 1e-6);
  }
}

TEST(Solid, OfPointsOnASphereHasThemAllOnItsSurface) {
  Random random(2);
  for (const std::size_t count : {4u, 5u, 10u, 50u, 140u}) {
    std::vector<Point3> points;
    for (std::size_t k = 0; k < count; ++k) {
      const std::vector<double> x = random.normals(3);
      points.push_back(pages::unit({x[0], x[1], x[2]}));
    }
    const Solid hull = pages::convex_hull(points);
    for (const pages::Facet& facet : hull.facets) {
      for (const Point3& x : points) {
        EXPECT_LE(pages::dot(facet.normal, x - points[facet.corners[0]]), 1e-3);
      }
    }
    // Euler's formula, which fails if a facet or a point is lost.
    EXPECT_EQ(points.size() + hull.facets.size(), hull.creases.size() + 2);
  }
}

TEST(Solid, OfACurvedBodyIsSeenAsOne) {
  // A double cone: two points and a circle.
  const auto double_cone = [](const Point3& d) -> Point3 {
    const double across = std::hypot(d[0], d[1]);
    if (std::abs(d[2]) > across) return {0, 0, d[2] > 0 ? 1. : -1};
    return {d[0] / across, d[1] / across, 0};
  };
  const Solid body = pages::solid(double_cone, 1e-6);
  EXPECT_TRUE(body.is_curved);
  EXPECT_GT(body.facets.size(), 100u);
  EXPECT_LT(body.facets.size(), 400u);
}

TEST(Solid, FindsNarrowCorners) {
  // A long needle, which few directions see: those of its side faces find it.
  std::vector<Point3> points = {{1, 1, 0}, {-1, 1, 0}, {0, -1, 0.5}, {0, -1, -0.5}};
  points.push_back({0.2, 0.1, 0.02});
  points.push_back({0, 0, 30});
  points.push_back({0.001, 0.001, 30.01});
  const Solid found = pages::solid(farthest_of(points), 1e-6);
  for (const pages::Facet& facet : found.facets) {
    for (const Point3& x : points) {
      EXPECT_LE(pages::dot(facet.normal, x - found.points[facet.corners[0]]), 0.08);
    }
  }
}

void expect_picture(const SetPtr& set) {
  const pages::Picture picture = pages::picture_of(*set);
  const auto has = [&](const char* text) { return picture.svg.find(text) != std::string::npos; };
  EXPECT_TRUE(has("class=\"edge\"")) << set->spec() << "\n" << picture.svg;
  EXPECT_TRUE(has("class=\"inner\"")) << set->spec();
  EXPECT_FALSE(has("nan") || has("inf")) << set->spec();
  EXPECT_LT(picture.svg.size(), 30'000u) << set->spec();
  EXPECT_FALSE(picture.caption.empty());
}

TEST(Picture, OfEverySetOfTheCatalogue) {
  Random random(3);
  for (const SetFamily& family : all_set_families()) {
    for (std::size_t n = family.smallest_dimension; n <= 4; ++n) {
      expect_picture(family.draw(n, random));
    }
  }
  for (const SetPtr& set :
       {ball(1), box(3, 5, 1), simplex(2), ball(3, 1e-20), box(-1e20, 1e20, 3),
        translated(ball(3), std::vector<double>{100, 100, 100}), box(0, 1, 12),
        nuclear_ball(12, 10), box(std::vector<double>{0, 0}, std::vector<double>{1, 1000})}) {
    expect_picture(set);
  }
}

}  // namespace
}  // namespace keyhole::tests
