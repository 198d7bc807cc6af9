#include "experiment/measures/grid.h"

#include <cmath>
#include <set>

#include "math/elementary.h"

namespace keyhole::experiment {

std::vector<std::uint64_t> fine_grid(std::uint64_t rounds) {
  std::vector<std::uint64_t> grid;
  for (int k = 0;; ++k) {
    const double exact = math::pow(2, k / 16.0);
    if (exact >= static_cast<double>(rounds)) break;
    const auto round = static_cast<std::uint64_t>(std::floor(exact + 0.5));
    if (round < rounds && (grid.empty() || round > grid.back())) grid.push_back(round);
  }
  grid.push_back(rounds);
  return grid;
}

std::vector<std::uint64_t> regret_grid(std::uint64_t rounds,
                                       const std::vector<std::uint64_t>& checkpoints) {
  std::set<std::uint64_t> marks = {rounds};
  for (std::uint64_t t = 1; t < rounds; t *= 2) marks.insert(t);
  for (const std::uint64_t t : checkpoints) {
    if (t <= rounds) marks.insert(t);
  }
  return {marks.begin(), marks.end()};
}

}  // namespace keyhole::experiment
