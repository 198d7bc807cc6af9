#pragma once

// Random instances for the tests: a generator of their own, so that they do not lean on the code
// under test.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

namespace keyhole::tests {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Uniform on [low, high).
  double uniform(double low = 0, double high = 1) {
    return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
  }
  /// Uniform on low, ..., high.
  std::size_t integer(std::size_t low, std::size_t high) {
    return low + static_cast<std::size_t>(engine_() % (high - low + 1));
  }
  /// Standard normal, by Box and Muller.
  double normal() {
    return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(2 * std::numbers::pi * uniform());
  }
  std::vector<double> normals(std::size_t n, double scale = 1) {
    std::vector<double> z(n);
    for (double& value : z) value = scale * normal();
    return z;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace keyhole::tests
