// What a set answers and explores is in it: for every set of the catalogue, as it is and through
// other sets. Counts grow with KEYHOLE_TEST_SCALE; at 1000 they are 10^5 of each.

#include <gtest/gtest.h>

#include <cmath>

#include "catalogue.h"
#include "instances.h"
#include "keyhole/exploration.h"
#include "keyhole/own_set.h"
#include "slow_set.h"

namespace keyhole::tests {
namespace {

/// Directions of all kinds: with ties and zeros, of one sign, along an axis.
Vector draw_direction(std::size_t n, std::uint64_t k, Random& random) {
  Vector d = random.normals(n);
  for (double& value : d) {
    if (k % 4 == 1) value = std::round(value);
    if (k % 8 == 2) value = -std::abs(value);
  }
  if (k % 16 == 3) {
    d.assign(n, 0.0);
    d[random.integer(0, n - 1)] = random.uniform(-1, 1);
  }
  return d;
}

void expect_members(const SetPtr& set, std::uint64_t count, Random& random) {
  const std::size_t n = set->dimension();
  const auto oracle = set->oracle();
  Vector x(n);
  std::uint64_t refused = 0;
  for (std::uint64_t k = 0; k < count; ++k) {
    oracle->minimise(draw_direction(n, k, random)).write_to(x);
    refused += set->contains(x) ? 0 : 1;
  }
  EXPECT_EQ(refused, 0U) << "of " << count << " vertices of " << set->spec().substr(0, 300);

  const auto exploration = set->exploration();
  std::vector<std::uint64_t> words(exploration->needs().words);
  refused = 0;
  for (std::uint64_t k = 0; k < count; ++k) {
    for (std::uint64_t& word : words) word = random.integer(0, ~std::uint64_t{1});
    const Vector normals = random.normals(exploration->needs().normals);
    exploration->draw({words, normals}, x);
    refused += set->contains(x) ? 0 : 1;
  }
  EXPECT_EQ(refused, 0U) << "of " << count << " draws of " << set->spec().substr(0, 300);

  refused = 0;
  const std::uint64_t projections = set->can_project() ? std::min<std::uint64_t>(count, 1000) : 0;
  for (std::uint64_t k = 0; k < projections; ++k) {
    oracle->project(combine(1, set->centre(), set->outer_radius(), random.normals(n)), x);
    oracle->settle(x);
    refused += set->contains(x) ? 0 : 1;
  }
  EXPECT_EQ(refused, 0U) << "of " << projections << " projections onto "
                         << set->spec().substr(0, 300);
}

double draw_scale(Random& random) {
  return (random.integer(0, 1) == 0 ? 1 : -1) * std::pow(10, random.uniform(-2, 2));
}

Vector draw_shift(const Set& set, Random& random) {
  return random.normals(set.dimension(), set.outer_radius() * std::pow(10, random.uniform(-2, 2)));
}

SetPtr draw_image(const SetPtr& set, Random& random) {
  const double scale = draw_scale(random);
  const Vector shift = draw_shift(*set, random);
  return image(set, scale, combine(scale, shift, 0, shift));
}

/// About a point between the centre and a vertex.
SetPtr draw_recentred(const SetPtr& set, Random& random) {
  Vector v(set->dimension());
  set->oracle()->minimise(random.normals(v.size())).write_to(v);
  return recentred(set, combine(0.7, set->centre(), 0.3, v));
}

void expect_members_through_others(const SetPtr& set, std::uint64_t count, Random& random) {
  expect_members(set, count, random);
  expect_members(draw_image(set, random), count, random);
  expect_members(draw_image(draw_image(set, random), random), count, random);
  expect_members(scaled(set, draw_scale(random)), count, random);
  expect_members(translated(set, draw_shift(*set, random)), count, random);
  expect_members(product({set, draw_image(set, random)}), count, random);
  expect_members(draw_recentred(set, random), count, random);
  expect_members(draw_image(draw_recentred(set, random), random), count, random);
}

class Members : public ::testing::TestWithParam<InstanceFamily> {};

TEST_P(Members, AreAnswersAndDraws) {
  Random random(31);
  for (const std::size_t n : {2, 9}) {
    expect_members_through_others(GetParam().draw(n, random).set, scaled_count(100), random);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Members, ::testing::ValuesIn(catalogue_instances()),
                         [](const auto& family) { return family.param.name; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Members);

TEST(MembersOfFamilies, AreAnswersAndDraws) {
  Random random(32);
  for (const SetFamily& family : all_set_families()) {
    for (const std::size_t n : {2, 9}) {
      const SetPtr set = family.draw(std::max(n, family.smallest_dimension), random);
      expect_members_through_others(set, scaled_count(100), random);
    }
  }
}

// Membership by separation, in more dimensions.
TEST(MembersOfCurvedSets, AreAnswersAndDraws) {
  Random random(33);
  const SetPtr l3 = lp_ball(20, 3);
  const auto minimise = [l3](std::span<const double> d, std::span<double> v) {
    l3->oracle()->minimise(d).write_to(v);
  };
  const SetPtr own = own_set({.dimension = 20, .minimise = minimise, .name = "own"});
  for (const SetPtr& set : {own, minkowski_sum({box(0, 1, 22), ball(22)})}) {
    expect_members(set, scaled_count(20), random);
    expect_members(draw_image(set, random), scaled_count(20), random);
  }
}

}  // namespace
}  // namespace keyhole::tests
