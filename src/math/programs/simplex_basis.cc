#include "math/programs/simplex_basis.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/sums.h"

namespace keyhole::math {
namespace {

std::vector<double> transposed_rows(const LinearConstraints& k) {
  const std::size_t stride = padded(k.right.size());
  std::vector<double> columns(k.columns * stride);
  for (std::size_t i = 0; i < k.right.size(); ++i) {
    for (std::size_t j = 0; j < k.columns; ++j) columns[j * stride + i] = k.row(i)[j];
  }
  return columns;
}

std::vector<double> padded_copy(std::vector<double> numbers) {
  numbers.resize(padded(numbers.size()));
  return numbers;
}

/// sum_i a_i / ||a_i|| / 2. Where all rows are resources that every coordinate uses, the
/// edges that use little of them lead farther; the weight of 1/4 in the squared length is the
/// middle of the range where it made the fewest steps, for such rows and for others.
std::vector<double> sum_of_units(const LinearConstraints& k) {
  std::vector<double> total(k.columns, 0.0);
  for (std::size_t i = 0; i < k.right.size(); ++i) {
    const double length = norm(k.row(i));
    for (std::size_t j = 0; j < k.columns; ++j) {
      if (length > 0) total[j] += k.row(i)[j] / length;
    }
  }
  for (double& value : total) value *= 0.5;
  return total;
}

/// Tolerances begin with the smallest length in sight and grow with the coordinates met.
double smallest_length(const LinearConstraints& k) {
  double least = SimplexBasis::no_bound;
  for (const auto* numbers : {&k.right, &k.lower, &k.upper}) {
    for (const double value : *numbers) {
      if (value != 0) least = std::min(least, std::abs(value));
    }
  }
  return least == SimplexBasis::no_bound ? 1 : least;
}

}  // namespace

SimplexBasis::SimplexBasis(std::shared_ptr<const LinearConstraints> constraints)
    : constraints_(std::move(constraints)),
      transposed_(std::make_shared<const std::vector<double>>(transposed_rows(*constraints_))),
      right_(std::make_shared<const std::vector<double>>(padded_copy(constraints_->right))),
      resource_(std::make_shared<const std::vector<double>>(sum_of_units(*constraints_))),
      columns_(constraints_->columns),
      rows_(constraints_->right.size()),
      first_coordinate_(padded(rows_)),
      stride_(padded(columns_)),
      rows_kept_((first_row + std::min(rows_, columns_) + 1) * stride_),
      nonbasic_(columns_),
      coordinate_(stride_),
      at_(columns_ + rows_, At::lower),
      toward_(stride_),
      own_(stride_),
      lengths_(stride_),
      values_(first_coordinate_ + padded(std::min(rows_, columns_) + 1)),
      lowers_(values_.size()),
      uppers_(values_.size()),
      column_(values_.size()),
      free_(std::min(rows_, columns_) + 1),
      tight_(std::min(rows_, columns_) + 1),
      loose_(first_coordinate_),
      to_enter_(std::min(rows_, columns_) + 1),
      to_leave_(std::min(rows_, columns_) + 1),
      terms_(columns_),
      weights_(columns_),
      factors_(first_row + std::min(rows_, columns_) + 1),
      scale_(smallest_length(*constraints_)) {
  for (std::size_t j = 0; j < columns_; ++j) {
    at_[j] = lower(j) > -no_bound ? At::lower : upper(j) < no_bound ? At::upper : At::zero;
  }
  has_unbounded_ = std::find(at_.begin(), at_.end(), At::zero) != at_.end();
  for (std::size_t i = 0; i < rows_; ++i) uppers_[i] = upper(columns_ + i);
  make_slack_basis();
  compute_values();
}

void SimplexBasis::become(const SimplexBasis& other) noexcept {
  // Of the same sizes: nothing is allocated.
  const std::size_t used = (first_row + other.free_.size()) * stride_;
  std::copy(other.row(1), other.rows_kept_.data() + used, row(1));
  nonbasic_ = other.nonbasic_;
  coordinate_ = other.coordinate_;
  at_ = other.at_;
  toward_ = other.toward_;
  own_ = other.own_;
  lengths_ = other.lengths_;
  free_ = other.free_;
  tight_ = other.tight_;
  loose_ = other.loose_;
  values_ = other.values_;
  std::copy(other.lowers_.begin(), other.lowers_.end(), lowers_.begin());
  std::copy(other.uppers_.begin(), other.uppers_.end(), uppers_.begin());
  scale_ = other.scale_;
  age_ = other.age_;
}

double SimplexBasis::lower(std::size_t variable) const noexcept {
  return variable < columns_ ? constraints_->lower[variable] : 0;
}

double SimplexBasis::upper(std::size_t variable) const noexcept {
  if (variable < columns_) return constraints_->upper[variable];
  return variable - columns_ < constraints_->inequalities ? no_bound : 0;
}

double SimplexBasis::nonbasic_value(std::size_t variable) const noexcept {
  switch (at_[variable]) {
    case At::lower:
      return lower(variable);
    case At::upper:
      return upper(variable);
    case At::zero:
      break;
  }
  return 0;
}

double SimplexBasis::violation(std::size_t position) const noexcept {
  const double below = values_[position] - lowers_[position];
  if (below < -tolerance()) return below;
  const double above = values_[position] - uppers_[position];
  return above > tolerance() ? above : 0;
}

void SimplexBasis::nonbasic_coordinates(std::span<double> x) const noexcept {
  const double* const lower = constraints_->lower.data();
  const double* const upper = constraints_->upper.data();
  for (std::size_t j = 0; j < columns_; ++j) {
    x[j] = at_[j] == At::lower ? lower[j] : at_[j] == At::upper ? upper[j] : 0;
  }
  for (const std::size_t j : free_) x[j] = 0;
}

void SimplexBasis::set_column(std::size_t column, std::size_t variable) noexcept {
  nonbasic_[column] = variable;
  // The slack of an equality has nowhere to go.
  const bool moves = variable < columns_ + constraints_->inequalities;
  toward_[column] = !moves || at_[variable] == At::zero ? 0 : at_[variable] == At::lower ? -1 : 1;
  own_[column] = variable < columns_ ? 1 : 0;
  coordinate_[column] = variable < columns_ ? variable : 0;
}

/// All slacks basic: s = right - rows x.
void SimplexBasis::make_slack_basis() noexcept {
  free_.clear();
  tight_.clear();
  std::fill(loose_.begin(), loose_.end(), 1.0);
  for (std::size_t j = 0; j < columns_; ++j) {
    const double resource = (*resource_)[j];
    set_column(j, j);
    row(1)[j] = resource;
    lengths_[j] = 1 + resource * resource;
  }
  age_ = 0;
}

/// Basic coordinates by their rows, from the constants B^-1 right; slacks from their definition.
void SimplexBasis::compute_values() noexcept {
  const auto of_nonbasic = [&](std::size_t j) {
    const std::size_t variable = nonbasic_[j];
    return variable < columns_ ? -nonbasic_value(variable)
                               : constraints_->right[variable - columns_];
  };
  for (std::size_t p = 0; p < free_.size(); ++p) {
    const double* const t = row(first_row + p);
    const double value = reduce(columns_, [&](std::size_t j) { return t[j] * of_nonbasic(j); });
    values_[first_coordinate_ + p] = value;
    scale_ = std::max(scale_, std::abs(value));
  }
  // In place of the reduced costs, the coordinates.
  const std::span<double> x(row(0), columns_);
  nonbasic_coordinates(x);
  for (std::size_t p = 0; p < free_.size(); ++p) x[free_[p]] = values_[first_coordinate_ + p];
  slacks(x, {values_.data(), first_coordinate_});
  for (const std::size_t i : tight_) values_[i] = 0;
}

void SimplexBasis::move(double change) noexcept {
  for (std::size_t i = 0; i < padded(positions()); i += padding) {
    for (std::size_t j = i; j < i + padding; ++j) values_[j] -= change * column_[j];
  }
  for (std::size_t p = 0; p < free_.size(); ++p) {
    scale_ = std::max(scale_, std::abs(values_[first_coordinate_ + p]));
  }
}

void SimplexBasis::flip(std::size_t column) noexcept {
  At& at = at_[nonbasic_[column]];
  at = at == At::lower ? At::upper : At::lower;
  set_column(column, nonbasic_[column]);
}

/// The slack of a row is basic no more: its row of the tableau over the pivot, behind those of the
/// coordinates.
void SimplexBasis::take_slack(std::size_t position, double inverse) noexcept {
  const std::span<const double> a = constraints_->row(position);
  combine_rows(a, inverse, row(first_row + free_.size()));
  tight_.push_back(position);
  loose_[position] = 0;
  values_[position] = 0;
}

/// The coordinate at the position is basic no more: the last one takes its place, and its row over
/// the pivot is behind those of the others.
void SimplexBasis::take_coordinate(std::size_t position, double inverse) noexcept {
  const std::size_t last = positions() - 1;
  const std::size_t p = position - first_coordinate_;
  double* const of_last = row(first_row + free_.size() - 1);
  double* const of_p = row(first_row + p);
  for (std::size_t j = 0; j < stride_; ++j) {
    const double number = of_p[j] * inverse;
    of_p[j] = of_last[j];
    of_last[j] = number;
  }
  values_[position] = values_[last];
  lowers_[position] = lowers_[last];
  uppers_[position] = uppers_[last];
  column_[position] = column_[last];
  free_[p] = free_.back();
  values_[last] = 0;
  column_[last] = 0;
  free_.pop_back();
}

/// A coordinate becomes basic; its row is there.
void SimplexBasis::append(std::size_t coordinate, double value) noexcept {
  const std::size_t position = positions();
  values_[position] = value;
  lowers_[position] = lower(coordinate);
  uppers_[position] = upper(coordinate);
  free_.push_back(coordinate);
}

/// With the pivot p = t_re: row r becomes v = row r / p but v_e = 1 / p, and any other row i
/// becomes t_i - t_ie v but -t_ie / p in column e. That column is written last: a pair that has
/// just been written to in part is slow to load.
void SimplexBasis::exchange(std::size_t column, std::size_t position, double value,
                            At arrives) noexcept {
  const std::size_t entering = nonbasic_[column];
  const std::size_t leaving = variable(position);
  const double inverse = 1 / column_[position];
  if (leaving < columns_) {
    take_coordinate(position, inverse);
  } else {
    take_slack(position, inverse);
  }
  at_[leaving] = arrives;
  const bool appended = entering < columns_;
  const std::size_t kept = first_row + free_.size();
  factors_[0] = row(0)[column];
  factors_[1] = row(1)[column];
  for (std::size_t i = first_row; i < kept; ++i) {
    factors_[i] = column_[first_coordinate_ + i - first_row];
  }
  subtract_pivot_row({factors_.data(), kept}, appended);

  set_column(column, leaving);
  double length = own_[column] + (appended ? inverse * inverse : 0);
  for (std::size_t i = 0; i < kept; ++i) {
    const double number = -factors_[i] * inverse;
    row(i)[column] = number;
    if (i > 0) length += number * number;
  }
  lengths_[column] = length;
  if (appended) {
    row(kept)[column] = inverse;
    append(entering, value);
  } else {
    const std::size_t slack = entering - columns_;
    tight_.erase(std::find(tight_.begin(), tight_.end(), slack));
    loose_[slack] = 1;
    values_[slack] = value;
  }
  ++age_;
}

void SimplexBasis::refresh() noexcept {
  to_enter_ = free_;
  to_leave_ = tight_;
  std::sort(to_enter_.begin(), to_enter_.end());
  std::sort(to_leave_.begin(), to_leave_.end());
  make_slack_basis();
  for (const std::size_t coordinate : to_enter_) {
    gather_column(coordinate);
    const auto best = std::max_element(
        to_leave_.begin(), to_leave_.end(),
        [&](std::size_t a, std::size_t b) { return std::abs(column_[a]) < std::abs(column_[b]); });
    const std::size_t position = *best;
    to_leave_.erase(best);
    exchange(coordinate, position, 0, at_[columns_ + position]);
  }
  compute_values();
  age_ = 0;
}

}  // namespace keyhole::math
