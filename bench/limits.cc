// What limits on metrics cost, and how well they are kept. Regret is against the best point within
// the limits, over that of staying at the start: 1 is no better than that. "Over" is the share of
// rounds in which the metric without noise is above its limit by more than 2 % of the way from the
// start to the limit (of the limit itself from "day" on).
//
//   bench_limits [RUNS] [ROUNDS] [SEED] [PROBLEM] [PLAYER]
//
// RUNS runs (16) of ROUNDS rounds (8192) of each problem and player, or of those whose names begin
// with PROBLEM and PLAYER. Two standard errors.
//
//   each      the default with a limit that is kept in each round with probability 0.999
//   mean      with one that is kept on the average of all rounds
//   penalty   the default without limits, told the loss plus 1, 4 or 16 times what is above the
//             limit, in units of what is to be gained
//   by hand   the same with a multiplier that grows with what is above the limit
//   plain     the default without limits, told the loss alone
//   late      "each", with metrics that are told 100 or 1,000 rounds later
//   nightly   "each", with the metrics of 1,440 rounds told at the end of these

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <functional>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "chance.h"
#include "keyhole/keyhole.h"

namespace {

using keyhole::bench::Chance;
using Vector = std::vector<double>;

/// What a problem depends on besides the point.
struct Now {
  int round = 0;
  double load = 0;
};

struct Problem {
  std::string name;
  keyhole::SetPtr set;
  Vector start;
  Vector limits;
  double noise = 0.1;
  double metric_noise = 0.05;
  std::function<double(const Vector&)> loss;
  std::function<double(std::size_t j, const Now&, const Vector&)> metric;
  std::function<double(const Now&)> least;  // of the loss within the limits
  bool of_room = false;                     // whether "over" is a share of the room
  bool day = false;                         // whether there is a load, which is the context
  int requests = 0;                         // that the metric is a share of, if any
};

/// The x from low to high where a falling function is 0; an end if it is nowhere.
double zero_of(double low, double high, const std::function<double(double)>& f) {
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2;
    (f(middle) > 0 ? low : high) = middle;
  }
  return (low + high) / 2;
}

double sum_of(const Vector& x) {
  double sum = 0;
  for (const double value : x) sum += value;
  return sum;
}

Vector uniforms(std::size_t n, double low, double high, Chance& chance) {
  Vector x(n);
  for (double& value : x) value = chance.uniform(low, high);
  return x;
}

/// Four resources that cost money; latency falls with each. Runs with more than it needs today.
Problem resources(Chance& chance) {
  const Vector w = uniforms(4, 0.5, 1.5, chance);
  const Vector a = uniforms(4, 5, 15, chance);
  const auto metric = [a](const Vector& x) {
    double sum = 60;
    for (std::size_t i = 0; i < 4; ++i) sum += a[i] / (0.15 + x[i]);
    return sum;
  };
  const auto loss = [w](const Vector& x) {
    double sum = 0;
    for (std::size_t i = 0; i < 4; ++i) sum += w[i] * x[i];
    return sum;
  };
  const double limit = metric(Vector(4, 0.45));
  const auto point = [w, a](double lambda) {
    Vector x(4);
    for (std::size_t i = 0; i < 4; ++i) {
      x[i] = std::clamp(std::sqrt(lambda * a[i] / w[i]) - 0.15, 0.0, 1.0);
    }
    return x;
  };
  const double lambda = zero_of(0, 1, [&](double l) { return metric(point(l)) - limit; });
  const double least = loss(point(lambda));
  return {.name = "resources",
          .set = keyhole::box(0, 1, 4),
          .start = Vector(4, 0.85),
          .limits = {limit},
          .metric_noise = 10,
          .loss = loss,
          .metric = [metric](std::size_t, const Now&, const Vector& x) { return metric(x); },
          .least = [least](const Now&) { return least; },
          .of_room = true};
}

/// Shares of a budget with returns that fall; risk is a sum of squares, and what pays has risk.
Problem budget(Chance& chance) {
  const Vector w = uniforms(5, 0.2, 1.5, chance);
  Vector r = uniforms(5, 0.2, 1.5, chance);
  for (std::size_t i = 0; i < 5; ++i) r[i] *= w[i];
  const auto loss = [w](const Vector& x) {
    double sum = 0;
    for (std::size_t i = 0; i < 5; ++i) sum -= w[i] * std::log1p(6 * std::max(0.0, x[i]));
    return sum;
  };
  const auto metric = [r](const Vector& x) {
    double sum = 0;
    for (std::size_t i = 0; i < 5; ++i) sum += r[i] * (x[i] + x[i] * x[i]);
    return sum;
  };
  // For a multiplier: every x_i by the price of the budget, and that so that the shares sum to 1.
  const auto point = [w, r](double lambda) {
    const auto at = [&](double price) {
      Vector x(5);
      for (std::size_t i = 0; i < 5; ++i) {
        x[i] = zero_of(0, 1, [&](double s) {
          return 6 * w[i] / (1 + 6 * s) - lambda * r[i] * (1 + 2 * s) - price;
        });
      }
      return x;
    };
    return at(zero_of(-200, 200, [&](double price) { return sum_of(at(price)) - 1; }));
  };
  const Vector start(5, 0.2);
  const double limit = metric(start) + 0.4 * std::abs(metric(point(0)) - metric(start)) + 0.02;
  const double lambda = metric(point(0)) <= limit
                            ? 0
                            : zero_of(0, 100, [&](double l) { return metric(point(l)) - limit; });
  const double least = loss(point(lambda));
  return {.name = "budget",
          .set = keyhole::simplex(5),
          .start = start,
          .limits = {limit},
          .noise = 0.2,
          .metric_noise = 0.1,
          .loss = loss,
          .metric = [metric](std::size_t, const Now&, const Vector& x) { return metric(x); },
          .least = [least](const Now&) { return least; },
          .of_room = true};
}

/// Three settings that raise throughput; errors, of 1,000 requests, begin beyond a point.
Problem errors(Chance& chance) {
  const Vector w = uniforms(3, 0.6, 1.4, chance);
  const Vector e = uniforms(3, 0.6, 1.4, chance);
  const auto loss = [w](const Vector& x) { return -(w[0] * x[0] + w[1] * x[1] + w[2] * x[2]); };
  // e x at most b: settings with the most throughput an error first.
  double room = 0.8 + std::sqrt(0.008 / 0.03);
  std::vector<std::size_t> order = {0, 1, 2};
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return w[i] * e[j] > w[j] * e[i]; });
  Vector best(3);
  for (const std::size_t i : order) {
    best[i] = std::clamp(room / e[i], 0.0, 1.0);
    room -= e[i] * best[i];
  }
  return {.name = "errors",
          .set = keyhole::box(0, 1, 3),
          .start = Vector(3, 0.25),
          .limits = {0.01},
          .noise = 0.15,
          .loss = loss,
          .metric =
              [e](std::size_t, const Now&, const Vector& x) {
                const double above = e[0] * x[0] + e[1] * x[1] + e[2] * x[2] - 0.8;
                return 0.002 + 0.03 * std::max(0.0, above) * std::max(0.0, above);
              },
          .least = [least = loss(best)](const Now&) { return least; },
          .of_room = true,
          .requests = 1000};
}

/// The least cost of a service over the load of a day, with a latency below 0.8 at every load.
Problem day() {
  const auto loss = [](const Vector& x) { return x[0] + 0.6 * x[1] + 0.2 * x[2]; };
  const auto latency = [](double load, const Vector& x) {
    return 0.3 + 0.6 * load * load / (0.25 + x[0]) + 0.4 * load * (1 - x[1]) * (1 - x[1]) +
           0.3 * (x[2] - load) * (x[2] - load);
  };
  return {.name = "day",
          .set = keyhole::box(0, 1, 3),
          .start = {0.9, 0.9, 0.8},
          .limits = {0.8},
          .noise = 0.05,
          .metric_noise = 0.1,
          .loss = loss,
          .metric = [latency](std::size_t, const Now& now,
                              const Vector& x) { return latency(now.load, x); },
          .least =
              [loss, latency](const Now& now) {
                const double load = now.load;
                const auto point = [load](double l) {
                  return Vector{std::clamp(load * std::sqrt(0.6 * l) - 0.25, 0.0, 1.0),
                                l > 0 ? std::clamp(1 - 0.75 / (l * load), 0.0, 1.0) : 0,
                                l > 0 ? std::clamp(load - 1 / (3 * l), 0.0, 1.0) : 0};
                };
                if (latency(load, point(0)) <= 0.8) return loss(point(0));
                return loss(point(
                    zero_of(0, 1000, [&](double l) { return latency(load, point(l)) - 0.8; })));
              },
          .day = true};
}

/// Two or three settings of which more is better, and a metric that forbids it.
Problem edge(const char* name, std::size_t n, double at, Vector limits, double least,
             std::function<double(std::size_t, const Now&, const Vector&)> metric) {
  return {.name = name,
          .set = keyhole::box(0, 1, n),
          .start = Vector(n, at),
          .limits = std::move(limits),
          .loss = [](const Vector& x) { return -sum_of(x); },
          .metric = std::move(metric),
          .least = [least](const Now&) { return least; }};
}

double squares(const Vector& x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return sum;
}

constexpr std::size_t problems = 11;
Problem problem_of(std::size_t which, Chance& chance, int rounds) {
  switch (which) {
    case 0:
      return resources(chance);
    case 1:
      return budget(chance);
    case 2:
      return errors(chance);
    case 3:
      return day();
    case 4:
      return edge("rises in mid-run", 2, 0.3, {0.8}, -std::sqrt(1.6 / 1.5),
                  [rounds](std::size_t, const Now& now, const Vector& x) {
                    return (now.round < rounds / 2 ? 1 : 1.5) * squares(x);
                  });
    case 5:
      return edge("cliff", 2, 0.25, {0.3}, -1.05, [](std::size_t, const Now&, const Vector& x) {
        return 0.1 + 4 * std::max(0.0, sum_of(x) - 1);
      });
    case 6:
      return edge("two limits", 3, 0.3, {0.5, 0.8}, -(std::sqrt(0.41) + 1.3),
                  [](std::size_t j, const Now&, const Vector& x) {
                    return j == 0 ? x[0] * x[0] + x[1] * x[1] : x[1] + 0.5 * x[2];
                  });
    case 7:
      return edge("start over", 2, 0.9, {0.8}, -std::sqrt(1.6),
                  [](std::size_t, const Now&, const Vector& x) { return squares(x); });
    case 8:
      return edge("none within", 2, 0.5, {0.8}, 0,
                  [](std::size_t, const Now&, const Vector& x) { return 1 + squares(x); });
    case 9:
      return edge("10 dimensions", 10, 0.2, {1.6}, -4,
                  [](std::size_t, const Now&, const Vector& x) { return squares(x); });
    default: {  // 50 settings that cost, and a load that each takes a part of
      const Vector w = uniforms(50, 0.5, 1.5, chance);
      const auto loss = [w](const Vector& x) {
        double sum = 0;
        for (std::size_t i = 0; i < 50; ++i) sum += w[i] * x[i] * x[i] / 50;
        return sum;
      };
      double inverse = 0;
      for (const double one : w) inverse += 1 / one;
      Vector best(50);  // sum x_i = 15, at least: x_i = l / w_i
      for (std::size_t i = 0; i < 50; ++i) best[i] = 15 / (inverse * w[i]);
      return {.name = "50 dimensions",
              .set = keyhole::box(0, 1, 50),
              .start = Vector(50, 0.6),
              .limits = {-0.3},
              .noise = 0.05,
              .metric_noise = 0.02,
              .loss = loss,
              .metric = [](std::size_t, const Now&, const Vector& x) { return -sum_of(x) / 50; },
              .least = [least = loss(best)](const Now&) { return least; },
              .of_room = true};
    }
  }
}

struct Score {
  double regret = 0;
  double over = 0;
  double last_regret = 0;
  double last_over = 0;
  double above = 0;  // the mean of the first metric above its limit
};

/// The default, with limits or with a loss that has them in it.
struct Player {
  const char* name;
  bool has_limits = false;
  bool over_all = false;
  double penalty = 0;
  bool by_hand = false;
  int late = 0;   // by how many rounds its metrics are
  int night = 1;  // after how many rounds those are told that are due
};
const Player players[] = {
    {.name = "each", .has_limits = true},
    {.name = "mean", .has_limits = true, .over_all = true},
    {.name = "penalty 1", .penalty = 1},
    {.name = "penalty 4", .penalty = 4},
    {.name = "penalty 16", .penalty = 16},
    {.name = "by hand", .by_hand = true},
    {.name = "plain"},
    {.name = "late 100", .has_limits = true, .late = 100},
    {.name = "late 1000", .has_limits = true, .late = 1000},
    {.name = "nightly", .has_limits = true, .night = 1440},
};

keyhole::Learner learner_of(const Problem& problem, const Player& player, std::uint64_t seed) {
  keyhole::PosteriorOptions options{.start = problem.start};
  if (player.has_limits) {
    for (const double limit : problem.limits) {
      options.limits.push_back({.most = limit, .over_all = player.over_all});
    }
  }
  if (problem.day) options.contexts = {"number"};
  return keyhole::Learner(keyhole::posterior(problem.set, options), {.seed = seed});
}

Score play(const Problem& problem, const Player& player, std::uint64_t seed, int rounds) {
  keyhole::Learner learner = learner_of(problem, player, seed);
  std::deque<std::pair<keyhole::PlayId, keyhole::Metrics>> untold;
  double lambda = 0;
  Chance chance(seed * 31 + 5);
  Vector x(problem.set->dimension());
  Score score;
  double of_start = 0;
  double of_start_last = 0;
  const auto limits = problem.limits.size();
  keyhole::Metrics seen(limits);
  for (int t = 0; t < rounds; ++t) {
    Now now{t, 0};
    if (problem.day) {
      const double swing = 0.35 * std::sin(2 * std::numbers::pi * t / 1440.0);
      now.load = std::clamp(0.5 + swing + 0.06 * chance.normal(), 0.02, 0.95);
    }
    const keyhole::PlayId id =
        problem.day ? learner.ask(keyhole::Context{(now.load - 0.5) / 0.26}, x) : learner.ask(x);
    const double least = problem.least(now);
    const double gain = problem.loss(problem.start) - least;
    const double regret = problem.loss(x) - least;
    double above = -1;
    double penalised = 0;
    for (std::size_t j = 0; j < limits; ++j) {
      const double metric = problem.metric(j, now, x);
      const double room = problem.limits[j] - problem.metric(j, now, problem.start);
      const double unit = problem.of_room ? std::abs(room) : problem.limits[j];
      above = std::max(above, (metric - problem.limits[j]) / unit);
      if (problem.requests > 0) {
        std::binomial_distribution<int> of(problem.requests, std::clamp(metric, 0.0, 1.0));
        seen[j] = of(chance.random) / static_cast<double>(problem.requests);
      } else {
        seen[j] = metric + problem.metric_noise * chance.normal();
      }
      const double seen_above = (seen[j] - problem.limits[j]) / std::abs(room);
      penalised +=
          std::abs(gain) * (player.penalty * std::max(0.0, seen_above) + lambda * seen_above);
      if (player.by_hand) lambda = std::max(0.0, lambda + seen_above / std::sqrt(t + 1.0));
      if (j == 0) score.above += (metric - problem.limits[0]) / unit / rounds;
    }
    const bool last = t >= rounds * 3 / 4;
    score.regret += regret;
    of_start += std::abs(gain);
    score.over += above > 0.02 ? 1.0 / rounds : 0;
    if (last) {
      score.last_regret += regret;
      of_start_last += std::abs(gain);
      score.last_over += above > 0.02 ? 4.0 / rounds : 0;
    }
    const double loss = problem.loss(x) + problem.noise * chance.normal() + penalised;
    learner.tell(id, loss);
    if (player.has_limits) untold.emplace_back(id, seen);
    while ((t + 1) % player.night == 0 && untold.size() > static_cast<std::size_t>(player.late)) {
      learner.measure(untold.front().first, untold.front().second);
      untold.pop_front();
    }
  }
  score.regret /= of_start;
  score.last_regret /= of_start_last;
  return score;
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 16;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 8192;
  const std::uint64_t first_seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  const std::string only = argc > 4 ? argv[4] : "";
  const std::string player_only = argc > 5 ? argv[5] : "";
  for (std::size_t which = 0; which < problems; ++which) {
    Chance any(0);
    const std::string name = problem_of(which, any, rounds).name;
    if (!name.starts_with(only)) continue;
    std::printf("%s\n", name.c_str());
    for (const Player& player : players) {
      if (!std::string(player.name).starts_with(player_only)) continue;
      Score mean;
      double squared = 0;
      double worst = 0;
      const std::clock_t begin = std::clock();
      for (int run = 0; run < runs; ++run) {
        const std::uint64_t seed = first_seed * 1000 + static_cast<std::uint64_t>(run);
        Chance chance(seed);
        const Score score = play(problem_of(which, chance, rounds), player, seed, rounds);
        mean.regret += score.regret / runs;
        squared += score.regret * score.regret / runs;
        mean.over += score.over / runs;
        mean.last_regret += score.last_regret / runs;
        mean.last_over += score.last_over / runs;
        mean.above += score.above / runs;
        worst = std::max(worst, score.over);
      }
      const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
      const double error =
          2 * std::sqrt(std::max(0.0, squared - mean.regret * mean.regret) / (runs - 1));
      std::printf(
          "  %-10s regret %.3f +- %.3f, over %.2f %% (worst run %.1f %%); last quarter %.3f, "
          "%.2f %%; mean %+.3f; %.1f us\n",
          player.name, mean.regret, error, 100 * mean.over, 100 * worst, mean.last_regret,
          100 * mean.last_over, mean.above, 1e6 * seconds / runs / rounds);
      std::fflush(stdout);
    }
  }
}
