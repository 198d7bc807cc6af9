#include <algorithm>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/problems.h"
#include "math/dense.h"
#include "math/sums.h"
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

/// c_t = mu + noise z_t, mu = mean +- spread z_0, the sign as of the round.
class DrawnCosts final : public Costs {
 public:
  DrawnCosts(SetPtr set, const LinearOptions& options, ProblemSeed seed)
      : Costs(std::move(set)),
        options_(options),
        draws_(seed),
        spread_(this->set().dimension()),
        numbers_(spread_.size()) {
    set_cost(numbers_);
    draws_.normals(Purpose::rounds, 0, spread_);
    for (double& number : spread_) number *= options.spread;
    bounds_ = sampled_bounds(*this, [this](std::uint64_t k) {
      draw_from(Purpose::samples, k, options_.flip > 0 && k % 2 == 0 ? -1 : 1);
    });
    std::fill(numbers_.begin(), numbers_.end(), 0.0);  // no loss has been drawn yet
  }

  [[nodiscard]] std::string spec() const override {
    return spec_of("linear", options_, set().spec());
  }
  [[nodiscard]] LossBounds bounds() const override { return bounds_; }
  [[nodiscard]] std::uint64_t segment() const noexcept override {
    return options_.flip > 0 ? options_.flip : Problem::segment();
  }

 private:
  void realise(std::uint64_t t) override {
    draw_from(Purpose::rounds, t, options_.flip > 0 && (t - 1) / options_.flip % 2 == 1 ? -1 : 1);
  }

  void draw_from(Purpose purpose, std::uint64_t t, double sign) {
    draws_.normals(purpose, t, numbers_);
    for (std::size_t i = 0; i < spread_.size(); ++i) {
      numbers_[i] = (options_.mean + sign * spread_[i]) + options_.noise * numbers_[i];
    }
  }

  LinearOptions options_;
  Draws draws_;
  Vector spread_;  // spread z_0
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
  return std::make_unique<DrawnCosts>(std::move(set), checked("linear", options), seed);
}

}  // namespace keyhole::problems
