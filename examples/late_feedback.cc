// Plays go out in batches; their losses come back out of order, twice, or never. The process stops
// in the middle and another one goes on from the saved bytes, as if nothing had happened.

#include <keyhole/keyhole.h>

#include <iostream>
#include <vector>

namespace {

keyhole::Learner make_learner() {
  return keyhole::Learner(keyhole::box(0, 1, 2), {.seed = 11, .window = 100});
}

double cost(const std::vector<double>& x) { return (x[0] - 0.8) * (x[0] - 0.8) + 0.2 * x[1]; }

void play_batch(keyhole::Learner& learner) {
  const std::vector<keyhole::Play> plays = learner.ask(5);
  learner.tell(plays[3].id, cost(plays[3].point));
  learner.tell(plays[0].id, cost(plays[0].point));
  learner.tell(plays[3].id, cost(plays[3].point));  // told again: ignored
  learner.tell(plays[4].id, cost(plays[4].point));  // plays[1] and plays[2] never come back
}

}  // namespace

int main() {
  keyhole::Learner first = make_learner();
  for (int batch = 0; batch < 50; ++batch) play_batch(first);
  const keyhole::State saved = first.state();
  const std::vector<std::byte> file(saved.bytes().begin(), saved.bytes().end());

  keyhole::Learner second = make_learner();
  second.restore(keyhole::State::from_bytes(file));
  for (int batch = 0; batch < 50; ++batch) {
    play_batch(first);
    play_batch(second);
  }
  const keyhole::Summary summary = second.summary();
  std::cout << "asked " << summary.asked << ", told " << summary.told << ", pending "
            << summary.pending << ", repeated " << summary.duplicates << ", late " << summary.late
            << "\n";
  const bool same = first.state() == second.state();
  std::cout << (same ? "resumed bit for bit\n" : "the two runs differ\n");
  return same ? 0 : 1;
}
