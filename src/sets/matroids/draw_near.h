// Projections onto base polytopes of points that are far away.

#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "sets/nearest_point.h"
#include "sets/sort_by_key.h"

namespace keyhole::sets {

/// Wolfe's method takes memory for 2.5 n^2 numbers, which most oracles never need: up to 200
/// coordinates it is there from the start, above from the first call on.
class NearestBase {
 public:
  /// As of NearestPoint.
  NearestBase(std::size_t n, double diameter, NearestPoint::Minimise minimise)
      : n_(n), diameter_(diameter), minimise_(std::move(minimise)) {
    if (n <= 200) prepare();
  }

  bool find(std::span<const double> z, std::span<double> nearest) {
    if (wolfe_ == nullptr) prepare();
    return wolfe_->find(z, nearest);
  }

 private:
  void prepare() { wolfe_ = std::make_unique<NearestPoint>(n_, diameter_, minimise_); }

  std::size_t n_;
  double diameter_;
  NearestPoint::Minimise minimise_;
  std::unique_ptr<NearestPoint> wolfe_;
};

/// Another point with the same nearest base b, which has more digits where z is far. Where the
/// numbers z_e of some elements are above all others by more than `gap`, twice as much as two bases
/// differ in an element, the numbers b_e - z_e are below all others: so how much more it is does
/// not matter. The least number becomes 0, or what it is above `least`. `near` may be z; `order`
/// is written over.
inline void draw_near(std::span<const double> z, std::span<double> near, double gap,
                      std::span<std::size_t> order, SortByKey& sort,
                      std::optional<double> least = {}) {
  std::iota(order.begin(), order.end(), std::size_t{0});
  sort(order, [&](std::size_t e) { return z[e]; });
  double last = least.value_or(z[order[0]]);
  double drawn = 0;
  for (const std::size_t e : order) {
    const double value = z[e];
    drawn += std::min(value - last, gap);
    last = value;
    near[e] = drawn;
  }
}

}  // namespace keyhole::sets
