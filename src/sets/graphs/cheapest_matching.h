// Matchings of least cost in any graph.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "keyhole/sets.h"
#include "math/combinatorial/general_matching.h"

namespace keyhole::sets {

/// min of the sum of costs over matchings. Costs are taken on a grid of 2^-50 of the power of two
/// at or above the largest magnitude, so that the sum is off by at most 2^-50 of that for each edge
/// it has; costs times a power of two give the same. One a thread. Calls allocate.
class CheapestMatching {
 public:
  /// Throws InvalidArgument if the library was built without LEMON.
  CheapestMatching(std::size_t nodes, std::span<const Edge> edges);

  /// The edges of one, in their order; only of costs below 0. It holds until the next call.
  std::span<const std::size_t> find(std::span<const double> costs);

  /// The same among those that leave no node out, of any costs; none if there is none.
  std::span<const std::size_t> find_perfect(std::span<const double> costs);

 private:
  math::GeneralMatching method_;
  std::vector<std::int64_t> weights_;
};

/// An oracle of the hull of the matchings, or of the perfect ones alone, that refers to no set.
[[nodiscard]] std::unique_ptr<Oracle> matching_oracle(std::size_t nodes,
                                                      std::span<const Edge> edges, bool perfect,
                                                      double slack);

}  // namespace keyhole::sets
