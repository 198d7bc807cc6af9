#include "experiment/timing.h"

#include <algorithm>
#include <ctime>

#include "experiment/arrivals.h"
#include "experiment/player.h"

namespace keyhole::experiment {
namespace {

/// The processor time of this thread, in seconds: other work on the machine does not count.
double now() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

double seconds_per_round(const Experiment& experiment, const Factories& factories,
                         std::size_t problem_index, std::size_t player_index, double seconds,
                         const std::atomic<bool>& stop) {
  const auto problem = build_problem(experiment, factories, problem_index, 0);
  Player player(experiment.players[player_index], factories, *problem, experiment, problem_index,
                0);
  Arrivals arrivals(experiment, problem_index, 0);
  const std::uint64_t rounds = run_length(experiment, problem_index, *problem);
  const double start = now();
  double own = 0;
  std::uint64_t t = 0;
  while (t < rounds && own < seconds && now() - start < 4 * seconds &&
         !stop.load(std::memory_order_relaxed)) {
    problem->draw(++t);
    const std::vector<std::uint64_t>& arriving = arrivals.in_round(t);
    const double idle = now();
    const double begin = now();
    player.ask();
    const double asked = now();
    player.look(*problem);
    const double seen = now();
    for (const std::uint64_t round : arriving) player.tell(round);
    // What a look at the clock takes is seen in the same round, between two of them.
    own += (asked - begin) + (now() - seen) - 2 * (begin - idle);
  }
  return t > 0 ? std::max(own, 0.0) / static_cast<double>(t) : 0;
}

}  // namespace keyhole::experiment
