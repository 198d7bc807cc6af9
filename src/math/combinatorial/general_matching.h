// Matchings of largest weight in any graph, by LEMON (https://lemon.cs.elte.hu), whose headers are
// C++17 at most: this header is, too.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace keyhole::math {

// max of the sum of weights over all sets of edges of which no two meet: Edmonds' method (1965)
// with priority queues, O(nodes edges log nodes). In whole numbers, so without any rounding.
//
// The answer is a pure function of graph and weights. One a thread. Calls allocate.
class GeneralMatching {
 public:
  // Whether the library was built with LEMON; without it there are none of these to construct.
  static bool is_available() noexcept;

  // Weights are at most that.
  static constexpr std::int64_t largest_weight = std::int64_t{1} << 50;

  // Edges between different nodes.
  GeneralMatching(std::size_t nodes, const std::vector<std::pair<std::size_t, std::size_t>>& edges);
  GeneralMatching(const GeneralMatching&) = delete;
  GeneralMatching& operator=(const GeneralMatching&) = delete;
  ~GeneralMatching();

  // The edges of a heaviest matching, in their order, for a weight >= 0 of each edge; those of
  // weight 0 are left out. It holds until the next call.
  const std::vector<std::size_t>& heaviest(const std::vector<std::int64_t>& weights);

  // The same among the matchings that leave no node out; none if there is no such matching.
  const std::vector<std::size_t>& heaviest_perfect(const std::vector<std::int64_t>& weights);

 private:
  struct Graph;
  std::unique_ptr<Graph> graph_;
  std::vector<std::size_t> matching_;
};

}  // namespace keyhole::math
