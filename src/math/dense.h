// Small dense linear systems, solved in a fixed order: equal numbers in, equal digits out.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace keyhole::math {

// P A = L U with partial pivoting (the first of the largest), for k x k matrices up to a size fixed
// at construction. After that nothing allocates. One a thread.
class Elimination {
 public:
  explicit Elimination(std::size_t largest) : a_(largest * largest), row_(largest), y_(largest) {}

  // Entry (i, j) of the k x k matrix to come; reset(k) first.
  void reset(std::size_t k) noexcept { k_ = k; }
  [[nodiscard]] double& at(std::size_t i, std::size_t j) noexcept { return a_[i * k_ + j]; }

  // Factorises in place; false if a pivot is below `smallest`.
  [[nodiscard]] bool factorise(double smallest) noexcept;
  // x = A^-1 x.
  void solve(std::span<double> x) noexcept;
  // x = A^-T x.
  void solve_transposed(std::span<double> x) noexcept;

 private:
  std::size_t k_ = 0;
  std::vector<double> a_;
  std::vector<std::size_t> row_;  // row i of P A is row row_[i] of A
  std::vector<double> y_;
};

// A = L L^T in the lower triangle of the row-major k x k matrix a; false if a pivot is not
// positive. Only the lower triangle is read.
[[nodiscard]] bool cholesky(std::span<double> a, std::size_t k) noexcept;
// The same of a positive semidefinite matrix: where a pivot is at most least[i], or 0, the entry of
// the diagonal becomes infinite, and so the column below it 0.
void factorise_semidefinite(std::span<double> a, std::size_t k,
                            std::span<const double> least) noexcept;
// x = (L L^T)^-1 x for the factor that cholesky() left.
void cholesky_solve(std::span<const double> factor, std::size_t k, std::span<double> x) noexcept;

// y += weight x, for spans that do not overlap. Blocks of 8 without a carried dependence keep
// vector units busy; the order does not matter to the digits.
inline void add(std::span<double> y, double weight, std::span<const double> x) noexcept {
  const double* __restrict from = x.data();
  double* __restrict to = y.data();
  const std::size_t whole = y.size() - y.size() % 8;
  for (std::size_t i = 0; i < whole; i += 8) {
    for (std::size_t j = 0; j < 8; ++j) to[i + j] += weight * from[i + j];
  }
  for (std::size_t i = whole; i < y.size(); ++i) to[i] += weight * from[i];
}

}  // namespace keyhole::math
