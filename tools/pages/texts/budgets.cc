#include "pages/set_texts.h"

namespace keyhole::pages {
namespace {

const char* const budget_projection =
    "clamped to the bounds; where the sum is not met, x_i = clamp(z_i - mu a_i) with the mu that "
    "meets it, by Newton's steps of O(n), or a search of the breakpoints in O(n log n)";

const char* const multiplier_reference =
    "R. Cominetti, W. Mascarenhas, P. Silva, A Newton's method for the continuous quadratic "
    "knapsack problem, 2014";

}  // namespace

std::vector<SetText> budget_texts() {
  return {
      {"hypercube",
       {.use = "how much of each of n things, from nothing to all of it",
        .example = "hypercube(3)",
        .oracle = "1 where d_i < 0, else 0",
        .cost = "O(n)",
        .geometry = "p = 1/2 1, r = 1/2, R = sqrt(n) / 2, D = sqrt n",
        .exploration = "the corners, each as likely as the others",
        .projection = "clamped to the bounds"}},
      {"hypersimplex",
       {.use = "choosing k of n things; a coordinate is how often a thing is chosen",
        .example = "hypersimplex(4, 2)",
        .oracle = "size at the k smallest d_i, of equal ones the first; for d = 0 at the first k",
        .cost = "O(n) on average, by selection",
        .geometry =
            "p = k size / n 1, r = size min(k, n - k) / sqrt(n (n - 1)), R = size sqrt(k (n "
            "- k) / n), D = size sqrt(2 min(k, n - k))",
        .exploration = "the subsets of k things, each as likely as the others",
        .projection = budget_projection,
        .reference = multiplier_reference}},
      {"solid_hypersimplex",
       {.use = "choosing at most k of n things",
        .example = "solid_hypersimplex(3, 2)",
        .oracle = "size at the k smallest d_i, of equal ones the first, as far as they are "
                  "negative; 0 for d = 0",
        .cost = "O(n) on average, by selection",
        .geometry = "p = r 1, r = size min(1/2, k / (n + sqrt n)), R^2 = n r^2 + k size (size - "
                    "2 r), D = size sqrt(min(2 k, n))",
        .exploration = "random subsets of 0 or k things, with the probabilities 1 / (n + 1) and "
                       "n / (n + 1); for 2 k > n of k, n - k or n / 2 things, such that the "
                       "covariance is as even as it can be",
        .projection = budget_projection,
        .reference = multiplier_reference}},
      {"weighted_simplex",
       {.use = "amounts within a budget where each thing has its price",
        .example = "weighted_simplex([1, 1.5, 2], total=3)",
        .oracle = "with s = total - <weights, lower>, lower + s / weights_i e_i for the first i of "
                  "smallest d_i / weights_i if that is negative, else lower",
        .cost = "O(n)",
        .geometry =
            "p = lower + r 1, r = s / (sum weights + ||weights||), R and D from the n + 1 vertices",
        .exploration = "the vertices, each as likely as the others",
        .projection = budget_projection,
        .reference = multiplier_reference}},
      {"capped_simplex",
       {.use = "shares of a total, each with a least and a most",
        .example = "capped_simplex([0, 0.1, 0.2], [0.6, 0.7, 0.5])",
        .oracle = "from lower on, the coordinates in the order of d_i / weights_i, of equal ones "
                  "the first, are raised to upper until the total is reached, the last one in part",
        .cost = "O(n log n)",
        .geometry = "p = lower + r a + t (upper - lower - 2 r a), a_i = sqrt(1 - weights_i^2 / "
                    "||weights||^2), r = min(half of the least (upper_i - lower_i) / a_i, (total - "
                    "<weights, lower>) / <weights, a>, (<weights, upper> - total) / <weights, a>), "
                    "the largest there is, t from the total; R and D are exact if all have the "
                    "same bounds and weights of 1, else upper bounds, each by a fractional "
                    "knapsack",
        .exploration =
            "with the same bounds for all and weights of 1 the vertices, each as likely "
            "as the others; else vertices of random directions, with the weights of a D-optimal "
            "design; above 1500 coordinates the inscribed sphere",
        .projection = budget_projection,
        .reference = multiplier_reference}},
      {"knapsack",
       {.use = "amounts with a least, a most and a weight each, within a capacity",
        .example = "knapsack([1, 2, 3], 4)",
        .oracle = "from lower on, coordinates with d_i < 0 in the order of d_i / weights_i, of "
                  "equal ones the first, are raised to upper until the capacity is used, the last "
                  "one in part",
        .cost = "O(n log n)",
        .geometry = "p = lower + r 1 + t (upper - lower - 2 r 1), r = min(half of the least "
                    "upper_i - lower_i, (capacity - <weights, lower>) / (sum weights + "
                    "||weights||)), t up to 1/2 if the capacity allows it; R and D are upper "
                    "bounds, each by a fractional knapsack",
        .exploration = "vertices of random directions, with the weights of a D-optimal design; "
                       "above 1500 coordinates the inscribed sphere",
        .projection = budget_projection,
        .reference = "G. Dantzig, Discrete-variable extremum problems, 1957"}},
  };
}

}  // namespace keyhole::pages
