#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "keyhole/list.h"
#include "keyhole/set.h"
#include "keyhole/sets.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// Grows an independent set of a matroid one element at a time. It holds buffers, so each thread
/// takes its own; it may refer to its matroid, which must outlive it.
class IndependenceTest {
 public:
  IndependenceTest() = default;
  IndependenceTest(const IndependenceTest&) = delete;
  IndependenceTest& operator=(const IndependenceTest&) = delete;
  virtual ~IndependenceTest() = default;

  /// Back to the empty set.
  virtual void reset() = 0;
  /// Adds an element that has not been tried since reset() if the set stays independent, and says
  /// whether it did.
  virtual bool add(std::size_t element) = 0;
};

/// Which sets of the elements 0, 1, ..., n - 1 are independent:
///
/// 1. the empty set is, and so is every subset of an independent set;
/// 2. of two independent sets the smaller one can take an element of the larger one and stay so.
///
/// So all largest independent subsets of a set S have the same size, the rank of S; those of all
/// elements are the bases. Immutable, and safe to use from any number of threads. A matroid of your
/// own derives from this class.
class Matroid {
 public:
  Matroid(const Matroid&) = delete;
  Matroid& operator=(const Matroid&) = delete;
  virtual ~Matroid() = default;

  /// The number of elements n.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// The rank of a list of different elements: how many of them, tried in that order, join.
  [[nodiscard]] std::size_t rank(std::span<const std::size_t> elements) const;
  /// The rank of all elements, the size of every base.
  [[nodiscard]] std::size_t rank() const;

  /// A new test, of the empty set.
  [[nodiscard]] virtual std::unique_ptr<IndependenceTest> test() const = 0;
  /// A line of text, such as `uniform_matroid(5, 2)`: equal text means an equal matroid.
  [[nodiscard]] virtual std::string spec() const = 0;

 protected:
  /// Throws InvalidArgument without any element.
  explicit Matroid(std::size_t size);

 private:
  std::size_t size_;
};

/// Matroids are shared by the sets made of them.
using MatroidPtr = std::shared_ptr<const Matroid>;

/// Grows a set one element at a time, and says what each adds to a function F of sets. It holds
/// buffers, so each thread takes its own; it may refer to its function, which must outlive it.
class SubmodularGains {
 public:
  SubmodularGains() = default;
  SubmodularGains(const SubmodularGains&) = delete;
  SubmodularGains& operator=(const SubmodularGains&) = delete;
  virtual ~SubmodularGains() = default;

  /// Back to the empty set.
  virtual void reset() = 0;
  /// Adds an element that is not in the set yet: F after it less F before.
  virtual double add(std::size_t element) = 0;
};

/// A function F of the sets of the elements 0, 1, ..., n - 1 that is 0 for the empty set and
/// submodular: the larger a set, the less an element adds to it. Immutable, and safe to use from
/// any number of threads. A function of your own derives from this class, or is made by
/// submodular_function().
class SubmodularFunction {
 public:
  SubmodularFunction(const SubmodularFunction&) = delete;
  SubmodularFunction& operator=(const SubmodularFunction&) = delete;
  virtual ~SubmodularFunction() = default;

  /// The number of elements n.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// F of a list of different elements.
  [[nodiscard]] double value(std::span<const std::size_t> elements) const;

  /// New gains, of the empty set.
  [[nodiscard]] virtual std::unique_ptr<SubmodularGains> gains() const = 0;
  /// A line of text, which is the spec of submodular_bases(): equal text means an equal function.
  [[nodiscard]] virtual std::string spec() const = 0;

 protected:
  /// Throws InvalidArgument with fewer than two elements.
  explicit SubmodularFunction(std::size_t size);

 private:
  std::size_t size_;
};

/// Functions are shared, as sets are.
using SubmodularPtr = std::shared_ptr<const SubmodularFunction>;

namespace sets {

/// All sets of at most k of n elements, 0 <= k <= n.
[[nodiscard]] MatroidPtr uniform_matroid(std::size_t n, std::size_t k);

/// Sets with at most limits[g] elements of each group g: groups[i] is the group of element i. Every
/// group has an element.
[[nodiscard]] MatroidPtr partition_matroid(List<std::size_t> groups, List<std::size_t> limits);

/// Sets with at most limits[k] elements of sets[k], for sets of 0, ..., n - 1 of which any two are
/// nested or disjoint. Elements of none of them are free.
[[nodiscard]] MatroidPtr laminar_matroid(std::size_t n,
                                         const std::vector<std::vector<std::size_t>>& sets,
                                         List<std::size_t> limits);

/// Sets of edges without a cycle: the forests of a graph, whose edges have no direction. Parallel
/// edges are allowed; an edge from a node to itself is in no forest. Tests take almost constant
/// time (union-find, as in Kruskal's algorithm).
[[nodiscard]] MatroidPtr graphic_matroid(std::size_t nodes, List<Edge> edges);

}  // namespace sets

/// The rank of a list of different elements.
using RankFunction = std::function<std::size_t(std::span<const std::size_t> elements)>;

namespace sets {

/// The matroid with a given rank function, one call a test. It must be safe to call from several
/// threads and is trusted to be the rank of a matroid: 0 for the empty list, by 0 or 1 larger with
/// another element, and rank(S) + rank(T) >= rank(S and T) + rank(S or T). What is seen of the
/// opposite is refused with InvalidArgument: steps by other than 0 or 1, and in components of up to
/// 12 elements independent sets that are not those of a matroid. `name` stands for the matroid in
/// specs; equal names must mean equal matroids.
///
/// The plane of Fano, the 7 vectors of three bits that are not 0, dependent if some sum to 0:
///
///   const auto rank = [](std::span<const std::size_t> points) {
///     std::vector<std::size_t> span = {0};
///     for (const std::size_t point : points) {
///       if (std::find(span.begin(), span.end(), point + 1) != span.end()) continue;
///       for (std::size_t k = span.size(); k-- > 0;) span.push_back(span[k] ^ (point + 1));
///     }
///     return static_cast<std::size_t>(std::bit_width(span.size()) - 1);
///   };
///   const auto set = keyhole::matroid_bases(keyhole::matroid_of_rank(7, rank, "fano"));
[[nodiscard]] MatroidPtr matroid_of_rank(std::size_t n, RankFunction rank, std::string name);

/// Mixtures of the bases of a matroid.
///
/// - Set: the hull of the indicator vectors of the bases (Edmonds 1970): {x >= 0, x(S) <= rank(S)
///   for every set S of elements, x(E) = rank(E)}, where x(S) sums x over S and E has all n
///   elements. Membership of graphic matroids is decided by a minimum cut for each node (Padberg,
///   Wolsey 1983); that of others that are not uniform, partition or laminar by Wolfe's method.
/// - Oracle: the greedy algorithm (Edmonds 1971) takes the elements by rising (d_i, i), which for d
///   = 0 gives the first base in the order of the elements; sparse.
/// - Geometry: of uniform, partition and laminar matroids p shares the limit of a set between its
///   parts in proportion to their ranks (k/n for uniform ones), and r, R and D are exact. Of
///   others: for components of up to 12 elements p is the mean of all bases and r is exact, by all
///   inequalities; for a larger component of m elements p is the mean of bases that are the first
///   in random orders, from a fixed key, and r = 2 t / sqrt m is a lower bound: t is the largest
///   weight such that exchanges of f for e that bases of this weight allow lead from every element
///   to every other. R is exact. D = sqrt(2 min(rank, n - rank)) is a bound, and exact if two bases
///   are found that are so different. It is flat, of hull dimension n - components: x(C) = rank(C)
///   for each connected component C of the matroid.
/// - Projection: by thresholds for uniform, partition and laminar matroids, set by set from the
///   inside; else by Wolfe's method (Wolfe 1976; Fujishige, Isotani 2011). None for graphs of more
///   than 2000 edges. There is a gauge, and radii about other centres are exact, where all
///   inequalities are listed: for uniform, partition and laminar matroids, and where no component
///   has more than 12 elements.
/// - Cost: O(n log n) and n tests; O(n + k log k) for uniform matroids. The projection by
///   thresholds O(m log m) for a set of m elements.
/// - Refuses: a single base; more than 1,000,000 edges of a graph; of other matroids more than 2000
///   elements unless they are uniform, partition or laminar.
///
/// Elements that are in every base or in none are components of their own: their coordinate is
/// constant. Uniform and partition matroids are explored by random subsets, in closed form. In
/// graphs of more than 200 edges only exchanges between edges that meet are counted. In graphs of
/// more than 2000 edges membership takes long.
///
/// @code
/// const auto set = keyhole::matroid_bases(keyhole::partition_matroid({0, 0, 1, 1}, {1, 1}));
/// const bool inside = set->contains(std::vector<double>{1, 0, 0.5, 0.5});  // true
/// // keyhole::matroid_bases(keyhole::uniform_matroid(3, 3)) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr matroid_bases(MatroidPtr matroid);

/// Mixtures of the independent sets of a matroid.
///
/// - Set: the hull of the indicator vectors of the independent sets (Edmonds 1970): {x >= 0, x(S)
///   <= rank(S) for every set S of elements}.
/// - Oracle: as for matroid_bases(); elements with d_i >= 0 are not taken, so d = 0 gives 0.
/// - Geometry: with theta the share in which independent sets cover all elements of a component
///   evenly, min over S of rank(S) / |S|, p_i = theta / (1 + sqrt theta) in that component: then
///   all inequalities are at least p_i away, and r = min p_i, as for a simplex (rank 1) and a cube
///   (theta = 1). In components of more than 12 elements of matroids that are not uniform,
///   partition or laminar theta is the share of bases that share the load evenly, so p_i and r are
///   a little smaller; in graphs of more than 2000 edges at least 1/k for k forests with all edges,
///   from the order in which nodes can be taken away. R is exact. D^2 = the largest number of
///   elements that two independent sets cover, exact for uniform, partition and laminar matroids,
///   else bounded by min(n, 2 rank).
/// - Projection: as for matroid_bases().
/// - Cost: as for matroid_bases().
/// - Refuses: a matroid of which all elements are dependent alone (others may have such elements,
///   which are 0); sizes as for matroid_bases().
///
/// @code
/// const auto set = keyhole::independent_sets(keyhole::uniform_matroid(3, 2));
/// const bool inside = set->contains(std::vector<double>{1, 0.5, 0.25});  // true
/// // keyhole::independent_sets(keyhole::uniform_matroid(3, 0)) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr independent_sets(MatroidPtr matroid);

/// Mixtures of the spanning trees of a connected graph.
///
/// - Set: the hull of the spanning trees, a number for each edge:
///   matroid_bases(graphic_matroid(nodes, edges)).
/// - Oracle: a cheapest tree, as for matroid_bases().
/// - Geometry: as for matroid_bases(); flat.
/// - Projection: as for matroid_bases(); none above 2000 edges.
/// - Cost: as for matroid_bases(); a test takes almost constant time.
/// - Refuses: a graph that is not connected, with a node named; a tree, which is a single point; no
///   edge; more than 1,000,000 edges.
///
/// @code
/// const auto set = keyhole::spanning_trees(3, {{0, 1}, {1, 2}, {0, 2}});
/// const bool inside = set->contains(std::vector<double>{1, 0.5, 0.5});  // true
/// // keyhole::spanning_trees(3, {{0, 1}, {0, 1}}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr spanning_trees(std::size_t nodes, List<Edge> edges);

/// Mixtures of the sets that are independent in two matroids on the same elements.
///
/// - Set: the hull of the indicator vectors of the common independent sets: what independent_sets()
///   of both matroids have in common (Edmonds 1970), {x >= 0, x(S) <= rank(S) for every set S of
///   elements and both ranks}. Its vertices are 0-1 vectors, which is not so for three matroids.
/// - Oracle: a cheapest common independent set, sparse, by augmenting paths of least cost and
///   fewest elements (Lawler 1975; Frank 1981). It counts in whole numbers, on a grid of 2^-50 of
///   the power of two at or above the largest |d_i|: the value is off by at most that for each
///   element of the set. Elements that are not negative there are never taken, so d = 0 gives 0. Of
///   several of the least cost it is always the same.
/// - Geometry: p_i = the smaller one of the centres of the independent sets of both, r = the
///   smaller one of their inner radii, the largest about this p where theirs are. R is exact. D^2 =
///   the most elements that two common independent sets cover: exact if both matroids are uniform,
///   partition or laminar, by a largest common set of twice the limits; else bounded by n, by what
///   two independent sets of each matroid cover, and by twice the largest common set, and exact if
///   two sets are found that cover so many.
/// - Projection: none. There is a gauge, and r about other centres is exact, where both matroids
///   list all inequalities, as for matroid_bases().
/// - Cost: O(k a) for k paths, the elements of the largest common set at most, and a exchanges, at
///   most rank times n; several passes over them for a path.
/// - Refuses: matroids that have no element in common (those that are dependent alone in one of
///   them are 0); different numbers of elements; more than 2000 elements.
///
/// A choice with limits of two kinds is such a set: one task for each worker and one worker for
/// each task, or edges without a cycle of which each colour has a limit.
///
/// @code
/// const auto two = keyhole::uniform_matroid(4, 2);
/// const auto groups = keyhole::partition_matroid({0, 0, 1, 1}, {1, 2});
/// const auto set = keyhole::common_independent_sets(two, groups);
/// const bool inside = set->contains(std::vector<double>{0.5, 0.5, 1, 0});  // true
/// // keyhole::common_independent_sets(two, keyhole::uniform_matroid(3, 2)) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr common_independent_sets(const MatroidPtr& first, const MatroidPtr& second);
/// The same of two sets that independent_sets() made.
[[nodiscard]] SetPtr common_independent_sets(const SetPtr& first, const SetPtr& second);

/// F(S) = the weight of the edges of a graph with one end in S and one outside.
[[nodiscard]] SubmodularPtr cut_function(std::size_t nodes, List<Edge> edges, List<double> weights);

/// F(S) = the weight of all that elements of S cover: element e covers the places covers[e] of the
/// list of weights.
[[nodiscard]] SubmodularPtr coverage_function(const std::vector<std::vector<std::size_t>>& covers,
                                              List<double> weights);

/// A function of your own: value(S) for a list of different elements, 0 for none. It must be
/// submodular, and callable from several threads at once; what elements 0, 1, ... add in this order
/// is checked.
[[nodiscard]] SubmodularPtr submodular_function(
    std::size_t n, std::function<double(std::span<const std::size_t> elements)> value,
    std::string name = "submodular_bases");

/// The base polytope of a submodular function F.
///
/// - Set: {x(S) <= F(S) for every set S of elements, x(all) = F(all)}, x(S) the sum of x_i over S
///   (Edmonds 1970). Membership by Wolfe's method, to 1e-9 R, which minimises F(S) - x(S)
///   (Fujishige 1980). If F depends on the number of elements alone this is a permutahedron().
/// - Oracle: elements by rising (d_i, i), each with what it adds to F (Edmonds 1970).
/// - Geometry: from vertices, as for own_set(); r is a lower bound, R and D are upper bounds; flat.
/// - Projection: Wolfe's method for the nearest point (1976), with a certificate.
/// - Cost: O(n log n) and n gains: the edges of the graph for cut_function(), all that elements
///   cover for coverage_function().
/// - Refuses: functions of which all orders give the same point; more than 1500 elements; numbers
///   beyond 1e50; weights that are not positive, edges from a node to itself, elements that cover
///   nothing or something twice; functions of your own that are seen not to be submodular.
///
/// @code
/// const auto cut = keyhole::cut_function(3, {{0, 1}, {1, 2}}, {1, 2});
/// const auto set = keyhole::submodular_bases(cut);
/// const bool inside = set->contains(std::vector<double>{0.5, 1, -1.5});  // true
/// // keyhole::cut_function(2, {{0, 0}}, {1}) throws InvalidArgument
/// @endcode
[[nodiscard]] SetPtr submodular_bases(SubmodularPtr function);

}  // namespace sets

using sets::cut_function, sets::coverage_function, sets::submodular_function,
    sets::submodular_bases;
using sets::uniform_matroid, sets::partition_matroid, sets::laminar_matroid, sets::graphic_matroid,
    sets::matroid_of_rank, sets::matroid_bases, sets::independent_sets, sets::spanning_trees,
    sets::common_independent_sets;

}  // namespace keyhole
#pragma GCC visibility pop
