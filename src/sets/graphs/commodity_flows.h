// Which flows several commodities have that share the capacities of a network.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "keyhole/graphs.h"
#include "keyhole/polytope.h"
#include "math/programs/bounded_simplex.h"
#include "math/programs/sparse_program.h"

namespace keyhole::sets {

/// What was asked for. Coordinate k E + e is what commodity k sends along edge e of E.
struct CommodityNetwork {
  std::size_t nodes;
  std::vector<Edge> edges;
  std::vector<Commodity> commodities;
  std::vector<double> capacities;

  [[nodiscard]] std::size_t dimension() const { return edges.size() * commodities.size(); }
  [[nodiscard]] std::size_t edge_of(std::size_t j) const { return j % edges.size(); }
  [[nodiscard]] std::size_t commodity_of(std::size_t j) const { return j / edges.size(); }
  /// What leaves the node less what enters it.
  [[nodiscard]] double supply(std::size_t k, std::size_t node) const;
};

/// Linear programs over the flows: a dense matrix, or where that is too large a sparse one. One a
/// thread.
class CommodityProgram {
 public:
  /// Throws InvalidArgument, naming a commodity or the share that fits, if there is no flow.
  explicit CommodityProgram(const CommodityNetwork& network);

  /// A vertex that minimises <c, f>; it holds until the next call.
  [[nodiscard]] std::span<const double> minimise(std::span<const double> c);

 private:
  std::optional<math::BoundedSimplex> dense_;
  std::optional<math::SparseProgram> sparse_;
};

/// What the coordinates can be, and which inequalities hold with equality for all flows: those are
/// found by linear programs, most of them at one glance at vertices that were found for others.
struct CommodityExtremes {
  /// Above it least and largest are bounds: 0 and the capacity, or the amount where the graph has
  /// no cycles.
  static constexpr std::size_t most_exact_coordinates = 300;

  std::vector<double> least;
  std::vector<double> largest;
  /// The coordinates that are the same in every flow, where least = largest.
  std::vector<bool> fixed;
  /// The edges whose capacity every flow uses up.
  std::vector<bool> full;

  /// Throws InvalidArgument unless there is more than one flow.
  explicit CommodityExtremes(const CommodityNetwork& network);
};

/// The flows in the coordinates that are not fixed, with room for every inequality.
[[nodiscard]] PolytopeConstraints free_flows(const CommodityNetwork& network,
                                             const CommodityExtremes& extremes);

}  // namespace keyhole::sets
