#include "pages/set_texts.h"

namespace keyhole::pages {

std::vector<SetText> order_texts() {
  return {
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
  };
}

}  // namespace keyhole::pages
