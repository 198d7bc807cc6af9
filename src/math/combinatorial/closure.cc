#include "math/combinatorial/closure.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace keyhole::math {
namespace {

constexpr std::size_t unreached = std::numeric_limits<std::size_t>::max();

}  // namespace

Closure::Closure(std::size_t n, std::span<const std::pair<std::size_t, std::size_t>> relations)
    : n_(n),
      relations_(relations.begin(), relations.end()),
      first_(n + 3),
      level_(n + 2),
      next_(n + 2),
      queue_(n + 2),
      same_(n) {
  const auto count = [&](std::size_t from, std::size_t to) {
    ++first_[from + 1];
    ++first_[to + 1];
  };
  for (const auto& [i, j] : relations_) count(i, j);
  for (std::size_t i = 0; i < n; ++i) {
    count(n, i);
    count(i, n + 1);
  }
  for (std::size_t v = 0; v + 1 < first_.size(); ++v) first_[v + 1] += first_[v];
  arcs_.resize(first_.back());
  std::copy(first_.begin(), first_.end() - 1, next_.begin());
  for (const auto& [i, j] : relations_) join(i, j);
  for (std::size_t i = 0; i < n; ++i) {
    join(n, i);
    join(i, n + 1);
  }
}

void Closure::join(std::size_t from, std::size_t to) {
  const std::size_t there = next_[from]++;
  const std::size_t back = next_[to]++;
  arcs_[there] = {to, back, 0};
  arcs_[back] = {from, there, 0};
  place_.push_back(there);
}

void Closure::find(std::span<const double> weights, std::span<unsigned char> in) {
  find(weights, same_, in);
}

void Closure::find(std::span<const double> weights, std::span<const std::size_t> block,
                   std::span<unsigned char> in) {
  // More than can flow.
  double all = 1;
  for (const double weight : weights) all += std::abs(weight);
  const auto set_rest = [&](std::size_t k, double rest) {
    arcs_[place_[k]].rest = rest;
    arcs_[arcs_[place_[k]].back].rest = 0;
  };
  for (std::size_t k = 0; k < relations_.size(); ++k) {
    const auto& [i, j] = relations_[k];
    set_rest(k, block[i] == block[j] ? all : 0);
  }
  for (std::size_t i = 0; i < n_; ++i) {
    set_rest(relations_.size() + 2 * i, std::max(-weights[i], 0.0));
    set_rest(relations_.size() + 2 * i + 1, std::max(weights[i], 0.0));
  }
  while (reach()) {
    while (send()) {
    }
  }
  for (std::size_t i = 0; i < n_; ++i) in[i] = level_[i] != unreached ? 1 : 0;
}

bool Closure::reach() {
  std::fill(level_.begin(), level_.end(), unreached);
  std::copy_n(first_.begin(), next_.size(), next_.begin());
  level_[n_] = 0;
  queue_[0] = n_;
  std::size_t end = 1;
  for (std::size_t k = 0; k < end; ++k) {
    const std::size_t v = queue_[k];
    for (std::size_t a = first_[v]; a < first_[v + 1]; ++a) {
      if (!(arcs_[a].rest > 0) || level_[arcs_[a].to] != unreached) continue;
      level_[arcs_[a].to] = level_[v] + 1;
      queue_[end++] = arcs_[a].to;
    }
  }
  return level_[n_ + 1] != unreached;
}

bool Closure::send() {
  const std::size_t sink = n_ + 1;
  std::size_t length = 0;
  std::size_t v = n_;
  while (v != sink) {
    std::size_t& a = next_[v];
    while (a < first_[v + 1] && !(arcs_[a].rest > 0 && level_[arcs_[a].to] == level_[v] + 1)) {
      ++a;
    }
    if (a < first_[v + 1]) {
      queue_[length++] = a;
      v = arcs_[a].to;
      continue;
    }
    if (length == 0) return false;
    const std::size_t dead = queue_[--length];
    v = arcs_[arcs_[dead].back].to;
    ++next_[v];
  }
  double most = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < length; ++k) most = std::min(most, arcs_[queue_[k]].rest);
  for (std::size_t k = 0; k < length; ++k) {
    arcs_[queue_[k]].rest -= most;
    arcs_[arcs_[queue_[k]].back].rest += most;
  }
  return true;
}

}  // namespace keyhole::math
