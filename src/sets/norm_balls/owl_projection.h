// The nearest point of a ball of an ordered weighted l1 norm.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "math/double_double.h"

namespace keyhole::sets {

/// Omega(x) = sum_i w_i |x|_(i), the magnitudes in falling order, w falling too.
[[nodiscard]] double owl_norm(std::span<const double> weights, std::span<const double> falling);

/// Projects onto {x : Omega(x) <= radius}.
///
/// For a multiplier mu the nearest point has, in the order of the magnitudes of z, those of the
/// falling sequence nearest to |z|_(i) - mu w_i, where it is positive, and 0 elsewhere (Bogdan, van
/// den Berg, Sabatti, Su, Candes 2015): pooling of adjacent violators. Omega of it falls linearly
/// in mu as long as the pools stay, so Newton's method on mu ends at the exact one.
/// O(n log n) and a few times O(n). From afar |z|_(i) - mu w_i is a small difference of large
/// numbers: there the same is done with twice as many digits. After construction nothing allocates.
/// One a thread.
class OwlProjection {
 public:
  /// Refers to the weights.
  OwlProjection(std::span<const double> weights, double radius);

  /// `nearest` may be `point`. False where not even twice as many digits are enough.
  [[nodiscard]] bool project(std::span<const double> point, std::span<double> nearest);

 private:
  /// Coordinates of the order that share their magnitude.
  template <class Number>
  struct Pool {
    Number magnitudes;
    Number weights;
    double count;
    [[nodiscard]] Number mean(Number mu) const { return (magnitudes - mu * weights) / count; }
  };
  template <class Number>
  using Pools = std::vector<Pool<Number>>;

  /// Finds the pools for mu; gives (radius - Omega) over its slope in mu.
  template <class Number>
  Number pool(Number mu, Pools<Number>& pools);
  /// The magnitudes become those of the nearest point.
  template <class Number>
  void shrink(Pools<Number>& pools);

  std::span<const double> weights_;
  double radius_;
  std::vector<std::size_t> order_;
  std::vector<double> falling_;
  Pools<double> pools_;
  Pools<math::DoubleDouble> fine_pools_;
  std::size_t pool_count_ = 0;
};

}  // namespace keyhole::sets
