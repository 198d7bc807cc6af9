#include <gtest/gtest.h>

#include "catalogue.h"
#include "keyhole/testing.h"
#include "pages/set_texts.h"
#include "slow_set.h"

namespace keyhole::tests {
namespace {

using keyhole::testing::check_set;
using keyhole::testing::Report;

constexpr std::size_t contract_dimensions[] = {1, 2, 3, 10, 60};

TEST(BuiltInSets, KeepTheContract) {
  Random random(1);
  for (const SetFamily& family : all_set_families()) {
    for (const std::size_t n : contract_dimensions) {
      if (n < family.smallest_dimension) continue;
      const SetPtr set = family.draw(n, random);
      const Report report = check_set(set, {.directions = scaled_count(200)});
      EXPECT_TRUE(report.ok()) << set->spec().substr(0, 200) << "\n" << report.text();
    }
  }
}

TEST(BuiltInSets, KeepTheContractWithTheNumbersOfTheirDocumentation) {
  for (const std::size_t n : contract_dimensions) {
    std::vector<SetPtr> sets = {ball(n),
                                box(0, 1, n),
                                box(-1e-3, 1e3, n),
                                solid_simplex(n, 1e9),
                                image(solid_simplex(n), 2 * static_cast<double>(n), -1),
                                image(box(0, 1, n), -3, 1e4)};
    if (n >= 2) sets.insert(sets.end(), {simplex(n), simplex(n, 1e-9)});
    for (const SetPtr& set : sets) {
      const Report report = check_set(set, {.directions = scaled_count(200)});
      EXPECT_TRUE(report.ok()) << set->spec() << "\n" << report.text();
    }
  }
}

TEST(BuiltInSets, EveryExampleOfTheTableKeepsTheContract) {
  std::size_t sets = 0;
  for (const SpecEntry& entry : Catalogue::standard().entries()) {
    if (entry.kind() != SpecKind::set) continue;
    const std::string example = pages::page_text(entry.name).example;
    ++sets;
    const Report report = check_set(make_set(example), {.directions = scaled_count(100)});
    EXPECT_TRUE(report.ok()) << example << "\n" << report.text();
  }
  EXPECT_GE(sets, 40u);
}

TEST(BuiltInSets, MatchTheEnumerationOfTheirVertices) {
  Random random(2);
  for (const SlowSet::Kind kind : all_kinds) {
    for (const std::size_t n : {std::size_t{2}, std::size_t{3}, std::size_t{8}}) {
      const Twins original = draw_twins(kind, n, random);
      for (const Twins& twins : {original, image_of(original, random)}) {
        const auto minimum = [&](std::span<const double> d) { return twins.slow.minimum(d); };
        const Report report = check_set(twins.set, {.directions = 50, .slow_minimum = minimum});
        EXPECT_TRUE(report.ok()) << twins.set->spec() << "\n" << report.text();
      }
    }
  }
}

}  // namespace
}  // namespace keyhole::tests
