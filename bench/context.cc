// What a context is worth to the default learner. Regret is against the best point of each context,
// over that of staying at the centre: 1 is no better than that, 0 the best policy.
//
//   bench_context [RUNS] [ROUNDS] [SEED] [PROBLEM] [PLAYER]
//
// RUNS runs (8) of ROUNDS rounds (16384) of each problem and player, or of those whose names begin
// with PROBLEM and PLAYER; regret at 2^10, 2^12, ... with two standard errors, restarts, and
// processor time a round.
//
//   context   the default, told the context
//   ignored   the default without it
//   bins      a default learner for each segment, weekday, or range of a number
//   linucb    LinUCB (Li, Chu, Langford, Schapire 2010) on 64 points of the set as arms, told the
//             noise
//   missing   the default, told that nothing of the context is known
//   half      the default, told half of the contexts
//   free      parameter_free without the context
//   levelled  parameter_free, told its losses less what a regression on the context says of them
//   anchored  parameter_free with two anchors, where the context is one number

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "chance.h"
#include "keyhole/keyhole.h"

namespace {

using keyhole::Context;
using keyhole::PlayId;
using keyhole::bench::Chance;
using Vector = std::vector<double>;

/// What is the case in a round.
struct Now {
  Context context;
  std::size_t bin = 0;
  double hidden = 0;  // what the loss depends on and the context does not say
};

struct Problem {
  std::string name;
  keyhole::SetPtr set;
  std::vector<std::string> words;
  std::size_t bins = 1;
  double noise = 0.15;
  std::function<Now(int t, Chance&)> now;
  std::function<double(const Now&, const Vector&)> loss;
  std::function<double(const Now&)> least;
  int late = 0;
  double season = 0;  // what the level swings by in 288 rounds
};

constexpr double root_12 = 3.4641016151377544;

Vector drawn(std::size_t n, Chance& chance, double mean, double spread) {
  Vector x(n);
  for (double& value : x) value = mean + spread * chance.normal();
  return x;
}

/// The bin of three numbers, by their signs.
std::size_t by_signs(const Context& c) {
  return (c[0] > 0 ? 4U : 0U) + (c[1] > 0 ? 2U : 0U) + (c[2] > 0 ? 1U : 0U);
}

/// Five prices, four segments of customers: a price x sells a - b x.
Problem prices(Chance& chance, int change) {
  struct Market {
    std::array<Vector, 4> a;
    std::array<Vector, 4> b;
  };
  std::array<Market, 2> markets;
  for (Market& market : markets) {
    for (std::size_t s = 0; s < 4; ++s) {
      for (int i = 0; i < 5; ++i) {
        market.a[s].push_back(0.5 + chance.uniform());
        market.b[s].push_back(0.7 + chance.uniform());
      }
    }
  }
  const auto loss = [markets](const Now& c, const Vector& x) {
    const Market& market = markets[static_cast<std::size_t>(c.hidden)];
    double sum = 0;
    for (std::size_t i = 0; i < 5; ++i) {
      sum -= x[i] * (market.a[c.bin][i] - market.b[c.bin][i] * x[i]);
    }
    return sum;
  };
  return {.name = change > 0 ? "changing prices by segment" : "prices by segment",
          .set = keyhole::box(0, 1, 5),
          .words = {"choice(4)"},
          .bins = 4,
          .noise = 0.3,
          .now =
              [change](int t, Chance& by) {
                const double u = by.uniform();
                const std::size_t s = u < 0.4 ? 0 : u < 0.7 ? 1 : u < 0.9 ? 2 : 3;
                return Now{{static_cast<double>(s)}, s, change > 0 && t >= change ? 1.0 : 0.0};
              },
          .loss = loss,
          .least =
              [markets, loss](const Now& c) {
                const Market& market = markets[static_cast<std::size_t>(c.hidden)];
                Vector x(5);
                for (std::size_t i = 0; i < 5; ++i) {
                  x[i] = std::clamp(market.a[c.bin][i] / (2 * market.b[c.bin][i]), 0.0, 1.0);
                }
                return loss(c, x);
              }};
}

/// Three settings of a service over the load of a day, a round a minute. By hour the load is
/// hidden.
Problem service(bool by_hour, int late) {
  const auto loss = [](const Now& c, const Vector& x) {
    const double load = c.hidden;
    const double off = x[1] - (0.1 + 0.8 * load);
    return load * load / (0.3 + x[0]) + 0.5 * x[0] + off * off + 0.4 * std::abs(x[2] - 0.9 * load);
  };
  return {.name = by_hour    ? "service by hour"
                  : late > 0 ? "late service by load"
                             : "service by load",
          .set = keyhole::box(0, 1, 3),
          .words = {by_hour ? "cyclic" : "number"},
          .bins = 8,
          .now =
              [by_hour](int t, Chance& by) {
                const double day = t / 1440.0;
                const double swing = 0.35 * std::sin(2 * std::numbers::pi * day);
                const double load = std::clamp(0.5 + swing + 0.08 * by.normal(), 0.0, 1.0);
                const double part = by_hour ? day - std::floor(day) : load;
                return Now{{by_hour ? day : (load - 0.5) * root_12},
                           std::min<std::size_t>(7, static_cast<std::size_t>(8 * part)),
                           load};
              },
          .loss = loss,
          .least =
              [loss](const Now& c) {
                const double load = c.hidden;
                return loss(c, {std::clamp(load * std::numbers::sqrt2 - 0.3, 0.0, 1.0),
                                0.1 + 0.8 * load, 0.9 * load});
              },
          .late = late};
}

/// A budget over six channels that pay otherwise on each day of the week, a round an hour.
Problem weekdays(Chance& chance) {
  const Vector base = drawn(6, chance, 0.5, 0.3);
  std::array<Vector, 7> worth;
  for (Vector& day : worth) {
    day = drawn(6, chance, 0, 0.3);
    for (std::size_t i = 0; i < 6; ++i) day[i] = std::max(0.02, base[i] + day[i]);
  }
  const Vector level = drawn(7, chance, 0, 0.5);
  const auto loss = [worth, level](const Now& c, const Vector& x) {
    double sum = level[c.bin];
    for (std::size_t i = 0; i < 6; ++i) {
      sum -= worth[c.bin][i] * std::log1p(8 * std::max(0.0, x[i]));
    }
    return sum;
  };
  return {.name = "budget by weekday",
          .set = keyhole::simplex(6),
          .words = {"choice(7)"},
          .bins = 7,
          .noise = 0.3,
          .now =
              [](int t, Chance&) {
                const std::size_t day = static_cast<std::size_t>(t) / 24 % 7;
                return Now{{static_cast<double>(day)}, day, 0};
              },
          .loss = loss,
          .least = [worth,
                    loss](const Now& c) {  // x_i = max(0, w_i / l - 1/8), whose sum is 1 for one l
            double low = 1e-9;
            double high = 100;
            Vector x(6);
            for (int k = 0; k < 100; ++k) {
              const double l = (low + high) / 2;
              double sum = 0;
              for (std::size_t i = 0; i < 6; ++i) {
                sum += x[i] = std::max(0.0, worth[c.bin][i] / l - 0.125);
              }
              (sum > 1 ? low : high) = l;
            }
            return loss(c, x);
          }};
}

/// Shares of traffic over ten routes, whose costs are linear in three numbers.
Problem routes(Chance& chance) {
  std::array<Vector, 4> cost;
  for (Vector& one : cost) one = drawn(10, chance, 0, 0.3);
  const auto of_route = [cost](const Now& c, std::size_t i) {
    return cost[0][i] + cost[1][i] * c.context[0] + cost[2][i] * c.context[1] +
           cost[3][i] * c.context[2];
  };
  return {.name = "routes by three numbers",
          .set = keyhole::simplex(10),
          .words = {"number", "number", "number"},
          .bins = 8,
          .noise = 0.3,
          .now =
              [](int, Chance& by) {
                Now c{{by.normal(), by.normal(), by.normal()}, 0, 0};
                for (double& number : c.context) number = std::clamp(number, -3.0, 3.0);
                c.bin = by_signs(c.context);
                return c;
              },
          .loss =
              [of_route](const Now& c, const Vector& x) {
                double sum = 0;
                for (std::size_t i = 0; i < 10; ++i) sum += x[i] * of_route(c, i);
                return sum;
              },
          .least =
              [of_route](const Now& c) {
                double least = of_route(c, 0);
                for (std::size_t i = 1; i < 10; ++i) least = std::min(least, of_route(c, i));
                return least;
              }};
}

/// A quadratic in n dimensions, and so many numbers as a context: the first adds `shift` times
/// itself to the loss, the first `moving` move the best point.
Problem quadratic(std::string name, Chance& chance, std::size_t n, std::size_t numbers,
                  double shift, std::size_t moving) {
  Vector base(n, 0.5);
  if (moving == 0) {
    for (double& value : base) value = chance.uniform();
  }
  std::vector<Vector> move;
  for (std::size_t j = 0; j < moving; ++j) move.push_back(drawn(n, chance, 0, 0.12));
  return {.name = std::move(name),
          .set = keyhole::box(0, 1, n),
          .words = std::vector<std::string>(numbers, "number"),
          .bins = 8,
          .now =
              [numbers](int, Chance& by) {
                Now c;
                for (std::size_t j = 0; j < numbers; ++j) {
                  c.context.push_back(std::clamp(by.normal(), -3.0, 3.0));
                }
                c.bin = by_signs(c.context);
                return c;
              },
          .loss =
              [base, move, shift](const Now& c, const Vector& x) {
                double sum = shift * c.context[0];
                for (std::size_t i = 0; i < x.size(); ++i) {
                  double best = base[i];
                  for (std::size_t j = 0; j < move.size(); ++j) best += move[j][i] * c.context[j];
                  best = std::clamp(best, 0.0, 1.0);
                  sum += (x[i] - best) * (x[i] - best);
                }
                return sum;
              },
          .least = [shift](const Now& c) { return shift * c.context[0]; }};
}

/// Whoever plays: asked in a round, told the loss of a play by its number there.
struct Player {
  virtual ~Player() = default;
  /// Writes a point, and returns what names the play.
  virtual std::pair<std::size_t, PlayId> ask(const Now& now, Vector& x) = 0;
  virtual void tell(std::pair<std::size_t, PlayId> play, double loss) = 0;
  [[nodiscard]] virtual double restarts() const { return 0; }
};

/// Default learners, one or one for each bin, told so much of the contexts; or another learner.
struct Default final : Player {
  Default(const Problem& problem, std::size_t count, double told, std::uint64_t seed)
      : share(told), chance(seed) {
    for (std::size_t b = 0; b < count; ++b) {
      learners.emplace_back(
          keyhole::posterior(problem.set,
                             {.contexts = share < 0 ? std::vector<std::string>() : problem.words}),
          keyhole::LearnerOptions{.seed = seed, .stream = b});
    }
  }
  Default(std::unique_ptr<keyhole::Algorithm> algorithm, std::uint64_t seed)
      : share(algorithm->contexts() > 0 ? 1 : -1), chance(seed) {
    learners.emplace_back(std::move(algorithm), keyhole::LearnerOptions{.seed = seed});
  }
  std::pair<std::size_t, PlayId> ask(const Now& now, Vector& x) override {
    const std::size_t at = now.bin % learners.size();
    if (share < 0) return {at, learners[at].ask(x)};
    const bool known = share == 1 || chance.uniform() < share;
    return {at, known ? learners[at].ask(now.context, x) : learners[at].ask(x)};
  }
  void tell(std::pair<std::size_t, PlayId> play, double loss) override {
    learners[play.first].tell(play.second, loss);
  }
  [[nodiscard]] double restarts() const override {
    double sum = 0;
    for (const keyhole::Learner& learner : learners) {
      sum += static_cast<double>(learner.status().restarts);
    }
    return sum;
  }
  double share;  // of the contexts that are told; below 0 the learner takes none
  Chance chance;
  std::vector<keyhole::Learner> learners;
};

/// LinUCB: each of 64 points has a regression of its losses on the context.
struct LinUcb final : Player {
  LinUcb(const Problem& problem, std::uint64_t seed) : words(problem.words), width(problem.noise) {
    Chance chance(seed);
    const auto oracle = problem.set->oracle();
    const Vector& centre = problem.set->centre();
    Vector d(centre.size());
    Vector v(centre.size());
    for (std::size_t a = 0; a < 64; ++a) {  // the centre, and mixtures of it with vertices
      Vector x = centre;
      for (std::size_t i = 0; a > 0 && i <= a % 3; ++i) {
        for (double& value : d) value = chance.normal();
        oracle->minimise(d).write_to(v);
        const double s = (i == 0 ? 1 : 0.5) * chance.uniform();
        for (std::size_t j = 0; j < x.size(); ++j) x[j] += s * (v[j] - x[j]);
      }
      arms.push_back({x, {}, {}});
    }
  }
  [[nodiscard]] Vector features(const Context& c) const {
    Vector f = {1};
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == "number") {
        f.push_back(c[i]);
      } else if (words[i] == "cyclic") {
        f.push_back(std::sin(2 * std::numbers::pi * c[i]));
        f.push_back(std::cos(2 * std::numbers::pi * c[i]));
      } else {
        const auto names = static_cast<std::size_t>(std::atoi(words[i].c_str() + 7));
        for (std::size_t k = 0; k < names; ++k) f.push_back(c[i] == static_cast<double>(k) ? 1 : 0);
      }
    }
    return f;
  }
  std::pair<std::size_t, PlayId> ask(const Now& now, Vector& x) override {
    const Vector f = features(now.context);
    const std::size_t d = f.size();
    double least = std::numeric_limits<double>::infinity();
    std::size_t best = 0;
    for (std::size_t a = 0; a < arms.size(); ++a) {
      Arm& arm = arms[a];
      if (arm.mean.empty()) {
        arm.mean.assign(d, 0);
        arm.inverse.assign(d * d, 0);
        for (std::size_t i = 0; i < d; ++i) arm.inverse[i * d + i] = 1;
      }
      double mean = 0;
      double variance = 0;
      for (std::size_t i = 0; i < d; ++i) {
        mean += arm.mean[i] * f[i];
        for (std::size_t j = 0; j < d; ++j) variance += arm.inverse[i * d + j] * f[i] * f[j];
      }
      const double bound = mean - width * std::sqrt(variance);
      if (bound < least) {
        least = bound;
        best = a;
      }
    }
    x = arms[best].x;
    told.push_back(f);
    return {best, told.size() - 1};
  }
  void tell(std::pair<std::size_t, PlayId> play, double loss) override {
    if (told.size() == 1) first = loss;
    const Vector& f = told[play.second];
    const std::size_t d = f.size();
    Arm& arm = arms[play.first];
    Vector s(d);
    double h = 1;
    double error = loss + 1 - first;  // what was never tried looks better than the first loss
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) s[i] += arm.inverse[i * d + j] * f[j];
      h += s[i] * f[i];
      error -= arm.mean[i] * f[i];
    }
    for (std::size_t i = 0; i < d; ++i) {
      arm.mean[i] += s[i] * error / h;
      for (std::size_t j = 0; j < d; ++j) arm.inverse[i * d + j] -= s[i] * s[j] / h;
    }
  }
  struct Arm {
    Vector x;
    Vector inverse;
    Vector mean;
  };
  std::vector<std::string> words;
  double width;
  std::vector<Arm> arms;
  std::vector<Vector> told;
  double first = 0;
};

Problem problem_of(std::size_t which, Chance& chance, int rounds) {
  switch (which) {
    case 0:
      return prices(chance, 0);
    case 1:
      return service(false, 0);
    case 2:
      return service(true, 0);
    case 3:
      return weekdays(chance);
    case 4:
      return routes(chance);
    case 5:
      return quadratic("level only", chance, 5, 5, 1, 0);
    case 6:
      return quadratic("no use", chance, 5, 5, 0, 0);
    case 7:
      return quadratic("2 of 20 matter", chance, 5, 20, 0, 2);
    case 8: {
      Problem problem = quadratic("2 of 3 matter, seasons", chance, 5, 3, 0, 2);
      problem.season = 10 * problem.noise;
      return problem;
    }
    case 9:
      return service(false, 100);
    case 10:
      return quadratic("10 numbers, 10 dimensions", chance, 10, 10, 0, 10);
    default:
      return prices(chance, rounds / 2);
  }
}
constexpr std::size_t problems = 12;

std::unique_ptr<Player> player_of(std::size_t which, const Problem& problem, std::uint64_t seed) {
  switch (which) {
    case 0:
      return std::make_unique<Default>(problem, 1, 1, seed);
    case 1:
      return std::make_unique<Default>(problem, 1, -1, seed);
    case 2:
      return std::make_unique<Default>(problem, problem.bins, -1, seed);
    case 3:
      return std::make_unique<LinUcb>(problem, seed);
    case 4:
      return std::make_unique<Default>(problem, 1, 0, seed);
    case 5:
      return std::make_unique<Default>(problem, 1, 0.5, seed);
    case 6:
      return std::make_unique<Default>(keyhole::parameter_free(problem.set), seed);
    case 7:
      return std::make_unique<Default>(
          keyhole::levelled(keyhole::parameter_free(problem.set), {problem.words}), seed);
    default: {
      if (problem.words != std::vector<std::string>{"number"}) return nullptr;
      const auto anchors = keyhole::product({problem.set, problem.set});
      return std::make_unique<Default>(
          keyhole::anchored(problem.set, keyhole::parameter_free(anchors)), seed);
    }
  }
}
constexpr std::array<const char*, 9> players = {
    "context", "ignored", "bins", "linucb", "missing", "half", "free", "levelled", "anchored"};

/// The sums of what plays cost above the least, at the marks.
Vector costs(const Problem& problem, std::uint64_t seed, int rounds, Player* player) {
  Chance of_context(seed * 31 + 1);
  Chance of_noise(seed * 31 + 2);
  Vector x = problem.set->centre();
  Vector at;
  double sum = 0;
  std::deque<std::pair<std::pair<std::size_t, PlayId>, double>> late;
  for (int t = 1; t <= rounds; ++t) {
    const Now now = problem.now(t - 1, of_context);
    std::pair<std::size_t, PlayId> play;
    if (player != nullptr) play = player->ask(now, x);
    const double loss = problem.loss(now, x);
    sum += loss - problem.least(now);
    const double season = problem.season * std::sin(2 * std::numbers::pi * t / 288.0);
    late.emplace_back(play, loss + season + problem.noise * of_noise.normal());
    if (player != nullptr && late.size() > static_cast<std::size_t>(problem.late)) {
      player->tell(late.front().first, late.front().second);
      late.pop_front();
    }
    if (t >= 1024 && (t & (t - 1)) == 0 && std::countr_zero(static_cast<unsigned>(t)) % 2 == 0) {
      at.push_back(sum);
    }
  }
  return at;
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 8;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 1 << 14;
  const std::uint64_t first_seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  const std::string only = argc > 4 ? argv[4] : "";
  const std::string player_only = argc > 5 ? argv[5] : "";
  for (std::size_t which = 0; which < problems; ++which) {
    Chance any(0);
    const std::string name = problem_of(which, any, rounds).name;
    if (!name.starts_with(only)) continue;
    std::printf("%s\n", name.c_str());
    for (std::size_t who = 0; who < players.size(); ++who) {
      if (!std::string(players[who]).starts_with(player_only)) continue;
      std::vector<Vector> regrets;
      double restarts = 0;
      const std::clock_t begin = std::clock();
      for (int run = 0; run < runs; ++run) {
        const std::uint64_t seed = first_seed * 1000 + static_cast<std::uint64_t>(run);
        Chance chance(seed);
        const Problem problem = problem_of(which, chance, rounds);
        const auto player = player_of(who, problem, seed);
        if (player == nullptr) break;
        Vector regret = costs(problem, seed, rounds, player.get());
        const Vector of_centre = costs(problem, seed, rounds, nullptr);
        for (std::size_t i = 0; i < regret.size(); ++i) regret[i] /= of_centre[i];
        regrets.push_back(std::move(regret));
        restarts += player->restarts();
      }
      if (regrets.empty()) continue;  // it does not play this problem
      const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
      std::printf("  %-8s", players[who]);
      for (std::size_t i = 0; i < regrets[0].size(); ++i) {
        double mean = 0;
        double squares = 0;
        double largest = 0;
        for (const Vector& regret : regrets) {
          mean += regret[i] / runs;
          squares += regret[i] * regret[i] / runs;
          largest = std::max(largest, regret[i]);
        }
        const double error = 2 * std::sqrt(std::max(0.0, squares - mean * mean) / (runs - 1));
        std::printf("  %.3f +- %.3f", mean, error);
        if (i + 1 == regrets[0].size()) std::printf(" (largest %.3f)", largest);
      }
      std::printf("  %g restarts  %.1f us\n", restarts, 1e6 * seconds / runs / rounds);
      std::fflush(stdout);
    }
  }
}
