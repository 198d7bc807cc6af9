#include "sets/matroids/averaged_bases.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "math/random/ars.h"
#include "math/random/gaussian.h"

namespace keyhole::sets {
namespace {

constexpr std::size_t most_tests_of_bases = 4'000'000;

}  // namespace

AveragedBases::AveragedBases(const Matroid& matroid)
    : test_(matroid.test()),
      loads_(matroid.size(), 0),
      order_(matroid.size()),
      in_last_(matroid.size()) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  add_base();
  in_first_ = in_last_;
}

void AveragedBases::add_base() {
  test_->reset();
  for (const std::size_t e : order_) {
    in_last_[e] = test_->add(e);
    loads_[e] += in_last_[e] ? 1 : 0;
  }
  tests_ += order_.size();
  ++bases_;
}

bool AveragedBases::wants_more() const {
  return bases_ < std::max<std::size_t>(200, 4 * loads_.size()) && tests_ < most_tests_of_bases;
}

void AveragedBases::add_even() {
  while (wants_more()) {
    std::sort(order_.begin(), order_.end(), [&](std::size_t e, std::size_t f) {
      return loads_[e] != loads_[f] ? loads_[e] < loads_[f] : e < f;
    });
    add_base();
  }
}

std::vector<double> AveragedBases::mean() const {
  std::vector<double> result(loads_.size());
  for (std::size_t e = 0; e < result.size(); ++e) {
    result[e] = static_cast<double>(loads_[e]) / static_cast<double>(bases_);
  }
  return result;
}

AveragedBases::Exchanges::Exchanges(MatroidElements elements)
    : component(std::move(elements)), counts(component.size() * component.size(), 0) {}

void AveragedBases::count(Exchanges& exchanges) {
  const MatroidElements& component = exchanges.component;
  const std::size_t m = component.size();
  MatroidElements base;
  for (const std::size_t e : component) {
    if (in_last_[e]) base.push_back(e);
  }
  for (std::size_t e = 0; e < m; ++e) {
    if (in_last_[component[e]]) continue;
    const MatroidElements circuit = matroid_circuit(*test_, base, component[e]);
    tests_ += (circuit.size() + 1) * base.size();
    for (const std::size_t f : circuit) {
      const auto place = std::lower_bound(component.begin(), component.end(), f);
      ++exchanges.counts[static_cast<std::size_t>(place - component.begin()) * m + e];
    }
  }
}

bool AveragedBases::Exchanges::connects(unsigned t, bool forth) const {
  const std::size_t m = component.size();
  std::vector<bool> reached(m, false);
  std::vector<std::size_t> queue = {0};
  reached[0] = true;
  for (std::size_t k = 0; k < queue.size(); ++k) {
    for (std::size_t e = 0; e < m; ++e) {
      const unsigned weight = forth ? counts[queue[k] * m + e] : counts[e * m + queue[k]];
      if (reached[e] || weight < t) continue;
      reached[e] = true;
      queue.push_back(e);
    }
  }
  return queue.size() == m;
}

unsigned AveragedBases::Exchanges::bottleneck() const {
  unsigned low = 0;
  unsigned high = *std::max_element(counts.begin(), counts.end());
  while (low < high) {
    const unsigned middle = low + (high - low + 1) / 2;
    const bool connected = connects(middle, true) && connects(middle, false);
    (connected ? low : high) = connected ? middle : middle - 1;
  }
  return low;
}

void AveragedBases::add_neighbours(Exchanges& exchanges) {
  const MatroidElements& component = exchanges.component;
  const std::size_t m = component.size();
  in_last_ = in_first_;
  Exchanges of_first(component);
  count(of_first);
  std::vector<bool> reached(m, false);
  std::vector<std::size_t> queue = {0};
  reached[0] = true;
  for (std::size_t k = 0; k < queue.size(); ++k) {
    for (std::size_t other = 0; other < m; ++other) {
      std::size_t f = queue[k];
      std::size_t e = other;
      if (in_last_[component[e]]) std::swap(e, f);
      if (reached[other] || of_first.counts[f * m + e] == 0) continue;
      reached[other] = true;
      queue.push_back(other);
      // The first base with f replaced by e, which allows the exchange back.
      for (std::size_t x = 0; x < loads_.size(); ++x) loads_[x] += in_first_[x] ? 1 : 0;
      --loads_[component[f]];
      ++loads_[component[e]];
      ++bases_;
      ++exchanges.counts[e * m + f];
    }
  }
}

std::vector<double> AveragedBases::add_random(const std::vector<MatroidElements>& components) {
  std::vector<Exchanges> all(components.begin(), components.end());
  for (Exchanges& exchanges : all) count(exchanges);
  const math::Ars key(0x6261736573, 0);
  std::vector<double> weights(order_.size());
  while (wants_more()) {
    math::gaussians(key, bases_, 0, weights);
    std::sort(order_.begin(), order_.end(), [&](std::size_t e, std::size_t f) {
      return weights[e] != weights[f] ? weights[e] < weights[f] : e < f;
    });
    add_base();
    for (Exchanges& exchanges : all) count(exchanges);
  }
  for (Exchanges& exchanges : all) {
    if (exchanges.bottleneck() == 0) add_neighbours(exchanges);
  }
  std::vector<double> slacks;
  for (const Exchanges& exchanges : all) {
    slacks.push_back(static_cast<double>(exchanges.bottleneck()) / static_cast<double>(bases_));
  }
  return slacks;
}

}  // namespace keyhole::sets
