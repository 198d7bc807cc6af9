#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/problems.h"
#include "math/elementary.h"
#include "math/sums.h"
#include "problems/additive_noise.h"
#include "problems/draws.h"
#include "problems/option_lists.h"
#include "problems/parabola.h"
#include "problems/requirements.h"
#include "problems/total_of_rounds.h"
#include "problems/waves.h"

namespace keyhole::problems {
namespace {

using Vector = std::vector<double>;

/// f_t(x) = g(x) + noise_t with g(x) = sum_i |(x_i - c_i) / s_i|^power / power, s_i = 1 or the
/// width of the set in coordinate i; or, of a steepness s, sum_i exp(s d_i) - s d_i with the same
/// d_i = (x_i - c_i) / s_i.
class Separable final : public Problem {
 public:
  Separable(SetPtr set, const SeparableOptions& options, ProblemSeed seed)
      : Problem(std::move(set)),
        options_(options),
        kind_(options.steepness > 0 ? Kind::exponential
              : options.power == 1  ? Kind::magnitude
                                    : Kind::square),
        noise_(options.noise, options.tails, seed),
        low_(this->set().dimension()),
        high_(low_.size()),
        target_(low_.size()),
        inverse_scale_(low_.size(), 1.0) {
    find_ranges();
    Vector u(target_.size());
    Draws(seed).uniforms(Purpose::rounds, 0, u);
    for (std::size_t i = 0; i < u.size(); ++i) {
      const double half = (high_[i] - low_[i]) / 2;
      const double share = options.corners ? (u[i] < 0.5 ? -1 : 1) : 2 * u[i] - 1;
      target_[i] = (low_[i] + half) + options.inner * half * share;
      if (options.turn > 0) {
        // In steps of a quarter of a round.
        phase_.push_back(static_cast<std::uint64_t>(u[i] * 4 * static_cast<double>(options.turn)));
      }
      if (!options.scaled) continue;
      base::require_positive("a width of " + this->set().spec() + ", by which separable is scaled,",
                             2 * half);
      inverse_scale_[i] = 1 / (2 * half);
    }
    bounds_ = noise_.widened(find_bounds());
    require_moderate_losses(*this);
  }

  [[nodiscard]] std::string spec() const override {
    SeparableOptions shown = options_;
    if (shown.noise == 0) shown.tails = Tails::normal;
    return spec_of("separable", shown, set().spec());
  }
  [[nodiscard]] LossBounds bounds() const override { return bounds_; }
  [[nodiscard]] std::uint64_t segment() const noexcept override {
    return options_.turn > 0 ? 1 : Problem::segment();
  }

  [[nodiscard]] double value(std::span<const double> x) const override { return mean(x) + added_; }

  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    slope(x, 1, gradient);
  }

  [[nodiscard]] std::unique_ptr<TotalLoss> total() override;

  /// g(x).
  [[nodiscard]] double mean(std::span<const double> x) const {
    if (kind_ == Kind::exponential) {
      return math::reduce(x.size(), [&](std::size_t i) { return exponential(away(x, i)); });
    }
    if (kind_ == Kind::magnitude) {
      return math::reduce(x.size(), [&](std::size_t i) { return std::abs(away(x, i)); });
    }
    return math::reduce(x.size(), [&](std::size_t i) { return away(x, i) * away(x, i); }) / 2;
  }

  /// weight times a subgradient of g; at a kink, 0.
  void slope(std::span<const double> x, double weight, std::span<double> slope) const {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double d = away(x, i);
      slope[i] = weight * (derivative(d) * inverse_scale_[i]);
    }
  }

  /// argmin of g(x + step d) over 0 <= step <= longest, for squares.
  [[nodiscard]] double parabola(std::span<const double> x, std::span<const double> d,
                                double longest) const {
    const auto of_d = [&](std::size_t i) { return d[i] * inverse_scale_[i]; };
    return parabola_minimum(
        math::reduce(x.size(), [&](std::size_t i) { return away(x, i) * of_d(i); }),
        math::reduce(x.size(), [&](std::size_t i) { return of_d(i) * of_d(i); }), longest);
  }

  [[nodiscard]] bool is_quadratic() const { return kind_ == Kind::square; }
  [[nodiscard]] double added() const { return added_; }

  /// The least of g over the box of the coordinates' ranges, which is that over the set if the set
  /// holds it; else false.
  bool least(std::span<double> x) const {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::clamp(target_[i], low_[i], high_[i]);
    return set().contains(x);
  }

 private:
  enum class Kind { magnitude, square, exponential };

  void realise(std::uint64_t t) override {
    added_ = noise_(t);
    const std::uint64_t turn = options_.turn;
    for (std::size_t i = 0; i < phase_.size(); ++i) {
      const double half = (high_[i] - low_[i]) / 2;
      target_[i] =
          (low_[i] + half) + options_.inner * half * sine(4 * (t % turn) + phase_[i], 4 * turn);
    }
  }

  [[nodiscard]] double exponential(double d) const {
    return math::exp(options_.steepness * d) - options_.steepness * d;
  }
  /// Of the term of a difference d.
  [[nodiscard]] double derivative(double d) const {
    if (kind_ == Kind::exponential) {
      return options_.steepness * (math::exp(options_.steepness * d) - 1);
    }
    return kind_ == Kind::square ? d : d > 0 ? 1 : d < 0 ? -1 : 0;
  }

  [[nodiscard]] double away(std::span<const double> x, std::size_t i) const {
    return (x[i] - target_[i]) * inverse_scale_[i];
  }

  void find_ranges() {
    const auto oracle = set().oracle();
    Vector direction(low_.size(), 0.0);
    Vector v(low_.size());
    for (std::size_t i = 0; i < low_.size(); ++i) {
      direction[i] = 1;
      oracle->minimise(direction).write_to(v);
      low_[i] = v[i];
      direction[i] = -1;
      oracle->minimise(direction).write_to(v);
      high_[i] = v[i];
      direction[i] = 0;
    }
  }

  /// Both are largest where every coordinate is as far from its target as it can be, up to what a
  /// member may be off by.
  [[nodiscard]] LossBounds find_bounds() const {
    const double off = set().slack();
    Vector largest(low_.size());
    Vector steepest(low_.size());
    for (std::size_t i = 0; i < low_.size(); ++i) {
      // Targets that go round are farthest from an end when they are nearest to the other one.
      const double out = (1 + options_.inner) * (high_[i] - low_[i]) / 2;
      const double low = options_.turn > 0 ? out : target_[i] - low_[i];
      const double high = options_.turn > 0 ? out : high_[i] - target_[i];
      const double farthest = (std::max(low, high) + off) * inverse_scale_[i];
      if (kind_ == Kind::exponential) {
        const double up = (high + off) * inverse_scale_[i];
        const double down = -(low + off) * inverse_scale_[i];
        largest[i] = std::max(exponential(up), exponential(down));
        steepest[i] = std::max(std::abs(derivative(up)), std::abs(derivative(down)));
      } else {
        largest[i] = farthest;
        steepest[i] = kind_ == Kind::magnitude ? 1 : farthest;
      }
      steepest[i] *= inverse_scale_[i];
    }
    const double M = kind_ == Kind::square ? math::squared_norm(largest) / 2 : math::sum(largest);
    const double rounding = 1 + membership_tolerance;
    return {rounding * M, rounding * math::norm(steepest), true};
  }

  SeparableOptions options_;
  Kind kind_;
  AdditiveNoise noise_;
  Vector low_;  // the least value of each coordinate on the set
  Vector high_;
  Vector target_;                     // c
  std::vector<std::uint64_t> phase_;  // of targets that go round
  Vector inverse_scale_;
  double added_ = 0;  // by the noise
  LossBounds bounds_;
};

/// F(x) = T g(x) + sum noise_t.
class TotalSeparable final : public TotalLoss {
 public:
  explicit TotalSeparable(const Separable& problem) : problem_(problem) {}

  void add() override {
    require_drawn(problem_);
    count_ += 1;
    added_ += problem_.added();
  }
  [[nodiscard]] double value(std::span<const double> x) const override {
    return count_ * problem_.mean(x) + added_;
  }
  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    problem_.slope(x, count_, gradient);
  }
  bool guess(std::span<double> x) const override { return problem_.least(x); }
  [[nodiscard]] double line_minimum(std::span<const double> x, std::span<const double> d,
                                    double longest) const override {
    if (!problem_.is_quadratic()) return TotalLoss::line_minimum(x, d, longest);
    return count_ > 0 ? problem_.parabola(x, d, longest) : 0;
  }

 private:
  const Separable& problem_;
  double count_ = 0;
  double added_ = 0;
};

std::unique_ptr<TotalLoss> Separable::total() {
  if (phase_.empty()) return std::make_unique<TotalSeparable>(*this);
  return std::make_unique<TotalOfRounds>(Problem::total(), set().dimension(),
                                         [this](std::span<double> x) { return least(x); });
}

}  // namespace

std::unique_ptr<Problem> separable(SetPtr set, const SeparableOptions& options, ProblemSeed seed) {
  base::require(options.turn == 0 || !options.corners,
                "targets of separable go round or are in corners, not both");
  return std::make_unique<Separable>(std::move(set), checked("separable", options), seed);
}

}  // namespace keyhole::problems
