#pragma once

// What a measurement draws its problems and noise from.

#include <cstdint>
#include <random>

namespace keyhole::bench {

struct Chance {
  explicit Chance(std::uint64_t seed) : random(seed) {}
  double uniform(double low = 0, double high = 1) {
    return std::uniform_real_distribution<double>(low, high)(random);
  }
  double normal() { return std::normal_distribution<double>()(random); }
  /// Student's t with three degrees of freedom.
  double student() { return std::student_t_distribution<double>(3)(random); }
  std::mt19937_64 random;
};

}  // namespace keyhole::bench
