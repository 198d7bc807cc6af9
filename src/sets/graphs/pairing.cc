#include "sets/graphs/pairing.h"

#include <algorithm>
#include <utility>

namespace keyhole::sets {

Pairing::Pairing(std::size_t left, std::span<const Edge> edges, std::span<const double> limits,
                 std::span<const double> capacities)
    : edges_(edges.size()),
      solver_(network(left, edges, limits, capacities)),
      ends_(edges.size()),
      costs_(edges.size() + limits.size(), 0.0),
      flow_(costs_.size()),
      potentials_(limits.size() + 1) {
  for (std::size_t e = 0; e < edges_; ++e) ends_[e] = edges[e].to;
}

/// The potentials are distances from the left nodes, so that nothing needs to be filled at the
/// start.
std::span<const double> Pairing::cheapest(std::span<const double> costs) {
  std::copy(costs.begin(), costs.end(), costs_.begin());
  std::fill(potentials_.begin(), potentials_.end(), 0.0);
  for (std::size_t e = 0; e < edges_; ++e) {
    potentials_[ends_[e]] = std::min(potentials_[ends_[e]], costs[e]);
    potentials_.back() = std::min(potentials_.back(), costs[e]);
  }
  solver_.minimise(costs_, flow_, potentials_);
  return std::span<const double>(flow_).first(edges_);
}

/// A limit far above what the edges of its node carry would cost digits: the less of the two
/// counts.
MinCostFlow Pairing::network(std::size_t left, std::span<const Edge> edges,
                             std::span<const double> limits, std::span<const double> capacities) {
  const std::size_t sink = limits.size();
  std::vector<double> most(sink, 0.0);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    most[edges[e].from] += capacities[e];
    most[edges[e].to] += capacities[e];
  }
  for (std::size_t v = 0; v < sink; ++v) most[v] = std::min(most[v], limits[v]);
  std::vector<Edge> all(edges.begin(), edges.end());
  for (std::size_t v = 0; v < sink; ++v) all.push_back({v, sink});
  std::vector<double> of_all(capacities.begin(), capacities.end());
  of_all.insert(of_all.end(), most.begin(), most.end());
  std::vector<double> supplies(sink + 1, 0.0);
  for (std::size_t v = 0; v < left; ++v) {
    supplies[v] = most[v];
    supplies[sink] -= most[v];
  }
  return {sink + 1, all, std::move(of_all), std::move(supplies)};
}

}  // namespace keyhole::sets
