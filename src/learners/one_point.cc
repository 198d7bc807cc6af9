#include "learners/one_point.h"

#include <cmath>

namespace keyhole::algorithms {

std::span<const double> start_point(const Set& set, const std::vector<double>& start) {
  if (start.empty()) return set.centre();
  base::require(start.size() == set.dimension(),
                "the start must have " + std::to_string(set.dimension()) + " coordinates, not " +
                    std::to_string(start.size()));
  base::require(set.contains(start), "the start is not in the set " + set.spec());
  return start;
}

void require_loss_bound(const char* learner, double loss_bound) {
  base::require(
      !std::isnan(loss_bound),
      std::string(learner) + " needs loss_bound (M), the largest magnitude a loss can have");
  base::require_positive("loss_bound (M)", loss_bound);
}

void require_gradient_bound(const char* learner, double gradient_bound) {
  base::require(
      !std::isnan(gradient_bound),
      std::string(learner) + " needs gradient_bound (G), the largest norm a gradient can have");
  base::require_positive("gradient_bound (G)", gradient_bound);
}

void require_optional_positive(const std::string& what, const std::optional<double>& value) {
  if (value) base::require_positive(what, *value);
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
