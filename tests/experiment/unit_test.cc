#include "experiment/unit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "experiment/measures/grid.h"
#include "experiment/player.h"
#include "instances.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using experiment::Experiment;
using experiment::Part;
using experiment::run_unit;
using experiment::UnitWatch;

Experiment experiment_of(const std::string& problem, const std::string& learners,
                         std::uint64_t rounds, const Catalogue& all = catalogue()) {
  return experiment::parse_experiment("rounds = " + std::to_string(rounds) + "\nproblems = '" +
                                          problem + "'\nlearners = " + learners +
                                          "\ncontrols = false\nseed = 11\nrepeats = 9\n",
                                      "unit.toml", "", all);
}

TEST(Grid, FineAndUnique) {
  EXPECT_EQ(experiment::fine_grid(1), (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(experiment::fine_grid(3), (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_EQ(experiment::regret_grid(1), (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(experiment::regret_grid(8), (std::vector<std::uint64_t>{1, 2, 4, 8}));
  EXPECT_EQ(experiment::regret_grid(9), (std::vector<std::uint64_t>{1, 2, 4, 8, 9}));
  EXPECT_EQ(experiment::regret_grid(9, {3, 4, 9, 10}),
            (std::vector<std::uint64_t>{1, 2, 3, 4, 8, 9}));
  for (const std::uint64_t rounds : {2U, 17U, 4096U, 5000U, 1U << 20}) {
    const auto grid = experiment::fine_grid(rounds);
    EXPECT_EQ(grid.front(), 1U);
    EXPECT_EQ(grid.back(), rounds);
    for (std::size_t i = 1; i < grid.size(); ++i) {
      EXPECT_GT(grid[i], grid[i - 1]);
      // Sixteen points an octave, up to rounding: 2^(1/16) = 1.0443.
      EXPECT_LE(static_cast<double>(grid[i]), 1.0443 * static_cast<double>(grid[i - 1]) + 1);
    }
    for (const std::uint64_t mark : experiment::regret_grid(rounds)) {
      EXPECT_TRUE(std::binary_search(grid.begin(), grid.end(), mark)) << mark;
    }
  }
}

/// Plays one learner alone, in a plain loop, against the losses of the repeat; fills in the totals
/// of its losses after each round, those of the best fixed points and those of what it recommends.
template <class AnyLearner, class Tell>
void plain_loop(AnyLearner& learner, const Experiment& experiment, std::uint64_t repeat, Tell tell,
                std::vector<double>& totals, std::vector<double>& best,
                std::vector<double>& recommended) {
  Target problem({experiment.seed, 2 * repeat + 1}, experiment.rounds, nullptr);
  std::vector<double> x(3);
  std::vector<double> sum(3, 0.0);
  std::vector<std::vector<double>> thetas;
  double total = 0;
  for (std::uint64_t t = 1; t <= experiment.rounds; ++t) {
    problem.draw(t);
    const PlayId id = learner.ask(x);
    total += problem.value(x);
    tell(learner, id, problem, x);
    totals.push_back(total);
    thetas.push_back(problem.theta());
    for (std::size_t i = 0; i < 3; ++i) sum[i] += problem.theta()[i];
    // The mean of the targets, which lies in the ball (|e_1 / 2| + 0.4 < 1).
    double least = 0;
    double of_recommended = 0;
    const std::vector<double> point = learner.recommend();
    for (const auto& theta : thetas) {
      for (std::size_t i = 0; i < 3; ++i) {
        const double off = sum[i] / static_cast<double>(t) - theta[i];
        least += off * off / 2;
        of_recommended += (point[i] - theta[i]) * (point[i] - theta[i]) / 2;
      }
    }
    best.push_back(least);
    recommended.push_back(of_recommended);
  }
}

TEST(Unit, AveragesAndRegretAreThoseOfAPlainLoop) {
  const Experiment experiment = experiment_of("target", "['anytime', 'ogd']", 300);
  const std::uint64_t repeat = 4;
  UnitWatch watch;
  const Part part = run_unit(experiment, catalogue(), 0, repeat, watch);
  EXPECT_EQ(watch.rounds, 300U);
  EXPECT_EQ(part.rounds, 300U);
  EXPECT_EQ(part.repeat, repeat);
  EXPECT_EQ(part.set, "ball(3)");
  EXPECT_EQ(part.dimension, 3U);
  EXPECT_LE(part.hindsight_gap, 1e-6);
  ASSERT_EQ(part.players.size(), 2U);

  const double M = 1.9 * 1.9 / 2;
  Learner anytime_learner(anytime(projection_free(ball(3), {.loss_bound = M})),
                          {.seed = 11, .stream = 2 * repeat});
  GradientLearner ogd_learner(ogd(ball(3), {.gradient_bound = 1.9}),
                              {.seed = 11, .stream = 2 * repeat});
  std::vector<double> totals[2];
  std::vector<double> best[2];
  std::vector<double> recommended[2];
  plain_loop(
      anytime_learner, experiment, repeat,
      [](Learner& learner, PlayId id, const Target& problem, const std::vector<double>& x) {
        learner.tell(id, problem.value(x));
      },
      totals[0], best[0], recommended[0]);
  plain_loop(
      ogd_learner, experiment, repeat,
      [](GradientLearner& learner, PlayId id, const Target& problem, const std::vector<double>& x) {
        std::vector<double> gradient(3);
        problem.gradient(x, gradient);
        learner.tell(id, gradient);
      },
      totals[1], best[1], recommended[1]);

  const auto grid = experiment::fine_grid(300);
  const auto marks = experiment::regret_grid(300);
  for (std::size_t k = 0; k < 2; ++k) {
    const auto& player = part.players[k];
    ASSERT_EQ(player.average_loss.size(), grid.size());
    for (std::size_t i = 0; i < grid.size(); ++i) {
      EXPECT_EQ(player.average_loss[i], totals[k][grid[i] - 1] / static_cast<double>(grid[i]));
    }
    ASSERT_EQ(player.average_regret.size(), marks.size());
    for (std::size_t i = 0; i < marks.size(); ++i) {
      const std::uint64_t t = marks[i];
      const double regret = (totals[k][t - 1] - best[k][t - 1]) / static_cast<double>(t);
      // The precision of the best fixed point: 1e-6 of the gap at the centre, here below 1.9.
      EXPECT_NEAR(player.average_regret[i], regret, 2e-6) << t;
      const double left = (recommended[k][t - 1] - best[k][t - 1]) / static_cast<double>(t);
      EXPECT_NEAR(player.recommended_regret.at(i), left, 2e-6) << t;
    }
    EXPECT_EQ(player.infeasible_plays, 0U);
    EXPECT_EQ(player.alarms, 0U);
  }
  EXPECT_EQ(part.players[0].oracle_calls, anytime_learner.summary().oracle_calls);
  EXPECT_EQ(part.players[1].regret_bound, ogd_learner.regret_bound(300).value);
  EXPECT_TRUE(part.players[1].regret_bound_holds);
}

TEST(Unit, WhereTheBestPointMovesNoRecommendedPointIsJudged) {
  for (const auto& [flip, judged] : {std::pair("100", 0U), {"200", 9U}}) {
    const Experiment experiment =
        experiment_of(std::string("tracking(ball(3), flip=") + flip + ")",
                      "['parameter_free', 'stay']", 200, Catalogue::standard());
    UnitWatch watch;
    const Part part = run_unit(experiment, Catalogue::standard(), 0, 0, watch);
    EXPECT_EQ(part.players[0].recommended_regret.size(), judged) << flip;
    for (std::size_t i = 0; i < judged; ++i) {  // who stays recommends what it plays
      EXPECT_NEAR(part.players[1].recommended_regret[i], part.players[1].average_regret[i], 1e-12);
    }
  }
}

TEST(Unit, WhoComesLaterIsJudgedTheSame) {
  const Experiment whole = experiment_of("target", "['stay', 'anytime']", 100);
  UnitWatch watch;
  const Part part = run_unit(whole, catalogue(), 0, 0, watch);
  Part known = part;
  known.players[1] = {.played = false};
  EXPECT_EQ(run_unit(whole, catalogue(), 0, 0, watch, {}, &known), part);
}

TEST(Unit, LearnersThatTakeContextsAreToldThose) {
  const auto parse = [](const std::string& learner) {
    return experiment::parse_experiment(
        "rounds = 1000\nproblems = 'contextual(loads, noise=0.1)'\n"
        "learners = ['" +
            learner +
            "', 'posterior']\n"
            "controls = false\nseed = 11\n",
        "unit.toml", "", Catalogue::standard());
  };
  UnitWatch watch;
  const Part part =
      run_unit(parse("posterior(contexts=[\"problem\"])"), Catalogue::standard(), 0, 0, watch);
  EXPECT_EQ(part.players[0].algorithm, "posterior(contexts=[\"number\"])");
  EXPECT_LE(part.hindsight_gap, 1e-6);

  const auto problem = contextual({.scene = Scene::loads, .noise = 0.1}, {11, 1});
  Learner told(posterior(problem->shared_set(), {.contexts = {"number"}}), {.seed = 11});
  Learner untold(problem->shared_set(), {.seed = 11});
  std::vector<double> x(3);
  std::vector<double> costs(2);
  for (std::uint64_t t = 1; t <= 1000; ++t) {
    problem->draw(t);
    const std::vector<double> best = [&] {
      std::vector<double> point(3);
      const auto total = problem->total();
      total->add();
      EXPECT_TRUE(total->guess(point));
      return point;
    }();
    const double least = problem->value(best);
    told.ask(Context{problem->context()[0]}, x);
    told.tell(t, problem->value(x));
    costs[0] += (problem->value(x) - least) / 1000;
    untold.ask(x);
    untold.tell(t, problem->value(x));
    costs[1] += (problem->value(x) - least) / 1000;
  }
  for (const std::size_t k : {0U, 1U}) {
    EXPECT_NEAR(part.players[k].average_regret.back(), costs[k], 1e-5) << k;
  }
  EXPECT_LT(costs[0], 0.5 * costs[1]);
  const std::string error =
      message<InputError>([&] { (void)parse("posterior(contexts=[\"number\", \"number\"])"); });
  EXPECT_NE(error.find("it takes 2 numbers as a context, and the problem has 1"), std::string::npos)
      << error;
}

TEST(Unit, RepeatsAndSeedsDiffer) {
  Experiment experiment = experiment_of("target", "['anytime']", 50);
  UnitWatch watch;
  const auto losses = [&](std::uint64_t repeat) {
    return run_unit(experiment, catalogue(), 0, repeat, watch).players[0].average_loss;
  };
  const auto first = losses(0);
  EXPECT_EQ(losses(0), first);
  EXPECT_NE(losses(1), first);
  experiment.seed = 12;
  EXPECT_NE(losses(0), first);
}

TEST(Unit, EachLossIsDrawnOnce) {
  std::atomic<std::uint64_t> draws = 0;
  const Experiment experiment = experiment_of("target", "['anytime', 'ogd', 'stay']", 100);
  UnitWatch watch;
  (void)run_unit(experiment, catalogue(&draws), 0, 0, watch);
  EXPECT_EQ(draws, 100U);
}

TEST(Unit, InfeasiblePlaysAndAlarmsAreCounted) {
  // From round 36 of 40 on it plays (3, 0, 0), which costs at least 2.1^2 / 2 > 1.
  const Experiment experiment = experiment_of("target", "['leaves', 'stay']", 40);
  UnitWatch watch;
  const Part part = run_unit(experiment, catalogue(), 0, 0, watch);
  EXPECT_EQ(part.players[0].infeasible_plays, 5U);
  EXPECT_EQ(part.players[0].alarms, 5U);
  EXPECT_EQ(part.players[1].infeasible_plays, 0U);
  EXPECT_EQ(part.players[1].alarms, 0U);
  EXPECT_FALSE(part.players[0].regret_bound.has_value());
  EXPECT_EQ(part.players[0].regret_bound_note, "it does not learn");
}

TEST(Unit, ErrorsNameProblemRepeatAndLearner) {
  const Experiment experiment = experiment_of("target", "['ogd', 'throws']", 40);
  UnitWatch watch;
  EXPECT_EQ(
      message<experiment::RunError>([&] { (void)run_unit(experiment, catalogue(), 0, 5, watch); }),
      "problem 'target', repeat 5, learner 'throws': mischief in round 7");
}

TEST(Unit, DataThatEndEarlierEndTheRun) {
  const Experiment experiment = experiment_of("short", "['anytime']", 1000);
  UnitWatch watch;
  const Part part = run_unit(experiment, catalogue(), 0, 0, watch);
  EXPECT_EQ(part.rounds, 20U);
  EXPECT_EQ(part.players[0].average_regret.size(), 6U);  // 1, 2, 4, 8, 16, 20
  EXPECT_EQ(watch.rounds, 20U);
}

TEST(Unit, StopsWhenTold) {
  UnitWatch watch;
  watch.stop = true;
  EXPECT_THROW((void)run_unit(experiment_of("target", "['ogd']", 40), catalogue(), 0, 0, watch),
               experiment::Stopped);
}

TEST(Part, ReadsBackTheSame) {
  UnitWatch watch;
  const Part part =
      run_unit(experiment_of("target", "['anytime', 'ogd', 'stay']", 70), catalogue(), 0, 2, watch);
  const std::string text = experiment::part_text(part);
  EXPECT_EQ(experiment::read_part(text), part);
  Part odd = part;
  odd.hindsight_gap = 0.1 + 0.2;
  odd.players[0].average_loss = {-0.0, 5e-324, 1.7976931348623157e308, 1.0 / 3};
  odd.players[0].late = 7;
  odd.players[0].beliefs = {{"noise", 1.0 / 3}, {"gain", -0.0}};
  odd.players[0].regret_bound_note = "\"quotes\", line\nbreaks and \xc3\xa9";
  EXPECT_EQ(experiment::read_part(experiment::part_text(odd)), odd);
}

TEST(Part, EveryChangedByteAndEveryCutIsNoticed) {
  UnitWatch watch;
  const std::string text = experiment::part_text(
      run_unit(experiment_of("target", "['ogd']", 5), catalogue(), 0, 0, watch));
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_FALSE(experiment::read_part(changed).has_value()) << i;
    EXPECT_FALSE(experiment::read_part(text.substr(0, i)).has_value()) << i;
  }
  EXPECT_FALSE(experiment::read_part(text + " ").has_value());
  EXPECT_FALSE(experiment::read_part("").has_value());
}

}  // namespace
}  // namespace keyhole::tests
