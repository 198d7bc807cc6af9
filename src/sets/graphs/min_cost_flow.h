// The cheapest flow through a network with capacities.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "keyhole/sets.h"

namespace keyhole::sets {

/// min <costs, f> over 0 <= f <= capacities with the divergence `supplies` (what leaves a node less
/// what enters it): by successive shortest paths (Jewell 1958; Busacker and Gowen 1960) with the
/// potentials of Edmonds and Karp (1972). Edges of negative cost are filled, which leaves nodes
/// with too much and nodes with too little; Dijkstra's method then takes the excess of each node,
/// in their order, to the nearest node that lacks some. Of paths of the same cost one of the fewest
/// edges is taken, so that zero costs are served as by Edmonds and Karp, for any real capacities.
///
/// After construction nothing allocates. One a thread.
class MinCostFlow {
 public:
  MinCostFlow(std::size_t nodes, std::span<const Edge> edges, std::vector<double> capacities,
              std::vector<double> supplies);

  /// Writes the flow, a vertex of all such flows. Gives what could not be sent: 0, up to rounding,
  /// unless there is no such flow. `potentials`, one a node or none, decide what is filled at the
  /// start: the edges u -> v with costs + potentials[u] - potentials[v] < 0.
  double minimise(std::span<const double> costs, std::span<double> flow,
                  std::span<const double> potentials = {});

  /// What counts as rounding: 2^-42 of the largest capacity or supply.
  [[nodiscard]] double rounding() const noexcept { return rounding_; }

 private:
  // Arc 2 e is edge e, arc 2 e + 1 is edge e backwards.
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  struct Label {
    double distance;
    std::uint32_t hops;
    std::uint32_t node;
  };
  struct Arc {
    std::uint32_t number;
    std::uint32_t head;
  };
  struct Later;

  [[nodiscard]] std::size_t tail(std::size_t arc) const noexcept;
  [[nodiscard]] std::size_t head(std::size_t arc) const noexcept { return tail(arc ^ 1U); }
  [[nodiscard]] double room(std::size_t arc, std::span<const double> flow) const noexcept;
  void push(std::size_t arc, double amount, std::span<double> flow) const noexcept;
  [[nodiscard]] bool is_free(std::size_t e, std::span<const double> flow) const noexcept;

  void fill(std::span<const double> costs, std::span<double> flow);
  std::size_t find_path(std::size_t source, std::span<const double> costs,
                        std::span<const double> flow);
  void relax(std::size_t node, std::span<const double> costs, std::span<const double> flow);
  void add_label(const Label& label);
  void augment(std::size_t source, std::size_t target, std::span<double> flow);

  void make_root(std::size_t node);
  void cancel_cycle(std::size_t e, std::span<const double> costs, std::span<double> flow);
  void move_to_vertex(std::span<const double> costs, std::span<double> flow);

  std::vector<Edge> edges_;
  std::vector<double> capacities_;
  std::vector<double> supplies_;
  double rounding_;
  std::vector<std::size_t> first_arc_;  // of each node, in arcs_
  std::vector<Arc> arcs_;               // by their tails
  std::vector<double> excess_;
  std::vector<double> potentials_;
  std::vector<Label> labels_;       // of each node: the best known
  std::vector<Label> heap_;         // least first
  std::vector<std::size_t> via_;    // the arc that leads to a node, or to its parent in the forest
  std::vector<std::uint8_t> done_;  // whether a label is final
  std::vector<std::uint32_t> finals_;
  std::vector<std::uint32_t> labelled_;  // those that have one
};

}  // namespace keyhole::sets
