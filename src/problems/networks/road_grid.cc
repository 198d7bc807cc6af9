#include <vector>

#include "keyhole/graphs.h"
#include "keyhole/problems.h"
#include "problems/mapped.h"
#include "problems/option_lists.h"

namespace keyhole::problems {

std::unique_ptr<Problem> road_grid(const RoadGridOptions& options, ProblemSeed seed) {
  const auto [rows, columns, two_way, spread, noise, mean] = checked("road_grid", options);
  std::vector<Edge> links;
  const auto connect = [&, both = two_way](std::size_t from, std::size_t to) {
    links.push_back({from, to});
    if (both) links.push_back({to, from});
  };
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const std::size_t here = i * columns + j;
      if (j + 1 < columns) connect(here, here + 1);
      if (i + 1 < rows) connect(here, here + columns);
    }
  }
  const SetPtr set = flow(rows * columns, links, 0, rows * columns - 1, 1.0);
  return mapped(linear(set, LinearOptions{.spread = spread, .noise = noise, .mean = mean}, seed),
                set, {}, spec_of("road_grid", options));
}

}  // namespace keyhole::problems
