// What a call of the dense polytope oracle costs in the dynamics of a real run, next to CLP and
// GLPK on the same directions. The set is {0 <= x <= 1, A x <= 1} with A uniform on [0, 1], the
// loss of a round 1/2 ||G x||^2 + <w, x> with standard normal G and w, and the learner
// projection_free with the constants of its theorem. CLP and GLPK keep their bases from call to
// call; Keyhole starts afresh, which makes the answer a pure function of the direction.
//
// With the argument --json: the figures by name, nanoseconds where they are times.

#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <random>
#include <string>
#include <utility>

#include "keyhole/keyhole.h"
#include "math/programs/bounded_simplex.h"
#include "polytope_parts.h"
#include "polytope_peers.h"
#include "timing.h"

namespace keyhole::bench {
namespace {

using Vector = std::vector<double>;
using Clock = std::chrono::steady_clock;

double nanoseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
}

/// Calls of the peers are so long that other programs would come in between.
double processor_nanoseconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

/// The polytope, with an oracle that keeps the directions it is asked and the time they take.
class Timed final : public Set {
 public:
  explicit Timed(SetPtr set)
      : Set(set->dimension(), set->hull_dimension(), set->geometry()), set_(std::move(set)) {}

  class TimedOracle final : public Oracle {
   public:
    explicit TimedOracle(const Timed& timed) : timed_(timed), oracle_(timed.set_->oracle()) {}
    const Vertex& do_minimise(std::span<const double> direction) override {
      const auto begin = Clock::now();
      const Vertex& vertex = oracle_->minimise(direction);
      timed_.times.push_back(nanoseconds_since(begin));
      timed_.directions.insert(timed_.directions.end(), direction.begin(), direction.end());
      return vertex;
    }
    void settle(std::span<double> point) override { oracle_->settle(point); }

   private:
    const Timed& timed_;
    std::unique_ptr<Oracle> oracle_;
  };

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<TimedOracle>(*this);
  }
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return set_->contains(x);
  }
  [[nodiscard]] std::string spec() const override { return set_->spec(); }

  mutable Vector times;
  mutable Vector directions;  // one after the other

 private:
  SetPtr set_;
};

/// As the oracle has them: rows times powers of two.
math::LinearConstraints scaled(const PolytopeConstraints& given) {
  math::LinearConstraints k{.columns = given.n,
                            .inequalities = given.inequalities.right.size(),
                            .rows = given.inequalities.dense,
                            .right = given.inequalities.right,
                            .lower = given.lower,
                            .upper = given.upper};
  for (std::size_t i = 0; i < k.right.size(); ++i) {
    const double factor = std::ldexp(1.0, -std::ilogb(math::norm(k.row(i))));
    for (std::size_t j = 0; j < k.columns; ++j) k.rows[i * k.columns + j] *= factor;
    k.right[i] *= factor;
  }
  return k;
}

struct Size {
  std::size_t n;
  std::size_t rows;
  std::size_t peer_calls;  // CLP and GLPK take their time
};

using Figures = std::vector<std::pair<std::string, double>>;

Figures measure(const Size& size, std::uint64_t rounds) {
  const auto [n, rows, peer_calls] = size;
  std::mt19937_64 engine(11);
  std::uniform_real_distribution<double> uniform;
  std::normal_distribution<double> normal;
  PolytopeConstraints k{.n = n, .lower = Vector(n, 0.0), .upper = Vector(n, 1.0)};
  k.inequalities.right.assign(rows, 1.0);
  for (std::size_t i = 0; i < rows * n; ++i) k.inequalities.dense.push_back(uniform(engine));
  const SetPtr polytope = keyhole::polytope(k);
  const auto set = std::make_shared<Timed>(polytope);
  Learner learner(projection_free(set, {.loss_bound = static_cast<double>(n), .horizon = rounds}));
  Vector x(n);
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    const PlayId id = learner.ask(x);
    double loss = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double of_row = 0;
      for (const double coordinate : x) of_row += normal(engine) * coordinate;
      loss += of_row * of_row / 2 + normal(engine) * x[i];
    }
    learner.tell(id, loss);
  }

  // Once more the directions of the run, one after the other, and a stretch of it for all three.
  const std::size_t calls = set->times.size();
  const auto direction = [&](std::size_t i) {
    return std::span<const double>(set->directions).subspan(i * n, n);
  };
  const std::unique_ptr<Oracle> oracle = polytope->oracle();
  const auto timed = [&](std::size_t begin, std::size_t end, Vector& values) {
    Vector times;
    for (std::size_t i = begin; i < end; ++i) {
      const auto start = Clock::now();
      const Vertex& vertex = oracle->minimise(direction(i));
      times.push_back(nanoseconds_since(start));
      values.push_back(vertex.dot(direction(i)));
    }
    return median(times);
  };
  const auto timed_peer = [&](std::size_t begin, std::size_t end, auto minimum, Vector& values) {
    Vector times;
    for (std::size_t i = begin; i < end; ++i) {
      const double start = processor_nanoseconds();
      const double value = minimum(direction(i));
      times.push_back(processor_nanoseconds() - start);
      values.push_back(value);
    }
    return median(times);
  };
  const std::size_t first = (calls - peer_calls) / 2;
  Vector values;
  Vector clp_values;
  Vector glpk_values;
  Vector unused;
  Figures figures;
  figures.emplace_back("in the run", median(set->times));
  figures.emplace_back("all calls", timed(0, calls, unused));
  figures.emplace_back("keyhole", timed(first, first + peer_calls, values));
  Clp clp(k.inequalities.dense, rows, n);
  const auto by_clp = [&](std::span<const double> c) { return clp.minimum(c); };
  figures.emplace_back("clp", timed_peer(first, first + peer_calls, by_clp, clp_values));
  Glpk glpk(k.inequalities.dense, rows, n);
  const auto by_glpk = [&](std::span<const double> c) { return glpk.minimum(c); };
  figures.emplace_back("glpk", timed_peer(first, first + peer_calls, by_glpk, glpk_values));
  double clp_off = 0;
  double glpk_off = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double length = math::norm(direction(first + i));
    if (length == 0) continue;
    clp_off = std::max(clp_off, std::abs(clp_values[i] - values[i]) / length);
    glpk_off = std::max(glpk_off, std::abs(glpk_values[i] - values[i]) / length);
  }
  figures.emplace_back("clp differs", clp_off);
  figures.emplace_back("glpk differs", glpk_off);
  const auto a_call = [&](std::size_t all) {
    return static_cast<double>(all) / static_cast<double>(peer_calls);
  };
  figures.emplace_back("clp steps", a_call(clp.iterations()));
  figures.emplace_back("glpk steps", a_call(glpk.iterations()));

  const math::LinearConstraints constraints = scaled(k);
  math::BoundedSimplex simplex(constraints);
  std::size_t steps = 0;
  for (std::size_t i = 0; i < calls; ++i) {
    (void)simplex.minimise(direction(i));
    steps += simplex.iterations();
  }
  const double steps_a_call = static_cast<double>(steps) / static_cast<double>(calls);
  figures.emplace_back("steps", steps_a_call);
  Dissection dissection(constraints);
  const Parts parts = dissection.measure(std::span(set->directions).subspan(first * n, 64 * n),
                                         static_cast<std::size_t>(steps_a_call));
  figures.emplace_back("pricing", parts.pricing);
  figures.emplace_back("column", parts.column);
  figures.emplace_back("ratio test", parts.ratio_test);
  figures.emplace_back("exchange", parts.exchange);
  figures.emplace_back("vertex", parts.vertex);
  figures.emplace_back("rows kept", parts.rows_kept);
  const auto kept = static_cast<std::size_t>(std::lround(parts.rows_kept));
  figures.emplace_back("floor of a step", combination_floor(kept - 2, rows) +
                                              parts.slacks_leave * combination_floor(kept - 2, n) +
                                              update_floor(kept, n));
  figures.emplace_back("floor of a whole tableau", update_floor(rows + 1, n));
  return figures;
}

}  // namespace
}  // namespace keyhole::bench

int main(int count, char** arguments) {
  using keyhole::bench::Size;
  constexpr std::uint64_t rounds = 4096;
  const bool json = count > 1 && std::strcmp(arguments[1], "--json") == 0;
  std::printf("%s", json ? "{" : "4096 rounds of projection_free; nanoseconds, medians\n");
  const char* separator = "\n";
  for (const Size& size :
       {Size{10, 10, 2048}, Size{50, 8, 1024}, Size{50, 50, 512}, Size{100, 100, 256}}) {
    const std::string name = std::to_string(size.rows) + "x" + std::to_string(size.n);
    if (!json) std::printf("\n%s\n", name.c_str());
    for (const auto& [what, value] : keyhole::bench::measure(size, rounds)) {
      if (json) {
        std::printf("%s  \"%s/%s\": %.6g", separator, what.c_str(), name.c_str(), value);
        separator = ",\n";
      } else {
        std::printf("  %-26s %12.6g\n", what.c_str(), value);
      }
    }
  }
  if (json) std::printf("\n}\n");
  return 0;
}
