// Sampled vertices: found once a set, with a bounded number of calls, and with the right moments.

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "keyhole/keyhole.h"
#include "keyhole/spec.h"
#include "sets/explored_points.h"
#include "sets/sampled_vertices.h"
#include "sets/spread_directions.h"
#include "slow_set.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

/// A box that counts what it is asked, and explores sampled vertices. One call may fail.
class Asked final : public Set {
 public:
  explicit Asked(std::size_t n, std::size_t failing = 0)
      : Set(n, n, box(0, 1, n)->geometry()), box_(box(0, 1, n)), failing_(failing) {}
  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<AskedOracle>(*this);
  }
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    ++memberships;
    return box_->contains(x);
  }
  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return sets::explore_vertices(*this);
  }
  [[nodiscard]] Geometry geometry_about(std::span<const double> centre) const override {
    return box_->geometry_about(centre);
  }
  [[nodiscard]] std::string spec() const override { return "asked"; }

  mutable std::atomic<std::size_t> minimised = 0;
  mutable std::atomic<std::size_t> memberships = 0;

 private:
  class AskedOracle final : public Oracle {
   public:
    explicit AskedOracle(const Asked& set) : set_(set), honest_(set.box_->oracle()) {}
    const Vertex& do_minimise(std::span<const double> d) override {
      if (++set_.minimised == set_.failing_) throw Error("this call fails");
      return honest_->minimise(d);
    }

   private:
    const Asked& set_;
    std::unique_ptr<Oracle> honest_;
  };

  SetPtr box_;
  std::size_t failing_;
};

/// Draws and scores of a few words.
std::vector<Vector> sample(Exploration& nu, std::size_t n) {
  std::vector<Vector> all;
  for (std::uint64_t k = 0; k < 50; ++k) {
    const std::uint64_t word = k * 0x0519'1e2d'7a31'5bd3U;
    const RandomBits bits{std::span(&word, 1), {}};
    all.emplace_back(n);
    nu.draw(bits, all.back());
    all.emplace_back(n);
    nu.score(bits, all.back());
  }
  return all;
}

TEST(SharedExploration, IsFoundOnceASet) {
  for (const std::size_t n : {5U, 130U}) {
    const auto set = std::make_shared<const Asked>(n);
    const std::vector<Vector> first = sample(*set->exploration(), n);
    const std::size_t calls = set->minimised;
    // The axes, the random directions, and no more.
    EXPECT_EQ(calls, sets::random_directions(n) + (n <= sets::few_coordinates ? 2 * n : 0));
    EXPECT_EQ(set->memberships, 0U);
    EXPECT_EQ(sample(*set->exploration(), n), first);
    EXPECT_EQ(sample(*recentred(set, Vector(n, 0.5))->exploration(), n), first);
    (void)image(set, 2, 1)->exploration();
    for (const char* learner : {"posterior", "parameter_free", "posterior"}) {
      (void)make_learner(learner, set);
    }
    EXPECT_EQ(set->minimised, calls);
    // Another set like it finds the same.
    const Asked another(n);
    EXPECT_EQ(sample(*another.exploration(), n), first);
  }
}

TEST(SharedExploration, IsFoundOnceByManyThreads) {
  constexpr std::size_t n = 20;
  const auto set = std::make_shared<const Asked>(n);
  std::vector<std::vector<Vector>> found(4);
  std::vector<std::thread> threads;
  for (std::vector<Vector>& mine : found) {
    threads.emplace_back([&mine, set] { mine = sample(*set->exploration(), n); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(set->minimised, sets::random_directions(n) + 2 * n);
  const Asked alone(n);
  const std::vector<Vector> expected = sample(*alone.exploration(), n);
  for (const std::vector<Vector>& one : found) EXPECT_EQ(one, expected);
}

TEST(SharedExploration, IsFoundAgainAfterAFailure) {
  constexpr std::size_t n = 6;
  const Asked whole(n);
  const std::vector<Vector> expected = sample(*whole.exploration(), n);
  for (const std::size_t failing : {std::size_t{1}, std::size_t{7}, std::size_t{100}}) {
    const Asked set(n, failing);
    EXPECT_EQ(message<Error>([&] { (void)set.exploration(); }), "this call fails");
    EXPECT_EQ(sample(*set.exploration(), n), expected);
  }
}

TEST(SharedExploration, OutlivesWhoAskedFirstAndTheSet) {
  auto set = std::make_shared<const Asked>(8);
  const std::vector<Vector> expected = sample(*set->exploration(), 8);
  const std::unique_ptr<Exploration> nu = set->exploration();
  set.reset();
  EXPECT_EQ(sample(*nu, 8), expected);
}

TEST(SharedExploration, TakesFewCalls) {
  // As the first times of docs/performance.md were made with 10 n and more.
  EXPECT_EQ(sets::random_directions(3), 200U);
  EXPECT_EQ(sets::random_directions(100), 1000U);
  EXPECT_EQ(sets::random_directions(200), 1000U);
  EXPECT_EQ(sets::random_directions(1000), 3000U);
  EXPECT_EQ(sets::random_directions(1500), 3000U);
}

/// The mean of score (v - p)' over the points is the identity, and p their mean: by sums of long
/// doubles over all points, and nothing of the library but the scores themselves.
void expect_moments(const std::vector<Vector>& list, const Vector& weights) {
  const std::size_t n = list.front().size();
  const sets::ExploredPoints points(sets::whole_space(n), list, weights);
  const Vector& p = points.moments().mean();
  std::vector<long double> mean(n, 0);
  std::vector<long double> product(n * n, 0);
  std::size_t drawn = 0;
  for (std::size_t k = 0; k < list.size(); ++k) {
    for (std::size_t i = 0; i < n; ++i)
      mean[i] += static_cast<long double>(weights[k]) * list[k][i];
  }
  Vector units(n);
  for (std::size_t i = 0; i < n; ++i) units[i] = std::sqrt(points.moments().variance()[i]);
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (weights[k] == 0) continue;
    const Vector v(points.point(drawn).begin(), points.point(drawn).end());
    ASSERT_EQ(v, list[k]);
    const Vector w(points.score(drawn).begin(), points.score(drawn).end());
    ++drawn;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        product[i * n + j] += weights[k] * (w[i] * units[i]) * ((v[j] - mean[j]) / units[j]);
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(static_cast<double>(mean[i]), p[i], 1e-13 * (std::abs(p[i]) + units[i]));
    for (std::size_t j = 0; j < n; ++j) {
      ASSERT_NEAR(static_cast<double>(product[i * n + j]), i == j ? 1 : 0, 1e-8) << i << " " << j;
    }
  }
}

TEST(SharedExploration, HasTheMomentsOfSparseAndOfFullPoints) {
  // Of as many coordinates as have no other way, and of more: few that are not 0, all of them, and
  // one that is far from 0 and hardly moves.
  Random random(31);
  for (const std::size_t n : {20U, 130U}) {
    for (const double share : {0.1, 0.9}) {
      std::vector<Vector> list(4 * n, Vector(n, 0.0));
      Vector weights(list.size());
      double sum = 0;
      for (std::size_t k = 0; k < list.size(); ++k) {
        for (double& coordinate : list[k]) {
          if (random.uniform() < share) coordinate = random.uniform(0.5, 1.5);
        }
        list[k][3] = random.uniform() < 0.2 ? 1000.25 : 1000;
        weights[k] = k % 7 == 5 ? 0 : random.uniform(0.5, 1);
        sum += weights[k];
      }
      for (double& weight : weights) weight /= sum;
      expect_moments(list, weights);
    }
  }
}

TEST(SharedExploration, HasSpreadDirectionsThatAreEven) {
  for (const std::size_t n : {5U, 64U, 100U}) {
    std::size_t order = 1;
    while (order < n) order *= 2;
    sets::SpreadDirections directions(n);
    for (int frame = 0; frame < 2; ++frame) {
      Vector sum(n * n, 0.0);
      double fourth = 0;
      for (std::size_t k = 0; k < order; ++k) {
        Vector d(n);
        Vector opposite(n);
        directions.next(d);
        directions.next(opposite);
        EXPECT_EQ(combine(-1, d, 0, d), opposite);
        for (std::size_t i = 0; i < n; ++i) {
          fourth += d[i] * d[i] * d[i] * d[i] / static_cast<double>(n * order);
          for (std::size_t j = 0; j < n; ++j) sum[i * n + j] += d[i] * d[j];
        }
      }
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          const double of_order = sum[i * n + j] / static_cast<double>(order);
          EXPECT_NEAR(of_order, i == j ? 1.01 : 0, i == j ? 0.011 : 1e-12);
        }
      }
      if (n > 5) {
        EXPECT_NEAR(fourth, 3, 0.4);
      }
    }
  }
}

TEST(SharedExploration, SpansSetsOfManyCoordinates) {
  // Sets in which some coordinate of random vertices does not vary, and flat ones.
  Random random(32);
  Vector weights(130);
  for (double& weight : weights) weight = random.uniform(1, 1.2);
  weights[17] = 39;  // fits alone
  const SetPtr heavy = knapsack(weights, 39.5);
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < 45; ++i) {
    for (const std::size_t step : {1U, 5U, 11U}) edges.push_back({i, (i + step) % 45});
  }
  edges.push_back({0, 45});  // a bridge, which every tree has
  for (const SetPtr& set : {heavy, spanning_trees(46, edges)}) {
    const auto nu = set->exploration();
    EXPECT_EQ(nu->needs().words, 1U) << "no list of points spans " << set->spec();
    const std::vector<Vector> drawn = sample(*nu, set->dimension());
    for (std::size_t k = 0; k < drawn.size(); k += 2) EXPECT_TRUE(set->contains(drawn[k]));
  }
}

}  // namespace
}  // namespace keyhole::tests
