// The paper's algorithm, with its regret bound next to the run: follow a target in the unit ball
// and print a row of progress at every power of two. (The default learner learns far faster, and
// has no bound with numbers.)

#include <keyhole/keyhole.h>

#include <bit>
#include <cstddef>
#include <iomanip>
#include <iostream>
#include <vector>

int main() {
  // |f| <= 1/2 (1 + 0.5)^2 and ||grad f|| <= 1.5 on the ball: with both, the regret bound is known.
  keyhole::Learner learner(keyhole::anytime(keyhole::projection_free(
                               keyhole::ball(4), {.loss_bound = 1.125, .gradient_bound = 1.5})),
                           {.seed = 1});
  const std::vector<double> target = {0.3, 0, -0.4, 0};

  std::cout << "     round  average loss  regret bound/t  oracle calls\n";
  std::vector<double> x(4);
  for (int t = 0; t < 4096; ++t) {
    const auto id = learner.ask(x);
    double loss = 0;
    for (std::size_t i = 0; i < x.size(); ++i) loss += (x[i] - target[i]) * (x[i] - target[i]) / 2;
    learner.tell(id, loss);
    if (!std::has_single_bit(id)) continue;
    const keyhole::Summary summary = learner.summary();
    const double bound = learner.regret_bound().value / static_cast<double>(summary.asked);
    std::cout << std::setw(10) << summary.asked << std::setw(14) << summary.average << std::setw(16)
              << bound << std::setw(14) << summary.oracle_calls << "\n";
  }
  std::cout << "bound: " << learner.regret_bound().note << "\n";
}
