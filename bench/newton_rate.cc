// How the regret of online_newton grows with the rounds, next to the exponent 1/2 that its authors
// prove for unconstrained losses: tracking a target inside balls, and linear losses, whose best
// point is at the boundary. Each T is a run of its own with the constants for that T, none chosen
// here. Next to it fkm, whose theorem has 3/4, and parameter_free, which is told nothing. The
// regret is against the best fixed point in hindsight. Then variants of online_newton: a bolder eta
// and lambda, and losses that are not continued more steeply; longer runs; the time of a round.

#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "keyhole/keyhole.h"
#include "timing.h"

namespace keyhole::bench {
namespace {

using Vector = std::vector<double>;

/// Runs of 2^first, 2^(first + 2), ..., 2^last rounds, each from the seeds 1, 2, ..., seeds.
struct Runs {
  unsigned first = 10;
  unsigned last = 18;
  unsigned later = 14;  // the second slope is from here on
  std::uint64_t seeds = 5;
};

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

void print_heading(std::size_t n, const Runs& runs) {
  std::printf("\nball(%zu): mean regret over %llu seeds after T rounds\n%-37s", n,
              static_cast<unsigned long long>(runs.seeds), "");
  for (unsigned power = runs.first; power <= runs.last; power += 2) {
    std::printf("       2^%u", power);
  }
  std::printf("    slope  from 2^%u   theory\n", runs.later);
}

void print(const Task& task, const char* learner, const char* theory, const Make& make,
           const Runs& runs = {}) {
  std::printf("%-10s %-26s", task.name.c_str(), learner);
  Vector powers;
  Vector logs;
  for (unsigned power = runs.first; power <= runs.last; power += 2) {
    const std::uint64_t T = std::uint64_t{1} << power;
    double regret = 0;
    for (std::uint64_t seed = 1; seed <= runs.seeds; ++seed) {
      regret += run(task, make, T, seed) / static_cast<double>(runs.seeds);
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
  std::printf(" %8.2f %10.2f %8s\n", slope(0), slope((runs.later - runs.first) / 2), theory);
}

/// online_newton with G from the problem and these options.
Make newton(OnlineNewtonOptions options = {}) {
  return [options](const Problem& problem, std::uint64_t T) mutable {
    options.gradient_bound = problem.bounds().gradient;
    options.horizon = T;
    return online_newton(problem.shared_set(), options);
  };
}

/// eta sixteen times as large as the default, lambda = 1/2.
std::unique_ptr<Algorithm> bold_newton(const Problem& problem, std::uint64_t T) {
  const auto n = static_cast<double>(problem.set().hull_dimension());
  const double eta = 16 * std::sqrt(n / static_cast<double>(T)) / (1 + 1 / n);
  return newton({.eta = eta, .lambda = 0.5})(problem, T);
}

Task tracking_on(const SetPtr& set) {
  return {"tracking", [set](ProblemSeed seed) { return tracking(set, {}, seed); }};
}

void print_all(std::size_t n) {
  print_heading(n, {});
  const SetPtr set = ball(n);
  const std::vector<Task> tasks = {tracking_on(set), {"linear", [&](ProblemSeed seed) {
                                                        return linear(set, LinearOptions{}, seed);
                                                      }}};
  for (const Task& task : tasks) {
    print(task, "online_newton", "1/2", newton());
    print(task, "fkm", "3/4", [&](const Problem& problem, std::uint64_t T) {
      return fkm(problem.shared_set(), {.loss_bound = problem.bounds().loss,
                                        .gradient_bound = problem.bounds().gradient,
                                        .horizon = T});
    });
    print(task, "parameter_free", "-", [&](const Problem& problem, std::uint64_t) {
      return parameter_free(problem.shared_set());
    });
    print(task, "16 eta, lambda=0.5", "1/2", bold_newton);
    print(task, "penalty=0", "1/2", newton({.penalty = 0}));
  }
}

void print_longer() {
  const Runs runs = {.first = 18, .last = 22, .later = 20, .seeds = 2};
  print_heading(2, runs);
  print(tracking_on(ball(2)), "online_newton", "1/2", newton(), runs);
}

void print_times() {
  std::printf("\nmicroseconds a round of online_newton, ask and tell, noisy linear losses\n");
  for (const std::size_t n : {2U, 5U, 10U, 20U, 64U}) {
    Learner learner(
        online_newton(ball(n), {.gradient_bound = 1, .horizon = std::uint64_t{1} << 24U}));
    std::mt19937_64 engine(5);
    std::normal_distribution<double> normal(0, 0.1);
    Vector noise(1024);
    for (double& number : noise) number = normal(engine);
    Vector x(n);
    const double time = median_microseconds([&](std::size_t i) {
      const PlayId id = learner.ask(x);
      learner.tell(id, x[0] + noise[i % noise.size()]);
    });
    std::printf("ball(%zu) %8.2f\n", n, time);
  }
}

}  // namespace
}  // namespace keyhole::bench

int main() {
  for (const std::size_t n : {2U, 5U, 10U}) keyhole::bench::print_all(n);
  keyhole::bench::print_longer();
  keyhole::bench::print_times();
  return 0;
}
