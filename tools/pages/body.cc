#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "pages/canvas.h"
#include "pages/solid.h"

namespace keyhole::pages {
namespace {

/// From where a body is seen, without perspective.
struct Camera {
  Point3 right;
  Point3 up;
  Point3 towards;

  [[nodiscard]] Point2 operator()(const Point3& x) const { return {dot(right, x), dot(up, x)}; }
};

/// From the front right and above, or turned by quarters from there.
Camera camera(int quarters) {
  const double around = (33 + 90 * quarters) * std::numbers::pi / 180;
  const double above = 21 * std::numbers::pi / 180;
  const double c = std::cos(around);
  const double s = std::sin(around);
  return {.right = {-s, c, 0},
          .up = {-std::sin(above) * c, -std::sin(above) * s, std::cos(above)},
          .towards = {std::cos(above) * c, std::cos(above) * s, std::sin(above)}};
}

Point3 along(const Point3& x, double length, const Point3& u) {
  return {x[0] + length * u[0], x[1] + length * u[1], x[2] + length * u[2]};
}

/// How evenly the picture is shared out among the faces that are seen: the entropy of their shares.
double variety(const Solid& body, const Camera& seen_by) {
  std::vector<double> areas;
  double total = 0;
  for (const Facet& facet : body.facets) {
    Point3 doubled = {0, 0, 0};
    const Point3& first = body.points[facet.corners[0]];
    for (std::size_t k = 2; k < facet.corners.size(); ++k) {
      doubled = along(
          doubled, 1,
          cross(body.points[facet.corners[k - 1]] - first, body.points[facet.corners[k]] - first));
    }
    const double area = dot(doubled, seen_by.towards);
    if (!(area > 0)) continue;
    areas.push_back(area);
    total += area;
  }
  double entropy = 0;
  for (const double area : areas) entropy -= area / total * std::log(area / total);
  return entropy;
}

/// The usual camera, unless another quarter shows much more of the body.
Camera camera_for(const Solid& body) {
  Camera best = camera(0);
  double most = 1.3 * variety(body, best);
  for (const int quarters : {3, 1, 2}) {
    const double here = variety(body, camera(quarters));
    if (here > 1.01 * most) {
      most = here;
      best = camera(quarters);
    }
  }
  return best;
}

/// Draws a body as seen by the camera.
class Drawing {
 public:
  Drawing(Svg& svg, Shadow& shadow)
      : svg_(svg),
        shadow_(shadow),
        size_(shadow.set().outer_radius()),
        body_(solid([this](const Point3& direction) { return farthest(direction); }, 1e-6 * size_)),
        camera_(camera_for(body_)) {
    outline_ = outline(
        [this](const Point2& d) {
          const Point3 direction = along(along({0, 0, 0}, d[0], camera_.right), d[1], camera_.up);
          return camera_(farthest(direction));
        },
        3e-4 * size_);
    scale_ = scale_for(outline_, size_);
  }

  void draw() {
    draw_axes("axis-hidden", false);
    draw_faces();
    draw_creases();
    std::vector<Point2> drawn;
    for (const Point2& x : outline_) drawn.push_back(scale_(x));
    svg_.polygon("edge", drawn);
    draw_axes("axis", true);
    draw_circles(svg_, scale_, shadow_.set().geometry());
  }

 private:
  [[nodiscard]] Point3 farthest(const Point3& direction) {
    const Vector x = shadow_.farthest(direction);
    return {x[0], x[1], x[2]};
  }

  [[nodiscard]] Point2 drawn(const Point3& x) const { return scale_(camera_(x)); }

  [[nodiscard]] bool is_in_front(const Facet& facet) const {
    return dot(facet.normal, camera_.towards) > 1e-4;
  }

  /// Faces in front do not cover each other, so their order is free: one path a shade.
  void draw_faces() {
    const Point3 light = unit(along(along(camera_.towards, -0.55, camera_.right), 0.9, camera_.up));
    std::map<std::string, std::vector<std::vector<Point2>>> faces;
    for (const Facet& facet : body_.facets) {
      if (!is_in_front(facet)) continue;
      const double lit = std::max(0.0, dot(facet.normal, light));
      std::vector<Point2> corners;
      for (const std::size_t k : facet.corners) corners.push_back(drawn(body_.points[k]));
      faces[Svg::shade(0.2 + 0.8 * lit)].push_back(std::move(corners));
    }
    for (const auto& [look, polygons] : faces) svg_.polygons(look, polygons);
  }

  void draw_creases() {
    const double sharp = std::cos((body_.is_curved ? 20 : 1) * std::numbers::pi / 180);
    std::vector<std::vector<Point2>> seen;
    std::vector<std::vector<Point2>> hidden;
    for (const Crease& crease : body_.creases) {
      const Facet& one = body_.facets[crease.facets[0]];
      const Facet& other = body_.facets[crease.facets[1]];
      const bool is_seen = is_in_front(one) || is_in_front(other);
      if (dot(one.normal, other.normal) > sharp) continue;
      (is_seen ? seen : hidden)
          .push_back({drawn(body_.points[crease.ends[0]]), drawn(body_.points[crease.ends[1]])});
    }
    svg_.lines("hidden", hidden);
    svg_.lines("crease", seen);
  }

  /// Whether the set is between the point and the camera.
  [[nodiscard]] bool is_covered(const Point3& x) const {
    constexpr int steps = 80;
    for (int k = 1; k <= steps; ++k) {
      const Point3 y = along(x, 2.5 * size_ * k / steps, camera_.towards);
      if (shadow_.contains(y)) return true;
    }
    return false;
  }

  /// Where axes begin: the origin, if the set has all dimensions and lies around or near it, else
  /// the centre.
  [[nodiscard]] Point3 begin_of_axes() const {
    const Set& set = shadow_.set();
    if (set.dimension() != 3) return {0, 0, 0};
    const Vector origin = shadow_.of(Vector(3, 0.0));
    if (norm(origin) > 1.3 * size_) return {0, 0, 0};
    return {origin[0], origin[1], origin[2]};
  }

  void draw_axes(const char* look, bool front) {
    const Point3 begin = begin_of_axes();
    for (const NamedAxis& axis : named_axes(shadow_)) {
      const Point3 u = {axis.direction[0], axis.direction[1], axis.direction[2]};
      double end = 0;
      for (const Point3& x : body_.points) end = std::max(end, dot(u, x - begin));
      end += 20 / scale_.pixels;
      draw_axis(look, front, begin, u, end);
      if (!front) continue;
      const Point2 tip = drawn(along(begin, end, u));
      const Point2 seen = camera_(u);
      const double length = std::hypot(seen[0], seen[1]);
      svg_.text("name", {tip[0] + 9 * seen[0] / length, tip[1] + 9 * seen[1] / length}, axis.name);
    }
  }

  /// The pieces of an axis that are in front, or those that are not.
  void draw_axis(const char* look, bool front, const Point3& begin, const Point3& u, double end) {
    constexpr int pieces = 60;
    const auto at = [&](int k) { return along(begin, end * k / pieces, u); };
    std::vector<std::vector<Point2>> drawn_pieces;
    int from = 0;
    const auto is_here = [&](int k) { return is_covered(at(k)) != front; };
    bool here = is_here(0);
    for (int k = 1; k <= pieces; ++k) {
      const bool next = k < pieces ? is_here(k) : !here;
      if (next == here) continue;
      if (here && k == pieces && front) {
        svg_.arrow(look, drawn(at(from)), drawn(at(pieces)));
      } else if (here) {
        drawn_pieces.push_back({drawn(at(from)), drawn(at(k))});
      }
      from = k;
      here = next;
    }
    svg_.lines(look, drawn_pieces);
  }

  Svg& svg_;
  Shadow& shadow_;
  double size_;
  Solid body_;
  Camera camera_;
  std::vector<Point2> outline_;
  Scale scale_;
};

}  // namespace

std::string draw_body(Svg& svg, Shadow& shadow) {
  Drawing drawing(svg, shadow);
  drawing.draw();
  return std::string("The set") +
         (shadow.set().dimension() > 3 ? ", in the three dimensions of its hull" : "") +
         ", and the outlines of the balls of radius r inside and R around it about its centre p.";
}

}  // namespace keyhole::pages
