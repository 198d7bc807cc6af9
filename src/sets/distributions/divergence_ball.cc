#include "sets/distributions/divergence_ball.h"

namespace keyhole::sets {

void require_divergence_ball(const std::string& ball, std::span<const double> q, double radius,
                             bool is_sound, const std::string& radii) {
  base::require(q.size() >= 2, ball + " needs a distribution of at least 2 probabilities, not " +
                                   std::to_string(q.size()));
  for (std::size_t i = 0; i < q.size(); ++i) {
    base::require(q[i] >= 1e-9 && q[i] <= 1, "probability " + std::to_string(i) + " of " + ball +
                                                 " must be a number from 1e-9 to 1, not " +
                                                 base::number_text(q[i]) +
                                                 ": leave out what cannot happen");
  }
  const double sum = math::sum(q);
  base::require(std::abs(sum - 1) <= 1e-12, "the probabilities of " + ball + " sum to " +
                                                base::number_text(sum) + ", not to 1");
  base::require(is_sound, "the radius of " + ball + " must be a number from " + radii + ", not " +
                              base::number_text(radius));
}

}  // namespace keyhole::sets
