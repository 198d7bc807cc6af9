// The random numbers of a run: pure functions of (seed, stream, play), each kind and each
// sub-stream of random bits of its own. tests/learners/estimator_test.cc has the law of the
// directions.

#include "keyhole/randomness.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "base/hash.h"
#include "catalogue.h"
#include "math/random/ars.h"
#include "math/random/gaussian.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

Vector copy(std::span<const double> values) { return {values.begin(), values.end()}; }

TEST(Noise, IsAPureFunctionOfSeedStreamAndPlay) {
  const SetPtr set = simplex(5);
  Randomness forwards(set, 1, 2);
  Randomness anywhere(set, 1, 2);
  std::vector<Vector> all;
  for (std::uint64_t t = 1; t <= 20; ++t) all.push_back(copy(forwards.noise(t)));
  for (std::uint64_t t = 20; t >= 1; --t) EXPECT_EQ(copy(anywhere.noise(t)), all[t - 1]);
  std::set<Vector> different;
  for (const std::uint64_t seed : {0u, 1u, 2u}) {
    for (const std::uint64_t stream : {0u, 1u, 2u}) {
      Randomness noise(set, seed, stream);
      for (std::uint64_t t = 1; t <= 3; ++t) different.insert(copy(noise.noise(t)));
    }
  }
  EXPECT_EQ(different.size(), 27u);
}

TEST(Noise, IsTheLastAttemptOfTheGenerator) {
  Randomness noise(ball(4), 7, 3);
  Vector expected(4);
  math::gaussians(math::Ars(7, 3), 11, 127, expected);
  EXPECT_EQ(copy(noise.noise(11)), expected);
}

TEST(Noise, IsStandardNormalInTheHullAndApartFromTheDirections) {
  // Over N draws: means within 4.5 / sqrt N, second moments (variance at most 2) within 4.5 sqrt(2
  // / N) of the projection onto the hull, and <z_t, u_t>, of mean 0 and variance 1 if independent,
  // within 4.5 / sqrt N.
  const std::uint64_t draws = 40000;
  const double N = static_cast<double>(draws);
  for (const SetPtr& set : {ball(3), simplex(4)}) {
    const std::size_t n = set->dimension();
    Randomness noise(set, 5, 0);
    Randomness directions(set, 5, 0);
    Vector mean(n);
    std::vector<Vector> moment(n, Vector(n));
    double with_u = 0;
    for (std::uint64_t t = 1; t <= draws; ++t) {
      const auto z = noise.noise(t);
      const auto u = directions.direction(t);
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

/// Everything that is drawn for play t.
std::vector<std::uint64_t> bits_of(Randomness& random, std::uint64_t t) {
  std::vector<std::uint64_t> bits(8);
  random.words(t, bits);
  Vector normals(8);
  random.normals(t, normals);
  for (const std::span<const double> numbers :
       {std::span<const double>(normals), random.direction(t)}) {
    for (const double number : numbers) bits.push_back(std::bit_cast<std::uint64_t>(number));
  }
  for (const double number : random.noise(t)) {
    bits.push_back(std::bit_cast<std::uint64_t>(number));
  }
  return bits;
}

/// The sub-stream of a path of names.
Randomness& along(Randomness& random, const std::vector<std::string>& path) {
  Randomness* at = &random;
  for (const std::string& name : path) at = &at->sub_stream(name);
  return *at;
}

TEST(Randomness, SubStreamsOfAnyDepthShareNoDraw) {
  const std::vector<std::vector<std::string>> paths = {{},
                                                       {"inner"},
                                                       {"inner", "inner"},
                                                       {"inner", "inner", "inner"},
                                                       {"rounding"},
                                                       {"inner", "rounding"},
                                                       {"rounding", "inner"},
                                                       {""}};
  std::set<std::uint64_t> seen;
  std::size_t drawn = 0;
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
    Randomness random(ball(3), seed, 0);
    for (const auto& path : paths) {
      for (std::uint64_t t = 0; t < 50; ++t) {
        const auto bits = bits_of(along(random, path), t);
        seen.insert(bits.begin(), bits.end());
        drawn += bits.size();
      }
    }
  }
  EXPECT_EQ(seen.size(), drawn);
}

TEST(Randomness, SubStreamsFollowFromSeedStreamAndNames) {
  Randomness one(simplex(4), 6, 2);
  Randomness other(simplex(4), 6, 2);
  Randomness& last = other.sub_stream("b").sub_stream("c");  // asked for in another order
  Randomness& first = other.sub_stream("a");
  EXPECT_EQ(bits_of(first, 3), bits_of(one.sub_stream("a"), 3));
  EXPECT_EQ(bits_of(last, 3), bits_of(one.sub_stream("b").sub_stream("c"), 3));
  EXPECT_EQ(&first, &other.sub_stream("a"));
  Randomness moved = std::move(other);
  EXPECT_EQ(&first, &moved.sub_stream("a"));
  // The key is what the generator has at the hash of the name, by another route.
  std::array<std::uint64_t, 2> key{};
  math::Ars(6, 2).words(base::fnv1a(std::as_bytes(std::span(std::string_view("a")))),
                        std::uint64_t{124} << 56U, key);
  Randomness by_key(simplex(4), key[0], key[1]);
  EXPECT_EQ(bits_of(by_key, 9), bits_of(first, 9));
}

TEST(Randomness, KeepsTheLatestVectorOfEitherKindApart) {
  Randomness random(ball(3), 1, 1);
  Randomness fresh(ball(3), 1, 1);
  const Vector u = copy(fresh.direction(5));
  const Vector z = copy(Randomness(ball(3), 1, 1).noise(5));
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(copy(random.direction(5)), u);
    EXPECT_EQ(copy(random.noise(5)), z);
  }
}

}  // namespace
}  // namespace keyhole::tests
