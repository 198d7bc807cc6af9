#pragma once

// Random instances of the catalogue's families, each with the least value of a linear function by a
// slow and independent way. A new set joins all sweeps over the catalogue by one line in the file
// of its family under instances/.

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/set.h"
#include "random.h"

namespace keyhole::tests {

struct Instance {
  SetPtr set;
  /// min over K of <d, x>: by enumeration of the vertices, a linear program, a dense decomposition,
  /// a search; never by the method of the library.
  std::function<double(std::span<const double> d)> slow_minimum;
};

struct InstanceFamily {
  /// As in the table of specs; with more words where a set has several kinds of instances.
  std::string name;
  /// A random instance of about n >= 2 coordinates, at most 1.5 n + 6 (graphs and matrices as near
  /// as they come). The slow way must be bearable up to n = 6.
  std::function<Instance(std::size_t n, Random& random)> draw;
  /// How many directions the contract is tried in; fewer where membership is decided slowly.
  double directions = 200;
};

/// The least of <d, v> over a list of points, as a slow minimum.
inline std::function<double(std::span<const double>)> least_of(
    std::vector<std::vector<double>> points) {
  return [points = std::move(points)](std::span<const double> d) {
    double least = std::numeric_limits<double>::infinity();
    for (const std::vector<double>& v : points) {
      long double value = 0;
      for (std::size_t i = 0; i < d.size(); ++i) value += static_cast<long double>(d[i]) * v[i];
      least = std::min(least, static_cast<double>(value));
    }
    return least;
  };
}

/// The largest value of a concave function on [low, high], by golden section.
inline double largest_of_concave(double low, double high,
                                 const std::function<double(double)>& value) {
  constexpr double ratio = 0.6180339887498949;
  double best = std::max(value(low), value(high));
  for (int k = 0; k < 200; ++k) {
    const double left = high - ratio * (high - low);
    const double right = low + ratio * (high - low);
    const double at_left = value(left);
    const double at_right = value(right);
    best = std::max({best, at_left, at_right});
    (at_left < at_right ? low : high) = at_left < at_right ? left : right;
  }
  return best;
}

/// All of them.
[[nodiscard]] std::vector<InstanceFamily> catalogue_instances();

}  // namespace keyhole::tests
