// Learners that break one promise each, and the check that must catch them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/algorithms.h"
#include "keyhole/learner.h"
#include "keyhole/sets.h"
#include "keyhole/testing.h"

namespace keyhole::tests {
namespace {

using keyhole::testing::check_learner;
using keyhole::testing::LearnerCheckOptions;
using keyhole::testing::LossSequence;
using keyhole::testing::Report;
using Vector = std::vector<double>;

/// What is wrong with a Walker.
enum class Flaw {
  none,
  does_not_shrink,
  clamps_only_the_centre,
  drifts_when_not_told,
  needs_every_tell,
  forgets_the_step,
  forgets_the_point,
  keeps_a_direction,
  counts_all_learners,
  shares_a_generator,
  ignores_the_seed,
  cuts_the_seed,
  takes_the_clock_for_seed_0,
  repeats_its_first_plays,
  is_deaf,
  looks_ahead,
  changes_when_looked_at,
  throws_on_restore,
  has_an_absolute_threshold,
  swallows_failures,
  remembers_failures,
};

/// What the losses of the run at hand will be: where a flawed Walker peeks.
using Peephole = std::shared_ptr<LossSequence>;

/// Everything that learners must not share.
struct Globals {
  std::uint64_t plays = 0;
  std::uint64_t clock = 1000;
  std::mt19937_64 generator;
};

Globals& globals() {
  static Globals instance;
  return instance;
}

/// An honest algorithm for balls and boxes about 0, but for the flaw: steps of decreasing length
/// against f u, projected onto half of K, and plays at x + r/2 u.
class Walker final : public Algorithm {
 public:
  Walker(SetPtr set, Flaw flaw, double loss_bound = 1, Peephole peephole = {})
      : Algorithm(std::move(set)),
        flaw_(flaw),
        loss_bound_(loss_bound),
        peephole_(std::move(peephole)),
        own_(shared_set(), 0, 0),
        x_(this->set().dimension()) {
    if (flaw_ == Flaw::shares_a_generator) globals().generator.seed(7);
  }

  [[nodiscard]] std::string spec() const override { return "walker()"; }

  void play(PlayId t, Randomness& given, std::span<double> y) override {
    Randomness& u = flaw_ == Flaw::ignores_the_seed ? own_ : given;
    const double r = set().inner_radius();
    double length = r / 2;
    if (flaw_ == Flaw::does_not_shrink) length = 0.9 * r;
    if (failed_) length = 0.4 * r;
    if (flaw_ == Flaw::counts_all_learners) {
      length *= 1 / (1 + 1e-3 * static_cast<double>(++globals().plays));
    }
    if (flaw_ == Flaw::shares_a_generator)
      length *= 0x1p-64 * static_cast<double>(globals().generator());
    const PlayId drawn = flaw_ == Flaw::repeats_its_first_plays ? ++drawn_ : t;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = x_[i] + length * u.direction(drawn)[i];
    if (flaw_ == Flaw::looks_ahead && (*peephole_)(t, y) > 0) {
      for (std::size_t i = 0; i < y.size(); ++i) y[i] = x_[i] - length * u.direction(t)[i];
    }
    told_ = false;
  }

  bool absorb(PlayId s, double loss, Randomness& given) override {
    Randomness& u = flaw_ == Flaw::ignores_the_seed ? own_ : given;
    told_ = true;
    if (flaw_ == Flaw::is_deaf) return true;
    const double r = set().inner_radius();
    double size = r * loss / loss_bound_ / std::sqrt(static_cast<double>(step_));
    if (flaw_ == Flaw::has_an_absolute_threshold && std::abs(loss) < 1e-3) size = 0;
    if (flaw_ == Flaw::keeps_a_direction) {
      if (kept_.empty()) kept_.assign(u.direction(s).begin(), u.direction(s).end());
      for (std::size_t i = 0; i < x_.size(); ++i) x_[i] -= size * kept_[i];
    } else {
      for (std::size_t i = 0; i < x_.size(); ++i) x_[i] -= size * u.direction(s)[i];
    }
    halfway_inside();
    return true;
  }

  void advance() override {
    ++step_;
    if (flaw_ == Flaw::needs_every_tell && told_) missed_ = 0;
    if (flaw_ == Flaw::needs_every_tell && ++missed_ > 2) throw Error("where is my feedback?");
    if (flaw_ == Flaw::drifts_when_not_told && !told_) x_[0] += 0.1 * set().inner_radius();
  }

  void recommend(std::span<double> x) const override {
    if (flaw_ == Flaw::changes_when_looked_at) ++step_;
    std::copy(x_.begin(), x_.end(), x.begin());
  }

  [[nodiscard]] RegretBound regret_bound(std::uint64_t) const override {
    return {.note = "no theorem"};
  }

  void state(Archive& archive) override {
    Algorithm::state(archive);
    if (flaw_ != Flaw::forgets_the_step) archive.field(step_);
    if (flaw_ != Flaw::forgets_the_point) archive.field(x_);
    if (flaw_ == Flaw::throws_on_restore && archive.reading()) throw StateError("not today");
  }

 private:
  void halfway_inside() {
    if (flaw_ == Flaw::clamps_only_the_centre) return oracle().project(x_, x_);
    for (double& x : x_) x *= 2;
    try {
      oracle().project(x_, x_);
    } catch (...) {
      failed_ = flaw_ == Flaw::remembers_failures;
      if (flaw_ == Flaw::swallows_failures) x_[0] += 3 * set().outer_radius();
      if (flaw_ != Flaw::swallows_failures) throw;
    }
    for (double& x : x_) x /= 2;
  }

  Flaw flaw_;
  double loss_bound_;
  Peephole peephole_;
  Randomness own_;
  mutable std::uint64_t step_ = 1;  // mutable for the flaw
  Vector x_;
  Vector kept_;
  PlayId drawn_ = 0;     // not in the state, for the flaw
  bool failed_ = false;  // likewise
  bool told_ = false;
  int missed_ = 0;
};

const std::vector<SetPtr>& sets() {
  static const std::vector<SetPtr> all = {ball(1), ball(4, 3), box(-1, 1, 3)};
  return all;
}

/// Losses that also stand in the peephole for the whole run.
LearnerCheckOptions peeping_options(const Peephole& peephole) {
  return {.rounds = 60, .losses = [peephole](unsigned scenario, std::uint64_t fork) {
            LossSequence losses = [=](std::uint64_t t, std::span<const double> x) {
              const double phase = static_cast<double>(t * t * (t < fork ? 1 : 1 + scenario));
              return std::sin(phase + x[0]);
            };
            *peephole = losses;
            return losses;
          }};
}

/// The seed that the learner gets for the one it is given.
std::uint64_t seed_taken(std::uint64_t seed, Flaw flaw) {
  if (flaw == Flaw::cuts_the_seed) return seed & 0xffffffffU;
  if (flaw == Flaw::takes_the_clock_for_seed_0 && seed == 0) return ++globals().clock;
  return seed;
}

Report check(const SetPtr& set, Flaw flaw) {
  const auto peephole = std::make_shared<LossSequence>();
  LearnerCheckOptions options = peeping_options(peephole);
  options.scaled = [=](std::uint64_t seed, double scale) {
    return Learner(std::make_unique<Walker>(set, flaw, scale, peephole), {.seed = seed});
  };
  options.on = [=](std::uint64_t seed, const SetPtr& other) {
    return Learner(std::make_unique<Walker>(other, flaw, 1, peephole),
                   {.seed = seed_taken(seed, flaw)});
  };
  const auto make = [=](std::uint64_t seed) {
    return Learner(std::make_unique<Walker>(set, flaw, 1, peephole),
                   {.seed = seed_taken(seed, flaw)});
  };
  return check_learner(make, options);
}

void expect_caught(Flaw flaw, const std::string& name) {
  for (const SetPtr& set : sets()) {
    const Report report = check(set, flaw);
    EXPECT_TRUE(report.failed(name)) << set->spec() << "\n" << report.text();
  }
}

TEST(BrokenLearners, PassWhenNothingIsBroken) {
  for (const SetPtr& set : sets()) {
    const Report report = check(set, Flaw::none);
    EXPECT_TRUE(report.ok()) << set->spec() << "\n" << report.text();
  }
}

TEST(BrokenLearners, PlaysOutside) { expect_caught(Flaw::does_not_shrink, "plays_are_feasible"); }

// Seen in the wild: the centre is clamped to the set, and what is played about it is not.
TEST(BrokenLearners, ClampsOnlyTheCentre) {
  expect_caught(Flaw::clamps_only_the_centre, "plays_are_feasible");
}

TEST(BrokenLearners, DriftsOutsideWhenItIsNotTold) {
  expect_caught(Flaw::drifts_when_not_told, "survives_missing_tells");
}

TEST(BrokenLearners, NeedsEveryTell) {
  expect_caught(Flaw::needs_every_tell, "survives_missing_tells");
}

TEST(BrokenLearners, ForgetsANumberOfItsState) {
  expect_caught(Flaw::forgets_the_step, "continues_from_its_state");
}

TEST(BrokenLearners, ForgetsAVectorOfItsState) {
  expect_caught(Flaw::forgets_the_point, "continues_from_its_state");
}

TEST(BrokenLearners, KeepsSomethingBesideItsState) {
  expect_caught(Flaw::keeps_a_direction, "continues_from_its_state");
}

TEST(BrokenLearners, CannotRestoreItsOwnState) {
  expect_caught(Flaw::throws_on_restore, "continues_from_its_state");
}

TEST(BrokenLearners, CountsThePlaysOfAllLearners) {
  expect_caught(Flaw::counts_all_learners, "is_deterministic");
}

TEST(BrokenLearners, SharesAGenerator) {
  expect_caught(Flaw::shares_a_generator, "shares_nothing");
}

TEST(BrokenLearners, IgnoresTheSeed) { expect_caught(Flaw::ignores_the_seed, "seeds_matter"); }

TEST(BrokenLearners, CutsTheSeed) { expect_caught(Flaw::cuts_the_seed, "seeds_matter"); }

// Seen in the wild: seed 0 means the time of day.
TEST(BrokenLearners, TakesTheClockForSeedZero) {
  expect_caught(Flaw::takes_the_clock_for_seed_0, "is_deterministic");
}

// Seen in the wild: what goes on from a file suggests again what it suggested first.
TEST(BrokenLearners, RepeatsItsFirstPlays) {
  expect_caught(Flaw::repeats_its_first_plays, "continues_from_its_state");
}

TEST(BrokenLearners, IsDeaf) { expect_caught(Flaw::is_deaf, "is_not_deaf"); }

TEST(BrokenLearners, ControlsThatAreNone) {
  const auto make = [](std::uint64_t seed) {
    return Learner(projection_free(ball(3), {.loss_bound = 1, .horizon = 50}), {.seed = seed});
  };
  const Report report = check_learner(make, {.rounds = 50, .random = false, .learns = false});
  EXPECT_TRUE(report.failed("is_deaf")) << report.text();
  EXPECT_TRUE(report.failed("seeds_do_not_matter")) << report.text();
  EXPECT_EQ(report.findings.size(), 2u) << report.text();
}

TEST(BrokenLearners, LooksAtTheLossBeforeItPlays) {
  expect_caught(Flaw::looks_ahead, "does_not_look_ahead");
}

TEST(BrokenLearners, ChangesWhenItIsLookedAt) {
  expect_caught(Flaw::changes_when_looked_at, "looking_changes_nothing");
}

TEST(BrokenLearners, HasAnAbsoluteThreshold) {
  expect_caught(Flaw::has_an_absolute_threshold, "scales_with_the_losses");
}

TEST(BrokenLearners, SwallowsFailures) {
  expect_caught(Flaw::swallows_failures, "survives_a_failing_oracle");
}

TEST(BrokenLearners, RemembersFailures) {
  expect_caught(Flaw::remembers_failures, "survives_a_failing_oracle");
}

TEST(BrokenLearners, ExceptionsAndMissingFactoriesAreFindings) {
  const auto make = [](std::uint64_t seed) -> Learner {
    throw InvalidArgument("no learner for seed " + std::to_string(seed));
  };
  EXPECT_EQ(check_learner(make).text(),
            "learner_is_there: FAILED: an exception: no learner for seed 1\n");
  EXPECT_TRUE(check_learner(nullptr).failed("learner_is_there"));
}

TEST(BrokenLearners, ScenariosThatDifferTooEarlyAreAFinding) {
  const SetPtr set = ball(2);
  const auto make = [&](std::uint64_t seed) {
    return Learner(std::make_unique<Walker>(set, Flaw::none), {.seed = seed});
  };
  const auto losses = [](unsigned scenario, std::uint64_t) {
    return [scenario](std::uint64_t, std::span<const double>) { return scenario == 0 ? 0.5 : 0.6; };
  };
  const Report report = check_learner(make, {.rounds = 20, .losses = losses});
  ASSERT_EQ(report.findings.size(), 1U) << report.text();
  EXPECT_NE(report.findings[0].message.find("options.losses is at fault"), std::string::npos);
}

}  // namespace
}  // namespace keyhole::tests
