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

void require_more_than_a_point(std::size_t dimensions) {
  base::require(
      dimensions > 0,
      "the oracle gives the same point for every direction: a set of one point leaves nothing "
      "to choose");
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
  require_more_than_a_point(basis.size());
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

/// Each vertex once.
std::vector<Vector> distinct(std::vector<Vector> vertices) {
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

void ask_randomly(Probe& probe, std::size_t n) {
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
}

/// The radii of a box along orthonormal axes, row by row.
void set_box(Probe& probe, std::span<const double> axes, Geometry& geometry) {
  const std::size_t n = geometry.centre.size();
  Vector reaches;
  Vector widths;
  for (std::size_t first = 0; first < axes.size(); first += n) {
    const std::span<const double> axis = axes.subspan(first, n);
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
}

EstimatedShape estimate_small_shape(std::size_t n, const NearestPoint::Minimise& minimise,
                                    bool wants_box) {
  Probe probe(n, minimise);
  EstimatedShape shape;
  const Vector basis = find_hull(probe, n);
  ask_randomly(probe, n);
  shape.vertices = distinct(probe.vertices());

  const std::size_t m = basis.size() / n;
  std::vector<Vector> points = coordinates_of(shape.vertices, basis);
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
  if (wants_box) {
    Vector axes(m * n, 0.0);
    for (std::size_t k = 0; k < m; ++k) {
      for (std::size_t i = 0; i < m; ++i) {
        math::add(std::span(axes).subspan(k * n, n), decomposition.vectors()[k * m + i],
                  std::span(basis).subspan(i * n, n));
      }
    }
    set_box(probe, axes, geometry);
  }
  shape.hull_dimension = m;
  if (m < n) shape.along = std::make_shared<const Vector>(basis);
  return shape;
}

/// The orthonormal rows less a direction of their span, that of w: Householder's reflection takes
/// what they tell of w to the first of them, which is dropped.
void drop_direction(Vector& rows, std::span<const double> w) {
  const std::size_t n = w.size();
  const auto row = [&](std::size_t k) { return std::span(rows).subspan(k * n, n); };
  Vector q(rows.size() / n);
  for (std::size_t k = 0; k < q.size(); ++k) q[k] = math::dot(row(k), w);
  q[0] += std::copysign(math::norm(q), q[0]);
  Vector sum(n, 0.0);
  for (std::size_t k = 0; k < q.size(); ++k) math::add(sum, q[k], row(k));
  const double scale = -2 / math::squared_norm(q);
  for (std::size_t k = 1; k < q.size(); ++k) math::add(row(k), scale * q[k], sum);
  rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(n));
}

/// `across` is orthogonal to the hull of the points, but for the rounding of their covariance. That
/// is the rounding of squares, and large where the hull is thin. A step of Newton's method with the
/// points themselves wins the lost digits back. `factor` is that of the covariance. Nothing is done
/// if no point is farther than `far` from the mean along the sum of the rows.
void sharpen(Vector& across, const std::vector<Vector>& points, const Vector& mean,
             std::span<const double> factor, double far) {
  const std::size_t n = mean.size();
  Vector left(n);
  for (std::size_t first = 0; first < across.size(); first += n) {
    math::add(left, 1, std::span<const double>(across).subspan(first, n));
  }
  const double middle = math::dot(left, mean);
  if (std::ranges::all_of(
          points, [&](const Vector& v) { return std::abs(math::dot(left, v) - middle) <= far; })) {
    return;
  }
  for (std::size_t first = 0; first < across.size(); first += n) {
    const std::span<double> z = std::span(across).subspan(first, n);
    std::fill(left.begin(), left.end(), 0.0);
    for (const Vector& v : points) {
      const Vector away = difference(v, mean);
      math::add(left, math::dot(away, z) / static_cast<double>(points.size()), away);
    }
    math::cholesky_solve(factor, n, left);
    math::add(z, -1, left);
  }
  across = math::orthonormal_basis(std::move(across), n, 0);
}

/// Drops the directions of `across` that show a width. `size` is that of the set.
void drop_wide_directions(Probe& probe, double size, std::size_t n, Vector& across) {
  for (int without_width = 0; without_width < 2 && !across.empty();) {
    const Vector shares = probe.normal_direction();
    Vector d(n, 0.0);
    for (std::size_t k = 0; k < across.size() / n; ++k) {
      math::add(d, shares[k], std::span<const double>(across).subspan(k * n, n));
    }
    const double length = math::norm(d);
    for (double& coordinate : d) coordinate /= length;
    const std::size_t known = probe.vertices().size();
    const auto [least, largest] = probe.extent(d);
    if (largest - least > 1e-9 * size) {
      drop_direction(across, difference(probe.vertices()[known + 1], probe.vertices()[known]));
      without_width = 0;
    } else {
      ++without_width;
    }
  }
}

/// A number below the least eigenvalue of Sigma within the hull, mostly by a fifth at most. Inverse
/// iteration comes near it from above; Cholesky's factor of Sigma - t, with as much across the hull
/// as Sigma has in all, is the proof.
double least_variance(const Moments& of, const MeanAndCovariance& given, const Vector& across,
                      Vector x) {
  const std::size_t n = x.size();
  Vector shifted(n);
  Vector next(n);
  double low = 0;
  for (int step = 0; step < 20; ++step) {
    const double length = math::norm(x);
    for (std::size_t i = 0; i < n; ++i) shifted[i] = of.mean()[i] + x[i] / length;
    of.score(shifted, next);
    x.swap(next);
    low = 1 / math::norm(x);
  }
  double trace = 0;
  for (std::size_t i = 0; i < n; ++i) trace += given.covariance[i * n + i];
  Vector whole = given.covariance;
  add_gram(across, n, trace, whole);
  for (;;) {
    low *= 0.8;
    Vector matrix = whole;
    for (std::size_t i = 0; i < n; ++i) matrix[i * n + i] -= low;
    if (math::cholesky(matrix, n)) return low * (1 - 1e-9);
    if (!(low > 1e-14 * trace)) return 0;
  }
}

EstimatedShape estimate_large_shape(std::size_t n, const NearestPoint::Minimise& minimise,
                                    bool wants_box) {
  Probe probe(n, minimise);
  ask_randomly(probe, n);
  std::vector<Vector> vertices = distinct(probe.vertices());
  require_more_than_a_point(vertices.size() - 1);
  double size = 0;
  for (const Vector& v : vertices) {
    size = std::max(size, math::norm(difference(v, vertices.front())));
  }
  const auto equal_weights = [&] {
    return Vector(vertices.size(), 1 / static_cast<double>(vertices.size()));
  };
  MeanAndCovariance given(vertices, equal_weights());
  Vector factor = given.covariance;
  const auto across = std::make_shared<Vector>(math::null_space(factor, n, 1e-8));
  sharpen(*across, vertices, given.mean, factor, 1e-11 * size);
  const std::size_t found = across->size();
  drop_wide_directions(probe, size, n, *across);
  if (across->size() < found) {
    vertices = distinct(probe.vertices());
    given = MeanAndCovariance(vertices, equal_weights());
  }

  EstimatedShape shape;
  shape.hull_dimension = n - across->size() / n;
  if (!across->empty()) shape.across = across;
  const Moments of(
      {n, shape.hull_dimension, [across](std::span<double> x) { math::subtract_span(*across, x); },
       [] { return std::string("the space"); }, *across},
      given);
  double farthest = 0;
  for (const Vector& v : vertices) {
    farthest = std::max(farthest, math::norm(difference(v, given.mean)));
  }
  // Of N vertices of equal weight Sigma >= (v - p) (v - p)' / (N - 1).
  const auto leverage = static_cast<double>(vertices.size() - 1);
  const double lambda = least_variance(of, given, *across, probe.normal_direction());
  shape.geometry.centre = given.mean;
  shape.geometry.inner_radius = inner_radius(lambda, leverage, farthest) * (1 - 1e-9);
  shape.points = std::make_shared<const ExploredPoints>(of, vertices, equal_weights());
  if (wants_box) {
    Vector axes(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) axes[i * n + i] = 1;
    set_box(probe, axes, shape.geometry);
  }
  return shape;
}

}  // namespace

void EstimatedShape::flatten(std::span<double> direction) const {
  if (along != nullptr) math::project_onto_span(*along, direction);
  if (across != nullptr) math::subtract_span(*across, direction);
}

std::unique_ptr<Exploration> explore(const Set& set, const EstimatedShape& shape) {
  return KeptExploration::of(set, [&]() -> SharedPoints {
    if (shape.vertices.empty()) return shape.points;
    return std::make_shared<const ExploredPoints>(space_of(set), shape.vertices, shape.weights);
  });
}

EstimatedShape estimate_shape(std::size_t n, const NearestPoint::Minimise& minimise,
                              bool wants_box) {
  return n <= most_decomposed_coordinates ? estimate_small_shape(n, minimise, wants_box)
                                          : estimate_large_shape(n, minimise, wants_box);
}

}  // namespace keyhole::sets
