#include "keyhole/choices.h"
#include "spec/set_parameters.h"
#include "spec/table.h"

namespace keyhole::spec {
namespace {

const char* const budget_projection =
    "clamped to the bounds; where the sum is not met, x_i = clamp(z_i - mu a_i) with the mu that "
    "meets it, by Newton's steps of O(n), or a search of the breakpoints in O(n log n)";
const char* const multiplier_reference =
    "R. Cominetti, W. Mascarenhas, P. Silva, A Newton's method for the continuous quadratic "
    "knapsack problem, 2014";

Parameter chosen(const char* meaning) {
  return {"k", Type::whole, meaning, {}, {}, {1, most_coordinates}};
}

Parameter positive_weights(const char* meaning) {
  return {"weights", Type::numbers, meaning, {}, {}, positive};
}

Entry hypercube_entry() {
  return {"hypercube",
          "{0 <= x <= 1}, the box of these bounds",
          {"projects"},
          {dimension(1)},
          [](const Arguments& given) { return hypercube(given.whole("n")); },
          {},
          {.example = "hypercube(3)",
           .oracle = "1 where d_i < 0, else 0",
           .cost = "O(n)",
           .geometry = "p = 1/2 1, r = 1/2, R = sqrt(n) / 2, D = sqrt n",
           .exploration = "the corners, each as likely as the others",
           .projection = "clamped to the bounds"}};
}

Entry hypersimplex_entry() {
  return {
      "hypersimplex",
      "{0 <= x <= size, sum x = k size}: k of n things",
      {"projects", "flat"},
      {dimension(2), chosen("how many are chosen, less than n"),
       size("size", "the largest coordinate")},
      [](const Arguments& given) {
        return hypersimplex(given.whole("n"), given.whole("k"), given.number("size"));
      },
      {},
      {.example = "hypersimplex(4, 2)",
       .oracle = "size at the k smallest d_i, of equal ones the first; for d = 0 at the first k",
       .cost = "O(n) on average, by selection",
       .geometry = "p = k size / n 1, r = size min(k, n - k) / sqrt(n (n - 1)), R = size sqrt(k (n "
                   "- k) / n), D = size sqrt(2 min(k, n - k))",
       .exploration = "the subsets of k things, each as likely as the others",
       .projection = budget_projection,
       .reference = multiplier_reference}};
}

Entry solid_hypersimplex_entry() {
  return {"solid_hypersimplex",
          "{0 <= x <= size, sum x <= k size}: at most k of n things",
          {"projects"},
          {dimension(1), chosen("how many are chosen at most, up to n"),
           size("size", "the largest coordinate")},
          [](const Arguments& given) {
            return solid_hypersimplex(given.whole("n"), given.whole("k"), given.number("size"));
          },
          {},
          {.example = "solid_hypersimplex(3, 2)",
           .oracle = "size at the k smallest d_i, of equal ones the first, as far as they are "
                     "negative; 0 for d = 0",
           .cost = "O(n) on average, by selection",
           .geometry = "p = r 1, r = size min(1/2, k / (n + sqrt n)), R^2 = n r^2 + k size (size - "
                       "2 r), D = size sqrt(min(2 k, n))",
           .exploration = "random subsets of 0 or k things, with the probabilities 1 / (n + 1) and "
                          "n / (n + 1); for 2 k > n of k, n - k or n / 2 things, such that the "
                          "covariance is as even as it can be",
           .projection = budget_projection,
           .reference = multiplier_reference}};
}

Entry weighted_simplex_entry() {
  return {
      "weighted_simplex",
      "{x >= lower, <weights, x> <= total}",
      {"projects"},
      {positive_weights("what a unit of each coordinate costs"),
       Parameter{"total", Type::number, "the largest cost", {}, {}, moderate}.or_value("1"),
       Parameter{"lower", Type::coordinates, "the lower bounds", {}, {}, moderate}.or_value("0")},
      [](const Arguments& given) {
        const std::vector<double> weights = given.numbers("weights");
        return weighted_simplex(weights, given.number("total"),
                                given.coordinates("lower", weights.size()));
      },
      {},
      {.example = "weighted_simplex([1, 1.5, 2], total=3)",
       .oracle = "with s = total - <weights, lower>, lower + s / weights_i e_i for the first i of "
                 "smallest d_i / weights_i if that is negative, else lower",
       .cost = "O(n)",
       .geometry =
           "p = lower + r 1, r = s / (sum weights + ||weights||), R and D from the n + 1 vertices",
       .exploration = "the vertices, each as likely as the others",
       .projection = budget_projection,
       .reference = multiplier_reference}};
}

Entry knapsack_entry() {
  return {"knapsack",
          "{0 <= x <= 1, <weights, x> <= capacity}",
          {"projects"},
          {positive_weights("what each thing weighs"),
           {"capacity", Type::number, "the largest weight, below that of all", {}, {}, positive}},
          [](const Arguments& given) {
            return knapsack(given.numbers("weights"), given.number("capacity"));
          },
          {},
          {.example = "knapsack([1, 2, 3], 4)",
           .oracle = "coordinates with d_i < 0 in the order of d_i / weights_i, of equal ones the "
                     "first, are set to 1 until the capacity is used, the last one in part",
           .cost = "O(n log n)",
           .geometry = "p = r 1, r = min(1/2, capacity / (sum weights + ||weights||)); R and D are "
                       "upper bounds, each by a fractional knapsack",
           .exploration = "vertices of random directions, with the weights of a D-optimal design; "
                          "above 1500 coordinates the inscribed sphere",
           .projection = budget_projection,
           .reference = "G. Dantzig, Discrete-variable extremum problems, 1957"}};
}

Entry permutahedron_entry() {
  return {"permutahedron",
          "the hull of all orders of the values",
          {"projects", "flat"},
          {{"values", Type::numbers, "the values, not all equal", {}, {}, moderate}},
          [](const Arguments& given) { return permutahedron(given.numbers("values")); },
          {},
          {.example = "permutahedron([1, 2, 3, 4])",
           .oracle = "the largest value where d_i is smallest, and so on; of equal d_i the first "
                     "gets the largest",
           .cost = "O(n log n)",
           .geometry = "p = the mean m of the values in each coordinate, r = min over s < n of (s "
                       "m - the sum of the s smallest values) / sqrt(s (n - s) / n), R = ||values "
                       "- m||, D = ||ascending - descending values||",
           .exploration = "the orders of the values, each as likely as the others",
           .projection = "isotonic regression of the sorted point less the sorted values, by "
                         "pooling adjacent violators: O(n log n)",
           .reference = "C. Lim, S. Wright, Efficient Bregman projections onto the permutahedron "
                        "and related polytopes, 2016"}};
}

Entry birkhoff_entry() {
  return {
      "birkhoff",
      "{X >= 0, n x n, the rows and the columns sum to 1}",
      {"flat"},
      {{"n", Type::whole, "the number of rows and columns", {}, {}, {2, most_rows}}},
      [](const Arguments& given) { return birkhoff(given.whole("n")); },
      {},
      {.example = "birkhoff(3)",
       .oracle = "the permutation matrix of an assignment of least cost, by shortest augmenting "
                 "paths row after row, of columns equally near the first; the identity for d = 0",
       .cost = "O(n^3)",
       .geometry = "p = 1/n in every entry, r = 1 / (n - 1), R = sqrt(n - 1), D = sqrt(2 n)",
       .exploration = "the permutation matrices, each as likely as the others",
       .reference = "R. Jonker, A. Volgenant, A shortest augmenting path algorithm for dense and "
                    "sparse linear assignment problems, 1987"}};
}

Entry transportation_entry() {
  return {
      "transportation",
      "{X >= 0, the rows sum to the supplies and the columns to the demands}",
      {"flat"},
      {{"supply", Type::numbers, "the sum of each row", {}, {}, positive},
       {"demand", Type::numbers, "the sum of each column", {}, {}, positive}},
      [](const Arguments& given) {
        return transportation(given.numbers("supply"), given.numbers("demand"));
      },
      {},
      {.example = "transportation([2, 3], [1, 2, 2])",
       .oracle = "a cheapest way to send the supplies, by the simplex method on trees of cells, of "
                 "equal cells the first; for d = 0 row after row sends to the first columns",
       .cost = "O(m n) a step, a few times m + n steps",
       .geometry = "p_ij = supply_i demand_j / the sum of all, r = min p_ij / sqrt((1 - 1/m) (1 - "
                   "1/n)); R and D are upper bounds, each by a transportation problem",
       .exploration = "vertices of random directions, with the weights of a D-optimal design; "
                      "above 1500 entries the inscribed sphere",
       .reference =
           "G. Dantzig, Application of the simplex method to a transportation problem, 1951"}};
}

SetPtr build_convex_hull(const Arguments& given) { return convex_hull(given.rows("points")); }

Entry convex_hull_entry() {
  return {"convex_hull",
          "the hull of the points",
          {"projects", "flat if the points are"},
          {{"points", Type::rows, "the points, a list of coordinates each", {}, {}, moderate}},
          build_convex_hull,
          {},
          {.example = "convex_hull([[0, 0], [4, 0], [5, 2], [2, 4], [0, 3]])",
           .oracle = "the first point of smallest <d, v>; for d = 0 the first",
           .cost = "O(m n) for m points",
           .geometry =
               "of a simplex the incentre and its radius; else p and Sigma are the mean and the "
               "covariance of a D-optimal design of the points, r = sqrt(least eigenvalue of Sigma "
               "/ the largest (v - p)' Sigma^-1 (v - p)), a lower bound; R and D from the points",
           .exploration = "the points, with the weights of the design",
           .projection = "Wolfe's method, by the oracle alone",
           .reference = "P. Wolfe, Finding the nearest point in a polytope, 1976; F. John, "
                        "Extremum problems with inequalities as subsidiary conditions, 1948"}};
}

}  // namespace

std::vector<Entry> choice_entries() {
  return {hypercube_entry(),        hypersimplex_entry(),   solid_hypersimplex_entry(),
          weighted_simplex_entry(), knapsack_entry(),       permutahedron_entry(),
          birkhoff_entry(),         transportation_entry(), convex_hull_entry()};
}

}  // namespace keyhole::spec
