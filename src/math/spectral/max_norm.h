// The max norm of matrices, also called gamma_2.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace keyhole::math {

// gamma_2(X) is the least g for which X = U V' with rows of U and V of length at most sqrt(g). By
// duality (Lee, Shraibman, Spalek, "A direct product theorem for discrepancy", 2008) it is
//
//   the largest nuclear norm of M = Diag(p)^(1/2) X Diag(q)^(1/2), p and q >= 0 that sum to 1,
//
// which is concave in p and q. Newton's method follows the largest points of
//
//   <X, Y> + mu log det [Diag(p), Y; Y', Diag(q)],  sum p + sum q = 2,
//
// as mu falls. The largest Y has the singular vectors of M, so that only p and q are left. Every
// point gives both bounds: the nuclear norm of M from below, and from above the rows of the two
// factors of X that 2 mu times the inverse of that matrix is made of. About 25 steps, each with a
// singular value decomposition by one-sided Jacobi rotations and a system of order m + n.
//
// One a thread; after construction nothing allocates. Equal numbers in, equal digits out.
class MaxNorm {
 public:
  // Bounds are so near to each other, relative to the upper one, unless rounding prevents it, or
  // the steps are used up.
  static constexpr double accuracy = 1e-10;
  // And then they are so near: of 3e4 norms 7 are above 1e-10, and the farthest is 1.2e-9.
  static constexpr double promised = 1e-8;

  MaxNorm(std::size_t rows, std::size_t columns, int most_steps = 300);

  struct Bounds {
    double lower = 0;
    double upper = 0;

    // How far they are apart, relative to the upper one.
    [[nodiscard]] double relative_gap() const noexcept {
      return upper > 0 ? (upper - lower) / upper : upper - lower;
    }
  };

  // Bounds of gamma_2(X) with a relative_gap() of at most `accuracy`, or on the same side of
  // `level`, if that is given; where rounding prevents both, the nearest that were found.
  Bounds find(std::span<const double> x, std::optional<double> level = {}) noexcept;
  // Y with <Y, X> = lower and <Y, A> <= gamma_2(A) for all A: of the last call, for X that was not
  // 0.
  void write_dual(std::span<double> y) const noexcept;

 private:
  // X, scaled by a power of two, which is returned; 0 for X = 0.
  double load(std::span<const double> x) noexcept;
  // The singular triples of M; false if rounding prevents them.
  bool decompose() noexcept;
  // t_k of the comment in max_norm.cc.
  [[nodiscard]] double slope(std::size_t k, double mu) const noexcept;
  // All of them, and the gradient.
  void smooth(double mu) noexcept;
  // The derivative of entry a of the gradient by mu.
  [[nodiscard]] double gradient_by_mu(std::size_t a, double mu) const noexcept;
  [[nodiscard]] double lower_bound() const noexcept;
  // Any mu gives one.
  [[nodiscard]] double upper_bound(double mu) noexcept;
  // A step towards the largest point for this mu; if that is near, towards that for a smaller one.
  // False if rounding prevents it.
  bool advance(double& mu) noexcept;
  // The matrix of Newton's steps.
  void fill_system(double mu) noexcept;
  // Newton's step for the gradient, relative to the weights, and its product with the gradient.
  double find_step() noexcept;

  int most_steps_;
  std::size_t short_;             // the smaller side
  std::size_t long_;              // the larger one
  bool wide_;                     // whether X has short_ rows; otherwise X' is taken
  std::vector<double> x_;         // short_ x long_
  std::vector<double> weights_;   // p and then q
  std::vector<double> matrix_;    // M
  std::vector<double> w_;         // left singular vectors, row by row: where rotations begin
  std::vector<double> y_;         // right ones times singular values
  std::vector<double> values_;    // singular values
  std::vector<double> factors_;   // row a: those entries of the left vectors, then of the right
  std::vector<double> slopes_;    // the singular values of Y between Diag(p)^-(1/2) and that of q
  std::vector<double> same_;      // second derivatives for two rows, or two columns
  std::vector<double> cross_;     // and for a row and a column
  std::vector<double> gradient_;  // times the weights
  std::vector<double> system_;
  std::vector<double> step_;
  std::vector<double> along_;
  std::vector<double> products_;
};

}  // namespace keyhole::math
