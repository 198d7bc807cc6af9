#pragma once

#include <cstddef>

#include "keyhole/list.h"
#include "keyhole/set.h"
#include "keyhole/sets.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// What is sent from one node to another, counted from 0.
struct Commodity {
  /// Where it begins.
  std::size_t source = 0;
  /// Where it ends.
  std::size_t sink = 0;
  /// How much of it flows.
  double amount = 1;
};

namespace sets {

/// Flows through any directed graph, with capacities.
///
/// - Set: {0 <= f <= capacities : f has divergence amount at the source, -amount at the sink, 0
///   elsewhere}, a number for each edge: cycles, parallel edges and loops are allowed. The
///   divergence of a node is what leaves it less what enters it. Without capacities the flow around
///   a cycle would have no bound. Vertices are whole if capacities and amount are; for capacities
///   and amount 1 they are the paths from the source to the sink, together with cycles apart from
///   them.
/// - Oracle: a vertex among the flows of least cost, by successive shortest paths with potentials
///   (Edmonds, Karp 1972), sparse. Edges of negative cost are filled, then the excess of each node,
///   in their order, goes by Dijkstra's method to the nearest node that lacks some; of paths of the
///   same cost one with the fewest edges is taken. So d = 0 sends the amount along paths of fewest
///   edges.
/// - Geometry: p = the mean of vertices that attain the least and the largest flow of every edge. r
///   = min_e min(p_e, capacity_e - p_e) / ||P e_e||, P the projection onto the circulations: exact
///   (up to 1e9 = nodes^2 edges; a lower bound beyond). With l_e and u_e that least and largest
///   flow, R^2 = sum (p_e^2 - l_e u_e) + max over K of sum (l_e + u_e - 2 p_e) f_e, exact where
///   vertices take no values between (capacities at most 1, whole amount), an upper bound
///   elsewhere; D is an upper bound. It is flat, of hull dimension edges - nodes + components,
///   counting only the edges on which two flows can differ.
/// - Projection: up to 1000 edges by Newton's method on the dual function; none above. The gauge is
///   that of the bounds.
/// - Cost: O(k (edges log edges)) for k paths, at most about the number of edges of negative cost
///   for unit capacities.
/// - Refuses: an amount above the largest flow, capacities more than 1000 R, a single flow, each
///   with the edge or node named; more than 5000 nodes; an amount or a capacity outside 1e-50 to
///   1e50.
///
/// An edge that no flow uses, such as one into a dead end, is a coordinate that is always 0, so
/// that the edges of a road network keep their numbers. Up to 1500 edges it is explored by sampled
/// vertices, or where there are cycles by cheapest flows for positive costs, which carry nothing
/// around them, and by flows with short cycles for what those do not tell.
///
/// @code
/// const auto set = keyhole::flow(3, {{0, 1}, {1, 2}, {0, 2}}, 0, 2, {2, 2, 1}, 2);
/// const bool inside = set->contains(std::vector<double>{1.5, 1.5, 0.5});  // true
/// // keyhole::flow(3, {{0, 1}, {1, 2}, {0, 2}}, 0, 2, {2, 2, 1}, 4) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr flow(std::size_t nodes, List<Edge> edges, std::size_t source, std::size_t sink,
                          List<double> capacities, double amount = 1);
/// The same with one capacity for all edges.
[[nodiscard]] SetPtr flow(std::size_t nodes, List<Edge> edges, std::size_t source, std::size_t sink,
                          double capacity = 1, double amount = 1);

/// Flows of several commodities through any directed graph, which share its capacities.
///
/// - Set: {f >= 0 : the flow of each commodity has divergence amount at its source, -amount at its
///   sink, 0 elsewhere, and what all commodities together send along an edge is at most its
///   capacity}, a number for each commodity and edge, commodity by commodity. Vertices need not be
///   whole where capacities and amounts are. For one commodity it is flow().
/// - Oracle: the simplex method, as for polytope(), on the numbers that differ between flows; ties
///   and the zero direction as there.
/// - Geometry: p and r are the centre and radius of a largest inscribed ball within the hull. With
///   l and u the least and the largest value of each coordinate, by up to two linear programs each,
///   R^2 <= sum (p^2 - l u) + max over K of sum (l + u - 2 p) f, as for flow(); R and D are upper
///   bounds. Above 300 numbers l is 0 and u the capacity, or the amount where the graph has no
///   cycles. It is flat: besides the divergences it keeps all numbers that are the same in every
///   flow, and all capacities that every flow uses up.
/// - Projection: that of polytope(), up to 250,000 places in its matrices; none above. The gauge is
///   that of the bounds and the capacities.
/// - Cost: that of polytope(): O(rows n) a pivot, for n numbers.
/// - Refuses: a commodity that does not fit the capacities alone, and amounts that do not fit
///   together, with the share of them that does; a single flow; more than 3000 numbers; an amount
///   or a capacity outside 1e-50 to 1e50; each with the commodity or the edge named.
///
/// An edge that a commodity cannot use is a coordinate that is always 0, as for flow(). Where the
/// graph has cycles it is explored like flow(), up to 300 numbers: by cheapest flows for positive
/// costs, which carry nothing around them, and by flows with short cycles for what those do not
/// tell. Else it is explored by sampled vertices, and above 500 numbers by the inscribed sphere.
///
/// @code
/// // A unit from node 0 to node 2 and half a unit from 1 to 2 share the edge 1 -> 2.
/// const auto set = keyhole::multicommodity_flow(3, {{0, 1}, {1, 2}, {0, 2}, {1, 2}},
///                                               {{0, 2, 1}, {1, 2, 0.5}}, {1, 1, 1, 0.25});
/// const std::vector<double> f = {0.5, 0.5, 0.5, 0, 0, 0.375, 0, 0.125};
/// const bool inside = set->contains(f);  // true
/// // keyhole::multicommodity_flow(2, {{0, 1}}, {{1, 0, 1}}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr multicommodity_flow(std::size_t nodes, List<Edge> edges,
                                         List<Commodity> commodities, List<double> capacities);
/// The same with one capacity for all edges.
[[nodiscard]] SetPtr multicommodity_flow(std::size_t nodes, List<Edge> edges,
                                         List<Commodity> commodities, double capacity = 1);

/// Mixtures of the matchings of a bipartite graph.
///
/// - Set: {x >= 0 : for each node the sum over its edges is at most 1}, a number for each edge:
///   `left` and `right` nodes, each counted from 0, and edges from left to right. Its vertices are
///   the matchings (Birkhoff 1946).
/// - Oracle: a matching of least cost, sparse, by successive shortest paths: the left nodes join
///   one by one, each along a cheapest alternating path, of several one with the fewest edges.
///   Edges of cost 0 or more are left out but for ties, so d = 0 gives no edges.
/// - Geometry: p = s (1, ..., 1), s = 1 / (k + sqrt k) with k the most edges at a node; r = s; R^2
///   = ||p||^2 + max over matchings of sum (1 - 2 p_e); D^2 = the most edges of which no node has
///   more than two; all exact.
/// - Projection: none. The gauge is that of the bounds.
/// - Cost: O(left (edges log edges)).
/// - Refuses: no edges; edges between other nodes; more than 1e7 edges.
///
/// @code
/// const auto set = keyhole::bipartite_matchings(2, 2, {{0, 0}, {0, 1}, {1, 1}});
/// const bool inside = set->contains(std::vector<double>{0.5, 0.5, 0.5});  // true
/// // keyhole::bipartite_matchings(2, 2, {{0, 2}}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr bipartite_matchings(std::size_t left, std::size_t right, List<Edge> edges);
/// The same with all pairs as edges, row by row.
[[nodiscard]] SetPtr bipartite_matchings(std::size_t left, std::size_t right);

/// Mixtures of b-matchings of a bipartite graph: what each edge carries, within limits of nodes.
///
/// - Set: {0 <= x <= capacities : for each node the sum over its edges is at most its
///   limit}, a number for each edge: `left` and `right` are the limits of the nodes of each
///   side, and edges go from left to right nodes, each side counted from 0. Its vertices are
///   whole if limits and capacities are: the b-matchings of the graph, simple ones for
///   capacities of 1. (In graphs that are not bipartite odd sets of nodes would have limits
///   of their own: those are not covered.)
/// - Oracle: a b-matching of least cost, sparse, by successive shortest paths as for flow().
///   Edges of cost 0 or more are left out but for ties, so d = 0 gives no edges.
/// - Geometry: with c_e the least of the capacity of an edge and the limits of its ends, and
///   w_e the least of c_e and limit / degree of its ends, p = s w with the largest s for
///   which all bounds are s min w away, and r = s min w; R^2 = ||p||^2 + max over K of sum
///   (c_e - 2 p_e) x_e; D^2 = max of sum c_e x_e for limits twice as large; both are exact
///   for c_e = 1 and whole limits, else upper bounds.
/// - Projection: none. The gauge is that of the bounds.
/// - Cost: O(k edges log edges) for k paths, at least one a left node.
/// - Refuses: limits and capacities that are not positive; no edges; edges between other
///   nodes; more than 1e6 edges.
///
/// @code
/// const auto set = keyhole::b_matchings({2, 1}, {1, 2}, {{0, 0}, {0, 1}, {1, 1}});
/// const bool inside = set->contains(std::vector<double>{1, 0.5, 1});  // true
/// // keyhole::b_matchings({2, 0}, {1, 2}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr b_matchings(List<double> left, List<double> right, List<Edge> edges,
                                 List<double> capacities);
/// The same with one capacity for all edges.
[[nodiscard]] SetPtr b_matchings(List<double> left, List<double> right, List<Edge> edges,
                                 double capacity = 1);
/// The same with all pairs as edges, row by row.
[[nodiscard]] SetPtr b_matchings(List<double> left, List<double> right, List<double> capacities);
/// All pairs with one capacity.
[[nodiscard]] SetPtr b_matchings(List<double> left, List<double> right, double capacity = 1);

/// Mixtures of the matchings of any graph: sets of edges of which no two meet.
///
/// - Set: {x >= 0 : x(v) <= 1 for each node v, x(S) <= (|S| - 1) / 2 for each odd set S of nodes},
///   x(v) the sum over the edges at v and x(S) that over the edges within S (Edmonds 1965): the
///   hull of the matchings as 0-1 vectors. Parallel edges are allowed; loops are 0. Membership by
///   the sums at nodes, and minimum cuts for the odd sets (Padberg, Rao 1982).
/// - Oracle: a heaviest matching of the weights -d_e > 0, sparse, by LEMON's version of Edmonds'
///   method; edges of cost 0 or more are never in it, so d = 0 gives no edges. It counts in whole
///   numbers, on a grid of 2^-50 of the power of two at or above the largest |d_e|: the value is
///   off by at most that for each edge of the matching. Of several of the least cost it is always
///   the same.
/// - Geometry: p = s (1, ..., 1), r = s, the largest s that is as far from all other facets, with k
///   (k - 1) / 2 (most between two nodes), k (largest degree) / 2 and all edges as bounds on those
///   within k nodes; R^2 =
///   ||p||^2 + (1 - 2 s) (the size of a largest matching); r and R are exact, D <= sqrt 2 that size
///   and other bounds.
/// - Projection: none.
/// - Cost: O(nodes edges log nodes); allocates.
/// - Refuses: no edges but loops; more than 1e6 edges; all where the library was built without
///   LEMON (KEYHOLE_WITH_LEMON).
///
/// @code
/// const auto set = keyhole::matchings(3, {{0, 1}, {1, 2}, {0, 2}});
/// const bool inside = set->contains(std::vector<double>{0.25, 0.25, 0.5});  // true
/// // keyhole::matchings(3, {{0, 0}}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr matchings(std::size_t nodes, List<Edge> edges);

/// Mixtures of the ways to pair an even number of nodes.
///
/// - Set: {x >= 0 : x(v) = 1 for each node v, x(cut of S) >= 1 for each odd set S of nodes}
///   (Edmonds 1965), a number for each pair (0, 1), (0, 2), ..., (1, 2), ... of n = `nodes` nodes,
///   even and at least 4: the hull of the perfect matchings of the complete graph as 0-1 vectors.
///   Membership as for matchings().
/// - Oracle: a perfect matching of least cost, sparse, as for matchings(); of several of the least
///   cost, and for d = 0, always the same.
/// - Geometry: p = (1, ..., 1) / (n - 1); r = the least of p_e sqrt((n - 1) / (n - 3)) and, for k =
///   3, 5, ... up to n / 2, (k (n - k) / (n - 1) - 1) / ||P cut||, ||P cut||^2 = k (n - k) (1 - ((n
///   - k) (n - 1 - k) + k (k - 1)) / ((n - 1) (n - 2))); R^2 = n / 2 (n - 2) / (n - 1); D = sqrt n;
///   all exact; flat, of hull dimension n (n - 3) / 2.
/// - Projection: none.
/// - Cost: O(n^3 log n); allocates.
/// - Refuses: odd n; n < 4; n > 1000; all where the library was built without LEMON
///   (KEYHOLE_WITH_LEMON).
///
/// @code
/// const auto set = keyhole::perfect_matchings(4);
/// const bool inside = set->contains(std::vector<double>{0, 0.5, 0.5, 0.5, 0.5, 0});  // true
/// // keyhole::perfect_matchings(5) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr perfect_matchings(std::size_t nodes);

/// The same for any graph: a number for each edge, 0 for those that are in no perfect matching. The
/// dimension of the hull depends on the graph.
///
/// Oracle and membership as for the complete graph, O(nodes edges log nodes). The hull, p and r are
/// found by asking for matchings: those of +-e_i and of random directions from a fixed key; p is
/// the mean of a nearly D-optimal design of them, and r a lower bound, as for own_set(). R is
/// exact, D an upper bound. Explored by those matchings, with the weights of the design. There is
/// no projection.
///
/// Parallel edges are allowed; loops are 0. Refused: a graph with no perfect matching or a single
/// one, more than 1500 edges, all where the library was built without LEMON.
[[nodiscard]] SetPtr perfect_matchings(std::size_t nodes, List<Edge> edges);

/// Mixtures of arborescences: ways to reach every node of a directed graph from its root.
///
/// - Set: the convex hull of the arborescences, as 0-1 vectors: the sets of edges of which
///   one enters each node but the root, and which lead from the root to every node. {x >= 0
///   : 1 enters each node but the root, at least 1 enters each set of nodes without the
///   root, nothing enters the root} (Edmonds 1967), a number for each edge; 0 for those that
///   are in no arborescence. Parallel edges and loops are allowed.
/// - Oracle: a cheapest arborescence, sparse: every node takes the cheapest edge that enters
///   it, and cycles of those become one node (Chu, Liu 1965; Edmonds 1967), with leftist
///   heaps (Tarjan 1977); of equal edges the first, so d = 0 gives the first edges that lead
///   on.
/// - Geometry: the hull, p and r are found by asking for arborescences: those of +-e_i and
///   of random directions from a fixed key; p is the mean of a nearly D-optimal design of
///   them, and r a lower bound, as for own_set(). R is exact, D an upper bound; flat, of at
///   most edges - nodes + 1 dimensions.
/// - Projection: none, and no gauge. Membership by the sums at the nodes, and a minimum cut
///   between the root and each node.
/// - Cost: O(edges log edges).
/// - Refuses: a node that the root does not lead to; a single arborescence; more than 1500
///   edges.
///
/// @code
/// const auto set = keyhole::arborescences(3, {{0, 1}, {0, 2}, {1, 2}});
/// const bool inside = set->contains(std::vector<double>{1, 0.5, 0.5});  // true
/// // keyhole::arborescences(3, {{0, 1}, {1, 0}}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr arborescences(std::size_t nodes, List<Edge> edges, std::size_t root = 0);

}  // namespace sets

using sets::flow, sets::multicommodity_flow, sets::bipartite_matchings, sets::b_matchings,
    sets::matchings, sets::perfect_matchings, sets::arborescences;

}  // namespace keyhole
#pragma GCC visibility pop
