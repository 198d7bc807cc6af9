// The default learner splits a budget over three channels. All that it sees is what each split
// cost.

#include <keyhole/keyhole.h>

#include <iostream>
#include <vector>

int main() {
  // Shares: x >= 0, x_1 + x_2 + x_3 = 1. The learner needs to know nothing else.
  keyhole::Learner learner(keyhole::simplex(3), {.seed = 7});
  double first = 0;
  double last = 0;
  for (int t = 0; t < 5000; ++t) {
    const keyhole::Play play = learner.ask();
    const std::vector<double>& x = play.point;
    const double cost = 0.2 * x[0] + 0.9 * x[1] + 0.6 * x[2];  // yours is measured
    learner.tell(play.id, cost);
    if (t < 100) first += cost / 100;
    if (t >= 4900) last += cost / 100;
  }
  std::cout << "mean cost of the first 100 rounds " << first << ", of the last 100 " << last
            << "\n";
  const std::vector<double> best = learner.recommend();
  std::cout << "deploy " << best[0] << " " << best[1] << " " << best[2] << "\n";
  return last < first && best[0] > 0.95 ? 0 : 1;
}
