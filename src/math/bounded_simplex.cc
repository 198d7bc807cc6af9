#include "math/bounded_simplex.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/sums.h"

namespace keyhole::math {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double smallest_pivot = 1e-9;
constexpr double cost_tolerance = 1e-11;  // costs are scaled to a largest of about 1
constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

}  // namespace

BoundedSimplex::BoundedSimplex(LinearConstraints constraints)
    : constraints_(std::make_shared<const LinearConstraints>(std::move(constraints))),
      columns_(constraints_->columns),
      rows_(constraints_->right.size()),
      cost_(columns_),
      reduced_(columns_),
      x_(columns_),
      y_(rows_),
      most_pending_(2 * rows_ * columns_ / std::max<std::size_t>(rows_ + columns_, 1) + 8),
      pending_u_(most_pending_ * rows_),
      pending_v_(most_pending_ * columns_),
      column_(rows_),
      speed_(rows_),
      distance_(rows_),
      tight_(std::min(rows_, columns_)),
      free_(std::min(rows_, columns_)),
      solution_(std::min(rows_, columns_)),
      elimination_(std::min(rows_, columns_)) {
  now_.at.resize(columns_);
  now_.nonbasic.resize(columns_);
  now_.basic.resize(rows_);
  now_.value.resize(rows_);
  now_.lower.resize(rows_);
  now_.upper.resize(rows_);
  make_slack_tableau();
  for (std::size_t j = 0; j < columns_; ++j) {
    const double l = constraints_->lower[j];
    const double u = constraints_->upper[j];
    now_.at[j] = l > -infinity ? At::lower : u < infinity ? At::upper : At::zero;
  }
  // Tolerances begin with the smallest length in sight and grow with the coordinates met.
  now_.scale = infinity;
  for (const auto* numbers : {&constraints_->right, &constraints_->lower, &constraints_->upper}) {
    for (const double value : *numbers) {
      if (value != 0) now_.scale = std::min(now_.scale, std::abs(value));
    }
  }
  if (now_.scale == infinity) now_.scale = 1;
  compute_values();
  start_result_ = phase_1();
  start_ = now_;
}

double BoundedSimplex::lower(std::size_t variable) const noexcept {
  return variable < columns_ ? constraints_->lower[variable] : 0;
}

double BoundedSimplex::upper(std::size_t variable) const noexcept {
  if (variable < columns_) return constraints_->upper[variable];
  return variable - columns_ < constraints_->inequalities ? infinity : 0;
}

double BoundedSimplex::nonbasic_value(std::size_t j) const noexcept {
  switch (now_.at[j]) {
    case At::lower:
      return lower(now_.nonbasic[j]);
    case At::upper:
      return upper(now_.nonbasic[j]);
    case At::zero:
      break;
  }
  return 0;
}

void BoundedSimplex::set_basic(std::size_t i, std::size_t variable) noexcept {
  now_.basic[i] = variable;
  now_.lower[i] = lower(variable);
  now_.upper[i] = upper(variable);
}

/// Negative below the lower, positive above the upper bound, 0 within the tolerance.
double BoundedSimplex::violation(std::size_t i) const noexcept {
  const double below = now_.value[i] - now_.lower[i];
  if (below < -feasibility_tolerance()) return below;
  const double above = now_.value[i] - now_.upper[i];
  return above > feasibility_tolerance() ? above : 0;
}

/// All slacks basic: s = right - rows x.
void BoundedSimplex::make_slack_tableau() {
  now_.t.assign(constraints_->rows.begin(), constraints_->rows.end());
  for (std::size_t i = 0; i < rows_; ++i) set_basic(i, columns_ + i);
  for (std::size_t j = 0; j < columns_; ++j) now_.nonbasic[j] = j;
}

/// The tight rows (with nonbasic slacks) and the free coordinates (basic): always as many.
void BoundedSimplex::collect_basis() noexcept {
  in_basis_ = 0;
  for (const std::size_t variable : now_.nonbasic) {
    if (variable >= columns_) tight_[in_basis_++] = variable - columns_;
  }
  in_basis_ = 0;
  for (const std::size_t variable : now_.basic) {
    if (variable < columns_) free_[in_basis_++] = variable;
  }
  std::sort(tight_.begin(), tight_.begin() + static_cast<std::ptrdiff_t>(in_basis_));
  std::sort(free_.begin(), free_.begin() + static_cast<std::ptrdiff_t>(in_basis_));
}

/// The tableau of the same basis anew from the constraints: each basic coordinate, in ascending
/// order, takes the place of the slack of a tight row, the one with the largest pivot.
void BoundedSimplex::refactorise() {
  collect_basis();
  // at[] goes with variables, which change their columns; x_ and y_ serve to remember it.
  for (std::size_t j = 0; j < columns_; ++j) {
    const std::size_t variable = now_.nonbasic[j];
    (variable < columns_ ? x_[variable] : y_[variable - columns_]) =
        static_cast<double>(now_.at[j]);
  }
  deferring_ = false;
  pending_ = 0;
  make_slack_tableau();
  for (const std::size_t coordinate : free()) {
    std::size_t best = none;
    for (const std::size_t i : tight()) {
      if (now_.basic[i] < columns_) continue;  // taken
      if (best == none || std::abs(row(i)[coordinate]) > std::abs(row(best)[coordinate])) best = i;
    }
    pivot(best, coordinate);
    now_.nonbasic[coordinate] = now_.basic[best];
    set_basic(best, coordinate);
  }
  for (std::size_t j = 0; j < columns_; ++j) {
    const std::size_t variable = now_.nonbasic[j];
    now_.at[j] = static_cast<At>(
        static_cast<int>(variable < columns_ ? x_[variable] : y_[variable - columns_]));
  }
  compute_values();
  pivots_since_fresh_ = 0;
}

/// The basic values from the constraints and the nonbasic values: the coordinates by the tableau,
/// started from the slacks' own equations.
void BoundedSimplex::compute_values() {
  // B^-1 right: the tableau holds B^-1 N; the column of a nonbasic slack k is B^-1 e_k, a basic
  // slack k has the unit column of its own row.
  for (std::size_t i = 0; i < rows_; ++i) {
    const double* const t = row(i);
    const std::size_t own = now_.basic[i];
    const double of_own = own >= columns_ ? constraints_->right[own - columns_] : 0;
    now_.value[i] = of_own + reduce(columns_, [&](std::size_t j) {
                      const std::size_t variable = now_.nonbasic[j];
                      const double right =
                          variable >= columns_ ? constraints_->right[variable - columns_] : 0;
                      return t[j] * (right - nonbasic_value(j));
                    });
    if (own < columns_) now_.scale = std::max(now_.scale, std::abs(now_.value[i]));
  }
}

LinearResult BoundedSimplex::phase_1() {
  for (int attempt = 0; attempt < 3; ++attempt) {
    const LinearResult result = improve(true);
    if (result == LinearResult::stuck) return result;
    refactorise();
    price_infeasibility();
    double worst = 0;
    for (std::size_t i = 0; i < rows_; ++i) worst = std::max(worst, std::abs(violation(i)));
    if (worst == 0) return LinearResult::optimal;
    if (worst > 100 * feasibility_tolerance() && entering(false) == none) {
      return LinearResult::infeasible;
    }
  }
  return LinearResult::stuck;
}

/// Reduced costs of the sum of infeasibilities.
void BoundedSimplex::price_infeasibility() {
  std::fill(reduced_.begin(), reduced_.end(), 0.0);
  for (std::size_t i = 0; i < rows_; ++i) {
    const double off = violation(i);
    if (off != 0) add(reduced_, off > 0 ? -1 : 1, {row(i), columns_});
  }
}

/// reduced_j = c_j - sum_i c_{basic i} t_ij.
void BoundedSimplex::price(std::span<const double> c) {
  for (std::size_t j = 0; j < columns_; ++j) {
    const std::size_t variable = now_.nonbasic[j];
    reduced_[j] = variable < columns_ ? c[variable] : 0;
  }
  for (std::size_t i = 0; i < rows_; ++i) {
    const std::size_t variable = now_.basic[i];
    if (variable < columns_ && c[variable] != 0) {
      add(reduced_, -c[variable], {base_row(i), columns_});
    }
  }
}

/// The column to change, or none: of the largest gain a unit, or of the lowest variable.
std::size_t BoundedSimplex::entering(bool bland) const noexcept {
  std::size_t best = none;
  double gain = cost_tolerance;
  for (std::size_t j = 0; j < columns_; ++j) {
    const double reduced = reduced_[j];
    const double of_j = now_.at[j] == At::lower   ? -reduced
                        : now_.at[j] == At::upper ? reduced
                                                  : std::abs(reduced);
    if (!(of_j > (bland ? cost_tolerance : gain))) continue;
    const std::size_t variable = now_.nonbasic[j];
    if (variable >= columns_ + constraints_->inequalities) continue;  // of an equality
    if (bland && best != none && now_.nonbasic[best] < variable) continue;
    best = j;
    gain = of_j;
  }
  return best;
}

/// How far the column in column_ can move, and which basic variable stops it. Basic variables
/// outside their bounds (phase 1) are stopped where they come inside.
BoundedSimplex::Leaving BoundedSimplex::leaving(double sign, bool bland) noexcept {
  const double tolerance = feasibility_tolerance();
  const double give = bland ? 0 : tolerance;
  double limit = infinity;
  std::size_t first = none;
  for (std::size_t i = 0; i < rows_; ++i) {
    const double rate = -sign * column_[i];
    const double above_lower = now_.value[i] - now_.lower[i];
    const double below_upper = now_.upper[i] - now_.value[i];
    double distance = rate < 0 ? above_lower : below_upper;
    if (above_lower < -tolerance) distance = rate < 0 ? infinity : -above_lower;
    if (below_upper < -tolerance) distance = rate < 0 ? -below_upper : infinity;
    const double speed = std::abs(rate);
    distance = speed > smallest_pivot ? std::max(distance, 0.0) : infinity;
    speed_[i] = speed;
    distance_[i] = distance;
    // distance + give < limit * speed without the division, which is slow.
    if (distance + give < limit * speed) {
      limit = (distance + give) / speed;
      first = i;
    }
  }
  Leaving result{infinity, first, At::lower};
  if (first == none) return result;
  double largest = speed_[first];
  for (std::size_t i = 0; i < rows_; ++i) {
    if (!(distance_[i] <= limit * speed_[i])) continue;
    const bool better =
        bland ? result.row == none || now_.basic[i] < now_.basic[result.row] : speed_[i] > largest;
    if (!better) continue;
    largest = speed_[i];
    result.row = i;
  }
  const std::size_t r = result.row;
  const bool falls = -sign * column_[r] < 0;
  const bool outside =
      now_.value[r] - now_.lower[r] < -tolerance || now_.upper[r] - now_.value[r] < -tolerance;
  result.step = distance_[r] / speed_[r];
  result.to = falls == outside ? At::upper : At::lower;
  return result;
}

/// Moves the column by the step, and exchanges it with the row that stops it, if any.
void BoundedSimplex::move(std::size_t column, double sign, const Leaving& leaving) {
  const double before = nonbasic_value(column);
  for (std::size_t i = 0; i < rows_; ++i) {
    const double t = column_[i];
    if (t == 0) continue;
    now_.value[i] -= sign * leaving.step * t;
    if (now_.basic[i] < columns_) now_.scale = std::max(now_.scale, std::abs(now_.value[i]));
  }
  if (leaving.row == none) {
    now_.at[column] = sign > 0 ? At::upper : At::lower;
    return;
  }
  defer_pivot(leaving.row, column);
  const std::size_t entered = now_.nonbasic[column];
  now_.nonbasic[column] = now_.basic[leaving.row];
  set_basic(leaving.row, entered);
  now_.value[leaving.row] = before + sign * leaving.step;
  now_.at[column] = leaving.to;
  ++pivots_since_fresh_;
}

/// Exchanges basic variable r and nonbasic variable e in the tableau and the reduced costs.
void BoundedSimplex::pivot(std::size_t r, std::size_t e) noexcept {
  double* const pivot_row = row(r);
  const double inverse = 1 / pivot_row[e];
  for (std::size_t j = 0; j < columns_; ++j) pivot_row[j] *= inverse;
  pivot_row[e] = inverse;
  for (std::size_t i = 0; i < rows_; ++i) {
    double* const other = row(i);
    const double factor = other[e];
    if (i == r || factor == 0) continue;
    add({other, columns_}, -factor, {pivot_row, columns_});
    other[e] = -factor * inverse;
  }
  const double factor = reduced_[e];
  add(reduced_, -factor, {pivot_row, columns_});
  reduced_[e] = -factor * inverse;
}

/// Back to the starting basis; its tableau is not copied but looked at.
void BoundedSimplex::begin() noexcept {
  // Of the same sizes: nothing is allocated.
  now_.value = start_.value;
  now_.lower = start_.lower;
  now_.upper = start_.upper;
  now_.basic = start_.basic;
  now_.nonbasic = start_.nonbasic;
  now_.at = start_.at;
  now_.scale = start_.scale;
  deferring_ = true;
  pending_ = 0;
}

/// column_ = column e of the tableau.
void BoundedSimplex::gather_column(std::size_t e) noexcept {
  for (std::size_t i = 0; i < rows_; ++i) column_[i] = base_row(i)[e];
  for (std::size_t k = 0; k < pending_; ++k) {
    const double weight = pending_v_[k * columns_ + e];
    if (weight != 0) add(column_, -weight, {pending_u_.data() + k * rows_, rows_});
  }
}

/// With column e in column_, row r and p = t_re, the pivot is t -= u v^T for u = column e but
/// u_r = p - 1, and v = row r / p but v_e = 1 + 1 / p. Very large or small pivots would lose digits
/// that way.
void BoundedSimplex::defer_pivot(std::size_t r, std::size_t e) noexcept {
  const double p = column_[r];
  const double size = std::abs(p);
  if (deferring_ && (pending_ == most_pending_ || size > 1e4 || size < 1e-6)) apply_pending();
  if (!deferring_) {
    pivot(r, e);
    return;
  }
  const std::span<double> v(pending_v_.data() + pending_ * columns_, columns_);
  std::copy_n(base_row(r), columns_, v.begin());
  for (std::size_t k = 0; k < pending_; ++k) {
    const double weight = pending_u_[k * rows_ + r];
    if (weight != 0) add(v, -weight, {pending_v_.data() + k * columns_, columns_});
  }
  const double inverse = 1 / p;
  for (double& value : v) value *= inverse;
  const double factor = reduced_[e];
  add(reduced_, -factor, v);
  reduced_[e] = -factor * inverse;
  v[e] = 1 + inverse;
  double* const u = pending_u_.data() + pending_ * rows_;
  std::copy(column_.begin(), column_.end(), u);
  u[r] = p - 1;
  ++pending_;
}

/// Makes the tableau of this basis, from now on to be changed pivot by pivot.
void BoundedSimplex::apply_pending() noexcept {
  std::copy(start_.t.begin(), start_.t.end(), now_.t.begin());
  for (std::size_t i = 0; i < rows_; ++i) {
    for (std::size_t k = 0; k < pending_; ++k) {
      const double weight = pending_u_[k * rows_ + i];
      if (weight != 0) {
        add({row(i), columns_}, -weight, {pending_v_.data() + k * columns_, columns_});
      }
    }
  }
  deferring_ = false;
  pending_ = 0;
}

LinearResult BoundedSimplex::improve(bool phase_1) {
  const std::size_t most = 10000 + 200 * (rows_ + columns_);
  const std::size_t patience = 20 + (rows_ + columns_) / 4;
  constexpr std::size_t fresh_for = 300;
  std::size_t unmoved = 0;
  for (std::size_t k = 0; k < most; ++k) {
    if (pivots_since_fresh_ >= fresh_for) {
      refactorise();
      if (!phase_1) price(cost_);
    }
    if (phase_1) price_infeasibility();
    const bool bland = unmoved > patience;
    const std::size_t column = entering(bland);
    if (column == none) return LinearResult::optimal;
    const double sign = now_.at[column] == At::upper                           ? -1
                        : now_.at[column] == At::lower || reduced_[column] < 0 ? 1
                                                                               : -1;
    gather_column(column);
    Leaving stop = leaving(sign, bland);
    const std::size_t variable = now_.nonbasic[column];
    const double range = upper(variable) - lower(variable);
    if (range <= stop.step) stop = {range, none, At::lower};
    if (stop.step == infinity) {
      ray_column_ = column;
      return LinearResult::unbounded;
    }
    unmoved = stop.step * std::abs(reduced_[column]) > 1e-14 * now_.scale ? 0 : unmoved + 1;
    move(column, sign, stop);
    ++iterations_;
  }
  return LinearResult::stuck;
}

/// The vertex and the multipliers from the basis: with the tight rows W and the basic coordinates S
/// in ascending order, A_WS x_S = right_W - A_WN x_N and A_WS^T y_W = c_S. Whether they are
/// feasible. Where units are far apart multipliers are large, and with them the roundings of those
/// that should be zero: these are forgiven if nothing else helps.
bool BoundedSimplex::finish(bool forgive_roundings) {
  collect_basis();
  for (std::size_t j = 0; j < columns_; ++j) {
    if (now_.nonbasic[j] < columns_) x_[now_.nonbasic[j]] = nonbasic_value(j);
  }
  for (const std::size_t coordinate : free()) x_[coordinate] = 0;
  const std::size_t k = in_basis_;
  elimination_.reset(k);
  for (std::size_t i = 0; i < k; ++i) {
    const std::span<const double> a = constraints_->row(tight_[i]);
    for (std::size_t j = 0; j < k; ++j) elimination_.at(i, j) = a[free_[j]];
    solution_[i] = constraints_->right[tight_[i]] - dot(a, x_);
  }
  if (!elimination_.factorise(1e-13)) return false;
  elimination_.solve(solution_);
  for (std::size_t j = 0; j < k; ++j) {
    x_[free_[j]] = solution_[j];
    solution_[j] = cost_[free_[j]];
  }
  const double tolerance = 2 * feasibility_tolerance();
  for (const std::size_t j : free()) {
    const double inside = std::clamp(x_[j], constraints_->lower[j], constraints_->upper[j]);
    if (!(std::abs(x_[j] - inside) <= tolerance)) return false;
    x_[j] = inside;
  }
  for (std::size_t i = 0; i < rows_; ++i) {
    const double above = dot(constraints_->row(i), x_) - constraints_->right[i];
    const double size = std::max(now_.scale, std::abs(constraints_->right[i]));
    if (!(above <= 2e-11 * size)) return false;
    if (i >= constraints_->inequalities && !(above >= -2e-11 * size)) return false;
  }

  elimination_.solve_transposed(solution_);
  double largest = 0;
  if (forgive_roundings) {
    refine_multipliers();
    largest = largest_magnitude({solution_.data(), k});
  }
  constexpr double roundings = 64 * std::numeric_limits<double>::epsilon();
  const double allowed = 10 * cost_tolerance + roundings * largest;
  std::fill(y_.begin(), y_.end(), 0.0);
  std::copy(cost_.begin(), cost_.end(), reduced_.begin());  // here of the coordinates
  for (std::size_t i = 0; i < k; ++i) {
    const std::size_t r = tight_[i];
    y_[r] = solution_[i];
    if (r < constraints_->inequalities && !(y_[r] <= allowed)) return false;
    add(reduced_, -y_[r], constraints_->row(r));
  }
  for (std::size_t j = 0; j < columns_; ++j) {
    const std::size_t variable = now_.nonbasic[j];
    if (variable >= columns_) continue;
    if (now_.at[j] != At::upper && !(reduced_[variable] >= -allowed)) return false;
    if (now_.at[j] != At::lower && !(reduced_[variable] <= allowed)) return false;
  }
  return true;
}

/// One step of refinement of A_WS^T y_W = c_S, with y_W in solution_.
void BoundedSimplex::refine_multipliers() noexcept {
  const std::span<double> off(speed_.data(), in_basis_);  // needed no more
  for (std::size_t j = 0; j < in_basis_; ++j) {
    off[j] = cost_[free_[j]] - reduce(in_basis_, [&](std::size_t i) {
               return constraints_->row(tight_[i])[free_[j]] * solution_[i];
             });
  }
  elimination_.solve_transposed(off);
  for (std::size_t i = 0; i < in_basis_; ++i) solution_[i] += off[i];
}

LinearResult BoundedSimplex::minimise(std::span<const double> c) {
  const double largest = largest_magnitude(c);
  int exponent = 0;
  if (largest > 0 && largest < infinity) std::frexp(largest, &exponent);
  const double to_one = std::ldexp(1.0, -std::max(exponent, -1000));
  for (std::size_t j = 0; j < columns_; ++j) cost_[j] = c[j] * to_one;
  begin();
  iterations_ = 0;
  pivots_since_fresh_ = 0;
  constexpr int most_attempts = 4;
  for (int attempt = 1; attempt <= most_attempts; ++attempt) {
    if (attempt > 1) refactorise();
    price(cost_);
    const LinearResult result = improve(false);
    if (result != LinearResult::optimal) return result;
    if (finish(attempt == most_attempts)) return result;
  }
  return LinearResult::stuck;
}

std::vector<std::size_t> BoundedSimplex::culprits() const {
  std::vector<std::size_t> all;
  if (start_result_ == LinearResult::infeasible) {
    for (std::size_t i = 0; i < rows_; ++i) {
      if (violation(i) != 0) all.push_back(now_.basic[i]);
    }
    for (std::size_t j = 0; j < columns_; ++j) {
      if (std::abs(reduced_[j]) > smallest_pivot) all.push_back(now_.nonbasic[j]);
    }
  } else {
    all.push_back(now_.nonbasic[ray_column_]);
    for (std::size_t i = 0; i < rows_; ++i) {
      if (std::abs(column_[i]) > smallest_pivot) {
        all.push_back(now_.basic[i]);
      }
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace keyhole::math
