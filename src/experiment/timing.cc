#include "experiment/timing.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "experiment/arrivals.h"
#include "experiment/measures/block_times.h"
#include "experiment/measures/hindsight.h"
#include "experiment/player.h"

namespace keyhole::experiment {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

/// How much time passes between two looks at the clock: the median of many.
double clock_cost() {
  std::array<double, 1001> costs;
  for (double& cost : costs) {
    const auto begin = Clock::now();
    cost = seconds_between(begin, Clock::now());
  }
  const auto middle = costs.begin() + costs.size() / 2;
  std::nth_element(costs.begin(), middle, costs.end());
  return *middle;
}

}  // namespace

double seconds_per_round(const Experiment& experiment, const Catalogue& catalogue,
                         std::size_t problem_index, std::size_t player_index, double seconds,
                         const std::atomic<bool>& stop) {
  const auto problem = build_problem(experiment, catalogue, problem_index, 0);
  Player player(experiment.players[player_index], catalogue, *problem, experiment, problem_index,
                0);
  Arrivals arrivals(experiment, problem_index, 0);
  const std::uint64_t rounds = run_length(experiment, problem_index, *problem);
  const double cost = clock_cost();
  std::uint64_t t = 0;
  const auto play = [&] {
    problem->draw(++t);
    const std::vector<std::uint64_t>& arriving = arrivals.in_round(t);
    const auto begin = Clock::now();
    player.ask(*problem);
    const auto asked = Clock::now();
    player.look(*problem);
    const auto seen = Clock::now();
    for (const std::uint64_t round : arriving) player.tell(round);
    return seconds_between(begin, asked) + seconds_between(seen, Clock::now()) - 2 * cost;
  };
  BlockTimes own(rounds, seconds);
  try {
    if (rounds > 1) (void)play();  // in which a program starts, and reads what it needs
    const auto start = Clock::now();
    while (t < rounds && own.total() < seconds &&
           seconds_between(start, Clock::now()) < 4 * seconds &&
           !stop.load(std::memory_order_relaxed)) {
      own.add(play());
    }
  } catch (const Stopped&) {  // by a learner that waits for something else
  }
  return own.per_round();
}

}  // namespace keyhole::experiment
