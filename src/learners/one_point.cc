#include "learners/one_point.h"

namespace keyhole::algorithms {

std::span<const double> start_point(const Set& set, const std::vector<double>& start) {
  if (start.empty()) return set.centre();
  base::require(start.size() == set.dimension(),
                "the start must have " + std::to_string(set.dimension()) + " coordinates, not " +
                    std::to_string(start.size()));
  base::require(set.contains(start), "the start is not in the set " + set.spec());
  return start;
}

void require_horizon(std::uint64_t horizon) {
  constexpr std::uint64_t most = std::uint64_t{1} << 53;
  if (horizon >= 1 && horizon <= most) return;
  throw InvalidArgument("the horizon must be from 1 to 2^53 rounds, not " +
                        std::to_string(horizon));
}

double shrinkage(double delta, double r, std::uint64_t horizon) {
  if (delta <= r) return delta / r;
  throw InvalidArgument("delta = " + base::number_text(delta) + " at the horizon " +
                        std::to_string(horizon) + " is larger than the inner radius " +
                        base::number_text(r) +
                        " of the set: plays would leave it; choose a smaller one");
}

}  // namespace keyhole::algorithms
