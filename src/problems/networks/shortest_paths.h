#pragma once

#include <cstddef>
#include <vector>

namespace keyhole::problems {

/// A directed link of a network, between nodes that are numbered from 0.
struct Link {
  /// Where it leaves.
  std::size_t from = 0;
  /// Where it arrives.
  std::size_t to = 0;
  /// Its length, above 0.
  double weight = 1;
};

/// The links of a path, in order.
using Path = std::vector<std::size_t>;

/// The `most` shortest paths from one node to another that visit no node twice, shortest first; of
/// equally short ones that with the earlier links first. Fewer, if there are no more. By Yen's
/// algorithm ("Finding the k shortest loopless paths in a network", 1971).
[[nodiscard]] std::vector<Path> shortest_paths(const std::vector<Link>& links, std::size_t nodes,
                                               std::size_t from, std::size_t to, std::size_t most);

}  // namespace keyhole::problems
