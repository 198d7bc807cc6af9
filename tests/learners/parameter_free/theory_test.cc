// docs/theory.md: the parts of its theorem, and the theorem itself, on runs of the setting that it
// is about.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "catalogue.h"
#include "learners/parameter_free/status.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
double distance(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

/// argmin over K of S . z + sqrt Q / (6 r) |z - p|^2: a projection.
Vector exact_leader(const Set& set, Oracle& oracle, const Vector& S, double Q) {
  const Geometry& of = set.geometry();
  Vector z = of.centre;
  if (!(Q > 0)) return z;
  for (std::size_t i = 0; i < z.size(); ++i) z[i] -= 3 * of.inner_radius / std::sqrt(Q) * S[i];
  Vector projected(z.size());
  oracle.project(z, projected);
  return projected;
}

/// A = R^2 / (6 r) + (1 + sqrt2) D
double factor_A(const Geometry& of) {
  return of.outer_radius * of.outer_radius / (6 * of.inner_radius) +
         (1 + std::sqrt(2.0)) * of.diameter;
}

/// s of the plays after k losses.
double reach_after(double k) { return k < 1024 ? 0.15 : 1 / std::sqrt(std::sqrt(k)); }

/// alpha and a of step 5.
double rate_of_kind(int j) { return std::max(1.0 / j, 1 / (20 + 0.2 * j)); }
double rate_of_average(int t) { return std::max(0.05, 1.0 / t); }

/// The losses of a test: f_t(x), their least sum over the set, M (half their range) and G.
struct Losses {
  std::function<double(std::size_t t, const Vector& x)> value;
  std::function<double(std::size_t T)> least;
  double M;
  double G;
};

/// 1/2 |x - theta_t|^2 on the unit ball, theta_t = theta + 0.3 times a unit vector, |theta| = 0.6.
Losses tracking_losses(std::size_t n, std::size_t T, std::uint64_t seed) {
  Random random(seed);
  const auto unit = [&] {
    Vector u = random.normals(n);
    const double length = std::sqrt(dot(u, u));
    for (double& value : u) value /= length;
    return u;
  };
  const Vector towards = unit();
  auto targets = std::vector<Vector>(T, Vector(n));
  for (Vector& target : targets) {
    const Vector u = unit();
    for (std::size_t i = 0; i < n; ++i) target[i] = 0.6 * towards[i] + 0.3 * u[i];
  }
  const auto value = [targets](std::size_t t, const Vector& x) {
    const double away = distance(x, targets[t - 1]);
    return away * away / 2;
  };
  const auto least = [targets, value, n](std::size_t rounds) {
    Vector mean(n, 0.0);  // within the ball
    for (std::size_t t = 1; t <= rounds; ++t) {
      for (std::size_t i = 0; i < n; ++i) {
        mean[i] += targets[t - 1][i] / static_cast<double>(rounds);
      }
    }
    double sum = 0;
    for (std::size_t t = 1; t <= rounds; ++t) sum += value(t, mean);
    return sum;
  };
  return {value, least, 1.9 * 1.9 / 4, 1.9};
}

/// c_t . x on the simplex, c_t = mu + a uniform number of [-0.5, 0.5] a coordinate, mu in [0, 1].
Losses linear_losses(std::size_t n, std::size_t T, std::uint64_t seed) {
  Random random(seed);
  Vector mu(n);
  for (double& value : mu) value = random.uniform();
  auto costs = std::vector<Vector>(T, mu);
  for (Vector& cost : costs) {
    for (double& value : cost) value += random.uniform(-0.5, 0.5);
  }
  const auto value = [costs](std::size_t t, const Vector& x) { return dot(costs[t - 1], x); };
  const auto least = [costs, n](std::size_t rounds) {
    Vector sums(n, 0.0);
    for (std::size_t t = 0; t < rounds; ++t) {
      for (std::size_t i = 0; i < n; ++i) sums[i] += costs[t][i];
    }
    return *std::min_element(sums.begin(), sums.end());
  };
  // Costs in [-0.5, 1.5]: within the hull none is longer than sqrt n times half their range.
  return {value, least, 1, std::sqrt(static_cast<double>(n))};
}

/// What a run came to, and what the theorem says of it.
struct Outcome {
  double regret = 0;
  double root_Q = 0;        // sqrt Q_J
  double other_terms = 0;   // all of the theorem's right side but the term with A
  double expected_Q = 0;    // the theorem's bound of E Q_J
  double longest_w = 0;     // the largest |w| of an exploring play
  bool certified = true;    // whether every gap was within the tolerance
  double worst_leader = 0;  // the largest |x - z*| / e_t
};

/// Plays T rounds in the setting of the theorem, next to a transcription of what the page says that
/// the learner does: kinds, sizes, baseline, estimates, blocks with their lag, exact leaders.
Outcome run(const SetPtr& set, const Losses& losses, std::size_t T, std::uint64_t seed) {
  auto algorithm = parameter_free(set, {.explore_at = ExploreAt::inscribed_sphere,
                                        .schedule = ExplorationSchedule::fixed,
                                        .baseline = Baseline::average,
                                        .shrinkage = false,
                                        .curvature = false,
                                        .averaging = false,
                                        .restarts = false,
                                        .clipping = false});
  const auto& inside = dynamic_cast<const ParameterFreeAlgorithm&>(*algorithm);
  Learner learner(std::move(algorithm), {.seed = seed});
  const Randomness directions(set, seed, 0);
  const auto oracle = set->oracle();
  const Geometry& of = set->geometry();
  const Vector& p = of.centre;
  const double r = of.inner_radius;
  const auto n = static_cast<double>(set->hull_dimension());
  const double W = 5.7 * losses.M;

  Outcome outcome;
  Vector S(p.size(), 0.0);
  Vector g(p.size(), 0.0);
  Vector y(p.size());
  Vector x(p.size());
  Vector leader = p;  // z* of the block of the iterate
  double e = 0;       // how far from it the iterate may be
  double Q = 0;
  double average = 0;
  std::array<double, 3> mean{};
  std::array<int, 3> count{};
  double s = 0.15;
  double rho = 0.9;
  double pi = 0.5;
  std::size_t block = 1;
  std::size_t in_block = 0;
  Vector pending(p.size(), 0.0);  // the estimate of the last play, learned from at the next ask
  for (std::size_t t = 1; t <= T; ++t) {
    const bool ends = t > 1 && in_block == block;
    if (ends) {  // the step of this ask, from the losses up to play t - 2
      const double k = static_cast<double>(block * (block + 1)) / 2;
      for (std::size_t i = 0; i < g.size(); ++i) S[i] += g[i];
      Q += dot(g, g);
      g.assign(g.size(), 0.0);
      ++block;
      in_block = 0;
      leader = exact_leader(*set, *oracle, S, Q);
      s = reach_after(k);
      rho = 0.97;
      pi = 1;
    }
    if (t > 1) {
      for (std::size_t i = 0; i < g.size(); ++i) g[i] += pending[i];
      ++in_block;
    }

    learner.ask(y);
    learner.recommend(x);
    const ParameterFreeStatus status = inside.status();
    EXPECT_EQ(status.blocks, block - 1) << t;
    EXPECT_DOUBLE_EQ(status.reach, s) << t;
    EXPECT_EQ(status.exploring, rho) << t;
    if (ends) {
      const double k = static_cast<double>((block - 1) * block) / 2;
      const double tolerance = 2 * n * std::pow(of.outer_radius / r, 2) / std::sqrt(k);
      EXPECT_NEAR(status.leader_tolerance, tolerance, 1e-12 * tolerance);
      outcome.certified = outcome.certified && status.leader_gap <= status.leader_tolerance;
      e = std::min(of.diameter, r * std::sqrt(std::max(0.0, status.leader_gap) / n));
      outcome.worst_leader =
          std::max(outcome.worst_leader, distance(x, leader) / (e + 1e-7 * of.outer_radius));
    }

    std::array<std::uint64_t, 2> words{};
    directions.words(t, words);
    const RandomBits bits{words, {}};
    const std::size_t kind = bits.uniform(0) < rho ? 0 : bits.uniform(1) < pi ? 1 : 2;
    const double loss = losses.value(t, y);
    learner.tell(t, loss);
    outcome.regret += loss;

    const double w = t == 1 ? 0 : loss - average - mean[kind];
    ++count[kind];
    average += t == 1 ? loss : rate_of_average(static_cast<int>(t)) * w;
    mean[kind] += rate_of_kind(count[kind]) * w;
    pending.assign(p.size(), 0.0);
    if (kind == 0 && t > 1) {
      outcome.longest_w = std::max(outcome.longest_w, std::abs(w));
      for (std::size_t i = 0; i < p.size(); ++i) {
        const double v_less_p = (y[i] - (1 - s) * x[i] - s * p[i]) / s;
        pending[i] = w / (s * rho) * n / (r * r) * v_less_p;
      }
      EXPECT_NEAR(std::sqrt(dot(pending, pending)), std::abs(w) * n / (s * rho * r),
                  1e-6 * std::abs(w) * n / (s * rho * r) + 1e-300);
    }

    // Play t is number in_block + 1 of its block, or the first of the next.
    const std::size_t number = in_block == block ? 1 : in_block + 1;
    outcome.other_terms +=
        losses.G * (s * ((2 - rho) * of.outer_radius + r) + (number == 1 ? of.diameter : e));
    if (t > 1) outcome.expected_Q += std::pow(n * W / r, 2) / (rho * s * s);
    outcome.expected_Q +=
        losses.G * losses.G * (2 * static_cast<double>(number) - 1);  // b_j^2 = 1 + 3 + 5 + ...
  }
  // The last block, up to play T.
  if (in_block == block) {
    Q += dot(g, g);
    g.assign(g.size(), 0.0);
  }
  for (std::size_t i = 0; i < g.size(); ++i) g[i] += pending[i];
  outcome.root_Q = std::sqrt(Q + dot(g, g));
  outcome.regret -= losses.least(T);
  return outcome;
}

/// The closed form, for gaps within the tolerance.
double closed_form(const Geometry& of, double n, double M, double G, double T) {
  const double A = factor_A(of);
  const double R = of.outer_radius;
  const double r = of.inner_radius;
  const double noise = n * 5.7 * M / r;
  const double C_1 = A * (0.98 * G + 0.83 * noise) + G * (3.75 * R + 1.35 * r);
  const double C_2 = G * (1.4 * A + 1.42 * of.diameter);
  return C_1 * std::pow(T, 0.75) + C_2 * std::sqrt(T) +
         A * noise * (7 * std::sqrt(std::min(T, 1036.0)) + 1.1 * std::pow(T, 0.25) + 2) +
         G * of.diameter;
}

TEST(Theory, TheLearnerIsTheOneOfTheTheorem) {
  const std::size_t T = 3000;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Losses tracking = tracking_losses(5, T, seed);
    const Losses linear = linear_losses(5, T, seed);
    for (const auto& [set, losses] :
         {std::pair(ball(5), tracking), std::pair(simplex(5), linear)}) {
      const Outcome outcome = run(set, losses, T, seed);
      EXPECT_LE(outcome.worst_leader, 1) << set->spec();
      EXPECT_LE(outcome.longest_w, 5.7 * losses.M) << set->spec();
      EXPECT_LT(outcome.root_Q * outcome.root_Q, outcome.expected_Q) << set->spec();
    }
  }
}

TEST(Theory, LeadersRegretIsBelowARootQ) {
  // Gradients that point from the leader outwards, or anywhere, or swing, of sizes that stay, grow
  // or jump.
  Random random(5);
  double closest = 0;
  for (std::uint64_t instance = 0; instance < 300; ++instance) {
    const SetPtr set = instance % 3 == 0   ? ball(3)
                       : instance % 3 == 1 ? simplex(4)
                                           : random_box(3, random);
    const auto oracle = set->oracle();
    const Vector& p = set->centre();
    const double growth = random.uniform(0.8, 2);
    const double outwards = random.uniform(0, 3);
    const double swing = random.uniform(-1, 1);
    const Vector axis = random.normals(p.size());
    Vector S(p.size(), 0.0);
    double Q = 0;
    double plays = 0;
    double size = 1;
    double sign = 1;
    for (int j = 0; j < 60; ++j) {
      const Vector z = exact_leader(*set, *oracle, S, Q);
      Vector g = random.normals(p.size());
      size *= j % 20 < 10 ? 1 : growth;
      sign *= swing < 0 ? -1 : 1;
      for (std::size_t i = 0; i < p.size(); ++i) {
        g[i] = size * (random.uniform() < 0.02 ? 20 : 1) *
               (0.3 * g[i] + outwards * (z[i] - p[i]) / set->outer_radius() +
                3 * swing * sign * axis[i]);
      }
      set->flatten(g);
      plays += dot(g, z);
      for (std::size_t i = 0; i < p.size(); ++i) S[i] += g[i];
      Q += dot(g, g);
      Vector best(p.size(), 0.0);
      oracle->minimise(S).add_to(best, 1);
      const double ratio =
          (plays - dot(S, best)) / (factor_A(set->geometry()) * std::sqrt(Q) + 1e-300);
      EXPECT_LE(ratio, 1) << set->spec() << " " << instance << " " << j;
      closest = std::max(closest, ratio);
    }
  }
  EXPECT_GT(closest, 0.5);  // hard enough to tell
}

/// b, mu and mu' of step 5 as linear functions of the losses, after a given order of kinds.
struct Subtracted {
  std::vector<double> average;
  std::array<std::vector<double>, 3> mean;
  std::array<int, 3> count{};

  explicit Subtracted(std::size_t T) : average(T, 0.0) { mean.fill(Vector(T, 0.0)); }

  /// Plays round t of a kind; returns the largest |w| that losses in [-1, 1] can make.
  double play(std::size_t t, std::size_t kind) {
    ++count[kind];
    if (t == 1) {
      average[0] = 1;
      return 0;
    }
    const double a = rate_of_average(static_cast<int>(t));
    const double alpha = rate_of_kind(count[kind]);
    double largest = 0;
    for (std::size_t i = 0; i < t; ++i) {
      const double w = (i + 1 == t ? 1 : 0) - average[i] - mean[kind][i];
      largest += std::abs(w);
      average[i] += a * w;
      mean[kind][i] += alpha * w;
    }
    return largest;
  }
  /// The least N with (b + mu, b + mu') in I for all losses in [-1, 1].
  [[nodiscard]] double least_N() const {
    const auto slope = [&](std::size_t kind) {
      return 0.05 / (0.05 + rate_of_kind(count[kind] + 1));
    };
    const std::array<std::array<double, 2>, 4> corners{
        {{1, -1}, {1 + 2 * slope(1), 1}, {1, 1 + 2 * slope(0)}, {-1, 1}}};
    double N = 0;
    for (std::size_t side = 0; side < 3; ++side) {
      const auto& from = corners[side];
      const auto& to = corners[side + 1];
      const std::array<double, 2> normal{to[1] - from[1], from[0] - to[0]};
      double support = 0;
      for (std::size_t i = 0; i < average.size(); ++i) {
        support +=
            std::abs(normal[0] * (average[i] + mean[0][i]) + normal[1] * (average[i] + mean[1][i]));
      }
      N = std::max(N, support / (normal[0] * from[0] + normal[1] * from[1]));
    }
    return count[0] == 0 || count[1] == 0 ? 1.1 * N : N;
  }
};

TEST(Theory, ResidualsOfTheFirstRoundsByEnumeration) {
  const std::size_t T = 19;
  double N = 0;
  double W = 0;
  auto at = std::vector<Subtracted>(T + 1, Subtracted(T));  // after t rounds
  const std::function<void(std::size_t)> go_on_from = [&](std::size_t t) {
    if (t == T) {
      N = std::max(N, at[T].least_N());
      return;
    }
    for (std::size_t kind = 0; kind < (t < 2 ? 3u : 2u); ++kind) {
      at[t + 1] = at[t];
      W = std::max(W, at[t + 1].play(t + 1, kind));
      go_on_from(t + 1);
    }
  };
  go_on_from(0);
  EXPECT_LE(N, 1.54);
  EXPECT_GT(N, 1.53);
  EXPECT_LE(W, 3.6);
  EXPECT_GT(W, 3.5);
}

TEST(Theory, ResidualsOfLongRunsStayBelow) {
  Random random(9);
  double largest = 0;
  for (std::uint64_t instance = 0; instance < 60; ++instance) {
    const std::size_t T = 400;
    Subtracted subtracted(T);
    const double rho = instance % 2 == 0 ? 0.97 : random.uniform();
    std::size_t kind = 0;
    for (std::size_t t = 1; t <= T; ++t) {
      // Kinds at random, or in runs.
      if (instance % 3 != 0 || random.uniform() < 0.05) kind = random.uniform() < rho ? 0 : 1;
      const double w = subtracted.play(t, kind);
      if (kind == 0) largest = std::max(largest, w);
    }
  }
  EXPECT_LT(largest, 5.7);
  EXPECT_GT(largest, 3);
}

TEST(Theory, RegretIsBelowTheBound) {
  // E (regret - A sqrt Q - the other terms) <= 0 with the Q and the gaps of the runs, and these
  // below the theorem's. For one sequence of losses: means are over the learner's randomness.
  const int runs = 12;
  for (const std::size_t T : {256u, 2048u, 8192u}) {
    const Losses tracking = tracking_losses(5, T, 1);
    const Losses linear = linear_losses(5, T, 1);
    for (const auto& [set, losses] :
         {std::pair(ball(5), tracking), std::pair(simplex(5), linear)}) {
      const Geometry& of = set->geometry();
      const double A = factor_A(of);
      double sum = 0;
      double squares = 0;
      bool certified = true;
      for (int seed = 1; seed <= runs; ++seed) {
        const Outcome outcome = run(set, losses, T, static_cast<std::uint64_t>(seed));
        const double excess = outcome.regret - A * outcome.root_Q - outcome.other_terms;
        sum += excess;
        squares += excess * excess;
        certified = certified && outcome.certified;
        EXPECT_LT(outcome.root_Q, std::sqrt(outcome.expected_Q)) << set->spec() << " " << T;
        if (!outcome.certified) continue;
        const double formula = A * std::sqrt(outcome.expected_Q) + outcome.other_terms;
        const double closed = closed_form(of, static_cast<double>(set->hull_dimension()), losses.M,
                                          losses.G, static_cast<double>(T));
        EXPECT_LT(formula, closed) << set->spec() << " " << T;
        EXPECT_LT(closed, 2 * formula) << set->spec() << " " << T;
      }
      const double mean = sum / runs;
      const double error = std::sqrt(std::max(0.0, squares / runs - mean * mean) / (runs - 1));
      EXPECT_LE(mean + 4 * error, 0) << set->spec() << " " << T;
      // On the simplex the 50 oracle calls of a block do not always suffice.
      EXPECT_TRUE(certified || set->spec() != "ball(5)") << T;
    }
  }
}

TEST(Theory, ExtremePointsMisleadAtAKink) {
  // f = |y_1 - y_2| + y_3 / 2 on the simplex, at a point with x_1 = x_2: the mean of the estimate
  // is (1/6, 1/6, -1/3) for every s, where every subgradient has (..., ..., 1/3).
  const SetPtr set = simplex(3);
  const auto f = [](const Vector& y) { return std::abs(y[0] - y[1]) + y[2] / 2; };
  const Vector x = {0.3, 0.3, 0.4};
  const auto nu = set->exploration();
  ASSERT_EQ(nu->needs().words, 1u);
  ASSERT_EQ(nu->needs().normals, 0u);
  for (const double s : {0.3, 0.01, 1e-4}) {
    Vector mean(3, 0.0);
    Vector v(3);
    Vector y(3);
    for (const std::uint64_t third : {0u, 1u, 2u}) {
      const std::array<std::uint64_t, 1> words = {(2 * third + 1) * (~std::uint64_t{0} / 6)};
      const RandomBits bits{words, {}};
      nu->draw(bits, v);
      for (std::size_t i = 0; i < 3; ++i) y[i] = (1 - s) * x[i] + s * v[i];
      nu->score(bits, v);
      for (std::size_t i = 0; i < 3; ++i) mean[i] += f(y) / s * v[i] / 3;
    }
    EXPECT_NEAR(mean[0], 1.0 / 6, 1e-9);
    EXPECT_NEAR(mean[1], 1.0 / 6, 1e-9);
    EXPECT_NEAR(mean[2], -1.0 / 3, 1e-9);
  }
}

TEST(Theory, TheSphereWithoutCurvatureLearnsAKink) {
  // The same loss, least 0: the average regret after 2^15 rounds is below half of the centre's,
  // 1/6, by four standard errors of the mean over four seeds.
  const SetPtr set = simplex(3);
  const int T = 1 << 15;
  const int runs = 4;
  double sum = 0;
  double squares = 0;
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    Learner learner(
        parameter_free(set, {.explore_at = ExploreAt::inscribed_sphere, .curvature = false}),
        {.seed = seed});
    Vector y(3);
    double total = 0;
    for (int t = 1; t <= T; ++t) {
      const PlayId id = learner.ask(y);
      const double loss = std::abs(y[0] - y[1]) + y[2] / 2;
      learner.tell(id, loss);
      total += loss;
    }
    sum += total / T;
    squares += total / T * total / T;
  }
  const double mean = sum / runs;
  const double error = std::sqrt(std::max(0.0, squares / runs - mean * mean) / (runs - 1));
  EXPECT_LT(mean + 4 * error, 0.5 / 6) << mean << " +- " << error;
}

}  // namespace
}  // namespace keyhole::tests
