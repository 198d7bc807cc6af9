// Every set of the catalogue against the contract, and its oracle against an independent slow one.

#include "catalogue.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "instances.h"
#include "keyhole/testing.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

/// What an oracle and an exploration of `set`, or of another that is equal to it, answer.
Vector answers(const Set& set, Oracle& oracle, Exploration& exploration) {
  Random random(15);
  const std::size_t n = set.dimension();
  Vector all;
  const auto add = [&](const Vector& x) { all.insert(all.end(), x.begin(), x.end()); };
  for (int k = 0; k < 3; ++k) {
    Vector x(n);
    Vector y(n);
    oracle.minimise(random.normals(n)).write_to(x);
    oracle.settle(x);
    add(x);
    if (set.can_gauge()) {
      all.push_back(oracle.gauge(x, y));
      add(y);
    }
    if (set.can_project()) {
      oracle.project(random.normals(n, 3 * set.outer_radius()), y);
      add(y);
    }
    std::vector<std::uint64_t> words(exploration.needs().words);
    for (std::uint64_t& word : words) word = random.integer(0, ~std::uint64_t{1});
    const Vector normals = random.normals(exploration.needs().normals);
    exploration.draw({words, normals}, x);
    exploration.score({words, normals}, y);
    add(x);
    add(y);
  }
  return all;
}

/// Oracle and exploration of sets that nobody else holds answer as those of one that is held.
void expect_to_outlive_sets(const std::function<SetPtr(Random& random)>& draw) {
  const auto set = [&] {
    Random random(14);
    return draw(random);
  };
  const auto oracle = set()->oracle();
  const auto exploration = set()->exploration();
  const SetPtr kept = set();
  EXPECT_EQ(answers(*kept, *oracle, *exploration),
            answers(*kept, *kept->oracle(), *kept->exploration()))
      << kept->spec();
}

class Catalogue : public ::testing::TestWithParam<InstanceFamily> {};

TEST_P(Catalogue, KeepsTheContract) {
  Random random(11);
  for (const std::size_t n : {2, 3, 6, 12, 40}) {
    const Instance instance = GetParam().draw(n, random);
    const testing::Report report = testing::check_set(
        instance.set, {.directions = scaled_count(GetParam().directions / (n > 12 ? 4 : 1)),
                       .slow_minimum = n <= 6 ? instance.slow_minimum : nullptr});
    EXPECT_TRUE(report.ok()) << instance.set->spec().substr(0, 200) << "\n" << report.text();
  }
}

TEST_P(Catalogue, OracleMatchesASlowOneOnAThousandInstances) {
  Random random(12);
  const auto count = scaled_count(1000);
  for (std::uint64_t k = 0; k < count; ++k) {
    const Instance instance = GetParam().draw(random.integer(2, 6), random);
    const std::size_t n = instance.set->dimension();
    std::vector<double> d = random.normals(n);
    if (k % 4 == 1) {  // ties and zeros
      for (double& value : d) value = std::round(value);
    }
    const auto oracle = instance.set->oracle();
    const Vertex& v = oracle->minimise(d);
    double largest = 0;
    for (const double value : d) largest = std::max(largest, std::abs(value));
    const double scale = instance.set->outer_radius() * largest + std::abs(v.dot(d));
    ASSERT_NEAR(v.dot(d), instance.slow_minimum(d), 1e-8 * scale + 1e-300)
        << instance.set->spec().substr(0, 400);
    std::vector<double> point(n);
    v.write_to(point);
    ASSERT_TRUE(instance.set->contains(point)) << instance.set->spec().substr(0, 400);
  }
}

TEST_P(Catalogue, SpecsReadBack) {
  Random random(13);
  for (std::uint64_t k = 0; k < scaled_count(20); ++k) {
    const SetPtr set = GetParam().draw(random.integer(2, 9), random).set;
    const SetPtr back = make_set(set->spec());
    ASSERT_EQ(back->spec(), set->spec());
    EXPECT_EQ(back->centre(), set->centre()) << set->spec();
    EXPECT_EQ(back->inner_radius(), set->inner_radius()) << set->spec();
    EXPECT_EQ(back->outer_radius(), set->outer_radius()) << set->spec();
    const std::vector<double> d = random.normals(set->dimension());
    EXPECT_EQ(back->oracle()->minimise(d).dot(d), set->oracle()->minimise(d).dot(d)) << set->spec();
  }
}

TEST_P(Catalogue, OraclesAndExplorationsKeepTheirSetAlive) {
  for (const std::size_t n : {3, 12}) {
    expect_to_outlive_sets([&](Random& random) { return GetParam().draw(n, random).set; });
  }
}

TEST(SetFamilies, OraclesAndExplorationsKeepTheirSetAlive) {
  for (const SetFamily& family : all_set_families()) {
    for (const std::size_t n : {3, 12}) {
      expect_to_outlive_sets([&](Random& random) { return family.draw(n, random); });
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Catalogue, ::testing::ValuesIn(catalogue_instances()),
                         [](const auto& family) { return family.param.name; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Catalogue);

}  // namespace
}  // namespace keyhole::tests
