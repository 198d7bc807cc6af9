#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "keyhole/choices.h"
#include "math/sums.h"
#include "sets/distributions/divergence_ball.h"
#include "sets/sort_by_key.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// x_i = q_i max(0, a - beta d_i): the k cheapest are left. With s, m and v the mass, the mean and
/// the variance of d under q among these, and t the mass of the others, which is kept (s + t = 1),
///
///   x_i = q_i (1 + t / s + beta (m - d_i)),  divergence = t / s + beta^2 s v,
///
/// and the dearest of them goes at beta = (1 + t / s) / (d_k - m). The divergence there grows as k
/// falls, so the first k from above that reaches the level is the right one.
class ChiSquareMethod {
 public:
  ChiSquareMethod(const Vector& q, double level)
      : q_(q),
        level_(level),
        order_(q.size()),
        masses_(q.size()),
        moments_(q.size()),
        sort_(q.size()) {}

  void find(std::span<const double> costs, std::span<double> x) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    sort_(order_, [&](std::size_t i) { return costs[i]; });
    const std::size_t count = cheapest(costs);
    const std::span<const std::size_t> left = std::span(order_).first(count);
    const auto mass_of = [&](std::span<const std::size_t> some) {
      return math::reduce(some.size(), [&](std::size_t k) { return q_[some[k]]; });
    };
    const double s = mass_of(left);
    const double t = mass_of(std::span(order_).subspan(count));
    const double mean =
        math::reduce(count, [&](std::size_t k) { return q_[left[k]] * costs[left[k]]; }) / s;
    const double spread = math::reduce(count, [&](std::size_t k) {
      const double from_mean = costs[left[k]] - mean;
      return q_[left[k]] * from_mean * from_mean;
    });
    const double room = std::max(level_ - (s + t) * t / s, 0.0);
    const double beta = spread > 0 ? std::sqrt(room / spread) : 0;
    std::fill(x.begin(), x.end(), 0.0);
    for (const std::size_t i : left) {
      x[i] = std::max(q_[i] * (1 + t / s + beta * (mean - costs[i])), 0.0);
    }
  }

 private:
  /// How many are left. The variance is summed as by Welford (1962), which keeps its digits.
  std::size_t cheapest(std::span<const double> costs) {
    double s = 0;
    double mean = 0;
    double spread = 0;
    for (std::size_t k = 0; k < q_.size(); ++k) {
      const std::size_t i = order_[k];
      const double from_mean = costs[i] - mean;
      s += q_[i];
      mean += from_mean * (q_[i] / s);
      spread += q_[i] * from_mean * (costs[i] - mean);
      masses_[k] = s;
      // The divergence at which k goes is that of the mass that went before, and this.
      const double width = costs[i] - mean;
      moments_[k] = width > 0 ? spread / (width * width) : std::numeric_limits<double>::infinity();
    }
    double t = 0;
    for (std::size_t k = q_.size(); k-- > 1;) {
      const double whole = (masses_[k] + t) / masses_[k];
      if (t * whole + whole * whole * moments_[k] >= level_) return k + 1;
      t += q_[order_[k]];
    }
    return 1;
  }

  const Vector& q_;
  double level_;
  std::vector<std::size_t> order_;  // by rising costs
  Vector masses_;                   // of the first ones in that order
  Vector moments_;                  // s v / (d_k - m)^2 of them
  SortByKey sort_;
};

struct ChiSquareDivergence {
  static constexpr const char* name = "chi_square_ball";
  static double level(double radius) { return radius; }
  static double of_vertex(double share) { return (1 - share) / share; }

  static double between(std::span<const double> x, std::span<const double> q) {
    return math::reduce(x.size(), [&](std::size_t i) {
      const double step = x[i] - q[i];
      return step * (step / q[i]);
    });
  }

  /// By Cauchy's inequality (sum |c_i|)^2 is at most the divergence, and ||c||^2 at most half of
  /// that.
  static Geometry geometry(const Vector& q, double radius) {
    const auto [least, most] = std::minmax_element(q.begin(), q.end());
    return divergence_geometry(q, radius * *least, radius * std::min(*most, 0.5));
  }

  using Method = ChiSquareMethod;
};

}  // namespace

SetPtr chi_square_ball(List<double> distribution, double radius) {
  require_divergence_ball("a chi-square ball", distribution, radius,
                          radius >= 1e-10 && base::is_moderate(radius), "1e-10 to 1e50");
  return std::make_shared<DivergenceBall<ChiSquareDivergence>>(
      Vector(distribution.begin(), distribution.end()), radius);
}

}  // namespace keyhole::sets
