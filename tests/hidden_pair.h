#pragma once

// Matrices made with the start of Lanczos's method in mind, which then takes the second eigenvalue
// for the first.

#include "math/spectral/lanczos.h"
#include "matrices.h"

namespace keyhole::tests {

/// Eigenvalues of hidden_pair(): the least, to which the start is orthogonal up to rounding, and
/// the next. Their distance is above what a certificate allows and below what the theorem does.
inline constexpr double hidden_eigenvalue = -1.0404;
inline constexpr double next_eigenvalue = -1.04;

/// Orthonormal columns of order n, the first of them orthogonal to the start, the rest not.
inline Matrix frame_beside_the_start(std::size_t n, Random& random) {
  const math::Lanczos lanczos(n);
  const auto size = static_cast<Eigen::Index>(n);
  const Eigen::Map<const Eigen::VectorXd> start(lanczos.start().data(), size);
  Matrix columns = normal_matrix(n, n, random);
  columns.col(0) -= columns.col(0).dot(start) * start;
  columns.col(0) -= columns.col(0).dot(start) * start;
  return orthonormalised(columns);
}

/// Its spectrum: the two, a bulk evenly in [-1, 0], and 0.3, so that the other end converges fast.
/// The gap to the bulk lets the second pair converge to a residual of 1e-10 while the first, of
/// which the basis has only a rounding, has grown to less than that.
inline Eigen::VectorXd hidden_spectrum(std::size_t n) {
  const auto size = static_cast<Eigen::Index>(n);
  Eigen::VectorXd spectrum = Eigen::VectorXd::LinSpaced(size, -1, 0);
  spectrum[0] = hidden_eigenvalue;
  spectrum[1] = next_eigenvalue;
  spectrum[size - 1] = 0.3;
  return spectrum;
}

inline Matrix hidden_pair(std::size_t n, Random& random) {
  const Matrix q = frame_beside_the_start(n, random);
  const Matrix a = composed(q, hidden_spectrum(n), q);
  return (a + a.transpose()) / 2;
}

/// The same of singular values: B'B has the magnitudes of that spectrum.
inline Matrix hidden_singular_pair(std::size_t n, Random& random) {
  const Matrix q = frame_beside_the_start(n, random);
  return composed(random_frame(n, n, random), hidden_spectrum(n).cwiseAbs().cwiseSqrt(), q);
}

}  // namespace keyhole::tests
