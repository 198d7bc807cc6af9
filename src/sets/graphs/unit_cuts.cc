#include "sets/graphs/unit_cuts.h"

#include <algorithm>

namespace keyhole::sets {
namespace {

/// Less than that is rounding.
constexpr double least_room = 1e-13;

}  // namespace

UnitCuts::UnitCuts(std::size_t nodes) : from_(nodes), reached_(nodes), via_(nodes) {}

void UnitCuts::add(std::size_t a, std::size_t b, double forward, double backward) {
  if (!(std::max(forward, backward) > least_room)) return;
  from_[a].push_back(arcs_.size());
  arcs_.push_back({b, forward, forward});
  from_[b].push_back(arcs_.size());
  arcs_.push_back({a, backward, backward});
}

double UnitCuts::cut(std::size_t s, std::size_t t) {
  for (Arc& arc : arcs_) arc.room = arc.capacity;
  double sum = 0;
  while (sum < 1 && find_path(s, t)) {
    double amount = 1 - sum;
    for (std::size_t v = t; v != s; v = arcs_[via_[v] ^ 1U].to) {
      amount = std::min(amount, arcs_[via_[v]].room);
    }
    for (std::size_t v = t; v != s; v = arcs_[via_[v] ^ 1U].to) {
      arcs_[via_[v]].room -= amount;
      arcs_[via_[v] ^ 1U].room += amount;
    }
    sum += amount;
  }
  return sum;
}

bool UnitCuts::find_path(std::size_t s, std::size_t t) {
  std::fill(reached_.begin(), reached_.end(), std::uint8_t{0});
  queue_.assign(1, s);
  reached_[s] = 1;
  for (std::size_t k = 0; k < queue_.size(); ++k) {
    for (const std::size_t number : from_[queue_[k]]) {
      const Arc& arc = arcs_[number];
      if (reached_[arc.to] != 0 || !(arc.room > least_room)) continue;
      reached_[arc.to] = 1;
      via_[arc.to] = number;
      if (arc.to == t) return true;
      queue_.push_back(arc.to);
    }
  }
  return false;
}

}  // namespace keyhole::sets
