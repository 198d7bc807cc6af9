// What flat pictures and surfaces share: the scale, the circles and the axes' names.

#pragma once

#include <string>
#include <vector>

#include "pages/shadow.h"
#include "pages/svg.h"

namespace keyhole::pages {

/// How lengths become pixels, and which point is in the middle.
struct Scale {
  double pixels = 1;
  Point2 middle = {0, 0};

  [[nodiscard]] Point2 operator()(const Point2& x) const {
    return {pixels * (x[0] - middle[0]), pixels * (x[1] - middle[1])};
  }
};

/// So that the figure fits, and the circle of radius R about the origin too unless the figure would
/// become small.
[[nodiscard]] Scale scale_for(const std::vector<Point2>& figure, double outer_radius);

/// The coordinates whose axes have a direction within the hull, by their direction there: names
/// such as "x_1", or "x_2, x_3" where two are seen alike.
struct NamedAxis {
  std::string name;
  /// Their direction in the shadow, of length 1.
  Vector direction;
};
[[nodiscard]] std::vector<NamedAxis> named_axes(const Shadow& shadow);

/// The largest product of a point of the figure with the direction.
[[nodiscard]] double reach(const std::vector<Point2>& figure, const Point2& direction);

/// The circles of radius r and R about the centre, and their names.
void draw_circles(Svg& svg, const Scale& scale, const Geometry& geometry);

/// The flat picture: a figure of 1 or 2 dimensions, or a shadow; returns its caption.
[[nodiscard]] std::string draw_figure(Svg& svg, Shadow& shadow);

/// The surface of a body of 3 dimensions; returns its caption.
[[nodiscard]] std::string draw_body(Svg& svg, Shadow& shadow);

}  // namespace keyhole::pages
