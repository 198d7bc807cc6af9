// Where a vector is largest.

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace keyhole::sets {

/// The k coordinates of the largest magnitudes, of several as large as the last the first ones. One
/// a thread.
class LargestMagnitudes {
 public:
  LargestMagnitudes(std::size_t n, std::size_t k) : order_(n), chosen_(k) {}

  /// In rising order; they hold until the next call. O(n) on average.
  std::span<const std::size_t> find(std::span<const double> x) {
    const auto before = [&](std::size_t i, std::size_t j) {
      const double a = std::abs(x[i]);
      const double b = std::abs(x[j]);
      return a > b || (a == b && i < j);
    };
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    const auto last = order_.begin() + static_cast<std::ptrdiff_t>(chosen_.size() - 1);
    std::nth_element(order_.begin(), last, order_.end(), before);
    std::size_t count = 0;  // whatever order nth_element left
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (!before(*last, i)) chosen_[count++] = i;
    }
    return chosen_;
  }

 private:
  std::vector<std::size_t> order_;
  std::vector<std::size_t> chosen_;
};

}  // namespace keyhole::sets
