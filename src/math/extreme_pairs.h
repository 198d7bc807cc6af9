// Extreme eigenpairs of symmetric matrices and the top singular pair of rectangular ones.
//
// Matrices are row by row. All answers are pure functions of the matrix: times a power of two it
// gives the same vectors, bit for bit. The zero matrix answers with the first unit vectors, tied
// eigenvalues with a vector of their eigenspace that the arithmetic picks. Each object is a
// workspace for one thread; after construction nothing allocates.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "math/lanczos.h"
#include "math/tridiagonalisation.h"

namespace keyhole::math {

// Up to this order the extreme eigenpairs are computed directly, above it by Lanczos's method.
inline constexpr std::size_t largest_direct_order = 64;

// Of symmetric matrices of order n.
//
// n <= 64: Householder's tridiagonal form, Laguerre's method with a Sturm count for the eigenvalue,
// a twisted factorisation for the vector. With the unit vector v and the eigenvalue lambda,
// ||A v - lambda v|| and the distance of v' A v from the extreme eigenvalue are below
// n 2^-48 ||A||. n > 64: lanczos.h, with the accuracy and the probability of failure stated there.
class ExtremeEigenpair {
 public:
  explicit ExtremeEigenpair(std::size_t n);

  // The smallest eigenvalue of (A + A') / 2.
  double smallest(std::span<const double> a) noexcept;
  // The eigenvalue of (A + A') / 2 of largest magnitude; of lambda and -lambda the negative one.
  double largest_in_magnitude(std::span<const double> a) noexcept;

  // The unit eigenvector of the last answer.
  [[nodiscard]] std::span<const double> vector() const noexcept { return vector_; }

 private:
  // Loads and scales (A + A') / 2; whether there is anything but zeros.
  bool load(std::span<const double> a) noexcept;
  // The smallest eigenvalue of sign times the matrix loaded, whose vector is then lanczos_'s.
  double smallest_by_lanczos(double sign) noexcept;
  void find_vector(std::span<const double> d, std::span<const double> e, double lambda) noexcept;

  std::size_t n_;
  std::vector<double> matrix_;      // of large order
  std::optional<Lanczos> lanczos_;  // of large order
  Tridiagonalisation form_;         // of small order
  double scale_ = 1;                // a power of two: the matrix loaded is A / scale
  std::vector<double> negated_d_;   // of -T
  std::vector<double> negated_e_;
  std::vector<double> scratch_;
  std::vector<double> vector_;
};

// Of r x c matrices: v is the top eigenvector of the smaller Gram matrix, say A'A, and u = A v /
// ||A v||. Squaring costs digits of the small singular values, not of the largest: with A'A v =
// sigma^2 v + f the pair has A v = sigma' u and A'u = sigma' v + f / sigma' for sigma' = ||A v||,
// and f is a rounding of sigma^2. So u' A v is the norm of A up to a factor 1 - k 2^-48, and the
// residuals are as small, k = min(r, c). For k > 64 lanczos.h applies to A'A, which is not formed.
class TopSingularPair {
 public:
  TopSingularPair(std::size_t rows, std::size_t columns);

  // The largest singular value of A.
  double find(std::span<const double> a) noexcept;

  // The unit vectors u (of size r) and v (of size c) of the last answer, A v = sigma u.
  [[nodiscard]] std::span<const double> left() const noexcept { return wide_ ? short_ : long_; }
  [[nodiscard]] std::span<const double> right() const noexcept { return wide_ ? long_ : short_; }

 private:
  bool wide_;                                // more columns than rows: A' is taken for A
  std::size_t long_side_;                    // max(r, c)
  std::size_t short_side_;                   // min(r, c)
  std::vector<double> b_;                    // A or A', scaled, long_side_ x short_side_
  std::vector<double> gram_;                 // -B'B, of small order
  std::optional<ExtremeEigenpair> of_gram_;  // of small order
  std::optional<Lanczos> lanczos_;           // of large order
  std::vector<double> long_;                 // its singular vector
  std::vector<double> short_;                // its singular vector
};

}  // namespace keyhole::math
