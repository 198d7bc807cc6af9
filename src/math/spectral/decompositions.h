// Whole spectra of dense symmetric matrices, as projections and membership need them: equal numbers
// in, equal digits out, on every processor.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/spectral/tridiagonalisation.h"

namespace keyhole::math {

// The eigenvalues of (A + A') / 2, in ascending order; no numbers if they cannot be found.
std::vector<double> eigenvalues(std::span<const double> a, std::size_t n);

// (A + A') / 2 = sum_i values_i q_i q_i' for matrices of order n, row by row. Householder's
// reduction, then the QL method with implicit shifts (Golub, Van Loan, "Matrix Computations",
// section 8.3): about 5 n^3 operations, a tenth of what jacobi() takes. After construction nothing
// allocates.
class SymmetricDecomposition {
 public:
  explicit SymmetricDecomposition(std::size_t n);

  // The eigenvalues of A, in ascending order; the caller may change them.
  std::span<double> decompose(std::span<const double> a);
  // The same in the order in which they are found.
  std::span<double> decompose_unsorted(std::span<const double> a);
  // The eigenvalues alone, in ascending order, at a third of the cost; there are no vectors then.
  std::span<double> values_of(std::span<const double> a);
  // Whether the last of these has come to its end.
  [[nodiscard]] bool is_proved() const noexcept { return is_proved_; }
  // The eigenvectors, q_i from i n on.
  [[nodiscard]] std::span<const double> vectors() const noexcept { return vectors_; }
  // a = sum_i values_i q_i q_i', symmetric to the last bit.
  void compose(std::span<double> a) const;

 private:
  // The tridiagonal form of A / 2^exponent, whose entries are up to about 1.
  int reduce(std::span<const double> a);
  void finish(int exponent, bool is_solved);

  std::size_t n_;
  Tridiagonalisation form_;
  std::vector<double> values_;
  std::vector<double> beside_;  // the diagonal
  std::vector<double> vectors_;
  bool is_proved_ = false;
};

}  // namespace keyhole::math
