#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "keyhole/set.h"

namespace keyhole::algorithms {

/// Orthonormal coordinates of the directions of a set's hull: a direction is the sum of c_k b_k.
/// For sets that are not flat these are the coordinates themselves.
class HullBasis {
 public:
  explicit HullBasis(const Set& set);

  /// m, the number of coordinates c.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// direction += weight sum_k c_k b_k.
  void add_to(std::span<double> direction, double weight, std::span<const double> c) const;
  /// c_k = <direction, b_k>.
  void coordinates(std::span<const double> direction, std::span<double> c) const;

 private:
  std::size_t dimension_;
  std::size_t size_;
  std::vector<double> rows_;  // b_1, b_2, ...; none for the coordinates themselves
};

}  // namespace keyhole::algorithms
