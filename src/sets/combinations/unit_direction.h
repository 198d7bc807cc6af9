// Directions of length 1 within a hull, for oracles that ask others.

#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::sets {

/// c = the direction within the hull of what has flatten(), of length 1; false if there is nothing
/// but `roundings` of it.
template <class Flat>
bool make_unit(const Flat& flat, std::span<const double> direction, double roundings,
               std::span<double> c) {
  const double largest = math::largest_magnitude(direction);
  if (!(largest > 0)) return false;
  int exponent = 0;
  std::frexp(largest, &exponent);  // a power of two rounds nothing
  for (std::size_t j = 0; j < c.size(); ++j) c[j] = std::ldexp(direction[j], -exponent);
  const double before = math::norm(c);
  flat.flatten(c);
  double length = math::norm(c);
  if (!(length > roundings * before)) return false;
  if (length < 1e-3 * before) {  // what was taken away has left roundings that c shows
    flat.flatten(c);
    length = math::norm(c);
  }
  for (double& number : c) number /= length;
  return true;
}

/// That of the first axis that there is anything of.
template <class Flat>
std::vector<double> first_direction(const Flat& flat, std::size_t n) {
  std::vector<double> axis(n, 0.0);
  std::vector<double> c(n);
  for (std::size_t j = 0; j < n; ++j) {
    axis[j] = 1;
    if (make_unit(flat, axis, 1e-6, c)) break;
    axis[j] = 0;
  }
  return c;
}

}  // namespace keyhole::sets
