#include "sets/matroids/cheapest_common_set.h"

#include <algorithm>
#include <cmath>

#include "math/sums.h"

namespace keyhole::sets {

CheapestCommonSet::CheapestCommonSet(const Matroid& first, const Matroid& second)
    : costs_(first.size()),
      is_in_(first.size()),
      first_{exchanges_of(first)},
      second_{exchanges_of(second)},
      labels_(first.size()),
      via_(first.size()) {
  const std::size_t n = first.size();
  const std::size_t rank = std::min(first.rank(), second.rank());
  const std::size_t most_inside = std::min(rank, n / 2);  // where k (n - k) is largest
  set_.reserve(rank);
  candidates_.reserve(n);
  outside_.reserve(n);
  for (Circuits* const circuits : {&first_, &second_}) {
    circuits->members.reserve(most_inside * (n - most_inside));
    circuits->ends.reserve(n);
  }
}

std::span<const std::size_t> CheapestCommonSet::find(std::span<const double> costs) {
  put_on_grid(costs);
  std::fill(is_in_.begin(), is_in_.end(), 0);
  set_.clear();
  while (augment()) {
  }
  return set_;
}

void CheapestCommonSet::put_on_grid(std::span<const double> costs) {
  constexpr int bits = 50;
  int exponent = 0;
  const double fraction = std::frexp(math::largest_magnitude(costs), &exponent);  // [1/2, 1) or 0
  const int shift = bits - exponent + (fraction == 0.5 ? 1 : 0);
  candidates_.clear();
  for (std::size_t e = 0; e < costs.size(); ++e) {
    costs_[e] = std::llround(std::ldexp(costs[e], shift));
    if (costs_[e] < 0) candidates_.push_back(static_cast<std::uint32_t>(e));
  }
}

void CheapestCommonSet::Circuits::find(std::span<const std::size_t> independent,
                                       std::span<const std::uint32_t> outside) {
  exchanges->take(independent);
  members.clear();
  ends.clear();
  for (const std::uint32_t e : outside) {
    exchanges->add_circuit(e, members);
    ends.push_back(members.size());
  }
}

std::span<const std::uint32_t> CheapestCommonSet::Circuits::of(std::size_t k) const {
  const std::size_t begin = k == 0 ? 0 : ends[k - 1];
  return std::span(members).subspan(begin, ends[k] - begin);
}

/// Takes the set along the best path, if that lowers its cost.
bool CheapestCommonSet::augment() {
  outside_.clear();
  for (const std::uint32_t e : candidates_) {
    if (is_in_[e] == 0) outside_.push_back(e);
  }
  first_.find(set_, outside_);
  second_.find(set_, outside_);
  find_labels();
  std::uint32_t last = none;
  for (std::size_t k = 0; k < outside_.size(); ++k) {
    const std::uint32_t x = outside_[k];
    if (!second_.of(k).empty() || !(labels_[x].cost < 0)) continue;
    if (last == none || labels_[x].is_before(labels_[last])) last = x;
  }
  if (last == none) return false;
  for (std::uint32_t e = last; e != none; e = via_[e]) is_in_[e] = is_in_[e] == 0 ? 1 : 0;
  set_.clear();
  for (const std::uint32_t e : candidates_) {
    if (is_in_[e] != 0) set_.push_back(e);
  }
  return true;
}

/// Bellman's and Ford's method, as long as a label changes; no cycle has a negative cost.
void CheapestCommonSet::find_labels() {
  for (const std::uint32_t e : candidates_) {
    labels_[e] = {};
    via_[e] = none;
  }
  for (std::size_t k = 0; k < outside_.size(); ++k) {
    if (first_.of(k).empty()) labels_[outside_[k]] = {costs_[outside_[k]], 0};
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t k = 0; k < outside_.size(); ++k) {
      const std::uint32_t x = outside_[k];
      if (labels_[x].steps == none) continue;
      for (const std::uint32_t y : second_.of(k)) changed = relax(x, y, -costs_[y]) || changed;
    }
    if (!changed) return;
    changed = false;
    for (std::size_t k = 0; k < outside_.size(); ++k) {
      const std::uint32_t x = outside_[k];
      for (const std::uint32_t y : first_.of(k)) changed = relax(y, x, costs_[x]) || changed;
    }
  }
}

bool CheapestCommonSet::relax(std::uint32_t from, std::uint32_t to, std::int64_t more) {
  if (labels_[from].steps == none) return false;
  const Label label{labels_[from].cost + more, labels_[from].steps + 1};
  if (!label.is_before(labels_[to])) return false;
  labels_[to] = label;
  via_[to] = from;
  return true;
}

}  // namespace keyhole::sets
