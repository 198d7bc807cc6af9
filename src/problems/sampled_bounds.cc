#include "problems/sampled_bounds.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/sums.h"

namespace keyhole::problems {

LossBounds sampled_bounds(const Problem& problem,
                          const std::function<void(std::uint64_t k)>& draw) {
  constexpr std::uint64_t samples = 128;
  constexpr int steps = 3;
  constexpr double margin = 1.5;
  const Set& set = problem.set();
  const auto oracle = set.oracle();
  std::vector<double> v(set.dimension());
  std::vector<double> gradient(set.dimension());
  LossBounds largest{.loss = 0, .gradient = 0};
  const auto look = [&] {
    problem.gradient(v, gradient);
    set.flatten(gradient);
    const LossBounds here{std::abs(problem.value(v)), math::norm(gradient)};
    largest.loss = std::max(largest.loss, here.loss);
    largest.gradient = std::max(largest.gradient, here.gradient);
    return here;
  };
  double record = 0;
  for (std::uint64_t k = 1; k <= samples; ++k) {
    draw(k);
    v = set.centre();
    const LossBounds at_centre = look();
    const double promise = at_centre.loss + at_centre.gradient * set.outer_radius();
    if (promise < 0.9 * record) continue;
    record = std::max(record, promise);
    for (const double sign : {-1.0, 1.0}) {  // up, then down
      v = set.centre();
      for (int step = 0; step < steps; ++step) {
        (void)look();
        for (double& slope : gradient) slope *= sign;
        oracle->minimise(gradient).write_to(v);
      }
      (void)look();
    }
  }
  return {margin * largest.loss, margin * largest.gradient, false};
}

}  // namespace keyhole::problems
