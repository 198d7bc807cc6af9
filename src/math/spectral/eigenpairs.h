// Eigenvalues and eigenvectors of symmetric matrices of some hundred rows, in a fixed order: equal
// numbers in, equal digits out, on every processor.

#pragma once

#include <span>

namespace keyhole::math {

// A = Q' diag(values) Q for a symmetric matrix A of the order of `values`, row by row, in no order.
// Row k of Q is the eigenvector of value k. Householder's reduction, then the QL method with
// implicit shifts (Golub, Van Loan, "Matrix Computations", section 8.3): about 5 order^3
// operations, a tenth of what jacobi() takes. False if it does not converge.
[[nodiscard]] bool eigenpairs(std::span<const double> a, std::span<double> values,
                              std::span<double> vectors);

}  // namespace keyhole::math
