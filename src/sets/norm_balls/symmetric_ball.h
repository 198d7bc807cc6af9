// What balls of norms, K = {x : gamma(x) <= 1} about p, have in common.

#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "keyhole/set.h"
#include "math/sums.h"

namespace keyhole::sets {

/// The geometry about another centre c at gauge gamma(c) < 1 and distance off = ||c - p||: c +
/// (1 - gamma) (K - p) is in K, so r is at least (1 - gamma) r, and R at most R + off. The diameter
/// stays.
inline Geometry geometry_by_gauge(const Geometry& about_p, std::span<const double> c, double gamma,
                                  double off) {
  return {{c.begin(), c.end()}, (1 - gamma) * about_p.inner_radius,     about_p.outer_radius + off,
          about_p.diameter,     off == 0 && about_p.outer_radius_exact, about_p.diameter_exact};
}

/// The same for p = 0.
inline Geometry geometry_by_gauge(const Geometry& about_0, std::span<const double> c,
                                  double gamma) {
  return geometry_by_gauge(about_0, c, gamma, math::norm(c));
}

/// A ball about 0 that projects and has a gauge.
class SymmetricBall : public Set {
 public:
  using Set::Set;

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return x.size() == dimension() && gauge(x) <= 1 + membership_tolerance;
  }
  [[nodiscard]] bool can_project() const noexcept override { return true; }
  [[nodiscard]] bool can_gauge() const noexcept override { return true; }
  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return geometry_by_gauge(geometry(), centre, gauge(centre));
  }

 private:
  /// gamma(x); infinite or not a number where a coordinate is.
  [[nodiscard]] virtual double gauge(std::span<const double> x) const = 0;
};

/// One whose gauge needs room for the magnitudes.
class MagnitudeBall : public SymmetricBall {
 public:
  using SymmetricBall::SymmetricBall;

 private:
  [[nodiscard]] double gauge(std::span<const double> x) const final {
    const double largest = math::largest_magnitude(x);
    if (!(largest <= largest_number)) return largest;
    std::vector<double> magnitudes(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) magnitudes[i] = std::abs(x[i]);
    return gauge_of_magnitudes(magnitudes);
  }
  /// gamma; it may write over them.
  [[nodiscard]] virtual double gauge_of_magnitudes(std::span<double> magnitudes) const = 0;
};

}  // namespace keyhole::sets
