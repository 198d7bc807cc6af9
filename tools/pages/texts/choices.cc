#include "pages/set_texts.h"

namespace keyhole::pages {
namespace {

const char* const budget_projection =
    "clamped to the bounds; where the sum is not met, x_i = clamp(z_i - mu a_i) with the mu that "
    "meets it, by Newton's steps of O(n), or a search of the breakpoints in O(n log n)";

const char* const matrix_projection =
    "up to 1000 entries: Newton's method on the dual function, with a multiplier for each row and "
    "column, O((m + n)^3) a step; where rounding stops it, the dual active set method";

const char* const multiplier_reference =
    "R. Cominetti, W. Mascarenhas, P. Silva, A Newton's method for the continuous quadratic "
    "knapsack problem, 2014";

}  // namespace

std::vector<SetText> choice_texts() {
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
      {"permutahedron",
       {.use = "a ranking by scores, or an order in which values are handed out",
        .example = "permutahedron([1, 2, 3, 4])",
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
                     "and related polytopes, 2016"}},
      {"isotonic",
       {.use = "a curve that does not fall: a dose, a price by size, a schedule of rates",
        .example = "isotonic(3)",
        .oracle = "with v_k lower in the first k coordinates and upper in the others, the v_k of "
                  "least sum of the last n - k d_i, of several the one with the most at lower",
        .cost = "O(n)",
        .geometry = "p_i = lower + r (1 + (i - 1) sqrt 2), r = (upper - lower) / (2 + (n - 1) sqrt "
                    "2), R from the n + 1 vertices, D = (upper - lower) sqrt n",
        .exploration = "the vertices v_k, each as likely as the others; Sigma^-1 (v_k - p) = (n + "
                       "1) / (upper - lower) (e_{k+1} - e_k)",
        .projection = "pooling of adjacent violators, then clamping to the bounds: O(n)",
        .reference = "M. Ayer, H. Brunk, G. Ewing, W. Reid, E. Silverman, An empirical "
                     "distribution function for sampling with incomplete information, 1955"}},
      {"partial_order",
       {.use = "numbers of which some may not be above others, such as prices of small and large "
               "packs",
        .example = "partial_order(3, [[0, 1], [0, 2]])",
        .oracle = "the vertex, lower in some coordinates and upper in the others, of the least sum "
                  "of the d_i at upper, by a minimum cut; of several the one with the fewest at "
                  "upper",
        .cost = "a maximum flow: in the worst case O(n^2) times the relations",
        .geometry = "with k_i the relations of the longest chain that ends in i, k the longest of "
                    "all: p_i = lower + r (1 + k_i sqrt 2), r = (upper - lower) / (2 + k sqrt 2), "
                    "R by a minimum cut, D = (upper - lower) sqrt n",
        .exploration = "vertices that random directions find, by a D-optimal design (up to "
                       "1500 dimensions; above, the inscribed sphere)",
        .projection = "blocks are split by minimum cuts until each is at its mean, then clamped to "
                      "the bounds",
        .reference = "J. Picard, Maximal closure of a graph and applications to combinatorial "
                     "problems, 1976; W. Maxwell, J. Muckstadt, Establishing consistent and "
                     "realistic reorder intervals in production-distribution systems, 1985"}},
      {"kl_ball",
       {.use = "a distribution near one that is known, where nothing may grow from next to nothing "
               "for free",
        .example = "kl_ball([0.5, 0.3, 0.2], 0.1)",
        .oracle = "e_i for the first of the smallest d_i if -log q_i <= radius; else x_i in "
                  "proportion to q_i exp(-beta d_i), with the beta >= 0 of divergence radius, by "
                  "Newton's method; q among the smallest d_i where no beta is large enough",
        .cost = "O(n) a step, about ten steps",
        .geometry = "p = q, r^2 = min((exp(radius) - 1) min q, (min q)^2 n / (n - 1)), a lower "
                    "bound; R^2 = radius (Pinsker) or that of the farthest vertex, an upper "
                    "bound, and D <= min(2 R, sqrt 2)",
        .exploration = "vertices of random directions, with the weights of a D-optimal design; "
                       "above 1500 coordinates the inscribed sphere",
        .reference = "M. Donsker, S. Varadhan, Asymptotic evaluation of certain Markov process "
                     "expectations for large time, 1975; A. Gibbs, F. Su, On choosing and bounding "
                     "probability metrics, 2002"}},
      {"chi_square_ball",
       {.use = "a distribution near one that is known, with differences weighed by how rare an "
               "outcome is",
        .example = "chi_square_ball([0.5, 0.3, 0.2], 0.2)",
        .oracle = "e_i for the first of the smallest d_i if 1 / q_i - 1 <= radius; else x_i = q_i "
                  "max(0, a - beta d_i) with the divergence radius, a closed form for each number "
                  "of positive x_i, which the sorted d_i tell; q among the smallest d_i where no "
                  "beta is large enough",
        .cost = "O(n log n)",
        .geometry = "p = q, r^2 = min(radius min q, (min q)^2 n / (n - 1)), a lower bound; R^2 = "
                    "radius min(max q, 1/2) or that of the farthest vertex, an upper bound, and D "
                    "<= min(2 R, sqrt 2)",
        .exploration = "vertices of random directions, with the weights of a D-optimal design; "
                       "above 1500 coordinates the inscribed sphere",
        .reference = "A. Ben-Tal, D. den Hertog, A. De Waegenaere, B. Melenberg, G. Rennen, Robust "
                     "solutions of optimization problems affected by uncertain probabilities, "
                     "2013"}},
      {"hellinger_ball",
       {.use = "a distribution near one that is known, by a distance that treats both alike",
        .example = "hellinger_ball([0.5, 0.3, 0.2], 0.2)",
        .oracle = "e_i for the first of the smallest d_i if 1 - sqrt q_i <= radius^2; else x_i in "
                  "proportion to q_i / (1 + beta (d_i - min d))^2, with the beta >= 0 of distance "
                  "radius, by Newton's method; q among the smallest d_i where no beta is large "
                  "enough",
        .cost = "O(n) a step, about ten steps",
        .geometry = "p = q; with h = radius^2, m = min q and k = sqrt(2 h / m), r = min(m k max(1, "
                    "2 - k), m / sqrt(1 - 1/n)), a lower bound; R^2 = 2 h (2 - h) or that of the "
                    "farthest vertex, an upper bound, and D <= min(2 R, sqrt 2)",
        .exploration = "vertices of random directions, with the weights of a D-optimal design; "
                       "above 1500 coordinates the inscribed sphere",
        .reference = "A. Ben-Tal, D. den Hertog, A. De Waegenaere, B. Melenberg, G. Rennen, Robust "
                     "solutions of optimization problems affected by uncertain probabilities, "
                     "2013; A. Gibbs, F. Su, On choosing and bounding probability metrics, 2002"}},
      {"tv_distance_ball",
       {.use = "a distribution of which at most a given share moves away from one that is known",
        .example = "tv_distance_ball([0.4, 0.35, 0.25], 0.2)",
        .oracle = "q, of which what is at the largest d_i moves to the first of the smallest, "
                  "until that is the radius; of equal ones the first; q for d = 0",
        .cost = "O(n log n)",
        .geometry = "p = q + t (u - q), u uniform, with the largest t <= 1 at which the distance "
                    "is at most radius / 2; r, a lower bound, from the signs and from sum |v_i| <= "
                    "sqrt n ||v||; R and D, upper bounds, from what can move",
        .exploration = "vertices of random directions, with the weights of a D-optimal design; "
                       "above 1500 coordinates the inscribed sphere",
        .reference = "R. Jiang, Y. Guan, Risk-averse two-stage stochastic program with "
                     "distributional ambiguity, 2018"}},
      {"wasserstein_ball",
       {.use = "a distribution near one that is known, where moving has costs, such as distances",
        .example = "wasserstein_ball([0.5, 0.3, 0.2], 0.4)",
        .oracle = "parts of q move to cheaper places, those first that save most for a unit of "
                  "cost, until the radius is used up: the moves of q_i are the edges of the lower "
                  "hull of the points (|s_i - s_j|, d_j), or (costs_ij, d_j); q for d = 0",
        .cost = "O(n^2) and the sorting of the moves; on a line mostly O(n log n)",
        .geometry = "p = q + t (u - q), u uniform, with the largest t <= 1 at which the distance "
                    "is at most radius / 2; r from the signs and from the length of the places "
                    "about their mean, or with costs from sqrt n / 2 times the largest, a lower "
                    "bound; R and D, upper bounds, from what can move",
        .exploration = "vertices of random directions, with the weights of a D-optimal design; "
                       "above 1500 coordinates the inscribed sphere",
        .reference = "S. Vallender, Calculation of the Wasserstein distance between probability "
                     "distributions on the line, 1974; E. Zemel, The linear multiple choice "
                     "knapsack problem, 1980"}},
      {"discounted_occupancy",
       {.use = "a policy for a system with states that runs on and on: which action in which state",
        .example = "discounted_occupancy([[1, 0], [0, 1], [0, 1], [1, 0]], [1, 0], 0.5)",
        .oracle = "a policy of least cost, by policy iteration from the cheapest actions, of equal "
                  "ones the first",
        .cost = "O(S^2 (S + A)) a policy of S states and A actions, a few policies",
        .geometry = "p nearly the analytic centre, by Newton's method; R^2 = ||p||^2 + max <1 - 2 "
                    "p, x> and "
                    "D <= sqrt 2, upper bounds",
        .exploration = "vertices of random directions, with the weights of a D-optimal design",
        .reference = "M. L. Puterman, Markov Decision Processes, 1994, section 6.9"}},
      {"episodic_occupancy",
       {.use = "a policy for runs of a fixed number of steps: which action in which state at which "
               "step",
        .example = "episodic_occupancy([[1, 0], [0, 1], [0, 1], [1, 0]], [1, 0], 2)",
        .oracle = "a policy of least cost, by backward induction, of equal actions the first",
        .cost = "O(steps S^2 A) for S states and A actions",
        .geometry = "p nearly the analytic centre, by Newton's method; R^2 = ||p||^2 + max <1 - 2 "
                    "p, x> and "
                    "D <= sqrt(2 steps), upper bounds",
        .exploration = "vertices of random directions, with the weights of a D-optimal design",
        .reference = "A. Zimin, G. Neu, Online learning in episodic Markovian decision processes "
                     "by relative entropy policy search, 2013"}},
      {"birkhoff",
       {.use = "who does what, one to one: n people and n tasks, or who stands where in an order",
        .example = "birkhoff(3)",
        .oracle = "the permutation matrix of an assignment of least cost, by shortest augmenting "
                  "paths row after row, of columns equally near the first; the identity for d = 0",
        .cost = "O(n^3)",
        .geometry = "p = 1/n in every entry, r = 1 / (n - 1), R = sqrt(n - 1), D = sqrt(2 n)",
        .exploration = "the permutation matrices, each as likely as the others",
        .projection = matrix_projection,
        .reference = "R. Jonker, A. Volgenant, A shortest augmenting path algorithm for dense and "
                     "sparse linear assignment problems, 1987"}},
      {"transportation",
       {.use = "what goes from where to where, with given supplies and demands",
        .example = "transportation([2, 3], [1, 2, 2])",
        .oracle =
            "a cheapest way to send the supplies, by the simplex method on trees of cells, of "
            "equal cells the first; for d = 0 row after row sends to the first columns",
        .cost = "O(m n) a step, a few times m + n steps",
        .geometry = "p_ij = supply_i demand_j / the sum of all, r = min p_ij / sqrt((1 - 1/m) (1 - "
                    "1/n)); R and D are upper bounds, each by a transportation problem",
        .exploration = "vertices of random directions, with the weights of a D-optimal design; "
                       "above 1500 entries the inscribed sphere",
        .projection = matrix_projection,
        .reference =
            "G. Dantzig, Application of the simplex method to a transportation problem, 1951"}},
      {"convex_hull",
       {.use = "mixtures of points that you can list",
        .example = "convex_hull([[0, 0], [4, 0], [5, 2], [2, 4], [0, 3]])",
        .oracle = "the first point of smallest <d, v>; for d = 0 the first",
        .cost = "O(m n) for m points",
        .geometry =
            "of a simplex the incentre and its radius; else p and Sigma are the mean and the "
            "covariance of a D-optimal design of the points, r = sqrt(least eigenvalue of Sigma "
            "/ the largest (v - p)' Sigma^-1 (v - p)), a lower bound; R and D from the points",
        .exploration = "the points, with the weights of the design",
        .projection = "Wolfe's method, by the oracle alone",
        .reference = "P. Wolfe, Finding the nearest point in a polytope, 1976; F. John, "
                     "Extremum problems with inequalities as subsidiary conditions, 1948"}},
  };
}

}  // namespace keyhole::pages
