// Extreme eigenpairs of symmetric matrices and the top singular pair of rectangular ones.
//
// Matrices are row by row. All answers are pure functions of the matrix: times a power of two it
// gives the same vectors, bit for bit. The zero matrix answers with the first unit vectors, tied
// eigenvalues with a vector of their eigenspace that the arithmetic picks. Each object is a
// workspace, to be used by one thread at a time; after construction nothing allocates. `threads` of
// them share the products of Lanczos's method, from order 512 on; the digits do not depend on it.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "math/panels/panels.h"
#include "math/spectral/lanczos.h"
#include "math/spectral/tridiagonalisation.h"

namespace keyhole::math {

// Up to this order the extreme pairs are computed directly, to rounding; above it by Lanczos's
// method, which at that order is already the quicker one (bench/spectral_oracle.cc), but less
// exact.
inline constexpr std::size_t largest_direct_order = 100;

// How an extreme pair is found.
enum class Method {
  fastest,    // directly up to largest_direct_order, above it by Lanczos's method
  direct,     // exact to rounding, O(n^3)
  lanczos,    // lanczos.h, with the accuracy and the probability of failure stated there
  certified,  // as fastest, but what Lanczos's method finds must pass the test of the inertia: no
              // eigenvalue is beyond it by more than 1e-9 ||A||, or 2 residual ||A|| if that is
              // more. If it fails: directly. O(n^3)
};

// The residual of lanczos.h is a share of ||A||, or of ||A'A|| for singular pairs.

// Of symmetric matrices of order n.
//
// Directly: Householder's tridiagonal form, Laguerre's method with a Sturm count for the
// eigenvalue, a twisted factorisation for the vector. With the unit vector v and the eigenvalue
// lambda, ||A v - lambda v|| and the distance of v' A v from the extreme eigenvalue are below
// n 2^-48 ||A||.
class ExtremeEigenpair {
 public:
  explicit ExtremeEigenpair(std::size_t n, Method method = Method::fastest, unsigned threads = 1,
                            double residual = Lanczos::default_residual);

  // The smallest eigenvalue of (A + A') / 2.
  double smallest(std::span<const double> a) noexcept;
  // The eigenvalue of (A + A') / 2 of largest magnitude; of lambda and -lambda the negative one.
  double largest_in_magnitude(std::span<const double> a) noexcept;

  // The largest eigenvalue of B'B for B with rows of size n, one after the other, by the direct
  // method: its vector. False, and none, if squares over- or underflow; they do not if
  // the largest magnitude in B is from 2^-64 to 2^64.
  bool find_top_of_gram(std::span<const double> b) noexcept;

  // Whether the last answer is as accurate as promised; only Lanczos's method may fail, where
  // rounding uses up all its restarts, and no direct one is there to take its place.
  [[nodiscard]] bool is_proved() const noexcept { return is_proved_; }

  // The unit eigenvector of the last answer.
  [[nodiscard]] std::span<const double> vector() const noexcept { return vector_; }

 private:
  // Loads and scales (A + A') / 2; whether there is anything but zeros.
  bool load(std::span<const double> a) noexcept;
  // Scales the matrix of the direct method, whose largest magnitude is given.
  void scale(double largest) noexcept;
  // Lanczos's method on the matrix loaded; false if a certificate was asked for and is refused.
  bool find_smallest_by_lanczos() noexcept;
  bool find_both_by_lanczos() noexcept;
  // Whether no eigenvalue of sign times the matrix loaded is below lambda; true unless certified,
  // and then not for a pair that is not proved.
  bool is_least(double sign, double lambda) noexcept;
  double take(double lambda, std::span<const double> v) noexcept;
  // The tridiagonal form of the matrix loaded.
  void reduce() noexcept;
  // The pair of the form.
  double smallest_of_form() noexcept;
  void find_vector(std::span<const double> d, std::span<const double> e, double lambda) noexcept;

  std::size_t n_;
  std::optional<Lanczos> lanczos_;
  std::optional<SymmetricPanels> panels_;   // for Lanczos's method
  std::vector<double> matrix_;              // the same row by row, to certify
  std::optional<Tridiagonalisation> form_;  // direct, or to certify
  double certified_share_;                  // of ||A||, that a certificate allows
  double scale_ = 1;                        // a power of two: the matrix loaded is A / scale
  bool is_proved_ = true;
  std::vector<double> negated_d_;  // of -T
  std::vector<double> negated_e_;
  std::vector<double> scratch_;
  std::vector<double> vector_;
};

// Of r x c matrices: v is the top eigenvector of the smaller Gram matrix, say A'A, and u = A v /
// ||A v||. Squaring costs digits of the small singular values, not of the largest: with A'A v =
// sigma^2 v + f the pair has A v = sigma' u and A'u = sigma' v + f / sigma' for sigma' = ||A v||,
// and f is a rounding of sigma^2. So u' A v is the norm of A up to a factor 1 - k 2^-48, and the
// residuals are as small, k = min(r, c). Lanczos's method needs only products with A and A'; a
// certificate, or the direct method, needs A'A.
class TopSingularPair {
 public:
  TopSingularPair(std::size_t rows, std::size_t columns, Method method = Method::fastest,
                  unsigned threads = 1, double residual = Lanczos::default_residual);

  // The largest singular value of A.
  double find(std::span<const double> a) noexcept;

  // Whether the last answer is as accurate as promised, as for ExtremeEigenpair.
  [[nodiscard]] bool is_proved() const noexcept { return is_proved_; }

  // The unit vectors u (of size r) and v (of size c) of the last answer, A v = sigma u.
  [[nodiscard]] std::span<const double> left() const noexcept { return wide_ ? short_ : long_; }
  [[nodiscard]] std::span<const double> right() const noexcept { return wide_ ? long_ : short_; }

 private:
  // The last answer, if Lanczos's method gives it: false if there is none, or if a certificate was
  // asked for and is refused.
  bool find_by_lanczos(std::span<const double> a) noexcept;
  void find_directly(std::span<const double> a) noexcept;
  // Loads and scales B; returns the power of two.
  double load(std::span<const double> a) noexcept;
  // From B v for the unit vector v in short_, which is in long_, and the scale of B.
  void finish(double scale) noexcept;

  double certified_share_;  // of ||A'A||, that a certificate allows
  bool wide_;               // more columns than rows: A' is taken for A
  std::size_t long_side_;   // max(r, c)
  std::size_t short_side_;  // min(r, c)
  std::optional<Lanczos> lanczos_;
  std::optional<GramPanels> panels_;         // for Lanczos's method
  std::vector<double> b_;                    // A or A', scaled, long x short, direct or to certify
  std::vector<double> gram_;                 // -B'B, to certify
  std::vector<double> scratch_;              // to certify
  std::optional<ExtremeEigenpair> of_gram_;  // direct
  std::vector<double> long_;                 // its singular vector
  std::vector<double> short_;                // its singular vector
  double sigma_ = 0;
  bool is_proved_ = true;
};

}  // namespace keyhole::math
