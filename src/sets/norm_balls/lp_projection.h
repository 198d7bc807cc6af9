// The nearest point of a weighted lp ball.

#pragma once

#include <span>
#include <vector>

namespace keyhole::sets {

/// Projects onto {x : sum_i (w_i |x_i|)^p <= radius^p}, 1 < p < inf.
///
/// With y = w x / radius, c = w |z| / radius and a = w^2 / max w^2, the nearest point has
///
///   y_i + mu a_i y_i^(p-1) = c_i,  sum_i y_i^p = 1
///
/// for one mu > 0. Each y_i falls as mu grows; it is found by Newton's method on a convex function
/// from above, in y^(p-1) for p < 2, so without overshooting. mu is found by Newton's method on
/// (sum y^p)^(1/p - 1) - 1, which is nearly linear in mu far from the ball (for p = 2 the secular
/// equation, as Hebden and More solve it). After construction nothing allocates. One a thread.
class LpProjection {
 public:
  LpProjection(double p, double radius, std::span<const double> weights);

  /// `nearest` may be `point`, which must be outside the ball.
  void project(std::span<const double> point, std::span<double> nearest);

 private:
  /// y and y^(p-1).
  struct Root {
    double y;
    double power;
  };
  /// y + b y^(p-1) = c, for c > 0, b > 0, with a root of at most 1.
  [[nodiscard]] Root root(double b, double c) const;
  /// Sets y for mu; gives f(mu) / f'(mu) of the function above.
  double solve(double mu);
  /// A mu that is too large: (sum_i (c_i / a_i)^q)^(1/q), for then y_i^(p-1) <= c_i / (mu a_i).
  [[nodiscard]] double largest() const;

  double p_;
  double radius_;
  std::span<const double> weights_;
  std::vector<double> a_;
  std::vector<double> c_;
  std::vector<double> y_;
  std::vector<double> terms_;
  std::vector<double> slopes_;
};

}  // namespace keyhole::sets
