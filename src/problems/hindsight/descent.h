#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "keyhole/hindsight.h"

namespace keyhole::problems {

/// A search for the least of a convex F on a set K: what its methods share. F is asked at points of
/// K only.
///
/// The certificate of a point x of K: F is convex, so F(v) >= F(x) + <gradient F(x), v - x> for all
/// v, and no v in K has F(v) < F(x) - gap with gap = max over v in K of <gradient F(x), x - v>,
/// which one call of the linear oracle finds. At a minimum the gap is 0, where F has a gradient.
class Descent {
 public:
  Descent(const Set& set, const TotalLoss& total, const HindsightOptions& options);

  /// The point of least gap certified; where to begin, before the first.
  [[nodiscard]] const std::vector<double>& best_point() const { return point_; }
  /// How it compares.
  [[nodiscard]] FixedPoint best() const;

  /// Counts a step; false when it is time to stop: the tolerance is met, the steps are used up, or
  /// the gap has not become smaller by a tenth for half of these steps (and at least 500), which
  /// is where roundings are all that is left.
  [[nodiscard]] bool next_step();
  /// Counts the steps of a search within a step.
  void count_within(std::uint64_t steps) { within_ += steps; }
  /// How many there were, those within steps included.
  [[nodiscard]] std::uint64_t steps() const { return steps_ + within_; }
  [[nodiscard]] std::uint64_t steps_left() const {
    return steps() < most_steps_ ? most_steps_ - steps() : 0;
  }

  [[nodiscard]] const Set& set() const { return set_; }
  [[nodiscard]] const TotalLoss& total() const { return total_; }
  [[nodiscard]] Oracle& oracle() { return *oracle_; }
  [[nodiscard]] double tolerance() const { return tolerance_; }

  /// g = the part of the gradient of F at x within the hull. Returns the length of the whole.
  double gradient(std::span<const double> x, std::span<double> g) const;
  /// v = argmin over K of <g, v>, and the certificate of x, whose gradient is g. Returns its gap.
  double certify(std::span<const double> x, std::span<const double> g, std::span<double> v);

 private:
  const Set& set_;
  const TotalLoss& total_;
  std::unique_ptr<Oracle> oracle_;
  double tolerance_;
  std::uint64_t most_steps_;
  std::uint64_t steps_ = 0;
  std::uint64_t within_ = 0;
  std::uint64_t last_progress_ = 0;
  double progress_gap_ = std::numeric_limits<double>::infinity();
  std::vector<double> point_;
  double gap_ = std::numeric_limits<double>::infinity();
};

/// The spectral projected gradient method (Birgin, Martinez, Raydan 2000) from x: for sets that can
/// project.
void projected_descent(Descent& descent, std::vector<double> x);

/// Fully corrective conditional gradients (Holloway 1974; Jaggi 2013, Algorithm 4) from x, for sets
/// that have a linear oracle only: x is a convex combination of atoms, the oracle's vertex joins
/// them, and projected_descent() chooses all weights again.
void corrective_descent(Descent& descent, std::vector<double> x);

}  // namespace keyhole::problems
