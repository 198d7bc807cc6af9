#pragma once

#include <cmath>

#include "keyhole/algorithm.h"
#include "math/elementary.h"

namespace keyhole::algorithms {

/// Theorem 1 of Chen, Zhang, Karbasi: "Projection-Free Bandit Convex Optimization", AISTATS 2019.
struct Theorem1 {
  double n;
  double M;
  double G;
  double r;
  double R;
  double D;
  double c;

  /// As printed.
  [[nodiscard]] RegretBound as_published(std::uint64_t horizon) const {
    const double T = static_cast<double>(horizon);
    const double value =
        std::sqrt(2.0) * (n * M * D) / (c * c) * math::pow(T, 0.6) +
        (std::sqrt(2.0) * (n * M * D) + 5 * std::sqrt(2.0) / 4 * D * G + of_smoothing()) *
            math::pow(T, 0.8);
    return {value, false,
            c < 1 ? "Theorem 1 as printed does not hold for c < 1"
                  : "Theorem 1 as printed: its proof takes F_t for 1-smooth, and it is 2-smooth"};
  }

  /// With the terms that docs/paper.md derives.
  [[nodiscard]] RegretBound corrected(std::uint64_t horizon) const {
    const double T = static_cast<double>(horizon);
    const double value =
        n * M * D / (std::sqrt(2.0) * c) * math::pow(T, 0.6) +
        (std::sqrt(2.0) * (n * M * D) / c + 5 * std::sqrt(3.0) / 4 * D * G + of_smoothing()) *
            math::pow(T, 0.8);
    return {value, true, "Theorem 1, errata fixed"};
  }

 private:
  [[nodiscard]] double of_smoothing() const { return 3 * c * G + c * R * G / r; }
};

}  // namespace keyhole::algorithms
