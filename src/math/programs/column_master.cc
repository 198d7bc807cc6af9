#include "math/programs/column_master.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/sums.h"

namespace keyhole::math {
namespace {

constexpr std::size_t no_column = std::numeric_limits<std::size_t>::max();
constexpr double smallest_basis_pivot = 1e-13;
constexpr double smallest_change = 1e-10;
// How far below 0 a weight may come for a better pivot. Of 1e-10 to 1e-14 this leaves the fewest
// random slices unproved.
constexpr double below_zero = 1e-12;

}  // namespace

ColumnMaster::ColumnMaster(std::size_t rows, std::size_t room)
    : rows_(rows),
      columns_((rows + 1 + room) * rows),
      costs_(rows + 1 + room),
      counts_(rows + 1 + room),
      reduced_(rows + 1 + room),
      is_basic_(rows + 1 + room),
      basis_(rows + 1),
      weights_(rows + 1),
      prices_(rows + 1),
      change_(rows + 1),
      off_(rows + 1),
      elimination_(rows + 1) {}

void ColumnMaster::clear(std::size_t rows) noexcept {
  rows_ = rows;
  count_ = rows_ + 1;
  for (auto* const numbers : {&weights_, &prices_, &change_, &off_}) numbers->resize(count_);
  basis_.resize(count_);
  std::fill(is_basic_.begin(), is_basic_.end(), static_cast<unsigned char>(0));
  std::fill(counts_.begin(), counts_.end(), 1.0);
  std::fill_n(columns_.begin(), count_ * rows_, 0.0);
  for (std::size_t k = 0; k < count_; ++k) {
    basis_[k] = k;
    is_basic_[k] = 1;
    costs_[k] = 0;
    reduced_[k] = 0;
  }
}

void ColumnMaster::start(double depth) noexcept {
  clear(rows_);
  depth_ = depth;
  for (std::size_t i = 0; i < rows_; ++i) {
    column(0)[i] = -depth / std::sqrt(static_cast<double>(rows_));
    column(i + 1)[i] = depth;
  }
}

void ColumnMaster::start_below(std::span<const double> depths) noexcept {
  clear(depths.size());
  for (std::size_t i = 0; i < rows_; ++i) {
    column(0)[i] = -depths[i];
    column(i + 1)[i] = 1;
    counts_[i + 1] = 0;
  }
}

std::size_t ColumnMaster::add(std::span<const double> of_column, double cost) noexcept {
  std::size_t j = count_;
  if (j < costs_.size()) {
    ++count_;
  } else {
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t k = rows_ + 1; k < count_; ++k) {
      if (is_basic_[k] != 0 || !(reduced_[k] > largest)) continue;
      largest = reduced_[k];
      j = k;
    }
  }
  std::copy(of_column.begin(), of_column.end(), column(j).begin());
  costs_[j] = cost;
  reduced_[j] = -std::numeric_limits<double>::max();  // not known yet: it is to stay
  return j - rows_ - 1;
}

void ColumnMaster::solve() noexcept {
  pivot();
  evaluate();
}

void ColumnMaster::pivot() noexcept {
  const std::size_t size = rows_ + 1;
  const std::size_t most = 100 + 50 * size;
  const std::size_t patience = 10 + size;
  if (!compute()) return;
  std::size_t unmoved = 0;
  for (std::size_t k = 0; k < most; ++k) {
    const bool bland = unmoved > patience;
    const std::size_t enters = entering(bland);
    if (enters == no_column) return;
    const std::size_t position = leaving(enters, bland);
    if (position == no_column) return;
    unmoved = moved_ * -reduced_[enters] > 1e-16 ? 0 : unmoved + 1;
    const std::size_t leaves = basis_[position];
    basis_[position] = enters;
    if (!compute()) {
      basis_[position] = leaves;
      return;
    }
    is_basic_[leaves] = 0;
    is_basic_[enters] = 1;
  }
}

bool ColumnMaster::compute() noexcept {
  const std::size_t size = rows_ + 1;
  elimination_.reset(size);
  for (std::size_t k = 0; k < size; ++k) {
    const std::span<const double> a = column(basis_[k]);
    for (std::size_t i = 0; i < rows_; ++i) elimination_.at(i, k) = a[i];
    elimination_.at(rows_, k) = counts_[basis_[k]];
  }
  if (!elimination_.factorise(smallest_basis_pivot)) return false;
  std::fill(weights_.begin(), weights_.end(), 0.0);
  // The second step regains the digits that the elimination loses.
  for (int step = 0; step < 2; ++step) {
    for (std::size_t i = 0; i < rows_; ++i) {
      off_[i] = -reduce(
          size, [&](std::size_t k) { return columns_[basis_[k] * rows_ + i] * weights_[k]; });
    }
    off_[rows_] = 1 - total();
    elimination_.solve(off_);
    for (std::size_t k = 0; k < size; ++k) weights_[k] += off_[k];
  }
  if (*std::min_element(weights_.begin(), weights_.end()) < 0) {
    for (double& weight : weights_) weight = std::max(weight, 0.0);
    const double counted = total();
    for (double& weight : weights_) weight /= counted;
  }
  for (std::size_t k = 0; k < size; ++k) prices_[k] = costs_[basis_[k]];
  elimination_.solve_transposed(prices_);
  return true;
}

double ColumnMaster::total() const noexcept {
  return reduce(weights_.size(), [&](std::size_t k) { return counts_[basis_[k]] * weights_[k]; });
}

void ColumnMaster::evaluate() noexcept {
  const std::size_t size = rows_ + 1;
  const double cost = reduce(size, [&](std::size_t k) { return costs_[basis_[k]] * weights_[k]; });
  for (std::size_t i = 0; i < rows_; ++i) {
    off_[i] =
        reduce(size, [&](std::size_t k) { return columns_[basis_[k] * rows_ + i] * weights_[k]; });
  }
  value_ = cost * (depth_ / (depth_ + norm(std::span(off_).first(rows_))));
}

std::size_t ColumnMaster::entering(bool first) noexcept {
  const double tolerance = 1e-14 * (1 + largest_magnitude(prices_));
  std::size_t enters = no_column;
  double least = -tolerance;
  for (std::size_t j = 0; j < count_; ++j) {
    if (is_basic_[j] != 0) continue;
    reduced_[j] = costs_[j] - dot(prices(), column(j)) - counts_[j] * prices_[rows_];
    if (!(reduced_[j] < least) || (first && enters != no_column)) continue;
    least = reduced_[j];
    enters = j;
  }
  return enters;
}

std::size_t ColumnMaster::leaving(std::size_t enters, bool first) noexcept {
  const std::span<const double> a = column(enters);
  std::copy(a.begin(), a.end(), change_.begin());
  change_[rows_] = counts_[enters];
  elimination_.solve(change_);
  const double speed = smallest_change * std::max(1.0, largest_magnitude(change_));
  double limit = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < change_.size(); ++k) {
    if (change_[k] > speed) limit = std::min(limit, (weights_[k] + below_zero) / change_[k]);
  }
  std::size_t position = no_column;
  for (std::size_t k = 0; k < change_.size(); ++k) {
    if (!(change_[k] > speed) || weights_[k] / change_[k] > limit) continue;
    const bool better = position == no_column ||
                        (first ? basis_[k] < basis_[position] : change_[k] > change_[position]);
    if (better) position = k;
  }
  if (position != no_column) moved_ = weights_[position] / change_[position];
  return position;
}

}  // namespace keyhole::math
