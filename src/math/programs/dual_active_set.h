// The nearest point of a polytope, by a method that always ends.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/programs/nearest_on_face.h"

namespace keyhole::math {

// min 1/2 ||x - z||^2 over {l <= x <= u, A x <= b, C x = d} by Goldfarb and Idnani's dual active
// set method ("A numerically stable dual method for solving strictly convex quadratic programs",
// 1983): from x = z it takes up the most violated constraint, and lets go of those that stand in
// the way; the dual function grows at every step, so no active set comes twice. O(n^2) a step and
// as much as A x.
//
// A pure function of z. No call allocates. One a thread.
class DualActiveSet {
 public:
  // The constraints and the box around K must outlive this. `length` is the outer radius R of K.
  DualActiveSet(const LinearConstraints& constraints, std::span<const double> low,
                std::span<const double> high, double length);

  // False if rounding errors prevent a point of K, to 1e-10 R, with a nearness gap of at most
  // 5e-10 R max(R, ||z - x||). x and z may be the same.
  [[nodiscard]] bool solve(std::span<const double> z, std::span<double> x);

 private:
  // Constraint c is <normal, x> >= right: first the rows, then lower, then upper bounds.
  struct Active {
    std::size_t constraint;
    double sign;  // -1 for an equality that is approached from above
    double multiplier;
  };

  [[nodiscard]] double excess(std::size_t c) const noexcept;  // < 0 if violated
  [[nodiscard]] bool is_equality(std::size_t c) const noexcept {
    return c >= k_.inequalities && c < k_.right.size();
  }
  [[nodiscard]] std::size_t most_violated(double tolerance) const noexcept;
  void transform_normal(std::size_t c, double sign) noexcept;
  [[nodiscard]] bool take_up(std::size_t c);
  void append(const Active& entry) noexcept;
  void drop(std::size_t position) noexcept;
  [[nodiscard]] bool finish(std::span<const double> z);
  [[nodiscard]] bool shrink_face(double tolerance);

  const LinearConstraints& k_;
  NearestOnFace face_;
  double length_;
  std::size_t n_;
  std::vector<double> x_;
  std::vector<double> y_;
  std::vector<double> basis_;     // row j: orthonormal vector j; the first span the active normals
  std::vector<double> triangle_;  // N = basis^T R: column k of R is of active constraint k
  std::vector<double> along_;     // basis times the normal
  std::vector<double> direction_;
  std::vector<double> weights_;  // R^-1 of the first of along_
  std::vector<Active> active_;
  std::vector<unsigned char> is_active_;
  std::vector<std::size_t> rows_;
  std::vector<std::size_t> free_;
  std::size_t steps_left_ = 0;
};

}  // namespace keyhole::math
