#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/problems.h"
#include "math/dense.h"
#include "math/sums.h"
#include "problems/additive_noise.h"
#include "problems/costs.h"
#include "problems/draws.h"
#include "problems/option_lists.h"
#include "problems/requirements.h"
#include "problems/sampled_bounds.h"

namespace keyhole::problems {
namespace {

using Vector = std::vector<double>;

/// F(x) = C . x + B with C the sum of the costs and B that of the constants.
class TotalCosts final : public TotalLoss {
 public:
  explicit TotalCosts(const Costs& problem) : problem_(problem), sum_(problem.set().dimension()) {}

  void add() override {
    require_drawn(problem_);
    math::add(sum_, 1, problem_.cost());
    constants_ += problem_.constant();
  }
  [[nodiscard]] double value(std::span<const double> x) const override {
    return math::dot(sum_, x) + constants_;
  }
  void gradient(std::span<const double> /*x*/, std::span<double> gradient) const override {
    std::copy(sum_.begin(), sum_.end(), gradient.begin());
  }
  [[nodiscard]] double line_minimum(std::span<const double> /*x*/, std::span<const double> d,
                                    double longest) const override {
    return math::dot(sum_, d) < 0 ? longest : 0;
  }

 private:
  const Costs& problem_;
  Vector sum_;
  double constants_ = 0;
};

/// c_t = mu + noise z_t, mu = mean +- spread z_0, the sign as of the round; or z_k of the stage in
/// place of z_0.
class DrawnCosts final : public Costs {
 public:
  DrawnCosts(SetPtr set, const LinearOptions& options, ProblemSeed seed)
      : Costs(std::move(set)),
        options_(options),
        noise_(options.added, options.tails, seed),
        draws_(seed),
        spread_(this->set().dimension()),
        numbers_(spread_.size()) {
    set_cost(numbers_);
    draw_spread(Purpose::rounds, 0);
    bounds_ = noise_.widened(sampled_bounds(*this, [this](std::uint64_t k) {
      if (options_.stage > 0) draw_spread(Purpose::stages, unplayed - k);
      draw_from(Purpose::samples, k, options_.flip > 0 && k % 2 == 0 ? -1 : 1);
    }));
    stage_ = unplayed;
    std::fill(numbers_.begin(), numbers_.end(), 0.0);  // no loss has been drawn yet
    if (options.added > 0) require_moderate_losses(*this);
  }

  [[nodiscard]] std::string spec() const override {
    LinearOptions shown = options_;
    if (shown.added == 0) shown.tails = Tails::normal;
    return spec_of("linear", shown, set().spec());
  }
  [[nodiscard]] LossBounds bounds() const override { return bounds_; }
  [[nodiscard]] std::uint64_t segment() const noexcept override {
    return options_.flip > 0    ? options_.flip
           : options_.stage > 0 ? options_.stage
                                : Problem::segment();
  }

 private:
  /// The number of no stage.
  static constexpr std::uint64_t unplayed = std::numeric_limits<std::uint64_t>::max();

  void realise(std::uint64_t t) override {
    if (options_.stage > 0 && (t - 1) / options_.stage != stage_) {
      stage_ = (t - 1) / options_.stage;
      draw_spread(Purpose::stages, stage_);
    }
    draw_from(Purpose::rounds, t, options_.flip > 0 && (t - 1) / options_.flip % 2 == 1 ? -1 : 1);
    set_cost(numbers_, noise_(t));
  }

  void draw_spread(Purpose purpose, std::uint64_t k) {
    draws_.normals(purpose, k, spread_);
    for (double& number : spread_) number *= options_.spread;
  }

  void draw_from(Purpose purpose, std::uint64_t t, double sign) {
    draws_.normals(purpose, t, numbers_);
    for (std::size_t i = 0; i < spread_.size(); ++i) {
      numbers_[i] = (options_.mean + sign * spread_[i]) + options_.noise * numbers_[i];
    }
  }

  LinearOptions options_;
  AdditiveNoise noise_;
  Draws draws_;
  Vector spread_;                   // spread z_0
  std::uint64_t stage_ = unplayed;  // the one that it is of
  Vector numbers_;
  LossBounds bounds_;
};

}  // namespace

double Costs::value(std::span<const double> x) const { return math::dot(cost_, x) + constant_; }

void Costs::gradient(std::span<const double> /*x*/, std::span<double> gradient) const {
  std::copy(cost_.begin(), cost_.end(), gradient.begin());
}

std::unique_ptr<TotalLoss> Costs::total() { return std::make_unique<TotalCosts>(*this); }

std::unique_ptr<Problem> linear(SetPtr set, const LinearOptions& options, ProblemSeed seed) {
  base::require(options.flip == 0 || options.stage == 0,
                "costs of linear flip or change by stages, not both");
  return std::make_unique<DrawnCosts>(std::move(set), checked("linear", options), seed);
}

}  // namespace keyhole::problems
