// One-sided Jacobi rotations (Hestenes 1958): the rows of a matrix are turned until they are
// orthogonal.

#pragma once

#include <span>

namespace keyhole::math {

// Turns the rows of `y`, and those of `w` alike, two by two, until those of y are orthogonal:
// |<y_i, y_j>| <= 1e-14 norm max(||y_i||, ||y_j||), `norm` being that of the whole. So W' Y stays
// as it is. There are as many rows as `squares`, where the squared lengths of the y_i are left.
// Equal numbers in, equal digits out. False if they are not after 30 sweeps; about six are needed
// if nothing is orthogonal.
[[nodiscard]] bool orthogonalise_by_rotations(std::span<double> y, std::span<double> w,
                                              std::span<double> squares, double norm);

}  // namespace keyhole::math
