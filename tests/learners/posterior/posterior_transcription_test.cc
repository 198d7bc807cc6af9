// posterior against its transcription: the same plays, and the same points recommended.
//
// After each play both go on from the point that the library has played, so that what rounding
// moved is not carried on. What is left grows where a sample is least at a kink of the set: a
// vertex of conditional gradients is taken or not. Where the model with all curvatures is fitted,
// one of its coefficients is a sum of others, so that a share of 1e-8 of them is all that the prior
// alone decides.

#include "posterior_transcription.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <optional>

#include "learners/posterior/status.h"
#include "random.h"

namespace keyhole::tests {
namespace {

using Noise = std::function<double(std::uint64_t, Random&)>;
using Delay = std::optional<std::uint64_t>;

/// A world, and how it tells losses.
struct World {
  SetPtr set;
  std::uint64_t rounds = 700;
  std::uint64_t seed = 17;
  /// Where the target jumps to the other side.
  std::uint64_t change = 1'000'000;
  /// In how many rounds it goes round.
  double turn = std::numeric_limits<double>::infinity();
  /// How much losses tie coordinates together.
  double tied = 0;
  /// Above the distance from the target, by the play's number.
  Noise noise = [](std::uint64_t /*t*/, Random& random) { return 0.3 * random.normal(); };
  /// How many rounds later the loss of a play comes, if it does.
  std::function<Delay(std::uint64_t)> delay = [](std::uint64_t /*t*/) { return 0; };
  double reach = 1;
  /// About how many plays there will be, if they are few.
  std::uint64_t trials = 0;
  /// Points taught before the first play, and then one every so many rounds.
  std::uint64_t taught_before = 0;
  std::uint64_t taught_every = 1'000'000;
  /// How often the library's learner goes on from its state.
  std::uint64_t saved_every = 1'000'000;
};

/// Away from a target in units of the exploration, squared.
double distance_to_target(const World& at, std::uint64_t t, const Exploration& nu,
                          const Vector& y) {
  double sum = 0;
  double before = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double angle = 2 * M_PI * (static_cast<double>(t) / at.turn + static_cast<double>(i) / 2);
    const double side = (t <= at.change ? 0.7 : -0.7) * std::cos(angle);
    const double here = (y[i] - at.set->centre()[i]) / std::sqrt(nu.variance()[i]);
    sum += (here - side) * (here - side);
    if (i > 0) sum += at.tied * (here - before) * (here - before);
    before = here;
  }
  return 3 + sum;
}

plainly::Posterior::Seen seen_of_the_same_plays(const World& at) {
  const PosteriorAlgorithm* algorithm = nullptr;
  const auto new_learner = [&] {
    auto made =
        posterior(at.set, {.reach = at.reach < 1 ? std::optional(at.reach) : std::nullopt,
                           .trials = at.trials > 0 ? std::optional(at.trials) : std::nullopt});
    algorithm = dynamic_cast<const PosteriorAlgorithm*>(made.get());
    return Learner(std::move(made), {.seed = at.seed});
  };
  Learner learner = new_learner();
  plainly::Posterior plain(at.set, at.seed, at.reach, at.trials);
  const auto nu = at.set->exploration();
  const auto oracle = at.set->oracle();
  Random random(at.seed);
  const auto teach = [&](std::uint64_t t) {
    Vector x(at.set->dimension());
    oracle->minimise(random.normals(x.size())).write_to(x);
    const double share = random.uniform(0, 1);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += share * (at.set->centre()[i] - x[i]);
    oracle->settle(x);
    const double loss = distance_to_target(at, t, *nu, x) + at.noise(t, random);
    learner.learn(x, loss);
    plain.teach(x, loss);
  };
  for (std::uint64_t k = 1; k <= at.taught_before; ++k) teach(k);
  std::vector<std::vector<std::pair<PlayId, double>>> due(at.rounds + 1);
  for (std::uint64_t t = 1; t <= at.rounds; ++t) {
    const Play play = learner.ask();
    if (t > 1) {
      for (const auto& [id, loss] : due[t - 1]) plain.learn(id, loss);
    }
    const Vector y = plain.play(t);
    const double tolerance = (plain.seen().all_was_fitted ? 1e-6 : 1e-8) * at.set->outer_radius();
    EXPECT_LE(distance(y, play.point), tolerance) << at.set->spec() << " at " << t;
    EXPECT_LE(distance(plain.recommended(), learner.recommend()), tolerance)
        << at.set->spec() << " at " << t;
    EXPECT_EQ(plain.seen().restarts, algorithm->status().restarts) << at.set->spec() << " at " << t;
    EXPECT_EQ(plain.comparing(), algorithm->status().comparing) << at.set->spec() << " at " << t;
    if (testing::Test::HasFailure()) break;  // those after it differ, too
    plain.played_at(play.point);
    const double loss = distance_to_target(at, t, *nu, play.point) + at.noise(t, random);
    const auto later = at.delay(t);
    if (later && t + *later <= at.rounds) due[t + *later].push_back({t, loss});
    std::sort(due[t].begin(), due[t].end());
    for (const auto& [id, number] : due[t]) learner.tell(id, number);
    if (t % at.taught_every == 0) teach(t);  // it is learned before what was told
    if (t % at.saved_every == 0) {
      const State saved = learner.state();
      learner = new_learner();
      learner.restore(saved);
    }
  }
  return plain.seen();
}

SetPtr uneven_box() { return box(Vector{-1, 0, 2, -0.25}, Vector{1, 3, 2.5, 0}); }
SetPtr stretched_box() {
  return affine_image(box(-1, 1, 3), {5, 1, 0, 2, 2, 0.5, 1, 0.5, 0.25}, {0, 1, 2});
}
std::vector<SetPtr> sets() {
  return {ball(4, 2), uneven_box(), simplex(5, 2), stretched_box(), box(-1, 1, 1)};
}

/// A world drawn at random.
World world(std::uint64_t seed) {
  Random random(seed);
  const auto now_and_then = [&](double share, double least, double most) {
    const bool is_so = random.uniform() < share;
    const double number = random.uniform(least, most);
    return is_so ? number : 0;
  };
  World drawn{.set = sets()[seed % sets().size()], .rounds = 900, .seed = seed};
  if (now_and_then(0.2, 1, 1) > 0) drawn.rounds = 3000;
  if (const double when = now_and_then(0.4, 100, 700); when > 0) {
    drawn.change = static_cast<std::uint64_t>(when);
  }
  drawn.tied = now_and_then(0.4, 4, 4);
  const double deviation = std::exp(random.uniform(-3, 1));
  const double season = deviation * now_and_then(0.3, 1, 20);
  const double length = random.uniform(5, 300);
  const double trend = deviation * now_and_then(0.2, -0.1, 0.1);
  const double jump = deviation * now_and_then(0.3, 3, 60);
  const double rare = now_and_then(0.2, 0.05, 0.05);
  const double alternating = deviation * now_and_then(0.2, 1, 6);
  drawn.noise = [=](std::uint64_t t, Random& at) {
    const auto time = static_cast<double>(t);
    return deviation * at.normal() + season * std::sin(time / length) + trend * time +
           (t / 170 % 2 == 1 ? jump : 0) + (at.uniform() < rare ? 40 * deviation : 0) +
           (t % 2 == 1 ? alternating : 0);
  };
  const double late = random.uniform();
  if (late < 0.2) {
    drawn.delay = [](std::uint64_t t) -> Delay { return t * t % 201; };
  } else if (late < 0.4) {
    drawn.delay = [](std::uint64_t t) -> Delay { return t % 30 == 0 ? 150 : 0; };
  } else if (late < 0.5) {
    drawn.rounds = 3000;
    drawn.delay = [](std::uint64_t t) -> Delay { return 700 + t % 300; };
  }
  if (const double reach = now_and_then(0.2, 0.1, 0.9); reach > 0) drawn.reach = reach;
  drawn.taught_before = static_cast<std::uint64_t>(now_and_then(0.2, 0, 100));
  if (now_and_then(0.2, 1, 1) > 0) drawn.taught_every = 5;
  drawn.saved_every = 7;
  if (const double turn = now_and_then(0.2, 300, 3000); turn > 0) drawn.turn = turn;
  return drawn;
}

TEST(PosteriorTranscription, WhereNothingMoves) {
  EXPECT_TRUE(plainly::Posterior(stretched_box(), 1).has_two_curvatures());
  for (const SetPtr& set : sets()) {
    EXPECT_EQ(seen_of_the_same_plays({.set = set}).restarts, 0U) << set->spec();
  }
}

TEST(PosteriorTranscription, WhereTheTargetJumps) {
  for (const SetPtr& set : sets()) {
    EXPECT_EQ(seen_of_the_same_plays({.set = set, .change = 250}).restarts, 1U) << set->spec();
  }
}

TEST(PosteriorTranscription, WhereTheTargetTurns) {
  for (const SetPtr& set : {ball(4, 2), uneven_box(), simplex(5, 2)}) {
    const auto seen =
        seen_of_the_same_plays({.set = set, .rounds = 2000, .seed = 18, .turn = 3000});
    EXPECT_GT(seen.forgetting, 400) << set->spec();
  }
}

TEST(PosteriorTranscription, WhereTheLevelWanders) {
  const auto season = [](std::uint64_t t, Random& random) {
    return 0.3 * random.normal() + 3 * std::sin(static_cast<double>(t) / 40);
  };
  const auto trend = [](std::uint64_t t, Random& random) {
    return 0.3 * random.normal() + 0.02 * static_cast<double>(t);
  };
  for (const SetPtr& set : sets()) {
    for (const auto& noise : {Noise(season), Noise(trend)}) {
      const auto seen = seen_of_the_same_plays({.set = set, .noise = noise});
      EXPECT_GT(seen.wandering, 300) << set->spec();
      EXPECT_GT(seen.kept, 1) << set->spec();
      EXPECT_EQ(seen.restarts, 0U) << set->spec();
    }
  }
}

TEST(PosteriorTranscription, WhereTheLevelJumps) {
  const auto noise = [](std::uint64_t t, Random& random) {
    return 0.3 * random.normal() + (t / 150 % 2 == 1 ? 10 : 0);
  };
  for (const SetPtr& set : sets()) {
    const auto seen = seen_of_the_same_plays({.set = set, .noise = noise});
    EXPECT_GT(seen.jumps, 2) << set->spec();
    EXPECT_GE(seen.kept, 1) << set->spec();
  }
}

TEST(PosteriorTranscription, WhereTheLevelJumpsAndPointsAreTaught) {
  const auto noise = [](std::uint64_t t, Random& random) {
    return 0.3 * random.normal() + (t / 150 % 2 == 1 ? 10 : 0);
  };
  for (const SetPtr& set : sets()) {
    const auto seen = seen_of_the_same_plays({.set = set, .noise = noise, .taught_every = 1});
    EXPECT_GT(seen.jumps, 1) << set->spec();
  }
}

TEST(PosteriorTranscription, WhereLossesAreSkewed) {
  const auto noise = [](std::uint64_t /*t*/, Random& random) {
    return 0.1 * random.normal() + (random.uniform() < 0.05 ? 20 : 0);
  };
  for (const SetPtr& set : sets()) {
    EXPECT_GT(seen_of_the_same_plays({.set = set, .noise = noise}).widened, 1) << set->spec();
  }
}

TEST(PosteriorTranscription, WhereLossesAlternate) {
  const auto noise = [](std::uint64_t t, Random& random) {
    return 0.1 * random.normal() + (t % 2 == 1 ? 2 : 0);
  };
  for (const SetPtr& set : sets()) {
    EXPECT_GT(seen_of_the_same_plays({.set = set, .noise = noise}).swinging, 500) << set->spec();
  }
}

TEST(PosteriorTranscription, WhereLossesComeLate) {
  // After up to 200 rounds, and some never.
  const auto delay = [](std::uint64_t t) -> Delay {
    if (t % 7 == 3) return {};
    return t * t % 201;
  };
  for (const SetPtr& set : sets()) {
    seen_of_the_same_plays({.set = set, .rounds = 900, .change = 400, .delay = delay});
  }
}

TEST(PosteriorTranscription, WhereLossesComeSoLateThatSamplesServeLonger) {
  const auto delay = [](std::uint64_t t) -> Delay { return 700 + t % 300; };
  for (const SetPtr& set : {simplex(5, 2), stretched_box()}) {
    const auto seen = seen_of_the_same_plays({.set = set, .rounds = 2500, .delay = delay});
    EXPECT_GT(seen.held, 100) << set->spec();
  }
}

TEST(PosteriorTranscription, WithSamplesInTurns) {
  for (const SetPtr& set : {ball(4, 2), uneven_box()}) {
    EXPECT_GT(seen_of_the_same_plays({.set = set, .rounds = 3000}).turns, 500) << set->spec();
  }
}

TEST(PosteriorTranscription, WithAReachBelowOne) {
  for (const SetPtr& set : sets()) {
    const auto seen = seen_of_the_same_plays({.set = set, .change = 300, .reach = 0.3});
    EXPECT_EQ(seen.restarts, 1U) << set->spec();
  }
}

/// All are of that kind, or the last ones not; a life that begins after a change has a share of
/// them or none.
TEST(PosteriorTranscription, OfFewTrials) {
  for (const SetPtr& set : sets()) {
    for (const std::uint64_t trials : {10, 40, 300, 1000}) {
      const auto seen = seen_of_the_same_plays({.set = set,
                                                .rounds = 500,
                                                .seed = 19,
                                                .change = 200,
                                                .trials = trials,
                                                .saved_every = 13});
      EXPECT_EQ(seen.restarts, 1U) << set->spec();
    }
    seen_of_the_same_plays({.set = set,
                            .rounds = 300,
                            .trials = 100,
                            .taught_before = 30,
                            .taught_every = 5,
                            .saved_every = 13});
  }
}

TEST(PosteriorTranscription, OfTaughtPoints) {
  for (const std::uint64_t before : {0, 10, 16, 60}) {
    for (const SetPtr& set : {uneven_box(), simplex(5, 2)}) {
      seen_of_the_same_plays(
          {.set = set, .rounds = 400, .change = 200, .taught_before = before, .taught_every = 5});
    }
  }
}

TEST(PosteriorTranscription, OfSoManyTaughtPointsThatTheFirstSampleServesLong) {
  seen_of_the_same_plays({.set = box(-1, 1, 2), .rounds = 100, .taught_before = 2500});
}

TEST(PosteriorTranscription, WithAllCurvatures) {
  const auto noise = [](std::uint64_t t, Random& random) {
    return 0.03 * random.normal() + (t > 400 ? std::sin(static_cast<double>(t) / 40) : 0);
  };
  const auto seen = seen_of_the_same_plays({.set = box(Vector{-1, 0, 2}, Vector{1, 3, 2.5}),
                                            .rounds = 1200,
                                            .tied = 20,
                                            .noise = noise});
  EXPECT_GE(seen.changes_of_model, 1);
  EXPECT_GT(seen.wandering, 100);
}

/// All of that by chance, and together.
TEST(PosteriorTranscription, InManyWorlds) {
  plainly::Posterior::Seen all;
  for (const std::uint64_t seed : {1,  5,  7,  8,  12, 18, 23, 29, 30, 31, 41, 43,
                                   51, 53, 56, 59, 60, 62, 74, 76, 79, 80, 86, 92}) {
    const auto seen = seen_of_the_same_plays(world(seed));
    all.restarts += seen.restarts - static_cast<std::uint64_t>(seen.won_exploring);
    all.kept += seen.kept;
    all.won_exploring += seen.won_exploring;
    all.turns += seen.turns;
    all.held += seen.held;
    all.wandering += seen.wandering;
    all.forgetting += seen.forgetting;
    all.changes_of_model += seen.changes_of_model;
  }
  EXPECT_GT(all.restarts, 10U);  // of a life that had learned a model
  EXPECT_GE(all.won_exploring, 3);
  EXPECT_GT(all.kept, 20);
  EXPECT_GT(all.turns, 1000);
  EXPECT_GT(all.held, 2000);
  EXPECT_GT(all.wandering, 5000);
  EXPECT_GT(all.forgetting, 100);
  EXPECT_GT(all.changes_of_model, 2);
}

}  // namespace
}  // namespace keyhole::tests
