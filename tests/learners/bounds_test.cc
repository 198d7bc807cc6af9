// Regret bounds: the theorems' formulas against values worked out by hand, and measured regret
// below them on a problem that meets the assumptions.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "catalogue.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

TEST(RegretBound, TheoremOneWithItsErrata) {
  // Ball of dimension 4, radius 1: n = 4, r = R = 1, D = 2. M = 3, G = 5, c = 1/2, T = 32 = 2^5:
  // T^(1/5) = 2. n M D / (sqrt2 c) T^(3/5) = 24 sqrt2 8; (sqrt2 n M D / c + 5 sqrt3 / 4 D G + 3 c G
  // + c R G / r) T^(4/5) = (48 sqrt2 + 12.5 sqrt3 + 7.5 + 2.5) 16.
  const ProjectionFreeOptions options{.loss_bound = 3, .gradient_bound = 5, .horizon = 32};
  const RegretBound bound = projection_free(ball(4), options)->regret_bound(32);
  EXPECT_TRUE(bound.holds);
  EXPECT_NEAR(bound.value,
              24 * std::sqrt(2.0) * 8 + (48 * std::sqrt(2.0) + 12.5 * std::sqrt(3.0) + 10) * 16,
              1e-10);
  EXPECT_EQ(bound.note, "Theorem 1, errata fixed");
}

TEST(RegretBound, TheoremOneAsPublished) {
  // The same with c = 1: sqrt2 n M D / c^2 T^(3/5) + (sqrt2 n M D + 5 sqrt2 / 4 D G + 3 c G + c R G
  // / r) T^(4/5) = 24 sqrt2 8 + (24 sqrt2 + 12.5 sqrt2 + 15 + 5) 16.
  ProjectionFreeOptions options{.loss_bound = 3,
                                .gradient_bound = 5,
                                .horizon = 32,
                                .c = 1,
                                .constants = Constants::as_published};
  const RegretBound bound = projection_free(ball(4), options)->regret_bound(32);
  EXPECT_NEAR(bound.value, 24 * std::sqrt(2.0) * 8 + (36.5 * std::sqrt(2.0) + 20) * 16, 1e-10);
  EXPECT_FALSE(bound.holds);
  EXPECT_NE(bound.note.find("2-smooth"), std::string::npos);
  options.c = 0.5;
  const RegretBound small_c = projection_free(ball(4), options)->regret_bound(32);
  EXPECT_FALSE(small_c.holds);
  EXPECT_NE(small_c.note.find("c < 1"), std::string::npos);
}

TEST(RegretBound, SaysWhyThereIsNone) {
  const SetPtr set = ball(4);
  const auto why = [](const Algorithm& algorithm, std::uint64_t rounds) {
    const RegretBound bound = algorithm.regret_bound(rounds);
    EXPECT_TRUE(std::isnan(bound.value));
    EXPECT_FALSE(bound.holds);
    return bound.note;
  };
  EXPECT_EQ(why(*projection_free(set, {.loss_bound = 1}), 1),
            "no bound: gradient_bound (G) was not given");
  EXPECT_EQ(why(*anytime(projection_free(set, {.loss_bound = 1})), 100),
            "no bound: gradient_bound (G) was not given");
  EXPECT_EQ(why(*projection_free(set, {.loss_bound = 1, .gradient_bound = 1, .eta = 0.5}), 1),
            "no bound: eta was overridden, and the theorem sets it");
  EXPECT_EQ(why(*unregularized(set, {.loss_bound = 1, .gradient_bound = 1}), 1),
            "no bound: no theorem covers the unregularized variant");
  EXPECT_EQ(why(*projection_free(set, {.loss_bound = 1, .gradient_bound = 1, .horizon = 10}), 11),
            "the theorem covers the horizon of 10 rounds only");
  EXPECT_EQ(why(*fkm(set, {.loss_bound = 1, .constants = FkmConstants::textbook}), 1),
            "no bound: gradient_bound (G) was not given");
}

TEST(RegretBound, TheoremTwoCoversTheSumOverEpochs) {
  const SetPtr set = simplex(6);
  const ProjectionFreeOptions options{.loss_bound = 1, .gradient_bound = 2};
  const auto algorithm = anytime(projection_free(set, options));
  const auto single = projection_free(set, options);
  for (const std::uint64_t t : {1u, 2u, 3u, 7u, 8u, 1000u, 1u << 20}) {
    const RegretBound bound = algorithm->regret_bound(t);
    EXPECT_TRUE(bound.holds);
    double sum = 0;
    double beta = 0;  // every epoch's bound is at most beta T^(4/5)
    for (std::uint64_t T = 1; T <= t; T *= 2) {
      sum += single->horizon_bound(T).value;
      beta = std::max(beta, single->horizon_bound(T).value / std::pow(static_cast<double>(T), 0.8));
    }
    EXPECT_NEAR(bound.value, sum, 1e-12 * sum);
    EXPECT_LE(bound.value,
              beta / (1 - std::pow(2, -0.8)) * std::pow(static_cast<double>(t + 1), 0.8));
  }
}

TEST(RegretBound, FkmByHand) {
  // n = 4, r = R = 1, M = 3, G = 5, T = 16, delta = 1/4, eta = 1/8:
  // 7 / (4 eta) + eta n^2 M^2 T / (2 delta^2) + (3 + 1) G delta T = 14 + 2304 + 80.
  const FkmOptions options{
      .loss_bound = 3, .gradient_bound = 5, .horizon = 16, .delta = 0.25, .eta = 0.125};
  const RegretBound bound = fkm(ball(4), options)->regret_bound(16);
  EXPECT_TRUE(bound.holds);
  EXPECT_NEAR(bound.value, 14 + 2304 + 80, 1e-10);
  // The default constants minimise it among all (eta, delta): no other pair near them is better.
  const std::uint64_t T = 1 << 20;
  const FkmOptions best{.loss_bound = 3, .gradient_bound = 5, .horizon = T};
  const double least = fkm(ball(4), best)->regret_bound(T).value;
  const double delta = std::sqrt(std::sqrt(3.5) * 12 / (5 * 4)) * std::pow(2.0, -5);
  const double eta = std::sqrt(3.5) * delta / (12 * std::pow(2.0, 10));
  for (const double factor : {0.9, 1.1}) {
    FkmOptions other = best;
    other.delta = delta * factor;
    other.eta = eta;
    EXPECT_GT(fkm(ball(4), other)->regret_bound(T).value, least);
    other.delta = delta;
    other.eta = eta * factor;
    EXPECT_GT(fkm(ball(4), other)->regret_bound(T).value, least);
  }
}

TEST(RegretBound, GaugeByHand) {
  // n = 4, r = R = 1, kappa = 1, M = 3, G = 5, T = 16, delta = 1/4, eta = 1/8, L = R = 1:
  // L^2 / (2 eta) + eta (2 n M / delta)^2 T / 2 + (2 + 1) G delta T = 4 + 9216 + 60.
  const GaugeOptions options{
      .loss_bound = 3, .gradient_bound = 5, .horizon = 16, .delta = 0.25, .eta = 0.125};
  const RegretBound bound = gauge(ball(4), options)->regret_bound(16);
  EXPECT_TRUE(bound.holds);
  EXPECT_NEAR(bound.value, 4 + 9216 + 60, 1e-9);
  // From the start (1, 0, 0, 0) L is D = 2.
  GaugeOptions from_the_boundary = options;
  from_the_boundary.start = {1, 0, 0, 0};
  EXPECT_NEAR(gauge(ball(4), from_the_boundary)->regret_bound(16).value, 16 + 9216 + 60, 1e-9);
  // The default constants minimise it among all (eta, delta).
  const std::uint64_t T = 1 << 20;
  const GaugeOptions best{.loss_bound = 3, .gradient_bound = 5, .horizon = T};
  const double least = gauge(ball(4), best)->regret_bound(T).value;
  const double delta = std::sqrt(2.0 * 12 / (5 * 3)) * std::pow(2.0, -5);
  const double eta = delta / (2 * 12 * std::pow(2.0, 10));
  for (const double factor : {0.9, 1.1}) {
    GaugeOptions other = best;
    other.delta = delta * factor;
    other.eta = eta;
    EXPECT_GT(gauge(ball(4), other)->regret_bound(T).value, least);
    other.delta = delta;
    other.eta = eta * factor;
    EXPECT_GT(gauge(ball(4), other)->regret_bound(T).value, least);
  }
  EXPECT_EQ(gauge(ball(4), {.loss_bound = 1, .delta = 0.5})->regret_bound(1).note,
            "no bound: gradient_bound (G) was not given");
}

TEST(RegretBound, GradientLearnersByHand) {
  // D = 2, G = 5, T = 16: 3/2 G D sqrt T = 60 and 8 D G T^(3/4) = 640; doubling over 16 rounds adds
  // the epochs 1, 2, 4, 8 and 16.
  const SetPtr set = ball(4);
  const RegretBound of_ogd = ogd(set, {.gradient_bound = 5})->regret_bound(16);
  EXPECT_TRUE(of_ogd.holds);
  EXPECT_DOUBLE_EQ(of_ogd.value, 60);
  const RegretBound of_ocg = ocg(set, {.gradient_bound = 5, .horizon = 16})->regret_bound(16);
  EXPECT_TRUE(of_ocg.holds);
  EXPECT_DOUBLE_EQ(of_ocg.value, 640);
  const RegretBound doubled = anytime(ocg(set, {.gradient_bound = 5}))->regret_bound(16);
  EXPECT_TRUE(doubled.holds);
  const double q = std::pow(2, 0.75);
  EXPECT_NEAR(doubled.value, 80 * (1 + q + q * q + q * q * q + q * q * q * q), 1e-10);
  EXPECT_EQ(stochastic_ocg(set, {.gradient_bound = 5})->regret_bound(1).note,
            "no bound: no theorem covers the noise");
  EXPECT_FALSE(ocg(set, {.gradient_bound = 5, .eta = 1})->regret_bound(1).holds);
  // 4 / 3^(3/4) G D T^(3/4), for T = 48 = 3 * 16: 4 * 5 * 2 * 8 = 320.
  const OcgOptions optimized{
      .gradient_bound = 5, .horizon = 48, .constants = OcgConstants::optimized};
  EXPECT_TRUE(ocg(set, optimized)->regret_bound(48).holds);
  EXPECT_NEAR(ocg(set, optimized)->regret_bound(48).value, 320, 1e-12);
}

/// f_t(x) = 1/2 ||x - theta_t||^2 on a ball of radius 1, theta_t = theta + 0.3 w_t with ||theta|| =
/// 0.6 and w_t a random unit vector: |f_t| <= 1/2 1.9^2, gradients at most 1.9.
struct Tracking {
  static constexpr double M = 1.805;
  static constexpr double G = 1.9;
  std::vector<Vector> thetas;

  Tracking(std::size_t n, std::uint64_t rounds, std::uint64_t seed) {
    Random random(seed);
    for (std::uint64_t t = 0; t < rounds; ++t) {
      Vector w = random.normals(n);
      double length = 0;
      for (const double c : w) length += c * c;
      for (double& c : w) c *= 0.3 / std::sqrt(length);
      w[0] += 0.6;
      thetas.push_back(w);
    }
  }

  [[nodiscard]] double loss(std::uint64_t t, std::span<const double> x) const {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - thetas[t][i]) * (x[i] - thetas[t][i]);
    return sum / 2;
  }

  [[nodiscard]] Vector gradient(std::uint64_t t, std::span<const double> x) const {
    Vector g(x.begin(), x.end());
    for (std::size_t i = 0; i < g.size(); ++i) g[i] -= thetas[t][i];
    return g;
  }

  /// The best fixed point is the mean of the thetas, which is in the ball.
  [[nodiscard]] double best_total() const {
    Vector mean(thetas[0].size(), 0.0);
    for (const Vector& theta : thetas) {
      for (std::size_t i = 0; i < mean.size(); ++i) {
        mean[i] += theta[i] / static_cast<double>(thetas.size());
      }
    }
    double total = 0;
    for (std::uint64_t t = 0; t < thetas.size(); ++t) total += loss(t, mean);
    return total;
  }
};

TEST(RegretBound, MeasuredRegretIsBelowIt) {
  // Ten runs each: the mean regret, plus four standard errors, is below the theorem's bound; and it
  // is positive, as the regret of a learner on a problem with noise must be.
  const std::size_t n = 5;
  const std::uint64_t T = 4096;
  const SetPtr set = ball(n);
  const ProjectionFreeOptions options{
      .loss_bound = Tracking::M, .gradient_bound = Tracking::G, .horizon = T};
  const FkmOptions fkm_options{
      .loss_bound = Tracking::M, .gradient_bound = Tracking::G, .horizon = T};
  const BbcgOptions bbcg_options{
      .loss_bound = Tracking::M, .gradient_bound = Tracking::G, .horizon = T};
  BbcgOptions strongly_convex = bbcg_options;
  strongly_convex.strong_convexity = 1;
  const GaugeOptions gauge_options{
      .loss_bound = Tracking::M, .gradient_bound = Tracking::G, .horizon = T};
  const std::vector<std::function<std::unique_ptr<Algorithm>()>> algorithms = {
      [&] { return projection_free(set, options); },
      [&] { return anytime(projection_free(set, options)); },
      [&] { return fkm(set, fkm_options); },
      [&] { return anytime(fkm(set, fkm_options)); },
      [&] { return bbcg(set, bbcg_options); },
      [&] { return anytime(bbcg(set, bbcg_options)); },
      [&] { return anytime(bbcg(set, strongly_convex)); },
      [&] { return gauge(set, gauge_options); },
  };
  for (const auto& make : algorithms) {
    Vector regrets;
    double bound = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const Tracking problem(n, T, seed);
      Learner learner(make(), {.seed = seed});
      double total = 0;
      Vector x(n);
      for (std::uint64_t t = 0; t < T; ++t) {
        const PlayId id = learner.ask(x);
        const double loss = problem.loss(t, x);
        total += loss;
        learner.tell(id, loss);
      }
      regrets.push_back(total - problem.best_total());
      ASSERT_TRUE(learner.regret_bound().holds);
      bound = learner.regret_bound().value;
      EXPECT_EQ(learner.summary().above_bound, 0u);
    }
    double mean = 0;
    double squares = 0;
    for (const double regret : regrets) mean += regret / 10;
    for (const double regret : regrets) squares += (regret - mean) * (regret - mean) / 9;
    const double error = std::sqrt(squares / 10);
    EXPECT_GT(mean - 4 * error, 0) << make()->spec();
    EXPECT_LT(mean + 4 * error, bound) << make()->spec();
  }
}

TEST(RegretBound, MeasuredRegretOfGradientLearnersIsBelowIt) {
  // These theorems bound every single run, and these learners draw nothing at random. Linear losses
  // of random sign are the worst kind.
  const std::size_t n = 3;
  const SetPtr set = box(-1, 1, n);
  const double G = std::sqrt(static_cast<double>(n));
  for (const std::uint64_t T : {16u, 256u, 4096u}) {
    const std::vector<std::function<std::unique_ptr<GradientAlgorithm>()>> algorithms = {
        [&] { return ogd(set, {.gradient_bound = G}); },
        [&] { return ocg(set, {.gradient_bound = G, .horizon = T}); },
        [&] { return anytime(ocg(set, {.gradient_bound = G})); },
        [&] {
          return ocg(set,
                     {.gradient_bound = G, .horizon = T, .constants = OcgConstants::optimized});
        },
        [&] {
          return anytime(ocg(set, {.gradient_bound = G, .constants = OcgConstants::optimized}));
        }};
    for (const auto& make : algorithms) {
      for (std::uint64_t seed = 0; seed < 10; ++seed) {
        Random random(seed);
        GradientLearner learner(make());
        Vector total(n);
        double cost = 0;
        for (std::uint64_t t = 1; t <= T; ++t) {
          const Play play = learner.ask();
          Vector g(n);
          for (std::size_t i = 0; i < n; ++i) {
            g[i] = random.uniform() < 0.5 ? -1 : 1;
            cost += g[i] * play.point[i];
            total[i] += g[i];
          }
          learner.tell(play.id, g);
        }
        double best = 0;  // each coordinate at the end that its total favours
        for (const double sum : total) best -= std::abs(sum);
        const RegretBound bound = learner.regret_bound();
        ASSERT_TRUE(bound.holds);
        EXPECT_LE(cost - best, bound.value) << learner.spec();
        EXPECT_EQ(learner.summary().above_bound, 0u);
      }
    }
  }
}

TEST(RegretBound, GradientLearnersTrackBelowTheirBounds) {
  // The problem of the bandit learners above; regret is positive, below the bound, and far below
  // that of staying at the centre (1/2 0.6^2 a round).
  const std::size_t n = 5;
  const std::uint64_t T = 4096;
  const SetPtr set = ball(n);
  const std::vector<std::function<std::unique_ptr<GradientAlgorithm>()>> algorithms = {
      [&] { return ogd(set, {.gradient_bound = Tracking::G}); },
      [&] { return ocg(set, {.gradient_bound = Tracking::G, .horizon = T}); },
      [&] { return anytime(ocg(set, {.gradient_bound = Tracking::G})); },
      [&] {
        return ocg(
            set,
            {.gradient_bound = Tracking::G, .horizon = T, .constants = OcgConstants::optimized});
      }};
  for (const auto& make : algorithms) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      const Tracking problem(n, T, seed);
      GradientLearner learner(make());
      double total = 0;
      Vector x(n);
      for (std::uint64_t t = 0; t < T; ++t) {
        const PlayId id = learner.ask(x);
        total += problem.loss(t, x);
        learner.tell(id, problem.gradient(t, x));
      }
      const double regret = total - problem.best_total();
      EXPECT_GT(regret, 0) << learner.spec();
      EXPECT_LT(regret, learner.regret_bound().value) << learner.spec();
      EXPECT_LT(regret, 0.18 * static_cast<double>(T) / 2) << learner.spec();
      EXPECT_EQ(learner.summary().above_bound, 0u);
    }
  }
}

TEST(Bounds, OfMoreRoundsThanAnyoneWillPlay) {
  const auto algorithm = anytime(projection_free(ball(2), {.loss_bound = 1, .gradient_bound = 1}));
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  const double bound = algorithm->regret_bound(most).value;
  EXPECT_TRUE(std::isfinite(bound));
  EXPECT_GT(bound, algorithm->regret_bound(most / 2).value);
}

}  // namespace
}  // namespace keyhole::tests
