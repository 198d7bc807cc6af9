#include "sets/polytopes/polytope_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/require.h"
#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Numbers in the orthonormal rows that hold the hull.
constexpr std::size_t most_numbers_of_normals = 4000000;

void check_bounds(const Vector& lower, const Vector& upper) {
  for (std::size_t j = 0; j < lower.size(); ++j) {
    const std::string coordinate = "coordinate " + std::to_string(j) + " of a polytope ";
    const std::string bounds =
        "[" + base::number_text(lower[j]) + ", " + base::number_text(upper[j]) + "]";
    base::require((base::is_moderate(lower[j]) || lower[j] == -infinity) &&
                      (base::is_moderate(upper[j]) || upper[j] == infinity),
                  coordinate + "has the bounds " + bounds +
                      ": they must be numbers of magnitude up to 1e50, or infinite");
    base::require(lower[j] != upper[j], coordinate + "is fixed by its bounds " + bounds +
                                            ": leave it out, there is nothing to choose");
    base::require(lower[j] < upper[j], "the polytope is empty: the bounds of coordinate " +
                                           std::to_string(j) + " are " + bounds);
  }
}

void check_rows(const std::string& kind, const LinearRows& rows, std::size_t n) {
  base::require(rows.dense.empty() || rows.dense.size() == rows.right.size() * n,
                "the " + kind + " of a polytope need " + std::to_string(n) +
                    " numbers for each of the " + std::to_string(rows.right.size()) +
                    " right hand sides, not " + std::to_string(rows.dense.size()));
  base::require(rows.names.empty() || rows.names.size() == rows.right.size(),
                "the " + kind + " of a polytope need as many names as right hand sides, or none");
  for (const MatrixEntry& entry : rows.sparse) {
    base::require(entry.row < rows.right.size() && entry.column < n,
                  "an entry in row " + std::to_string(entry.row) + " and column " +
                      std::to_string(entry.column) + " is outside the " +
                      std::to_string(rows.right.size()) + " x " + std::to_string(n) +
                      " matrix of the " + kind);
  }
}

/// "a, b and c"; of long lists the beginning and how many more there are.
template <class Name>
std::string enumerated(const std::vector<std::size_t>& items, const Name& name) {
  constexpr std::size_t most = 12;
  std::string text;
  const std::size_t count = std::min(items.size(), most);
  for (std::size_t k = 0; k < count; ++k) {
    if (k > 0) text += k + 1 == items.size() ? " and " : ", ";
    text += name(items[k]);
  }
  if (items.size() > most) text += " and " + std::to_string(items.size() - most) + " more";
  return text;
}

}  // namespace

void HullNormals::flatten(std::span<double> direction) const noexcept {
  for (std::size_t k = 0; k < right.size(); ++k) {
    math::add(direction, -math::dot(direction, row(k)), row(k));
  }
}

bool HullNormals::contain(std::span<const double> x, double tolerance) const noexcept {
  for (std::size_t k = 0; k < right.size(); ++k) {
    if (!(std::abs(math::dot(row(k), x) - right[k]) <= tolerance)) return false;
  }
  return true;
}

math::SparseConstraints assembled(const LinearRows& rows, std::size_t n) {
  math::SparseConstraints all{.columns = n};
  std::vector<MatrixEntry> sorted = rows.sparse;
  const auto before = [](const MatrixEntry& a, const MatrixEntry& b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  };
  std::stable_sort(sorted.begin(), sorted.end(), before);
  auto entry = sorted.begin();
  for (std::size_t i = 0; i < rows.right.size(); ++i) {
    const auto append = [&](std::size_t column, double value) {
      for (; entry != sorted.end() && entry->row == i && entry->column == column; ++entry) {
        value += entry->value;
      }
      if (value == 0) return;
      all.indices.push_back(column);
      all.values.push_back(value);
    };
    if (rows.dense.empty()) {
      while (entry != sorted.end() && entry->row == i) append(entry->column, 0);
    } else {
      for (std::size_t j = 0; j < n; ++j) append(j, rows.dense[i * n + j]);
    }
    all.starts.push_back(all.indices.size());
  }
  return all;
}

PolytopeReader::PolytopeReader(const PolytopeConstraints& given) : n_(given.n) {
  base::require(n_ >= 1, "a polytope needs at least one dimension");
  for (const auto& [what, bounds] : {std::pair{"lower", &given.lower}, {"upper", &given.upper}}) {
    base::require(bounds->empty() || bounds->size() == n_,
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
  base::require(normals.right.size() < n_,
                "the equalities of the polytope leave a single point: there is nothing to choose");
}

std::string PolytopeReader::names(const std::vector<std::size_t>& variables) const {
  return enumerated(variables, [&](std::size_t variable) {
    return variable < n_ ? "the bounds of coordinate " + std::to_string(variable)
                         : names_[variable - n_];
  });
}

void PolytopeReader::require_feasible(math::LinearResult result,
                                      const std::vector<std::size_t>& culprits) const {
  base::require(result != math::LinearResult::infeasible,
                "the polytope is empty" +
                    (culprits.empty() ? "" : ": " + names(culprits) + " contradict each other"));
  require_seen(result == math::LinearResult::optimal, "whether the polytope is empty");
}

std::string unbounded_text(std::size_t n, std::size_t j, double sign,
                           const std::vector<std::size_t>& ray) {
  std::vector<std::size_t> others;
  for (const std::size_t variable : ray) {
    if (variable < n && variable != j) others.push_back(variable);
  }
  const std::string text = "the polytope is unbounded: coordinate " + std::to_string(j) + " can " +
                           (sign > 0 ? "fall" : "grow") + " without end";
  if (others.empty()) {
    return text + ", for it has no " + (sign > 0 ? "lower" : "upper") +
           " bound and no inequality or equality limits it; give it a bound";
  }
  return text + " if coordinate" + (others.size() > 1 ? "s " : " ") +
         enumerated(others, [](std::size_t k) { return std::to_string(k); }) +
         (others.size() > 1 ? " move" : " moves") +
         " along, for none of them has a bound that way and no inequality or equality limits them "
         "together; give one of them a bound";
}

math::LinearConstraints PolytopeReader::dense() const {
  math::LinearConstraints all{.columns = n_,
                              .inequalities = constraints.inequalities,
                              .rows = Vector(constraints.right.size() * n_, 0.0),
                              .right = constraints.right,
                              .lower = constraints.lower,
                              .upper = constraints.upper};
  for (std::size_t i = 0; i < constraints.right.size(); ++i) {
    constraints.row(i).add_to(std::span(all.rows).subspan(i * n_, n_), 1);
  }
  return all;
}

void PolytopeReader::read(const std::string& kind, const LinearRows& rows, bool equalities) {
  const math::SparseConstraints all = assembled(rows, n_);
  for (std::size_t i = 0; i < rows.right.size(); ++i) {
    const math::SparseRow row = all.row(i);
    const std::string name = rows.names.empty() ? kind + " " + std::to_string(i) : rows.names[i];
    const auto is_bad = [](double value) { return !base::is_moderate(value); };
    base::require(std::none_of(row.values.begin(), row.values.end(), is_bad) &&
                      base::is_moderate(rows.right[i]),
                  name + " of the polytope has numbers that are not finite or beyond 1e50");
    const double right = rows.right[i];
    const double norm = math::norm(row.values);
    if (norm == 0) {
      base::require(equalities ? right == 0 : right >= 0,
                    "the polytope is empty: " + name + " says that 0 is " +
                        (equalities ? "" : "at most ") + base::number_text(right));
      continue;
    }
    const double factor = std::ldexp(1.0, -std::ilogb(norm));
    for (std::size_t e = 0; e < row.values.size(); ++e) {
      constraints.indices.push_back(row.columns[e]);
      constraints.values.push_back(row.values[e] * factor);
    }
    constraints.starts.push_back(constraints.indices.size());
    constraints.right.push_back(right * factor);
    if (equalities && !joins_hull(name)) {
      constraints.starts.pop_back();
      constraints.indices.resize(constraints.starts.back());
      constraints.values.resize(constraints.starts.back());
      constraints.right.pop_back();
      continue;
    }
    names_.push_back(name);
  }
}

/// Orthogonalises the last row of the constraints against the normals so far (Gram and Schmidt,
/// twice). False if nothing but rounding is left, that is if it follows from the others.
bool PolytopeReader::joins_hull(const std::string& name) {
  Vector row(n_, 0.0);
  constraints.row(constraints.right.size() - 1).add_to(row, 1);
  double right = constraints.right.back();
  double size = std::abs(right);  // of what was added up, to which rounding is relative
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t k = 0; k < normals.right.size(); ++k) {
      const double along = math::dot(row, normals.row(k));
      math::add(row, -along, normals.row(k));
      right -= along * normals.right[k];
      size = std::max(size, std::abs(along) * sizes_[k]);
    }
  }
  const double left = math::norm(row);
  if (left <= 1e-10) {
    base::require(std::abs(right) <= 1e-9 * size,
                  "the polytope is empty: " + name + " contradicts the equalities before it");
    return false;
  }
  base::require(normals.rows.size() + n_ <= most_numbers_of_normals,
                "a polytope in dimension " + std::to_string(n_) + " takes up to " +
                    std::to_string(most_numbers_of_normals / n_) +
                    " independent equalities: use them to leave out coordinates");
  for (const double value : row) normals.rows.push_back(value / left);
  normals.right.push_back(right / left);
  sizes_.push_back(size / left);
  return true;
}

}  // namespace keyhole::sets
