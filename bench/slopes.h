#pragma once

// Means over seeds and slopes over T, with their 95 % intervals.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace keyhole::bench {

using Vector = std::vector<double>;

constexpr std::uint64_t seeds = 10;

/// The mean over the seeds but for one (all of them, if there is no such seed).
inline double mean_without(const Vector& values, std::uint64_t left_out) {
  double sum = 0;
  double count = 0;
  for (std::uint64_t seed = 0; seed < values.size(); ++seed) {
    if (seed == left_out) continue;
    sum += values[seed];
    ++count;
  }
  return sum / count;
}

/// Half the width of the 95 % interval of a mean.
inline double half_interval(const Vector& values) {
  const double mean = mean_without(values, seeds);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double size = static_cast<double>(values.size());
  constexpr double student = 2.262;  // of 9 degrees of freedom
  static_assert(seeds == 10);
  return student * std::sqrt(squares / (size - 1) / size);
}

/// Regrets by T and seed.
using Regrets = std::vector<Vector>;

/// The least-squares slope of log2 (mean regret) over log2 T.
inline double slope(const Regrets& regrets, std::uint64_t left_out) {
  const double size = static_cast<double>(regrets.size());
  double xy = 0;
  double xx = 0;
  for (std::size_t k = 0; k < regrets.size(); ++k) {
    const double x = static_cast<double>(k) - (size - 1) / 2;
    xy += x * std::log2(mean_without(regrets[k], left_out));
    xx += x * x;
  }
  return xy / xx;
}

/// Half the width of the 95 % interval of the slope, by the jackknife over the seeds.
inline double slope_half_interval(const Regrets& regrets) {
  Vector slopes;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) slopes.push_back(slope(regrets, seed));
  return half_interval(slopes) * static_cast<double>(seeds - 1);
}

}  // namespace keyhole::bench
