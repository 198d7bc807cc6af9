#include <algorithm>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "base/require.h"
#include "keyhole/problems.h"
#include "math/dense.h"
#include "math/sums.h"
#include "problems/additive_noise.h"
#include "problems/draws.h"
#include "problems/level.h"
#include "problems/option_lists.h"
#include "problems/requirements.h"

namespace keyhole::problems {
namespace {

using Vector = std::vector<double>;

/// Over how many rounds the loss at the centre is averaged.
constexpr std::uint64_t averaged_rounds = 1024;

/// The mean loss at the centre.
double centre_loss(Problem& problem) {
  const std::uint64_t rounds = std::min(problem.rounds(), averaged_rounds);
  double sum = 0;
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    problem.draw(t);
    sum += problem.value(problem.set().centre());
  }
  const double mean = sum / static_cast<double>(rounds);
  base::require(base::is_moderate_positive(mean),
                "clicks and disasters are in units of the loss at the centre, which must be "
                "positive; that of " +
                    problem.spec() + " is " + base::number_text(mean));
  return mean;
}

/// scale f_t(x), of which something else is told.
class Observed final : public Problem {
 public:
  Observed(std::unique_ptr<Problem> problem, const ObservedOptions& options, ProblemSeed seed)
      : Problem(problem->shared_set()),
        problem_(std::move(problem)),
        options_(options),
        noise_(options.noise, options.tails, seed, Purpose::told_noise),
        level_(options.level, options.size * options.noise, options.period, seed),
        draws_(seed) {
    if (options.outcomes != Outcomes::losses) {
      const double loss = centre_loss(*problem_);
      if (options.outcomes == Outcomes::clicks) {
        scale_ = options.rate / loss;
      } else {
        disaster_ = options.large * loss;
        find_direction();
      }
    }
    find_bounds();
    require_moderate_losses(*this);
  }

  [[nodiscard]] std::string spec() const override {
    ObservedOptions shown = options_;
    if (shown.noise == 0) shown.tails = Tails::normal;
    return spec_of("observed", shown, problem_->spec());
  }
  [[nodiscard]] std::uint64_t rounds() const noexcept override { return problem_->rounds(); }
  [[nodiscard]] std::uint64_t segment() const noexcept override { return problem_->segment(); }
  [[nodiscard]] std::vector<std::string> contexts() const override { return problem_->contexts(); }
  [[nodiscard]] std::span<const double> context() const noexcept override {
    return problem_->context();
  }
  [[nodiscard]] LossBounds bounds() const override { return bounds_; }
  [[nodiscard]] std::vector<std::string> warnings() const override { return problem_->warnings(); }

  [[nodiscard]] double value(std::span<const double> x) const override {
    return scale_ * problem_->value(x);
  }

  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    problem_->gradient(x, gradient);
    for (double& slope : gradient) slope *= scale_;
  }

  [[nodiscard]] double told(std::span<const double> x, double loss) const override {
    if (options_.outcomes == Outcomes::clicks) {
      if (!(loss >= 0 && loss <= 1)) {
        throw InvalidArgument("clicks need losses from 0 to 1, and one of " + spec() + " is " +
                              base::number_text(loss));
      }
      return uniform_ < loss ? 1 : 0;
    }
    double seen = problem_->told(x, loss) + added_;
    if (options_.outcomes == Outcomes::disasters) {
      const double happens = uniform_ < options_.rate ? 1 : 0;
      seen += (happens - options_.rate) * disaster_ * (1 + along(x));
    }
    return seen;
  }

  [[nodiscard]] std::unique_ptr<TotalLoss> total() override;

  [[nodiscard]] double scale() const { return scale_; }

 private:
  void realise(std::uint64_t t) override {
    problem_->draw(t);
    added_ = noise_(t) + level_(t);
    if (options_.outcomes != Outcomes::losses) {
      draws_.uniforms(Purpose::events, t, std::span(&uniform_, 1));
    }
  }

  /// d of x.
  [[nodiscard]] double along(std::span<const double> x) const {
    const std::vector<double>& p = set().centre();
    return math::reduce(x.size(), [&](std::size_t i) { return direction_[i] * (x[i] - p[i]); });
  }

  /// A direction of the hull, divided by its length and the outer radius.
  void find_direction() {
    direction_.resize(set().dimension());
    draws_.normals(Purpose::events, 0, direction_);
    set().flatten(direction_);
    const double length = math::norm(direction_) * set().outer_radius();
    for (double& number : direction_) number = length > 0 ? number / length : 0;
  }

  void find_bounds() {
    bounds_ = problem_->bounds();
    if (options_.outcomes == Outcomes::clicks) {
      bounds_.gradient *= scale_;
      const double most = scale_ * bounds_.loss;
      base::require(most <= 1, "a click at the centre with probability " +
                                   base::number_text(options_.rate) + " is one of " +
                                   base::number_text(most) + " elsewhere: rate must be at most " +
                                   base::number_text(options_.rate / most));
      bounds_.loss = 1;
      return;
    }
    bounds_ = level_.widened(noise_.widened(bounds_));
    bounds_.loss += 2 * disaster_;
  }

  std::unique_ptr<Problem> problem_;
  ObservedOptions options_;
  AdditiveNoise noise_;
  MovingLevel level_;
  Draws draws_;
  double scale_ = 1;
  double disaster_ = 0;  // at the centre
  Vector direction_;     // a / R
  LossBounds bounds_;
  double added_ = 0;    // to all plays of the round
  double uniform_ = 0;  // decides whether there is a click or a disaster
};

/// F(x) = scale times that of the problem.
class TotalObserved final : public TotalLoss {
 public:
  TotalObserved(const Observed& problem, std::unique_ptr<TotalLoss> total)
      : problem_(problem), total_(std::move(total)) {}

  void add() override {
    require_drawn(problem_);
    total_->add();
  }
  [[nodiscard]] double value(std::span<const double> x) const override {
    return problem_.scale() * total_->value(x);
  }
  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    total_->gradient(x, gradient);
    for (double& slope : gradient) slope *= problem_.scale();
  }
  bool guess(std::span<double> x) const override { return total_->guess(x); }
  [[nodiscard]] double line_minimum(std::span<const double> x, std::span<const double> d,
                                    double longest) const override {
    return total_->line_minimum(x, d, longest);
  }

 private:
  const Observed& problem_;
  std::unique_ptr<TotalLoss> total_;
};

std::unique_ptr<TotalLoss> Observed::total() {
  return std::make_unique<TotalObserved>(*this, problem_->total());
}

}  // namespace

std::unique_ptr<Problem> observed(std::unique_ptr<Problem> problem, const ObservedOptions& options,
                                  ProblemSeed seed) {
  base::require(problem != nullptr, "observed needs a problem");
  (void)checked("observed", options);
  const bool moves = options.level != LossLevel::none;
  base::require(!moves || options.noise > 0,
                "the level of observed moves by so many units of the noise: noise must be above 0");
  base::require(options.level != LossLevel::season || options.period >= 2,
                "a season of observed has a period of 2 rounds or more");
  base::require(options.outcomes != Outcomes::clicks || options.noise == 0,
                "clicks of observed are 0 or 1: neither noise nor a level is added to them");
  return std::make_unique<Observed>(std::move(problem), options, seed);
}

}  // namespace keyhole::problems
