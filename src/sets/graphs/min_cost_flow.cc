#include "sets/graphs/min_cost_flow.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/sums.h"

namespace keyhole::sets {

MinCostFlow::MinCostFlow(std::size_t nodes, std::span<const Edge> edges,
                         std::vector<double> capacities, std::vector<double> supplies)
    : edges_(edges.begin(), edges.end()),
      capacities_(std::move(capacities)),
      supplies_(std::move(supplies)),
      rounding_(0x1p-42 *
                std::max(math::largest_magnitude(capacities_), math::largest_magnitude(supplies_))),
      first_arc_(nodes + 1, 0),
      arcs_(2 * edges.size()),
      excess_(nodes),
      potentials_(nodes),
      labels_(nodes),
      via_(nodes),
      done_(nodes) {
  // Sorted by their tails by counting, each node's in the order of the edges.
  for (std::size_t arc = 0; arc < arcs_.size(); ++arc) ++first_arc_[tail(arc) + 1];
  for (std::size_t v = 0; v < nodes; ++v) first_arc_[v + 1] += first_arc_[v];
  std::vector<std::size_t> next(first_arc_.begin(), first_arc_.end() - 1);
  for (std::size_t arc = 0; arc < arcs_.size(); ++arc) {
    arcs_[next[tail(arc)]++] = {static_cast<std::uint32_t>(arc),
                                static_cast<std::uint32_t>(head(arc))};
  }
  for (Label& label : labels_) label.distance = std::numeric_limits<double>::infinity();
  heap_.reserve(arcs_.size() + 1);
  finals_.reserve(nodes);
  labelled_.reserve(nodes);
}

/// For std::push_heap, which keeps the largest in front.
struct MinCostFlow::Later {
  bool operator()(const Label& a, const Label& b) const noexcept {
    if (a.distance != b.distance) return a.distance > b.distance;
    return a.hops != b.hops ? a.hops > b.hops : a.node > b.node;
  }
};

std::size_t MinCostFlow::tail(std::size_t arc) const noexcept {
  return arc % 2 == 0 ? edges_[arc / 2].from : edges_[arc / 2].to;
}

double MinCostFlow::room(std::size_t arc, std::span<const double> flow) const noexcept {
  const std::size_t e = arc / 2;
  return arc % 2 == 0 ? capacities_[e] - flow[e] : flow[e];
}

/// What fills an edge fills it to the last bit.
void MinCostFlow::push(std::size_t arc, double amount, std::span<double> flow) const noexcept {
  const std::size_t e = arc / 2;
  const bool all = amount >= room(arc, flow);
  if (arc % 2 == 0) {
    flow[e] = all ? capacities_[e] : flow[e] + amount;
  } else {
    flow[e] = all ? 0.0 : flow[e] - amount;
  }
}

bool MinCostFlow::is_free(std::size_t e, std::span<const double> flow) const noexcept {
  return flow[e] > 0 && flow[e] < capacities_[e];
}

double MinCostFlow::minimise(std::span<const double> costs, std::span<double> flow,
                             std::span<const double> potentials) {
  std::fill(potentials_.begin(), potentials_.end(), 0.0);
  std::copy(potentials.begin(), potentials.end(), potentials_.begin());
  fill(costs, flow);
  double unsent = 0;
  for (std::size_t source = 0; source < excess_.size(); ++source) {
    while (excess_[source] > rounding_) {
      const std::size_t target = find_path(source, costs, flow);
      if (target == none) {
        unsent += excess_[source];
        break;
      }
      augment(source, target, flow);
    }
  }
  move_to_vertex(costs, flow);
  return unsent;
}

void MinCostFlow::fill(std::span<const double> costs, std::span<double> flow) {
  std::copy(supplies_.begin(), supplies_.end(), excess_.begin());
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    const auto [from, to] = edges_[e];
    flow[e] = 0;
    if (!(costs[e] + potentials_[from] < potentials_[to])) continue;
    flow[e] = capacities_[e];
    excess_[from] -= flow[e];
    excess_[to] += flow[e];
  }
}

/// The nearest node that lacks some, by reduced costs cost + potential[tail] - potential[head],
/// which are never negative but for rounding; `none` if there is none. Updates the potentials so
/// that they stay so.
std::size_t MinCostFlow::find_path(std::size_t source, std::span<const double> costs,
                                   std::span<const double> flow) {
  for (const std::uint32_t v : labelled_) {
    done_[v] = 0;
    labels_[v].distance = std::numeric_limits<double>::infinity();
  }
  labelled_.clear();
  heap_.clear();
  finals_.clear();
  std::size_t target = none;
  via_[source] = none;
  add_label({0, 0, static_cast<std::uint32_t>(source)});
  while (!heap_.empty() && target == none) {
    const std::uint32_t node = heap_.front().node;
    std::pop_heap(heap_.begin(), heap_.end(), Later());
    heap_.pop_back();
    if (done_[node] != 0) continue;
    done_[node] = 1;
    finals_.push_back(node);
    if (excess_[node] < -rounding_) {
      target = node;
    } else {
      relax(node, costs, flow);
    }
  }
  if (target == none) return none;
  const double farthest = labels_[target].distance;
  for (const std::uint32_t v : finals_) potentials_[v] += labels_[v].distance - farthest;
  return target;
}

void MinCostFlow::relax(std::size_t node, std::span<const double> costs,
                        std::span<const double> flow) {
  for (std::size_t k = first_arc_[node]; k < first_arc_[node + 1]; ++k) {
    const auto [arc, to] = arcs_[k];
    if (done_[to] != 0 || !(room(arc, flow) > rounding_)) continue;
    const double cost = arc % 2 == 0 ? costs[arc / 2] : -costs[arc / 2];
    const double reduced = std::max(cost + (potentials_[node] - potentials_[to]), 0.0);
    const Label label = {labels_[node].distance + reduced, labels_[node].hops + 1, to};
    const Label& known = labels_[to];
    if (label.distance > known.distance ||
        (label.distance == known.distance && label.hops >= known.hops)) {
      continue;
    }
    via_[to] = arc;
    add_label(label);
  }
}

void MinCostFlow::add_label(const Label& label) {
  if (labels_[label.node].distance == std::numeric_limits<double>::infinity()) {
    labelled_.push_back(label.node);
  }
  labels_[label.node] = label;
  heap_.push_back(label);
  std::push_heap(heap_.begin(), heap_.end(), Later());
}

void MinCostFlow::augment(std::size_t source, std::size_t target, std::span<double> flow) {
  double amount = std::min(excess_[source], -excess_[target]);
  for (std::size_t v = target; v != source; v = tail(via_[v])) {
    amount = std::min(amount, room(via_[v], flow));
  }
  for (std::size_t v = target; v != source; v = tail(via_[v])) push(via_[v], amount, flow);
  excess_[source] -= amount;
  excess_[target] += amount;
}

/// A flow is a vertex if its free edges, those at neither bound, form a forest (of undirected
/// trees). Edges join the forest one by one; around a cycle as much is moved as there is room, the
/// way that does not cost more.
void MinCostFlow::move_to_vertex(std::span<const double> costs, std::span<double> flow) {
  std::fill(via_.begin(), via_.end(), none);  // via_[v] leads from v to its parent
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    if (!is_free(e, flow)) continue;
    const auto [from, to] = edges_[e];
    make_root(from);
    std::size_t root = to;
    while (via_[root] != none) root = head(via_[root]);
    if (root == from) cancel_cycle(e, costs, flow);
    if (is_free(e, flow)) via_[from] = 2 * e;
  }
}

void MinCostFlow::make_root(std::size_t node) {
  std::size_t arc = none;  // from the node to what was its child
  while (node != none) {
    const std::size_t up = via_[node];
    via_[node] = arc;
    arc = up == none ? none : up ^ 1U;
    node = up == none ? none : head(up);
  }
}

void MinCostFlow::cancel_cycle(std::size_t e, std::span<const double> costs,
                               std::span<double> flow) {
  const auto signed_cost = [&](std::size_t arc) {
    return arc % 2 == 0 ? costs[arc / 2] : -costs[arc / 2];
  };
  const std::size_t start = edges_[e].to;
  double cost = costs[e];
  for (std::size_t v = start; via_[v] != none; v = head(via_[v])) cost += signed_cost(via_[v]);
  const std::size_t backwards = cost > 0 ? 1 : 0;
  double amount = room((2 * e) ^ backwards, flow);
  for (std::size_t v = start; via_[v] != none; v = head(via_[v])) {
    amount = std::min(amount, room(via_[v] ^ backwards, flow));
  }
  push((2 * e) ^ backwards, amount, flow);
  for (std::size_t v = start; via_[v] != none;) {
    const std::size_t arc = via_[v];
    push(arc ^ backwards, amount, flow);
    if (!is_free(arc / 2, flow)) via_[v] = none;
    v = head(arc);
  }
}

}  // namespace keyhole::sets
