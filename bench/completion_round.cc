// How long a round of matrix completion takes: projection_free with the theorem's constants on
// 20 x 20 matrices of nuclear norm 18. The loss of a round is 1/2 sum (X_ij - (N'N)_ij)^2 over the
// entries seen, N of 18 x 20 normals and an entry seen with probability 1/2. The simulation, the
// learner (ask and tell) and its oracle are timed apart: the learner on the recorded losses, the
// oracle on the recorded directions. Microseconds of processor time a round, medians of 9 runs.

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "figures.h"
#include "keyhole/keyhole.h"
#include "math/random/ars.h"
#include "math/random/gaussian.h"
#include "math/sums.h"
#include "timing.h"

namespace keyhole::bench {
namespace {

constexpr std::size_t n = 20;
constexpr std::size_t rank = 18;
constexpr std::uint64_t rounds = 4096;
constexpr std::size_t repeats = 9;

/// The set, whose oracles remember the directions that they are given.
class Recording final : public Set {
 public:
  explicit Recording(SetPtr set)
      : Set(set->dimension(), set->hull_dimension(), set->geometry()), set_(std::move(set)) {}

  class Recorder final : public Oracle {
   public:
    Recorder(std::unique_ptr<Oracle> oracle, std::vector<std::vector<double>>& directions)
        : oracle_(std::move(oracle)), directions_(directions) {}
    const Vertex& do_minimise(std::span<const double> direction) override {
      directions_.emplace_back(direction.begin(), direction.end());
      return oracle_->minimise(direction);
    }

   private:
    std::unique_ptr<Oracle> oracle_;
    std::vector<std::vector<double>>& directions_;
  };

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<Recorder>(set_->oracle(), directions_);
  }
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return set_->contains(x);
  }
  void flatten(std::span<double> direction) const override { set_->flatten(direction); }
  [[nodiscard]] std::string spec() const override { return set_->spec(); }

  [[nodiscard]] const std::vector<std::vector<double>>& directions() const { return directions_; }

 private:
  SetPtr set_;
  mutable std::vector<std::vector<double>> directions_;
};

/// The matrices to complete and what is seen of them, drawn beforehand and met in turn.
class Completion {
 public:
  Completion() {
    std::vector<double> normals(rank * n);
    std::vector<double> coins(n * n);
    for (std::uint64_t k = 0; k < count; ++k) {
      math::gaussians(math::Ars(7, 0), k, 0, normals);
      math::gaussians(math::Ars(7, 1), k, 0, coins);
      std::vector<double> matrix(n * n);
      std::vector<double> seen(n * n);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          for (std::size_t r = 0; r < rank; ++r) {
            matrix[i * n + j] += normals[r * n + i] * normals[r * n + j];
          }
          seen[i * n + j] = coins[std::min(i, j) * n + std::max(i, j)] > 0 ? 1 : 0;
        }
      }
      const double farthest = math::norm(matrix) + rank;
      loss_bound_ = std::max(loss_bound_, farthest * farthest / 2);
      matrices_.push_back(std::move(matrix));
      seen_.push_back(std::move(seen));
    }
  }

  /// Above the loss of every X of norm up to 18.
  [[nodiscard]] double loss_bound() const { return loss_bound_; }

  [[nodiscard]] double loss(std::uint64_t t, std::span<const double> x) const {
    const double* const matrix = matrices_[t % count].data();
    const double* const seen = seen_[t % count].data();
    return 0.5 * math::reduce(n * n, [&](std::size_t i) {
             return (x[i] - matrix[i]) * (x[i] - matrix[i]) * seen[i];
           });
  }

 private:
  static constexpr std::uint64_t count = 64;
  std::vector<std::vector<double>> matrices_;
  std::vector<std::vector<double>> seen_;
  double loss_bound_ = 0;
};

/// The median over the repeats of the microseconds that a round of run() takes.
template <class Run>
double microseconds_a_round(Run run) {
  std::vector<double> times;
  for (std::size_t k = 0; k < repeats; ++k) {
    const double start = processor_microseconds();
    run();
    times.push_back((processor_microseconds() - start) / static_cast<double>(rounds));
  }
  return median(std::move(times));
}

void add_set(Figures& figures, const std::string& name, const SetPtr& set,
             const Completion& problem) {
  const auto learner_on = [&](const SetPtr& k) {
    return Learner(projection_free(k, {.loss_bound = problem.loss_bound(), .horizon = rounds}),
                   {.seed = 1});
  };
  std::vector<double> x(n * n);
  std::vector<double> losses(rounds);
  const auto recording = std::make_shared<Recording>(set);
  Learner recorded = learner_on(recording);
  double total = 0;
  for (std::uint64_t t = 0; t < rounds; ++t) {
    const PlayId id = recorded.ask(x);
    losses[t] = problem.loss(t, x);
    recorded.tell(id, losses[t]);
    total += losses[t];
  }

  double sink = 0;
  const double whole = microseconds_a_round([&] {
    Learner learner = learner_on(set);
    for (std::uint64_t t = 0; t < rounds; ++t) {
      const PlayId id = learner.ask(x);
      learner.tell(id, problem.loss(t, x));
    }
  });
  const double learner_alone = microseconds_a_round([&] {
    Learner learner = learner_on(set);
    for (std::uint64_t t = 0; t < rounds; ++t) {
      const PlayId id = learner.ask(x);
      learner.tell(id, losses[t]);
    }
  });
  const double simulation = microseconds_a_round([&] {
    for (std::uint64_t t = 0; t < rounds; ++t) sink += problem.loss(t, x);
  });
  const auto oracle = set->oracle();
  const double oracle_alone = microseconds_a_round([&] {
    for (const auto& direction : recording->directions()) {
      const Vertex& vertex = oracle->minimise(direction);
      if (!vertex.left.empty()) sink += vertex.left[0];
    }
  });
  const math::Ars generator(1, 0);
  std::uint64_t id = 0;
  const double draws = microseconds_a_round([&] {
    for (std::uint64_t t = 0; t < rounds; ++t) {
      math::gaussians(generator, id++, 0, x);
      sink += x[0];
    }
  });
  figures.add("round " + name, learner_alone);
  figures.add("round and simulation " + name, whole);
  figures.add("simulation " + name, simulation);
  figures.add("oracle " + name, oracle_alone);
  figures.add("normal numbers " + name, draws);
  figures.add("mean loss " + name, total / static_cast<double>(rounds));
  if (sink == 0.125) std::printf("\n");
}

}  // namespace
}  // namespace keyhole::bench

int main(int count, char** arguments) {
  using namespace keyhole;
  const bench::Completion problem;
  bench::Figures figures;
  bench::add_set(figures, "psd_trace_ball", psd_trace_ball(bench::n, bench::rank), problem);
  bench::add_set(figures, "symmetric_nuclear_ball", symmetric_nuclear_ball(bench::n, bench::rank),
                 problem);
  bench::add_set(figures, "nuclear_ball", nuclear_ball(bench::n, bench::n, bench::rank), problem);
  figures.print(bench::wants_json(count, arguments));
  return 0;
}
