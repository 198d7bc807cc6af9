#include "sets/graphs/cheapest_arborescence.h"

#include <algorithm>
#include <utility>

namespace keyhole::sets {

CheapestArborescence::CheapestArborescence(std::size_t nodes, std::span<const Edge> edges,
                                           std::size_t root)
    : nodes_(nodes),
      edges_(edges.begin(), edges.end()),
      root_(root),
      heaps_(edges.size()),
      places_(2 * nodes),
      found_(nodes - 1) {
  path_.reserve(nodes);
}

std::span<const std::size_t> CheapestArborescence::find(std::span<const double> costs) {
  start(costs);
  for (std::size_t v = 0; v < nodes_; ++v) grow(leader_of(v));
  expand();
  std::size_t count = 0;
  for (std::size_t v = 0; v < nodes_; ++v) {
    if (v != root_) found_[count++] = places_[v].in;
  }
  return found_;
}

void CheapestArborescence::start(std::span<const double> costs) {
  count_ = nodes_;
  for (std::size_t k = 0; k < places_.size(); ++k) {
    places_[k] = {none, none, 0, none, k, false, k == root_};
  }
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    heaps_[e] = {costs[e], 0, none, none, 1};
    if (edges_[e].to == root_) continue;
    std::size_t& heap = places_[edges_[e].to].heap;
    heap = meld(heap, e);
  }
}

void CheapestArborescence::grow(std::size_t place) {
  path_.clear();
  while (!places_[place].is_done) {
    take_least(places_[place]);
    const std::size_t before = leader_of(edges_[places_[place].in].from);
    if (before == place) continue;  // an edge within a cycle
    places_[place].on_path = true;
    path_.push_back(place);
    if (!places_[before].on_path) {
      place = before;
    } else {
      contract(before);
      place = count_ - 1;
    }
  }
  for (const std::size_t on_path : path_) {
    places_[on_path].on_path = false;
    places_[on_path].is_done = true;
  }
}

void CheapestArborescence::contract(std::size_t first) {
  const std::size_t cycle = count_++;
  for (std::size_t last = none; last != first;) {
    last = path_.back();
    path_.pop_back();
    Place& place = places_[last];
    place.on_path = false;
    place.parent = place.leader = cycle;
    if (place.heap != none) {
      heaps_[place.heap].cost -= place.cost;
      heaps_[place.heap].change -= place.cost;
    }
    places_[cycle].heap = meld(places_[cycle].heap, place.heap);
  }
}

void CheapestArborescence::expand() {
  for (std::size_t cycle = count_; cycle-- > nodes_;) {
    const std::size_t e = places_[cycle].in;
    std::size_t part = edges_[e].to;
    while (places_[part].parent != cycle) part = places_[part].parent;
    places_[part].in = e;
  }
}

std::size_t CheapestArborescence::leader_of(std::size_t place) {
  while (places_[place].leader != place) {
    std::size_t& leader = places_[place].leader;
    leader = places_[leader].leader;
    place = leader;
  }
  return place;
}

void CheapestArborescence::hand_down(std::size_t e) {
  Heap& heap = heaps_[e];
  for (const std::size_t below : {heap.left, heap.right}) {
    if (below == none) continue;
    heaps_[below].cost += heap.change;
    heaps_[below].change += heap.change;
  }
  heap.change = 0;
}

std::size_t CheapestArborescence::meld(std::size_t a, std::size_t b) {
  if (a == none || b == none) return a == none ? b : a;
  if (std::pair(heaps_[b].cost, b) < std::pair(heaps_[a].cost, a)) std::swap(a, b);
  hand_down(a);
  Heap& heap = heaps_[a];
  heap.right = meld(heap.right, b);
  const auto rank = [this](std::size_t e) { return e == none ? 0 : heaps_[e].rank; };
  if (rank(heap.left) < rank(heap.right)) std::swap(heap.left, heap.right);
  heap.rank = rank(heap.right) + 1;
  return a;
}

void CheapestArborescence::take_least(Place& place) {
  const std::size_t e = place.heap;
  place.in = e;
  place.cost = heaps_[e].cost;
  hand_down(e);
  place.heap = meld(heaps_[e].left, heaps_[e].right);
}

}  // namespace keyhole::sets
