#include "math/dense.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/sums.h"

namespace keyhole::math {

bool Elimination::factorise(double smallest) noexcept {
  for (std::size_t i = 0; i < k_; ++i) row_[i] = i;
  for (std::size_t step = 0; step < k_; ++step) {
    std::size_t best = step;
    for (std::size_t i = step + 1; i < k_; ++i) {
      if (std::abs(at(i, step)) > std::abs(at(best, step))) best = i;
    }
    if (!(std::abs(at(best, step)) > smallest)) return false;
    if (best != step) {
      std::swap_ranges(&at(step, 0), &at(step, 0) + k_, &at(best, 0));
      std::swap(row_[step], row_[best]);
    }
    const std::span<const double> pivot_row(&at(step, 0) + step + 1, k_ - step - 1);
    for (std::size_t i = step + 1; i < k_; ++i) {
      const double factor = at(i, step) / at(step, step);
      at(i, step) = factor;
      if (factor != 0) add({&at(i, 0) + step + 1, k_ - step - 1}, -factor, pivot_row);
    }
  }
  return true;
}

void Elimination::solve(std::span<double> x) noexcept {
  for (std::size_t i = 0; i < k_; ++i) y_[i] = x[row_[i]];
  for (std::size_t i = 0; i < k_; ++i) {
    y_[i] -= dot({&at(i, 0), i}, {y_.data(), i});
  }
  for (std::size_t i = k_; i-- > 0;) {
    const std::size_t after = k_ - i - 1;
    y_[i] = (y_[i] - dot({&at(i, 0) + i + 1, after}, {y_.data() + i + 1, after})) / at(i, i);
  }
  std::copy_n(y_.begin(), k_, x.begin());
}

void Elimination::solve_transposed(std::span<double> x) noexcept {
  std::copy_n(x.begin(), k_, y_.begin());
  for (std::size_t i = 0; i < k_; ++i) {  // U^T
    y_[i] /= at(i, i);
    add({y_.data() + i + 1, k_ - i - 1}, -y_[i], {&at(i, 0) + i + 1, k_ - i - 1});
  }
  for (std::size_t i = k_; i-- > 0;) add({y_.data(), i}, -y_[i], {&at(i, 0), i});  // L^T
  for (std::size_t i = 0; i < k_; ++i) x[row_[i]] = y_[i];
}

namespace {

/// Cholesky's factorisation. pivot(i, left) is the entry of the diagonal, or 0 to end it. Some rows
/// at a time, so that a row above them is read once for all.
template <class Pivot>
bool factorise_lower(std::span<double> a, std::size_t k, const Pivot& pivot) noexcept {
  constexpr std::size_t together = 8;
  for (std::size_t first = 0; first < k; first += together) {
    const std::size_t end = std::min(first + together, k);
    for (std::size_t j = 0; j < end; ++j) {
      const double* const row_j = a.data() + j * k;
      for (std::size_t i = std::max(first, j); i < end; ++i) {
        double* const row_i = a.data() + i * k;
        const double left = row_i[j] - dot({row_i, j}, {row_j, j});
        if (j < i) {
          row_i[j] = left / row_j[j];
        } else {
          row_i[i] = pivot(i, left);
          if (row_i[i] == 0) return false;
        }
      }
    }
  }
  return true;
}

}  // namespace

bool cholesky(std::span<double> a, std::size_t k) noexcept {
  return factorise_lower(a, k,
                         [](std::size_t, double left) { return left > 0 ? std::sqrt(left) : 0.0; });
}

void factorise_semidefinite(std::span<double> a, std::size_t k,
                            std::span<const double> least) noexcept {
  (void)factorise_lower(a, k, [&](std::size_t i, double left) {
    return left > std::max(least[i], 0.0) ? std::sqrt(left)
                                          : std::numeric_limits<double>::infinity();
  });
}

void cholesky_solve(std::span<const double> factor, std::size_t k, std::span<double> x) noexcept {
  for (std::size_t i = 0; i < k; ++i) {
    const double* const row = factor.data() + i * k;
    x[i] = (x[i] - dot({row, i}, {x.data(), i})) / row[i];
  }
  for (std::size_t i = k; i-- > 0;) {
    const double* const row = factor.data() + i * k;
    x[i] /= row[i];
    add({x.data(), i}, -x[i], {row, i});
  }
}

}  // namespace keyhole::math
