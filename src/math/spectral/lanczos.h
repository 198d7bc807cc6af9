// The ends of the spectrum of a large symmetric matrix that is known by its products with vectors.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/panels/panels.h"

namespace keyhole::math {

// Lanczos's method with full reorthogonalisation, from a start that is fixed, pseudo-random and
// uniform on the sphere: a workspace for matrices of order n. After construction nothing allocates.
//
// Accuracy. An answer theta = v' A v has ||A v - theta v|| <= residual ||A||, so it is an
// eigenvalue to that accuracy, and to residual^2 ||A||^2 over the gap to the next one if that is
// less. Which one? At least steps() products are made before it is accepted, so that except with
// probability 1e-12
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
// Rough products. With (A + E_k) q_k in place of A q_k the pair has the residual
// |beta_k z_k| + ||sum_k z_k E_k q_k||, z being its vector in the basis: z_k falls as the residual
// does, and what is added to the basis when the residual is small already may be rough (Simoncini,
// Szyld, "Theory of inexact Krylov subspace methods and applications to scientific computing", SIAM
// J. Sci. Comput. 25 (2003)). Where a larger residual is accepted they begin sooner, and where it
// is well above their error they are rough from the first. The pair that is found so is put to the
// test by an exact product; if it fails, the method goes on from it with exact ones.
//
// The start does not depend on the answer before: in conditional-gradient methods the last vertex
// becomes an eigenvector of the other end of the spectrum, and a residual test accepts it.
class Lanczos {
 public:
  static constexpr double default_residual = 1e-10;

  // The residual is the share of ||A|| that is accepted, from 1e-12 on. A pair that is not accepted
  // after so many restarts is given as it is.
  explicit Lanczos(std::size_t n, double residual = default_residual, int most_restarts = 50);

  // The number of steps that the theorem asks for, or n if that is less.
  static std::size_t steps(std::size_t n) noexcept;

  // Finds the smallest eigenvalue of A, where multiply(x, y) sets y = A x. With error > 0,
  // roughly(x, y) is a faster product that is off by at most error ||A|| ||x||.
  template <class Multiply>
  void find_smallest(Multiply multiply) {
    begin(false, 0);
    run(multiply, multiply);
  }
  template <class Multiply, class Roughly>
  void find_smallest(Multiply multiply, Roughly roughly, double error) {
    begin(false, error);
    run(multiply, roughly);
  }
  // Finds the smallest and the largest.
  template <class Multiply>
  void find_both(Multiply multiply) {
    begin(true, 0);
    run(multiply, multiply);
  }
  template <class Multiply, class Roughly>
  void find_both(Multiply multiply, Roughly roughly, double error) {
    begin(true, error);
    run(multiply, roughly);
  }

  // The eigenvalues found last, and their unit eigenvectors.
  [[nodiscard]] double smallest() const noexcept { return low_.theta; }
  [[nodiscard]] std::span<const double> smallest_vector() const noexcept { return low_.v; }
  [[nodiscard]] double largest() const noexcept { return -high_.theta; }
  [[nodiscard]] std::span<const double> largest_vector() const noexcept { return high_.v; }

  // Whether the residuals are as promised; not where all restarts are used up.
  [[nodiscard]] bool is_proved() const noexcept { return is_proved_; }

  // A lower bound on ||A||, of its size, from the last run.
  [[nodiscard]] double scale() const noexcept { return scale_; }
  // The first vector of every basis.
  [[nodiscard]] std::span<const double> start() const noexcept { return start_; }
  // How many products the last run took, and how many of them were rough.
  [[nodiscard]] std::size_t products() const noexcept { return products_; }
  [[nodiscard]] std::size_t rough_products() const noexcept { return rough_products_; }

 private:
  // The pair of one end: the smallest of sign A.
  struct End {
    double sign;
    bool asked = false;   // by the caller
    bool wanted = false;  // in the basis of now
    bool found = false;
    double theta = 0;
    std::vector<double> z = {};  // its vector in the basis
    std::vector<double> v = {};
  };

  template <class Multiply, class Roughly>
  void run(Multiply multiply, Roughly roughly) {
    bool is_done = false;
    while (!is_done) {
      ++products_;
      if (is_rough_) {
        ++rough_products_;
        roughly(std::span<const double>{latest_}, std::span<double>{w_});
      } else {
        multiply(std::span<const double>{latest_}, std::span<double>{w_});
      }
      is_done = step();
      if (!is_done || rough_products_ == 0 || is_confirmed_) continue;
      for (End* const end : {&low_, &high_}) {
        if (!end->asked) continue;
        ++products_;
        multiply(std::span<const double>{end->v}, std::span<double>{w_});
        confirm(*end);
      }
      is_done = give_up_rough_products();
    }
  }
  void begin(bool both, double error) noexcept;
  // Looks at the residual of a pair that came from rough products, w_ being A v.
  void confirm(End& end) noexcept;
  // Goes on from a pair that was not confirmed, with exact products; true if there is none.
  bool give_up_rough_products() noexcept;
  // Whether the pairs are so good that the products to come may be rough.
  [[nodiscard]] bool may_be_rough() noexcept;
  // Takes the product of latest_ and extends the basis; true when all is found.
  bool step() noexcept;
  void begin_basis(std::span<const double> q) noexcept;
  // w_ = A q - its part in the basis; returns ||w_||.
  double orthogonalise() noexcept;
  // Solves the projected problem for an end; returns the residual of the pair.
  double solve(End& end) noexcept;
  // v = the vector of the pair.
  void assemble(End& end) noexcept;
  // Goes on from the pair of an end alone: its theta can only fall.
  void restart(End& end) noexcept;

  std::size_t n_;
  double residual_;    // promised, relative to ||A||
  std::size_t steps_;  // before the first test
  std::size_t most_;   // vectors in the basis, then a restart from a pair
  std::vector<double> start_;
  BasisPanels basis_;
  std::vector<double> latest_;  // of the basis, and the one before
  std::vector<double> before_;
  std::vector<double> alpha_;    // the projected matrix: diagonal
  std::vector<double> beta_;     // and off-diagonal
  std::vector<double> w_;        // A times the latest of the basis
  std::vector<double> negated_;  // -alpha, -beta
  std::vector<double> scratch_;
  End low_{.sign = 1};
  End high_{.sign = -1};
  std::size_t count_ = 0;  // vectors in the basis now
  std::size_t products_ = 0;
  std::size_t rough_products_ = 0;
  double accepted_ = 0;        // of the projected problem: less, where rough products add to it
  double rough_error_ = 0;     // 0: there are no rough products
  bool is_rough_ = false;      // the product to come
  bool is_confirmed_ = false;  // or given up
  bool is_proved_ = true;
  int most_restarts_;
  int restarts_ = 0;
  double scale_ = 0;
};

}  // namespace keyhole::math
