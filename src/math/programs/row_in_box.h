// The point nearest to another in a box cut by a plane: the continuous quadratic knapsack.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace keyhole::math {

// argmin ||x - z|| over {l <= x <= u, <a, x> = b}, a > 0, <a, l> <= b <= <a, u>; u may be infinite.
//
// x_i = clamp(z_i - mu a_i, l_i, u_i), and <a, x> falls with mu, linearly between the breakpoints
// (z_i - u_i) / a_i and (z_i - l_i) / a_i. A few of Newton's steps find mu, each in O(n)
// (Cominetti, Mascarenhas, Silva, "A Newton's method for the continuous quadratic knapsack
// problem", 2014). Where they do not, and from afar, where roundings hide when to stop, the
// breakpoints are sorted and halved until two neighbours enclose b, in O(n log n) (Brucker, "An
// O(n) algorithm for quadratic knapsack problems", 1984). Nothing allocates. One a thread.
class RowInBox {
 public:
  // The spans must outlive this.
  RowInBox(std::span<const double> lower, std::span<const double> upper, std::span<const double> a,
           double b);

  // The two spans may be the same. False, with z as it was, if z is so far away that roundings hide
  // the plane.
  [[nodiscard]] bool project(std::span<const double> z, std::span<double> x);

 private:
  [[nodiscard]] double at(std::size_t i, double mu) const;
  [[nodiscard]] double excess(double mu) const;
  [[nodiscard]] std::optional<double> multiplier_by_steps() const;
  [[nodiscard]] double multiplier_by_breakpoints();
  void correct(std::span<double> x) const;

  std::span<const double> lower_;
  std::span<const double> upper_;
  std::span<const double> a_;
  double b_;
  double squared_norm_;  // of a
  double fine_;          // an excess that counts as none
  std::vector<double> z_;
  std::vector<double> breakpoints_;
};

}  // namespace keyhole::math
