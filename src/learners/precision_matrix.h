#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "keyhole/archive.h"
#include "math/spectral/tridiagonalisation.h"

namespace keyhole::algorithms {

/// P, the inverse of the covariance of a normal distribution in n dimensions, with its factor:
/// P = L L'. After construction nothing allocates; the digits are the same everywhere.
class PrecisionMatrix {
 public:
  explicit PrecisionMatrix(std::size_t n);

  /// P = value times the unit matrix. No eigenvalue falls below half of it from then on.
  void reset(double value);

  /// d = L'^-1 z: normal with covariance P^-1 if z is standard normal.
  void draw(std::span<const double> z, std::span<double> d) const;
  /// v = L z, which is P d for that d.
  void score(std::span<const double> z, std::span<double> v) const;
  /// x = P^-1 x.
  void solve(std::span<double> x) const;

  /// The trace of P^-1: the mean of the squared length of a draw. Allocates.
  [[nodiscard]] double trace_of_inverse() const;

  /// P <- (1 - c) P + c v v', for |c| <= 1/2. Eigenvalues below the floor are raised to it, one by
  /// one from the smallest. P stays as it is where its trace would exceed 1e8 times the first one.
  void update(double c, std::span<const double> v);

  /// The eigenvalues that have been raised.
  [[nodiscard]] std::uint64_t raised() const noexcept { return raised_; }

  /// The fields of a state.
  void state(Archive& archive);

 private:
  void raise_spectrum_of_next();

  std::size_t n_;
  double floor_ = 0;
  double most_trace_ = 0;
  std::vector<double> p_;
  std::uint64_t raised_ = 0;
  // What follows from it.
  std::vector<double> factor_;
  // Workspace.
  std::vector<double> next_;
  std::vector<double> next_factor_;
  std::vector<double> eigenvector_;
  std::vector<double> twisted_;
  math::Tridiagonalisation reduction_;
};

}  // namespace keyhole::algorithms
