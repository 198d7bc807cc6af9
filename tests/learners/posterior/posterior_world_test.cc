// The law Moving: levels that move, losses that come late or in batches, rare losses, a target that
// moves. Regret is over that of staying at the start.

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "catalogue.h"
#include "random.h"

namespace keyhole::tests {
namespace {

constexpr double noise = 0.1;

/// What a run has cost over that of the start, in its first and in its second half.
struct Halves {
  double first = 0;
  double second = 0;
  double restarts = 0;
};

/// When losses are told.
struct Arrivals {
  std::size_t late = 0;
  std::size_t batch = 1;
};

/// A bowl on [-1, 1]^6 about c(t), with a level that moves: the mean of three seeds.
Halves bowl(int rounds, const std::function<double(int)>& level,
            const std::function<double(int, std::size_t)>& c, Arrivals arrivals = {}) {
  constexpr std::size_t n = 6;
  constexpr std::uint64_t seeds = 3;
  Halves sum;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    Learner learner(posterior(box(-1, 1, n)), {.seed = seed});
    Random random(seed);
    std::vector<double> y(n);
    std::deque<std::pair<PlayId, double>> waiting;
    double cost[2] = {0, 0};
    double start[2] = {0, 0};
    for (int t = 1; t <= rounds; ++t) {
      const PlayId id = learner.ask(y);
      double f = 0;
      double f_start = 0;
      for (std::size_t i = 0; i < n; ++i) {
        f += (y[i] - c(t, i)) * (y[i] - c(t, i)) / n;
        f_start += c(t, i) * c(t, i) / n;
      }
      const int half = 2 * t <= rounds ? 0 : 1;
      cost[half] += f;
      start[half] += f_start;
      waiting.emplace_back(id, 1 + f + level(t) + noise * random.normal());
      if (waiting.size() < arrivals.late + arrivals.batch) continue;
      for (std::size_t k = 0; k < arrivals.batch; ++k) {
        learner.tell(waiting.front().first, waiting.front().second);
        waiting.pop_front();
      }
    }
    sum.first += cost[0] / start[0] / seeds;
    sum.second += cost[1] / start[1] / seeds;
    sum.restarts += static_cast<double>(learner.status().restarts) / seeds;
  }
  return sum;
}

double still(int /*t*/) { return 0; }
double at_rest(int /*t*/, std::size_t i) { return i % 2 == 0 ? 0.5 : -0.5; }

/// On six other seeds the second half was at most 0.031; with a level that could not move it was
/// 0.1 to 1.
TEST(PosteriorWorld, ALevelThatMovesCostsLittle) {
  const std::vector<std::pair<const char*, std::function<double(int)>>> levels = {
      {"none", still},
      {"falls by 10 deviations", [](int t) { return -t / 2e4; }},
      {"falls by 100 deviations", [](int t) { return -t / 2e3; }},
      {"rises by 100 deviations", [](int t) { return t / 2e3; }},
      {"a day of 24", [](int t) { return 10 * noise * std::sin(t * 0.2618); }},
      {"a day of 288", [](int t) { return 3 * noise * std::sin(t * 0.021817); }},
      {"a day of 1440", [](int t) { return 50 * noise * std::sin(t * 0.0043633); }},
      {"jumps", [](int t) { return 50 * noise * (t / 1000 * 7 % 3); }}};
  for (const auto& [name, level] : levels) {
    const Halves found = bowl(20000, level, at_rest);
    EXPECT_LT(found.second, 0.06) << name;
    EXPECT_LT(found.restarts, 1.5) << name;
  }
}

/// Measured on other seeds: 0.35 and 0.01, 0.74 and 0.04, 0.29 and 0.01, 0.7 and 0.06.
TEST(PosteriorWorld, LateLossesAndBatchesAreLearned) {
  const std::vector<std::pair<Arrivals, double>> cases = {
      {{.late = 1000}, 0.5}, {{.late = 3000}, 0.9}, {{.batch = 1000}, 0.4}, {{.batch = 3000}, 0.8}};
  for (const auto& [arrivals, most] : cases) {
    const Halves found = bowl(16384, still, at_rest, arrivals);
    EXPECT_LT(found.first, most) << arrivals.late << " late, batches of " << arrivals.batch;
    EXPECT_LT(found.second, 0.1) << arrivals.late << " late, batches of " << arrivals.batch;
  }
}

/// A target that goes round in 16,000 rounds: about 0.14 on other seeds.
TEST(PosteriorWorld, ATargetThatMovesSlowlyIsFollowed) {
  const auto round = [](int t, std::size_t i) {
    return 0.8 * std::sin(2 * 3.14159265 * t / 16000 + static_cast<double>(i));
  };
  const Halves found = bowl(32768, still, round);
  EXPECT_LT(found.second, 0.25);
}

/// Clicks of 30 %, of which the best point has a fifth less: below the start in the second half.
TEST(PosteriorWorld, ClicksAreLearnedFrom) {
  constexpr std::size_t n = 5;
  double cost = 0;
  double start = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Learner learner(posterior(box(-1, 1, n)), {.seed = seed});
    Random random(seed);
    std::vector<double> y(n);
    for (int t = 1; t <= 16384; ++t) {
      const PlayId id = learner.ask(y);
      double f = 0;
      for (std::size_t i = 0; i < n; ++i) f += (y[i] - at_rest(t, i)) * (y[i] - at_rest(t, i)) / n;
      learner.tell(id, random.uniform() < 0.3 * (1 + f) ? 1 : 0);
      if (t <= 8192) continue;
      cost += f;
      start += 0.25;
    }
  }
  EXPECT_LT(cost / start, 0.5);  // 0.2 on other seeds
}

// Its next life begins where another one had been, and in the restored learner none.
TEST(PosteriorWorld, ARestoredLearnerHasTheSameStateAfterRestarts) {
  for (const bool in_contexts : {false, true}) {
    const auto make = [&] {
      PosteriorOptions own;
      if (in_contexts) own.contexts = {"number"};
      return Learner(posterior(box(0, 1, 2), own), {.seed = 4});
    };
    Learner learner = make();
    Learner restored = make();
    Random random(4);
    std::vector<double> x(2);
    std::vector<double> y(2);
    for (int t = 1; t <= 5000; ++t) {
      const Context context(in_contexts ? 1 : 0, random.normal());
      const PlayId id = learner.ask(context, x);
      restored.ask(context, y);
      const double best = t / 1000 % 2 == 1 ? 0.9 : 0.1;
      const double far = (x[0] - best) * (x[0] - best) + (x[1] - best) * (x[1] - best);
      const double loss = 20 * far + 0.3 * random.normal();
      learner.tell(id, loss);
      restored.tell(id, loss);
      if (t % 10 == 0) {
        ASSERT_EQ(learner.state(), restored.state()) << t;
      }
      if (t % 1000 != 900) continue;
      restored = make();
      restored.restore(learner.state());
    }
    EXPECT_GT(learner.status().restarts, 1U);
  }
}

}  // namespace
}  // namespace keyhole::tests
