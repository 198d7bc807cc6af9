#include "math/programs/sparse_program.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <numeric>
#include <utility>

#include "keyhole/error.h"
#include "math/sums.h"

#ifdef KEYHOLE_WITH_CLP
#include <Clp_C_Interface.h>

#include "base/shared_library.h"
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

namespace {

/// The functions of CLP, which is loaded with the first program.
class Clp {
  base::SharedLibrary<InvalidArgument> library_{
      "libClp.so.1", "this set is too large for the dense method: the sparse one needs CLP",
      "coinor-libclp1"};

 public:
  decltype(&::Clp_copyinStatus) put_basis = library_.find<decltype(put_basis)>("Clp_copyinStatus");
  decltype(&::Clp_deleteModel) remove = library_.find<decltype(remove)>("Clp_deleteModel");
  decltype(&::Clp_dual) dual = library_.find<decltype(dual)>("Clp_dual");
  decltype(&::Clp_freeRay) free_ray = library_.find<decltype(free_ray)>("Clp_freeRay");
  decltype(&::Clp_infeasibilityRay) infeasibility_ray =
      library_.find<decltype(infeasibility_ray)>("Clp_infeasibilityRay");
  decltype(&::Clp_loadProblem) load = library_.find<decltype(load)>("Clp_loadProblem");
  decltype(&::Clp_newModel) make = library_.find<decltype(make)>("Clp_newModel");
  decltype(&::Clp_numberIterations) iterations =
      library_.find<decltype(iterations)>("Clp_numberIterations");
  decltype(&::Clp_primal) primal = library_.find<decltype(primal)>("Clp_primal");
  decltype(&::Clp_scaling) set_scaling = library_.find<decltype(set_scaling)>("Clp_scaling");
  decltype(&::Clp_setDualTolerance) set_dual_tolerance =
      library_.find<decltype(set_dual_tolerance)>("Clp_setDualTolerance");
  decltype(&::Clp_setLogLevel) set_log_level =
      library_.find<decltype(set_log_level)>("Clp_setLogLevel");
  decltype(&::Clp_setPerturbation) set_perturbation =
      library_.find<decltype(set_perturbation)>("Clp_setPerturbation");
  decltype(&::Clp_setPrimalTolerance) set_primal_tolerance =
      library_.find<decltype(set_primal_tolerance)>("Clp_setPrimalTolerance");
  decltype(&::Clp_status) status = library_.find<decltype(status)>("Clp_status");
  decltype(&::Clp_statusArray) basis = library_.find<decltype(basis)>("Clp_statusArray");
  decltype(&::Clp_unboundedRay) unbounded_ray =
      library_.find<decltype(unbounded_ray)>("Clp_unboundedRay");
};

const Clp& clp() {
  static const Clp functions;
  return functions;
}

/// What CLP says has become of a program.
enum Verdict { optimal = 0, infeasible = 1, unbounded = 2 };

/// What CLP says of a variable or a row, in the lowest bits.
enum Standing : unsigned char { basic = 1, at_upper = 2, at_lower = 3, bits = 7 };

/// A program at CLP.
class Model {
 public:
  Model() : model_(clp().make()) {
    if (model_ == nullptr) throw std::bad_alloc();
  }
  [[nodiscard]] Clp_Simplex* get() const { return model_.get(); }
  [[nodiscard]] int status() const { return clp().status(get()); }
  [[nodiscard]] std::vector<double> ray(decltype(Clp::unbounded_ray) find, std::size_t size) const {
    const auto free = [this](double* of) { clp().free_ray(get(), of); };
    const std::unique_ptr<double, decltype(free)> found(find(get()), free);
    if (found == nullptr) return {};
    return {found.get(), found.get() + size};
  }

 private:
  struct Remove {
    void operator()(Clp_Simplex* model) const { clp().remove(model); }
  };
  std::unique_ptr<Clp_Simplex, Remove> model_;
};

}  // namespace

/// The constraints as CLP takes them, by columns, and a basis that is feasible.
struct SparseProgram::Start {
  // Lengths are divided by a power of two near `length`.
  Start(const SparseConstraints& k, double length) : starts(k.columns + 1) {
    const double to_one = std::ldexp(1.0, -std::ilogb(length));
    const auto scaled = [&](std::vector<double> all) {
      for (double& value : all) value *= to_one;
      return all;
    };
    lower = scaled(k.lower);
    upper = scaled(k.upper);
    right = scaled(k.right);
    row_lower = right;
    std::fill_n(row_lower.begin(), k.inequalities, -infinity);
    for (std::size_t i = 0; i < k.right.size(); ++i) {
      for (const std::size_t j : k.row(i).columns) ++starts[j + 1];
    }
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    rows.resize(k.values.size());
    values.resize(k.values.size());
    std::vector<CoinBigIndex> next(starts.begin(), starts.end() - 1);
    for (std::size_t i = 0; i < k.right.size(); ++i) {
      const SparseRow row = k.row(i);
      for (std::size_t e = 0; e < row.columns.size(); ++e) {
        const auto place = static_cast<std::size_t>(next[row.columns[e]]++);
        rows[place] = static_cast<int>(i);
        values[place] = row.values[e];
      }
    }
    const Model model = load(std::vector<double>(k.columns, 0.0));
    clp().dual(model.get(), 0);
    if (model.status() == infeasible) {
      // Only the dual method has a proof to show, but it may claim too much where variables have no
      // bounds: the primal one decides.
      proof = model.ray(clp().infeasibility_ray, right.size());
      clp().primal(model.get(), 0);
      is_infeasible = model.status() == infeasible;
    }
    const unsigned char* const found = clp().basis(model.get());
    basis.assign(found, found + k.columns + right.size());
  }

  [[nodiscard]] Model load(const std::vector<double>& cost) const {
    Model model;
    clp().set_log_level(model.get(), 0);
    clp().load(model.get(), static_cast<int>(lower.size()), static_cast<int>(right.size()),
               starts.data(), rows.data(), values.data(), lower.data(), upper.data(), cost.data(),
               row_lower.data(), right.data());
    clp().set_primal_tolerance(model.get(), clp_tolerance);
    clp().set_dual_tolerance(model.get(), clp_tolerance);
    if (!basis.empty()) clp().put_basis(model.get(), basis.data());
    return model;
  }

  std::vector<CoinBigIndex> starts;
  std::vector<int> rows = {};
  std::vector<double> values = {};
  std::vector<double> lower = {};
  std::vector<double> upper = {};
  std::vector<double> row_lower = {};
  std::vector<double> right = {};
  std::vector<unsigned char> basis = {};  // of the columns, then of the rows
  bool is_infeasible = false;
  std::vector<double> proof = {};  // multipliers of the rows that show that there is no point
};

void require_sparse_programs() { (void)clp(); }

SparseProgram::SparseProgram(std::shared_ptr<const SparseConstraints> constraints, double length)
    : k_(std::move(constraints)),
      start_(std::make_shared<const Start>(*k_, length)),
      length_(length),
      cost_(k_->columns),
      x_(k_->columns),
      y_(k_->right.size()),
      free_place_(k_->columns),
      reduced_(k_->columns) {}

/// Which rows are tight and which coordinates free; the others stand at their bounds in x.
void SparseProgram::read_basis(std::span<const unsigned char> basis) {
  tight_.clear();
  free_.clear();
  for (std::size_t i = 0; i < y_.size(); ++i) {
    if ((basis[x_.size() + i] & bits) != basic) tight_.push_back(i);
  }
  for (std::size_t j = 0; j < x_.size(); ++j) {
    free_place_[j] = none;
    const double l = k_->lower[j];
    const double u = k_->upper[j];
    switch (basis[j] & bits) {
      case basic:
        free_place_[j] = free_.size();
        free_.push_back(j);
        x_[j] = 0;
        break;
      case at_upper:
        x_[j] = u;
        break;
      case at_lower:
        x_[j] = l;
        break;
      default:
        x_[j] = l > -infinity ? l : u < infinity ? u : 0;
        break;
    }
  }
}

/// The variables and rows along which there is no point, by the rows that prove it, or along which
/// there is no least value, by the way there.
void SparseProgram::find_culprits(std::vector<double> of_columns, std::vector<double> of_rows) {
  culprits_.clear();
  constexpr double part_of_the_ray = 1e-9;
  if (of_columns.empty() == of_rows.empty()) return;
  if (of_columns.empty()) {
    of_columns.resize(x_.size());
    for (std::size_t i = 0; i < of_rows.size(); ++i) k_->row(i).add_to(of_columns, of_rows[i]);
  } else {
    for (std::size_t i = 0; i < y_.size(); ++i) of_rows.push_back(k_->row(i).dot(of_columns));
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

  if (start_->is_infeasible) {
    find_culprits({}, start_->proof);
    return LinearResult::infeasible;
  }
  const Model model = start_->load(cost_);
  for (int attempt = 0; attempt < 4; ++attempt) {
    if (attempt == 1) {  // from the basis so far, without what may have hidden a violation
      clp().set_perturbation(model.get(), 100);
      clp().set_scaling(model.get(), 0);
    }
    (void)(attempt == 2 ? clp().dual : clp().primal)(model.get(), 0);
    iterations_ = static_cast<std::size_t>(clp().iterations(model.get()));
    if (model.status() == unbounded) {
      find_culprits(model.ray(clp().unbounded_ray, x_.size()), {});
      return LinearResult::unbounded;
    }
    if (model.status() != optimal) continue;
    read_basis({clp().basis(model.get()), x_.size() + y_.size()});
    if (finish()) return LinearResult::optimal;
  }
  return LinearResult::stuck;
}

#else

struct SparseProgram::Start {};

void require_sparse_programs() {
  throw InvalidArgument(
      "this set is too large for the dense method, and Keyhole was built without CLP, which "
      "the sparse one needs (KEYHOLE_WITH_CLP)");
}

SparseProgram::SparseProgram(std::shared_ptr<const SparseConstraints> constraints, double length)
    : k_(std::move(constraints)), length_(length) {
  require_sparse_programs();
}

LinearResult SparseProgram::minimise(std::span<const double> /*c*/) { return LinearResult::stuck; }

#endif

bool has_sparse_programs() {
  try {
    require_sparse_programs();
  } catch (const InvalidArgument&) {
    return false;
  }
  return true;
}

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
