// The nearest point of a polytope  {l <= x <= u, A x <= b, C x = d}  once its face is known.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/programs/bounded_simplex.h"

namespace keyhole::math {

// An upper bound of <z - x, v - x> over all v in K, from multipliers y (>= 0 for inequalities) and
// a box [low, high] around K: with w = z - x - A^T y,
//
//   gap = <y, b - A x> + sum_j max(w_j (low_j - x_j), w_j (high_j - x_j))
//
// A point x of K is nearest to z if and only if the left side is at most 0 for all v.
double nearness_gap(const LinearConstraints& constraints, std::span<const double> low,
                    std::span<const double> high, std::span<const double> z,
                    std::span<const double> x, std::span<const double> y);

// Moves x onto a face by least squares and proves that it is nearest. No call allocates. One a
// thread.
class NearestOnFace {
 public:
  // The constraints and the box must outlive this. `length` is the outer radius R of K.
  NearestOnFace(const LinearConstraints& constraints, std::span<const double> low,
                std::span<const double> high, double length);

  // How many rows a face may have: others are refused.
  [[nodiscard]] std::size_t most_rows() const noexcept { return most_rows_; }

  // The face has these rows tight and these coordinates free, the others as they are in x; x =
  // z - A^T y holds about, and is solved for more exactly. Whether the result is in K to
  // feasibility times R, with a gap of at most `gap` R max(R, ||z - x||).
  [[nodiscard]] bool solve(std::span<const double> z, std::span<const std::size_t> rows,
                           std::span<const std::size_t> free, double feasibility, double gap,
                           std::span<double> x, std::span<double> y);

 private:
  void factorise(std::span<const std::size_t> rows, std::span<const std::size_t> free) noexcept;
  void refine(std::span<const double> z, std::span<const std::size_t> rows,
              std::span<const std::size_t> free, std::span<double> x, std::span<double> y) noexcept;

  const LinearConstraints& k_;
  std::span<const double> low_;
  std::span<const double> high_;
  double length_;
  std::size_t most_rows_;
  std::vector<std::size_t> independent_;  // of the rows of the face
  std::vector<double> orthonormal_;       // independent x free
  std::vector<double> triangle_;          // the independent rows are triangle times orthonormal
  std::vector<double> solution_;
  std::vector<double> excess_;
  std::vector<double> off_;
};

}  // namespace keyhole::math
