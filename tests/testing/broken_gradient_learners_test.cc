// Gradient learners that break one promise each, and the check that must catch them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/gradient_learner.h"
#include "keyhole/sets.h"
#include "keyhole/testing.h"

namespace keyhole::tests {
namespace {

using keyhole::testing::check_gradient_learner;
using keyhole::testing::GradientLearnerCheckOptions;
using keyhole::testing::GradientSequence;
using keyhole::testing::Report;
using Vector = std::vector<double>;

/// What is wrong with a Descender.
enum class Flaw {
  none,
  does_not_project,
  drifts_when_not_told,
  forgets_the_step,
  forgets_the_point,
  keeps_a_gradient,
  ignores_the_noise,
  is_deaf,
  looks_ahead,
  has_an_absolute_threshold,
};

/// What the gradients of the run at hand will be: where a flawed Descender peeks.
using Peephole = std::shared_ptr<GradientSequence>;

/// An honest descent with steps of decreasing length, but for the flaw; random ones follow the
/// gradient with a little noise.
class Descender final : public GradientAlgorithm {
 public:
  Descender(SetPtr set, Flaw flaw, bool random, double gradient_bound = 1, Peephole peephole = {})
      : GradientAlgorithm(std::move(set)),
        flaw_(flaw),
        random_(random),
        gradient_bound_(gradient_bound),
        peephole_(std::move(peephole)),
        x_(this->set().centre()) {}

  [[nodiscard]] std::string spec() const override { return "descender()"; }

  void play(PlayId t, Randomness& /*z*/, std::span<double> y) override {
    told_ = false;
    std::copy(x_.begin(), x_.end(), y.begin());
    if (flaw_ == Flaw::looks_ahead && (*peephole_)(t, y)[0] > 0) {
      for (double& coordinate : y) coordinate /= 2;
    }
  }

  bool absorb(PlayId s, std::span<const double> gradient, Randomness& z) override {
    told_ = true;
    if (flaw_ == Flaw::is_deaf) return true;
    Vector g(gradient.begin(), gradient.end());
    if (flaw_ == Flaw::has_an_absolute_threshold && std::abs(g[0]) < 1e-4) return true;
    if (flaw_ == Flaw::keeps_a_gradient) {
      if (kept_.empty()) kept_ = g;
      for (std::size_t i = 0; i < g.size(); ++i) g[i] += kept_[i];
    }
    const double size = set().inner_radius() / std::sqrt(static_cast<double>(step_));
    const double noise = random_ && flaw_ != Flaw::ignores_the_noise ? 0.01 : 0;
    for (std::size_t i = 0; i < g.size(); ++i) {
      x_[i] -= size * (g[i] / gradient_bound_ + noise * z.noise(s)[i]);
    }
    if (flaw_ != Flaw::does_not_project) oracle().project(x_, x_);
    return true;
  }

  void advance() override {
    ++step_;
    if (flaw_ == Flaw::drifts_when_not_told && !told_) x_[0] += 0.1 * set().inner_radius();
  }

  void recommend(std::span<double> x) const override { std::copy(x_.begin(), x_.end(), x.begin()); }

  [[nodiscard]] RegretBound regret_bound(std::uint64_t) const override {
    return {.note = "no theorem"};
  }

  void state(Archive& archive) override {
    GradientAlgorithm::state(archive);
    if (flaw_ != Flaw::forgets_the_step) archive.field(step_);
    if (flaw_ != Flaw::forgets_the_point) archive.field(x_);
  }

 private:
  Flaw flaw_;
  bool random_;
  double gradient_bound_;
  Peephole peephole_;
  std::uint64_t step_ = 1;
  Vector x_;
  Vector kept_;
  bool told_ = false;
};

const std::vector<SetPtr>& sets() {
  static const std::vector<SetPtr> all = {ball(1), ball(4, 3), box(-1, 1, 3), simplex(3)};
  return all;
}

/// Gradients with a steady pull along the first axis, which also stand in the peephole for the
/// whole run.
GradientLearnerCheckOptions peeping_options(const Peephole& peephole, bool random) {
  return {.rounds = 60,
          .random = random,
          .gradients = [peephole](unsigned scenario, std::uint64_t fork) {
            GradientSequence gradients = [=](std::uint64_t t, std::span<const double> x) {
              const double phase = static_cast<double>(t * t * (t < fork ? 1 : 1 + scenario));
              Vector g(x.size());
              for (std::size_t i = 0; i < g.size(); ++i) {
                g[i] = std::sin(phase + x[i] + static_cast<double>(i));
              }
              g[0] += 0.5;
              return g;
            };
            *peephole = gradients;
            return gradients;
          }};
}

Report check(const SetPtr& set, Flaw flaw, bool random, bool said_random) {
  const auto peephole = std::make_shared<GradientSequence>();
  GradientLearnerCheckOptions options = peeping_options(peephole, said_random);
  options.scaled = [=](std::uint64_t seed, double scale) {
    return GradientLearner(std::make_unique<Descender>(set, flaw, random, scale, peephole),
                           {.seed = seed});
  };
  const auto make = [=](std::uint64_t seed) {
    return GradientLearner(std::make_unique<Descender>(set, flaw, random, 1, peephole),
                           {.seed = seed});
  };
  return check_gradient_learner(make, options);
}

void expect_caught(Flaw flaw, const std::string& name) {
  for (const SetPtr& set : sets()) {
    for (const bool random : {false, true}) {
      const Report report = check(set, flaw, random, random);
      EXPECT_TRUE(report.failed(name)) << set->spec() << "\n" << report.text();
    }
  }
}

TEST(BrokenGradientLearners, PassWhenNothingIsBroken) {
  for (const SetPtr& set : sets()) {
    for (const bool random : {false, true}) {
      const Report report = check(set, Flaw::none, random, random);
      EXPECT_TRUE(report.ok()) << set->spec() << "\n" << report.text();
    }
  }
}

TEST(BrokenGradientLearners, LeavesTheSet) {
  expect_caught(Flaw::does_not_project, "plays_are_feasible");
}

TEST(BrokenGradientLearners, DriftsOutsideWhenItIsNotTold) {
  expect_caught(Flaw::drifts_when_not_told, "survives_missing_tells");
}

TEST(BrokenGradientLearners, ForgetsANumberOfItsState) {
  expect_caught(Flaw::forgets_the_step, "continues_from_its_state");
}

TEST(BrokenGradientLearners, ForgetsAVectorOfItsState) {
  expect_caught(Flaw::forgets_the_point, "continues_from_its_state");
}

TEST(BrokenGradientLearners, KeepsAGradientBesideItsState) {
  expect_caught(Flaw::keeps_a_gradient, "continues_from_its_state");
}

TEST(BrokenGradientLearners, IsDeaf) {
  for (const SetPtr& set : sets()) {
    EXPECT_TRUE(check(set, Flaw::is_deaf, false, false).failed("is_not_deaf")) << set->spec();
  }
}

TEST(BrokenGradientLearners, LooksAtTheGradientBeforeItPlays) {
  for (const SetPtr& set : {ball(4, 3), box(-1, 1, 3)}) {
    EXPECT_TRUE(check(set, Flaw::looks_ahead, true, true).failed("does_not_look_ahead"))
        << set->spec();
  }
}

TEST(BrokenGradientLearners, HasAnAbsoluteThreshold) {
  expect_caught(Flaw::has_an_absolute_threshold, "scales_with_the_losses");
}

TEST(BrokenGradientLearners, IsNotAsRandomAsItSays) {
  for (const SetPtr& set : sets()) {
    EXPECT_TRUE(check(set, Flaw::ignores_the_noise, true, true).failed("seeds_matter"));
    EXPECT_TRUE(check(set, Flaw::none, true, false).failed("seeds_do_not_matter"));
  }
}

TEST(BrokenGradientLearners, ExceptionsMissingFactoriesAndEarlyScenariosAreFindings) {
  EXPECT_TRUE(check_gradient_learner(nullptr).failed("learner_is_there"));
  const auto make = [](std::uint64_t seed) {
    return GradientLearner(std::make_unique<Descender>(ball(2), Flaw::none, true), {.seed = seed});
  };
  const auto gradients = [](unsigned scenario, std::uint64_t) {
    return [scenario](std::uint64_t, std::span<const double>) {
      return Vector{scenario == 0 ? 0.5 : 0.6, 0};
    };
  };
  const Report report = check_gradient_learner(make, {.rounds = 20, .gradients = gradients});
  ASSERT_EQ(report.findings.size(), 1U) << report.text();
  EXPECT_NE(report.findings[0].message.find("options.gradients is at fault"), std::string::npos);
}

}  // namespace
}  // namespace keyhole::tests
