// The nearest flow:  min 1/2 ||x - z||^2  over  {l <= x <= u, N x = d}, N of a network.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "math/programs/bounded_simplex.h"
#include "math/programs/nearest_on_face.h"

namespace keyhole::math {

// Column j of the constraints has 1 in the row `from` and -1 in the row `to`, or no such entry.
struct ArcRows {
  static constexpr std::uint32_t none = UINT32_MAX;
  std::uint32_t from = none;
  std::uint32_t to = none;
};

// Newton's method on the dual, as DualNewton has it, for networks: x(y) = clamp(z - N^T y, l, u) by
// differences of potentials, and as generalised Hessian the Laplacian of the arcs strictly within
// their bounds. Each step goes to about the maximum of the dual function on its line, so that it
// also leads on where no arc is within its bounds. It ends when x(y) is feasible; where roundings
// of a far z prevent that, x is solved for on the face that was found. O(columns) and, where rows
// are numbered near their neighbours, O(rows w^2) for a width of w, a step; else O(rows^3).
//
// For a far point it starts with one near the box and goes out in strides: the projections of
// middle + s (z - middle) have multipliers y of about s times those for s = 1.
//
// Always starts from y = 0: a pure function of z. No call allocates. One a thread.
class FlowNewton {
 public:
  // Equalities only, one arc for each column. These and the box around K must outlive this.
  // `length` is the outer radius R of K.
  FlowNewton(const LinearConstraints& constraints, std::span<const ArcRows> arcs,
             std::span<const double> low, std::span<const double> high, double length);

  // False if no point was found that is feasible to 1e-11 R and of a gap below
  // 1e-12 R max(R, ||z - x||). x and z may be the same.
  bool solve(std::span<const double> z, std::span<double> x);

 private:
  // <y, column j>.
  [[nodiscard]] double difference(std::span<const double> y, std::size_t j) const noexcept;
  // x(y) and the excess N x - d.
  void evaluate() noexcept;
  // The lower triangle of Laplacian + mu I.
  void fill_hessian(double mu) noexcept;
  [[nodiscard]] bool factorise() noexcept;
  // step = (Laplacian + mu I)^-1 excess.
  void newton_step();
  // The slope of the dual function after `share` of the step.
  [[nodiscard]] double slope(double share) const noexcept;
  // The share of the step to take.
  [[nodiscard]] double search() const noexcept;
  // Newton's steps for z from y on, until the excess is enough R, or nothing is left to do.
  void climb(double enough);
  // Whether x(y) is feasible, and y shows that it is nearest.
  [[nodiscard]] bool is_proved() const noexcept;

  const LinearConstraints& k_;
  std::span<const ArcRows> arcs_;
  double length_;
  NearestOnFace face_;
  std::vector<double> middle_;  // of the box
  std::vector<double> point_;
  std::vector<double> z_;        // the point, or one between it and the middle
  std::vector<double> shifted_;  // z - N^T y
  std::vector<double> moves_;    // N^T step
  std::vector<double> x_;
  std::vector<double> y_;
  std::vector<double> excess_;  // N x - d
  std::vector<double> step_;
  std::vector<double> factor_;
  std::vector<std::size_t> first_;  // of each row of the factor: before it are zeros
  std::vector<std::size_t> rows_;   // all of them
  std::vector<std::size_t> free_;   // arcs strictly within their bounds
};

}  // namespace keyhole::math
