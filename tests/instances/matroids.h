#pragma once

#include <algorithm>
#include <numeric>

#include "instances.h"
#include "keyhole/matroids.h"

namespace keyhole::tests {

/// Whether a set of elements, sorted, is independent.
using Independence = std::function<bool(const std::vector<std::size_t>& elements)>;

/// The indicator vectors of all independent sets, or of those of the largest size, by trying every
/// subset of n elements.
inline std::vector<std::vector<double>> all_independent(std::size_t n, bool bases,
                                                        const Independence& independent) {
  std::vector<std::vector<double>> points;
  std::size_t largest = 0;
  for (std::size_t set = 0; set < (std::size_t{1} << n); ++set) {
    std::vector<std::size_t> elements;
    for (std::size_t e = 0; e < n; ++e) {
      if ((set >> e & 1U) != 0) elements.push_back(e);
    }
    if ((bases && elements.size() < largest) || !independent(elements)) continue;
    if (bases && elements.size() > largest) points.clear();
    largest = std::max(largest, elements.size());
    points.emplace_back(n, 0.0);
    for (const std::size_t e : elements) points.back()[e] = 1;
  }
  return points;
}

/// A set with its slow minimum, by all subsets of up to 9 elements.
inline Instance matroid_instance(SetPtr set, bool bases, const Independence& independent) {
  const std::size_t n = set->dimension();
  constexpr std::size_t most = 9;
  return {std::move(set), n <= most ? least_of(all_independent(n, bases, independent)) : nullptr};
}

inline SetPtr matroid_polytope(MatroidPtr matroid, bool bases) {
  return bases ? matroid_bases(std::move(matroid)) : independent_sets(std::move(matroid));
}

inline Instance random_uniform_matroid(std::size_t n, bool bases, Random& random) {
  const std::size_t k = random.integer(1, bases ? n - 1 : n);
  return matroid_instance(
      matroid_polytope(uniform_matroid(n, k), bases), bases,
      [k](const std::vector<std::size_t>& elements) { return elements.size() <= k; });
}

struct LimitedSets {
  std::vector<std::vector<std::size_t>> sets;
  std::vector<std::size_t> limits;

  [[nodiscard]] bool allow(const std::vector<std::size_t>& elements) const {
    for (std::size_t k = 0; k < sets.size(); ++k) {
      const auto count = std::count_if(elements.begin(), elements.end(), [&](std::size_t e) {
        return std::find(sets[k].begin(), sets[k].end(), e) != sets[k].end();
      });
      if (static_cast<std::size_t>(count) > limits[k]) return false;
    }
    return true;
  }
};

/// Up to three groups, the first with two elements at least and a limit that leaves a choice.
inline Instance random_partition_matroid(std::size_t n, bool bases, Random& random) {
  const std::size_t count = n < 4 ? 1 : random.integer(1, 3);
  std::vector<std::size_t> groups(n);
  LimitedSets limited;
  limited.sets.resize(count);
  for (std::size_t e = 0; e < n; ++e) {
    groups[e] = e < count + 1 ? e % count : random.integer(0, count - 1);
    limited.sets[groups[e]].push_back(e);
  }
  limited.limits.push_back(random.integer(1, limited.sets[0].size() - 1));
  while (limited.limits.size() < count) {
    limited.limits.push_back(
        random.integer(bases ? 0 : 1, limited.sets[limited.limits.size()].size() + 1));
  }
  return matroid_instance(
      matroid_polytope(partition_matroid(groups, limited.limits), bases), bases,
      [limited](const std::vector<std::size_t>& elements) { return limited.allow(elements); });
}

/// Sets and subsets of elements in a random order, and one pair with the limit 1.
inline Instance random_laminar_matroid(std::size_t n, bool bases, Random& random) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t e = 1; e < n; ++e) std::swap(order[e], order[random.integer(0, e)]);
  LimitedSets limited;
  const std::function<void(std::size_t, std::size_t)> divide = [&](std::size_t first,
                                                                   std::size_t last) {
    if (last - first < 2) return;
    if (first == 0 && last == 2) {
      limited.sets.push_back({order[0], order[1]});
      limited.limits.push_back(1);
      return;
    }
    if (random.uniform() < 0.7) {
      limited.sets.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(first),
                                order.begin() + static_cast<std::ptrdiff_t>(last));
      limited.limits.push_back(random.integer(bases ? 2 : 1, last - first));
    }
    const std::size_t middle =
        first == 0 ? random.integer(2, last - 1) : first + (last - first) / 2;
    divide(first, middle);
    divide(middle, last);
  };
  divide(0, n);
  std::reverse(limited.sets.begin(), limited.sets.end());
  std::reverse(limited.limits.begin(), limited.limits.end());
  return matroid_instance(
      matroid_polytope(laminar_matroid(n, limited.sets, limited.limits), bases), bases,
      [limited](const std::vector<std::size_t>& elements) { return limited.allow(elements); });
}

/// Whether edges have no cycle: peeling off edges at nodes that have no other leaves none.
inline bool is_forest(std::size_t nodes, const std::vector<Edge>& edges,
                      std::vector<std::size_t> chosen) {
  for (bool peeled = true; peeled;) {
    std::vector<std::size_t> degree(nodes, 0);
    for (const std::size_t e : chosen) {
      ++degree[edges[e].from];
      ++degree[edges[e].to];
    }
    const auto end = std::remove_if(chosen.begin(), chosen.end(), [&](std::size_t e) {
      return degree[edges[e].from] == 1 || degree[edges[e].to] == 1;
    });
    peeled = end != chosen.end();
    chosen.erase(end, chosen.end());
  }
  return chosen.empty();
}

/// A graph with n edges, or 20 if that is less, some of which may be parallel; connected, by a tree
/// of the first edges and one edge more, if so wished.
inline std::pair<std::size_t, std::vector<Edge>> random_undirected_graph(std::size_t n,
                                                                         bool connected,
                                                                         Random& random) {
  n = std::min<std::size_t>(n, 20);  // or the sweeps take long
  const std::size_t nodes = random.integer(2, std::max<std::size_t>(2, n * 2 / 3));
  std::vector<Edge> edges;
  for (std::size_t v = 1; connected && v < nodes; ++v)
    edges.push_back({random.integer(0, v - 1), v});
  while (edges.size() < n) {
    const std::size_t v = random.integer(1, nodes - 1);
    edges.push_back({v, random.integer(0, v - 1)});
  }
  return {nodes, edges};
}

inline Instance random_graphic_matroid(std::size_t n, bool bases, Random& random) {
  auto [nodes, edges] = random_undirected_graph(n - (bases ? 1 : 0), false, random);
  if (bases) {
    const Edge& edge = edges[random.integer(0, edges.size() - 1)];
    edges.push_back({edge.to, edge.from});
    if (random.uniform() < 0.3 && n > 3) edges[2] = {0, 0};  // in no forest
  }
  SetPtr set = matroid_polytope(graphic_matroid(nodes, edges), bases);
  return matroid_instance(std::move(set), bases,
                          [=, nodes = nodes, edges = edges](const auto& some) {
                            return is_forest(nodes, edges, some);
                          });
}

inline Instance random_spanning_trees(std::size_t n, Random& random) {
  const auto [nodes, edges] = random_undirected_graph(n, true, random);
  return matroid_instance(
      spanning_trees(nodes, edges), true,
      [nodes = nodes, edges = edges](const auto& some) { return is_forest(nodes, edges, some); });
}

/// Two of the kinds above on the same elements, by all subsets of up to 12 elements.
inline Instance random_common_independent_sets(std::size_t n, Random& random) {
  n = std::min<std::size_t>(n, 20);
  struct Kind {
    MatroidPtr matroid;
    Independence independent;
  };
  const auto draw = [&]() -> Kind {
    if (random.uniform() < 0.25) {
      const std::size_t k = random.integer(1, n);
      return {uniform_matroid(n, k), [k](const auto& some) { return some.size() <= k; }};
    }
    if (random.uniform() < 0.6) {
      const std::size_t count = random.integer(1, n);
      std::vector<std::size_t> groups(n);
      LimitedSets limited;
      limited.sets.resize(count);
      for (std::size_t e = 0; e < n; ++e) {
        groups[e] = e < count ? e : random.integer(0, count - 1);
        limited.sets[groups[e]].push_back(e);
      }
      while (limited.limits.size() < count) limited.limits.push_back(random.integer(1, 2));
      return {partition_matroid(groups, limited.limits),
              [limited](const auto& some) { return limited.allow(some); }};
    }
    const auto [nodes, edges] = random_undirected_graph(n, false, random);
    return {graphic_matroid(nodes, edges), [nodes = nodes, edges = edges](const auto& some) {
              return is_forest(nodes, edges, some);
            }};
  };
  const Kind a = draw();
  const Kind b = draw();
  constexpr std::size_t most = 12;
  const auto in_both = [a = a.independent, b = b.independent](const auto& some) {
    return a(some) && b(some);
  };
  return {common_independent_sets(a.matroid, b.matroid),
          n <= most ? least_of(all_independent(n, false, in_both)) : nullptr};
}

/// By the greedy vertices of all orders of up to 6 elements, each from values of the function.
inline std::function<double(std::span<const double>)> least_of_orders(
    std::size_t n, const std::function<double(const std::vector<std::size_t>&)>& value) {
  if (n > 6) return nullptr;
  std::vector<std::vector<double>> points;
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    points.emplace_back(n, 0.0);
    double before = 0;
    for (std::size_t k = 1; k <= n; ++k) {
      const double now = value({order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k)});
      points.back()[order[k - 1]] = now - before;
      before = now;
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return least_of(points);
}

inline Instance random_cut_bases(std::size_t n, Random& random) {
  std::vector<Edge> edges;
  std::vector<double> weights;
  for (std::size_t k = 0; k < n + 2; ++k) {
    const std::size_t from = random.integer(0, n - 1);
    const std::size_t to = random.integer(0, n - 2);
    edges.push_back({from, to < from ? to : to + 1});
    weights.push_back(random.uniform(0.2, 3));
  }
  return {submodular_bases(cut_function(n, edges, weights)),
          least_of_orders(n, [=](const std::vector<std::size_t>& in) {
            double sum = 0;
            for (std::size_t e = 0; e < edges.size(); ++e) {
              const bool one = std::find(in.begin(), in.end(), edges[e].from) != in.end();
              const bool other = std::find(in.begin(), in.end(), edges[e].to) != in.end();
              if (one != other) sum += weights[e];
            }
            return sum;
          })};
}

/// All elements have a place in common.
inline Instance random_coverage_bases(std::size_t n, Random& random) {
  std::vector<std::vector<std::size_t>> covers(n, std::vector<std::size_t>{0});
  std::vector<double> weights;
  for (std::size_t place = 0; place <= n; ++place) {
    weights.push_back(random.uniform(0.2, 3));
    for (std::size_t e = 0; place > 0 && e < n; ++e) {
      if (random.uniform() < 0.3) covers[e].push_back(place);
    }
  }
  return {submodular_bases(coverage_function(covers, weights)),
          least_of_orders(n, [=](const std::vector<std::size_t>& in) {
            double sum = 0;
            for (std::size_t place = 0; place < weights.size(); ++place) {
              const bool is_covered = std::any_of(in.begin(), in.end(), [&](std::size_t e) {
                return std::find(covers[e].begin(), covers[e].end(), place) != covers[e].end();
              });
              if (is_covered) sum += weights[place];
            }
            return sum;
          })};
}

inline std::vector<InstanceFamily> matroid_instances() {
  std::vector<InstanceFamily> all;
  using Draw = Instance (*)(std::size_t n, bool bases, Random& random);
  const std::vector<std::pair<std::string, Draw>> draws = {
      {"uniform_matroid", random_uniform_matroid},
      {"partition_matroid", random_partition_matroid},
      {"laminar_matroid", random_laminar_matroid},
      {"graphic_matroid", random_graphic_matroid}};
  for (const auto& [name, draw] : draws) {
    for (const bool bases : {false, true}) {
      all.push_back(
          {name + (bases ? "_bases" : ""),
           [=, draw = draw](std::size_t n, Random& random) { return draw(n, bases, random); }});
    }
  }
  all.push_back({"spanning_trees", random_spanning_trees});
  all.push_back({"common_independent_sets", random_common_independent_sets});
  all.push_back({"cut_bases", random_cut_bases, 50});
  all.push_back({"coverage_bases", random_coverage_bases, 50});
  return all;
}

}  // namespace keyhole::tests
