// The loss of a day that leaves w of a wealth of 1, and its sum over days.

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "keyhole/problem.h"

namespace keyhole::problems {

/// phi(w) = -log w for w >= floor, and its tangent at the floor below: convex, decreasing, with a
/// continuous derivative, finite everywhere.
struct LogLoss {
  /// w_0 > 0.
  double floor;

  /// phi(w).
  [[nodiscard]] double operator()(double w) const;
  /// phi'(w) = -1 / max(w, floor).
  [[nodiscard]] double slope(double w) const;
};

/// The wealth of a play y: w = sum_i r_i (y_i + shift) / scale.
struct WealthMap {
  /// 0 for shares.
  double shift = 0;
  /// 1 for shares.
  double scale = 1;

  /// w, for the relatives r.
  [[nodiscard]] double operator()(std::span<const double> r, std::span<const double> y) const;
};

/// F(y) = sum over days of phi(w_t(y)). value and gradient cost O(days n), line_minimum as much and
/// O(days) a step of Newton's method. The days must stay where they are. Not thread-safe.
class TotalLogLoss : public TotalLoss {
 public:
  /// No days yet.
  TotalLogLoss(LogLoss loss, WealthMap map) : loss_(loss), map_(map) {}

  /// Adds a day with these relatives, which are not copied.
  void add_day(std::span<const double> relatives) { days_.push_back(relatives); }
  [[nodiscard]] double value(std::span<const double> x) const override;
  void gradient(std::span<const double> x, std::span<double> gradient) const override;
  [[nodiscard]] double line_minimum(std::span<const double> x, std::span<const double> d,
                                    double longest) const override;

 private:
  LogLoss loss_;
  WealthMap map_;
  std::vector<std::span<const double>> days_;
};

}  // namespace keyhole::problems
