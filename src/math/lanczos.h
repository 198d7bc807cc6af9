// The ends of the spectrum of a large symmetric matrix that is known by its products with vectors.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace keyhole::math {

// Lanczos's method with full reorthogonalisation, from a start that is fixed, pseudo-random and
// uniform on the sphere: a workspace for matrices of order n. After construction nothing allocates.
//
// Accuracy. An answer theta = v' A v has ||A v - theta v|| <= 1e-10 ||A||, so it is an eigenvalue
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
// Cholesky factorisation (is_positive_definite) can certify it. The theorem holds for either end of
// the same Krylov space, so both ends at once, with a probability of 2e-12 that one of them fails,
// cost the products of the slower one.
//
// The start does not depend on the answer before: in conditional-gradient methods the last vertex
// becomes an eigenvector of the other end of the spectrum, and a residual test accepts it.
class Lanczos {
 public:
  explicit Lanczos(std::size_t n);

  // The number of steps that the theorem asks for, or n if that is less.
  static std::size_t steps(std::size_t n) noexcept;

  // Finds the smallest eigenvalue of A, where multiply(x, y) sets y = A x.
  template <class Multiply>
  void find_smallest(Multiply multiply) {
    begin(false);
    run(multiply);
  }
  // Finds the smallest and the largest.
  template <class Multiply>
  void find_both(Multiply multiply) {
    begin(true);
    run(multiply);
  }

  // The eigenvalues found last, and their unit eigenvectors.
  [[nodiscard]] double smallest() const noexcept { return low_.theta; }
  [[nodiscard]] std::span<const double> smallest_vector() const noexcept { return low_.v; }
  [[nodiscard]] double largest() const noexcept { return -high_.theta; }
  [[nodiscard]] std::span<const double> largest_vector() const noexcept { return high_.v; }

  // A lower bound on ||A||, of its size, from the last run.
  [[nodiscard]] double scale() const noexcept { return scale_; }
  // The first vector of every basis.
  [[nodiscard]] std::span<const double> start() const noexcept { return start_; }
  // How many products the last run took.
  [[nodiscard]] std::size_t products() const noexcept { return products_; }

 private:
  // The pair of one end: the smallest of sign A.
  struct End {
    double sign;
    bool wanted = false;  // in the basis of now
    bool found = false;
    double theta = 0;
    std::vector<double> z = {};  // its vector in the basis
    std::vector<double> v = {};
  };

  template <class Multiply>
  void run(Multiply multiply) {
    do {
      ++products_;
      multiply(std::span<const double>{latest()}, std::span<double>{w_});
    } while (!step());
  }
  void begin(bool both) noexcept;
  // Takes the product of latest() and extends the basis; true when all is found.
  bool step() noexcept;
  // w_ = A q - its part in the basis; returns ||w_||.
  double orthogonalise() noexcept;
  // Solves the projected problem for an end; returns the residual of the pair.
  double solve(End& end) noexcept;
  // v = the vector of the pair.
  void assemble(End& end) noexcept;
  // Goes on from the pair of an end alone: its theta can only fall.
  void restart(End& end) noexcept;
  [[nodiscard]] std::span<const double> latest() const noexcept {
    return std::span(q_).subspan((count_ - 1) * n_, n_);
  }

  std::size_t n_;
  std::size_t steps_;  // before the first test
  std::size_t most_;   // vectors in the basis, then a restart from a pair
  std::vector<double> start_;
  std::vector<double> q_;      // the basis, a row each
  std::vector<double> alpha_;  // the projected matrix: diagonal
  std::vector<double> beta_;   // and off-diagonal
  std::vector<double> w_;      // A times the latest of the basis
  std::vector<double> shares_;
  std::vector<double> negated_;  // -alpha, -beta
  std::vector<double> scratch_;
  End low_{.sign = 1};
  End high_{.sign = -1};
  std::size_t count_ = 0;  // vectors in the basis now
  std::size_t products_ = 0;
  int restarts_ = 0;
  double scale_ = 0;
};

}  // namespace keyhole::math
