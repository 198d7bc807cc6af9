// The four quadrants of Table 1 of Chen, Zhang, Karbasi (AISTATS 2019): how the regret of a learner
// grows with the rounds, measured, next to the exponent of its theorem.
//
//                projection              linear minimisation
//   gradients    ogd, 1/2                ocg, 3/4, with either kind of constants
//   losses       fkm, 3/4                projection_free, 4/5
//
// Next to them one_shot, 2/3 for independent losses such as these, against the best point of the
// mean loss.
//
// Each T is a run of its own with the constants for that T, as the theorems have it (ogd knows no
// horizon). Regret is against the best fixed point in hindsight. The theorems bound the worst case:
// a problem may be kinder, and a measured slope smaller. A slope may also be larger than the
// exponent, up to 1, as long as T is too small for a learner with the theorem's small steps to get
// anywhere; the dimension is 2 and the constants are those that minimise the bounds, so that this
// phase is short.
//
// Then what came after the paper, bbcg and two_point, in ten dimensions and next to the numbers of
// their theorems: block_tables.h.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "block_tables.h"
#include "keyhole/keyhole.h"
#include "slopes.h"

namespace keyhole::bench {
namespace {

constexpr unsigned first_power = 8;
constexpr unsigned last_power = 16;
constexpr std::size_t n = 2;

/// A sequence of losses that shift with a random unit vector w_t, a pure function of (seed, t).
class Problem {
 public:
  Problem(std::string name, SetPtr set, double M, double G)
      : loss_bound(M),
        gradient_bound(G),
        name_(std::move(name)),
        set_(std::move(set)),
        w_(set_, 0, 0) {}
  virtual ~Problem() = default;

  const double loss_bound;
  const double gradient_bound;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const SetPtr& set() const { return set_; }

  /// Starts a run. Learners use stream 0 of their seed, problems stream 1.
  void begin(std::uint64_t seed) {
    w_ = Randomness(set_, seed, 1);
    sum_.assign(n, 0.0);
    sum_of_squares_ = 0;
    rounds_ = 0;
  }

  /// f_t(x) and its gradient at x. Rounds must come in order.
  double loss(std::uint64_t t, std::span<const double> x, std::span<double> gradient) {
    draw(w_.direction(t), drawn_);
    for (std::size_t i = 0; i < n; ++i) {
      sum_[i] += drawn_[i];
      sum_of_squares_ += drawn_[i] * drawn_[i];
    }
    ++rounds_;
    return value(drawn_, x, gradient);
  }

  /// The least total loss of a fixed point over the rounds so far, from the sums of what was drawn.
  [[nodiscard]] virtual double best_total() const = 0;

 protected:
  virtual void draw(std::span<const double> w, std::span<double> drawn) const = 0;
  [[nodiscard]] virtual double value(std::span<const double> drawn, std::span<const double> x,
                                     std::span<double> gradient) const = 0;

  [[nodiscard]] const Vector& sum() const { return sum_; }
  [[nodiscard]] double sum_of_squares() const { return sum_of_squares_; }
  [[nodiscard]] double rounds() const { return static_cast<double>(rounds_); }

 private:
  std::string name_;
  SetPtr set_;
  Randomness w_;
  Vector drawn_ = Vector(n);
  Vector sum_ = Vector(n);
  double sum_of_squares_ = 0;
  std::uint64_t rounds_ = 0;
};

/// f_t(x) = 1/2 ||x - theta_t||^2 on the unit ball, theta_t = 0.6 e_1 + 0.3 w_t.
class Tracking final : public Problem {
 public:
  Tracking() : Problem("tracking on ball(2)", ball(n), 1.9 * 1.9 / 2, 1.9) {}

  // The best point is the mean of the targets, which is in the ball: 1/2 (sum ||theta||^2 - ||sum
  // theta||^2 / T).
  [[nodiscard]] double best_total() const override {
    double square = 0;
    for (const double coordinate : sum()) square += coordinate * coordinate;
    return (sum_of_squares() - square / rounds()) / 2;
  }

 protected:
  void draw(std::span<const double> w, std::span<double> theta) const override {
    for (std::size_t i = 0; i < n; ++i) theta[i] = (i == 0 ? 0.6 : 0) + 0.3 * w[i];
  }
  [[nodiscard]] double value(std::span<const double> theta, std::span<const double> x,
                             std::span<double> gradient) const override {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      gradient[i] = x[i] - theta[i];
      sum += gradient[i] * gradient[i];
    }
    return sum / 2;
  }
};

/// f_t(x) = c_t . x on [-1, 1]^n, c_t = (1, ..., 1) / sqrt n + w_t: the best point is a vertex.
class Linear final : public Problem {
 public:
  Linear() : Problem("linear on box(-1, 1, 2)", box(-1, 1, n), 2 * std::sqrt(1.0 * n), 2) {}

  [[nodiscard]] double best_total() const override {
    double total = 0;
    for (const double coordinate : sum()) total -= std::abs(coordinate);
    return total;
  }

 protected:
  void draw(std::span<const double> w, std::span<double> c) const override {
    for (std::size_t i = 0; i < n; ++i) c[i] = 1 / std::sqrt(1.0 * n) + w[i];
  }
  [[nodiscard]] double value(std::span<const double> c, std::span<const double> x,
                             std::span<double> gradient) const override {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      gradient[i] = c[i];
      sum += c[i] * x[i];
    }
    return sum;
  }
};

void tell(Learner& learner, PlayId id, double loss, const Vector& /*gradient*/) {
  learner.tell(id, loss);
}
void tell(GradientLearner& learner, PlayId id, double /*loss*/, const Vector& gradient) {
  learner.tell(id, gradient);
}

template <class AnyLearner>
double regret(AnyLearner learner, Problem& problem, std::uint64_t T, std::uint64_t seed) {
  Vector x(n);
  Vector gradient(n);
  double total = 0;
  problem.begin(seed);
  for (std::uint64_t t = 1; t <= T; ++t) {
    const PlayId id = learner.ask(x);
    const double loss = problem.loss(t, x, gradient);
    total += loss;
    tell(learner, id, loss, gradient);
  }
  return total - problem.best_total();
}

/// The c of projection_free that minimises the leading term of its bound, sqrt2 n M D / c + c G (3
/// + R / r). It is allowed from T = 256 on, where c T^(-1/5) <= r here.
double best_c(const Problem& problem) {
  const Geometry& geometry = problem.set()->geometry();
  const double rising =
      problem.gradient_bound * (3 + geometry.outer_radius / geometry.inner_radius);
  return std::sqrt(std::sqrt(2.0) * n * problem.loss_bound * geometry.diameter / rising);
}

/// One quadrant: the regret after T rounds with a seed.
struct Quadrant {
  const char* name;
  const char* exponent;
  std::function<double(Problem& problem, std::uint64_t T, std::uint64_t seed)> regret;
};

std::vector<Quadrant> quadrants() {
  return {
      {"ogd", "1/2",
       [](Problem& problem, std::uint64_t T, std::uint64_t seed) {
         return regret(
             GradientLearner(ogd(problem.set(), {.gradient_bound = problem.gradient_bound}),
                             {.seed = seed}),
             problem, T, seed);
       }},
      {"fkm", "3/4",
       [](Problem& problem, std::uint64_t T, std::uint64_t seed) {
         return regret(Learner(fkm(problem.set(), {.loss_bound = problem.loss_bound,
                                                   .gradient_bound = problem.gradient_bound,
                                                   .horizon = T}),
                               {.seed = seed}),
                       problem, T, seed);
       }},
      {"ocg", "3/4",
       [](Problem& problem, std::uint64_t T, std::uint64_t seed) {
         return regret(GradientLearner(ocg(problem.set(), {.gradient_bound = problem.gradient_bound,
                                                           .horizon = T}),
                                       {.seed = seed}),
                       problem, T, seed);
       }},
      {"ocg (optimized)", "3/4",
       [](Problem& problem, std::uint64_t T, std::uint64_t seed) {
         return regret(GradientLearner(ocg(problem.set(), {.gradient_bound = problem.gradient_bound,
                                                           .horizon = T,
                                                           .constants = OcgConstants::optimized}),
                                       {.seed = seed}),
                       problem, T, seed);
       }},
      {"one_shot", "2/3",
       [](Problem& problem, std::uint64_t T, std::uint64_t seed) {
         return regret(GradientLearner(one_shot(problem.set()), {.seed = seed}), problem, T, seed);
       }},
      {"projection_free", "4/5",
       [](Problem& problem, std::uint64_t T, std::uint64_t seed) {
         return regret(
             Learner(projection_free(problem.set(), {.loss_bound = problem.loss_bound,
                                                     .gradient_bound = problem.gradient_bound,
                                                     .horizon = T,
                                                     .c = best_c(problem)}),
                     {.seed = seed}),
             problem, T, seed);
       }},
  };
}

void print_table(Problem& problem) {
  const std::vector<Quadrant> all = quadrants();
  std::printf("%s, regret, mean of %d runs and 95 %% interval\n%10s", problem.name().c_str(),
              static_cast<int>(seeds), "T");
  for (const Quadrant& quadrant : all) std::printf("%22s", quadrant.name);
  std::printf("\n");
  std::vector<Regrets> regrets(all.size());
  for (unsigned power = first_power; power <= last_power; ++power) {
    const std::uint64_t T = std::uint64_t{1} << power;
    std::printf("%10llu", static_cast<unsigned long long>(T));
    for (std::size_t q = 0; q < all.size(); ++q) {
      Vector runs;
      for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        runs.push_back(all[q].regret(problem, T, seed));
      }
      std::printf("%13.2f +- %5.2f", mean_without(runs, seeds), half_interval(runs));
      std::fflush(stdout);
      regrets[q].push_back(std::move(runs));
    }
    std::printf("\n");
  }
  const auto print_slopes = [&](const char* title, std::size_t from) {
    std::printf("%10s", title);
    for (const Regrets& all_T : regrets) {
      const Regrets some(all_T.begin() + static_cast<std::ptrdiff_t>(from), all_T.end());
      std::printf("%13.3f +- %5.3f", slope(some, seeds), slope_half_interval(some));
    }
    std::printf("\n");
  };
  print_slopes("slope", 0);
  print_slopes("from 2^12", 12 - first_power);
  std::printf("%10s", "theory");
  for (const Quadrant& quadrant : all) std::printf("%22s", quadrant.exponent);
  std::printf("\n\n");
}

void run() {
  const auto begin = std::chrono::steady_clock::now();
  Tracking tracking;
  Linear linear;
  for (Problem* problem : std::vector<Problem*>{&tracking, &linear}) print_table(*problem);
  print_block_tables();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  std::printf("%.1f seconds\n", taken.count());
}

}  // namespace
}  // namespace keyhole::bench

int main() { keyhole::bench::run(); }
