#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "keyhole/set.h"
#include "learners/hull_basis.h"
#include "math/sums.h"
#include "sets/bisected_gauge.h"

namespace keyhole::algorithms {

/// The hull of a set in orthonormal coordinates X from p on, in lengths of rho, and the way from a
/// point of it into the set: along the ray from p, by the gauge.
class GaugedPlane {
 public:
  /// The set must outlive it. No point of it is farther than rho from the start, if rho is left
  /// open.
  GaugedPlane(const Set& set, std::span<const double> start, std::optional<double> rho)
      : set_(&set), basis_(set), point_(set.dimension()), subgradient_(set.dimension()) {
    const std::vector<double>& p = set.centre();
    const double off = std::sqrt(math::reduce(
        p.size(), [&](std::size_t i) { return (start[i] - p[i]) * (start[i] - p[i]); }));
    rho_ = rho.value_or(std::min(set.diameter(), set.outer_radius() + off));
  }

  /// The length of a unit.
  [[nodiscard]] double rho() const noexcept { return rho_; }

  /// X of a point of the hull.
  void coordinates(std::span<const double> point, std::span<double> X) {
    const std::vector<double>& p = set_->centre();
    for (std::size_t i = 0; i < point_.size(); ++i) point_[i] = (point[i] - p[i]) / rho_;
    basis_.coordinates(point_, X);
  }

  /// max(1, gauge) of X, for which bring_in() is then to be called.
  double gauge(Oracle& oracle, std::span<const double> X) {
    const std::vector<double>& p = set_->centre();
    std::copy(p.begin(), p.end(), point_.begin());
    basis_.add_to(point_, rho_, X);
    if (set_->can_gauge()) return std::max(1.0, oracle.gauge(point_, subgradient_));
    if (set_->contains(point_)) return 1;
    return std::max(1.0, sets::bisected_gauge(*set_, point_, subgradient_));
  }

  /// Writes the point of the set for the latest X, which had that gauge.
  void bring_in(double gamma, std::span<double> y) const {
    const std::vector<double>& p = set_->centre();
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = p[i] + (point_[i] - p[i]) / gamma;
  }

 private:
  const Set* set_;
  HullBasis basis_;
  double rho_ = 1;
  // Workspace.
  std::vector<double> point_;
  std::vector<double> subgradient_;
};

}  // namespace keyhole::algorithms
