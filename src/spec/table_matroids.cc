#include "keyhole/matroids.h"
#include "spec/set_parameters.h"
#include "spec/table.h"

namespace keyhole::spec {
namespace {

SetPtr polytope_of(const Arguments& given, MatroidPtr matroid) {
  return given.flag("bases") ? matroid_bases(std::move(matroid))
                             : independent_sets(std::move(matroid));
}

SetPtr build_uniform(const Arguments& given) {
  return polytope_of(given, uniform_matroid(given.whole("n"), given.whole("k")));
}

SetPtr build_partition(const Arguments& given) {
  return polytope_of(given, partition_matroid(given.wholes("groups"), given.wholes("limits")));
}

SetPtr build_laminar(const Arguments& given) {
  std::vector<std::vector<std::size_t>> sets;
  for (const std::vector<double>& row : given.rows("sets")) {
    sets.emplace_back();
    for (const double element : row) {
      const auto whole = static_cast<std::size_t>(element);
      if (static_cast<double>(whole) != element) given.refuse("sets", "must hold whole numbers");
      sets.back().push_back(whole);
    }
  }
  return polytope_of(given, laminar_matroid(given.whole("n"), sets, given.wholes("limits")));
}

SetPtr build_graphic(const Arguments& given) {
  return polytope_of(given, graphic_matroid(given.whole("nodes"), given.edges("edges")));
}

SetPtr build_spanning_trees(const Arguments& given) {
  return spanning_trees(given.whole("nodes"), given.edges("edges"));
}

Parameter bases() {
  return Parameter{"bases", Type::flag, "whether only the bases, the largest independent sets"}
      .or_value("false");
}

Parameter limits(const char* meaning) {
  return {"limits", Type::numbers, meaning, {}, {}, {0, most_coordinates}};
}

constexpr Range element = {0, most_coordinates};

const char* const greedy =
    "the greedy algorithm: elements by rising (d_i, i), each taken if the set stays independent; "
    "of independent sets only those with d_i < 0; d = 0 gives the first base in the order of the "
    "elements, or 0";
const char* const edmonds =
    "J. Edmonds, Submodular functions, matroids, and certain polyhedra, 1970; Matroids and the "
    "greedy algorithm, 1971";
const char* const laminar_geometry =
    "independent sets: p_i = theta / (1 + sqrt theta) in each connected component, theta the least "
    "limit / size of its sets; D^2 = what the doubled limits allow; bases: p shares each limit "
    "between the parts of its set in proportion to their ranks; D^2 = 2 (what the doubled limits "
    "allow - rank); r, R and D are exact about this p";
const char* const laminar_projection =
    "x_i = clamp(z_i - theta_i, 0, 1) with the largest of the thresholds of the sets around i, "
    "found from the inside out: O(m log m) for a set of m elements";
const char* const graphic_projection =
    "Wolfe's method, from the oracle alone (P. Wolfe, Finding the nearest point in a polytope, "
    "1976); none for more than 2000 edges";

Entry uniform_entry() {
  return {
      .name = "uniform_matroid",
      .summary = "{0 <= x <= 1, sum x <= k}, or with bases sum x = k: subsets of k of n",
      .capabilities = {"projects"},
      .parameters = {dimension(1),
                     {"k", Type::whole, "the largest size, the rank", {}, {}, element},
                     bases()},
      .build = build_uniform,
      .page = {
          .example = "uniform_matroid(3, 2)",
          .oracle = "1 at the k smallest (d_i, i), of independent sets only where d_i < 0; d = 0 "
                    "gives the first k elements, or 0",
          .cost = "O(n + k log k)",
          .geometry =
              "independent sets: p_i = theta / (1 + sqrt theta), theta = k/n, D = sqrt(min(n, 2 "
              "k)); bases: p_i = k/n, D = sqrt(2 min(k, n - k)); r, R and D are exact about this p",
          .exploration = "random subsets of k elements; of independent sets also the empty one, "
                         "and of half the elements where k is more",
          .projection = "x_i = clamp(z_i - theta, 0, 1), exactly: O(n log n)",
          .reference = edmonds}};
}

Entry partition_entry() {
  return {.name = "partition_matroid",
          .summary = "{0 <= x <= 1, x sums to at most the limit in each group}, with bases to it",
          .capabilities = {"projects"},
          .parameters = {{"groups", Type::numbers, "the group of each element", {}, {}, element},
                         limits("the limit of each group"),
                         bases()},
          .build = build_partition,
          .page = {.example = "partition_matroid([0, 0, 1], [1, 1])",
                   .oracle = greedy,
                   .cost = "O(n log n)",
                   .geometry = laminar_geometry,
                   .exploration = "random subsets of each group, as for uniform_matroid",
                   .projection = laminar_projection,
                   .reference = edmonds}};
}

Entry laminar_entry() {
  return {
      .name = "laminar_matroid",
      .summary =
          "{0 <= x <= 1, x sums to at most the limit in each of nested sets}, or its "
          "bases",
      .capabilities = {"projects"},
      .parameters =
          {dimension(1),
           {"sets", Type::rows, "the elements of each set, nested or disjoint", {}, {}, element},
           limits("the limit of each set"),
           bases()},
      .build = build_laminar,
      .page = {
          .example = "laminar_matroid(4, [[0, 1], [0, 1, 2, 3]], [1, 2], bases=true)",
          .oracle = greedy,
          .cost = "O(n log n + n depth)",
          .geometry = laminar_geometry,
          .exploration = "vertices of random directions, with the weights of a D-optimal design",
          .projection = laminar_projection,
          .reference = edmonds}};
}

Entry graphic_entry() {
  return {
      .name = "graphic_matroid",
      .summary = "the hull of the forests of a graph, or with bases of the largest ones",
      .capabilities = {"projects"},
      .parameters = {nodes(), edges(), bases()},
      .build = build_graphic,
      .page = {
          .example = "graphic_matroid(3, [[0, 1], [1, 2], [0, 2]])",
          .oracle = greedy,
          .cost = "O(n log n) for n edges, Kruskal's algorithm",
          .geometry =
              "independent sets: p_i = theta / (1 + sqrt theta) in each block of the graph, theta "
              "the share in which forests cover its edges evenly (in blocks of more than 12 edges "
              "the share of some that do nearly so), r = min p_i, D <= sqrt(min(n, 2 rank)); "
              "bases: see spanning_trees; r and R are exact about this p",
          .exploration = "vertices of random directions, with the weights of a D-optimal design",
          .projection = graphic_projection,
          .reference = "J. Kruskal, On the shortest spanning subtree of a graph and the traveling "
                       "salesman problem, 1956; membership by minimum cuts: M. Padberg, L. Wolsey, "
                       "Trees and cuts, 1983"}};
}

Entry spanning_trees_entry() {
  return {
      .name = "spanning_trees",
      .summary = "the hull of the spanning trees of a connected graph",
      .capabilities = {"projects", "flat"},
      .parameters = {nodes(), edges()},
      .build = build_spanning_trees,
      .page = {
          .example = "spanning_trees(3, [[0, 1], [1, 2], [0, 2]])",
          .oracle = "a least spanning tree: edges by rising (d_e, e), each taken unless it closes "
                    "a cycle; d = 0 gives the first tree in the order of the edges",
          .cost = "O(n log n) for n edges, Kruskal's algorithm",
          .geometry =
              "in blocks of up to 12 edges p is the mean of all trees and r is exact; in larger "
              "ones p is the mean of the first trees in random orders and r a lower bound by the "
              "exchanges that they allow; R is exact, D <= sqrt(2 min(rank, n - rank))",
          .exploration = "trees of random directions, with the weights of a D-optimal design",
          .projection = graphic_projection,
          .reference = "J. Kruskal, On the shortest spanning subtree of a graph and the traveling "
                       "salesman problem, 1956; membership by minimum cuts: M. Padberg, L. Wolsey, "
                       "Trees and cuts, 1983"}};
}

}  // namespace

std::vector<Entry> matroid_entries() {
  return {uniform_entry(), partition_entry(), laminar_entry(), graphic_entry(),
          spanning_trees_entry()};
}

}  // namespace keyhole::spec
