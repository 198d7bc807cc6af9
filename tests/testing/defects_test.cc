// Defects that were seen in other libraries of oracles and learners, each brought into an honest
// set, and the check that must catch it. docs/testing.md has the list.

#include <gtest/gtest.h>

#include <cmath>

#include "altered_set.h"
#include "catalogue.h"

namespace keyhole::tests {
namespace {

using keyhole::testing::check_set;
using keyhole::testing::Report;

Vector negated(ConstPoint x) {
  Vector result(x.begin(), x.end());
  for (double& c : result) c = -c;
  return result;
}

// `!(lower <= x || !(x <= upper))` for "is outside": accepts everything above the lower bound, and
// what is above the upper one too.
TEST(Defects, MembershipWithAMisplacedNegation) {
  const auto contains = [](const Set& set, ConstPoint x) {
    if (x.size() != set.dimension()) return false;
    return std::none_of(x.begin(), x.end(),
                        [](double c) { return std::isnan(c) || !(0.0 <= c || !(c <= 1.0)); });
  };
  for (const std::size_t n : dimensions) {
    expect_caught(box(0, 1, n), {.contains = contains}, "membership_rejects_outward_nudges");
    expect_caught(box(0, 1, n), {.contains = contains}, "membership_rejects_far_points");
  }
}

TEST(Defects, MembershipThatOverlooksOneFace) {
  constexpr std::size_t n = 5;
  for (std::size_t face = 0; face < 2 * n; ++face) {
    const std::size_t i = face / 2;
    const bool upper = face % 2 == 1;
    const auto contains = [i, upper](const Set& set, ConstPoint x) {
      Vector y(x.begin(), x.end());
      if (i < y.size() && std::isfinite(y[i])) {
        y[i] = upper ? std::min(y[i], 1.0) : std::max(y[i], 0.0);
      }
      return set.contains(y);
    };
    expect_caught(box(0, 1, n), {.contains = contains}, "membership_rejects_outward_nudges");
  }
}

TEST(Defects, AWrapperThatForgetsTheSignOfItsScale) {
  for (const SetPtr& of : {box(0, 1, 4), simplex(4), l1_ball(4)}) {
    expect_caught(image(of, -2, 1),
                  {.minimise = [](Oracle& honest, ConstPoint direction,
                                  Point vertex) { honestly(honest, negated(direction), vertex); }},
                  "oracle_is_optimal");
  }
}

TEST(Defects, AWrapperThatGivesItsFirstPartToAll) {
  expect_caught(product({simplex(3), simplex(3)}),
                {.minimise =
                     [](Oracle& honest, ConstPoint direction, Point vertex) {
                       Vector mixed(direction.begin(), direction.end());
                       std::copy_n(direction.begin(), 3, mixed.begin() + 3);
                       honestly(honest, mixed, vertex);
                     }},
                "oracle_is_optimal");
}

TEST(Defects, AWrapperThatDoesNotForward) {
  expect_caught(image(box(0, 1, 5), 0.1, 0.7), {.settle = [](Oracle&, Point) {}},
                "settle_mends_rounding");
  expect_caught(recentred(simplex(3), Vector{0.2, 0.3, 0.5}), {.flatten = [](const Set&, Point) {}},
                "flatten_has_the_hull_dimension");
  expect_caught(image(ball(3), 3, 1),
                {.gauge =
                     [](Oracle& honest, ConstPoint w, Point subgradient) {
                       const double gamma = honest.gauge(w, subgradient);
                       for (double& s : subgradient) s *= 3;  // that of the preimage
                       return gamma;
                     }},
                "gauge_has_subgradients");
  const SetPtr preimage = ball(3);
  expect_caught(image(preimage, 3, 10),
                {.exploration = [preimage](const Set&) { return preimage->exploration(); }},
                "exploration_stays_inside");
}

TEST(Defects, AnAnswerThatIsLeftUnset) {
  expect_caught_everywhere({.minimise =
                                [](Oracle& honest, ConstPoint direction, Point vertex) {
                                  if (direction[0] < 0 || is_zero(direction)) {
                                    honestly(honest, direction, vertex);
                                  }
                                }},
                           "oracle_is_pure");
}

void expect_no_vertex(const SetPtr& honest, const Alterations& altered) {
  const auto set = std::make_shared<Altered>(honest, altered);
  const Report report = check_set(set, {.directions = 50, .polytope = true});
  EXPECT_TRUE(report.failed("oracle_answers_are_vertices")) << honest->spec() << report.text();
}

TEST(Defects, TheSignOfZeroIsZero) {
  for (const std::size_t n : dimensions) {
    expect_no_vertex(box(-1, 1, n), {.minimise = [](Oracle&, ConstPoint direction, Point vertex) {
                       for (std::size_t i = 0; i < vertex.size(); ++i) {
                         vertex[i] = direction[i] > 0 ? -1 : direction[i] < 0 ? 1 : 0;
                       }
                     }});
  }
}

TEST(Defects, TiesAreSplit) {
  for (const std::size_t n : dimensions) {
    expect_no_vertex(simplex(n), {.minimise = [](Oracle&, ConstPoint direction, Point vertex) {
                       const double least = *std::min_element(direction.begin(), direction.end());
                       const auto ties = std::count(direction.begin(), direction.end(), least);
                       for (std::size_t i = 0; i < vertex.size(); ++i) {
                         vertex[i] = direction[i] == least ? 1 / static_cast<double>(ties) : 0;
                       }
                     }});
  }
}

TEST(Defects, TheZeroDirectionIsAnsweredWithTheCentre) {
  for (const SetPtr& honest : {box(0, 1, 5), simplex(5), l1_ball(5), solid_simplex(5)}) {
    const Vector p = honest->centre();
    expect_no_vertex(honest, {.minimise = [p](Oracle& oracle, ConstPoint direction, Point vertex) {
                       honestly(oracle, direction, vertex);
                       if (is_zero(direction)) std::copy(p.begin(), p.end(), vertex.begin());
                     }});
  }
}

TEST(Defects, PolytopesOfTheLibraryAnswerWithVertices) {
  Random random(1);
  const std::vector<Edge> edges = {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}, {0, 3}};
  const std::vector<std::size_t> paths = {3, 2, 4};
  std::vector<SetPtr> sets = {unit_flow(4, edges, 0, 3), path_splits(paths),
                              affine_image(l1_ball(2), Vector{2, 0.5, 0, 1}, Vector{1, 0})};
  for (const std::size_t n : {2u, 6u}) {
    sets.insert(sets.end(), {random_box(n, random), simplex(n), solid_simplex(n), l1_ball(n),
                             random_polytope(n, 0, random), random_polytope(n, 1, random),
                             image(l1_ball(n), -3, 1), product({simplex(n), box(0, 1, 2)}),
                             recentred(box(0, 1, n), Vector(n, 0.4))});
  }
  for (const SetPtr& set : sets) {
    const Report report = check_set(set, {.directions = 50, .polytope = true});
    EXPECT_FALSE(report.failed("oracle_answers_are_vertices")) << set->spec() << report.text();
  }
}

TEST(Defects, SettlingThatLeavesTheLastRounding) {
  for (const SetPtr& honest : {box(0, 1, 5), solid_simplex(5), simplex(5)}) {
    expect_caught(honest,
                  {.settle =
                       [](Oracle& oracle, Point point) {
                         const Vector before(point.begin(), point.end());
                         oracle.settle(point);
                         for (std::size_t i = 0; i < before.size(); ++i) {
                           if (before[i] < 0 && point[i] == 0) point[i] = -1.5e-17;
                         }
                       }},
                  "settle_mends_rounding");
  }
}

TEST(Defects, TheLastRoundingBelowZeroIsNoMemberAndIsSettled) {
  const std::vector<Edge> edges = {{0, 1}, {0, 1}, {1, 2}, {0, 2}};
  const std::vector<std::size_t> paths = {3, 2};
  for (const SetPtr& set : {box(0, 1, 4), solid_simplex(4), simplex(4), unit_flow(3, edges, 0, 2),
                            path_splits(paths), product({simplex(2), solid_simplex(3)})}) {
    const auto oracle = set->oracle();
    Vector x(set->dimension());
    oracle->minimise(Vector(set->dimension(), 1.0)).write_to(x);
    const auto zero = std::find(x.begin(), x.end(), 0.0);
    ASSERT_NE(zero, x.end()) << set->spec();
    *zero = -1.5e-17;
    EXPECT_FALSE(set->contains(x)) << set->spec();
    oracle->settle(x);
    EXPECT_TRUE(set->contains(x)) << set->spec();
    EXPECT_GE(*zero, 0) << set->spec();
  }
}

}  // namespace
}  // namespace keyhole::tests
