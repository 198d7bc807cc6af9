// What a coin that plays the start proves, and how often it is wrong.
//
//   bench_proof [RUNS] [ROUNDS]
//
// RUNS runs (400) of ROUNDS rounds (2,048) of the default learner on box(0, 1, 5), with
// prove(0.1). The truth is the mean, over all rounds so far, of what the start would have cost more
// than the learner's plays. "Ever wrong" is the share of the runs in which the truth lay outside
// the interval after any round. "Proven" is the share of the runs in which the interval lay above 0
// at some time, and the median of the first round; "falsely" where the truth was not above 0. "Said
// to be worse" is the share of the runs in which that was said at some time. Then two settings that
// a coin of 1/2 chooses between, as `keyhole study compare` does: how often their difference lay
// outside the interval after any round, and after how many it is known which is better (the
// median).

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "chance.h"
#include "keyhole/keyhole.h"
#include "learners/learner/start_coin.h"

namespace {

using keyhole::bench::Chance;
using Vector = std::vector<double>;

double quadratic(const Vector& x, const Vector& target) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - target[i]) * (x[i] - target[i]);
  return sum;
}

double kink(const Vector& x, const Vector& target) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::abs(x[i] - target[i]);
  return sum;
}

/// A loss with its noise in round t.
using Told = std::function<double(double loss, int t, Chance& chance)>;

struct Case {
  const char* name;
  /// The loss without noise.
  std::function<double(const Vector& x, const Vector& target)> loss;
  Told told;
};

double median(std::vector<int> numbers) {
  if (numbers.empty()) return 0;
  std::sort(numbers.begin(), numbers.end());
  return numbers[numbers.size() / 2];
}

void run(const Case& problem, int runs, int rounds) {
  int wrong = 0;
  int falsely = 0;
  int worse = 0;
  double gain = 0;
  double error = 0;
  std::vector<int> proven;
  for (int r = 0; r < runs; ++r) {
    Chance chance(static_cast<std::uint64_t>(900 + r));
    Vector target(5);
    for (double& c : target) c = chance.uniform();
    keyhole::Learner learner(keyhole::box(0, 1, 5), {.seed = static_cast<std::uint64_t>(r)});
    Vector start = learner.recommend();
    start[0] += 1e-9;  // so that the plays of the coin are known by it
    learner.prove(0.1, start);
    const double of_start = problem.loss(start, target);
    double truth = 0;
    int played = 0;
    bool missed = false;
    int first = 0;
    bool seen = false;
    for (int t = 1; t <= rounds; ++t) {
      // What was told before is known once the next play is asked for.
      const keyhole::Play play = learner.ask();
      const keyhole::Proof proof = learner.status(0).proof;
      const bool known = std::isfinite(proof.gain) && played > 0;
      if (known && std::abs(proof.gain - truth) > proof.error) missed = true;
      if (first == 0 && proof.proven > 0) {
        first = t - 1;
        if (truth <= 0) ++falsely;
      }
      seen = seen || proof.worse > 0;
      const double loss = problem.loss(play.point, target);
      if (play.point != start) {
        ++played;
        truth += (of_start - loss - truth) / played;
      }
      learner.tell(play.id, problem.told(loss - of_start, t, chance));
    }
    wrong += missed ? 1 : 0;
    if (first > 0) proven.push_back(first);
    worse += seen ? 1 : 0;
    gain += truth / runs;
    error += learner.status(0).proof.error / runs;
  }
  const auto share = [&](auto count) { return static_cast<double>(count) / runs; };
  std::printf(
      "%-28s gain %6.3f, error %5.3f; ever wrong %.3f; proven %.2f, at %4.0f, falsely %.3f; "
      "said to be worse %.3f\n",
      problem.name, gain, error, share(wrong), share(proven.size()), median(proven), share(falsely),
      share(worse));
  std::fflush(stdout);
}

void compare(const char* name, double difference, const Told& told, int runs, int rounds) {
  int wrong = 0;
  std::vector<int> known;
  for (int r = 0; r < runs; ++r) {
    Chance chance(static_cast<std::uint64_t>(900 + r));
    keyhole::algorithms::StartCoin coin(0.5, 0, {});
    bool missed = false;
    int first = 0;
    for (int t = 1; t <= rounds; ++t) {
      const bool is_first = chance.uniform() < 0.5;
      coin.take(static_cast<keyhole::PlayId>(t), is_first,
                told(is_first ? difference : 0, t, chance));
      const keyhole::Proof proof = coin.proof();
      missed = missed || std::abs(proof.gain - difference) > proof.error;
      if (first == 0 && std::abs(proof.gain) > proof.error) first = t;
    }
    wrong += missed ? 1 : 0;
    if (first > 0) known.push_back(first);
  }
  std::printf("two settings, %-14s difference %.2f; ever wrong %.3f; known %.3f, at %4.0f\n", name,
              difference, static_cast<double>(wrong) / runs,
              static_cast<double>(known.size()) / runs, median(known));
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 400;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 2048;
  const auto noise = [](double size) {
    return [size](double loss, int, Chance& chance) { return loss + size * chance.normal(); };
  };
  const Told heavy_tails = [](double loss, int, Chance& chance) {
    return loss + 0.3 * chance.student();
  };
  const Told rare_disasters = [](double loss, int, Chance& chance) {
    return loss + (chance.uniform() < 0.02 ? 10 : 0.3 * chance.normal());
  };
  const Told level_drifts = [](double loss, int t, Chance& chance) {
    return loss + 2 * std::sin(t / 200.0) + t / 1000.0 + 0.3 * chance.normal();
  };
  const std::vector<Case> cases = {
      {"quadratic, noise 0.3", quadratic, noise(0.3)},
      {"quadratic, noise 1", quadratic, noise(1)},
      {"kink, noise 0.3", kink, noise(0.3)},
      {"quadratic, heavy tails", quadratic, heavy_tails},
      {"quadratic, rare disasters", quadratic, rare_disasters},
      {"quadratic, level drifts", quadratic, level_drifts},
      {"nothing to gain", [](const Vector&, const Vector&) { return 0.0; }, noise(0.3)},
      {"the start is best",
       [](const Vector& x, const Vector&) { return quadratic(x, Vector(x.size(), 0.5)); },
       noise(0.3)},
      {"0/1 losses", quadratic,
       [](double loss, int, Chance& chance) {
         return chance.uniform() < std::clamp(0.5 + 0.5 * loss, 0.0, 1.0) ? 2.0 : 0.0;
       }},
  };
  for (const Case& problem : cases) run(problem, runs, rounds);
  for (const double difference : {0.3, 0.09, 0.0}) {
    compare("noise 0.3", difference, noise(0.3), runs, rounds);
    compare("heavy tails", difference, heavy_tails, runs, rounds);
    compare("rare disasters", difference, rare_disasters, runs, rounds);
    compare("level drifts", difference, level_drifts, runs, rounds);
  }
}
