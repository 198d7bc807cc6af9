// The nearest point of a polytope:  min 1/2 ||x - z||^2  over  {l <= x <= u, A x <= b, C x = d}.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/programs/bounded_simplex.h"
#include "math/programs/nearest_on_face.h"

namespace keyhole::math {

// Newton's method on the dual: x(y) = clamp(z - A^T y, l, u) minimises the Lagrangian over the
// bounds, and the dual function of y is concave with the piecewise linear gradient A x(y) - b. Its
// generalised Hessian is -A_J A_J^T over the coordinates J strictly within their bounds (Qi and
// Sun, "A nonsmooth version of Newton's method", 1993; Li, Sun and Toh, "On the efficient
// computation of a generalized Jacobian of the projector", 2020). Steps are regularised, projected
// onto y >= 0 and searched along. Once the active set has settled x is solved for exactly, and
// accepted if feasible and the gap allows it.
//
// Always starts from y = 0: a pure function of z. No call allocates. One a thread.
class DualNewton {
 public:
  // The constraints and the box must outlive this. `length` is the outer radius R of K.
  DualNewton(const LinearConstraints& constraints, std::span<const double> low,
             std::span<const double> high, double length);

  // False if no point was found that is feasible to 1e-11 R and of a gap below
  // 1e-12 R max(R, ||z - x||). A z that is feasible to 1e-10 R stays where it is, but for the
  // roundings of C z = d. x and z may be the same.
  bool solve(std::span<const double> z, std::span<double> x);

  // Newton steps of the last call.
  [[nodiscard]] std::size_t steps() const noexcept { return steps_; }

 private:
  [[nodiscard]] double evaluate(std::span<const double> y);
  [[nodiscard]] double violation() const noexcept;
  void choose_rows();
  void choose_free();
  void gather();
  // False if rounding prevents it.
  [[nodiscard]] bool newton_step();
  [[nodiscard]] bool search();
  [[nodiscard]] bool solved_exactly(double feasibility);

  const LinearConstraints& k_;
  double length_;
  NearestOnFace face_;
  std::size_t most_rows_;
  std::vector<double> z_;
  std::vector<double> shifted_;  // z - A^T y
  std::vector<double> x_;
  std::vector<double> excess_;  // A x - b
  std::vector<double> y_;
  std::vector<double> trial_;
  std::vector<std::size_t> rows_;  // with a multiplier, or violated
  std::vector<std::size_t> free_;  // coordinates strictly within their bounds
  std::vector<double> gathered_;   // rows_ x free_
  std::vector<double> hessian_;    // gathered gathered^T
  std::vector<double> factor_;
  std::vector<std::size_t> in_step_;  // positions in rows_ that the step changes
  std::vector<double> solution_;
  std::vector<double> step_;  // of each of rows_
  double value_ = 0;          // minus the dual function
  std::size_t steps_ = 0;
};

}  // namespace keyhole::math
