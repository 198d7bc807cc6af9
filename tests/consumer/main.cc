// Plays a few rounds on the simplex and checks that every played point lies in it.

#include <keyhole/keyhole.h>

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  auto set = keyhole::simplex(3);
  keyhole::Learner learner(keyhole::anytime(keyhole::projection_free(set, {.loss_bound = 1})),
                           {.seed = 7});
  std::vector<double> x(3);
  for (int round = 1; round <= 10; ++round) {
    auto id = learner.ask(x);
    const double sum = x[0] + x[1] + x[2];
    if (x[0] < 0 || x[1] < 0 || x[2] < 0 || std::abs(sum - 1) > 1e-9) {
      std::printf("round %d left the simplex\n", round);
      return 1;
    }
    learner.tell(id, x[0]);
  }
  std::printf("keyhole %s: %g %g %g\n", keyhole::version, x[0], x[1], x[2]);
  return 0;
}
