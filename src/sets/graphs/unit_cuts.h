// Minimum cuts of a network, as far as they are below 1.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace keyhole::sets {

/// Maximum flows from any node to any other, each stopped at 1, along paths with the fewest arcs
/// (Edmonds, Karp 1972). Made for one question. One a thread.
class UnitCuts {
 public:
  explicit UnitCuts(std::size_t nodes);

  [[nodiscard]] std::size_t nodes() const { return from_.size(); }

  /// What can flow from a to b, and from b to a. Less than 1e-13 is rounding, and left out.
  void add(std::size_t a, std::size_t b, double forward, double backward);

  /// The lesser of 1 and the minimum cut between s and t.
  double cut(std::size_t s, std::size_t t);

  /// After a cut below 1: whether a node is on the side of s.
  [[nodiscard]] bool is_reached(std::size_t node) const { return reached_[node] != 0; }

 private:
  // Arcs 2 k and 2 k + 1 are the two ways of one pair.
  struct Arc {
    std::size_t to;
    double capacity;
    double room;
  };
  bool find_path(std::size_t s, std::size_t t);

  std::vector<Arc> arcs_;
  std::vector<std::vector<std::size_t>> from_;  // the arcs that leave a node
  std::vector<std::uint8_t> reached_;
  std::vector<std::size_t> via_;  // the arc that reached a node
  std::vector<std::size_t> queue_;
};

}  // namespace keyhole::sets
