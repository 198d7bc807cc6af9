#include "math/combinatorial/assignment.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace keyhole::math {

Assignment::Assignment(std::size_t rows, std::size_t columns)
    : columns_(columns),
      u_(rows),
      v_(columns),
      column_(rows),
      row_(columns),
      distance_(columns),
      previous_(columns),
      scanned_(columns) {}

std::span<const std::size_t> Assignment::minimise(std::span<const double> costs) {
  std::fill(u_.begin(), u_.end(), 0.0);
  std::fill(v_.begin(), v_.end(), 0.0);
  std::fill(row_.begin(), row_.end(), u_.size());
  for (std::size_t i = 0; i < u_.size(); ++i) augment(costs, i);
  return column_;
}

// Dijkstra's method from the row until a free column is nearest.
void Assignment::augment(std::span<const double> costs, std::size_t row) {
  const std::size_t free = u_.size();
  std::fill(distance_.begin(), distance_.end(), std::numeric_limits<double>::infinity());
  std::iota(scanned_.begin(), scanned_.end(), std::size_t{0});
  std::size_t i = row;
  std::size_t done = 0;
  double nearest = 0;
  std::size_t end = columns_;
  for (;;) {
    std::size_t best = done;
    for (std::size_t k = done; k < columns_; ++k) {
      const std::size_t j = scanned_[k];
      const double length = nearest + ((costs[i * columns_ + j] - u_[i]) - v_[j]);
      if (length < distance_[j]) {
        distance_[j] = length;
        previous_[j] = i;
      }
      const std::size_t b = scanned_[best];
      if (distance_[j] < distance_[b] || (distance_[j] == distance_[b] && j < b)) best = k;
    }
    end = scanned_[best];
    nearest = distance_[end];
    if (row_[end] == free) break;
    std::swap(scanned_[done++], scanned_[best]);
    i = row_[end];
  }
  u_[row] += nearest;
  for (std::size_t k = 0; k < done; ++k) {
    const std::size_t j = scanned_[k];
    u_[row_[j]] += nearest - distance_[j];
    v_[j] -= nearest - distance_[j];
  }
  for (std::size_t j = end;;) {
    const std::size_t of = previous_[j];
    row_[j] = of;
    std::swap(j, column_[of]);
    if (of == row) break;
  }
}

}  // namespace keyhole::math
