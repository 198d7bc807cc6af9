#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "keyhole/exploration.h"
#include "keyhole/set.h"

namespace keyhole::algorithms {

/// Coordinates of the hull of a set in which its exploration nu is equally wide every way: with
/// Sigma the covariance of nu,
///
///   z = W (y - origin),  y = origin + B z,  |z|^2 = (y - origin)' Sigma^-1 (y - origin)
///
/// An affine map of the set does not change them, but for a rotation. After construction nothing
/// allocates.
class Frame {
 public:
  /// About `origin`, a point of the set that outlives the frame.
  Frame(const SetPtr& set, Exploration& nu, std::span<const double> origin);

  /// m, the dimension of the hull.
  [[nodiscard]] std::size_t size() const noexcept { return m_; }
  /// n, the number of coordinates of a point.
  [[nodiscard]] std::size_t dimension() const noexcept { return origin_.size(); }
  /// Where z = 0.
  [[nodiscard]] std::span<const double> origin() const noexcept { return origin_; }

  /// mu, with sum_i (y_i - origin_i)^2 / Var v_i = sum_k mu_k z_k^2; empty where all are about the
  /// same, so that this is |z|^2 but for a factor.
  [[nodiscard]] std::span<const double> stretches() const noexcept { return stretches_; }

  /// z of a point y of the hull.
  void coordinates(std::span<const double> y, std::span<double> z) const;
  /// y of z.
  void point(std::span<const double> z, std::span<double> y) const;
  /// The direction d for which <d, y> is <slope, z> but for a constant.
  void direction(std::span<const double> slope, std::span<double> d) const;

 private:
  void whiten(const SetPtr& set, Exploration& nu);
  [[nodiscard]] double squared_in_span(std::span<const double> b, std::size_t columns) const;
  void align(std::span<const double> variance);

  std::span<const double> origin_;
  std::size_t m_;
  std::vector<double> to_z_;    // W, row by row
  std::vector<double> from_z_;  // B, column by column
  std::vector<double> stretches_;
};

}  // namespace keyhole::algorithms
