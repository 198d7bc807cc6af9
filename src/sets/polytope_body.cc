#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/sums.h"
#include "sets/polytope.h"
#include "sets/require.h"

namespace keyhole {
namespace {

using Vector = std::vector<double>;
using math::BoundedSimplex;
using math::LinearConstraints;
using math::LinearResult;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t most_numbers = 250000;

void check_bounds(const Vector& lower, const Vector& upper) {
  for (std::size_t j = 0; j < lower.size(); ++j) {
    const std::string coordinate = "coordinate " + std::to_string(j) + " of a polytope ";
    const std::string bounds =
        "[" + math::number_text(lower[j]) + ", " + math::number_text(upper[j]) + "]";
    require((is_moderate(lower[j]) || lower[j] == -infinity) &&
                (is_moderate(upper[j]) || upper[j] == infinity),
            coordinate + "has the bounds " + bounds +
                ": they must be numbers of magnitude up to 1e50, or infinite");
    require(lower[j] != upper[j], coordinate + "is fixed by its bounds " + bounds +
                                      ": leave it out, there is nothing to choose");
    require(lower[j] < upper[j], "the polytope is empty: the bounds of coordinate " +
                                     std::to_string(j) + " are " + bounds);
  }
}

void check_rows(const std::string& kind, const LinearRows& rows, std::size_t n) {
  require(rows.dense.empty() || rows.dense.size() == rows.right.size() * n,
          "the " + kind + " of a polytope need " + std::to_string(n) + " numbers for each of the " +
              std::to_string(rows.right.size()) + " right hand sides, not " +
              std::to_string(rows.dense.size()));
  for (const MatrixEntry& entry : rows.sparse) {
    require(entry.row < rows.right.size() && entry.column < n,
            "an entry in row " + std::to_string(entry.row) + " and column " +
                std::to_string(entry.column) + " is outside the " +
                std::to_string(rows.right.size()) + " x " + std::to_string(n) + " matrix of the " +
                kind);
  }
  require(rows.right.size() <= most_numbers / n,
          "a polytope of " + std::to_string(rows.right.size()) + " " + kind + " in dimension " +
              std::to_string(n) + " is too large for the dense method, which takes up to " +
              std::to_string(most_numbers) + " numbers");
}

/// Appends a row, times a power of two so that its norm is in [1, 2). False for a row of zeros.
bool append_scaled(LinearConstraints& to, std::span<const double> row, double right) {
  const double norm = math::norm(row);
  if (norm == 0) return false;
  const double factor = std::ldexp(1.0, -std::ilogb(norm));
  for (const double value : row) to.rows.push_back(value * factor);
  to.right.push_back(right * factor);
  return true;
}

/// The constraints, the names of their rows, and the hull: read from what was given.
class Reader {
 public:
  explicit Reader(const PolytopeConstraints& given) : n_(given.n) {
    require(n_ >= 1, "a polytope needs at least one dimension");
    for (const auto& [what, bounds] : {std::pair{"lower", &given.lower}, {"upper", &given.upper}}) {
      require(bounds->empty() || bounds->size() == n_,
              "a polytope in dimension " + std::to_string(n_) + " needs as many " + what +
                  " bounds, or none, not " + std::to_string(bounds->size()));
    }
    check_rows("inequalities", given.inequalities, n_);
    check_rows("equalities", given.equalities, n_);
    constraints.columns = n_;
    constraints.lower = given.lower.empty() ? Vector(n_, -infinity) : given.lower;
    constraints.upper = given.upper.empty() ? Vector(n_, infinity) : given.upper;
    normals.columns = n_;
    check_bounds(constraints.lower, constraints.upper);
    read("inequality", given.inequalities, false);
    constraints.inequalities = constraints.right.size();
    read("equality", given.equalities, true);
    require(normals.right.size() < n_,
            "the equalities of the polytope leave a single point: there is nothing to choose");
  }

  /// "inequality 0, equality 2 and the bounds of coordinate 1".
  [[nodiscard]] std::string names(const std::vector<std::size_t>& variables) const {
    constexpr std::size_t most = 12;
    std::string text;
    const std::size_t count = std::min(variables.size(), most);
    for (std::size_t k = 0; k < count; ++k) {
      if (k > 0) text += k + 1 == variables.size() ? " and " : ", ";
      text += variables[k] < n_ ? "the bounds of coordinate " + std::to_string(variables[k])
                                : names_[variables[k] - n_];
    }
    if (variables.size() > most) {
      text += " and " + std::to_string(variables.size() - most) + " more";
    }
    return text;
  }

  LinearConstraints constraints;
  HullNormals normals;

 private:
  void read(const std::string& kind, const LinearRows& rows, bool equalities) {
    const Vector dense = dense_rows(rows, n_);
    for (std::size_t i = 0; i < rows.right.size(); ++i) {
      const std::span<const double> row(dense.data() + i * n_, n_);
      const std::string name = kind + " " + std::to_string(i);
      const auto is_bad = [](double value) { return !is_moderate(value); };
      require(std::none_of(row.begin(), row.end(), is_bad) && is_moderate(rows.right[i]),
              name + " of the polytope has numbers that are not finite or beyond 1e50");
      const double right = rows.right[i];
      if (!append_scaled(constraints, row, right)) {
        require(equalities ? right == 0 : right >= 0,
                "the polytope is empty: " + name + " says that 0 is " +
                    (equalities ? "" : "at most ") + math::number_text(right));
        continue;
      }
      if (equalities && !joins_hull(name)) {
        constraints.rows.resize(constraints.rows.size() - n_);
        constraints.right.pop_back();
        continue;
      }
      names_.push_back(name);
    }
  }

  /// Orthogonalises the last row of the constraints against the normals so far (Gram and Schmidt,
  /// twice). False if nothing but rounding is left, that is if it follows from the others.
  bool joins_hull(const std::string& name) {
    const auto last = constraints.rows.end() - static_cast<std::ptrdiff_t>(n_);
    Vector row(last, constraints.rows.end());
    double right = constraints.right.back();
    double size = std::abs(right);
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t k = 0; k < normals.right.size(); ++k) {
        const double along = math::dot(row, normals.row(k));
        math::add(row, -along, normals.row(k));
        right -= along * normals.right[k];
        size = std::max(size, std::abs(along * normals.right[k]));
      }
    }
    const double left = math::norm(row);
    if (left <= 1e-10) {
      require(std::abs(right) <= 1e-9 * size,
              "the polytope is empty: " + name + " contradicts the equalities before it");
      return false;
    }
    for (const double value : row) normals.rows.push_back(value / left);
    normals.right.push_back(right / left);
    return true;
  }

  std::size_t n_;
  std::vector<std::string> names_;
};

/// The bounding box, by two linear programs a coordinate.
void find_box(BoundedSimplex& simplex, PolytopeBody& body) {
  const std::size_t n = body.constraints.columns;
  body.low.resize(n);
  body.high.resize(n);
  Vector c(n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    for (const double sign : {1.0, -1.0}) {
      c[j] = sign;
      const LinearResult result = simplex.minimise(c);
      require(result != LinearResult::unbounded,
              "the polytope is unbounded: coordinate " + std::to_string(j) + " has no " +
                  (sign > 0 ? "least" : "largest") + " value; give it a bound");
      require(result == LinearResult::optimal,
              "rounding errors hide how far coordinate " + std::to_string(j) +
                  " of the polytope can go: its constraints are too nearly dependent");
      (sign > 0 ? body.low : body.high)[j] = simplex.x()[j];
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
    append(k.row(i), body.norms_within[i], k.right[i], n + i);
  }
  Vector e(n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    const double norm = body.norms_within[k.inequalities + j];
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
  require(simplex.start() == LinearResult::optimal && simplex.minimise(c) == LinearResult::optimal,
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

void HullNormals::flatten(std::span<double> direction) const noexcept {
  for (std::size_t k = 0; k < right.size(); ++k) {
    math::add(direction, -math::dot(direction, row(k)), row(k));
  }
}

Vector dense_rows(const LinearRows& rows, std::size_t n) {
  Vector dense = rows.dense;
  dense.resize(rows.right.size() * n, 0.0);
  for (const MatrixEntry& entry : rows.sparse) dense[entry.row * n + entry.column] += entry.value;
  return dense;
}

Geometry PolytopeBody::geometry_about(std::span<const double> p) const {
  const std::size_t n = constraints.columns;
  double r = infinity;
  for (std::size_t i = 0; i < constraints.inequalities; ++i) {
    if (norms_within[i] == 0) continue;
    r = std::min(r, (constraints.right[i] - math::dot(constraints.row(i), p)) / norms_within[i]);
  }
  Vector farthest(n);
  Vector widths(n);
  for (std::size_t j = 0; j < n; ++j) {
    const double norm = norms_within[constraints.inequalities + j];
    if (norm > 0) {
      r = std::min({r, (p[j] - constraints.lower[j]) / norm, (constraints.upper[j] - p[j]) / norm});
    }
    farthest[j] = std::max(p[j] - low[j], high[j] - p[j]);
    widths[j] = high[j] - low[j];
  }
  return {{p.begin(), p.end()}, r, math::norm(farthest), math::norm(widths), false, false};
}

PolytopeBody make_polytope_body(const PolytopeConstraints& given) {
  Reader reader(given);
  PolytopeBody body;
  body.constraints = reader.constraints;
  body.normals = reader.normals;
  const LinearConstraints& k = body.constraints;
  for (std::size_t i = 0; i < k.right.size(); ++i) body.norms.push_back(math::norm(k.row(i)));
  body.norms_within = find_norms_within(k, body.normals);

  BoundedSimplex simplex(k);
  require(simplex.start() != LinearResult::infeasible,
          "the polytope is empty: " + reader.names(simplex.culprits()) + " contradict each other");
  require(simplex.start() == LinearResult::optimal,
          "rounding errors hide whether the polytope is empty: its constraints are too nearly "
          "dependent");
  find_box(simplex, body);
  const std::string holding = reader.names(find_centre(body));
  const Geometry geometry = body.geometry_about(body.centre);
  const double away =
      std::max(math::largest_magnitude(body.low), math::largest_magnitude(body.high));
  require(geometry.outer_radius > 1e-9 * away, "the polytope is a single point, " +
                                                   list_text(body.centre, true) + ": " + holding +
                                                   " leave nothing to choose");
  require(geometry.inner_radius > membership_tolerance * geometry.outer_radius,
          "the polytope has hidden equalities: " + holding +
              " can only hold with equality together; write them as equalities");
  // As for images: sums of coordinates far away carry their roundings.
  require(std::numeric_limits<double>::epsilon() * std::sqrt(static_cast<double>(given.n)) * away <=
              1e-2 * membership_tolerance * geometry.outer_radius,
          "the polytope is too far away (" + math::number_text(away) +
              ") beside its outer radius " + math::number_text(geometry.outer_radius) +
              ": choose coordinates nearer the origin");
  return body;
}

}  // namespace keyhole
