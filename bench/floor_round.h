#pragma once

// The floor of a round: the same mathematics as projection_free on solid_simplex behind ask and
// tell, in the same digits, by hand and for this one case. Each vector is touched as rarely as the
// order of events allows, there is no interface and nothing is checked: what a library could reach
// at best. The generator is the library's own.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "learners/power_sequence.h"
#include "math/elementary.h"
#include "math/lanes.h"
#include "math/random/ars.h"
#include "math/random/gaussian.h"
#include "math/sums.h"

namespace keyhole::bench {

/// Quotients by one divisor, each the double nearest to a / divisor, as / gives it. With fused
/// multiply-adds: 1 / divisor as the sum of two doubles gives a quotient that is off by less than a
/// unit in the last place, and from such a one the remainder leads to the nearest (Markstein 1990;
/// Brisebarre, Muller, Raina 2004). Needs a and the divisor far from the ends of the range.
class Divisor {
 public:
  explicit Divisor(double divisor)
      : divisor_(divisor), high_(1 / divisor), low_(std::fma(-divisor, high_, 1.0) * high_) {}

  template <std::size_t width>
  void divide(const double* a, std::array<double, width>& quotient) const {
#if defined(__FP_FAST_FMA) || defined(__ARM_FEATURE_FMA)
    std::array<double, width> q;
    for (std::size_t j = 0; j < width; ++j) q[j] = a[j] * low_;
    for (std::size_t j = 0; j < width; ++j) q[j] = std::fma(a[j], high_, q[j]);
    std::array<double, width> rest;
    for (std::size_t j = 0; j < width; ++j) rest[j] = std::fma(-q[j], divisor_, a[j]);
    for (std::size_t j = 0; j < width; ++j) q[j] = std::fma(rest[j], high_, q[j]);
    // -0 stays what it is
    for (std::size_t j = 0; j < width; ++j) quotient[j] = std::copysign(q[j], a[j]);
#else
    for (std::size_t j = 0; j < width; ++j) quotient[j] = a[j] / divisor_;
#endif
  }

 private:
  double divisor_;
  double high_;
  double low_;
};

/// projection_free on {x >= 0, sum x <= 1} from its centre, with the theorem's constants.
class FloorRound {
 public:
  FloorRound(std::size_t n, double loss_bound, std::uint64_t horizon, std::uint64_t seed)
      : n_(n), generator_(seed, 0), S_(n), x_(n), x_1_(n), u_(n) {
    const auto size = static_cast<double>(n);
    const double T = static_cast<double>(horizon);
    const double r = 1 / (size + std::sqrt(size));
    const double a = 1 / (size + std::sqrt(size));
    const double b = 1 / (1 + std::sqrt(size));
    const double D = n == 1 ? 1 : std::sqrt(2.0);
    const double c = r / 2;
    p_ = r;
    slack_ = 1e-9 * std::sqrt(1 - 2 * a + b * b);
    delta_ = c * math::pow(T, -0.2);
    alpha_ = delta_ / r;
    eta_ = c * D / (std::sqrt(2.0) * size * loss_bound) * math::pow(T, -0.8);
    std::fill(x_.begin(), x_.end(), p_);
    x_1_ = x_;
  }

  /// The point y_t; what learner.ask() does, which also takes in the loss of the play before.
  void ask(std::span<double> y) {
    if (t_ > 0) step();
    ++t_;
    draw();
    perturb(y.data());
  }

  /// The loss of the point.
  void tell(double loss) { loss_ = loss; }

 private:
  static constexpr std::size_t block = 64;
  using Lanes = math::Numbers;

  static Lanes load(const double* from) { return math::load_lanes<Lanes>(from); }
  static void store(double* to, Lanes lanes) { math::store_lanes(to, lanes); }

  /// Lines 5 to 8 of the algorithm in one pass: the gradient of F, its least coordinate, the move
  /// of x but for the one coordinate of the vertex, and the latest estimate into the sum.
  void step() {
    const double sigma = sigma_(t_);
    const Step move{1 - sigma, sigma * alpha_ * p_, static_cast<double>(n_) / delta_ * loss_};
    double least = 0;
    std::size_t index = n_;
    for (std::size_t start = 0; start < n_; start += block) {
      std::array<double, block> gradient;
      const double of_block = step_block(move, start, std::min(block, n_ - start), gradient.data());
      if (of_block < least) {
        least = of_block;
        index = start;
        while (gradient[index - start] != least) ++index;
      }
    }
    if (index < n_) x_[index] += sigma * (1 - alpha_);
  }

  struct Step {
    double keep;
    double shift;
    double factor;
  };

  /// The step in a part of the vectors; returns the least coordinate of the gradient, or 0.
  [[gnu::always_inline]] double step_block(Step move, std::size_t start, std::size_t count,
                                           double* gradient) {
    double* const S = S_.data() + start;
    double* const x = x_.data() + start;
    const double* const x_1 = x_1_.data() + start;
    const double* const u = u_.data() + start;
    const double eta = eta_;
    std::array<Lanes, 4> least{};
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8) {
      for (std::size_t j = 0; j < 4; ++j) {
        const std::size_t k = i + 2 * j;
        const Lanes s = load(S + k);
        const Lanes at = load(x + k);
        const Lanes g = eta * s + 2 * (at - load(x_1 + k));
        store(gradient + k, g);
        store(x + k, move.keep * at + move.shift);
        store(S + k, s + move.factor * load(u + k));
        least[j] = math::smaller(g, least[j]);
      }
    }
    const Lanes c =
        math::smaller(math::smaller(least[0], least[1]), math::smaller(least[2], least[3]));
    double result = std::min(c[0], c[1]);
    for (; i < count; ++i) {
      gradient[i] = eta * S[i] + 2 * (x[i] - x_1[i]);
      x[i] = move.keep * x[i] + move.shift;
      S[i] += move.factor * u[i];
      result = std::min(result, gradient[i]);
    }
    return result;
  }

  void draw() {
    math::gaussians(generator_, t_, 0, u_);
    length_ = std::sqrt(math::squared_norm(u_));
  }

  /// u = z / |z|, y = x + delta u, and signs that rounding broke. Sixteen coordinates at a time:
  /// one alone is a long chain of operations, each waiting for the one before.
  void perturb(double* __restrict y) {
    const Divisor length(length_);
    constexpr std::size_t width = 16;
    std::size_t i = 0;
    std::uint64_t signs = 0;
    for (; i + width <= n_; i += width) signs |= perturb<width>(length, i, y);
    for (; i + 4 <= n_; i += 4) signs |= perturb<4>(length, i, y);
    for (; i < n_; ++i) signs |= perturb<1>(length, i, y);
    if (signs >> 63U == 0) return;
    for (i = 0; i < n_; ++i) {
      if (y[i] < 0 && y[i] >= -slack_) y[i] = 0;
    }
  }

  template <std::size_t width>
  [[gnu::always_inline]] std::uint64_t perturb(const Divisor& length, std::size_t start,
                                               double* __restrict y) {
    double* __restrict u = u_.data() + start;
    const double* __restrict x = x_.data() + start;
    std::array<double, width> unit;
    length.divide(u, unit);
    for (std::size_t j = 0; j < width; ++j) u[j] = unit[j];
    for (std::size_t j = 0; j < width; ++j) y[start + j] = x[j] + delta_ * unit[j];
    std::uint64_t signs = 0;
    for (std::size_t j = 0; j < width; ++j) signs |= std::bit_cast<std::uint64_t>(y[start + j]);
    return signs;
  }

  std::size_t n_;
  math::Ars generator_;
  double p_;
  double slack_;
  double delta_;
  double alpha_;
  double eta_;
  std::uint64_t t_ = 0;
  algorithms::PowerSequence sigma_{-0.4};
  double loss_ = 0;
  double length_ = 1;
  std::vector<double> S_;
  std::vector<double> x_;
  std::vector<double> x_1_;
  std::vector<double> u_;
};

}  // namespace keyhole::bench
