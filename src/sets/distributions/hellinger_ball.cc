#include <algorithm>
#include <cmath>
#include <vector>

#include "keyhole/choices.h"
#include "math/sums.h"
#include "sets/distributions/divergence_ball.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// The square of Hellinger's distance: 1 - sum sqrt(x_i q_i).
struct HellingerDivergence {
  static constexpr const char* name = "hellinger_ball";
  static double level(double radius) { return radius * radius; }
  static double of_vertex(double share) { return 1 - std::sqrt(share); }

  static double between(std::span<const double> x, std::span<const double> q) {
    return math::reduce(x.size(), [&](std::size_t i) {
      const double apart = std::sqrt(x[i]) - std::sqrt(q[i]);
      return apart * apart / 2;
    });
  }

  /// sqrt x_i - sqrt q_i = c_i / (sqrt x_i + sqrt q_i), where the sum is at least 1 + sqrt(1 - t)
  /// times sqrt q_i if ||c|| <= t m, m = min q. With h the level and k = sqrt(2 h / m), the
  /// divergence is at most h for t = k (1 + sqrt(1 - t)), which is k (2 - k); for k >= 1 for all
  /// ||c|| <= k m. By Cauchy's inequality (sum |c_i|)^2 <= 4 h (2 - h), and ||c||^2 is at most half
  /// of that.
  static Geometry geometry(const Vector& q, double level) {
    const double least = *std::min_element(q.begin(), q.end());
    const double k = std::sqrt(2 * level / least);
    const double r = least * k * (k < 1 ? 2 - k : 1);
    return divergence_geometry(q, r * r, 2 * level * (2 - level));
  }

  /// x_i = q_i u_i^2 / sum, u_i = 1 / (1 + beta d_i), from the multipliers of the sum and of the
  /// distance.
  struct Harmonic {
    const Vector& q;

    double tilt(double beta, std::span<const double> costs, std::span<double> x) const {
      for (std::size_t i = 0; i < q.size(); ++i) {
        const double u = 1 / (1 + beta * costs[i]);
        x[i] = q[i] * u * u;
      }
      const double sum = math::sum(x);
      for (double& share : x) share /= sum;
      return between(x, q);
    }

    /// With m_k = sum q_i u_i^k it is (m_1 m_3 - m_2^2) / (beta m_2^(3/2)), and m_1 m_3 - m_2^2 is
    /// m_1^2 times the variance of u under q u / m_1.
    double slope(double beta, std::span<const double> costs, std::span<const double> /*x*/) const {
      const auto u = [&](std::size_t i) { return 1 / (1 + beta * costs[i]); };
      const double m1 = math::reduce(q.size(), [&](std::size_t i) { return q[i] * u(i); });
      const double m2 = math::reduce(q.size(), [&](std::size_t i) { return q[i] * u(i) * u(i); });
      const double mean = m2 / m1;
      const double spread = math::reduce(
          q.size(), [&](std::size_t i) { return q[i] * u(i) * (u(i) - mean) * (u(i) - mean); });
      return m1 * spread / (beta * m2 * std::sqrt(m2));
    }
  };
  using Method = TiltMethod<Harmonic>;
};

}  // namespace

SetPtr hellinger_ball(List<double> distribution, double radius) {
  require_divergence_ball("a Hellinger ball", distribution, radius, radius >= 1e-5 && radius <= 1,
                          "1e-5 to 1");
  return std::make_shared<DivergenceBall<HellingerDivergence>>(
      Vector(distribution.begin(), distribution.end()), radius);
}

}  // namespace keyhole::sets
