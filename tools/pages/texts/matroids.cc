#include "pages/set_texts.h"

namespace keyhole::pages {
namespace {

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

}  // namespace

std::vector<SetText> matroid_texts() {
  return {
      {"uniform_matroid",
       {.use = "at most k of n things, or exactly k as bases",
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
        .reference = edmonds}},
      {"partition_matroid",
       {.use = "choosing things with a limit for each group, such as brands on a page",
        .example = "partition_matroid([0, 0, 1], [1, 1])",
        .oracle = greedy,
        .cost = "O(n log n)",
        .geometry = laminar_geometry,
        .exploration = "random subsets of each group, as for uniform_matroid",
        .projection = laminar_projection,
        .reference = edmonds}},
      {"laminar_matroid",
       {.use = "choosing things with limits for groups and for groups within groups",
        .example = "laminar_matroid(4, [[0, 1], [0, 1, 2, 3]], [1, 2], bases=true)",
        .oracle = greedy,
        .cost = "O(n log n + n depth)",
        .geometry = laminar_geometry,
        .exploration = "vertices of random directions, with the weights of a D-optimal design",
        .projection = laminar_projection,
        .reference = edmonds}},
      {"graphic_matroid",
       {.use = "links of a network without cycles",
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
                     "Trees and cuts, 1983"}},
      {"spanning_trees",
       {.use = "links that connect everything and no more",
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
                     "Trees and cuts, 1983"}},
      {"common_independent_sets",
       {.use = "choosing things within limits of two kinds at once, such as brands and categories",
        .example = "common_independent_sets(uniform_matroid(3, 2), partition_matroid([0, 0, 1], "
                   "[1, 1]))",
        .oracle = "a cheapest common independent set, by augmenting paths of least cost and fewest "
                  "elements, on a grid of 2^-50 of the largest |d_i|; elements with d_i >= 0 are "
                  "not taken, so d = 0 gives 0",
        .cost = "O(k a): k paths, the elements of the largest common set at most, over a <= rank n "
                "exchanges",
        .geometry = "p_i and r: the smaller ones of the two matroids; R^2 = ||p||^2 + max sum (1 - "
                    "2 p_i), exact; D^2 = the most elements that two of the sets cover, exact for "
                    "uniform, partition and laminar matroids, else a bound",
        .exploration = "vertices of random directions, with the weights of a D-optimal design; "
                       "above 100 elements sets that greed finds; above 1500 the inscribed sphere",
        .reference = "J. Edmonds, Submodular functions, matroids, and certain polyhedra, 1970; E. "
                     "Lawler, Matroid intersection algorithms, 1975; A. Frank, A weighted matroid "
                     "intersection algorithm, 1981; S. Baum, L. Trotter, Integer rounding and "
                     "polyhedral decomposition for totally unimodular systems, 1977"}},
      {"cut_bases",
       {.use = "sharing out what links cost or bring, so that no group does worse than alone",
        .example = "cut_bases(3, [[0, 1], [1, 2], [0, 2]], weights=[1, 2, 1])",
        .oracle = "nodes by rising (d_i, i), each with what it adds to the weight of the edges "
                  "that leave",
        .cost = "O(n log n) and the edges",
        .geometry = "p a mean of vertices, r the radius of a ball that they hold (a lower bound), "
                    "R and D of a box (upper bounds)",
        .exploration = "vertices that random directions find, by a D-optimal design",
        .projection = "Wolfe's method for the nearest point",
        .reference = "J. Edmonds, Submodular functions, matroids, and certain polyhedra, 1970; P. "
                     "Wolfe, Finding the nearest point in a polytope, Math. Program. 11, 1976; S. "
                     "Fujishige, Lexicographically optimal base of a polymatroid with respect to a "
                     "weight vector, Math. Oper. Res. 5, 1980"}},
      {"coverage_bases",
       {.use = "sharing out what places cost or bring, so that no group does worse than alone",
        .example = "coverage_bases([[0, 1], [1, 2], [0, 2, 3]], weights=[1, 2, 1, 1])",
        .oracle = "elements by rising (d_i, i), each with the weight of what it covers anew",
        .cost = "O(n log n) and all that elements cover",
        .geometry = "p a mean of vertices, r the radius of a ball that they hold (a lower bound), "
                    "R and D of a box (upper bounds)",
        .exploration = "vertices that random directions find, by a D-optimal design",
        .projection = "Wolfe's method for the nearest point",
        .reference = "J. Edmonds, Submodular functions, matroids, and certain polyhedra, 1970; P. "
                     "Wolfe, Finding the nearest point in a polytope, Math. Program. 11, 1976; S. "
                     "Fujishige, Lexicographically optimal base of a polymatroid with respect to a "
                     "weight vector, Math. Oper. Res. 5, 1980"}},
  };
}

}  // namespace keyhole::pages
