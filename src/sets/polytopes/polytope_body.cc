#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/require.h"
#include "math/programs/bounded_simplex.h"
#include "math/sums.h"
#include "sets/polytopes/polytope.h"
#include "sets/settle.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;
using math::BoundedSimplex;
using math::LinearConstraints;
using math::LinearResult;

constexpr double infinity = std::numeric_limits<double>::infinity();
/// The bounding box, by two linear programs a coordinate.
void find_box(BoundedSimplex& simplex, PolytopeBody& body) {
  const std::size_t n = body.constraints.columns;
  body.shape.low.resize(n);
  body.shape.high.resize(n);
  Vector c(n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    for (const double sign : {1.0, -1.0}) {
      c[j] = sign;
      const LinearResult result = simplex.minimise(c);
      if (result == LinearResult::unbounded) {
        throw InvalidArgument(unbounded_text(n, j, sign, simplex.culprits()));
      }
      base::require(result == LinearResult::optimal,
                    "rounding errors hide how far coordinate " + std::to_string(j) +
                        " of the polytope can go: its constraints are too nearly dependent");
      (sign > 0 ? body.shape.low : body.shape.high)[j] = simplex.x()[j];
    }
    c[j] = 0;
  }
}

/// A largest ball within the hull: max r subject to <a_i, x> + ||a_i|| r <= b_i for the rows and
/// the bounds, the norms taken within the hull. Sets the centre and returns the constraints that
/// hold the ball, numbered as the variables of a BoundedSimplex are.
std::vector<std::size_t> find_centre(PolytopeBody& body) {
  const LinearConstraints& k = body.constraints;
  const std::size_t n = k.columns;
  LinearConstraints ball{.columns = n + 1};
  std::vector<std::size_t> origin;
  const auto append = [&](std::span<const double> row, double norm, double right,
                          std::size_t variable) {
    ball.rows.insert(ball.rows.end(), row.begin(), row.end());
    ball.rows.push_back(norm);
    ball.right.push_back(right);
    origin.push_back(variable);
  };
  for (std::size_t i = 0; i < k.inequalities; ++i) {
    append(k.row(i), body.shape.norms_within[i], k.right[i], n + i);
  }
  Vector e(n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    const double norm = body.shape.norms_within[k.inequalities + j];
    e[j] = 1;
    if (k.upper[j] < infinity) append(e, norm, k.upper[j], j);
    e[j] = -1;
    if (k.lower[j] > -infinity) append(e, norm, -k.lower[j], j);
    e[j] = 0;
  }
  ball.inequalities = ball.right.size();
  for (std::size_t i = k.inequalities; i < k.right.size(); ++i) append(k.row(i), 0, k.right[i], 0);
  ball.lower.assign(n, -infinity);
  ball.upper.assign(n, infinity);
  ball.lower.push_back(0);
  ball.upper.push_back(infinity);
  BoundedSimplex simplex(std::move(ball));
  Vector c(n + 1, 0.0);
  c[n] = -1;
  base::require(
      simplex.start() == LinearResult::optimal && simplex.minimise(c) == LinearResult::optimal,
      "rounding errors hide the inner ball of the polytope: its constraints are too nearly "
      "dependent");
  body.centre.assign(simplex.x().begin(), simplex.x().end() - 1);
  std::vector<std::size_t> holding;
  for (std::size_t i = 0; i < origin.size(); ++i) {
    const bool inequality = i < simplex.constraints().inequalities;
    if (inequality && simplex.multipliers()[i] < -1e-9) holding.push_back(origin[i]);
  }
  std::sort(holding.begin(), holding.end());
  holding.erase(std::unique(holding.begin(), holding.end()), holding.end());
  return holding;
}

/// The norms of the rows of A and of the axes within the hull.
Vector find_norms_within(const LinearConstraints& k, const HullNormals& normals) {
  const auto norm_within = [&](Vector direction) {
    normals.flatten(direction);
    const double norm = math::norm(direction);
    return norm > 1e-10 ? norm : 0;
  };
  Vector norms;
  for (std::size_t i = 0; i < k.inequalities; ++i) {
    norms.push_back(norm_within({k.row(i).begin(), k.row(i).end()}));
  }
  for (std::size_t j = 0; j < k.columns; ++j) {
    Vector e(k.columns, 0.0);
    e[j] = 1;
    norms.push_back(norm_within(std::move(e)));
  }
  return norms;
}

}  // namespace

Geometry PolytopeShape::about(std::span<const double> p, std::span<const double> slacks) const {
  const std::size_t n = p.size();
  const std::size_t inequalities = norms_within.size() - n;
  double r = infinity;
  for (std::size_t i = 0; i < inequalities; ++i) {
    if (norms_within[i] > 0) r = std::min(r, slacks[i] / norms_within[i]);
  }
  Vector farthest(n);
  Vector widths(n);
  for (std::size_t j = 0; j < n; ++j) {
    const double norm = norms_within[inequalities + j];
    if (norm > 0) r = std::min({r, (p[j] - lower[j]) / norm, (upper[j] - p[j]) / norm});
    farthest[j] = std::max(p[j] - low[j], high[j] - p[j]);
    widths[j] = high[j] - low[j];
  }
  return {{p.begin(), p.end()}, r, math::norm(farthest), math::norm(widths), false, false};
}

void require_sound(const PolytopeShape& shape, const Geometry& geometry, const std::string& holding,
                   double nothing) {
  const double away =
      std::max(math::largest_magnitude(shape.low), math::largest_magnitude(shape.high));
  base::require(geometry.outer_radius > std::max(1e-9 * away, nothing),
                "the polytope is a single point, " + base::list_text(geometry.centre, true) + ": " +
                    holding + " leave nothing to choose");
  base::require(geometry.inner_radius > membership_tolerance * geometry.outer_radius,
                "the polytope has hidden equalities: " + holding +
                    " can only hold with equality together; write them as equalities");
  // As for images: sums of coordinates far away carry their roundings.
  const double roundings = std::numeric_limits<double>::epsilon() *
                           std::sqrt(static_cast<double>(shape.low.size())) * away;
  base::require(roundings <= 1e-2 * membership_tolerance * geometry.outer_radius,
                "the polytope is too far away (" + base::number_text(away) +
                    ") beside its outer radius " + base::number_text(geometry.outer_radius) +
                    ": choose coordinates nearer the origin");
}

double settling_slack(const PolytopeShape& shape, const Geometry& geometry) {
  return membership_tolerance * geometry.outer_radius +
         8 * std::numeric_limits<double>::epsilon() *
             std::max(math::largest_magnitude(shape.low), math::largest_magnitude(shape.high));
}

void settle_bounds(std::span<double> point, const PolytopeShape& shape, double slack) {
  settle_between(point, shape.lower, shape.upper, slack);
}

Vector PolytopeBody::slacks(std::span<const double> p) const {
  Vector slacks(constraints.inequalities);
  for (std::size_t i = 0; i < slacks.size(); ++i) {
    slacks[i] = constraints.right[i] - math::dot(constraints.row(i), p);
  }
  return slacks;
}

Geometry PolytopeBody::geometry_about(std::span<const double> p) const {
  return shape.about(p, slacks(p));
}

PolytopeBody make_polytope_body(const PolytopeConstraints& given) {
  const PolytopeReader reader(given);
  PolytopeBody body;
  body.constraints = reader.dense();
  body.normals = reader.normals;
  const LinearConstraints& k = body.constraints;
  for (std::size_t i = 0; i < k.right.size(); ++i) body.norms.push_back(math::norm(k.row(i)));
  body.shape.lower = k.lower;
  body.shape.upper = k.upper;
  body.shape.norms_within = find_norms_within(k, body.normals);

  BoundedSimplex simplex(k);
  base::require(
      simplex.start() != LinearResult::infeasible,
      "the polytope is empty: " + reader.names(simplex.culprits()) + " contradict each other");
  base::require(
      simplex.start() == LinearResult::optimal,
      "rounding errors hide whether the polytope is empty: its constraints are too nearly "
      "dependent");
  find_box(simplex, body);
  const std::string holding = reader.names(find_centre(body));
  require_sound(body.shape, body.geometry_about(body.centre), holding);
  return body;
}

}  // namespace keyhole::sets
