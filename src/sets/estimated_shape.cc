#include "sets/estimated_shape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/require.h"
#include "math/dense.h"
#include "math/random/ars.h"
#include "math/random/gaussian.h"
#include "math/span.h"
#include "math/spectral/decompositions.h"
#include "math/sums.h"
#include "sets/inner_ball.h"
#include "sets/moments.h"
#include "sets/sampled_vertices.h"
#include "sets/spread_directions.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// Asks for vertices, and keeps them.
class Probe {
 public:
  Probe(std::size_t n, const NearestPoint::Minimise& minimise)
      : n_(n), minimise_(minimise), normals_(0x7368617065, 0) {}

  [[nodiscard]] const std::vector<Vector>& vertices() const { return vertices_; }

  /// The minimiser of <d, v>.
  const Vector& ask(std::span<const double> d) {
    Vector v(n_, std::numeric_limits<double>::quiet_NaN());
    minimise_(d, v);
    if (!std::ranges::all_of(v, base::is_moderate)) {
      throw InvalidArgument("the oracle answered " + base::list_text(v, false) +
                            " to the direction " + base::list_text(d, false) +
                            ": it must write a point of finite numbers up to 1e50");
    }
    vertices_.push_back(std::move(v));
    return vertices_.back();
  }

  [[nodiscard]] Vector normal_direction() {
    Vector d(n_);
    math::gaussians(normals_, drawn_++, 0, d);
    return d;
  }

  /// How far K reaches along a unit vector u: least and largest <u, v>.
  [[nodiscard]] std::pair<double, double> extent(std::span<const double> u) {
    Vector d(u.begin(), u.end());
    const double least = math::dot(u, ask(d));
    for (double& coordinate : d) coordinate = -coordinate;
    return {least, math::dot(u, ask(d))};
  }

 private:
  std::size_t n_;
  const NearestPoint::Minimise& minimise_;
  math::Ars normals_;
  std::uint64_t drawn_ = 0;
  std::vector<Vector> vertices_;
};

Vector difference(std::span<const double> x, std::span<const double> y) {
  Vector z(x.begin(), x.end());
  math::add(z, -1, y);
  return z;
}

/// Orthonormal rows that span the differences of all vertices there are.
Vector find_hull(Probe& probe, std::size_t n) {
  Vector axis(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    axis[i] = 1;
    (void)probe.extent(axis);
    axis[i] = 0;
  }
  Vector rows;
  double size = 0;
  const auto add_since = [&](std::size_t first) {
    for (std::size_t k = first; k < probe.vertices().size(); ++k) {
      const Vector row = difference(probe.vertices()[k], probe.vertices()[0]);
      size = std::max(size, math::norm(row));
      rows.insert(rows.end(), row.begin(), row.end());
    }
  };
  add_since(1);
  Vector basis = math::orthonormal_basis(rows, n, 1e-9 * size);
  for (int without_width = 0; without_width < 2 && basis.size() < n * n;) {
    Vector d = probe.normal_direction();
    Vector within = d;
    if (!basis.empty()) math::project_onto_span(basis, within);
    d = basis.empty() ? d : difference(d, within);
    const double length = math::norm(d);
    for (double& coordinate : d) coordinate /= length;
    const std::size_t known = probe.vertices().size();
    const auto [least, largest] = probe.extent(d);
    add_since(known);
    if (largest - least > 1e-9 * size) {
      basis = math::orthonormal_basis(rows, n, 1e-9 * size);
      without_width = 0;
    } else {
      ++without_width;
    }
  }
  base::require(
      !basis.empty(),
      "the oracle gives the same point for every direction: a set of one point leaves nothing "
      "to choose");
  return basis;
}

/// Each vertex once, in coordinates of the hull.
std::vector<Vector> coordinates_of(const std::vector<Vector>& vertices, const Vector& basis) {
  const std::size_t n = vertices.front().size();
  std::vector<Vector> result;
  for (const Vector& v : vertices) {
    const Vector away = difference(v, vertices.front());
    Vector c;
    for (std::size_t k = 0; k < basis.size() / n; ++k) {
      c.push_back(math::dot(away, std::span(basis).subspan(k * n, n)));
    }
    result.push_back(std::move(c));
  }
  return result;
}

}  // namespace

std::size_t EstimatedShape::hull_dimension() const {
  return hull_basis.size() / geometry.centre.size();
}

EstimatedShape estimate_shape(std::size_t n, const NearestPoint::Minimise& minimise) {
  Probe probe(n, minimise);
  EstimatedShape shape;
  shape.hull_basis = find_hull(probe, n);
  SpreadDirections directions(n);
  for (std::size_t k = random_directions(n); k > 0; --k) {
    Vector d(n);
    if (n <= few_coordinates) {
      d = probe.normal_direction();
    } else {
      directions.next(d);
    }
    (void)probe.ask(d);
  }
  shape.vertices = probe.vertices();
  std::sort(shape.vertices.begin(), shape.vertices.end());
  shape.vertices.erase(std::unique(shape.vertices.begin(), shape.vertices.end()),
                       shape.vertices.end());

  const std::size_t m = shape.hull_basis.size() / n;
  std::vector<Vector> points = coordinates_of(shape.vertices, shape.hull_basis);
  shape.weights = optimal_design(whole_space(m), points, bearable_steps(m, points.size()));
  for (std::size_t j = points.size(); j-- > 0;) {
    if (shape.weights[j] > 0) continue;
    const auto at = static_cast<std::ptrdiff_t>(j);
    points.erase(points.begin() + at);
    shape.vertices.erase(shape.vertices.begin() + at);
    shape.weights.erase(shape.weights.begin() + at);
  }

  const Moments of(whole_space(m), points, shape.weights);
  const Spread spread(of, points, shape.weights);
  math::SymmetricDecomposition decomposition(m);
  const double lambda = decomposition.decompose(spread.covariance).front();

  Geometry& geometry = shape.geometry;
  geometry.centre.assign(n, 0.0);
  for (std::size_t j = 0; j < points.size(); ++j) {
    math::add(geometry.centre, shape.weights[j], shape.vertices[j]);
  }
  geometry.inner_radius = spread.radius(lambda) * (1 - 1e-9);
  Vector reaches;
  Vector widths;
  for (std::size_t k = 0; k < m; ++k) {
    Vector axis(n, 0.0);
    for (std::size_t i = 0; i < m; ++i) {
      math::add(axis, decomposition.vectors()[k * m + i],
                std::span(shape.hull_basis).subspan(i * n, n));
    }
    const auto [least, largest] = probe.extent(axis);
    const double middle = math::dot(axis, geometry.centre);
    reaches.push_back(std::max(middle - least, largest - middle));
    widths.push_back(largest - least);
  }
  geometry.outer_radius = math::norm(reaches) * (1 + 1e-9);
  geometry.diameter =
      std::max(std::min(math::norm(widths), 2 * geometry.outer_radius), geometry.outer_radius);
  geometry.outer_radius_exact = false;
  geometry.diameter_exact = false;
  return shape;
}

}  // namespace keyhole::sets
