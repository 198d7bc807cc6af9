// Texts that sets and algorithms write read back to the same sets and algorithms.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "catalogue.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

void expect_same_set(const SetPtr& set) {
  const SetPtr back = make_set(set->spec());
  ASSERT_EQ(back->spec(), set->spec());
  EXPECT_EQ(back->fingerprint(), set->fingerprint());
  EXPECT_EQ(back->dimension(), set->dimension());
  EXPECT_EQ(back->hull_dimension(), set->hull_dimension());
  EXPECT_EQ(back->centre(), set->centre()) << set->spec();
  EXPECT_EQ(back->inner_radius(), set->inner_radius());
  EXPECT_EQ(back->outer_radius(), set->outer_radius());
  EXPECT_EQ(back->diameter(), set->diameter());
  EXPECT_EQ(back->can_project(), set->can_project());
  Randomness u(set, 1, 1);
  std::vector<double> here(set->dimension());
  std::vector<double> there(set->dimension());
  const auto oracle = set->oracle();
  const auto oracle_back = back->oracle();
  for (std::uint64_t t = 1; t <= 5; ++t) {
    oracle->minimise(u.direction(t)).write_to(here);
    oracle_back->minimise(u.direction(t)).write_to(there);
    EXPECT_EQ(here, there) << set->spec();
  }
}

bool has_digest(const Set& set) { return set.spec().find("digest") != std::string::npos; }

void expect_refused(const Set& with_digest) {
  EXPECT_EQ(message<SpecError>([&] { (void)make_set(with_digest.spec()); }),
            with_digest.spec() +
                ": the text of a large polytope holds a digest of its rows, not the rows: give A "
                "and b, C and d instead");
}

TEST(RoundTrip, EverySetOfTheCatalogue) {
  Random random(12);
  for (const SetFamily& family : all_set_families()) {
    for (std::uint64_t k = 0; k < scaled_count(30); ++k) {
      const SetPtr set = family.draw(random.integer(family.smallest_dimension, 9), random);
      if (has_digest(*set)) {
        expect_refused(*set);
      } else {
        expect_same_set(set);
      }
    }
  }
}

TEST(RoundTrip, ADigestIsNotReadBack) {
  const std::size_t n = 100;
  const SetPtr set = polytope({.n = n,
                               .lower = std::vector<double>(n, 0),
                               .inequalities = {.dense = std::vector<double>(n, 1), .right = {1}}});
  ASSERT_TRUE(has_digest(*set));
  expect_refused(*set);
}

TEST(RoundTrip, ExtremeNumbers) {
  const double inf = std::numeric_limits<double>::infinity();
  expect_same_set(ball(3, 4.9e49));
  expect_same_set(ball(3, 0x1.fffffffffffffp-100));
  expect_same_set(box(-0.0, 1e-9, 2));
  expect_same_set(scaled(translated(box(-1, 1, 2), std::vector<double>{0.1, -0.0}), -1e-20));
  expect_same_set(polytope({.n = 2,
                            .lower = {-inf, 0},
                            .upper = {inf, inf},
                            .inequalities = {.dense = {1, 1, -1, 0}, .right = {1, 3}}}));
  expect_same_set(
      polytope({.n = 2,
                .upper = {2, 2},
                .inequalities = {.sparse = {{0, 0, -1}, {1, 1, -1}}, .right = {0, 0}}}));
}

TEST(RoundTrip, OptionsOfMatrices) {
  for (const double residual : {1e-12, 1e-10, 1e-6, 1.25e-4, 1e-2}) {
    for (const bool certified : {false, true}) {
      const MatrixOracleOptions options{.certified = certified, .residual = residual};
      expect_same_set(nuclear_ball(2, 3, 1.5, options));
      expect_same_set(symmetric_nuclear_ball(3, 1, options));
      expect_same_set(psd_trace_ball(3, 2, options));
      expect_same_set(spectraplex(3, 2, options));
    }
  }
}

TEST(RoundTrip, OtherWaysToWriteASet) {
  const auto same = [](const std::string& text, const SetPtr& set) {
    EXPECT_EQ(make_set(text)->spec(), set->spec()) << text;
  };
  same("ball(1e1)", ball(10));
  same("nuclear_ball(2, 3, residual=1e-10)", nuclear_ball(2, 3));
  same("nuclear_ball(2, 3, residual=0.000001)", nuclear_ball(2, 3, 1, {.residual = 1e-6}));
  same(" ball ( n = 10 , radius = 2. ) ", ball(10, 2));
  same("ball(10, 2)", ball(10, 2));
  same("box([0, 0], 1)", box(0, 1, 2));
  same("box(0, [1, 2])", box(std::vector<double>{0, 0}, std::vector<double>{1, 2}));
  same("box(lower=0, upper=1, n=3)", box(0, 1, 3));
  same("box([0, 0], [1, 1], 2)", box(0, 1, 2));
  same("image(ball(2))", image(ball(2), 1, 0.0));
  same("scaled(ball(2), 3)", image(ball(2), 3, 0.0));
  same("translated(ball(2), 1)", image(ball(2), 1, 1));
  same("translated(ball(2), [1, 2])", image(ball(2), 1, std::vector<double>{1, 2}));
  same("polytope(2, 0, 1)", polytope({.n = 2, .lower = {0, 0}, .upper = {1, 1}}));
}

AlgorithmContext on(SetPtr set) { return {.set = std::move(set)}; }

TEST(RoundTrip, EveryLearnerOfTheCatalogue) {
  Random random(13);
  for (const SetFamily& family : set_families()) {
    const SetPtr set = family.draw(random.integer(family.smallest_dimension, 9), random);
    const std::uint64_t T = random.integer(1, 1000);
    for (const LearnerFamily& learner : learner_families()) {
      if (!learner.plays_on(*set)) continue;
      const std::string text = learner.make(set, T)->spec();
      const auto back = std::get<std::unique_ptr<Algorithm>>(make_algorithm(text, on(set)));
      EXPECT_EQ(back->spec(), text);
      EXPECT_EQ(back->set().spec(), set->spec());
    }
    for (const GradientLearnerFamily& learner : gradient_learner_families()) {
      const std::string text = learner.make(set, T)->spec();
      const auto back = std::get<std::unique_ptr<GradientAlgorithm>>(make_algorithm(text, on(set)));
      EXPECT_EQ(back->spec(), text);
    }
  }
}

TEST(RoundTrip, LearnersWithEveryOption) {
  const SetPtr set = simplex(3);
  const std::vector<double> start = {0.5, 0.25, 0.25};
  const ProjectionFreeOptions options{.loss_bound = 0.1,
                                      .gradient_bound = 2,
                                      .horizon = std::uint64_t{1} << 53,
                                      .c = 1.0 / 3,
                                      .eta = 1e-9,
                                      .constants = Constants::as_published,
                                      .start = start};
  const FkmOptions fkm_options{.loss_bound = 0.1,
                               .gradient_bound = 2,
                               .horizon = 77,
                               .constants = FkmConstants::textbook,
                               .c = 0.1,
                               .delta = 0.2,
                               .eta = 0.3,
                               .start = start};
  const GaugeOptions gauge_options{.loss_bound = 0.1,
                                   .gradient_bound = 2,
                                   .horizon = 77,
                                   .delta = 0.2,
                                   .eta = 0.3,
                                   .start = start};
  std::vector<std::string> texts = {
      gauge(set, gauge_options)->spec(),
      online_newton(set, {.gradient_bound = 2,
                          .horizon = 77,
                          .radius = 0.5,
                          .eta = 0.1,
                          .lambda = 0.2,
                          .penalty = 0,
                          .start = start})
          ->spec(),
      levelled(stay(set), {{"number", "choice(2)"}})->spec(),
      anchored(set, stay(product({set, set})))->spec(),
      face(set, {.caution = 0.2, .start = start})->spec(),
      posterior(set, {.start = start, .trials = 200})->spec(),
      linear_thompson(set, {.start = start})->spec(),
      spsa(set, {.pending_pairs = 7, .start = start})->spec(),
      cma_es(set, {.start = start})->spec(),
      projection_free(set, options)->spec(),
      unregularized(set, options)->spec(),
      fkm(set, fkm_options)->spec(),
      anytime(fkm(set, fkm_options))->spec(),
      fed_constant(fkm(set, fkm_options), -0.7)->spec(),
      bbcg(set, {.loss_bound = 0.1,
                 .gradient_bound = 2,
                 .horizon = 9,
                 .c = 0.1,
                 .eta = 0.3,
                 .epsilon = 0.2,
                 .start = start})
          ->spec(),
      bbcg(set, {.loss_bound = 0.1, .horizon = 9, .strong_convexity = 0.7})->spec(),
      two_point(set, {.gradient_bound = 2,
                      .horizon = 9,
                      .step = TwoPointStep::gradient_descent,
                      .delta = 0.1,
                      .eta = 0.3,
                      .pending_pairs = 7,
                      .start = start})
          ->spec(),
      ogd(set, {.gradient_bound = 3, .start = start})->spec(),
      ocg(set, {.gradient_bound = 3, .horizon = 5, .eta = 0.1, .start = start})->spec(),
      ocg(set, {.gradient_bound = 3, .horizon = 5, .constants = OcgConstants::optimized})->spec(),
      one_shot(set)->spec(),
      one_shot(set, {.start = start})->spec(),
      stochastic_ocg(
          set,
          {.gradient_bound = 3, .standard_deviation = 0, .horizon = 5, .eta = 0.1, .start = start})
          ->spec()};
  for (const std::string& text : texts) {
    const AnyAlgorithm back = make_algorithm(text, on(set));
    EXPECT_EQ(std::visit([](const auto& algorithm) { return algorithm->spec(); }, back), text);
  }
}

TEST(RoundTrip, ParameterFreeWithEveryChoiceOfItsParts) {
  const SetPtr set = simplex(3);
  const auto back = [&](const std::string& text) {
    return std::get<std::unique_ptr<Algorithm>>(make_algorithm(text, on(set)))->spec();
  };
  for (unsigned choice = 0; choice < 512; ++choice) {
    const auto changed = [=](unsigned part) { return (choice >> part & 1) != 0; };
    const ParameterFreeOptions options{
        .explore_at = changed(0) ? ExploreAt::inscribed_sphere : ExploreAt::extreme_points,
        .schedule = changed(1) ? ExplorationSchedule::fixed : ExplorationSchedule::measured,
        .baseline = changed(2) ? Baseline::average : Baseline::best_predictor,
        .shrinkage = !changed(3),
        .curvature = !changed(4),
        .averaging = !changed(5),
        .restarts = changed(6),
        .clipping = !changed(7),
        .lateness = !changed(8)};
    const std::string text = parameter_free(set, options)->spec();
    EXPECT_EQ(back(text), text);
    EXPECT_EQ(std::count(text.begin(), text.end(), '='), std::popcount(choice)) << text;
  }
  EXPECT_EQ(back("parameter_free"), "parameter_free()");
  EXPECT_EQ(back("parameter_free(schedule=fixed, restarts=true)"),
            "parameter_free(schedule=fixed, restarts=true)");
  EXPECT_EQ(back("parameter_free(explore_at=extreme_points, averaging=true)"), "parameter_free()");
  EXPECT_EQ(
      message<SpecError>([&] { (void)back("parameter_free(schedule=often)"); }),
      "parameter_free(schedule=often): schedule at column 25 must be measured or fixed, not often");
  EXPECT_EQ(message<SpecError>([&] { (void)back("parameter_free(shrinkage=2)"); }),
            "parameter_free(shrinkage=2): shrinkage at column 26 must be true or false, not 2");
  EXPECT_EQ(
      message<SpecError>([&] { (void)back("anytime(parameter_free)"); }),
      "anytime(parameter_free): learner at column 9 must be one that takes a horizon; any other "
      "needs no anytime");
}

TEST(RoundTrip, StatesGoOnInALearnerMadeFromItsText) {
  const SetPtr set = image(simplex(4), 3, -1);
  Learner original(anytime(projection_free(set, {.loss_bound = 1})), {.seed = 5});
  for (int t = 0; t < 100; ++t) original.tell(original.ask().id, 0.01 * t);
  auto algorithm = std::get<std::unique_ptr<Algorithm>>(
      make_algorithm("anytime(projection_free(loss_bound=1))", on(make_set(set->spec()))));
  Learner restored(std::move(algorithm), {.seed = 5});
  restored.restore(original.state());
  EXPECT_EQ(restored.ask().point, original.ask().point);
}

}  // namespace
}  // namespace keyhole::tests
