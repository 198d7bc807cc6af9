// The greedy method for one budget.

#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "sets/sort_by_key.h"

namespace keyhole::sets {

/// min <d, z> over {0 <= z <= most, <w, z> <= capacity}, or with equality: what pays is taken by
/// its ratio d_i / w_i until the capacity is used (Dantzig, "Discrete-variable extremum problems",
/// 1957), of equal ones the first. One a thread.
class FractionalKnapsack {
 public:
  /// `all` says whether all of the capacity is used. The spans must outlive this.
  FractionalKnapsack(std::span<const double> weights, std::span<const double> most,
                     bool all = false)
      : weights_(weights), most_(most), all_(all), order_(weights.size()), sort_(weights.size()) {}

  /// Calls take(i, z_i) for each z_i > 0.
  template <class Take>
  void minimise(std::span<const double> d, double capacity, const Take& take) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < d.size(); ++i) {
      if (all_ || d[i] < 0) order_[count++] = i;
    }
    sort_(std::span(order_).first(count), [&](std::size_t i) { return d[i] / weights_[i]; });
    for (std::size_t k = 0; k < count && capacity > 0; ++k) {
      const std::size_t i = order_[k];
      const double z = std::min(most_[i], capacity / weights_[i]);
      take(i, z);
      capacity -= weights_[i] * z;
    }
  }

 private:
  std::span<const double> weights_;
  std::span<const double> most_;
  bool all_;
  std::vector<std::size_t> order_;
  SortByKey sort_;
};

}  // namespace keyhole::sets
