#include <algorithm>
#include <cmath>
#include <vector>

#include "keyhole/choices.h"
#include "math/elementary.h"
#include "math/sums.h"
#include "sets/distributions/divergence_ball.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// t log t - t + 1 >= 0, with all its digits near t = 1 by the series in t - 1.
double entropy_term(double t) {
  if (!(t > 0)) return 1;
  const double s = t - 1;
  if (std::abs(s) > 0.1) return t * math::log(t) - s;
  double sum = 0;
  constexpr int terms = 18;
  for (int k = terms; k >= 2; --k) sum = 1.0 / (k * (k - 1)) - s * sum;
  return s * s * sum;
}

struct KlDivergence {
  static constexpr const char* name = "kl_ball";
  static double level(double radius) { return radius; }
  static double of_vertex(double share) { return -math::log(share); }

  /// sum x_i log(x_i / q_i), as sum q_i f(x_i / q_i) with f >= 0: the same for sum x = sum q.
  static double between(std::span<const double> x, std::span<const double> q) {
    return math::reduce(x.size(), [&](std::size_t i) { return q[i] * entropy_term(x[i] / q[i]); });
  }

  /// The divergence is at most log(1 + sum c_i^2 / q_i) (Gibbs, Su 2002), so it is at most the
  /// radius for ||c||^2 <= (exp(radius) - 1) min q. And ||c||^2 <= (sum |c_i|)^2 / 2 <= radius
  /// (Pinsker).
  static Geometry geometry(const Vector& q, double radius) {
    const double least = *std::min_element(q.begin(), q.end());
    const double growth = std::max(radius, math::exp(std::min(radius, 700.0)) - 1);
    return divergence_geometry(q, growth * least, radius);
  }

  /// x_i = q_i exp(-beta d_i) / sum; the divergence grows by beta times the variance of d under x.
  struct Exponential {
    const Vector& q;

    double tilt(double beta, std::span<const double> costs, std::span<double> x) const {
      for (std::size_t i = 0; i < q.size(); ++i) x[i] = q[i] * math::exp(-beta * costs[i]);
      const double sum = math::sum(x);
      for (double& share : x) share /= sum;
      return between(x, q);
    }

    static double slope(double beta, std::span<const double> costs, std::span<const double> x) {
      return beta * TiltMethod<Exponential>::variance(costs, x);
    }
  };
  using Method = TiltMethod<Exponential>;
};

}  // namespace

SetPtr kl_ball(List<double> distribution, double radius) {
  require_divergence_ball("a KL ball", distribution, radius,
                          radius >= 1e-10 && base::is_moderate(radius), "1e-10 to 1e50");
  return std::make_shared<DivergenceBall<KlDivergence>>(
      Vector(distribution.begin(), distribution.end()), radius);
}

}  // namespace keyhole::sets
