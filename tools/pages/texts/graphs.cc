#include "pages/set_texts.h"

namespace keyhole::pages {

std::vector<SetText> graph_texts() {
  return {
      {"unit_flow",
       {.use = "a route, or how traffic divides over the routes, through a network without cycles",
        .example = "unit_flow(4, [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]], 0, 3)",
        .oracle = "a shortest path, 1 on its edges, by dynamic programming in topological "
                  "order; of several edges that leave a node at the same cost the first",
        .cost = "O(edges); flatten O(nodes^2 + edges)",
        .geometry =
            "p the mean of a random path, r = min p_e/||P e_e||, P the projection onto the "
            "circulations, R exact by a longest path, D <= sqrt(2 longest path): an upper bound",
        .exploration = "up to 400 edges random paths with their covariance exactly; else the "
                       "inscribed sphere",
        .projection = "up to 1000 edges, as for flow"}},
      {"path_splits",
       {.use = "how each of several demands divides over its own list of paths",
        .example = "path_splits([3, 2])",
        .oracle = "demand by demand the first path of smallest d",
        .cost = "O(n)",
        .geometry =
            "p side by side, r = min r_i, R^2 = sum R_i^2, D^2 = sum D_i^2 of the simplices",
        .exploration = "independent draws of the simplices",
        .projection = "demand by demand, as for simplex"}},
      {"flow",
       {.use = "traffic from one place to another through any network, within capacities",
        .example = "flow(4, [[0, 1], [0, 2], [1, 2], [2, 1], [1, 3], [2, 3]], source=0, sink=3)",
        .oracle = "a flow of least cost that is a vertex: edges of negative cost are filled, then "
                  "the excess of each node, in their order, goes to the nearest node that lacks "
                  "some; of paths of the same cost one with the fewest edges; d = 0 sends the "
                  "amount along paths with the fewest edges",
        .cost = "O(k edges log edges) for k paths",
        .geometry =
            "p = the mean of vertices that attain the least and the largest flow l_e, u_e of "
            "every edge, r = min_e min(p_e, capacity_e - p_e) / ||P e_e|| with P the projection "
            "onto the circulations, R^2 = sum (p_e^2 - l_e u_e) + max sum (l_e + u_e - 2 p_e) "
            "f_e (exact for whole amounts and capacities of 1, else a bound), D a bound",
        .exploration =
            "up to 1500 edges sampled vertices; of graphs with cycles cheapest flows for "
            "positive costs, which carry nothing around cycles, and flows with short "
            "cycles for the directions that those do not have; above it the inscribed "
            "sphere",
        .projection =
            "up to 1000 edges: Newton's method on the dual function, with a potential for "
            "each node, O(edges + nodes^3) a step; where rounding stops it, the dual "
            "active set method",
        .reference = "J. Edmonds, R. Karp, Theoretical improvements in algorithmic efficiency for "
                     "network flow problems, 1972"}},
      {"multicommodity_flow",
       {.use = "traffic between several pairs of places that share the capacities of a network",
        .example = "multicommodity_flow(2, [[0, 1], [0, 1]], [[0, 1, 1], [0, 1, 1]], "
                   "capacities=1.75)",
        .oracle = "the simplex method, as for polytope, on the numbers that differ between flows; "
                  "numbers that are the same in every flow are constant",
        .cost = "O(rows n) a pivot: a row for each edge, and for each node and commodity",
        .geometry = "p and r: a largest inscribed ball within the hull; R^2 <= sum (p^2 - l u) + "
                    "max sum (l + u - 2 p) f, with l and u the least and the largest value of each "
                    "coordinate (above 300 coordinates bounds of them); R and D are bounds",
        .exploration = "vertices of random directions; of graphs with cycles, up to 300 "
                       "coordinates, cheapest flows for positive costs and flows with short "
                       "cycles, as for flow; with the weights of a D-optimal design; above 500 "
                       "coordinates the inscribed sphere",
        .projection = "as for polytope; none with more than 250,000 places in a matrix",
        .reference = "T. C. Hu, Multi-commodity network flows, 1963"}},
      {"bipartite_matchings",
       {.use = "pairs between two sides, such as drivers and riders, where some may stay alone",
        .example = "bipartite_matchings(2, 2, edges=[[0, 0], [0, 1], [1, 0]])",
        .oracle = "a matching of least cost: the left nodes join one by one, each along a cheapest "
                  "alternating path, of several one with the fewest edges; d = 0 gives no edges",
        .cost = "O(left edges log edges)",
        .geometry =
            "p = s (1, ..., 1), s = 1 / (k + sqrt k) with k the most edges at a node, r = s, "
            "R^2 = ||p||^2 + max over matchings of sum (1 - 2 p_e), D^2 = the most edges of "
            "which no node has more than two; exact",
        .exploration = "sampled vertices up to 1500 edges, above it the inscribed sphere",
        .reference =
            "G. Birkhoff, Tres observaciones sobre el algebra lineal, 1946; J. Edmonds, R. Karp, "
            "Theoretical improvements in algorithmic efficiency for network flow problems, 1972"}},
      {"b_matchings",
       {.use = "assignments where one side takes several, such as reviewers and papers",
        .example = "b_matchings([2, 1], [1, 1], edges=[[0, 0], [0, 1], [1, 0]])",
        .oracle = "a b-matching of least cost, by successive shortest paths; d = 0 gives no edges. "
                  "Only bipartite graphs: in others odd sets of nodes have limits of their own",
        .cost = "O(k edges log edges) for k paths, at least one a left node",
        .geometry =
            "with c_e the least of the capacity and the limits of the ends, and w_e the least of "
            "c_e and limit / degree of the ends: p = s w with the largest s for which all bounds "
            "are s min w away, r = s min w, R^2 = ||p||^2 + max sum (c_e - 2 p_e) x_e, D^2 = max "
            "sum c_e x_e for limits twice as large; both exact for c_e = 1 and whole limits, else "
            "bounds",
        .exploration = "sampled vertices up to 1500 edges, above it the inscribed sphere",
        .reference = "J. Edmonds, R. Karp, Theoretical improvements in algorithmic efficiency for "
                     "network flow problems, 1972"}},
      {"matchings",
       {.use = "pairs among all, such as players, where some may stay alone",
        .example = "matchings(3, [[0, 1], [1, 2], [0, 2]])",
        .oracle = "a matching of least cost; edges of cost 0 or more are never in it, so d = 0 "
                  "gives no edges; in whole numbers, on a grid of 2^-50 of the power of two at "
                  "or above the largest |d_e|",
        .cost = "O(nodes edges log nodes)",
        .geometry = "p = s (1, ..., 1), r = s, the largest s that is as far from the sums at "
                    "nodes and within odd sets, R^2 = ||p||^2 + (1 - 2 s) (the size of a largest "
                    "matching), exact; D a bound",
        .exploration = "sampled vertices up to 1500 edges, above it the inscribed sphere",
        .reference = "J. Edmonds, Maximum matching and a polyhedron with 0,1-vertices, 1965; M. "
                     "Padberg, M. Rao, Odd minimum cut-sets and b-matchings, 1982"}},
      {"perfect_matchings",
       {.use = "pairs among all, where nobody stays alone",
        .example = "perfect_matchings(4)",
        .oracle =
            "a perfect matching of least cost; of several, and for d = 0, always the same; in "
            "whole numbers, on a grid of 2^-50 of the power of two at or above the largest "
            "|d_e|",
        .cost = "O(n^3 log n)",
        .geometry =
            "p = (1, ..., 1) / (n - 1), r = min of p_e sqrt((n - 1) / (n - 3)) and, for k = "
            "3, 5, ..., n / 2, (k (n - k) / (n - 1) - 1) / ||P cut|| with the cut around k "
            "nodes, R^2 = n (n - 2) / (2 (n - 1)), D = sqrt n; exact. With a list of edges: the "
            "hull, p and r from the matchings that random directions find, r a lower bound, R "
            "exact, D a bound",
        .exploration = "uniform perfect matchings; with a list of edges, 1500 at most, the "
                       "matchings that were found, with the weights of a D-optimal design",
        .reference = "J. Edmonds, Maximum matching and a polyhedron with 0,1-vertices, 1965; M. "
                     "Padberg, M. Rao, Odd minimum cut-sets and b-matchings, 1982"}},
      {"arborescences",
       {.use = "one-way links that lead from a root to everybody, such as a broadcast",
        .example = "arborescences(3, [[0, 1], [0, 2], [1, 2], [2, 1]])",
        .oracle = "a cheapest arborescence: every node takes the cheapest edge that enters it, of "
                  "equal ones the first, and cycles of those become one node; membership by a "
                  "minimum cut between the root and each node",
        .cost = "O(edges log edges)",
        .geometry = "the hull, p and r from the arborescences that random directions find, r a "
                    "lower bound; R^2 = ||p||^2 + max sum (1 - 2 p_e) exact, D a bound",
        .exploration = "the arborescences that were found, with the weights of a D-optimal design, "
                       "above 400 edges with equal ones; at most 1500 edges",
        .reference = "J. Edmonds, Optimum branchings, 1967; R. Tarjan, Finding optimum branchings, "
                     "1977"}},
  };
}

}  // namespace keyhole::pages
