#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/require.h"
#include "math/programs/bounded_simplex.h"
#include "math/sums.h"
#include "sets/polytopes/polytope.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;
using math::BoundedSimplex;
using math::LinearConstraints;
using math::LinearResult;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A largest ball within the hull: max r subject to <a_i, x> + ||a_i|| r <= b_i for the rows and
/// the bounds, the norms taken within the hull. None if rounding prevents it.
std::optional<PolytopeBall> find_ball(const DenseBody& body) {
  const LinearConstraints& k = *body.constraints;
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
  if (simplex.start() != LinearResult::optimal || simplex.minimise(c) != LinearResult::optimal) {
    return std::nullopt;
  }
  PolytopeBall found{.centre = {simplex.x().begin(), simplex.x().end() - 1}};
  for (std::size_t i = 0; i < simplex.constraints().inequalities; ++i) {
    if (simplex.multipliers()[i] < -1e-9) found.holding.push_back(origin[i]);
  }
  return found;
}

}  // namespace

double largest_finite(std::span<const double> a, std::span<const double> b) {
  double largest = 0;
  for (const std::span<const double> values : {a, b}) {
    for (const double value : values) {
      if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    }
  }
  return largest > 0 ? largest : 1;
}

double PolytopeShape::length() const { return largest_finite(low, high); }

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
  const double away = shape.length();
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
                    ") compared with its outer radius " + base::number_text(geometry.outer_radius) +
                    ": choose coordinates nearer the origin");
}

DenseBody make_polytope_body(const PolytopeConstraints& given) {
  const PolytopeReader reader(given);
  DenseBody body(reader.dense(), reader.normals, [](const HullNormals& normals, const auto& row) {
    return normals.norm_within(row);
  });
  BoundedSimplex simplex(*body.constraints);
  reader.require_feasible(simplex.start(), simplex.culprits());
  body.shape.low.assign(given.n, -infinity);
  body.shape.high.assign(given.n, infinity);
  body.find_box(simplex, [](double /*end*/, double /*sign*/) {});
  body.take_centre(find_ball(body), reader);
  return body;
}

}  // namespace keyhole::sets
