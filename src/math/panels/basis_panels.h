#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace keyhole::math {

// A growing list of vectors of size n, at most `capacity` of them.
class BasisPanels {
 public:
  BasisPanels(std::size_t capacity, std::size_t n);

  // Vector k; those behind it are dropped.
  void set(std::size_t k, std::span<const double> q) noexcept;
  // w <- w - Q'Q w for the vectors Q set, in order.
  void remove_from(std::span<double> w) noexcept;
  // v = sum_k z_k q_k over all set.
  void combine(std::span<const double> z, std::span<double> v) noexcept;

 private:
  std::size_t n_;
  std::size_t width_;
  std::size_t panels_ = 0;
  std::vector<double> entries_;
  std::vector<double> x_;
  std::vector<double> y_;
};

}  // namespace keyhole::math
