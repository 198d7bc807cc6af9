// Householder's reduction of a symmetric matrix to tridiagonal form, A = H T H' with H orthogonal.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace keyhole::math {

// The workspace for matrices of one size n. After construction nothing allocates; the digits do not
// depend on the processor. 2 n^3 floating-point operations.
//
// Reference: Golub, Van Loan, "Matrix Computations", algorithm 8.3.1; the update of a step is done
// together with the product of the next, so that the matrix is read once.
class Tridiagonalisation {
 public:
  explicit Tridiagonalisation(std::size_t n);

  // The matrix to be reduced: fill all n^2 entries, entry (i, j) at i stride() + j, equal to (j, i)
  // and of magnitude up to about 1 (the squares of what is below 1e-144 are taken for 0). What is
  // between the rows is padding, and must be finite.
  [[nodiscard]] std::span<double> matrix() noexcept { return a_; }
  // n, or n + 1 if n is odd.
  [[nodiscard]] std::size_t stride() const noexcept { return stride_; }

  // Reduces the matrix, which is overwritten, to diagonal() and off_diagonal().
  void reduce() noexcept;

  [[nodiscard]] std::span<const double> diagonal() const noexcept { return d_; }
  [[nodiscard]] std::span<const double> off_diagonal() const noexcept {
    return std::span(e_).first(d_.size() - 1);
  }

  // z <- H z: an eigenvector of T becomes one of A.
  void back_transform(std::span<double> z) const noexcept;

 private:
  std::size_t n_;
  std::size_t stride_;
  std::vector<double> a_;     // row k holds, right of the diagonal, the vector v_k
  std::vector<double> d_;     // diagonal of T
  std::vector<double> e_;     // off-diagonal of T
  std::vector<double> beta_;  // H = product over k of 1 - beta_k v_k v_k'
  std::vector<double> q_;     // of the update A <- A - v q' - q v' that is due
  std::vector<double> p_;     // A v for the next
  std::vector<double> zero_;  // the v of the first update, of which there is none
};

}  // namespace keyhole::math
