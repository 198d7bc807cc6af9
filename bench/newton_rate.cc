// How the regret of online_newton grows with the rounds, beside the exponent 1/2 that its authors
// prove for unconstrained losses: tracking a target inside balls, and linear losses, whose best
// point is at the boundary. Each T is a run of its own with the constants for that T, none chosen
// here. Beside it fkm, whose theorem has 3/4, and parameter_free, which is told nothing. The regret
// is against the best fixed point in hindsight. `bench_newton_rate N P` runs on ball(N) with the
// penalty P.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "keyhole/keyhole.h"

namespace keyhole::bench {
namespace {

using Vector = std::vector<double>;

constexpr std::uint64_t seeds = 5;
constexpr unsigned first_power = 10;
constexpr unsigned last_power = 18;

struct Task {
  std::string name;
  std::function<std::unique_ptr<Problem>(ProblemSeed)> make;
};

using Make = std::function<std::unique_ptr<Algorithm>(const Problem&, std::uint64_t T)>;

/// The regret of one run.
double run(const Task& task, const Make& make, std::uint64_t T, std::uint64_t seed) {
  const auto problem = task.make({seed});
  const auto total = problem->total();
  Learner learner(make(*problem, T), {.seed = seed});
  Vector x(problem->set().dimension());
  double cost = 0;
  for (std::uint64_t t = 1; t <= T; ++t) {
    problem->draw(t);
    total->add();
    const PlayId id = learner.ask(x);
    const double loss = problem->value(x);
    cost += loss;
    learner.tell(id, loss);
  }
  const FixedPoint best =
      best_fixed_point(problem->set(), *total, {.tolerance = 1e-6 * static_cast<double>(T)});
  return cost - best.value;
}

void print(const Task& task, const char* learner, const char* theory, const Make& make) {
  std::printf("%-10s %-15s", task.name.c_str(), learner);
  Vector powers;
  Vector logs;
  for (unsigned power = first_power; power <= last_power; power += 2) {
    const std::uint64_t T = std::uint64_t{1} << power;
    double regret = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      regret += run(task, make, T, seed) / static_cast<double>(seeds);
    }
    std::printf(" %10.1f", regret);
    std::fflush(stdout);
    powers.push_back(power);
    logs.push_back(std::log2(regret));
  }
  const auto slope = [&](std::size_t from) {
    double x = 0;
    double y = 0;
    double xx = 0;
    double xy = 0;
    const auto count = static_cast<double>(powers.size() - from);
    for (std::size_t i = from; i < powers.size(); ++i) {
      x += powers[i] / count;
      y += logs[i] / count;
    }
    for (std::size_t i = from; i < powers.size(); ++i) {
      xx += (powers[i] - x) * (powers[i] - x);
      xy += (powers[i] - x) * (logs[i] - y);
    }
    return xy / xx;
  };
  std::printf(" %8.2f %10.2f %8s\n", slope(0), slope(2), theory);
}

void print_all(std::size_t n, double penalty) {
  std::printf("\nball(%zu): mean regret over %llu seeds after T rounds\n%-26s", n,
              static_cast<unsigned long long>(seeds), "");
  for (unsigned power = first_power; power <= last_power; power += 2) {
    std::printf("       2^%u", power);
  }
  std::printf("    slope  from 2^14   theory\n");
  const SetPtr set = ball(n);
  const std::vector<Task> tasks = {
      {"tracking", [&](ProblemSeed seed) { return tracking(set, {}, seed); }},
      {"linear", [&](ProblemSeed seed) { return linear(set, LinearOptions{}, seed); }}};
  for (const Task& task : tasks) {
    print(task, "online_newton", "1/2", [&](const Problem& problem, std::uint64_t T) {
      return online_newton(
          problem.shared_set(),
          {.gradient_bound = problem.bounds().gradient, .horizon = T, .penalty = penalty});
    });
    print(task, "fkm", "3/4", [&](const Problem& problem, std::uint64_t T) {
      return fkm(problem.shared_set(), {.loss_bound = problem.bounds().loss,
                                        .gradient_bound = problem.bounds().gradient,
                                        .horizon = T});
    });
    print(task, "parameter_free", "-", [&](const Problem& problem, std::uint64_t) {
      return parameter_free(problem.shared_set());
    });
  }
}

}  // namespace
}  // namespace keyhole::bench

int main(int argc, char** argv) {
  const double penalty =
      argc > 2 ? std::strtod(argv[2], nullptr) : keyhole::OnlineNewtonOptions{}.penalty;
  if (argc > 1) {
    keyhole::bench::print_all(std::strtoul(argv[1], nullptr, 10), penalty);
    return 0;
  }
  for (const std::size_t n : {2U, 5U, 10U}) keyhole::bench::print_all(n, penalty);
  return 0;
}
