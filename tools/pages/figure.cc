#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "base/number_text.h"
#include "pages/canvas.h"

namespace keyhole::pages {
namespace {

/// The farthest points of a shadow of 1 or 2 dimensions.
Farthest2 farthest_of(Shadow& shadow) {
  return [&shadow](const Point2& direction) -> Point2 {
    const Vector x = shadow.farthest({direction.data(), shadow.dimension()});
    return {x[0], x.size() > 1 ? x[1] : 0};
  };
}

double step_of_ticks(double length) {
  const double rough = length / 5;
  const double ten = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * ten >= rough) return factor * ten;
  }
  return 10 * ten;
}

/// The axes of a plane set with their numbers: through the origin, or as near to it as is in sight.
void draw_axes_with_ticks(Svg& svg, const Scale& scale, const Vector& centre) {
  const Point2 half = {picture_width / 2 - 6, picture_height / 2 - 6};
  Point2 low;  // of the coordinates that are in sight
  Point2 high;
  Point2 crossing;
  for (std::size_t i = 0; i < 2; ++i) {
    const double middle = centre[i] + scale.middle[i];
    low[i] = middle - half[i] / scale.pixels;
    high[i] = middle + half[i] / scale.pixels;
    const double room = 12 / scale.pixels;
    crossing[i] = std::clamp(0.0, low[i] + room, high[i] - room);
  }
  const auto at = [&](double x, double y) { return scale({x - centre[0], y - centre[1]}); };
  svg.arrow("axis", at(low[0], crossing[1]), at(high[0], crossing[1]));
  svg.arrow("axis", at(crossing[0], low[1]), at(crossing[0], high[1]));
  const Point2 end = at(high[0], crossing[1]);
  const Point2 top = at(crossing[0], high[1]);
  svg.text("name", {end[0] - 3, end[1] + 11}, "x_1");
  svg.text("name", {top[0] + 12, top[1] - 5}, "x_2");
  const double step = step_of_ticks(std::min(high[0] - low[0], high[1] - low[1]));
  std::vector<std::vector<Point2>> marks;
  for (std::size_t i = 0; i < 2; ++i) {
    for (double k = std::ceil(low[i] / step); k * step < high[i] - 14 / scale.pixels; ++k) {
      if (k == 0) continue;
      const Point2 x = i == 0 ? at(k * step, crossing[1]) : at(crossing[0], k * step);
      const Point2 across = i == 0 ? Point2{0, 2.5} : Point2{2.5, 0};
      if (std::abs(x[0]) > half[0] - 8 || std::abs(x[1]) > half[1] - 8) continue;
      marks.push_back({{x[0] - across[0], x[1] - across[1]}, {x[0] + across[0], x[1] + across[1]}});
      const std::string number = base::number_text(std::round(k * step * 1e6) / 1e6);
      const double aside = 7 + 2.6 * static_cast<double>(number.size());
      svg.text("tick", i == 0 ? Point2{x[0], x[1] - 10} : Point2{x[0] - aside, x[1]}, number);
    }
  }
  svg.lines("axis", marks);
}

void draw_named_axes(Svg& svg, const Scale& scale, const Shadow& shadow,
                     const std::vector<Point2>& figure) {
  for (const NamedAxis& axis : named_axes(shadow)) {
    const Point2 u = {axis.direction[0], axis.direction.size() > 1 ? axis.direction[1] : 0};
    const double length = reach(figure, u) + 14 / scale.pixels;
    const Point2 end = scale({length * u[0], length * u[1]});
    svg.arrow("axis", scale({0, 0}), end);
    svg.text("name", {end[0] + 9 * u[0] - 8 * u[1], end[1] + 9 * u[1] + 8 * u[0]}, axis.name);
  }
}

/// An example: the answer to a direction, and the line that the set does not cross there.
void draw_answer(Svg& svg, const Scale& scale, const Farthest2& farthest) {
  const double angle = 0.8;
  const Point2 u = {std::cos(angle), std::sin(angle)};
  const Point2 v = scale(farthest(u));
  const double half = 42;
  svg.line("answer", {v[0] - half * u[1], v[1] + half * u[0]},
           {v[0] + half * u[1], v[1] - half * u[0]});
  const double length = 26;
  const Point2 end = {v[0] + length * u[0], v[1] + length * u[1]};
  svg.arrow("answer", v, end);
  svg.circle("answer", v, 2.6);
  svg.text("name", {v[0] + 13, v[1] + 1}, "v");
  svg.text("name", {end[0] + 12, end[1] + 3}, "-d");
}

/// The shadows of the vertices that normal directions find, if they are few.
std::vector<Point2> shadows_of_vertices(Shadow& shadow) {
  constexpr std::size_t most_vertices = 150;
  const double small = 1e-6 * shadow.set().outer_radius();
  std::mt19937_64 bits(1);
  const auto uniform = [&] { return 2 * 0x1p-53 * static_cast<double>(bits() >> 11U) - 1; };
  std::vector<Vector> vertices;
  std::vector<Point2> shadows;
  for (int k = 0; k < 2000; ++k) {
    Vector direction(shadow.set().dimension());
    for (double& d : direction) d = uniform() + uniform() + uniform();
    shadow.set().flatten(direction);
    const Vector v = shadow.farthest_in_full(direction);
    const bool known = std::any_of(vertices.begin(), vertices.end(), [&](const Vector& w) {
      double square = 0;
      for (std::size_t i = 0; i < v.size(); ++i) square += (v[i] - w[i]) * (v[i] - w[i]);
      return square < small * small;
    });
    if (known) continue;
    if (vertices.size() == most_vertices) return {};
    vertices.push_back(v);
    const Vector x = shadow.of(v);
    shadows.push_back({x[0], x[1]});
  }
  std::sort(shadows.begin(), shadows.end(), [&](const Point2& a, const Point2& b) {
    const auto steps = [&](double c) { return std::llround(c / (8 * small)); };
    return std::array{steps(a[0]), steps(a[1])} < std::array{steps(b[0]), steps(b[1])};
  });
  return shadows;
}

}  // namespace

std::string draw_figure(Svg& svg, Shadow& shadow) {
  const Set& set = shadow.set();
  const Geometry& geometry = set.geometry();
  const Farthest2 farthest = farthest_of(shadow);
  const std::vector<Point2> figure = outline(farthest, 3e-4 * geometry.outer_radius);
  const Scale scale = scale_for(figure, geometry.outer_radius);
  std::vector<Point2> drawn;
  for (const Point2& x : figure) drawn.push_back(scale(x));
  const bool has_numbers = set.dimension() == 2 && set.hull_dimension() == 2;
  svg.polygon("plane", drawn);
  if (!has_numbers) draw_named_axes(svg, scale, shadow, figure);
  svg.polygon("edge", drawn);
  if (has_numbers) draw_axes_with_ticks(svg, scale, geometry.centre);
  const std::string circles = "the balls of radius r inside and R around it about its centre p";
  if (!shadow.is_whole()) {
    const std::vector<Point2> vertices = shadows_of_vertices(shadow);
    for (const Point2& v : vertices) svg.circle("corner", scale(v), 2.2);
    draw_circles(svg, scale, geometry);
    return "Its shadow on a fixed plane of its hull, which has " +
           std::to_string(set.hull_dimension()) + " dimensions" +
           (vertices.empty() ? "" : ", the shadows of its vertices as dots") + ", and those of " +
           circles + ".";
  }
  draw_circles(svg, scale, geometry);
  if (shadow.dimension() < 2) return "The set, a segment, and " + circles + ".";
  draw_answer(svg, scale, farthest);
  return std::string("The set") + (set.dimension() > 2 ? ", in the plane of its hull" : "") + ", " +
         circles + ", and the answer v to a direction d.";
}

}  // namespace keyhole::pages
