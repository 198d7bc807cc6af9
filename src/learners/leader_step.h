#pragma once

#include <cstddef>
#include <span>

namespace keyhole::algorithms {

/// A step of online conditional gradient for F(x) = eta S . x + pull / 2 ||x - x_1||^2 within
/// p + (1 - alpha) (K - p): x <- (1 - sigma) x + sigma v, where v = alpha p + (1 - alpha) v' for
/// the v' of K that minimises <grad F(x), v'>.
struct LeaderStep {
  double eta;
  double pull;
  double sigma;
  double alpha;

  /// gradient = grad F(x), then x becomes all of the step but v', in one pass. The spans written do
  /// not overlap with others, which the compiler cannot know.
  void before_vertex(std::span<const double> S, std::span<const double> x_1,
                     std::span<const double> p, std::span<double> gradient,
                     std::span<double> x) const {
    const LeaderStep by = *this;
    const double keep = 1 - by.sigma;
    const double to_centre = by.sigma * by.alpha;
    double* __restrict direction = gradient.data();
    double* __restrict at = x.data();
    const double* __restrict sum = S.data();
    const double* centre = p.data();
    const double* start = x_1.data();
    const std::size_t size = x.size();
    for (std::size_t i = 0; i < size; ++i) {
      direction[i] = by.eta * sum[i] + by.pull * (at[i] - start[i]);
      at[i] = keep * at[i] + to_centre * centre[i];
    }
  }

  /// The weight with which v' is to be added then.
  [[nodiscard]] double of_vertex() const noexcept { return sigma * (1 - alpha); }
};

}  // namespace keyhole::algorithms
