// face: the points that it mixes and how they lie, the best mix, the noise by distance; that it
// learns where vertices are few, late losses too, and that it keeps the contract.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

#include "catalogue.h"
#include "golden/golden_states.h"
#include "keyhole/testing.h"
#include "learners/face/hull.h"
#include "learners/face/mix.h"
#include "learners/face/noise_by_distance.h"
#include "math/sums.h"

namespace keyhole::tests {
namespace {

using algorithms::Hull;

constexpr std::size_t n = 12;

/// A start, variances and points, every other of which is sparse.
struct Lying {
  explicit Lying(std::uint64_t seed) : random(seed) {
    for (double& v : variance) v = std::exp(random.normal());
    for (std::size_t j = 0; j < 9; ++j) {
      std::vector<double> v = j % 2 == 0 ? start : random.normals(n);
      v[j] += 1;
      points.push_back(v);
    }
  }

  /// <d_i, d_j> in the metric, over that of the first.
  [[nodiscard]] double product(std::size_t i, std::size_t j) const {
    const auto at = [&](std::size_t a, std::size_t b) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) {
        sum += (points[a][k] - start[k]) * (points[b][k] - start[k]) / variance[k];
      }
      return sum;
    };
    return at(i, j) / at(0, 0);
  }

  Random random;
  std::vector<double> start = random.normals(n);
  std::vector<double> variance = std::vector<double>(n);
  std::vector<std::vector<double>> points;
};

void expect_products(const Hull& hull, const Lying& lying, const std::vector<std::size_t>& of) {
  ASSERT_EQ(hull.size(), of.size());
  for (std::size_t i = 0; i < of.size(); ++i) {
    for (std::size_t j = 0; j < of.size(); ++j) {
      EXPECT_NEAR(hull.row(i)[j], lying.product(of[i], of[j]), 1e-12 * lying.product(of[i], of[i]));
    }
  }
}

TEST(Hull, KnowsHowItsPointsLie) {
  const Lying lying(1);
  Hull hull(lying.start, lying.variance, 20);
  EXPECT_FALSE(hull.add(lying.start));
  std::vector<std::size_t> all;
  for (std::size_t j = 0; j < lying.points.size(); ++j) {
    EXPECT_TRUE(hull.add(lying.points[j]));
    EXPECT_FALSE(hull.add(lying.points[j]));
    all.push_back(j);
  }
  expect_products(hull, lying, all);
  // Q^-1 Q x = x, up to the ridge
  std::vector<double> x(hull.size());
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = math::sum(hull.row(j));
  hull.solve(x);
  for (const double one : x) EXPECT_NEAR(one, 1, 1e-3);
  const std::vector<std::size_t> kept = {1, 2, 5, 8};
  hull.keep(kept);
  expect_products(hull, lying, kept);
  EXPECT_FALSE(hull.add(lying.points[0]));  // was dropped not long ago
}

TEST(Hull, MovesAreSumsAndProductsAgree) {
  const Lying lying(2);
  Hull hull(lying.start, lying.variance, 20);
  for (const std::vector<double>& v : lying.points) hull.add(v);
  hull.keep(std::vector<std::size_t>{1, 3, 4, 7});
  Random random(3);
  const std::vector<double> w = {0.5, 0, 0.25, -1};
  std::vector<double> move(n);
  hull.write_move(w, move);
  const std::vector<double> slope = random.normals(n);
  std::vector<double> products(4);
  hull.write_products(slope, products);
  EXPECT_NEAR(math::dot(slope, move), math::dot(products, w), 1e-12);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(move[i],
                0.5 * (lying.points[1][i] - lying.start[i]) +
                    0.25 * (lying.points[4][i] - lying.start[i]) -
                    (lying.points[7][i] - lying.start[i]),
                1e-12);
  }
}

TEST(Hull, SharesOutsideOfSpans) {
  const std::vector<double> zeros(3);
  const std::vector<double> ones(3, 1);
  Hull hull(zeros, ones, 20);
  EXPECT_TRUE(hull.add(std::vector<double>{1, 0, 0}));
  EXPECT_TRUE(hull.add(std::vector<double>{1, 1, 0}));
  EXPECT_TRUE(hull.add(std::vector<double>{0, 0, 2}));
  EXPECT_NEAR(hull.new_share(1), 0.5, 1e-5);
  EXPECT_NEAR(hull.own_share(0), 0.5, 1e-5);
  EXPECT_NEAR(hull.own_share(2), 1, 1e-5);
  std::vector<double> beta(1);
  hull.write_nearest(1, beta);
  EXPECT_NEAR(beta[0], 1, 1e-5);
}

TEST(Hull, ItsStateGoesOn) {
  Lying lying(4);
  Hull hull(lying.start, lying.variance, 20);
  for (const std::vector<double>& v : lying.points) hull.add(v);
  hull.keep(std::vector<std::size_t>{1, 2, 6});
  Archive archive;
  hull.state(archive);
  const auto bytes = std::move(archive).take();
  Hull loaded(lying.start, lying.variance, 20);
  Archive reading(bytes);
  loaded.state(reading);
  const std::vector<double> another = lying.random.normals(n);
  EXPECT_TRUE(hull.add(another));
  EXPECT_TRUE(loaded.add(another));
  EXPECT_FALSE(loaded.add(lying.points[0]));
  ASSERT_EQ(loaded.size(), hull.size());
  for (std::size_t j = 0; j < hull.size(); ++j) {
    EXPECT_TRUE(std::equal(hull.row(j).begin(), hull.row(j).end(), loaded.row(j).begin()));
  }
}

TEST(Mix, IsWhereNoDirectionFalls) {
  const Lying lying(5);
  Hull hull(lying.start, lying.variance, 20);
  for (const std::vector<double>& v : lying.points) hull.add(v);
  Random random(6);
  algorithms::Mix mix(20);
  for (int trial = 0; trial < 100; ++trial) {
    const std::vector<double> l = random.normals(hull.size());
    const double c = std::exp(3 * random.normal());
    std::vector<double> w(hull.size());
    double q = 0;
    const double value = mix.find(hull, l, c, w, q);
    double sum = 0;
    double squared = 0;
    double low = 0;
    double at = 0;  // <gradient, w>
    for (std::size_t i = 0; i < w.size(); ++i) {
      const double of_q = math::dot(hull.row(i), w);
      const double slope = l[i] + 2 * c * of_q;
      EXPECT_GE(w[i], 0);
      sum += w[i];
      squared += w[i] * of_q;
      low = std::min(low, slope);
      at += w[i] * slope;
    }
    EXPECT_LE(sum, 1 + 1e-12);
    EXPECT_NEAR(q, squared, 1e-9 * (1 + squared));
    EXPECT_NEAR(value, math::dot(l, w) + c * squared, 1e-9 * (1 + c * squared));
    EXPECT_LE(at - low, 0.02) << "trial " << trial;
  }
}

TEST(NoiseByDistance, FindsBothParts) {
  Random random(7);
  algorithms::NoiseByDistance noise;
  noise.begin(1, 0.25);
  for (int t = 1; t <= 4000; ++t) {
    const double q = random.uniform() < 0.3 ? 0.1 : 1;
    const double sd = std::sqrt(0.01 + 0.3 * q);
    noise.take(q, sd * random.normal(), 0.001, t);
    if (t % 10 == 0) noise.fit();
  }
  EXPECT_NEAR(noise.at(0.1), 0.04, 0.02);
  EXPECT_NEAR(noise.at(1), 0.31, 0.03);
  EXPECT_EQ(noise.precision(0), 1 / (0.1 * noise.at(1)));  // of a play near the start
}

/// Costs of a fixed vector on a simplex, with noise: the regret of a learner over staying.
double regret_on_simplex(Learner& learner, std::size_t size, std::size_t late, int rounds) {
  Random random(8);
  std::vector<double> costs = random.normals(size);
  const double least = *std::min_element(costs.begin(), costs.end());
  const double mean = math::sum(costs) / static_cast<double>(size);
  std::deque<std::pair<PlayId, double>> waiting;
  std::vector<double> y(size);
  double lost = 0;
  for (int t = 1; t <= rounds; ++t) {
    const PlayId id = learner.ask(y);
    const double loss = math::dot(costs, y);
    lost += loss - least;
    waiting.emplace_back(id, loss + 0.3 * random.normal());
    if (waiting.size() <= late) continue;
    learner.tell(waiting.front().first, waiting.front().second);
    waiting.pop_front();
  }
  return lost / ((mean - least) * rounds);
}

TEST(Face, LearnsWhereVerticesAreFew) {
  Learner learner(face(simplex(1000)), {.seed = 1});
  EXPECT_LT(regret_on_simplex(learner, 1000, 0, 4096), 0.45);
}

TEST(Face, LearnsFromLateLosses) {
  Learner learner(face(simplex(600)), {.seed = 1});
  EXPECT_LT(regret_on_simplex(learner, 600, 300, 8192), 0.6);
}

TEST(Face, BeginsAtTheStart) {
  std::vector<double> start(700);
  start[3] = 1;
  const SetPtr set = simplex(700);
  Learner learner(face(set, {.start = start}), {.seed = 1});
  EXPECT_EQ(learner.recommend(), start);
  for (int t = 1; t <= 500; ++t) {
    const Play play = learner.ask();
    ASSERT_TRUE(set->contains(play.point)) << "at " << t;
    learner.tell(play.id, play.point[3] - play.point[5]);
  }
}

TEST(Face, WaitsForLossesThatDiffer) {
  Learner learner(face(simplex(20)), {.seed = 1});
  for (int t = 1; t <= 100; ++t) learner.tell(learner.ask().id, 7);
  EXPECT_EQ(learner.recommend(), learner.set().centre());
  EXPECT_TRUE(std::isnan(learner.status().belief.noise));
}

// The curvature was loosened with every fit by more than was known of it, and the model became no
// numbers.
TEST(Face, HasNumbersWherePointsAreManyMoreThanDimensions) {
  Learner learner(face(ball(6)), {.seed = 0xfedcba9876543210, .stream = 2});
  play_golden(learner, 150);
  EXPECT_TRUE(std::isfinite(learner.status().belief.gain_error));
}

TEST(Face, KeepsTheContract) {
  for (const SetPtr& set :
       {simplex(520), l1_ball(40), nuclear_ball(5, 6), box(-1, 3, 2), ball(3)}) {
    const auto scaled = [&](std::uint64_t seed, double /*scale*/) {
      return Learner(face(set), {.seed = seed});
    };
    const auto report = keyhole::testing::check_learner(
        [&](std::uint64_t seed) { return scaled(seed, 1); }, {.rounds = 120, .scaled = scaled});
    EXPECT_TRUE(report.ok()) << set->spec() << '\n' << report.text();
  }
}

}  // namespace
}  // namespace keyhole::tests
