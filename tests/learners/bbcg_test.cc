// bbcg against a transcription of its papers, its bounds by hand, and what it does in a run: regret
// and linear minimisations below their theorems, leaders within their tolerance.

#include <gtest/gtest.h>

#include <cmath>

#include "catalogue.h"
#include "learners/bbcg_constants.h"
#include "learners/conditional_gradient.h"
#include "thrown.h"
#include "transcription.h"

namespace keyhole::tests {
namespace {

/// Both papers' pseudo-code, nothing summed up: the gradients and iterates of all blocks are kept.
/// alpha is 0 without strong convexity. A loss is known `delay` rounds after its own.
struct Transcription {
  const CentredSet& set;
  double T;
  double c;
  double M;
  double alpha;
  double epsilon;  // 0: the formula
  std::uint64_t delay;

  double delta = c * std::pow(T, alpha > 0 ? -1.0 / 3 : -1.0 / 4);
  double eta = alpha > 0 ? 1 : 2 * c* set.R / (set.n * M) * std::pow(T, -3.0 / 4);
  double L = std::round(std::pow(T, alpha > 0 ? 2.0 / 3 : 1.0 / 2));
  double T_0 = alpha > 0 ? std::max(4 * std::pow(T, 2.0 / 3), 8 / alpha) : 0;
  std::vector<Vector> estimates = {};  // of each round
  std::vector<Vector> x = {};          // x_0, x_1, ...
  int steps = 0;

  [[nodiscard]] Vector gradient(std::size_t m, const Vector& z) const {
    Vector sum(z.size());
    const auto known = static_cast<std::size_t>(static_cast<double>(m - 1) * L) - delay;
    for (std::size_t s = 0; s < known && known <= estimates.size(); ++s) {
      sum = combine(1, sum, eta, estimates[s]);
    }
    if (alpha == 0) return combine(1, sum, 2, combine(1, z, -1, x[1]));
    for (std::size_t i = 1; i < m; ++i) {
      sum = combine(1, sum, L * alpha, combine(1, z, -1, x[i - 1]));
    }
    return combine(1, sum, T_0 * alpha, combine(1, z, -1, x[1]));
  }

  /// x_m by conditional gradients from x_{m-1}.
  Vector leader(std::size_t m) {
    const double block = static_cast<double>(m);
    const double curvature = alpha > 0 ? alpha * ((block - 1) * L + T_0) : 2;
    const double formula = alpha > 0 ? 16 * set.R * set.R * std::cbrt(alpha * (block * L + T_0))
                                     : 16 * set.R * set.R / std::sqrt(T);
    Vector z = x[m - 1];
    while (true) {
      const Vector g = gradient(m, z);
      const Vector d = combine(1, set.argmin(delta / set.r, g), -1, z);
      const double gap = -inner(g, d);
      if (gap <= (epsilon > 0 ? epsilon : formula)) return z;
      z = combine(1, z, std::min(1.0, gap / (curvature * inner(d, d))), d);
      ++steps;
    }
  }

  /// The largest difference of a coordinate of a play to the learner's.
  double largest_difference(Learner learner, Randomness& directions, const Loss& f) {
    x.assign(2, Vector(set.p.size(), 0.0));
    double largest = 0;
    std::vector<double> losses;
    for (std::size_t t = 0; t < static_cast<std::size_t>(T); ++t) {
      const auto m = t / static_cast<std::size_t>(L) + 1;
      if (m > 1 && t % static_cast<std::size_t>(L) == 0 && m == x.size()) x.push_back(leader(m));
      const auto u_t = directions.direction(t + 1);
      const Vector u(u_t.begin(), u_t.end());
      const Vector y = combine(1, set.p, 1, combine(1, x[m - 1], delta, u));
      const Play play = learner.ask();
      for (std::size_t i = 0; i < y.size(); ++i) {
        largest = std::max(largest, std::abs(play.point[i] - y[i]));
      }
      losses.push_back(f(t + 1, y));
      if (t >= delay) learner.tell(t + 1 - delay, losses[t - delay]);
      estimates.push_back(combine(set.n / delta * losses[t], u, 0, u));
    }
    return largest / std::max(1.0, set.R);
  }
};

TEST(Bbcg, AgreesWithTheTranscription) {
  const auto loss = [](std::uint64_t t, const Vector& y) {
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      sum += std::sin(y[i] + 0.3 * static_cast<double>(i) + static_cast<double>(t % 17));
    }
    return 0.5 + sum / static_cast<double>(2 * y.size());
  };
  int steps = 0;
  for (const Instance& instance : plain_and_recentred(12)) {
    const double r = instance.centred.r;
    const double R = instance.centred.R;
    // Tolerances of the formulas, and such that many steps are made; the last block is whole or
    // not; all losses known at once or late.
    for (const std::uint64_t T : {1024u, 1000u}) {
      for (const double alpha : {0.0, 0.5 / (R * R)}) {
        for (const double epsilon : {0.0, alpha > 0 ? 2 * R / r : 0.2 * R * R}) {
          for (const std::uint64_t delay : {0u, 7u}) {
            const double c = r / 2;
            BbcgOptions options{.loss_bound = 0.5, .horizon = T, .c = c};
            if (alpha > 0) options.strong_convexity = alpha;
            if (epsilon > 0) options.epsilon = epsilon;
            Transcription paper{.set = instance.centred,
                                .T = static_cast<double>(T),
                                .c = c,
                                .M = 0.5,
                                .alpha = alpha,
                                .epsilon = epsilon,
                                .delay = delay};
            Randomness directions(instance.set, 3, 1);
            EXPECT_LE(paper.largest_difference(
                          Learner(bbcg(instance.set, options), {.seed = 3, .stream = 1}),
                          directions, loss),
                      1e-12)
                << *options.horizon << " " << alpha << " " << epsilon << " " << delay << " on "
                << instance.set->spec();
            steps += paper.steps;
          }
        }
      }
    }
  }
  EXPECT_GT(steps, 1000);
}

TEST(Bbcg, TheoremOneByHand) {
  // Ball of dimension 4: n = 4, r = R = 1. M = 3, G = 5, c = 1/2, T = 16 = 2^4: T^(3/4) = 8.
  // 3 c G + c R G / r + 6 G R + 4 c G^2 R / (n M) + 4 R n M / c = 7.5 + 2.5 + 30 + 50/12 + 96.
  BbcgOptions options{.loss_bound = 3, .gradient_bound = 5, .horizon = 16, .c = 0.5};
  const RegretBound bound = bbcg(ball(4), options)->regret_bound(16);
  EXPECT_TRUE(bound.holds);
  EXPECT_NEAR(bound.value, (136 + 50.0 / 12) * 8, 1e-10);
  EXPECT_EQ(bound.note, "Garber, Kretzu 2020, Theorem 1");
  // (3/4 + k/2 + k^2/4) T with k = G c / (n M), and a call that certifies for each of 4 blocks.
  const double k = 2.5 / 12;
  EXPECT_NEAR(bbcg(ball(4), options)->expected_oracle_calls(16),
              (0.75 + k / 2 + k * k / 4) * 16 + 4, 1e-12);
  // Lemma 6 where eta and epsilon are chosen: T = 18, L = 4, delta = c T^(-1/4).
  options.eta = 0.125;
  options.epsilon = 0.25;
  const double delta = 0.5 * std::pow(18, -0.25);
  const double nM_delta = 12 / delta;
  EXPECT_NEAR(bbcg(ball(4), options)->horizon_bound(18).value,
              (4 * 5 * delta + 5 * 0.5 + 0.125 * 5 * 2 * nM_delta + 0.125 * nM_delta * nM_delta +
               2 * 0.125 * 4 * 25) *
                      18 +
                  4 / 0.125,
              1e-8);
  EXPECT_EQ(bbcg(ball(4), options)->regret_bound(1).note, "Garber, Kretzu 2020, Lemma 6");
  // With the c of its own the bound is that of the paper's second form.
  const double T = 0x1p24;
  const double own = bbcg(ball(4), {.loss_bound = 3, .gradient_bound = 5})
                         ->horizon_bound(static_cast<std::uint64_t>(T))
                         .value;
  EXPECT_NEAR(own, (8 * std::sqrt(12.0 * 5) + 30 + 4 * 5 * std::sqrt(5.0 / 12)) * std::pow(T, 0.75),
              1e-10 * own);
}

TEST(Bbcg, TheoremOfStrongConvexityByHand) {
  // The same ball, T = 8: L = 4, delta = 1/4, alpha = 1/2: T_0 = 16, two blocks. The moduli of F_1,
  // F_2, F_3 are 8, 10, 12; epsilon_1 = 16 10^(1/3). Q = 4 (12 / (1/4))^2 + 16 25 = 9616.
  const BbcgOptions options{
      .loss_bound = 3, .gradient_bound = 5, .horizon = 8, .strong_convexity = 0.5, .c = 0.5};
  const auto algorithm = bbcg(ball(4), options);
  const RegretBound bound = algorithm->regret_bound(8);
  EXPECT_TRUE(bound.holds);
  const double product = 9616 + std::sqrt(9616.0) * 2 * 4 * 0.5;
  const double error = std::sqrt(2 * 16 * std::cbrt(10.0) / 8);
  EXPECT_NEAR(bound.value,
              4 * 5 * 0.25 * 8 + 2 * 8 + product * (1 / 10.0 + 1 / 10.0 + 1 / 12.0) + 4 * 5 * error,
              1e-9);
  EXPECT_EQ(bound.note,
            "after Kretzu, Garber 2021, Theorem 2 (docs/learners/bbcg.md), if losses are strongly "
            "convex");
  const double e = 16 * std::cbrt(12.0);
  const double P = 2 * 48 + 4 * 5 + 2 * 4 * 0.5;
  const double P_root = std::sqrt(9616.0) + 4;
  EXPECT_NEAR(algorithm->expected_oracle_calls(8),
              1 + std::max(16 * 5 / (e * e), 2 / e) * (P * error + P_root * P_root / 5), 1e-9);
  // Of order T^(2/3) log T, and of order T.
  const auto share = [&](double T) {
    return algorithm->horizon_bound(static_cast<std::uint64_t>(T)).value /
           (std::pow(T, 2.0 / 3) * (1 + std::log(T)));
  };
  EXPECT_NEAR(share(0x1p48) / share(0x1p36), 1, 0.1);
  const auto calls = [&](double T) {
    return algorithm->expected_oracle_calls(static_cast<std::uint64_t>(T)) / T;
  };
  EXPECT_NEAR(calls(0x1p48) / calls(0x1p36), 1, 0.1);
}

TEST(Bbcg, TheDefaultOfC) {
  // sqrt(n M r / G) = sqrt(12/5), or less: delta at most r / 2; r / 2 without G.
  const auto delta = [](const BbcgOptions& options) {
    return algorithms::BbcgConstants(*ball(4), options, *options.horizon).delta();
  };
  BbcgOptions options{.loss_bound = 3, .gradient_bound = 5, .horizon = 16};
  EXPECT_DOUBLE_EQ(delta(options), 0.5);
  options.horizon = 1 << 12;
  EXPECT_DOUBLE_EQ(delta(options), std::sqrt(12.0 / 5) / 8);
  options.strong_convexity = 2;
  EXPECT_NEAR(delta(options), std::cbrt(144 * (1 + 12 * std::log(2)) / (5 * 2)) / 16, 1e-14);
  options.horizon = 8;
  EXPECT_DOUBLE_EQ(delta(options), 0.5);
  options.gradient_bound = {};
  EXPECT_DOUBLE_EQ(delta(options), 0.25);
  options.strong_convexity = {};
  EXPECT_DOUBLE_EQ(delta(options), std::pow(8, -0.25) / 2);
}

TEST(Bbcg, NoLeaderTakesMoreCallsThanTheCap) {
  // The cap is there to bound an ask, and must not cut: from any start, whatever the linear term.
  Random random(5);
  double largest_share = 0;
  for (const SetFamily& family : all_set_families()) {
    for (int k = 0; k < 4; ++k) {
      const SetPtr set = family.draw(random.integer(family.smallest_dimension, 10), random);
      const std::size_t n = set->dimension();
      const algorithms::BbcgConstants constants(*set, {.loss_bound = 1}, 1 << 14);
      const auto oracle = set->oracle();
      const double R = set->outer_radius();
      for (const double size : {0.1, 1.0, 3.0, 1e3}) {
        const Vector linear = random.normals(n, 2 * size * R / std::sqrt(static_cast<double>(n)));
        const Vector ones(n, 1.0);
        Vector z(n);
        oracle->minimise(random.normals(n)).write_to(z);
        Vector gradient(n);
        Vector vertex(n);
        int calls = 0;
        const algorithms::Certificate certificate = algorithms::conditional_gradient(
            {linear, constants.weight(2), set->centre(), ones}, constants.epsilon(2), 1000000,
            [&](std::span<const double> d) -> const Vertex& {
              ++calls;
              return oracle->minimise(d);
            },
            z, gradient, vertex);
        ASSERT_LE(certificate.gap, certificate.tolerance);
        ASSERT_LE(calls, constants.most_calls(2)) << set->spec();
        largest_share =
            std::max(largest_share, static_cast<double>(calls) / constants.most_calls(2));
      }
    }
  }
  RecordProperty("largest_share", std::to_string(largest_share));
  EXPECT_GT(largest_share, 0.02);  // steps were made
}

/// Regret and calls on tracking(ball(10)).
struct Measured {
  double regret;
  double calls;
};

Measured run(const BbcgOptions& options, std::uint64_t seed) {
  const SetPtr set = ball(10);
  const auto problem = tracking(set, {}, {.seed = seed});
  const auto total = problem->total();
  Learner learner(bbcg(set, options), {.seed = seed});
  double cost = 0;
  Vector y(10);
  for (std::uint64_t t = 1; t <= *options.horizon; ++t) {
    const PlayId id = learner.ask(y);
    problem->draw(t);
    total->add();
    const double loss = problem->value(y);
    cost += loss;
    learner.tell(id, loss);
  }
  EXPECT_EQ(learner.summary().above_bound, 0u);
  return {cost - best_fixed_point(*set, *total, {}).value,
          static_cast<double>(learner.summary().oracle_calls)};
}

TEST(Bbcg, RegretAndCallsAreBelowTheTheorems) {
  // Eight runs each: means plus four standard errors. The losses are 1-strongly convex. That steps
  // are made and something is learned: more than the certifying call a block, and less regret than
  // staying at the centre, 0.18 a round.
  const LossBounds bounds = tracking(ball(10), {}, {})->bounds();
  for (const bool strongly_convex : {false, true}) {
    for (const std::uint64_t T : {std::uint64_t{1} << 10, std::uint64_t{1} << 14}) {
      BbcgOptions options{
          .loss_bound = bounds.loss, .gradient_bound = bounds.gradient, .horizon = T};
      if (strongly_convex) options.strong_convexity = 1;
      const auto algorithm = bbcg(ball(10), options);
      const double runs = 8;
      double regret = 0;
      double squares = 0;
      double calls = 0;
      for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const Measured measured = run(options, seed);
        regret += measured.regret / runs;
        squares += measured.regret * measured.regret / runs;
        calls += measured.calls / runs;
      }
      const double error = std::sqrt((squares - regret * regret) / (runs - 1));
      EXPECT_GT(regret, 0);
      EXPECT_LT(regret + 4 * error, algorithm->regret_bound(T).value);
      EXPECT_LT(calls, algorithm->expected_oracle_calls(T));
      const auto L = static_cast<double>(algorithms::BbcgConstants(*ball(10), options, T).L());
      EXPECT_GE(calls, std::ceil(static_cast<double>(T) / L) - 1);
      if (T == std::uint64_t{1} << 14) {
        EXPECT_LT(regret, 0.18 * static_cast<double>(T));
      }
      RecordProperty("regret_" + std::to_string(T), std::to_string(regret));
    }
  }
}

TEST(Bbcg, SaysWhatIsWrong) {
  const SetPtr set = ball(4);
  const auto refusal = [&](const BbcgOptions& options) {
    return message<InvalidArgument>([&] { (void)bbcg(set, options); });
  };
  EXPECT_EQ(refusal({}), "bbcg needs loss_bound: M, the largest magnitude of a loss");
  EXPECT_EQ(refusal({.loss_bound = 1, .strong_convexity = 0}),
            "the strong_convexity of bbcg must be from 1e-50 to 1e+50, not 0");
  EXPECT_EQ(refusal({.loss_bound = 1, .strong_convexity = 1, .eta = 1}),
            "bbcg has no eta with strong_convexity: leave one of them out");
  EXPECT_EQ(refusal({.loss_bound = 1, .epsilon = -1}),
            "the epsilon of bbcg must be from 1e-50 to 1e+50, not -1");
  EXPECT_EQ(refusal({.loss_bound = 1, .horizon = 16, .c = 2.5}),
            "delta = 1.25 at the horizon 16 is larger than the inner radius 1 of the set: plays "
            "would leave it; choose a smaller one");
  EXPECT_EQ(refusal({.loss_bound = 1, .horizon = 0}),
            "the horizon of bbcg must be from 1 to 9007199254740992, not 0");
  EXPECT_EQ(message<InvalidArgument>([&] { (void)bbcg(nullptr, {.loss_bound = 1}); }),
            "an algorithm needs a set to play on");
  EXPECT_EQ(bbcg(set, {.loss_bound = 1})->regret_bound(1).note,
            "no bound: gradient_bound (G) was not given");
  EXPECT_TRUE(std::isnan(bbcg(set, {.loss_bound = 1})->expected_oracle_calls(1)));
}

TEST(Bbcg, RecommendsTheLatestLeader) {
  // The leader of the blocks before is there from the second play of a block on, and played from
  // the next block on.
  const SetPtr set = ball(3);  // every direction has a vertex of its own
  const BbcgOptions options{.loss_bound = 1, .horizon = 64, .c = 0.5, .eta = 1, .epsilon = 1e-3};
  Learner learner(bbcg(set, options), {.seed = 1});
  Randomness u(set, 1, 0);
  const double delta = algorithms::BbcgConstants(*set, options, 64).delta();
  Vector before(3);
  Vector now(3);
  for (std::uint64_t t = 1; t <= 64; ++t) {
    const Play play = learner.ask();
    learner.recommend(now);
    if (t % 8 == 2 && t > 8) {
      EXPECT_NE(now, before) << t;
    } else {
      EXPECT_EQ(now, before) << t;
    }
    if (t % 8 == 1) {  // at the leader found in the block before
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(play.point[i], before[i] + delta * u.direction(t)[i], 1e-15);
      }
    }
    before = now;
    learner.tell(play.id, play.point[0] / 2);
  }
}

}  // namespace
}  // namespace keyhole::tests
