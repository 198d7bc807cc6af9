// The smallest eigenvalue of a large symmetric matrix that is known by its products with vectors.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/sums.h"

namespace keyhole::math {

// Lanczos's method with full reorthogonalisation, from a start that is fixed, pseudo-random and
// uniform on the sphere: a workspace for matrices of order n. After construction nothing allocates.
//
// Accuracy. The answer theta = v' A v has ||A v - theta v|| <= 1e-10 ||A||, so it is an eigenvalue
// to that accuracy. Which one? At least steps() products are made before it is accepted, so that
// except with probability 1e-12
//
//   theta - lambda_min <= 0.05 (lambda_max - lambda_min),
//
// whatever the spectrum, by Kuczynski and Wozniakowski, "Estimating the largest eigenvalue by the
// power and Lanczos algorithms with a random start", SIAM J. Matrix Anal. Appl. 13 (1992), theorem
// 4.2: k steps miss by more than a share epsilon with probability at most
// 1.648 sqrt(n) exp(-sqrt(epsilon) (2 k - 1)). The probability is over the start, for a matrix that
// was not made with the start in mind. A gap in the spectrum makes theta exact long before that; a
// Cholesky factorisation (is_positive_definite) can certify it.
//
// The start does not depend on the answer before: in conditional-gradient methods the last vertex
// becomes an eigenvector of the other end of the spectrum, and a residual test accepts it.
class Lanczos {
 public:
  explicit Lanczos(std::size_t n);

  // The number of steps that the theorem asks for, or n if that is less.
  static std::size_t steps(std::size_t n) noexcept;

  // The smallest eigenvalue of A, where multiply(x, y) sets y = A x.
  template <class Multiply>
  double smallest(Multiply multiply) {
    begin();
    do {
      multiply(std::span<const double>{latest()}, std::span<double>{w_});
    } while (!step());
    return theta_;
  }

  // The unit eigenvector of the last answer.
  [[nodiscard]] std::span<const double> vector() const noexcept { return v_; }

 private:
  void begin() noexcept;
  // Takes the product of latest() and extends the basis; true when the pair is accepted.
  bool step() noexcept;
  // w_ -= share q
  void subtract(double share, std::span<const double> q) noexcept;
  // Solves the projected problem for theta_ and z_; returns the residual of the pair.
  double solve() noexcept;
  // v_ = the vector of the pair.
  void assemble() noexcept;
  [[nodiscard]] std::span<const double> latest() const noexcept { return basis(count_ - 1); }
  [[nodiscard]] std::span<const double> basis(std::size_t j) const noexcept {
    return std::span(q_).subspan(j * n_, n_);
  }

  std::size_t n_;
  std::size_t steps_;  // before the first test
  std::size_t most_;   // vectors in the basis, then a restart from the pair
  std::vector<double> start_;
  std::vector<double> q_;      // the basis, a row each
  std::vector<double> alpha_;  // the projected matrix: diagonal
  std::vector<double> beta_;   // and off-diagonal
  std::vector<double> w_;      // A times the latest of the basis
  std::vector<double> scratch_;
  std::vector<double> z_;  // the vector of the projected problem
  std::vector<double> v_;
  std::size_t count_ = 0;  // vectors in the basis now
  int restarts_ = 0;
  double theta_ = 0;
};

}  // namespace keyhole::math
