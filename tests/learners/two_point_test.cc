// two_point against a transcription, its bounds by hand, its regret below them, and pairs of which
// a half comes late or never.

#include <gtest/gtest.h>

#include <cmath>

#include "catalogue.h"
#include "learners/pending_pairs.h"
#include "thrown.h"
#include "transcription.h"

namespace keyhole::tests {
namespace {

constexpr TwoPointStep both_steps[] = {TwoPointStep::conditional_gradient,
                                       TwoPointStep::gradient_descent};

/// A smooth loss that changes from pair to pair.
double loss_of_pair(std::uint64_t pair, std::span<const double> y) {
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    sum += std::sin(y[i] + 0.3 * static_cast<double>(i) + static_cast<double>(pair % 17));
  }
  return sum / static_cast<double>(y.size());
}

/// Pair after pair, all gradients kept; a loss is told right after the ask that is `delay` plays
/// after its own. Returns the largest difference of a coordinate of a play to the learner's.
double largest_difference(const Instance& instance, TwoPointStep step, std::uint64_t T, double G,
                          std::uint64_t delay, Learner learner) {
  const CentredSet& set = instance.centred;
  Randomness directions(instance.set, 3, 1);
  const double N = std::ceil(static_cast<double>(T) / 2);
  const double delta = std::min(set.r / 2, set.r / std::sqrt(N));
  const double alpha = delta / set.r;
  const bool descends = step == TwoPointStep::gradient_descent;
  const double eta = descends ? std::sqrt(7 / (2 * G * G * set.n * set.n * N)) * set.R
                              : set.D / (2 * set.n * G * std::pow(N, 3.0 / 4));
  Vector x(set.p.size(), 0.0);
  std::vector<Vector> g;
  std::vector<double> losses;
  double largest = 0;
  std::size_t learned = 0;  // by gradient descent
  for (std::uint64_t t = 1; t <= T; t += 2) {
    const std::uint64_t k = (t + 1) / 2;
    // Pair j is known at ask s if its second loss was told before: 2 j + delay < s.
    if (descends) {
      for (; 2 * (learned + 1) + delay < t; ++learned) {
        x = set.projection(alpha, combine(1, x, -eta, g[learned]));
      }
    }
    const auto u_k = directions.direction(t);
    const Vector u(u_k.begin(), u_k.end());
    for (const double sign : {1.0, -1.0}) {
      if (losses.size() == T) break;  // an odd T ends within a pair
      const Vector y = combine(1, set.p, 1, combine(1, x, sign * delta, u));
      const Play play = learner.ask();
      for (std::size_t i = 0; i < y.size(); ++i) {
        largest = std::max(largest, std::abs(play.point[i] - y[i]));
      }
      losses.push_back(loss_of_pair(k, y));
      if (play.id > delay) learner.tell(play.id - delay, losses[play.id - delay - 1]);
    }
    if (losses.size() < 2 * k) break;
    g.push_back(combine(set.n / (2 * delta) * (losses[2 * k - 2] - losses[2 * k - 1]), u, 0, u));
    if (descends) continue;
    Vector gradient = combine(2, x, 0, x);
    for (std::uint64_t j = 1; 2 * j + delay < 2 * k; ++j) {
      gradient = combine(1, gradient, eta, g[j - 1]);
    }
    const double sigma = std::min(1.0, 2 / std::sqrt(static_cast<double>(k)));
    x = combine(1 - sigma, x, sigma, set.argmin(alpha, gradient));
  }
  return largest / std::max(1.0, set.R);
}

TEST(TwoPoint, AgreesWithTheTranscription) {
  for (const Instance& instance : plain_and_recentred(21)) {
    for (const TwoPointStep step : both_steps) {
      for (const std::uint64_t T : {1000u, 201u}) {
        for (const std::uint64_t delay : {0u, 1u, 6u}) {
          const TwoPointOptions options{.gradient_bound = 0.5, .horizon = T, .step = step};
          EXPECT_LE(largest_difference(
                        instance, step, T, 0.5, delay,
                        Learner(two_point(instance.set, options), {.seed = 3, .stream = 1})),
                    1e-12)
              << instance.set->spec() << " " << T << " " << delay;
        }
      }
    }
  }
}

TEST(TwoPoint, BoundsByHand) {
  // Ball of dimension 4: n = 4, r = R = 1, D = 2. G = 5; T = 31 or 32 plays, 16 pairs: delta = 1/4.
  // eta = sqrt(7/2) / 80: 7/4 R^2 / eta = 70 sqrt2 sqrt7, and eta (n G)^2 N / 2 = 20 sqrt(7/2) 2
  // (the same); (3 + 1) G delta N = 80.
  TwoPointOptions options{
      .gradient_bound = 5, .horizon = 32, .step = TwoPointStep::gradient_descent};
  for (const std::uint64_t T : {31u, 32u}) {
    options.horizon = T;
    const RegretBound bound = two_point(ball(4), options)->regret_bound(T);
    EXPECT_TRUE(bound.holds);
    EXPECT_NEAR(bound.value, 2 * (140 / std::sqrt(3.5) + 40 * std::sqrt(3.5) + 80), 1e-10);
    EXPECT_EQ(bound.note,
              "Zhao et al. 2020, Theorem 2, if both plays of a pair meet the same loss");
  }
  options.delta = 0.5;
  options.eta = 0.125;
  EXPECT_NEAR(two_point(ball(4), options)->regret_bound(32).value, 2 * (14 + 400 + 160), 1e-10);
  options.start = {1, 0, 0, 0};
  EXPECT_NEAR(two_point(ball(4), options)->regret_bound(32).value, 2 * (16 + 400 + 160), 1e-10);
  // 8 D n G N^(3/4) + 80 = 2560 + 80.
  const RegretBound bound =
      two_point(ball(4), {.gradient_bound = 5, .horizon = 32})->regret_bound(32);
  EXPECT_TRUE(bound.holds);
  EXPECT_NEAR(bound.value, 2 * (2560 + 80), 1e-10);
  EXPECT_EQ(bound.note, "Hazan 2022, Theorem 7.3, if both plays of a pair meet the same loss");
  EXPECT_EQ(two_point(ball(4), {.gradient_bound = 5, .eta = 1})->regret_bound(1).note,
            "no bound: eta was overridden, and the theorem sets it");
}

TEST(TwoPoint, RegretIsBelowTheBounds) {
  // tracking(ball(10)), a loss a pair; ten runs: the mean plus four standard errors is below the
  // bound, and above 0. Something is learned: staying at the centre has 0.18 a play.
  const SetPtr set = ball(10);
  const std::uint64_t T = 1 << 13;
  const double G = tracking(set, {}, {})->bounds().gradient;
  for (const TwoPointStep step : both_steps) {
    for (const bool doubling : {false, true}) {
      const auto make = [&]() -> std::unique_ptr<Algorithm> {
        auto algorithm = two_point(set, {.gradient_bound = G, .horizon = T, .step = step});
        if (doubling) return anytime(std::move(algorithm));
        return algorithm;
      };
      double mean = 0;
      double squares = 0;
      double bound = 0;
      for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const auto problem = tracking(set, {}, {.seed = seed});
        const auto total = problem->total();
        Learner learner(make(), {.seed = seed});
        double cost = 0;
        Vector y(10);
        // An epoch of doubling begins with its own pair, at an even play from the second on.
        if (doubling) learner.ask(y);
        for (std::uint64_t k = 1; k <= T / 2; ++k) {
          problem->draw(k);
          total->add();
          total->add();
          for (int play = 0; play < 2; ++play) {
            const PlayId id = learner.ask(y);
            const double value = problem->value(y);
            cost += value;
            learner.tell(id, value);
          }
        }
        const double regret = cost - best_fixed_point(*set, *total, {}).value;
        mean += regret / 10;
        squares += regret * regret / 10;
        ASSERT_TRUE(learner.regret_bound().holds);
        bound = learner.regret_bound().value;
      }
      const double error = std::sqrt((squares - mean * mean) / 9);
      EXPECT_GT(mean - 4 * error, 0) << make()->spec();
      EXPECT_LT(mean + 4 * error, bound) << make()->spec();
      const double share = step == TwoPointStep::gradient_descent ? 0.2 : 0.95;
      EXPECT_LT(mean + 4 * error, share * 0.18 * static_cast<double>(T)) << make()->spec();
      RecordProperty("regret", std::to_string(mean));
    }
  }
}

/// Plays of a run where the losses told are those that `tells` is true for.
std::vector<Vector> plays_where(TwoPointStep step, const std::function<bool(PlayId)>& tells) {
  Learner learner(two_point(simplex(5), {.gradient_bound = 1, .horizon = 200, .step = step}));
  std::vector<Vector> plays;
  for (PlayId t = 1; t <= 200; ++t) {
    plays.push_back(learner.ask().point);
    if (tells(t)) learner.tell(t, loss_of_pair((t + 1) / 2, plays.back()));
  }
  return plays;
}

TEST(TwoPoint, LearnsFromWholePairsOnly) {
  for (const TwoPointStep step : both_steps) {
    const auto silent = plays_where(step, [](PlayId) { return false; });
    EXPECT_EQ(plays_where(step, [](PlayId t) { return t % 2 == 1; }), silent);
    EXPECT_EQ(plays_where(step, [](PlayId t) { return t % 2 == 0; }), silent);
    EXPECT_EQ(plays_where(step, [](PlayId t) { return t % 4 == 1 || t % 4 == 0; }), silent);
    EXPECT_NE(plays_where(step, [](PlayId t) { return t == 3 || t == 4; }), silent);
  }
}

TEST(TwoPoint, CountsHalvesWhosePairHasLeft) {
  for (const TwoPointStep step : both_steps) {
    const auto make = [&](std::uint64_t pairs) {
      return Learner(two_point(
          simplex(5), {.gradient_bound = 1, .horizon = 100, .step = step, .pending_pairs = pairs}));
    };
    for (const std::uint64_t pairs : {1u, 2u, 7u}) {
      // Pair 1 is complete just in time in one run, and a pair too late in the other.
      for (const bool late : {false, true}) {
        Learner learner = make(pairs);
        Learner silent = make(pairs);
        for (std::uint64_t t = 1; t <= 2 * pairs + (late ? 1 : 0); ++t) {
          (void)learner.ask();
          (void)silent.ask();
        }
        learner.tell(1, 1);
        learner.tell(2, -1);
        bool differs = false;
        for (int t = 0; t < 10; ++t) differs |= learner.ask().point != silent.ask().point;
        EXPECT_EQ(learner.summary().late, late ? 2u : 0u) << pairs;
        EXPECT_EQ(differs, !late) << pairs;
      }
    }
  }
}

TEST(PendingPairs, ReadsWhatItWroteAndNothingElse) {
  algorithms::PendingPairs pairs(3);
  algorithms::PendingPairs::Losses both{};
  PlayId first = 0;
  for (PlayId k = 0; k < 5; ++k) {  // the pairs (20, 23), (30, 33) and (40, 43) are kept
    pairs.open(10 * k);
    EXPECT_EQ(pairs.latest(), 10 * k);
    pairs.close(10 * k + 3);
  }
  EXPECT_EQ(pairs.take(13, 7, first, both), algorithms::PendingPairs::Receipt::late);
  EXPECT_EQ(pairs.take(22, 7, first, both), algorithms::PendingPairs::Receipt::late);  // of no pair
  EXPECT_EQ(pairs.take(23, 8, first, both), algorithms::PendingPairs::Receipt::waits);
  EXPECT_EQ(pairs.take(40, 9, first, both), algorithms::PendingPairs::Receipt::waits);
  Archive writing;
  pairs.state(writing);
  std::vector<std::byte> bytes = std::move(writing).take();
  EXPECT_EQ(bytes.size(), 8u + 3 * 25);
  algorithms::PendingPairs read(3);
  Archive reading(bytes);
  read.state(reading);
  EXPECT_EQ(read.take(20, 1, first, both), algorithms::PendingPairs::Receipt::complete);
  EXPECT_EQ(first, 20u);
  EXPECT_EQ(both.first, 1);
  EXPECT_EQ(both.second, 8);
  EXPECT_EQ(read.take(43, 2, first, both), algorithms::PendingPairs::Receipt::complete);
  EXPECT_EQ(first, 40u);
  EXPECT_EQ(both.first, 9);
  EXPECT_EQ(both.second, 2);
  bytes[8 + 25 + 16] = std::byte{3};  // the mark of the second pair
  Archive unsound(bytes);
  EXPECT_EQ(message<StateError>([&] { read.state(unsound); }),
            "the state has an unknown mark for pair 4");
}

TEST(TwoPoint, PlaysOfAPairNeedNotFollowOneAnother) {
  // A wrapper may play in between: the same points and steps, whatever the numbers of the plays.
  for (const TwoPointStep step : both_steps) {
    const SetPtr set = ball(3);
    const auto played = [&](PlayId gap) {
      const auto algorithm =
          two_point(set, {.gradient_bound = 1, .horizon = 40, .step = step, .delta = 0.1});
      Randomness u(set, 1, 0);
      Vector y(3);
      for (PlayId k = 0; k < 40; ++k) {
        if (k > 0) algorithm->advance();
        const PlayId t = 1 + k * gap;
        algorithm->play(t, u, y);
        const Vector direction(u.direction(1 + (k - k % 2) * gap).begin(),
                               u.direction(1 + (k - k % 2) * gap).end());
        Vector x(3);
        algorithm->recommend(x);
        for (std::size_t i = 0; i < 3 && k % 2 == 0; ++i) {
          EXPECT_NEAR(y[i], x[i] + 0.1 * direction[i], 1e-15) << k;
        }
        EXPECT_TRUE(algorithm->absorb(t, y[0], u));
      }
      algorithm->recommend(y);
      return y;
    };
    EXPECT_LT(played(1)[0], -0.01);  // it descends
    EXPECT_LT(played(3)[0], -0.01);
  }
}

TEST(TwoPoint, BothPlaysOfAPairAreAboutTheSamePoint) {
  // Whatever is told in between; the mean is recommended before the first.
  for (const TwoPointStep step : both_steps) {
    Learner learner(two_point(ball(3), {.gradient_bound = 1, .horizon = 64, .step = step}));
    Vector x(3);
    Play last = learner.ask();
    learner.tell(last.id, 0.3);
    for (PlayId t = 2; t <= 64; ++t) {
      const Play play = learner.ask();
      if (t % 2 == 0) {
        for (std::size_t i = 0; i < 3; ++i) {
          EXPECT_NEAR((play.point[i] + last.point[i]) / 2, x[i], 1e-15) << t;
        }
      } else {
        learner.recommend(x);
        // The second loss of the pair before comes only now.
        learner.tell(t - 1, 0.9 * play.point[0]);
      }
      if (t % 2 == 1) learner.tell(t, play.point[0]);
      last = play;
    }
  }
}

TEST(TwoPoint, TheDefaultOfDelta) {
  const auto delta = [](std::uint64_t T) {
    Learner learner(two_point(ball(3, 2), {.gradient_bound = 1, .horizon = T}));
    const Vector y = learner.ask().point;  // about the centre 0
    return std::sqrt(inner(y, y));
  };
  EXPECT_NEAR(delta(1), 1, 1e-15);
  EXPECT_NEAR(delta(8), 1, 1e-15);
  EXPECT_NEAR(delta(32), 0.5, 1e-15);
  EXPECT_NEAR(delta(2000000), 0.002, 1e-15);
}

TEST(TwoPoint, SaysWhatIsWrong) {
  const auto refusal = [](const SetPtr& set, const TwoPointOptions& options) {
    return message<InvalidArgument>([&] { (void)two_point(set, options); });
  };
  EXPECT_EQ(refusal(ball(2), {}),
            "two_point needs gradient_bound: G, the largest norm of a gradient");
  EXPECT_EQ(refusal(ball(2), {.gradient_bound = 1, .delta = 1.5}),
            "delta = 1.5 at the horizon 1 is larger than the inner radius 1 of the set: plays "
            "would leave it; choose a smaller one");
  EXPECT_EQ(refusal(ball(2), {.gradient_bound = 1, .pending_pairs = 0}),
            "the pending_pairs of two_point must be from 1 to 16777216, not 0");
  const SetPtr sum = minkowski_sum({box(0, 1, 2), ball(2)});
  EXPECT_EQ(refusal(sum, {.gradient_bound = 1, .step = TwoPointStep::gradient_descent}),
            "two_point with gradient_descent projects, and " + sum->spec() +
                " cannot: use conditional_gradient");
  EXPECT_NO_THROW((void)two_point(sum, {.gradient_bound = 1}));
  EXPECT_EQ(refusal(nullptr, {.gradient_bound = 1}), "an algorithm needs a set to play on");
}

TEST(TwoPoint, WhereTheShrunkSetIsThePointAtItsCentre) {
  for (const TwoPointStep step : both_steps) {
    Learner learner(
        two_point(ball(3), {.gradient_bound = 1, .horizon = 20, .step = step, .delta = 1}));
    for (int t = 0; t < 20; ++t) {
      const Play play = learner.ask();
      EXPECT_TRUE(learner.set().contains(play.point));
      EXPECT_NEAR(inner(play.point, play.point), 1, 1e-12);
      learner.tell(play.id, play.point[0]);
    }
  }
}

}  // namespace
}  // namespace keyhole::tests
