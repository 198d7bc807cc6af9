#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/problems.h"
#include "keyhole/randomness.h"
#include "math/dense.h"
#include "math/sums.h"
#include "problems/additive_noise.h"
#include "problems/option_lists.h"
#include "problems/parabola.h"
#include "problems/places.h"
#include "problems/requirements.h"

namespace keyhole::problems {
namespace {

using Vector = std::vector<double>;

/// f_t(x) = 1/2 ||x - theta - e_t||^2 + offset + noise_t with e_t = jitter r w_t, and 2 (p - theta)
/// more while theta is on the other side, or its place of the stage less theta.
class Tracking final : public Problem {
 public:
  Tracking(SetPtr set, const TrackingOptions& options, ProblemSeed seed)
      : Problem(std::move(set)),
        options_(options),
        noise_(options.noise, options.tails, seed),
        w_(shared_set(), seed.seed, seed.stream),
        places_(shared_set(), options.distance * this->set().inner_radius(), options.stage, seed),
        jitter_(options.jitter * this->set().inner_radius()),
        theta_(this->set().centre()),
        e_(theta_.size()),
        across_(theta_.size()) {
    const auto& [p, r, R, D, R_exact, D_exact] = this->set().geometry();
    math::add(theta_, options.distance * r, w_.direction(rounds() + 1));
    for (std::size_t i = 0; i < p.size(); ++i) across_[i] = 2 * (p[i] - theta_[i]);
    // ||x - theta - e_t|| <= ||x - p|| + ||p - theta|| + ||e_t||, for x a member up to rounding.
    const double farthest =
        R * (1 + membership_tolerance) + (options.distance + options.jitter) * r;
    const double most = farthest * farthest / 2;
    bounds_ = noise_.widened(
        {std::max(std::abs(options.offset), std::abs(most + options.offset)), farthest, true});
    require_moderate_losses(*this);
  }

  [[nodiscard]] std::string spec() const override {
    TrackingOptions shown = options_;
    if (shown.noise == 0) shown.tails = Tails::normal;
    return spec_of("tracking", shown, set().spec());
  }
  /// Any number but for the last, whose random bits give theta its direction.
  [[nodiscard]] std::uint64_t rounds() const noexcept override {
    return std::numeric_limits<std::uint64_t>::max() - 1;
  }
  [[nodiscard]] LossBounds bounds() const override { return bounds_; }
  [[nodiscard]] std::uint64_t segment() const noexcept override {
    return options_.flip > 0    ? options_.flip
           : options_.stage > 0 ? options_.stage
                                : Problem::segment();
  }

  [[nodiscard]] double value(std::span<const double> x) const override {
    const double squares = math::reduce(x.size(), [&](std::size_t i) {
      const double away = (x[i] - theta_[i]) - e_[i];
      return away * away;
    });
    return squares / 2 + (options_.offset + added_);
  }

  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    for (std::size_t i = 0; i < x.size(); ++i) gradient[i] = (x[i] - theta_[i]) - e_[i];
  }

  [[nodiscard]] std::unique_ptr<TotalLoss> total() override;

  [[nodiscard]] std::span<const double> theta() const { return theta_; }
  [[nodiscard]] std::span<const double> e() const { return e_; }
  [[nodiscard]] double offset() const { return options_.offset; }
  /// The noise of the round.
  [[nodiscard]] double added() const { return added_; }

 private:
  void realise(std::uint64_t t) override {
    const std::span<const double> w = w_.direction(t);
    for (std::size_t i = 0; i < e_.size(); ++i) e_[i] = jitter_ * w[i];
    if (options_.flip > 0 && (t - 1) / options_.flip % 2 == 1) math::add(e_, 1, across_);
    if (options_.stage > 0) {
      const std::span<const double> place = places_.of_round(t);
      for (std::size_t i = 0; i < e_.size(); ++i) e_[i] += place[i] - theta_[i];
    }
    added_ = noise_(t);
  }

  TrackingOptions options_;
  AdditiveNoise noise_;
  Randomness w_;
  Places places_;
  double jitter_;  // times r
  Vector theta_;
  Vector e_;
  Vector across_;     // from theta to its mirror image
  double added_ = 0;  // by the noise
  LossBounds bounds_;
};

/// F(x) = T (1/2 ||x - theta||^2 + offset) - (x - theta) . E + q/2 + sum noise_t with E = sum e_t
/// and q = sum ||e_t||^2: relative to theta, sets far from the origin lose no digits.
class TotalTracking final : public TotalLoss {
 public:
  explicit TotalTracking(const Tracking& problem)
      : problem_(problem), sum_(problem.set().dimension()) {}

  void add() override {
    require_drawn(problem_);
    count_ += 1;
    math::add(sum_, 1, problem_.e());
    squares_ += math::squared_norm(problem_.e());
    added_ += problem_.added();
  }

  [[nodiscard]] double value(std::span<const double> x) const override {
    const std::span<const double> theta = problem_.theta();
    const double of_x = math::reduce(x.size(), [&](std::size_t i) {
      const double away = x[i] - theta[i];
      return (count_ * away - 2 * sum_[i]) * away;
    });
    return (of_x + squares_) / 2 + (count_ * problem_.offset() + added_);
  }

  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    const std::span<const double> theta = problem_.theta();
    for (std::size_t i = 0; i < x.size(); ++i) gradient[i] = count_ * (x[i] - theta[i]) - sum_[i];
  }

  [[nodiscard]] double line_minimum(std::span<const double> x, std::span<const double> d,
                                    double longest) const override {
    const std::span<const double> theta = problem_.theta();
    const double slope = math::reduce(
        x.size(), [&](std::size_t i) { return (count_ * (x[i] - theta[i]) - sum_[i]) * d[i]; });
    return parabola_minimum(slope, count_ * math::squared_norm(d), longest);
  }

 private:
  const Tracking& problem_;
  double count_ = 0;
  Vector sum_;
  double squares_ = 0;
  double added_ = 0;
};

std::unique_ptr<TotalLoss> Tracking::total() { return std::make_unique<TotalTracking>(*this); }

}  // namespace

std::unique_ptr<Problem> tracking(SetPtr set, const TrackingOptions& options, ProblemSeed seed) {
  base::require(options.flip == 0 || options.stage == 0,
                "targets of tracking flip or move by stages, not both");
  return std::make_unique<Tracking>(std::move(set), checked("tracking", options), seed);
}

}  // namespace keyhole::problems
