// A set of your own, by its oracle alone: the half disc {||x|| <= 1, x_2 >= 0}, checked by the kit,
// then played on by the default learner.

#include <keyhole/keyhole.h>
#include <keyhole/testing.h>

#include <cmath>
#include <iostream>

int main() {
  // Against d as far as the arc goes; where that is below the edge, the better corner.
  const keyhole::SetPtr half_disc =
      keyhole::own_set({.dimension = 2,
                        .minimise =
                            [](std::span<const double> d, std::span<double> v) {
                              const double length = std::hypot(d[0], d[1]);
                              v[0] = d[1] < 0 ? -d[0] / length : d[0] < 0 ? 1 : -1;
                              v[1] = d[1] < 0 ? -d[1] / length : 0;
                            },
                        .name = "half_disc"});
  const auto report = keyhole::testing::check_set(half_disc);
  std::cout << report.text();
  if (!report.ok()) return 1;

  keyhole::Learner learner(half_disc);
  for (int t = 0; t < 2000; ++t) {
    const keyhole::Play play = learner.ask();  // in the half disc, whatever happens
    learner.tell(play.id, std::hypot(play.point[0] - 1, play.point[1] - 0.5));
  }
  const std::vector<double> best = learner.recommend();
  std::cout << "after 2000 plays: " << best[0] << ", " << best[1] << "\n";  // truly 0.89, 0.45
  return half_disc->contains(best) && std::hypot(best[0] - 0.894, best[1] - 0.447) < 0.1 ? 0 : 1;
}
