#include "math/programs/sparse_program.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/sums.h"

#ifdef KEYHOLE_WITH_CLP
#include <ClpSimplex.hpp>
#endif

namespace keyhole::math {
namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
[[maybe_unused]] constexpr double infinity = std::numeric_limits<double>::infinity();
// CLP's tightest tolerance is 1e-10; what it leaves is checked to a little more.
[[maybe_unused]] constexpr double clp_tolerance = 1e-10;
constexpr double feasibility_tolerance = 4e-10;
constexpr double cost_tolerance = 1e-9;

}  // namespace

#ifdef KEYHOLE_WITH_CLP

struct SparseProgram::Model {
  // Lengths are divided by a power of two near `length`. Goes to a feasible basis.
  Model(const SparseConstraints& k, double length) {
    const double to_one = std::ldexp(1.0, -std::ilogb(length));
    const auto scaled = [&](std::vector<double> values) {
      for (double& value : values) value *= to_one;
      return values;
    };
    std::vector<int> rows;
    std::vector<int> columns;
    for (std::size_t i = 0; i < k.right.size(); ++i) {
      for (const std::size_t j : k.row(i).columns) {
        rows.push_back(static_cast<int>(i));
        columns.push_back(static_cast<int>(j));
      }
    }
    CoinPackedMatrix matrix(true, rows.data(), columns.data(), k.values.data(),
                            static_cast<CoinBigIndex>(rows.size()));
    matrix.setDimensions(static_cast<int>(k.right.size()), static_cast<int>(k.columns));
    const std::vector<double> right = scaled(k.right);
    std::vector<double> row_lower = right;
    std::fill_n(row_lower.begin(), k.inequalities, -infinity);
    const std::vector<double> zero(k.columns, 0.0);
    clp.setLogLevel(0);
    clp.loadProblem(matrix, scaled(k.lower).data(), scaled(k.upper).data(), zero.data(),
                    row_lower.data(), right.data());
    clp.setPrimalTolerance(clp_tolerance);
    clp.setDualTolerance(clp_tolerance);
    clp.dual();
    if (clp.status() != 1) return;
    // Only the dual method has a proof to show, but it may claim too much where variables have no
    // bounds: the primal one decides.
    const std::unique_ptr<double[]> ray(clp.infeasibilityRay());
    if (ray != nullptr) proof.assign(ray.get(), ray.get() + k.right.size());
    clp.primal();
  }

  ClpSimplex clp;
  std::vector<double> proof = {};  // multipliers of the rows that show that there is no point
};

bool has_sparse_programs() noexcept { return true; }

SparseProgram::SparseProgram(std::shared_ptr<const SparseConstraints> constraints, double length)
    : k_(std::move(constraints)),
      start_(std::make_unique<Model>(*k_, length)),
      length_(length),
      cost_(k_->columns),
      x_(k_->columns),
      y_(k_->right.size()),
      free_place_(k_->columns),
      reduced_(k_->columns) {}

SparseProgram::SparseProgram(const SparseProgram& other)
    : k_(other.k_),
      start_(std::make_unique<Model>(*other.start_)),
      length_(other.length_),
      cost_(k_->columns),
      x_(k_->columns),
      y_(k_->right.size()),
      free_place_(k_->columns),
      reduced_(k_->columns) {}

/// Which rows are tight and which coordinates free; the others stand at their bounds in x.
void SparseProgram::read_basis(const Model& solved) {
  tight_.clear();
  free_.clear();
  for (std::size_t i = 0; i < y_.size(); ++i) {
    if (solved.clp.getRowStatus(static_cast<int>(i)) != ClpSimplex::basic) tight_.push_back(i);
  }
  for (std::size_t j = 0; j < x_.size(); ++j) {
    free_place_[j] = none;
    const double l = k_->lower[j];
    const double u = k_->upper[j];
    switch (solved.clp.getColumnStatus(static_cast<int>(j))) {
      case ClpSimplex::basic:
        free_place_[j] = free_.size();
        free_.push_back(j);
        x_[j] = 0;
        break;
      case ClpSimplex::atUpperBound:
        x_[j] = u;
        break;
      case ClpSimplex::atLowerBound:
        x_[j] = l;
        break;
      default:
        x_[j] = l > -infinity ? l : u < infinity ? u : 0;
        break;
    }
  }
}

void SparseProgram::find_culprits(const Model& solved, bool infeasible) {
  culprits_.clear();
  constexpr double part_of_the_ray = 1e-9;
  std::vector<double> of_columns(x_.size(), 0.0);
  std::vector<double> of_rows(y_.size(), 0.0);
  if (infeasible) {
    if (solved.proof.empty()) return;
    of_rows = solved.proof;
    for (std::size_t i = 0; i < of_rows.size(); ++i) k_->row(i).add_to(of_columns, of_rows[i]);
  } else {
    const std::unique_ptr<double[]> ray(solved.clp.unboundedRay());
    if (ray == nullptr) return;
    std::copy_n(ray.get(), of_columns.size(), of_columns.begin());
    for (std::size_t i = 0; i < of_rows.size(); ++i) of_rows[i] = k_->row(i).dot(of_columns);
  }
  const double size = std::max(largest_magnitude(of_columns), largest_magnitude(of_rows));
  for (std::size_t j = 0; j < of_columns.size(); ++j) {
    if (std::abs(of_columns[j]) > part_of_the_ray * size) culprits_.push_back(j);
  }
  for (std::size_t i = 0; i < of_rows.size(); ++i) {
    if (std::abs(of_rows[i]) > part_of_the_ray * size) culprits_.push_back(x_.size() + i);
  }
}

LinearResult SparseProgram::minimise(std::span<const double> c) {
  const double largest = largest_magnitude(c);
  int exponent = 0;
  if (largest > 0 && largest < infinity) std::frexp(largest, &exponent);
  const double to_one = std::ldexp(1.0, -std::max(exponent, -1000));
  for (std::size_t j = 0; j < x_.size(); ++j) cost_[j] = c[j] * to_one;

  if (start_->clp.status() == 1) {
    find_culprits(*start_, true);
    return LinearResult::infeasible;
  }
  Model model(*start_);
  ClpSimplex& clp = model.clp;
  std::copy(cost_.begin(), cost_.end(), clp.objective());
  for (int attempt = 0; attempt < 4; ++attempt) {
    if (attempt == 1) {  // from the basis so far, without what may have hidden a violation
      clp.setPerturbation(100);
      clp.scaling(0);
    }
    attempt == 2 ? clp.dual() : clp.primal();
    iterations_ = static_cast<std::size_t>(clp.numberIterations());
    if (clp.status() == 2) {
      find_culprits(model, false);
      return LinearResult::unbounded;
    }
    if (clp.status() != 0) continue;
    read_basis(model);
    if (finish()) return LinearResult::optimal;
  }
  return LinearResult::stuck;
}

#else

struct SparseProgram::Model {};

bool has_sparse_programs() noexcept { return false; }

SparseProgram::SparseProgram(std::shared_ptr<const SparseConstraints> constraints, double length)
    : k_(std::move(constraints)), length_(length) {}

SparseProgram::SparseProgram(const SparseProgram& other) : k_(other.k_), length_(other.length_) {}

LinearResult SparseProgram::minimise(std::span<const double> /*c*/) { return LinearResult::stuck; }

#endif

SparseProgram::SparseProgram(SparseProgram&& other) noexcept = default;

SparseProgram::~SparseProgram() = default;

/// right_i - <a_i, x>.
double SparseProgram::residual(std::size_t row) const {
  return k_->right[row] - k_->row(row).dot(x_);
}

/// With the tight rows W and the basic coordinates S: A_WS x_S = right_W - A_WN x_N.
bool SparseProgram::solve_for_vertex() {
  const std::size_t k = free_.size();
  elimination_.reset(k);
  for (std::size_t i = 0; i < k; ++i) {
    const SparseRow row = k_->row(tight_[i]);
    for (std::size_t e = 0; e < row.columns.size(); ++e) {
      const std::size_t place = free_place_[row.columns[e]];
      if (place != none) elimination_.add(i, place, row.values[e]);
    }
  }
  if (!elimination_.factorise(1e-13)) return false;
  solution_.resize(k);
  constexpr int passes = 2;  // the second refines
  for (int pass = 0; pass < passes; ++pass) {
    for (std::size_t i = 0; i < k; ++i) solution_[i] = residual(tight_[i]);
    elimination_.solve(solution_);
    for (std::size_t j = 0; j < k; ++j) x_[free_[j]] += solution_[j];
  }
  return true;
}

bool SparseProgram::vertex_is_feasible() {
  const double tolerance = feasibility_tolerance * length_;
  for (const std::size_t j : free_) {
    const double inside = std::clamp(x_[j], k_->lower[j], k_->upper[j]);
    if (!(std::abs(x_[j] - inside) <= tolerance)) return false;
    x_[j] = inside;
  }
  for (std::size_t i = 0; i < y_.size(); ++i) {
    const double below = residual(i);
    if (!(below >= -tolerance) || (i >= k_->inequalities && !(below <= tolerance))) return false;
  }
  return true;
}

/// A_WS^T y_W = c_S; the signs of y and of the reduced costs c - A^T y.
bool SparseProgram::multipliers_are_feasible() {
  for (std::size_t j = 0; j < free_.size(); ++j) solution_[j] = cost_[free_[j]];
  elimination_.solve_transposed(solution_);
  std::fill(y_.begin(), y_.end(), 0.0);
  std::copy(cost_.begin(), cost_.end(), reduced_.begin());
  for (std::size_t i = 0; i < free_.size(); ++i) {
    const std::size_t r = tight_[i];
    y_[r] = solution_[i];
    if (r < k_->inequalities && !(y_[r] <= cost_tolerance)) return false;
    k_->row(r).add_to(reduced_, -y_[r]);
  }
  for (std::size_t j = 0; j < x_.size(); ++j) {
    if (free_place_[j] != none) continue;
    if (x_[j] != k_->upper[j] && !(reduced_[j] >= -cost_tolerance)) return false;
    if (x_[j] != k_->lower[j] && !(reduced_[j] <= cost_tolerance)) return false;
  }
  return true;
}

bool SparseProgram::finish() {
  return tight_.size() == free_.size() && solve_for_vertex() && vertex_is_feasible() &&
         multipliers_are_feasible();
}

}  // namespace keyhole::math
