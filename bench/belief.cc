// How far what the learner believes of its gain can be believed: belief.gain +- 2 gain_error next
// to the true gain, which is by how much what it recommends is better than the start, without
// noise.
//
//   bench_belief [RUNS] [SEED] [PROBLEM]
//
// RUNS runs (200) of 10,000 rounds of the default learner on each problem, or on those whose names
// begin with PROBLEM, with noise of 0.1, 0.5, 2 and 5 times what is to be gained. In the middle of
// each row is the share of the runs, in per cent, in which the true gain lay outside of 2 errors
// after 100, 300, 1,000 and 10,000 rounds. Behind it is the median of the error there, over the
// gain of the best point. Where there is nothing to gain both are over the noise.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "chance.h"
#include "keyhole/keyhole.h"

namespace {

using keyhole::bench::Chance;
using Vector = std::vector<double>;
using Loss = std::function<double(const Vector&)>;

struct Problem {
  keyhole::SetPtr set;
  Loss loss;          // without noise
  double gain = 0;    // of the best point over the centre
  bool bits = false;  // whether losses are 0 or 1, with that probability
  bool flat = false;  // whether there is nothing but noise
};

Vector uniforms(std::size_t n, double low, double high, Chance& chance) {
  Vector x(n);
  for (double& value : x) value = chance.uniform(low, high);
  return x;
}

/// sum f(x_i, i)
template <class F>
double sum_of(const Vector& x, F f) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += f(x[i], i);
  return sum;
}

/// The gain of the best point over the centre for losses with slopes, by conditional gradients.
double gain_of(const keyhole::SetPtr& set, const Loss& loss) {
  const auto oracle = set->oracle();
  const std::span<const double> centre = set->centre();
  Vector x(centre.begin(), centre.end());
  const double of_start = loss(x);
  Vector slopes(x.size());
  for (int k = 0; k < 300; ++k) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      Vector aside = x;
      aside[i] += 1e-6;
      const double above = loss(aside);
      aside[i] -= 2e-6;
      slopes[i] = above - loss(aside);
    }
    Vector vertex(x.size());
    oracle->minimise(slopes).write_to(vertex);
    const auto on_the_way = [&](double s) {
      Vector y = x;
      for (std::size_t i = 0; i < x.size(); ++i) y[i] += s * (vertex[i] - x[i]);
      return y;
    };
    double low = 0;
    double high = 1;
    for (int j = 0; j < 40; ++j) {
      const double third = (high - low) / 3;
      const bool nearer = loss(on_the_way(low + third)) < loss(on_the_way(high - third));
      (nearer ? high : low) += nearer ? -third : third;
    }
    x = on_the_way(low);
  }
  return of_start - loss(x);
}

double quadratic(const Vector& x, const Vector& c) {
  return sum_of(x, [&](double v, std::size_t i) { return (v - c[i]) * (v - c[i]); });
}
double kinks(const Vector& x, const Vector& c) {
  return sum_of(x, [&](double v, std::size_t i) { return std::abs(v - c[i]); });
}

Problem with_gain(const keyhole::SetPtr& set, Loss loss) {
  const double gain = gain_of(set, loss);
  return {set, std::move(loss), gain};
}
/// The same for losses whose least is 0 at a point of the set.
Problem down_to_0(const keyhole::SetPtr& set, Loss loss) {
  const double gain = loss(Vector(set->centre().begin(), set->centre().end()));
  return {set, std::move(loss), gain};
}

struct Case {
  const char* name;
  std::function<Problem(Chance&)> make;
};

const std::vector<Case> cases = {
    {"quadratic, box(4)",
     [](Chance& chance) {
       const Vector c = uniforms(4, 0, 1, chance);
       return down_to_0(keyhole::box(0, 1, 4), [c](const Vector& x) { return quadratic(x, c); });
     }},
    {"tied quadratic, box(4)",
     [](Chance& chance) {
       const Vector c = uniforms(4, 0, 1, chance);
       const Vector A = uniforms(16, -1, 1, chance);
       return down_to_0(keyhole::box(0, 1, 4), [c, A](const Vector& x) {
         return sum_of(x, [&](double, std::size_t i) {
           const double row =
               sum_of(x, [&](double v, std::size_t j) { return A[4 * i + j] * (v - c[j]); });
           return row * row;
         });
       });
     }},
    {"quadratic, ball(10)",
     [](Chance& chance) {
       const Vector c = uniforms(10, -0.4, 0.4, chance);
       return with_gain(keyhole::ball(10), [c](const Vector& x) { return quadratic(x, c); });
     }},
    {"logs, simplex(6)",
     [](Chance& chance) {
       const Vector c = uniforms(6, 0, 1, chance);
       return with_gain(keyhole::simplex(6), [c](const Vector& x) {
         return sum_of(x, [&](double v, std::size_t i) { return -c[i] * std::log(1 + 8 * v); });
       });
     }},
    {"linear, simplex(10)",
     [](Chance& chance) {
       const Vector c = uniforms(10, 0, 1, chance);
       return with_gain(keyhole::simplex(10), [c](const Vector& x) {
         return sum_of(x, [&](double v, std::size_t i) { return c[i] * v; });
       });
     }},
    {"linear, box(3)",
     [](Chance& chance) {
       const Vector c = uniforms(3, -1, 1, chance);
       return with_gain(keyhole::box(0, 1, 3), [c](const Vector& x) {
         return sum_of(x, [&](double v, std::size_t i) { return c[i] * v; });
       });
     }},
    {"kinks, box(3)",
     [](Chance& chance) {
       const Vector c = uniforms(3, 0, 1, chance);
       return down_to_0(keyhole::box(0, 1, 3), [c](const Vector& x) { return kinks(x, c); });
     }},
    {"kinks, simplex(5)",
     [](Chance& chance) {
       Vector c = uniforms(5, 0, 1, chance);
       const double all = sum_of(c, [](double v, std::size_t) { return v; });
       for (double& value : c) value /= all;
       return down_to_0(keyhole::simplex(5), [c](const Vector& x) { return kinks(x, c); });
     }},
    {"queues, simplex(4)",
     [](Chance& chance) {
       const Vector c = uniforms(4, 0, 1, chance);
       return with_gain(keyhole::simplex(4), [c](const Vector& x) {
         return sum_of(x, [&](double v, std::size_t i) { return v / (1.15 + c[i] - v); });
       });
     }},
    {"0/1 losses, box(4)",
     [](Chance& chance) {
       const Vector c = uniforms(4, 0, 1, chance);
       Problem found =
           down_to_0(keyhole::box(0, 1, 4), [c](const Vector& x) { return quadratic(x, c); });
       found.bits = true;
       return found;
     }},
    {"nothing, box(5)",
     [](Chance&) {
       return Problem{
           .set = keyhole::box(0, 1, 5), .loss = [](const Vector&) { return 0.0; }, .flat = true};
     }},
    {"start is best, box(5)",
     [](Chance&) {
       return Problem{.set = keyhole::box(0, 1, 5),
                      .loss = [](const Vector& x) { return quadratic(x, Vector(5, 0.5)); }};
     }},
};

constexpr std::array<double, 4> noises = {0.1, 0.5, 2, 5};
constexpr std::array<int, 4> looks = {100, 300, 1000, 10000};

/// What was seen at one look of one run.
struct Seen {
  bool outside = false;
  double error = 0;  // over the gain
};

std::array<Seen, looks.size()> play(const Problem& problem, double noise, std::uint64_t seed) {
  Chance chance(seed * 31 + 5);
  keyhole::Learner learner(problem.set, {.seed = seed});
  const double unit = problem.gain > 0 ? problem.gain : 1;
  const double of_start = problem.loss(learner.recommend());
  std::array<Seen, looks.size()> seen;
  std::size_t at = 0;
  Vector x(problem.set->dimension());
  for (int t = 1; at < looks.size(); ++t) {
    const keyhole::PlayId id = learner.ask(x);
    double loss = problem.loss(x);
    if (problem.bits) {
      // From 0.5 at the start, with a gain that the noise of 0.5 is so many times of.
      const double p = 0.5 + (loss - of_start) / unit * 0.5 / noise;
      loss = chance.uniform(0, 1) < p ? 1 : 0;
    } else {
      loss += noise * unit * chance.normal();
    }
    learner.tell(id, loss);
    if (t != looks[at]) continue;
    const keyhole::Belief belief = learner.status().belief;
    double truth = of_start - problem.loss(learner.recommend());
    double scale = problem.gain > 0 ? problem.gain : noise;
    if (problem.bits) {
      truth *= 0.5 / noise / unit;
      scale = 0.5 / noise;
    }
    // What is left are rounding errors.
    const double off = std::abs(belief.gain - truth) - 1e-9 * scale;
    seen[at] = {!(off <= 2 * belief.gain_error), belief.gain_error / scale};
    ++at;
  }
  return seen;
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 200;
  const std::uint64_t first_seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const std::string only = argc > 3 ? argv[3] : "";
  for (const Case& one : cases) {
    if (!std::string(one.name).starts_with(only)) continue;
    Chance any(0);
    const Problem example = one.make(any);
    for (const double noise : noises) {
      // A loss of 0 or 1 has no less noise, and where nothing is to be found its size is a unit.
      if (noise < 1 && (example.bits || example.flat)) continue;
      if (noise > 2 && example.flat) continue;
      std::array<int, looks.size()> outside{};
      std::array<Vector, looks.size()> errors;
      for (int run = 0; run < runs; ++run) {
        const std::uint64_t seed = first_seed * 100000 + static_cast<std::uint64_t>(run);
        Chance chance(seed);
        const auto seen = play(one.make(chance), noise, seed);
        for (std::size_t k = 0; k < looks.size(); ++k) {
          outside[k] += seen[k].outside ? 1 : 0;
          errors[k].push_back(seen[k].error);
        }
      }
      std::printf("| %-24s | %3g |", one.name, noise);
      for (const int count : outside) std::printf(" %4.1f", 100.0 * count / runs);
      std::printf(" |");
      for (Vector& error : errors) {
        std::nth_element(error.begin(), error.begin() + runs / 2, error.end());
        std::printf(" %5.3f", error[static_cast<std::size_t>(runs / 2)]);
      }
      std::printf(" |\n");
      std::fflush(stdout);
    }
  }
}
