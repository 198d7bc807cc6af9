// The norm of a weighted lp ball, and its oracles.

#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "keyhole/set.h"
#include "math/elementary.h"
#include "math/sums.h"

namespace keyhole::sets {

/// (sum_i term(i)^p)^(1/p) for terms that are not negative, 1 <= p <= inf, without overflow.
template <class Term>
double lp_power_norm(std::size_t n, double p, Term term) {
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, term(i));
  if (p == std::numeric_limits<double>::infinity() || !(largest > 0)) return largest;
  const auto power = [&](std::size_t i) {
    const double share = term(i) / largest;
    return p == 1 ? share : p == 2 ? share * share : math::pow(share, p);
  };
  const double sum = math::reduce(n, power);
  return largest * (p == 1 ? sum : p == 2 ? std::sqrt(sum) : math::pow(sum, 1 / p));
}

/// gamma(x) = (sum (w_i |x_i|)^p)^(1/p) / radius.
struct LpNorm {
  double p;
  double radius;
  std::vector<double> weights;

  [[nodiscard]] double of(std::span<const double> x) const {
    return lp_power_norm(x.size(), p, [&](std::size_t i) { return std::abs(x[i]) * weights[i]; }) /
           radius;
  }

  /// The length of the gradient of gamma at x != 0, for 1 <= p < inf.
  [[nodiscard]] double steepness(std::span<const double> x, double gamma) const {
    const auto square = [&](std::size_t i) {
      const double s =
          weights[i] / radius * math::pow(std::abs(x[i]) * weights[i] / radius / gamma, p - 1);
      return s * s;
    };
    return std::sqrt(math::reduce(x.size(), square));
  }
};

/// Minimises over, and projects onto, {x : gamma(x) <= 1}; refers to the norm, which belongs to
/// the ball. For 1 <= p < inf.
[[nodiscard]] std::unique_ptr<Oracle> lp_oracle(const LpNorm& norm);

}  // namespace keyhole::sets
