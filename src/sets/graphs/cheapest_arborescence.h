// The cheapest tree that leads from a root to all nodes of a directed graph.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "keyhole/sets.h"

namespace keyhole::sets {

/// min of the sum of costs over arborescences: sets of edges of which one enters each node but the
/// root, and which lead from the root to all nodes. Every node takes the cheapest edge that enters
/// it; a cycle of these becomes one node, which an edge enters at the cost of what it replaces
/// (Chu, Liu 1965; Edmonds, "Optimum branchings", 1967), with leftist heaps for the edges that
/// enter a node (Tarjan, "Finding optimum branchings", 1977). O(edges log edges).
///
/// Of equal costs the first edge enters. After construction nothing allocates. One a thread.
class CheapestArborescence {
 public:
  /// Every node can be reached from the root.
  CheapestArborescence(std::size_t nodes, std::span<const Edge> edges, std::size_t root);

  /// The edges that enter the nodes but the root, in the order of the nodes. It holds until the
  /// next call.
  std::span<const std::size_t> find(std::span<const double> costs);

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// An edge in a heap of edges that enter the same node; least cost first.
  struct Heap {
    double cost;
    double change;  // of all below, that they do not know of yet
    std::size_t left;
    std::size_t right;
    std::size_t rank;  // edges on the way along right ones to the end
  };
  /// A node, or a cycle that has become one.
  struct Place {
    std::size_t heap;
    std::size_t in;      // the edge that enters it
    double cost;         // of that edge
    std::size_t parent;  // the cycle that it belongs to
    std::size_t leader;  // towards the largest such
    bool on_path;
    bool is_done;  // the root leads to it
  };

  void start(std::span<const double> costs);
  /// Goes backwards from a place to one that is done.
  void grow(std::size_t place);
  void contract(std::size_t first);
  /// Gives each cycle's edge to the node that it enters.
  void expand();

  [[nodiscard]] std::size_t leader_of(std::size_t place);
  void hand_down(std::size_t e);
  std::size_t meld(std::size_t a, std::size_t b);
  void take_least(Place& place);

  std::size_t nodes_;
  std::vector<Edge> edges_;
  std::size_t root_;
  std::vector<Heap> heaps_;    // by edges
  std::vector<Place> places_;  // the nodes, then the cycles
  std::size_t count_ = 0;      // of places
  std::vector<std::size_t> path_;
  std::vector<std::size_t> found_;
};

}  // namespace keyhole::sets
