#pragma once

// What every problem must keep, checked by slow and independent means.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "keyhole/keyhole.h"
#include "random.h"
#include "slow_set.h"

namespace keyhole::tests {

/// A random point of the set: a vertex, or a random convex combination of some and the centre.
inline Vector random_point(const Set& set, Random& random, bool vertex = false) {
  const auto oracle = set.oracle();
  Vector x(set.dimension());
  oracle->minimise(random.normals(set.dimension())).write_to(x);
  if (vertex) return x;
  const double share = random.uniform();
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = share * x[i] + (1 - share) * set.centre()[i];
  }
  Vector other(x.size());
  oracle->minimise(random.normals(set.dimension())).write_to(other);
  x = combine(0.7, x, 0.3, other);
  oracle->settle(x);
  return x;
}

/// The slope of f at x along d is <gradient, d>: central differences, exact for quadratics but for
/// rounding.
template <class Loss>
void check_gradient(const Loss& f, std::span<const double> x, std::span<const double> d,
                    double tolerance = 1e-7) {
  Vector g(x.size());
  f.gradient(x, g);
  const double h = 1e-4;
  const double high = f.value(combine(1, x, h, d));
  const double low = f.value(combine(1, x, -h, d));
  const double size = 1 + std::abs(high) + std::sqrt(inner(g, g) * inner(d, d));
  EXPECT_NEAR((high - low) / (2 * h), inner(g, d), tolerance * size);
}

/// Values, gradients, sums and their line minima, on random points and rounds.
inline void check_problem(Problem& problem, std::uint64_t seed = 1) {
  SCOPED_TRACE(problem.spec());
  Random random(seed);
  const Set& set = problem.set();
  const std::size_t n = set.dimension();
  const std::uint64_t rounds = std::min<std::uint64_t>(problem.rounds(), 40);

  // Pure: any order, any number of times.
  const Vector x = random_point(set, random);
  std::vector<double> values;
  std::vector<Vector> gradients(rounds, Vector(n));
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    problem.draw(t);
    EXPECT_EQ(problem.drawn(), t);
    values.push_back(problem.value(x));
    problem.gradient(x, gradients[t - 1]);
  }
  for (std::uint64_t t = rounds; t >= 1; --t) {
    problem.draw(t);
    EXPECT_EQ(problem.value(x), values[t - 1]) << t;
    Vector g(n);
    problem.gradient(x, g);
    EXPECT_EQ(g, gradients[t - 1]) << t;
  }

  // Gradients; convexity along a chord.
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    problem.draw(t);
    const Vector a = random_point(set, random);
    const Vector b = random_point(set, random);
    check_gradient(problem, a, combine(0.5, b, -0.5, a));
    const double middle = problem.value(combine(0.5, a, 0.5, b));
    const double chord = (problem.value(a) + problem.value(b)) / 2;
    EXPECT_LE(middle, chord + 1e-12 * (1 + std::abs(chord)));
  }

  // Bounds: no loss and no gradient that is seen exceeds them; estimates, hardly any.
  const LossBounds bounds = problem.bounds();
  const auto oracle = set.oracle();
  std::uint64_t seen = 0;
  std::uint64_t exceeded = 0;
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    problem.draw(t);
    for (int k = 0; k < 10; ++k) {
      Vector v = random_point(set, random, k % 2 == 0);
      Vector g(n);
      problem.gradient(v, g);
      set.flatten(g);
      exceeded += std::abs(problem.value(v)) > bounds.loss ? 1 : 0;
      exceeded += std::sqrt(inner(g, g)) > bounds.gradient ? 1 : 0;
      for (double& slope : g) slope *= k < 5 ? -1 : 1;  // the worst vertex by the slope; the best
      oracle->minimise(g).write_to(v);
      exceeded += std::abs(problem.value(v)) > bounds.loss ? 1 : 0;
      seen += 3;
    }
  }
  EXPECT_LE(exceeded, bounds.proven ? 0 : seen / 50);

  // The sum against the losses drawn again; some rounds twice, some never.
  const auto total = problem.total();
  const auto slow = problem.Problem::total();
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    problem.draw(t * t % rounds + 1);
    total->add();
    slow->add();
    const Vector a = random_point(set, random);
    const double value = slow->value(a);
    double size = 0;
    for (std::uint64_t s = 1; s <= t; ++s) {
      problem.draw(s * s % rounds + 1);
      size += std::abs(problem.value(a));
    }
    EXPECT_NEAR(total->value(a), value, 1e-11 * (1 + size));
    Vector g(n);
    Vector slow_g(n);
    total->gradient(a, g);
    slow->gradient(a, slow_g);
    EXPECT_LE(distance(g, slow_g), 1e-11 * (1 + std::sqrt(inner(slow_g, slow_g)) + size));
    // The least along a line, against the method of the base.
    const Vector d = combine(1, random_point(set, random), -1, a);
    for (const double longest : {0.05, 1.0}) {
      const double step = total->line_minimum(a, d, longest);
      EXPECT_GE(step, 0);
      EXPECT_LE(step, longest);
      const double ours = total->value(combine(1, a, step, d));
      const double base = total->value(combine(1, a, slow->line_minimum(a, d, longest), d));
      EXPECT_NEAR(ours, base, 1e-11 * (1 + size));
      for (const double other : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        EXPECT_LE(ours, total->value(combine(1, a, other * longest, d)) + 1e-11 * (1 + size));
      }
    }
  }
}

/// The sum of the losses of rounds 1 to T, and the mean magnitude of those of the centre.
struct Played {
  std::unique_ptr<TotalLoss> total;
  double centre_loss = 0;
};

inline Played play(Problem& problem, std::uint64_t T) {
  Played played{problem.total(), 0};
  for (std::uint64_t t = 1; t <= T; ++t) {
    problem.draw(t);
    played.total->add();
    played.centre_loss += std::abs(problem.value(problem.set().centre())) / static_cast<double>(T);
  }
  return played;
}

}  // namespace keyhole::tests
