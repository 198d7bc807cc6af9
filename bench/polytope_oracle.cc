// What a call of the dense polytope oracle costs in the dynamics of a real run, beside CLP on the
// same directions. The set is {0 <= x <= 1, A x <= 1} with A uniform on [0, 1], the loss of a round
// 1/2 ||G x||^2 + <w, x> with standard normal G and w, and the learner projection_free with the
// constants of its theorem. CLP keeps its basis and its factorisation from call to call
// (primal(0, 7)), as fast as it can be had; Keyhole starts afresh, which makes the answer a pure
// function of the direction.

#include <ClpSimplex.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
#include <utility>
#include <vector>

#include "keyhole/keyhole.h"

namespace {

using Vector = std::vector<double>;
using Clock = std::chrono::steady_clock;

double microseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

double median(Vector values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The polytope, with an oracle that keeps the directions it is asked and the time they take.
class Timed final : public keyhole::Set {
 public:
  explicit Timed(keyhole::SetPtr set)
      : Set(set->dimension(), set->hull_dimension(), set->geometry()), set_(std::move(set)) {}

  class TimedOracle final : public keyhole::Oracle {
   public:
    explicit TimedOracle(const Timed& timed) : timed_(timed), oracle_(timed.set_->oracle()) {}
    const keyhole::Vertex& minimise(std::span<const double> direction) override {
      const auto begin = Clock::now();
      const keyhole::Vertex& vertex = oracle_->minimise(direction);
      timed_.times.push_back(microseconds_since(begin));
      timed_.directions.emplace_back(direction.begin(), direction.end());
      timed_.values.push_back(vertex.dot(direction));
      return vertex;
    }
    void settle(std::span<double> point) override { oracle_->settle(point); }

   private:
    const Timed& timed_;
    std::unique_ptr<keyhole::Oracle> oracle_;
  };

  [[nodiscard]] std::unique_ptr<keyhole::Oracle> oracle() const override {
    return std::make_unique<TimedOracle>(*this);
  }
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return set_->contains(x);
  }
  [[nodiscard]] std::string spec() const override { return set_->spec(); }

  mutable Vector times;
  mutable Vector values;
  mutable std::vector<Vector> directions;

 private:
  keyhole::SetPtr set_;
};

/// CLP on the same rows, warm.
class Clp {
 public:
  Clp(const Vector& dense, std::size_t rows, std::size_t n) {
    std::vector<int> row_of;
    std::vector<int> column_of;
    for (std::size_t i = 0; i < dense.size(); ++i) {
      row_of.push_back(static_cast<int>(i / n));
      column_of.push_back(static_cast<int>(i % n));
    }
    const CoinPackedMatrix matrix(true, row_of.data(), column_of.data(), dense.data(),
                                  static_cast<CoinBigIndex>(dense.size()));
    const Vector zero(n, 0.0);
    const Vector one(std::max(n, rows), 1.0);
    const Vector none(rows, -COIN_DBL_MAX);
    model_.setLogLevel(0);
    model_.setPerturbation(100);
    model_.scaling(0);
    model_.loadProblem(matrix, zero.data(), one.data(), zero.data(), none.data(), one.data());
    model_.primal();
  }
  double minimum(const Vector& c) {
    std::copy(c.begin(), c.end(), model_.objective());
    model_.primal(0, 7);
    return model_.objectiveValue();
  }

 private:
  ClpSimplex model_;
};

void run(std::size_t n, std::size_t rows, std::uint64_t rounds) {
  std::mt19937_64 engine(11);
  std::uniform_real_distribution<double> uniform;
  std::normal_distribution<double> normal;
  keyhole::PolytopeConstraints k{.n = n, .lower = Vector(n, 0.0), .upper = Vector(n, 1.0)};
  k.inequalities.right.assign(rows, 1.0);
  for (std::size_t i = 0; i < rows * n; ++i) k.inequalities.dense.push_back(uniform(engine));
  const auto set = std::make_shared<Timed>(keyhole::polytope(k));
  keyhole::Learner learner(
      keyhole::projection_free(set, {.loss_bound = static_cast<double>(n), .horizon = rounds}));
  Vector x(n);
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    const keyhole::PlayId id = learner.ask(x);
    double loss = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double of_row = 0;
      for (const double coordinate : x) of_row += normal(engine) * coordinate;
      loss += of_row * of_row / 2 + normal(engine) * x[i];
    }
    learner.tell(id, loss);
  }
  Clp clp(k.inequalities.dense, rows, n);
  Vector clp_times;
  double off = 0;
  for (std::size_t i = 0; i < set->directions.size(); ++i) {
    const auto begin = Clock::now();
    const double value = clp.minimum(set->directions[i]);
    clp_times.push_back(microseconds_since(begin));
    double length = 0;
    for (const double c : set->directions[i]) length += c * c;
    if (length > 0) off = std::max(off, std::abs(value - set->values[i]) / std::sqrt(length));
  }
  const double ours = median(set->times);
  const double theirs = median(clp_times);
  std::printf("%9zu %6zu %14.2f %14.2f %8.1f %12.1e\n", n, rows, ours, theirs, theirs / ours, off);
}

}  // namespace

int main() {
  std::printf("median microseconds an oracle call, 4096 rounds of projection_free\n\n");
  std::printf("%9s %6s %14s %14s %8s %12s\n", "dimension", "rows", "keyhole", "CLP, warm", "ratio",
              "values differ");
  constexpr std::uint64_t rounds = 4096;
  run(10, 10, rounds);
  run(50, 8, rounds);
  run(50, 50, rounds);
  run(100, 100, rounds);
  return 0;
}
