// Linear functions over the correlation matrices: the semidefinite relaxation of Max-Cut.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/spectral/extreme_pairs.h"

namespace keyhole::math {

// min <C, X> over {X = X' positive semidefinite, X_ii = 1}, matrices of order n >= 2, by the
// primal-dual interior-point method of Helmberg, Rendl, Vanderbei and Wolkowicz, "An interior-point
// method for semidefinite programming", SIAM Journal on Optimization 6 (1996). Its dual is
//
//   max y_1 + ... + y_n  with  Z = C - Diag(y) positive semidefinite.
//
// X stays positive definite with ones on its diagonal and Z positive definite: <X, Z> is how far
// <C, X> can be above the least value. A step is Newton's for X Z = mu I; its only linear system
// has the Hadamard product of X and Z^-1. About 20 steps of O(n^3).
//
// One a thread; after construction nothing allocates. Equal numbers in, equal digits out.
class MaxCutRelaxation {
 public:
  // relative_gap() of an answer, unless rounding prevents it, or the steps are used up...
  static constexpr double accuracy = 1e-10;
  // ...and what is left of it then: of 1e4 answers none is above 1e-10.
  static constexpr double promised = 1e-9;

  explicit MaxCutRelaxation(std::size_t n, std::size_t most_steps = 100);

  // X for C = (A + A')/2, whose diagonal does not matter. <C, X> is within relative_gap() ||C|| of
  // the least value, ||C|| being the length of what is beside the diagonal. X is symmetric to the
  // last bit, has ones on its diagonal, and its least eigenvalue is 0 but for rounding. Of several
  // optimal X it is about the analytic centre; for C = 0 it is the matrix of ones. A times a power
  // of two gives the same X.
  std::span<const double> minimise(std::span<const double> a) noexcept;

  // <X, Z> / ||C|| of the last answer.
  [[nodiscard]] double relative_gap() const noexcept { return relative_gap_; }
  // How many steps it took.
  [[nodiscard]] std::size_t steps() const noexcept { return steps_; }

 private:
  // C, scaled by a power of two; false if there is nothing beside the diagonal.
  bool load(std::span<const double> a) noexcept;
  // X = I, and Z diagonally dominant.
  void start() noexcept;
  [[nodiscard]] double gap() const noexcept;
  // False if rounding prevents it.
  bool step() noexcept;
  // Z^-1 from the factor of Z.
  void invert() noexcept;
  // dy and dX for the given mu.
  bool find_direction(double mu) noexcept;
  // Whether X + length dX is positive definite.
  bool is_inside(double length) noexcept;
  // Whether C - Diag(y + length dy) is, whose factor is kept.
  bool is_dual_inside(double length) noexcept;
  // Away from I as far as X stays positive semidefinite, which makes <C, X> smaller still.
  void move_to_boundary() noexcept;

  std::size_t n_;
  std::size_t most_steps_;
  std::vector<double> c_;
  std::vector<double> x_;
  std::vector<double> y_;
  std::vector<double> factor_;   // of Z, in its lower triangle
  std::vector<double> inverse_;  // Z^-1
  std::vector<double> system_;   // X o Z^-1, then X Diag(dy) Z^-1
  std::vector<double> dx_;
  std::vector<double> dy_;
  std::vector<double> trial_;
  std::vector<double> row_;
  ExtremeEigenpair pair_;
  double length_ = 0;        // ||C||
  double last_lengths_ = 0;  // of the last step, both together
  double relative_gap_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace keyhole::math
