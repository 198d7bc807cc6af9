// Conditional gradients, with line searches and fully corrective, against least points in closed
// form: the gap is a certificate.

#include "learners/conditional_gradient.h"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>

#include "keyhole/matroids.h"
#include "keyhole/sets.h"
#include "learners/parameter_free/corrective_gradient.h"
#include "slow_set.h"

namespace keyhole::tests {
namespace {

double value(const algorithms::DiagonalQuadratic& F, const Vector& z) {
  double sum = inner(F.linear, z);
  for (std::size_t i = 0; i < z.size(); ++i) {
    sum += F.weight * (z[i] - F.centre[i]) * (z[i] - F.centre[i]) / F.variance[i];
  }
  return sum;
}

/// What a run came to.
struct Outcome {
  algorithms::Certificate certificate;
  Vector z;
  int calls;
};

enum class Method { line_search, corrective };
constexpr std::initializer_list<Method> both = {Method::line_search, Method::corrective};

Outcome run(Method method, const Set& set, const algorithms::DiagonalQuadratic& F, Vector z,
            double tolerance, int most_calls) {
  const auto oracle = set.oracle();
  Vector gradient(z.size());
  Vector vertex(z.size());
  int calls = 0;
  const auto minimise = [&](std::span<const double> d) -> const Vertex& {
    ++calls;
    return oracle->minimise(d);
  };
  const algorithms::Certificate certificate =
      method == Method::line_search
          ? conditional_gradient(F, tolerance, most_calls, minimise, z, gradient, vertex)
          : algorithms::CorrectiveGradient(z.size()).find(F, tolerance, most_calls, minimise, z,
                                                          gradient, vertex);
  return {certificate, z, calls};
}

/// A quadratic on a set, and where it is least.
struct Instance {
  SetPtr set;
  Vector linear;
  double weight;
  Vector centre;
  Vector variance;
  Vector least;

  [[nodiscard]] algorithms::DiagonalQuadratic F() const {
    return {linear, weight, centre, variance};
  }
};

/// On a box each coordinate is least by itself.
Instance on_box(std::size_t n, Random& random) {
  const Twins twins = draw_twins(SlowSet::Kind::box, n, random);
  Instance made{twins.set, random.normals(n, 3), std::exp(random.normal()), twins.set->centre(), {},
                {}};
  for (std::size_t i = 0; i < n; ++i) {
    made.variance.push_back(std::exp(random.normal()));
    const double free = made.centre[i] - made.linear[i] * made.variance[i] / (2 * made.weight);
    made.least.push_back(std::min(std::max(free, twins.slow.lower[i]), twins.slow.upper[i]));
  }
  return made;
}

/// With equal variances it is least where the free minimum projects to.
Instance with_equal_variances(SlowSet::Kind kind, std::size_t n, Random& random) {
  const Twins twins = draw_twins(kind, n, random);
  Instance made{twins.set,
                random.normals(n, 3),
                std::exp(random.normal()),
                twins.set->centre(),
                Vector(n, std::exp(random.normal())),
                {}};
  const Vector free = combine(1, made.centre, -made.variance[0] / (2 * made.weight), made.linear);
  made.least = twins.slow.projected(free);
  return made;
}

std::vector<Instance> instances() {
  Random random(1);
  std::vector<Instance> all;
  for (const std::size_t n : {2U, 5U, 20U}) {
    for (int k = 0; k < 10; ++k) {
      all.push_back(on_box(n, random));
      for (const SlowSet::Kind kind : all_kinds) {
        all.push_back(with_equal_variances(kind, n, random));
      }
    }
  }
  return all;
}

TEST(ConditionalGradient, TheGapIsACertificate) {
  for (const Method method : both) {
    double largest_share = 0;
    for (const Instance& instance : instances()) {
      const algorithms::DiagonalQuadratic F = instance.F();
      const double least = value(F, instance.least);
      const double rounding = 1e-11 * (std::abs(least) + 1);
      for (const int most_calls : {1, 2, 5, 50}) {
        Outcome outcome = run(method, *instance.set, F, instance.centre, 0, most_calls);
        ASSERT_LE(outcome.calls, most_calls);
        instance.set->oracle()->settle(
            outcome.z);  // sums of vertices are in the set up to rounding
        ASSERT_TRUE(instance.set->contains(outcome.z)) << instance.set->spec();
        const double excess = value(F, outcome.z) - least;
        ASSERT_GE(excess, -rounding);
        ASSERT_LE(excess, outcome.certificate.gap + rounding) << instance.set->spec();
        if (most_calls == 2) {
          largest_share = std::max(largest_share, excess / outcome.certificate.gap);
        }
      }
    }
    EXPECT_GT(largest_share, 0.2);
  }
}

TEST(ConditionalGradient, ComesAsCloseAsIsAsked) {
  for (const Method method : both) {
    for (const Instance& instance : instances()) {
      const algorithms::DiagonalQuadratic F = instance.F();
      const double tolerance = 0.01 * (value(F, instance.centre) - value(F, instance.least)) + 1e-9;
      const Outcome outcome = run(method, *instance.set, F, instance.centre, tolerance, 100000);
      EXPECT_LE(outcome.certificate.gap, tolerance) << instance.set->spec();
      EXPECT_EQ(outcome.certificate.tolerance, tolerance);
      EXPECT_LE(value(F, outcome.z) - value(F, instance.least), tolerance + 1e-11);
      // Once it is close enough, one call says so, and the point stays. A correction makes use of
      // the last call too: its gap is that of the point before.
      if (method == Method::corrective) continue;
      const Outcome again = run(method, *instance.set, F, outcome.z, tolerance, 50);
      EXPECT_EQ(again.calls, 1);
      EXPECT_EQ(again.z, outcome.z);
    }
  }
}

TEST(ConditionalGradient, NoCallMakesItWorse) {
  for (const Instance& instance : instances()) {
    const algorithms::DiagonalQuadratic F = instance.F();
    Vector z = instance.centre;
    double of_corrected = value(F, z);
    for (int call = 0; call < 30; ++call) {
      const Outcome outcome = run(Method::line_search, *instance.set, F, z, 0, 1);
      ASSERT_LE(value(F, outcome.z), value(F, z) + 1e-12 * (1 + std::abs(value(F, z))));
      z = outcome.z;
      // The same run by one call more.
      const Vector corrected =
          run(Method::corrective, *instance.set, F, instance.centre, 0, call + 1).z;
      const double after = value(F, corrected);
      ASSERT_LE(after, of_corrected + 1e-12 * (1 + std::abs(of_corrected)));
      of_corrected = after;
    }
  }
}

TEST(ConditionalGradient, CorrectionsSaveCalls) {
  int of_line_searches = 0;
  int of_corrections = 0;
  for (const Instance& instance : instances()) {
    const algorithms::DiagonalQuadratic F = instance.F();
    const double tolerance = 0.01 * (value(F, instance.centre) - value(F, instance.least)) + 1e-9;
    const auto calls = [&](Method method) {
      return run(method, *instance.set, F, instance.centre, tolerance, 1000).calls;
    };
    of_line_searches += calls(Method::line_search);
    of_corrections += calls(Method::corrective);
  }
  EXPECT_LT(3 * of_corrections, of_line_searches);
}

/// The weights are right if F is least at each kept point that has weight, and nowhere less: the
/// hull of all vertices of a simplex of up to eight is the simplex.
TEST(ConditionalGradient, CorrectionsFindTheLeastPointOfTheHullOfTheirMemory) {
  Random random(2);
  for (int k = 0; k < 50; ++k) {
    const Instance instance = with_equal_variances(SlowSet::Kind::simplex, 8, random);
    const algorithms::DiagonalQuadratic F = instance.F();
    const double depth = value(F, instance.centre) - value(F, instance.least);
    const Outcome outcome =
        run(Method::corrective, *instance.set, F, instance.centre, 1e-9 * depth, 8 + 1);
    EXPECT_LE(value(F, outcome.z) - value(F, instance.least), 1e-8 * depth);
  }
}

/// From a vertex that rounding has moved a little, to itself: the step to it is lost in rounding.
TEST(ConditionalGradient, StaysWhereRoundingHidesTheNextVertex) {
  Random random(4);
  const SetPtr set = box(-1, 1, 5);
  for (int k = 0; k < 20000; ++k) {
    Vector linear = random.normals(5);
    for (double& slope : linear) slope += std::copysign(0.01, slope);
    const Vector variance(5, std::exp(random.uniform(7, 20)));
    const Vector zero(5);
    Vector z(5);
    for (std::size_t i = 0; i < 5; ++i) {
      z[i] = std::copysign(1 + random.uniform(-1, 1) * 1e-15, -linear[i]);
    }
    const Outcome outcome = run(Method::corrective, *set, {linear, 1, zero, variance}, z, 0, 30);
    for (std::size_t i = 0; i < 5; ++i) ASSERT_NEAR(outcome.z[i], z[i], 1e-9) << k;
  }
}

TEST(Atoms, KeepCopiesOfEveryKindOfVertex) {
  Random random(3);
  const std::vector<Edge> edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}};
  for (const SetPtr& set : {simplex(5), ball(6), nuclear_ball(3, 4), birkhoff(4),
                            spanning_trees(4, edges), ball(2000), simplex(3000)}) {
    const auto oracle = set->oracle();
    const std::size_t n = set->dimension();
    algorithms::Atoms atoms(n);
    for (int pass = 0; pass < 2; ++pass) {
      std::vector<Vector> copies;
      while (true) {
        const Vertex& v = oracle->minimise(random.normals(n));
        if (!atoms.add(v)) break;
        copies.emplace_back(n);
        v.write_to(copies.back());
      }
      // Two vectors' worth of dense ones at least, and never more than the most.
      EXPECT_GE(atoms.size(), 2U) << set->spec();
      EXPECT_LE(atoms.size(), algorithms::Atoms::most);
      EXPECT_EQ(atoms.size() == algorithms::Atoms::most, set->spec() != "ball(2000)")
          << set->spec();
      ASSERT_EQ(copies.size(), atoms.size());
      for (std::size_t k = 0; k < atoms.size(); ++k) {
        Vector v(n);
        atoms[k].write_to(v);
        EXPECT_EQ(v, copies[k]) << set->spec();
      }
      atoms.clear();
      EXPECT_EQ(atoms.size(), 0U);
    }
  }
}

TEST(Atoms, AreDenseWhereTheirPartsDoNotFit) {
  const Vector dense = {1, 2, 3};
  const std::vector<std::size_t> indices(30, 1);
  const Vector values(30, 0.5);
  algorithms::Atoms atoms(3);
  ASSERT_TRUE(atoms.add({dense, indices, values}));
  Vector v(3);
  atoms[0].write_to(v);
  EXPECT_EQ(v, (Vector{1, 17, 3}));
  EXPECT_TRUE(atoms[0].indices.empty());
}

}  // namespace
}  // namespace keyhole::tests
