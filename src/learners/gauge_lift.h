#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "keyhole/set.h"

namespace keyhole::algorithms {

/// How Mhammedi's Algorithm 1 comes from a point w of a ball around K to a point of K. All points w
/// are meant from p on; K' = p + (1 - alpha) (K - p).
class GaugeLift {
 public:
  explicit GaugeLift(const std::vector<double>& p) : p_(&p), x_(p), nu_(p.size()), point_(p) {}

  /// x = w / max(1, gamma) and nu, for the gauge gamma of K' about p and its subgradient at w.
  void lift(Oracle& oracle, double alpha, std::span<const double> w) {
    const std::vector<double>& p = *p_;
    if (alpha >= 1) {  // K' is the centre
      x_ = p;
      return;
    }
    for (std::size_t i = 0; i < w.size(); ++i) point_[i] = p[i] + w[i];
    gamma_ = oracle.gauge(point_, nu_) / (1 - alpha);
    for (double& coordinate : nu_) coordinate /= 1 - alpha;
    const double divisor = at_least_1();
    for (std::size_t i = 0; i < w.size(); ++i) x_[i] = p[i] + w[i] / divisor;
  }

  /// The gauge of w.
  [[nodiscard]] double gamma() const noexcept { return gamma_; }
  /// max(1, gamma): w from p on is so many times x.
  [[nodiscard]] double at_least_1() const noexcept { return std::max(1.0, gamma_); }
  /// The point of K', as it is: not from p on.
  [[nodiscard]] std::span<const double> x() const noexcept { return x_; }
  /// The subgradient of the gauge.
  [[nodiscard]] std::span<const double> nu() const noexcept { return nu_; }

 private:
  const std::vector<double>* p_;
  double gamma_ = 0;
  std::vector<double> x_;
  std::vector<double> nu_;
  // Workspace.
  std::vector<double> point_;
};

}  // namespace keyhole::algorithms
