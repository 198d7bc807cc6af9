// gauge against its pseudo-code, with the gauge from a list of facets; Lemma 7 of Mhammedi (2022)
// on the way; its constants and what it refuses.

#include <gtest/gtest.h>

#include <cmath>

#include "keyhole/algorithms.h"
#include "keyhole/learner.h"
#include "keyhole/polytope.h"
#include "keyhole/sets.h"
#include "random.h"
#include "slow_set.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

/// A set and its facets <a, x> <= b, the normals within the hull.
struct Facets {
  SetPtr set;
  std::vector<std::pair<Vector, double>> facets;
};

Facets random_polytope(std::size_t n, Random& random) {
  PolytopeConstraints k{.n = n, .lower = Vector(n, 0.0), .upper = Vector(n, 1.0)};
  std::vector<std::pair<Vector, double>> facets;
  for (std::size_t i = 0; i < n; ++i) {
    Vector row(n);
    for (double& entry : row) entry = random.uniform();
    k.inequalities.dense.insert(k.inequalities.dense.end(), row.begin(), row.end());
    k.inequalities.right.push_back(1);
    facets.emplace_back(row, 1);
  }
  for (std::size_t j = 0; j < n; ++j) {
    Vector e(n, 0.0);
    e[j] = 1;
    facets.emplace_back(e, 1);
    e[j] = -1;
    facets.emplace_back(e, 0);
  }
  return {polytope(k), facets};
}

Facets flat_simplex(std::size_t n) {
  std::vector<std::pair<Vector, double>> facets;
  for (std::size_t j = 0; j < n; ++j) {
    Vector normal(n, 1 / static_cast<double>(n));  // -e_j within the hull, where it is at most 1/n
    normal[j] -= 1;
    facets.emplace_back(normal, 1 / static_cast<double>(n));
  }
  return {simplex(n), facets};
}

/// A loss that pulls outwards, so that the gauge is above 1 in many rounds.
double pulling_loss(std::uint64_t t, const Vector& y) {
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    sum -= y[i] * std::cos(static_cast<double>(i) + static_cast<double>(t / 300));
  }
  return sum / static_cast<double>(y.size());
}

/// Algorithm 1 of Mhammedi for K_delta - p around gradient descent on the ball; counts its
/// corrections.
void expect_the_same_plays(const Facets& k, const GaugeOptions& options, Random& random,
                           std::size_t& lifted) {
  const auto& [p, r, R, D, R_exact, D_exact] = k.set->geometry();
  const auto n = static_cast<double>(k.set->hull_dimension());
  const double T = static_cast<double>(*options.horizon);
  const double M = *options.loss_bound;
  const Vector start = options.start.empty() ? p : options.start;
  const Vector from_p = combine(1, start, -1, p);
  const double L = std::min(D, R + std::sqrt(inner(from_p, from_p)));
  const double kappa = R / r;
  const double delta = options.delta.value_or(std::min(
      r / 2, std::pow(T, -0.25) * std::sqrt(L * (1 + kappa) * n * M /
                                            (options.gradient_bound.value_or(1) * (2 + kappa)))));
  const double eta = options.eta.value_or(L * delta / ((1 + kappa) * n * M * std::sqrt(T)));
  const double shrunk = 1 - delta / r;

  Learner learner(gauge(k.set, options), {.seed = 8, .stream = 2});
  Randomness directions(k.set, 8, 2);
  Vector w = combine(shrunk, start, -shrunk, p);
  for (std::uint64_t t = 1; t <= *options.horizon; ++t) {
    double gamma = 0;
    Vector s(p.size(), 0.0);
    for (const auto& [a, b] : k.facets) {
      const double slack = shrunk * (b - inner(a, p));
      if (inner(a, w) / slack > gamma) {
        gamma = inner(a, w) / slack;
        s = combine(1 / slack, a, 0, a);
      }
    }
    const Vector x = combine(1 / std::max(1.0, gamma), w, 0, w);
    const auto u_t = directions.direction(t);
    const Vector u(u_t.begin(), u_t.end());
    const Vector y = combine(1, p, 1, combine(1, x, delta, u));
    const Play play = learner.ask();
    for (std::size_t i = 0; i < p.size(); ++i) ASSERT_NEAR(play.point[i], y[i], 1e-12) << t;
    const double f = pulling_loss(t, y);
    learner.tell(play.id, f);

    const Vector g = combine(n / delta * f, u, 0, u);
    const bool corrected = gamma >= 1 && inner(g, w) < 0;
    const Vector h = corrected ? combine(1, g, -inner(g, x), s) : g;
    lifted += corrected ? 1 : 0;
    // Lemma 7, for z in K_delta - p: mixtures of vertices.
    Vector z(p.size());
    k.set->oracle()->minimise(random.normals(p.size())).write_to(z);
    z = combine(shrunk, combine(random.uniform(), combine(1, z, -1, p), 0, p), 0, p);
    ASSERT_LE(inner(g, combine(1, x, -1, z)), inner(h, combine(1, w, -1, z)) + 1e-9 * n / delta)
        << t;
    ASSERT_LE(std::sqrt(inner(h, h)), (1 + kappa) * std::sqrt(inner(g, g)) * (1 + 1e-12)) << t;

    w = combine(1, w, -eta, h);
    const double length = std::sqrt(inner(w, w));
    if (length > shrunk * R) w = combine(shrunk * R / length, w, 0, w);
  }
}

TEST(GaugeLearner, PlaysItsPseudoCode) {
  Random random(3);
  const std::uint64_t T = 1000;
  std::size_t lifted = 0;
  for (const std::size_t n : {2u, 5u}) {
    for (const Facets& k : {random_polytope(n, random), flat_simplex(n)}) {
      Vector start = k.set->centre();
      k.set->oracle()->minimise(random.normals(n)).add_to(start, 1);
      for (double& coordinate : start) coordinate /= 2;
      const double r = k.set->inner_radius();
      const double large = 0.2 * r * r / static_cast<double>(n);  // steps of about r/10
      expect_the_same_plays(k, {.loss_bound = 1, .gradient_bound = 1, .horizon = T}, random,
                            lifted);
      expect_the_same_plays(k,
                            {.loss_bound = 0.5, .gradient_bound = 30, .horizon = T, .start = start},
                            random, lifted);
      // Fewer rounds: large steps blow up the roundings in which two correct programs differ.
      expect_the_same_plays(k, {.loss_bound = 1, .gradient_bound = 1, .horizon = 150, .eta = large},
                            random, lifted);
      expect_the_same_plays(
          k, {.loss_bound = 1, .horizon = 150, .delta = 0.9 * r, .eta = 2 * large}, random, lifted);
    }
  }
  EXPECT_GT(lifted, 100u);
}

TEST(GaugeLearner, PlaysTheCentreIfDeltaIsTheInnerRadius) {
  Learner learner(gauge(box(-1, 1, 3), {.loss_bound = 1, .horizon = 10, .delta = 1}));
  for (int t = 0; t < 10; ++t) learner.tell(learner.ask().id, -1);
  Vector x(3);
  learner.recommend(x);
  EXPECT_EQ(x, Vector(3, 0.0));
}

TEST(GaugeLearner, RefusesWhatItCannotPlay) {
  const SetPtr set = ball(2);
  const auto why = [](const SetPtr& on, const GaugeOptions& options) {
    return message<InvalidArgument>([&] { (void)gauge(on, options); });
  };
  EXPECT_EQ(why(psd_trace_ball(2), {.loss_bound = 1, .gradient_bound = 1}),
            "gauge needs the gauge of its set, and psd_trace_ball(2) has none: use "
            "posterior or bbcg");
  EXPECT_EQ(why(set, {.gradient_bound = 1}),
            "gauge needs loss_bound: M, the largest magnitude of a loss");
  EXPECT_EQ(why(set, {.loss_bound = 1}),
            "gauge needs gradient_bound (G), the largest norm a gradient can have, for its delta");
  EXPECT_EQ(why(set, {.loss_bound = 1, .gradient_bound = -1}),
            "the gradient_bound of gauge must be from 1e-50 to 1e+50, not -1");
  EXPECT_EQ(why(set, {.loss_bound = 1, .horizon = 7, .delta = 2}),
            "delta = 2 at the horizon 7 is larger than the inner radius 1 of the set: plays would "
            "leave it; choose a smaller one");
  EXPECT_EQ(why(set, {.loss_bound = 1, .delta = 0.5, .start = {2, 0}}),
            "the start is not in the set ball(2)");
  EXPECT_EQ(why(nullptr, {.loss_bound = 1, .delta = 0.5}), "an algorithm needs a set to play on");
}

}  // namespace
}  // namespace keyhole::tests
