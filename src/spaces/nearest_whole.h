// The nearest whole numbers that constraints allow, by a search in depth.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "spaces/whole_rules.h"

namespace keyhole::spaces {

// Whole numbers are steps k_j of their ladders here. Minimises sum_j weight_j (k_j - target_j)^2
// over windows of the k_j, one after the other from the target outwards. What the constraints leave
// for a number, whatever the later ones are, bounds it. The other numbers stay, or go to the
// nearest that the constraints allow; their squared distance, in shares of the ranges, counts too.
class NearestWhole {
 public:
  /// From a point x, which the rules and it must outlive this. At most so many steps.
  NearestWhole(const WholeRules& rules, std::span<const double> x, std::size_t most_steps);

  /// Within the windows, the others as they are. Whether there is one.
  [[nodiscard]] bool find_within(std::span<const std::int64_t> from,
                                 std::span<const std::int64_t> to, std::span<const double> target,
                                 std::span<const double> weight);
  /// The nearest to x of all, the others moved if need be. Whether there is one.
  [[nodiscard]] bool find();

  /// After a find: x with what was found.
  [[nodiscard]] const std::vector<double>& found() const noexcept { return best_; }
  /// Whether a search ended because it took too long.
  [[nodiscard]] bool gave_up() const noexcept { return steps_left_ == 0; }

 private:
  [[nodiscard]] bool search();
  void descend(std::size_t depth, double cost);
  void arrive(double cost);
  /// Moves the others to the nearest that is allowed; the squared distance, or infinity.
  [[nodiscard]] double move_others();

  const WholeRules& rules_;
  std::span<const double> x_;
  std::size_t steps_left_;
  bool others_move_ = false;
  std::vector<std::int64_t> from_;
  std::vector<std::int64_t> to_;
  std::vector<double> target_;
  std::vector<double> weight_;
  std::vector<double> sums_;   // of each row: what is decided
  std::vector<double> least_;  // of each depth and row: what is not, at least
  std::vector<double> most_;   // and at most
  std::vector<double> point_;
  std::vector<double> best_;
  double best_cost_ = 0;
};

}  // namespace keyhole::spaces
