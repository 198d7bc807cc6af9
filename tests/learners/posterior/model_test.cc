// The model of the losses: its features, its prior, and what a refit makes of the evidence.

#include "learners/posterior/model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "catalogue.h"
#include "slow_set.h"

namespace keyhole::tests {
namespace {

/// A set, its frame and a model.
struct Modelled {
  explicit Modelled(SetPtr of, algorithms::Curvatures curvatures = algorithms::Curvatures::few)
      : set(std::move(of)),
        nu(set->exploration()),
        frame(set, *nu, set->centre()),
        model(frame, curvatures) {}
  Modelled(const Modelled&) = delete;
  Modelled& operator=(const Modelled&) = delete;

  [[nodiscard]] Vector features(const Vector& z) const {
    Vector phi(model.size());
    model.write_features(z, {}, phi);
    return phi;
  }
  /// Learns some losses with unit noise at random points, by these coefficients.
  void learn(const Vector& theta, int losses, Random& random) {
    model.begin(1, 1);
    for (int t = 0; t < losses; ++t) {
      const Vector phi = features(random.normals(frame.size()));
      const double value = inner(theta, phi) + random.normal();
      model.posterior().learn(phi, 1, value - inner(model.posterior().mean(), phi));
    }
  }
  /// The variance of coefficient i.
  double variance(std::size_t i) {
    Vector phi(model.size(), 0.0);
    phi[i] = 1;
    return model.posterior().variance(phi);
  }

  SetPtr set;
  std::unique_ptr<Exploration> nu;
  algorithms::Frame frame;
  algorithms::Model model;
};

/// One curvature.
SetPtr round_set() { return ball(4); }
/// Two of them.
SetPtr stretched_set() { return affine_image(box(-1, 1, 2), {10, 3, 3, 1}, {0, 0}); }

TEST(Model, HasTheFeaturesOfItsHeader) {
  const Modelled on(round_set());
  EXPECT_EQ(on.model.size(), 6U);
  EXPECT_EQ(on.model.first_curvature(), 5U);
  EXPECT_EQ(on.features({1, -2, 0, 3}), (Vector{1, 1, -2, 0, 3, 7}));  // 14 / sqrt 4
}

TEST(Model, HasTwoCurvaturesOnAStretchedSet) {
  const Modelled on(stretched_set());
  ASSERT_EQ(on.model.size(), 5U);
  const std::span<const double> mu = on.frame.stretches();
  const Vector phi = on.features({2, -1});
  const double length = std::sqrt(mu[0] * mu[0] + mu[1] * mu[1]);
  EXPECT_NEAR(phi[3], (4 * mu[0] + mu[1]) / length, 1e-12);
  EXPECT_NEAR(phi[4], 5 / std::sqrt(2.0), 1e-12);
}

TEST(Model, CurvaturesAreThoseOfTheFeatures) {
  Random random(1);
  for (const SetPtr& set : {round_set(), stretched_set()}) {
    const Modelled on(set);
    const std::size_t m = on.frame.size();
    const Vector theta = random.normals(on.model.size());
    const Vector z = random.normals(m);
    Vector c(m);
    on.model.write_curvatures(theta, c);
    double sum = theta[0];
    for (std::size_t k = 0; k < m; ++k) sum += theta[k + 1] * z[k] + c[k] * z[k] * z[k];
    EXPECT_NEAR(sum, inner(theta, on.features(z)), 1e-12);
  }
}

TEST(Model, PriceAndBendAreThoseOfTheMean) {
  Random random(2);
  for (const SetPtr& set : {round_set(), stretched_set()}) {
    Modelled on(set);
    const std::size_t m = on.frame.size();
    on.learn(random.normals(on.model.size()), 30, random);
    Vector c(m);
    on.model.write_curvatures(on.model.posterior().mean(), c);
    double price = 0;
    for (const double curvature : c) price += curvature;
    EXPECT_NEAR(on.model.price_of_reach(), price, 1e-12);
    const Vector z = random.normals(m);
    const Vector here = random.normals(m);
    double bend = 0;
    for (std::size_t k = 0; k < m; ++k) bend += c[k] * (z[k] - here[k]) * (z[k] - here[k]);
    EXPECT_NEAR(on.model.bend(z, here), bend, 1e-12);
  }
}

TEST(Model, BeginsWithAPriorInUnitsOfTheNoise) {
  Modelled on(round_set());
  on.model.begin(4, 1);
  EXPECT_NEAR(on.variance(0) / 4, 1e6, 2);  // the level: all but unknown
  EXPECT_NEAR(on.variance(1) / 4, 1, 1e-9);
  EXPECT_NEAR(on.variance(5) / 4, 100, 1e-6);
  EXPECT_EQ(on.model.reliable_share(), 0);
}

TEST(Model, APriorForShorterPlaysIsWider) {
  // At half of 0.15 slopes may be twice as large, curvatures four times.
  Modelled on(round_set());
  on.model.begin(1, 0.075);
  EXPECT_NEAR(on.variance(1), 4, 1e-9);
  EXPECT_NEAR(on.variance(5), 1600, 1e-3);
}

TEST(Model, ARefitFindsSlopesReliableThatAre) {
  Random random(3);
  Modelled on(round_set());
  on.learn({0, 1, -1, 1, -1, 0}, 400, random);
  on.model.refit(1, 400, 0, Vector(4, 0.0));
  EXPECT_GT(on.model.reliable_share(), 0.95);
  EXPECT_LE(on.model.reliable_share(), 1);
}

TEST(Model, ARefitDoesNotRelyOnNoise) {
  // The signal of four slopes is chi-square: above 4 + sqrt 8 one time in seven, and rarely by
  // much.
  Random random(4);
  double sum = 0;
  for (int run = 0; run < 100; ++run) {
    Modelled on(round_set());
    on.learn(Vector(6, 0.0), 100, random);
    on.model.refit(1, 100, 0, Vector(4, 0.0));
    EXPECT_GE(on.model.reliable_share(), 0);
    sum += on.model.reliable_share();
  }
  EXPECT_LE(sum / 100, 0.15);
}

TEST(Model, ThePriorFollowsTheEvidence) {
  // The precision that makes the evidence greatest is about 1 / slope^2: 1/100 for slopes of 10,
  // where refits get to by factors of 4, and the most that it may be, sqrt t, for slopes of 0.
  Random random(5);
  const auto shrunk = [&](double slope) {
    Modelled on(round_set());
    on.learn({0, slope, slope, -slope, -slope, 0}, 400, random);
    for (int k = 0; k < 10; ++k) on.model.refit(1, 400, 0, Vector(4, 0.0));
    return 1 - 400 * on.variance(1);  // about ridge / (400 + ridge)
  };
  EXPECT_NEAR(shrunk(10), 0, 0.15);
  EXPECT_LT(shrunk(10), shrunk(0));
}

TEST(Model, ARefitWithNothingNewSettles) {
  Random random(6);
  Modelled on(round_set());
  on.learn({1, 1, -1, 0.5, 0, 2}, 200, random);
  for (int k = 0; k < 30; ++k) on.model.refit(1, 200, 0, Vector(4, 0.0));
  const Vector before(on.model.posterior().mean().begin(), on.model.posterior().mean().end());
  on.model.refit(1, 200, 0, Vector(4, 0.0));
  EXPECT_LE(distance(before, on.model.posterior().mean()), 1e-6);
}

TEST(Model, LateRefitsTakeAwayACurvatureThatIsNotThere) {
  // On the average over runs: by chance a curvature may seem to be there.
  Random random(9);
  double early = 0;
  double late = 0;
  for (int run = 0; run < 40; ++run) {
    Modelled on(round_set());
    on.learn({0, 1, -1, 1, -1, 0}, 400, random);
    early += on.variance(5);
    for (int k = 0; k < 10; ++k) on.model.refit(1, 400, 1e-300, Vector(4, 0.0));
    late += on.variance(5);
  }
  EXPECT_LT(late, 0.85 * early);
}

TEST(Model, LooseningTheCurvatureLeavesTheMean) {
  Random random(7);
  for (const SetPtr& set : {round_set(), stretched_set()}) {
    Modelled on(set);
    on.learn(random.normals(on.model.size()), 200, random);
    const Vector here = random.normals(on.frame.size());
    algorithms::Model loose = on.model;
    on.model.refit(1, 200, 1e-300, here);
    loose.refit(1, 200, 0.1, here);
    EXPECT_LE(distance(on.model.posterior().mean(), loose.posterior().mean()), 1e-9);
  }
}

TEST(Model, LooseningTheCurvatureWidensItAboutWherePlaysAre) {
  // The variance of <theta, phi(z)> grows by 0.1 Var(curvature) |z - here|^4 / m, but for the
  // prior, which 2000 losses leave little of.
  Random random(8);
  Modelled on(round_set());
  on.learn({0, 1, -1, 1, -1, 2}, 2000, random);
  const Vector here = {0.5, -0.5, 0, 1};
  algorithms::Model loose = on.model;
  on.model.refit(1, 2000, 0, here);
  loose.refit(1, 2000, 0.1, here);
  const double curvature = on.variance(5);
  for (int k = 0; k < 10; ++k) {
    const Vector z = random.normals(4);
    const Vector phi = on.features(z);
    const Vector away = combine(1, z, -1, here);
    const double expected = 0.1 * curvature * inner(away, away) * inner(away, away) / 4;
    EXPECT_NEAR(loose.posterior().variance(phi) - on.model.posterior().variance(phi), expected,
                0.02 * expected);
  }
  const Vector at = on.features(here);
  EXPECT_NEAR(loose.posterior().variance(at), on.model.posterior().variance(at),
              1e-3 * on.model.posterior().variance(at));
}

TEST(Model, GoesOnFromItsState) {
  Random random(9);
  Modelled on(stretched_set());
  on.learn({0, 1, -1, 1, 2}, 50, random);
  on.model.refit(1, 50, 0.1, Vector{0.1, 0.2});
  Archive writer;
  on.model.state(writer);
  const std::vector<std::byte> bytes = std::move(writer).take();
  algorithms::Model loaded(on.frame);
  Archive reader(bytes);
  loaded.state(reader);
  EXPECT_EQ(reader.left(), 0u);
  const Vector phi = on.features({0.3, -0.4});
  for (algorithms::Model* model : {&on.model, &loaded}) {
    model->posterior().learn(phi, 1, 0.5);
    model->refit(0.9, 51, 0.1, Vector{0.1, 0.3});
  }
  EXPECT_EQ(loaded.reliable_share(), on.model.reliable_share());
  EXPECT_TRUE(std::equal(loaded.posterior().mean().begin(), loaded.posterior().mean().end(),
                         on.model.posterior().mean().begin()));
}

constexpr auto all = algorithms::Curvatures::all;

TEST(Model, HasTheFeaturesOfAllPairs) {
  const Modelled on(ball(2), all);
  EXPECT_TRUE(on.model.has_pairs());
  EXPECT_EQ(on.model.size(), 7U);
  const double root = std::sqrt(2.0);
  const Vector phi = on.features({3, -2});
  const Vector expected = {1, 3, -2, 9, -6 * root, 4, 13 / root};
  for (std::size_t i = 0; i < phi.size(); ++i) EXPECT_NEAR(phi[i], expected[i], 1e-12) << i;
}

/// z' C z
double form(const Vector& C, const Vector& z) {
  double sum = 0;
  for (std::size_t j = 0; j < z.size(); ++j) {
    for (std::size_t k = 0; k < z.size(); ++k) sum += C[j * z.size() + k] * z[j] * z[k];
  }
  return sum;
}

TEST(Model, TheMatrixIsThatOfTheFeatures) {
  Random random(11);
  for (const SetPtr& set : {round_set(), stretched_set()}) {
    const Modelled on(set, all);
    const std::size_t m = on.frame.size();
    const Vector theta = random.normals(on.model.size());
    const Vector z = random.normals(m);
    Vector C(m * m);
    on.model.write_matrix(theta, C);
    double expected = theta[0] + form(C, z);
    for (std::size_t k = 0; k < m; ++k) expected += theta[k + 1] * z[k];
    EXPECT_NEAR(inner(theta, on.features(z)), expected, 1e-12 * (1 + std::abs(expected)));
  }
}

/// With all curvatures, after so many losses with unit noise, by these coefficients.
void learn_pairs(Modelled& on, const Vector& theta, int losses, Random& random) {
  on.model.begin(1, 1);
  for (int t = 0; t < losses; ++t) {
    const Vector phi = on.features(random.normals(on.frame.size()));
    on.model.add(phi, 1, inner(theta, phi) + random.normal());
  }
}

TEST(Model, LearnsAllCurvaturesAtARefit) {
  Random random(12);
  Modelled on(ball(3), all);
  const Vector theta = random.normals(on.model.size());
  learn_pairs(on, theta, 4000, random);
  for (const double coefficient : on.model.posterior().mean()) EXPECT_EQ(coefficient, 0);
  on.model.refit(1, 4000, 0.1, Vector(3));
  // Their errors are about 1 / sqrt 4000; the last is a sum of others, so not known by itself.
  Vector C(9);
  Vector true_C(9);
  on.model.write_matrix(on.model.posterior().mean(), C);
  on.model.write_matrix(theta, true_C);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(C[i], true_C[i], 5 / std::sqrt(4000.0)) << i;
  for (std::size_t i = 1; i <= 3; ++i) {
    EXPECT_NEAR(on.model.posterior().mean()[i], theta[i], 5 / std::sqrt(4000.0));
  }
}

TEST(Model, PriceAndBendAreThoseOfTheMatrix) {
  Random random(13);
  Modelled on(ball(4), all);
  learn_pairs(on, random.normals(on.model.size()), 200, random);
  on.model.refit(1, 200, 0, Vector(4));
  Vector C(16);
  on.model.write_matrix(on.model.posterior().mean(), C);
  EXPECT_NEAR(on.model.price_of_reach(), C[0] + C[5] + C[10] + C[15], 1e-12);
  const Vector z = random.normals(4);
  const Vector here = random.normals(4);
  Vector away(4);
  for (std::size_t k = 0; k < 4; ++k) away[k] = z[k] - here[k];
  EXPECT_NEAR(on.model.bend(z, here), form(C, away), 1e-12 * (1 + std::abs(form(C, away))));
}

TEST(Model, WhereNothingTiesCoordinatesThePriorOfPairsIsNarrow) {
  Random random(14);
  Modelled on(ball(4), all);
  Vector theta(on.model.size());
  theta.back() = 3;  // one curvature for all
  learn_pairs(on, theta, 100, random);
  const auto width_of_a_pair = [&] { return on.variance(on.model.first_curvature() + 1); };
  on.model.refit(1, 100, 0, Vector(4));
  const double before = width_of_a_pair();
  for (int k = 0; k < 8; ++k) on.model.refit(1, 100, 0.1, Vector(4));
  EXPECT_LT(width_of_a_pair(), 0.7 * before);
}

TEST(Model, WithAllCurvaturesGoesOnFromItsState) {
  Random random(15);
  Modelled on(ball(3), all);
  learn_pairs(on, random.normals(on.model.size()), 100, random);
  on.model.refit(1, 100, 0.1, Vector(3));
  on.model.add(on.features({1, 2, 3}), 2, 5);
  on.model.note(on.features({1, 2, 3}));
  Archive writer;
  on.model.state(writer);
  const std::vector<std::byte> bytes = std::move(writer).take();
  Modelled loaded(ball(3), all);
  Archive reader(bytes);
  loaded.model.state(reader);
  EXPECT_EQ(reader.left(), 0U);
  EXPECT_EQ(Vector(loaded.model.noted().begin(), loaded.model.noted().end()),
            on.features({1, 2, 3}));
  for (Modelled* one : {&on, &loaded}) one->model.refit(1, 110, 0.1, Vector(3));
  for (std::size_t i = 0; i < on.model.size(); ++i) {
    EXPECT_EQ(on.model.posterior().mean()[i], loaded.model.posterior().mean()[i]);
  }
}

/// A model that keeps sums and one that keeps a factor learn the same of a level that wanders.
TEST(Model, ALevelThatWandersIsTheSameForBothKindsOfModel) {
  // In one dimension both have the same features, but for the order of the last two.
  Random random(31);
  Modelled few(box(-1, 1, 1));
  Modelled all(box(-1, 1, 1), algorithms::Curvatures::all);
  few.model.begin(1, 1);
  all.model.begin(1, 1);
  const Vector here(1, 0.0);
  for (int t = 0; t < 200; ++t) {
    const Vector z = random.normals(1);
    const double value = 0.05 * t + 2 * z[0] + 0.1 * random.normal();
    few.model.wander(0.01, 0.05);
    all.model.wander(0.01, 0.05);
    few.model.posterior().learn(few.features(z), 1,
                                value - inner(few.model.posterior().mean(), few.features(z)));
    all.model.add(all.features(z), 1, value);
  }
  all.model.refit(1, 200, 0, here);
  EXPECT_NEAR(all.model.posterior().mean()[0], few.model.posterior().mean()[0], 0.02);
  EXPECT_NEAR(all.model.posterior().mean()[1], few.model.posterior().mean()[1], 0.02);
  EXPECT_NEAR(few.model.posterior().mean()[0], 10, 0.2);  // the level of now
  EXPECT_NEAR(all.variance(0), few.variance(0), 0.05 * few.variance(0));
}

TEST(Model, AShareOfWhatWasLearnedIsKept) {
  Random random(32);
  Modelled modelled(ball(4));
  modelled.learn({3, 1, -2, 0.5, 1, 0.5}, 400, random);
  const Vector before(modelled.model.posterior().mean().begin(),
                      modelled.model.posterior().mean().end());
  const double known = modelled.variance(1);
  modelled.model.keep(0.1);
  EXPECT_NEAR(modelled.variance(1), 10 * known, 0.5 * known);
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_NEAR(modelled.model.posterior().mean()[i], before[i], 0.2 * std::abs(before[i]) + 0.02);
  }
}

}  // namespace
}  // namespace keyhole::tests
