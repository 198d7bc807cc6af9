// The nearest point of a ball of the total variation.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/double_double.h"

namespace keyhole::sets {

/// sum_i |x_{i+1} - x_i|.
[[nodiscard]] double total_variation(std::span<const double> x);

/// The nearest point of {x : total_variation(x) <= radius, sum x = 0}, in doubles or in
/// math::DoubleDouble.
///
/// The mean goes first. For a multiplier mu the nearest point minimises 1/2 ||x - z||^2 + mu
/// total_variation(x), by dynamic programming (Johnson 2013): the least cost of x_1, ..., x_i with
/// x_i = b has a piecewise linear derivative in b, to which x_{i+1} hands on what is between -mu
/// and mu. The total variation falls linearly in mu as long as the pieces of equal numbers stay, so
/// Newton's method on mu ends at the exact one. O(n) a step, of which there are a few. After
/// construction nothing allocates. One a thread.
template <class Number>
class TotalVariationSearch {
 public:
  TotalVariationSearch(std::size_t n, double radius);

  /// `nearest` may be `point`.
  void find(std::span<const double> point, std::span<double> nearest);

 private:
  /// Where the derivative changes from one line slope b + offset to another.
  struct Knot {
    Number at;
    double slope;
    Number offset;
  };
  /// x for mu.
  void denoise(Number mu);
  /// x once more, from the means of its pieces of equal numbers; gives (radius - its total
  /// variation) over the slope of that in mu.
  Number refine(Number mu);

  double radius_;
  std::vector<Number> z_;
  std::vector<Number> x_;
  std::vector<Number> low_;
  std::vector<Number> high_;
  std::vector<Knot> knots_;  // those in use are in the middle, and grow to both sides
};

/// Searches from afar with twice as many digits: there the sums of z and mu leave small differences
/// of large numbers.
class TotalVariationProjection {
 public:
  TotalVariationProjection(std::size_t n, double radius);

  /// `nearest` may be `point`. False where not even twice as many digits are enough.
  [[nodiscard]] bool project(std::span<const double> point, std::span<double> nearest);

 private:
  double radius_;
  TotalVariationSearch<double> search_;
  TotalVariationSearch<math::DoubleDouble> fine_search_;
};

}  // namespace keyhole::sets
