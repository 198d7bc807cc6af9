// What names that decide are worth to the default learner: a choice of four names next to three
// numbers. Regret is against the best name with its best numbers, over that of the centre with a
// name by chance.
//
//   bench_choices [RUNS] [ROUNDS] [SEED]
//
// RUNS runs (50) of ROUNDS rounds (16384) of each problem and player; regret at 2^8, 2^10, ... with
// two standard errors, the largest of a run, and processor time a round.
//
//   names    the default, which chooses the name
//   mixture  the default, which learns a share for each name
//   each     a default learner for each name, chosen by upper confidence bounds on the mean of the
//            latest 500 losses (Auer, Cesa-Bianchi, Fischer 2002), told the noise

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "keyhole/keyhole.h"

namespace {

using Vector = std::vector<double>;
constexpr std::size_t names = 4;
constexpr double noise = 0.3;

/// Where each name is best, and what it costs there.
struct Problem {
  std::vector<Vector> target;
  Vector level;
  std::vector<Vector> weight;

  [[nodiscard]] double loss(std::size_t name, const double* x) const {
    double sum = level[name];
    for (std::size_t i = 0; i < 3; ++i) {
      const double off = x[i] - target[name][i];
      sum += weight[name][i] * off * off;
    }
    return sum;
  }
};

Problem drawn(const std::string& kind, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform;
  Problem problem{std::vector<Vector>(names, Vector(3)), Vector(names),
                  std::vector<Vector>(names, Vector(3, 1.0))};
  for (Vector& row : problem.target) {
    for (double& value : row) value = uniform(random);
  }
  for (double& value : problem.level) value = 0.3 * uniform(random);
  const Vector one = problem.target[0];
  for (std::size_t k = 0; k < names; ++k) {
    if (kind == "adds" || kind == "no use") problem.target[k] = one;
    if (kind == "name alone") problem.target[k] = Vector(3, 0.5);
    if (kind == "no use") problem.level[k] = 0;
    if (kind == "conditional" && k > 0) problem.weight[k][2] = 0;  // only the first has the third
  }
  return problem;
}

/// Of one run: regret at each mark.
Vector played(const std::string& kind, char player, int rounds, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const Problem problem = drawn(kind, random);
  std::uniform_real_distribution<double> uniform;
  std::normal_distribution<double> normal;
  const double least = *std::min_element(problem.level.begin(), problem.level.end());
  double centre = 0;
  for (std::size_t k = 0; k < names; ++k) {
    centre += (problem.loss(k, Vector(3, 0.5).data()) - least) / names;
  }
  const keyhole::SetPtr box = keyhole::box(0, 1, 3);
  keyhole::PosteriorOptions own;
  if (player == 'n') own.choices = {"0-3"};
  keyhole::Learner one(
      keyhole::algorithms::posterior(keyhole::product({keyhole::simplex(names), box}), own),
      {.seed = seed});
  std::deque<keyhole::Learner> each;
  for (std::size_t k = 0; k < names; ++k) each.emplace_back(box, keyhole::LearnerOptions{seed, k});
  Vector recent(names);
  Vector count(names);
  Vector point(names + 3);
  double sum = 0;
  Vector regret;
  for (int t = 1; t <= rounds; ++t) {
    std::size_t name = 0;
    keyhole::PlayId id = 0;
    if (player == 'e') {
      double best = std::numeric_limits<double>::infinity();
      for (std::size_t k = 0; k < names; ++k) {
        const double width = noise * std::sqrt(2 * std::log(t) / std::min(count[k], 500.0));
        const double bound = count[k] < 30 ? count[k] - 1e9 : recent[k] - width;
        if (bound < best) name = k;
        best = std::min(best, bound);
      }
      id = each[name].ask(std::span(point).last(3));
    } else {
      id = one.ask(point);
      double left = uniform(random);
      while (name + 1 < names && left >= point[name]) left -= point[name++];
    }
    const double mean = problem.loss(name, point.data() + names);
    const double loss = mean + noise * normal(random);
    (player == 'e' ? each[name] : one).tell(id, loss);
    count[name] += 1;
    recent[name] += (loss - recent[name]) / std::min(count[name], 500.0);
    sum += mean - least;
    const auto round = static_cast<unsigned>(t);
    if (t >= 256 && std::has_single_bit(round) && std::countr_zero(round) % 2 == 0) {
      regret.push_back(sum / t / centre);
    }
  }
  return regret;
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 50;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 1 << 14;
  const std::uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 0;
  for (const char* kind : {"decides", "conditional", "adds", "name alone", "no use"}) {
    for (const char* player : {"names", "mixture", "each"}) {
      std::vector<Vector> all;
      const std::clock_t begin = std::clock();
      for (int r = 0; r < runs; ++r) {
        all.push_back(played(kind, player[0], rounds, 1000 * seed + static_cast<unsigned>(r)));
      }
      const double us = 1e6 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
      std::printf("%-12s%-8s", kind, player);
      double largest = 0;
      for (std::size_t k = 0; k < all[0].size(); ++k) {
        double mean = 0;
        double squares = 0;
        largest = 0;
        for (const Vector& regret : all) {
          mean += regret[k] / runs;
          squares += regret[k] * regret[k] / runs;
          largest = std::max(largest, regret[k]);
        }
        std::printf("  %.3f ± %.3f", mean,
                    2 * std::sqrt(std::max(0.0, squares - mean * mean) / (runs - 1)));
      }
      std::printf("  largest %.3f  %.1f us\n", largest, us / runs / rounds);
      std::fflush(stdout);
    }
  }
}
