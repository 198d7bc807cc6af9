// All singular triples of a dense matrix, as projections onto balls of the nuclear norm need them.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/spectral/decompositions.h"

namespace keyhole::math {

// A = sum_i values_i u_i v_i' for matrices of one shape, row by row. After construction nothing
// allocates but what SymmetricDecomposition does.
//
// The eigenvectors w_i of the smaller of A A' and A' A are the singular vectors of that side, and
// the y_i = A' w_i (or A w_i) would be orthogonal, of length values_i, but that squaring has cost
// half of the digits: pairs of small ones are not. Those are rotated until they are, by one-sided
// Jacobi (Hestenes 1958): so every triple is as exact as by Jacobi's method alone, which takes
// several times as long, and mostly there is nothing to rotate.
class SingularDecomposition {
 public:
  SingularDecomposition(std::size_t rows, std::size_t columns);

  // The singular values of A, in no order; the caller may change them, but those that are 0.
  std::span<double> decompose(std::span<const double> a);
  // Whether the vectors of the last one are orthogonal: not where rounding, or what is no number,
  // has prevented it.
  [[nodiscard]] bool is_proved() const noexcept { return is_proved_; }
  // Makes the vectors of both sides orthonormal, those of values that are 0 or no more than
  // rounding included: then all values may be changed, and compose() makes a matrix that has just
  // those singular values. Larger ones come first, so that it is the small ones whose vectors move.
  void complete();
  // a = sum_i values_i u_i v_i'.
  void compose(std::span<double> a) const;

 private:
  bool wide_;          // whether rows <= columns; otherwise A' is decomposed
  std::size_t small_;  // min(rows, columns)
  std::size_t large_;  // max(rows, columns)
  SymmetricDecomposition eigen_;
  std::vector<double> matrix_;   // A or A', small_ x large_, of entries up to 1
  std::vector<double> gram_;     // matrix matrix'
  std::vector<double> w_;        // w_i in row i
  std::vector<double> y_;        // y_i in row i
  std::vector<double> lengths_;  // of y_i, in the scale of A
  std::vector<double> values_;
  std::vector<std::size_t> order_;  // of falling lengths, to complete
  std::vector<double> ordered_;     // the y_i in that order
  double scale_ = 1;                // of A to matrix_
  bool is_proved_ = false;
};

// The min(rows, columns) singular values of A, in descending order; no numbers if they cannot be
// found.
std::vector<double> singular_values(std::span<const double> a, std::size_t rows,
                                    std::size_t columns);

}  // namespace keyhole::math
