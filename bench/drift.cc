// The figures of docs/learners/watchful.md that `keyhole run` cannot make, as Markdown: methods of
// two papers where the best point changes sides, with their constants and with constants chosen on
// this problem; a best point that turns steadily; and how often the own test of changes of
// parameter_free fails where nothing moves. Regret is against the best point of each 16384
// rounds, over that of staying at the centre, with half of its 95 % interval (docs/experiments.md).

#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "keyhole/keyhole.h"
#include "learners/parameter_free/status.h"
#include "loo_bbgd.h"
#include "pbgd.h"

namespace keyhole::bench {
namespace {

using Vector = std::vector<double>;

constexpr std::uint64_t window = 16384;
constexpr std::uint64_t seeds = 8;  // 1, ..., 8
constexpr double student = 2.365;   // of 7 degrees of freedom
static_assert(seeds == 8);

struct Entry {
  std::string name;
  std::function<std::unique_ptr<Algorithm>(const Problem&)> make;
};

/// f_t(x) = 1/2 ||x - theta_t||^2 + e_t on a ball about 0: theta_t = 0.6 (a cos + b sin)(2 pi t /
/// turn) + 0.3 w_t with a, b orthonormal, w_t a uniform unit vector, e_t normal of deviation 0.1.
class Turning final : public Problem {
 public:
  Turning(SetPtr set, std::uint64_t turn, ProblemSeed seed)
      : Problem(std::move(set)),
        turn_(static_cast<double>(turn)),
        w_(shared_set(), seed.seed, seed.stream),
        theta_(this->set().dimension()),
        e_(1) {
    const auto direction = [&](std::uint64_t from_the_end) {
      const std::span<const double> u = w_.direction(Problem::rounds() - from_the_end);
      return Vector(u.begin(), u.end());
    };
    a_ = direction(0);
    b_ = direction(1);
    double along = 0;
    for (std::size_t i = 0; i < a_.size(); ++i) along += a_[i] * b_[i];
    for (std::size_t i = 0; i < a_.size(); ++i) {
      b_[i] = (b_[i] - along * a_[i]) / std::sqrt(1 - along * along);
    }
  }

  [[nodiscard]] std::string spec() const override { return "turning"; }
  [[nodiscard]] LossBounds bounds() const override { return {}; }
  [[nodiscard]] std::uint64_t segment() const noexcept override { return window; }
  [[nodiscard]] double value(std::span<const double> x) const override {
    double squares = 0;
    for (std::size_t i = 0; i < x.size(); ++i) squares += (x[i] - theta_[i]) * (x[i] - theta_[i]);
    return squares / 2 + 0.1 * e_[0];
  }
  void gradient(std::span<const double> x, std::span<double> gradient) const override {
    for (std::size_t i = 0; i < x.size(); ++i) gradient[i] = x[i] - theta_[i];
  }
  [[nodiscard]] std::unique_ptr<TotalLoss> total() override {
    return std::make_unique<Total>(*this);
  }

 private:
  /// F(x) = F(0) + count/2 ||x||^2 - x . sum theta_t.
  class Total final : public TotalLoss {
   public:
    explicit Total(const Turning& problem) : problem_(problem), sum_(problem.theta_.size()) {}
    void add() override {
      count_ += 1;
      at_0_ += problem_.value(Vector(sum_.size()));
      for (std::size_t i = 0; i < sum_.size(); ++i) sum_[i] += problem_.theta_[i];
    }
    [[nodiscard]] double value(std::span<const double> x) const override {
      double value = at_0_;
      for (std::size_t i = 0; i < x.size(); ++i) value += (count_ * x[i] / 2 - sum_[i]) * x[i];
      return value;
    }
    void gradient(std::span<const double> x, std::span<double> gradient) const override {
      for (std::size_t i = 0; i < x.size(); ++i) gradient[i] = count_ * x[i] - sum_[i];
    }

   private:
    const Turning& problem_;
    double count_ = 0;
    double at_0_ = 0;
    Vector sum_;  // of the targets
  };

  void realise(std::uint64_t t) override {
    const double angle = 2 * std::numbers::pi * static_cast<double>(t) / turn_;
    const std::span<const double> w = w_.direction(t);
    for (std::size_t i = 0; i < theta_.size(); ++i) {
      theta_[i] = 0.6 * (std::cos(angle) * a_[i] + std::sin(angle) * b_[i]) + 0.3 * w[i];
    }
    w_.normals(t, e_);
  }

  double turn_;
  Randomness w_;
  Vector a_;
  Vector b_;
  Vector theta_;
  Vector e_;
};

/// The regret of the players, and of the centre as the last, against the best point of each
/// segment.
Vector regrets(Problem& problem, const std::vector<Learner*>& players, std::uint64_t T) {
  Vector regret(players.size() + 1);
  Vector y(problem.set().dimension());
  auto total = problem.total();
  for (std::uint64_t t = 1; t <= T; ++t) {
    problem.draw(t);
    total->add();
    for (std::size_t i = 0; i < players.size(); ++i) {
      const PlayId id = players[i]->ask(y);
      const double loss = problem.value(y);
      players[i]->tell(id, loss);
      regret[i] += loss;
    }
    regret.back() += problem.value(problem.set().centre());
    if (t % problem.segment() > 0 && t < T) continue;
    const double best = best_fixed_point(problem.set(), *total, {.tolerance = 1e-2}).value;
    for (double& sum : regret) sum -= best;
    total = problem.total();
  }
  return regret;
}

/// mean x / mean y, and half of its interval by the delta method.
std::pair<double, double> relative(const Vector& x, const Vector& y) {
  const auto k = static_cast<double>(seeds);
  double of_x = 0;
  double of_y = 0;
  for (std::size_t i = 0; i < seeds; ++i) {
    of_x += x[i] / k;
    of_y += y[i] / k;
  }
  const double r = of_x / of_y;
  double squares = 0;
  for (std::size_t i = 0; i < seeds; ++i) squares += (x[i] - r * y[i]) * (x[i] - r * y[i]);
  return {r, student * std::sqrt(squares / (k - 1) / k) / of_y};
}

void print(const char* title, const std::function<std::unique_ptr<Problem>(ProblemSeed)>& make,
           const std::vector<Entry>& entries, std::uint64_t T) {
  std::vector<Vector> of_entry(entries.size() + 1);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const auto problem = make({seed});
    std::vector<std::unique_ptr<Learner>> learners;
    std::vector<Learner*> players;
    for (const Entry& entry : entries) {
      learners.push_back(
          std::make_unique<Learner>(entry.make(*problem), LearnerOptions{.seed = seed}));
      players.push_back(learners.back().get());
    }
    const Vector of_seed = regrets(*problem, players, T);
    for (std::size_t i = 0; i < of_seed.size(); ++i) of_entry[i].push_back(of_seed[i]);
  }
  std::printf("%s, %llu rounds, seeds 1 to %llu:\n\n| | regret over the centre's |\n|---|---|\n",
              title, static_cast<unsigned long long>(T), static_cast<unsigned long long>(seeds));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto [mean, half] = relative(of_entry[i], of_entry.back());
    std::printf("| %s | %.3f ± %.3f |\n", entries[i].name.c_str(), mean, half);
  }
  std::printf("\n");
}

/// The learner of a spec, with M and G from the problem.
Entry from_library(const std::string& spec) {
  return {"`" + spec + "`", [spec](const Problem& problem) {
            return std::get<std::unique_ptr<Algorithm>>(
                make_algorithm(spec, {.set = problem.shared_set(),
                                      .loss_bound = problem.bounds().loss,
                                      .gradient_bound = problem.bounds().gradient}));
          }};
}

/// delta, and a factor of the paper's eta for that delta.
Entry pbgd(const char* name, double T, double delta, double factor) {
  return {name, [=](const Problem& problem) {
            const double M = problem.bounds().loss;
            const double eta = factor * std::sqrt(7) * delta / (10 * M * std::sqrt(T));  // R = 1
            return std::make_unique<Pbgd>(
                problem.shared_set(),
                PbgdOptions{.loss_bound = M, .horizon = T, .delta = delta, .eta = eta});
          }};
}

/// delta, a factor of the paper's eta, the length of a block.
Entry loo_bbgd(const char* name, double T, double delta, double factor, double block) {
  return {name, [=](const Problem& problem) {
            const double eta = factor / std::sqrt(10) * std::pow(T, -0.75);  // R = 1
            return std::make_unique<LooBbgd>(
                problem.shared_set(), LooBbgdOptions{.loss_bound = problem.bounds().loss,
                                                     .delta = delta,
                                                     .eta = eta,
                                                     .block = static_cast<std::uint64_t>(block)});
          }};
}

/// The third and the fifth have settings chosen by hand on this problem, with the seeds 101 to 108.
void print_flips() {
  constexpr std::uint64_t rounds = 81920;
  const auto T = static_cast<double>(rounds);
  const double root = std::pow(T, -0.25);
  print(
      "tracking(ball(10), noise=0.1, flip=16384)",
      [](ProblemSeed seed) { return tracking(ball(10), {.noise = 0.1, .flip = window}, seed); },
      {pbgd("PBGD, the paper's constants", T, root, 1),
       pbgd("PBGD, its authors' program", T, std::sqrt(10) * root, 1),
       pbgd("PBGD, delta = 0.2, eta 12 times the paper's", T, 0.2, 12),
       loo_bbgd("LOO-BBGD, the paper's constants, delta = r/2", T, 0.5, 1, 60 * std::sqrt(T)),
       loo_bbgd("LOO-BBGD, delta = 0.2, eta 96 times the paper's, blocks of 1", T, 0.2, 96, 1),
       from_library("restarting(fkm, every=16384)"), from_library("parameter_free"),
       from_library("watchful(parameter_free)")},
      rounds);
}

void print_turn() {
  print(
      "The optimum turning steadily, once in 65536 rounds",
      [](ProblemSeed seed) { return std::make_unique<Turning>(ball(10), 4 * window, seed); },
      {from_library("parameter_free"), from_library("watchful(parameter_free)"),
       from_library("watchful(parameter_free(restarts=true))"),
       from_library("restarting(parameter_free, every=16384)")},
      std::uint64_t{1} << 17U);
}

/// parameter_free where nothing moves, with its test of changes and without.
void print_false_restarts() {
  constexpr std::uint64_t runs = 16;
  std::printf("tracking(ball(50)), 65536 rounds, seeds 1 to %llu, where nothing moves:\n\n",
              static_cast<unsigned long long>(runs));
  std::printf("| seed | restarts | `restarts=true` | `parameter_free` |\n|---|---|---|---|\n");
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    const auto problem = tracking(ball(50), {}, {seed});
    auto algorithm = parameter_free(problem->shared_set(), {.restarts = true});
    const auto& inside = dynamic_cast<const ParameterFreeAlgorithm&>(*algorithm);
    Learner with(std::move(algorithm), {.seed = seed});
    Learner without(parameter_free(problem->shared_set()), {.seed = seed});
    const Vector regret = regrets(*problem, {&with, &without}, std::uint64_t{1} << 16U);
    std::printf("| %llu | %llu | %.4f | %.4f |\n", static_cast<unsigned long long>(seed),
                static_cast<unsigned long long>(inside.status().restarts), regret[0] / regret[2],
                regret[1] / regret[2]);
  }
}

void run() {
  const auto begin = std::chrono::steady_clock::now();
  print_flips();
  print_turn();
  print_false_restarts();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  std::printf("\n%.1f seconds\n", taken.count());
}

}  // namespace
}  // namespace keyhole::bench

int main() { keyhole::bench::run(); }
