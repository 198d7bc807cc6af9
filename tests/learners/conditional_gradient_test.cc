// Conditional gradients against least points in closed form: the gap is a certificate.

#include "learners/conditional_gradient.h"

#include <gtest/gtest.h>

#include <cmath>

#include "keyhole/sets.h"
#include "slow_set.h"

namespace keyhole::tests {
namespace {

double value(const DiagonalQuadratic& F, const Vector& z) {
  double sum = inner(F.linear, z);
  for (std::size_t i = 0; i < z.size(); ++i) {
    sum += F.weight * (z[i] - F.centre[i]) * (z[i] - F.centre[i]) / F.variance[i];
  }
  return sum;
}

/// What a run came to.
struct Outcome {
  Certificate certificate;
  Vector z;
  int calls;
};

Outcome run(const Set& set, const DiagonalQuadratic& F, Vector z, double tolerance,
            int most_calls) {
  const auto oracle = set.oracle();
  Vector gradient(z.size());
  Vector vertex(z.size());
  int calls = 0;
  const auto minimise = [&](std::span<const double> d) -> const Vertex& {
    ++calls;
    return oracle->minimise(d);
  };
  const Certificate certificate =
      conditional_gradient(F, tolerance, most_calls, minimise, z, gradient, vertex);
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

  [[nodiscard]] DiagonalQuadratic F() const { return {linear, weight, centre, variance}; }
};

/// On a box each coordinate is least by itself.
Instance on_box(std::size_t n, Random& random) {
  const Twins twins = draw_twins(SlowSet::Kind::box, n, random);
  Instance made{
      twins.set, random.normals(n, 3), std::exp(random.normal()), twins.set->geometry().centre, {},
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
                twins.set->geometry().centre,
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
  double largest_share = 0;
  for (const Instance& instance : instances()) {
    const DiagonalQuadratic F = instance.F();
    const double least = value(F, instance.least);
    const double rounding = 1e-11 * (std::abs(least) + 1);
    for (const int most_calls : {1, 2, 5, 50}) {
      const Outcome outcome = run(*instance.set, F, instance.centre, 0, most_calls);
      ASSERT_LE(outcome.calls, most_calls);
      ASSERT_TRUE(instance.set->contains(outcome.z)) << instance.set->spec();
      const double excess = value(F, outcome.z) - least;
      ASSERT_GE(excess, -rounding);
      ASSERT_LE(excess, outcome.certificate.gap + rounding) << instance.set->spec();
      if (most_calls > 1) largest_share = std::max(largest_share, excess / outcome.certificate.gap);
    }
  }
  EXPECT_GT(largest_share, 0.2);
}

TEST(ConditionalGradient, ComesAsCloseAsIsAsked) {
  for (const Instance& instance : instances()) {
    const DiagonalQuadratic F = instance.F();
    const double tolerance = 0.01 * (value(F, instance.centre) - value(F, instance.least)) + 1e-9;
    const Outcome outcome = run(*instance.set, F, instance.centre, tolerance, 100000);
    EXPECT_LE(outcome.certificate.gap, tolerance) << instance.set->spec();
    EXPECT_EQ(outcome.certificate.tolerance, tolerance);
    EXPECT_LE(value(F, outcome.z) - value(F, instance.least), tolerance + 1e-11);
    // Once it is close enough, one call says so, and the point stays.
    const Outcome again = run(*instance.set, F, outcome.z, tolerance, 50);
    EXPECT_EQ(again.calls, 1);
    EXPECT_EQ(again.z, outcome.z);
  }
}

TEST(ConditionalGradient, NoCallMakesItWorse) {
  for (const Instance& instance : instances()) {
    const DiagonalQuadratic F = instance.F();
    Vector z = instance.centre;
    for (int call = 0; call < 30; ++call) {
      const Outcome outcome = run(*instance.set, F, z, 0, 1);
      ASSERT_LE(value(F, outcome.z), value(F, z) + 1e-12 * (1 + std::abs(value(F, z))));
      z = outcome.z;
    }
  }
}

}  // namespace
}  // namespace keyhole::tests
