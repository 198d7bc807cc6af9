// The default learner on a simplex: the least that a program can want.

#include <keyhole/keyhole.h>

int main() {
  keyhole::Learner learner(keyhole::simplex(3));
  std::vector<double> point(3);
  for (int round = 0; round < 100; ++round) {
    const keyhole::PlayId play = learner.ask(point);
    learner.tell(play, point[0]);
  }
  return learner.recommend()[0] < 0.5 ? 0 : 1;
}
