#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "instances.h"
#include "keyhole/graphs.h"

namespace keyhole::tests {

/// All whole numbers 0 <= f <= capacities with that divergence, edge by edge.
inline std::vector<std::vector<double>> whole_flows(std::size_t nodes,
                                                    const std::vector<Edge>& edges,
                                                    const std::vector<double>& capacities,
                                                    double amount) {
  std::vector<std::vector<double>> found;
  std::vector<double> flow(edges.size(), 0.0);
  std::vector<double> divergence(nodes, 0.0);
  divergence[0] = -amount;
  divergence[1] = amount;
  const std::function<void(std::size_t)> choose = [&](std::size_t e) {
    if (e == edges.size()) {
      const bool balanced = std::all_of(divergence.begin(), divergence.end(),
                                        [](double value) { return value == 0; });
      if (balanced) found.push_back(flow);
      return;
    }
    for (double value = 0; value <= capacities[e]; ++value) {
      flow[e] = value;
      divergence[edges[e].from] += value;
      divergence[edges[e].to] -= value;
      choose(e + 1);
      divergence[edges[e].from] -= value;
      divergence[edges[e].to] += value;
    }
  };
  choose(0);
  return found;
}

/// n edges, at least 2, grown from two parallel ones by dividing edges and by adding any, loops
/// among them.
inline std::pair<std::size_t, std::vector<Edge>> random_digraph(std::size_t n, Random& random) {
  std::size_t nodes = 2;
  std::vector<Edge> edges = {{0, 1}, {0, 1}};
  while (edges.size() < n) {
    if (random.uniform() < 0.5) {
      edges.push_back({random.integer(0, nodes - 1), random.integer(0, nodes - 1)});
    } else {
      Edge& edge = edges[random.integer(0, edges.size() - 1)];
      const std::size_t end = edge.to;
      edge.to = nodes;
      edges.push_back({nodes++, end});
    }
  }
  return {nodes, edges};
}

/// Drawn again until no edge is idle and there is more than one flow.
inline Instance random_flow(std::size_t n, double most, Random& random) {
  for (;;) {
    const auto [nodes, edges] = random_digraph(n, random);
    std::vector<double> capacities(edges.size());
    for (double& capacity : capacities) {
      capacity = static_cast<double>(random.integer(1, static_cast<std::size_t>(most)));
    }
    const auto amount = static_cast<double>(random.integer(1, static_cast<std::size_t>(most)));
    try {
      return {flow(nodes, edges, 0, 1, capacities, amount),
              [nodes = nodes, edges = edges, capacities, amount](std::span<const double> d) {
                return least_of(whole_flows(nodes, edges, capacities, amount))(d);
              }};
    } catch (const InvalidArgument&) {
    }
  }
}

inline std::vector<InstanceFamily> graph_instances() {
  return {
      {"flow", [](std::size_t n, Random& random) { return random_flow(n, 1, random); }},
      {"flow_of_several", [](std::size_t n, Random& random) { return random_flow(n, 3, random); }},
  };
}

}  // namespace keyhole::tests
