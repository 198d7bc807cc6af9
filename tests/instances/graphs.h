#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "instances.h"
#include "keyhole/graphs.h"

namespace keyhole::tests {

/// The least over points that are listed at the first call: large instances never ask.
template <class List>
std::function<double(std::span<const double>)> least_of_listed(List list) {
  return [list, least = std::make_shared<std::function<double(std::span<const double>)>>()](
             std::span<const double> d) {
    if (!*least) *least = least_of(list());
    return (*least)(d);
  };
}

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
              least_of_listed([nodes = nodes, edges = edges, capacities, amount] {
                return whole_flows(nodes, edges, capacities, amount);
              })};
    } catch (const InvalidArgument&) {
    }
  }
}

/// All x >= 0 with A x = b, the rows of A being independent, that have at most as many coordinates
/// above 0 as there are rows: by solving for every choice of them.
inline std::vector<std::vector<double>> basic_solutions(const std::vector<std::vector<double>>& A,
                                                        const std::vector<double>& b) {
  const std::size_t m = A.size();
  const std::size_t n = A[0].size();
  std::vector<std::vector<double>> found;
  std::vector<std::size_t> chosen;
  const auto solve = [&] {
    std::vector<std::vector<double>> rows(m, std::vector<double>(m + 1));
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t k = 0; k < m; ++k) rows[i][k] = A[i][chosen[k]];
      rows[i][m] = b[i];
    }
    for (std::size_t k = 0; k < m; ++k) {
      std::size_t pivot = k;
      for (std::size_t i = k; i < m; ++i) {
        if (std::abs(rows[i][k]) > std::abs(rows[pivot][k])) pivot = i;
      }
      if (std::abs(rows[pivot][k]) < 1e-9) return;
      std::swap(rows[k], rows[pivot]);
      for (std::size_t i = 0; i < m; ++i) {
        if (i == k || rows[i][k] == 0) continue;
        const double factor = rows[i][k] / rows[k][k];
        for (std::size_t l = k; l <= m; ++l) rows[i][l] -= factor * rows[k][l];
      }
    }
    std::vector<double> x(n, 0.0);
    for (std::size_t k = 0; k < m; ++k) {
      x[chosen[k]] = rows[k][m] / rows[k][k];
      if (x[chosen[k]] < -1e-9) return;
    }
    found.push_back(x);
  };
  const std::function<void(std::size_t)> choose = [&](std::size_t j) {
    if (chosen.size() == m) return solve();
    if (n - j < m - chosen.size()) return;
    chosen.push_back(j);
    choose(j + 1);
    chosen.pop_back();
    choose(j + 1);
  };
  choose(0);
  return found;
}

/// The vertices of the flows of commodities through a connected graph.
inline std::vector<std::vector<double>> all_commodity_flows(
    std::size_t nodes, const std::vector<Edge>& edges, const std::vector<Commodity>& commodities,
    const std::vector<double>& capacities) {
  const std::size_t n = edges.size() * commodities.size();
  std::vector<std::vector<double>> rows;
  std::vector<double> right;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    rows.emplace_back(n + edges.size(), 0.0);
    for (std::size_t j = e; j < n; j += edges.size()) rows.back()[j] = 1;
    rows.back()[n + e] = 1;  // what is left
    right.push_back(capacities[e]);
  }
  for (std::size_t k = 0; k < commodities.size(); ++k) {
    for (std::size_t v = 0; v + 1 < nodes; ++v) {
      rows.emplace_back(n + edges.size(), 0.0);
      for (std::size_t e = 0; e < edges.size(); ++e) {
        if (edges[e].from == v) rows.back()[k * edges.size() + e] += 1;
        if (edges[e].to == v) rows.back()[k * edges.size() + e] -= 1;
      }
      right.push_back(commodities[k].source == v ? commodities[k].amount
                      : commodities[k].sink == v ? -commodities[k].amount
                                                 : 0);
    }
  }
  std::vector<std::vector<double>> found = basic_solutions(rows, right);
  for (std::vector<double>& flow : found) flow.resize(n);
  return found;
}

/// Mostly two commodities, on about n / 2 edges; drawn again until there is a choice.
inline Instance random_multicommodity_flow(std::size_t n, Random& random) {
  for (;;) {
    const std::size_t count = n < 4 ? 1 : random.integer(1, n < 9 ? 2 : 3);
    const auto [nodes, edges] = random_digraph(std::max<std::size_t>(2, n / count), random);
    std::vector<Commodity> commodities;
    for (std::size_t k = 0; k < count; ++k) {
      commodities.push_back({random.integer(0, nodes - 1), random.integer(0, nodes - 1),
                             random.uniform() < 0.5 ? 1 : random.uniform(0.1, 1)});
    }
    std::vector<double> capacities(edges.size());
    for (double& capacity : capacities) capacity = static_cast<double>(random.integer(1, 3));
    try {
      SetPtr set = multicommodity_flow(nodes, edges, commodities, capacities);
      if (edges.size() * (count + 1) > 18) return {std::move(set), nullptr};
      return {std::move(set), least_of_listed([=, nodes = nodes, edges = edges] {
                return all_commodity_flows(nodes, edges, commodities, capacities);
              })};
    } catch (const InvalidArgument&) {
    }
  }
}

/// All arborescences, as 0-1 vectors: an edge that enters each node but the root, of which each
/// node follows back to the root.
inline std::vector<std::vector<double>> all_arborescences(std::size_t nodes,
                                                          const std::vector<Edge>& edges,
                                                          std::size_t root) {
  std::vector<std::vector<double>> found;
  std::vector<double> tree(edges.size(), 0.0);
  std::vector<std::size_t> parent(nodes, root);
  const std::function<void(std::size_t)> choose = [&](std::size_t v) {
    if (v == nodes) {
      for (std::size_t w = 0; w < nodes; ++w) {
        std::size_t back = w;
        for (std::size_t step = 0; step < nodes && back != root; ++step) back = parent[back];
        if (back != root) return;
      }
      found.push_back(tree);
      return;
    }
    if (v == root) return choose(v + 1);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (edges[e].to != v) continue;
      tree[e] = 1;
      parent[v] = edges[e].from;
      choose(v + 1);
      tree[e] = 0;
    }
  };
  choose(0);
  return found;
}

/// Drawn again until the root leads everywhere and there is a choice.
inline Instance random_arborescences(std::size_t n, Random& random) {
  for (;;) {
    const std::size_t nodes = 2 + random.integer(0, n / 3);
    const std::size_t root = random.integer(0, nodes - 1);
    std::vector<Edge> edges(n + 2);
    for (Edge& edge : edges) edge = {random.integer(0, nodes - 1), random.integer(0, nodes - 1)};
    try {
      return {arborescences(nodes, edges, root), least_of_listed([nodes, edges, root] {
                return all_arborescences(nodes, edges, root);
              })};
    } catch (const InvalidArgument&) {
    }
  }
}

/// All whole numbers 0 <= x <= capacities with at most the limit at each node.
inline std::vector<std::vector<double>> all_b_matchings(const std::vector<Edge>& edges,
                                                        const std::vector<double>& limits,
                                                        const std::vector<double>& capacities) {
  std::vector<std::vector<double>> found;
  std::vector<double> x(edges.size(), 0.0);
  std::vector<double> left = limits;
  const std::function<void(std::size_t)> choose = [&](std::size_t e) {
    if (e == edges.size()) {
      found.push_back(x);
      return;
    }
    const auto [a, b] = edges[e];
    const double most = std::min({capacities[e], left[a], left[b]});
    for (double value = 0; value <= most; ++value) {
      x[e] = value;
      left[a] -= value;
      left[b] -= value;
      choose(e + 1);
      left[a] += value;
      left[b] += value;
    }
    x[e] = 0;
  };
  choose(0);
  return found;
}

/// Now and then one edge once more, and a loop.
inline void add_parallel_and_loop(std::size_t n, std::vector<Edge>& edges, Random& random) {
  if (edges.empty() || edges.size() > n + 3) return;
  if (random.uniform() < 0.3) edges.push_back(edges[random.integer(0, edges.size() - 1)]);
  if (random.uniform() < 0.2) edges.push_back({edges[0].to, edges[0].to});
}

/// About n of the pairs, or all; limits and capacities are whole.
inline Instance random_b_matchings(std::size_t n, Random& random) {
  const std::size_t side = 1 + static_cast<std::size_t>(std::sqrt(n));
  const std::size_t rows = random.integer(1, side);
  const std::size_t columns =
      std::max<std::size_t>(1, std::min(n, side + 1) - random.integer(0, 1));
  const double share = std::min(1.0, static_cast<double>(n) / static_cast<double>(rows * columns));
  const bool all = rows * columns <= n + 2 && random.uniform() < 0.3;
  std::vector<Edge> edges;
  std::vector<Edge> apart;  // with right nodes of other numbers than left ones
  while (edges.empty()) {
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        if (!all && (random.uniform() >= share || edges.size() > n + 2)) continue;
        edges.push_back({i, j});
        apart.push_back({i, rows + j});
      }
    }
  }
  if (!all && random.uniform() < 0.3) {
    edges.push_back(edges.back());
    apart.push_back(apart.back());
  }
  const auto draw = [&](std::size_t count, std::size_t most) {
    std::vector<double> result(count);
    for (double& value : result) value = static_cast<double>(random.integer(1, most));
    return result;
  };
  const std::vector<double> left = draw(rows, 3);
  const std::vector<double> right = draw(columns, 3);
  const std::vector<double> capacities = draw(edges.size(), random.uniform() < 0.5 ? 1 : 2);
  std::vector<double> limits = left;
  limits.insert(limits.end(), right.begin(), right.end());
  return {all ? b_matchings(left, right, capacities) : b_matchings(left, right, edges, capacities),
          least_of_listed(
              [apart, limits, capacities] { return all_b_matchings(apart, limits, capacities); })};
}

/// All matchings, as 0-1 vectors.
inline std::vector<std::vector<double>> all_matchings(const std::vector<Edge>& edges) {
  std::vector<std::vector<double>> found;
  std::vector<double> matching(edges.size(), 0.0);
  const std::function<void(std::size_t)> choose = [&](std::size_t e) {
    if (e == edges.size()) {
      found.push_back(matching);
      return;
    }
    choose(e + 1);
    if (edges[e].from == edges[e].to) return;
    for (std::size_t k = 0; k < e; ++k) {
      const bool meets = edges[k].from == edges[e].from || edges[k].from == edges[e].to ||
                         edges[k].to == edges[e].from || edges[k].to == edges[e].to;
      if (matching[k] != 0 && meets) return;
    }
    matching[e] = 1;
    choose(e + 1);
    matching[e] = 0;
  };
  choose(0);
  return found;
}

/// About n of the pairs, and some nodes without any; or all pairs.
inline Instance random_bipartite_matchings(std::size_t n, Random& random) {
  const std::size_t side = 1 + static_cast<std::size_t>(std::sqrt(n));
  const std::size_t left = random.integer(side, side + 1);
  const std::size_t right = random.integer(side - 1, side + 1);
  const bool all = left * right <= n + 2;
  std::vector<Edge> edges;
  std::vector<Edge> apart;  // with right nodes of other numbers than left ones
  while (edges.empty()) {
    for (std::size_t i = 0; i < left; ++i) {
      for (std::size_t j = 0; j < right && edges.size() < n + 6; ++j) {
        const double share = static_cast<double>(n) / static_cast<double>(left * right);
        if (!all && random.uniform() >= share) continue;
        edges.push_back({i, j});
        apart.push_back({i, left + j});
      }
    }
  }
  if (!all && edges.size() < n + 4 && random.uniform() < 0.3) {
    edges.push_back(edges[0]);
    apart.push_back(apart[0]);
  }
  return {all ? bipartite_matchings(left, right) : bipartite_matchings(left, right, edges),
          least_of_listed([apart] { return all_matchings(apart); })};
}

/// About n of the pairs of a few nodes, in any order.
inline Instance random_matchings(std::size_t n, Random& random) {
  const std::size_t nodes = 2 + static_cast<std::size_t>(std::sqrt(2 * n)) + random.integer(0, 2);
  const double share = 2 * static_cast<double>(n) / static_cast<double>(nodes * (nodes - 1));
  std::vector<Edge> edges;
  while (edges.empty()) {
    for (std::size_t i = 0; i < nodes; ++i) {
      for (std::size_t j = 0; j < i && edges.size() < n + 6; ++j) {
        if (random.uniform() >= share) continue;
        edges.push_back(random.uniform() < 0.5 ? Edge{i, j} : Edge{j, i});
      }
    }
  }
  add_parallel_and_loop(n, edges, random);
  return {matchings(nodes, edges), least_of_listed([edges] { return all_matchings(edges); })};
}

/// Those that leave no node out.
inline std::vector<std::vector<double>> all_perfect_matchings(std::size_t nodes,
                                                              const std::vector<Edge>& edges) {
  std::vector<std::vector<double>> perfect;
  for (const std::vector<double>& v : all_matchings(edges)) {
    const auto pairs = static_cast<std::size_t>(std::count(v.begin(), v.end(), 1.0));
    if (2 * pairs == nodes) perfect.push_back(v);
  }
  return perfect;
}

/// Of a graph with about n edges; drawn again until there is a choice.
inline Instance random_graph_perfect_matchings(std::size_t n, Random& random) {
  for (;;) {
    const std::size_t nodes = 2 * random.integer(2, 2 + n / 6);
    const double share = 2 * static_cast<double>(n + 2) / static_cast<double>(nodes * (nodes - 1));
    std::vector<Edge> edges;
    for (std::size_t i = 0; i < nodes; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (random.uniform() < share && edges.size() < n + 6) edges.push_back({i, j});
      }
    }
    add_parallel_and_loop(n, edges, random);
    try {
      return {perfect_matchings(nodes, edges),
              least_of_listed([nodes, edges] { return all_perfect_matchings(nodes, edges); })};
    } catch (const InvalidArgument&) {
    }
  }
}

/// Of 4, 6 or 8 nodes.
inline Instance random_perfect_matchings(std::size_t n, Random& /*random*/) {
  const std::size_t nodes = n < 6 ? 4 : n < 20 ? 6 : 8;
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < nodes; ++i) {
    for (std::size_t j = i + 1; j < nodes; ++j) edges.push_back({i, j});
  }
  return {perfect_matchings(nodes),
          least_of_listed([nodes, edges] { return all_perfect_matchings(nodes, edges); })};
}

/// Up to 24 edges: more would only explore more vertices.
inline std::vector<InstanceFamily> graph_instances() {
  const auto few = [](std::size_t n) { return std::min<std::size_t>(n, 24); };
  std::vector<InstanceFamily> all = {
      {"flow",
       [few](std::size_t n, Random& random) {
         return random_flow(few(n), random.uniform() < 0.5 ? 1 : 3, random);
       }},
      {"multicommodity_flow",
       [few](std::size_t n, Random& random) { return random_multicommodity_flow(few(n), random); }},
      {"bipartite_matchings",
       [few](std::size_t n, Random& random) { return random_bipartite_matchings(few(n), random); }},
      {"b_matchings",
       [few](std::size_t n, Random& random) { return random_b_matchings(few(n), random); }},
      {"arborescences",
       [few](std::size_t n, Random& random) { return random_arborescences(few(n), random); }},
  };
#ifdef KEYHOLE_WITH_LEMON
  all.push_back({"matchings", [few](std::size_t n, Random& random) {
                   return random_matchings(few(n), random);
                 }});
  all.push_back({"perfect_matchings", random_perfect_matchings});
  all.push_back({"perfect_matchings_of_a_graph", [few](std::size_t n, Random& random) {
                   return random_graph_perfect_matchings(few(n), random);
                 }});
#endif
  return all;
}

}  // namespace keyhole::tests
