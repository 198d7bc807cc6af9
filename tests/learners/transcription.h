#pragma once

// The paper's pseudo-code, line by line, in its own notation: coordinates centred at p, the sets by
// their slow twins, powers by the C library. It shares the directions u_t, or the noise z_t,
// with the library and nothing else.

#include <algorithm>
#include <cmath>
#include <functional>

#include "catalogue.h"
#include "keyhole/randomness.h"
#include "slow_set.h"

namespace keyhole::tests {

using Loss = std::function<double(std::uint64_t t, const Vector& y)>;

/// What a transcription plays on: K - p with its radii, recomputed from facets and vertices.
struct CentredSet {
  SlowSet K;
  Vector p;
  double n;  // the hull's dimension
  double r = K.inner_radius(p);
  double R = K.outer_radius(p);
  double D = K.diameter();

  /// argmin over (1 - alpha) (K - p) of <d, v>.
  [[nodiscard]] Vector argmin(double alpha, const Vector& d) const {
    return combine(1 - alpha, K.minimiser(d), alpha - 1, p);
  }
  /// The point of (1 - alpha) (K - p) nearest to z.
  [[nodiscard]] Vector projection(double alpha, const Vector& z) const {
    const Vector blown_up = combine(1 / (1 - alpha), z, 1, p);
    return combine(1 - alpha, K.projected(blown_up), alpha - 1, p);
  }
};

/// A set, and the same for a transcription.
struct Instance {
  SetPtr set;
  CentredSet centred;
};

/// Every kind of set, plain and about another centre.
inline std::vector<Instance> plain_and_recentred(std::uint64_t seed) {
  Random random(seed);
  std::vector<Instance> all;
  for (const SlowSet::Kind kind : all_kinds) {
    const Twins plain = draw_twins(kind, 8, random);
    const SetPtr moved = recentred_at_random(plain.set, random);
    for (const SetPtr& set : {plain.set, moved}) {
      const double n = static_cast<double>(set->hull_dimension());
      all.push_back({set, {.K = plain.slow, .p = set->centre(), .n = n}});
    }
  }
  return all;
}

/// What is seen at each round: x_t, y_t (both centred), S = g_1 + ... + g_{t-1}, eta, alpha, x_1,
/// sigma_t.
struct Glimpse {
  std::uint64_t t;
  const Vector& x;
  const Vector& y;
  const Vector& S;
  double eta;
  double alpha;
  const Vector& x_1;
  double sigma;
};
using Onlooker = std::function<void(const Glimpse&)>;

struct Paper {
  double M = 1;
  double c = 1;
  bool eta_times_c = true;  // the erratum
  bool regularized = true;
};

/// Algorithm 1 for rounds first, ..., first + T - 1.
inline void algorithm_1(const CentredSet& set, const Paper& paper, std::uint64_t T,
                        std::uint64_t first, Randomness& directions, const Loss& f,
                        const Onlooker& watch) {
  const double horizon = static_cast<double>(T);
  const double delta = paper.c * std::pow(horizon, -1.0 / 5);
  const double alpha = delta / set.r;
  double eta = set.D / (std::sqrt(2.0) * set.n * paper.M) * std::pow(horizon, -4.0 / 5);
  if (paper.eta_times_c) eta *= paper.c;

  const Vector x_1(set.p.size(), 0.0);
  Vector x = x_1;
  Vector S(x.size(), 0.0);
  for (std::uint64_t t = 1; t <= T; ++t) {
    const double sigma = std::pow(static_cast<double>(t), -2.0 / 5);
    const auto u_t = directions.direction(first + t - 1);
    const Vector u(u_t.begin(), u_t.end());
    const Vector y = combine(1, x, delta, u);
    watch({first + t - 1, x, y, S, eta, alpha, x_1, sigma});
    const double loss = f(first + t - 1, combine(1, set.p, 1, y));
    const Vector g = combine(set.n / delta * loss, u, 0, u);
    const double two = paper.regularized ? 2 : 0;
    const Vector grad_F = combine(eta, S, two, combine(1, x, -1, x_1));
    const Vector v = set.argmin(alpha, grad_F);
    x = combine(1 - sigma, x, sigma, v);
    S = combine(1, S, 1, g);
  }
}

struct FkmSizes {
  double eta;
  double delta;
};

/// FKM for rounds first, ..., first + T - 1.
inline void fkm_algorithm(const CentredSet& set, const std::function<FkmSizes(double T)>& sizes,
                          std::uint64_t T, std::uint64_t first, Randomness& directions,
                          const Loss& f, const Onlooker& watch) {
  const auto [eta, delta] = sizes(static_cast<double>(T));
  const double alpha = delta / set.r;
  const Vector zero(set.p.size(), 0.0);
  Vector x = zero;
  for (std::uint64_t t = first; t < first + T; ++t) {
    const auto u_t = directions.direction(t);
    const Vector u(u_t.begin(), u_t.end());
    const Vector y = combine(1, x, delta, u);
    watch({t, x, y, zero, eta, alpha, zero, 0});
    const double loss = f(t, combine(1, set.p, 1, y));
    const Vector g = combine(set.n / delta * loss, u, 0, u);
    x = set.projection(alpha, combine(1, x, -eta, g));
  }
}

using Gradient = std::function<Vector(std::uint64_t t, const Vector& x)>;

/// Online conditional gradient for rounds first, ..., first + T - 1; gradients with noise of a
/// standard deviation.
inline void ocg_algorithm(const CentredSet& set, double G, double deviation, std::uint64_t T,
                          std::uint64_t first, Randomness& noise, const Gradient& gradient,
                          const Onlooker& watch) {
  const double eta = set.D / (2 * G * std::pow(static_cast<double>(T), 3.0 / 4));
  const Vector x_1(set.p.size(), 0.0);
  Vector x = x_1;
  Vector sum(x.size(), 0.0);
  for (std::uint64_t t = 1; t <= T; ++t) {
    const double sigma = std::min(1.0, 2 / std::sqrt(static_cast<double>(t)));
    watch({first + t - 1, x, x, sum, eta, 0, x_1, sigma});
    const Vector g = gradient(first + t - 1, combine(1, set.p, 1, x));
    const Vector grad_F = combine(eta, sum, 2, combine(1, x, -1, x_1));
    const Vector v = set.argmin(0, grad_F);
    x = combine(1 - sigma, x, sigma, v);
    const auto z_t = noise.noise(first + t - 1);
    const Vector z(z_t.begin(), z_t.end());
    sum = combine(1, sum, 1, combine(1, g, deviation, z));
  }
}

/// Online conditional gradient with the constants of 2025 for rounds first, ..., first + T - 1. Its
/// steps do not grow smaller, so that on balls the roundings in which two correct programs differ
/// are blown up over a thousand rounds: it goes on from the point that `follow` answers with.
inline void optimized_ocg_algorithm(const CentredSet& set, double G, std::uint64_t T,
                                    std::uint64_t first, const Gradient& gradient,
                                    const std::function<Vector(const Glimpse&)>& follow) {
  const double horizon = static_cast<double>(T);
  const double eta = set.D / (2 * G) * std::pow(3 / horizon, 3.0 / 4);
  const double sigma = T < 3 ? 1 : std::sqrt(3 / horizon);
  const Vector x_1(set.p.size(), 0.0);
  Vector x = x_1;
  Vector sum(x.size(), 0.0);
  for (std::uint64_t t = first; t < first + T; ++t) {
    x = follow({t, x, x, sum, eta, 0, x_1, sigma});
    sum = combine(1, sum, 1, gradient(t, combine(1, set.p, 1, x)));
    const Vector v = set.argmin(0, combine(1, combine(1, x, -1, x_1), eta, sum));
    x = combine(1 - sigma, x, sigma, v);
  }
}

/// One-shot Frank-Wolfe for rounds 1, ..., T. The average d_t is summed again with all its weights,
/// the products rho_s (1 - rho_{s+1}) ... (1 - rho_t). So is x_t: with steps of 1 / (t + 3) three
/// parts of t + 2 are left of x_1 = 0, and one of each vertex.
inline void one_shot_algorithm(const CentredSet& set, std::uint64_t T, const Gradient& gradient,
                               const Onlooker& watch) {
  const Vector zero(set.p.size(), 0.0);
  std::vector<Vector> gradients;
  std::vector<Vector> vertices;
  for (std::uint64_t t = 1; t <= T; ++t) {
    Vector x = zero;
    for (const Vector& v : vertices) {
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += v[i] / (static_cast<double>(t) + 2);
    }
    watch({t, x, x, zero, 0, 0, zero, 0});
    gradients.push_back(gradient(t, combine(1, set.p, 1, x)));
    Vector d = zero;
    double weight = 1;
    for (std::uint64_t s = t; s >= 1; --s) {
      const double rho = 2 / std::pow(static_cast<double>(s) + 3, 2.0 / 3);
      for (std::size_t i = 0; i < d.size(); ++i) d[i] += weight * rho * gradients[s - 1][i];
      weight *= 1 - rho;
    }
    vertices.push_back(set.argmin(0, d));
  }
}

/// Online gradient descent for rounds 1, ..., T.
inline void ogd_algorithm(const CentredSet& set, double G, std::uint64_t T,
                          const Gradient& gradient, const Onlooker& watch) {
  const Vector zero(set.p.size(), 0.0);
  Vector x = zero;
  for (std::uint64_t t = 1; t <= T; ++t) {
    const double eta = set.D / (G * std::sqrt(static_cast<double>(t)));
    watch({t, x, x, zero, eta, 0, zero, 0});
    const Vector g = gradient(t, combine(1, set.p, 1, x));
    x = set.projection(0, combine(1, x, -eta, g));
  }
}

/// Algorithm 2: horizons 1, 2, 4, ... from rounds 1, 2, 4, ...
inline void doubling(std::uint64_t rounds,
                     const std::function<void(std::uint64_t T, std::uint64_t first)>& run) {
  for (std::uint64_t T = 1; T <= rounds; T *= 2) run(T, T);
}

}  // namespace keyhole::tests
