#include "pages/set_texts.h"

namespace keyhole::pages {
namespace {

const char* const matrix_projection =
    "up to 1000 entries: Newton's method on the dual function, with a multiplier for each row and "
    "column, O((m + n)^3) a step; where rounding stops it, the dual active set method";

}  // namespace

std::vector<SetText> distribution_texts() {
  return {
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
  };
}

}  // namespace keyhole::pages
