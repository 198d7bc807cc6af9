// The noise of a run: normal within the hull, a pure function of (seed, stream, play), and of other
// random bits than the directions.

#include "keyhole/noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "catalogue.h"
#include "math/random/ars.h"
#include "math/random/gaussian.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

Vector copy(std::span<const double> values) { return {values.begin(), values.end()}; }

TEST(Noise, IsAPureFunctionOfSeedStreamAndPlay) {
  const SetPtr set = simplex(5);
  Noise forwards(set, 1, 2);
  Noise anywhere(set, 1, 2);
  std::vector<Vector> all;
  for (std::uint64_t t = 1; t <= 20; ++t) all.push_back(copy(forwards(t)));
  for (std::uint64_t t = 20; t >= 1; --t) EXPECT_EQ(copy(anywhere(t)), all[t - 1]);
  std::set<Vector> different;
  for (const std::uint64_t seed : {0u, 1u, 2u}) {
    for (const std::uint64_t stream : {0u, 1u, 2u}) {
      Noise noise(set, seed, stream);
      for (std::uint64_t t = 1; t <= 3; ++t) different.insert(copy(noise(t)));
    }
  }
  EXPECT_EQ(different.size(), 27u);
}

TEST(Noise, IsTheLastAttemptOfTheGenerator) {
  Noise noise(ball(4), 7, 3);
  Vector expected(4);
  math::gaussians(math::Ars(7, 3), 11, 127, expected);
  EXPECT_EQ(copy(noise(11)), expected);
}

TEST(Noise, IsStandardNormalInTheHullAndApartFromTheDirections) {
  // Over N draws: means within 4.5 / sqrt N, second moments (variance at most 2) within 4.5 sqrt(2
  // / N) of the projection onto the hull, and <z_t, u_t>, of mean 0 and variance 1 if independent,
  // within 4.5 / sqrt N.
  const std::uint64_t draws = 40000;
  const double N = static_cast<double>(draws);
  for (const SetPtr& set : {ball(3), simplex(4)}) {
    const std::size_t n = set->dimension();
    Noise noise(set, 5, 0);
    Directions directions(set, 5, 0);
    Vector mean(n);
    std::vector<Vector> moment(n, Vector(n));
    double with_u = 0;
    for (std::uint64_t t = 1; t <= draws; ++t) {
      const auto z = noise(t);
      const auto u = directions(t);
      for (std::size_t i = 0; i < n; ++i) {
        mean[i] += z[i] / N;
        with_u += z[i] * u[i] / N;
        for (std::size_t j = 0; j < n; ++j) moment[i][j] += z[i] * z[j] / N;
      }
    }
    EXPECT_LE(std::abs(with_u), 4.5 / std::sqrt(N));
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_LE(std::abs(mean[i]), 4.5 / std::sqrt(N));
      Vector projection(n);
      projection[i] = 1;
      set->flatten(projection);
      for (std::size_t j = 0; j < n; ++j) {
        EXPECT_NEAR(moment[i][j], projection[j], 4.5 * std::sqrt(2 / N));
      }
    }
  }
}

}  // namespace
}  // namespace keyhole::tests
