// The nearest flow of a network.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "keyhole/set.h"
#include "keyhole/sets.h"
#include "math/programs/dual_active_set.h"
#include "math/programs/flow_newton.h"

namespace keyhole::sets {

/// What leaves each node less what enters it is given, and each edge has bounds.
struct BoundedFlows {
  std::vector<Edge> edges;
  std::vector<double> supplies;  // of the nodes
  std::vector<double> lower;
  std::vector<double> upper;
};

/// Projects onto flows by Newton's method on the dual function and, where rounding stops that, the
/// dual active set method. There is a row for each node but one of each component of the edges
/// whose bounds differ: that one follows from the others. After construction nothing allocates. One
/// a thread.
class FlowProjection {
 public:
  /// Above it the dual active set method takes seconds, and memory for some squares of so many.
  static constexpr std::size_t most_coordinates = 1000;
  /// Up to it an oracle makes one with itself; above it, for its memory, at the first call.
  static constexpr std::size_t few_coordinates = 100;

  /// The set has these flows, all of them in the box [low, high].
  FlowProjection(const Set& set, const BoundedFlows& flows, std::vector<double> low,
                 std::vector<double> high);

  /// The two spans may be the same. False if rounding errors prevent an answer.
  [[nodiscard]] bool project(std::span<const double> point, std::span<double> nearest);

 private:
  math::LinearConstraints constraints_;
  std::vector<math::ArcRows> arcs_;
  std::vector<double> low_;
  std::vector<double> high_;
  math::FlowNewton newton_;
  math::DualActiveSet active_set_;
};

}  // namespace keyhole::sets
