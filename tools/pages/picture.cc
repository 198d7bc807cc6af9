#include "pages/picture.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>

#include "pages/canvas.h"

namespace keyhole::pages {

Scale scale_for(const std::vector<Point2>& figure, double outer_radius) {
  constexpr double margin = 30;
  constexpr double smallest_share = 0.65;  // of the picture, for the figure
  Point2 low = figure[0];
  Point2 high = figure[0];
  for (const Point2& x : figure) {
    for (std::size_t i = 0; i < 2; ++i) {
      low[i] = std::min(low[i], x[i]);
      high[i] = std::max(high[i], x[i]);
    }
  }
  const auto fitting = [&](const Point2& from, const Point2& to) {
    return std::min((picture_width - 2 * margin) / (to[0] - from[0]),
                    (picture_height - 2 * margin) / (to[1] - from[1]));
  };
  const double alone = fitting(low, high);
  Point2 wide_low = low;
  Point2 wide_high = high;
  for (std::size_t i = 0; i < 2; ++i) {
    wide_low[i] = std::min(low[i], -outer_radius);
    wide_high[i] = std::max(high[i], outer_radius);
  }
  const double with_circle = fitting(wide_low, wide_high);
  if (with_circle >= smallest_share * alone) {
    low = wide_low;
    high = wide_high;
  }
  return {.pixels = std::max(with_circle, smallest_share * alone),
          .middle = {(low[0] + high[0]) / 2, (low[1] + high[1]) / 2}};
}

std::vector<NamedAxis> named_axes(const Shadow& shadow) {
  constexpr std::size_t most_axes = 6;
  std::vector<NamedAxis> axes;
  const std::size_t n = shadow.set().dimension();
  if (n > most_axes) return axes;
  for (std::size_t i = 0; i < n; ++i) {
    Vector axis(n, 0.0);
    axis[i] = 1;
    Vector direction = shadow.of_direction(axis);
    const double length = norm(direction);
    if (!(length > 0.05)) continue;
    for (double& d : direction) d /= length;
    const std::string name = "x_" + std::to_string(i + 1);
    const auto same = std::find_if(axes.begin(), axes.end(), [&](const NamedAxis& other) {
      return dot(other.direction, direction) > 0.999;
    });
    if (same == axes.end()) {
      axes.push_back({name, std::move(direction)});
    } else {
      same->name += ", " + name;
    }
  }
  return axes;
}

double reach(const std::vector<Point2>& figure, const Point2& direction) {
  double most = 0;
  for (const Point2& x : figure) {
    most = std::max(most, x[0] * direction[0] + x[1] * direction[1]);
  }
  return most;
}

void draw_circles(Svg& svg, const Scale& scale, const Geometry& geometry) {
  const Point2 centre = scale({0, 0});
  const double inner = scale.pixels * geometry.inner_radius;
  const double outer = scale.pixels * geometry.outer_radius;
  svg.circle("outer", centre, outer);
  svg.circle("inner", centre, inner);
  svg.circle("centre", centre, 2.6);
  const auto at = [&](double degrees, double radius) -> Point2 {
    const double angle = degrees * std::numbers::pi / 180;
    return {centre[0] + radius * std::cos(angle), centre[1] + radius * std::sin(angle)};
  };
  svg.text("inner-name", {centre[0] - 8, centre[1] - 8}, "p");
  // Next to the circle, at the first of some places where no other name is.
  const auto name_at = [&](std::initializer_list<double> degrees, double radius) {
    for (const double angle : degrees) {
      if (svg.has_room(at(angle, radius))) return at(angle, radius);
    }
    return at(*degrees.begin(), radius);
  };
  svg.text("inner-name",
           name_at({208, 190, 230, 335, 310, 250}, inner + (outer - inner < 14 ? -8 : 8)), "r");
  const Point2 name = name_at({152, 168, 136, 208, 332}, outer + 9);
  if (std::abs(name[0]) < picture_width / 2 - 6 && std::abs(name[1]) < picture_height / 2 - 8) {
    svg.text("outer-name", name, "R");
  }
}

Picture picture_of(const Set& set) {
  Shadow shadow(set);
  Svg svg;
  const std::string caption =
      shadow.dimension() == 3 ? draw_body(svg, shadow) : draw_figure(svg, shadow);
  return {svg.file(set.spec(), caption), caption};
}

}  // namespace keyhole::pages
