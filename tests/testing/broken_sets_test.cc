// Sets that break one promise each, and the check that must catch them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "altered_set.h"
#include "keyhole/choices.h"
#include "keyhole/norm_balls.h"

namespace keyhole::tests {
namespace {

using keyhole::testing::check_set;
using keyhole::testing::Report;

TEST(BrokenSets, PassWhenNothingIsBroken) {
  for (const std::size_t n : dimensions) {
    for (const SetPtr& honest : honest_sets(n)) {
      const Report report = check_set(std::make_shared<Altered>(honest, Alterations{}));
      EXPECT_TRUE(report.ok()) << honest->spec() << "\n" << report.text();
    }
  }
}

TEST(BrokenSets, OracleOfTheWrongSign) {
  expect_caught_everywhere({.minimise =
                                [](Oracle& honest, ConstPoint direction, Point vertex) {
                                  Vector opposite(direction.begin(), direction.end());
                                  for (double& d : opposite) d = -d;
                                  honestly(honest, opposite, vertex);
                                }},
                           "oracle_is_optimal");
}

TEST(BrokenSets, OracleThatAnswersOutside) {
  expect_caught_everywhere({.minimise =
                                [](Oracle& honest, ConstPoint direction, Point vertex) {
                                  honestly(honest, direction, vertex);
                                  for (double& v : vertex) v *= 1 + 1e-6;
                                }},
                           "oracle_stays_inside");
}

// Seen in the wild: a simplex oracle that multiplies the vertex by the sign of its direction.
TEST(BrokenSets, OracleThatMultipliesByTheSign) {
  expect_caught(simplex(2),
                {.minimise =
                     [](Oracle& honest, ConstPoint direction, Point vertex) {
                       honestly(honest, direction, vertex);
                       for (std::size_t i = 0; i < vertex.size(); ++i) {
                         vertex[i] *= direction[i] < 0 ? -1 : 1;
                       }
                     }},
                "oracle_stays_inside");
}

TEST(BrokenSets, OracleThatOverlooksACoordinate) {
  expect_caught_everywhere({.minimise =
                                [](Oracle& honest, ConstPoint direction, Point vertex) {
                                  Vector overlooked(direction.begin(), direction.end());
                                  overlooked.back() = 0;
                                  honestly(honest, overlooked, vertex);
                                }},
                           "oracle_is_optimal");
}

TEST(BrokenSets, OracleThatStopsShortOfTheBoundary) {
  for (const SetPtr& honest : honest_sets(5)) {
    const Vector p = honest->centre();
    expect_caught(honest,
                  {.minimise =
                       [p](Oracle& oracle, ConstPoint direction, Point vertex) {
                         honestly(oracle, direction, vertex);
                         for (std::size_t i = 0; i < p.size(); ++i) {
                           vertex[i] += 0.001 * (p[i] - vertex[i]);
                         }
                       }},
                  "oracle_is_optimal");
  }
}

TEST(BrokenSets, OracleThatAnswersTheZeroDirectionOutside) {
  expect_caught_everywhere({.minimise =
                                [](Oracle& honest, ConstPoint direction, Point vertex) {
                                  honestly(honest, direction, vertex);
                                  if (is_zero(direction)) vertex[0] += 3;
                                }},
                           "oracle_stays_inside");
}

TEST(BrokenSets, OracleThatDividesByTheLengthOfTheZeroDirection) {
  expect_caught_everywhere({.minimise =
                                [](Oracle& honest, ConstPoint direction, Point vertex) {
                                  honestly(honest, direction, vertex);
                                  if (is_zero(direction))
                                    std::fill(vertex.begin(), vertex.end(), std::nan(""));
                                }},
                           "oracle_stays_inside");
}

TEST(BrokenSets, OracleThatRemembers) {
  auto calls = std::make_shared<int>(0);
  expect_caught_everywhere({.minimise =
                                [calls](Oracle& honest, ConstPoint direction, Point vertex) {
                                  // Ties by the number of calls made before.
                                  Vector tied(direction.begin(), direction.end());
                                  if (is_zero(tied)) tied[0] = ++*calls % 2 == 0 ? 1 : -1;
                                  honestly(honest, tied, vertex);
                                }},
                           "oracle_is_pure");
}

TEST(BrokenSets, OracleWithAnAbsoluteTolerance) {
  expect_caught_everywhere({.minimise =
                                [](Oracle& honest, ConstPoint direction, Point vertex) {
                                  Vector rounded(direction.begin(), direction.end());
                                  for (double& d : rounded) d = std::abs(d) < 1e-3 ? 0 : d;
                                  honestly(honest, rounded, vertex);
                                }},
                           "oracle_ignores_powers_of_two");
}

TEST(BrokenSets, OracleThatWandersOffTheSlowMinimum) {
  const auto wrong = [](ConstPoint d) { return -1.01 * std::abs(d[0]); };
  const Report report = check_set(ball(1), {.slow_minimum = wrong});
  EXPECT_TRUE(report.failed("oracle_matches_slow_minimum")) << report.text();
}

TEST(BrokenSets, MembershipThatAcceptsAnOutwardNudge) {
  for (const std::size_t n : dimensions) {
    for (const SetPtr& honest : honest_sets(n)) {
      const Vector p = honest->centre();
      expect_caught(honest,
                    {.contains =
                         [p](const Set& set, ConstPoint x) {
                           if (x.size() != p.size()) return false;
                           Vector pulled(x.begin(), x.end());
                           for (std::size_t i = 0; i < p.size(); ++i) {
                             pulled[i] += 1e-4 * (p[i] - pulled[i]);
                           }
                           return set.contains(pulled);
                         }},
                    "membership_rejects_outward_nudges");
    }
  }
}

// Seen in the wild: the test of one bound is negated twice, so that it accepts everything above.
TEST(BrokenSets, MembershipWithoutAnUpperBound) {
  expect_caught(box(0, 1, 5),
                {.contains =
                     [](const Set& set, ConstPoint x) {
                       Vector clamped(x.begin(), x.end());
                       for (double& c : clamped) c = std::isfinite(c) ? std::min(c, 1.0) : c;
                       return set.contains(clamped);
                     }},
                "membership_rejects_far_points");
}

// Seen in own_set: an iteration for membership that gives up before it comes to the boundary.
TEST(BrokenSets, MembershipThatGivesUpNearTheBoundary) {
  for (const std::size_t n : dimensions) {
    for (const SetPtr& honest : honest_sets(n)) {
      const Vector p = honest->centre();
      expect_caught(honest,
                    {.contains =
                         [p](const Set& set, ConstPoint x) {
                           if (x.size() != p.size()) return false;
                           Vector pushed(x.begin(), x.end());
                           for (std::size_t i = 0; i < p.size(); ++i) {
                             pushed[i] += 1e-8 * (pushed[i] - p[i]);
                           }
                           return set.contains(pushed);
                         }},
                    "oracle_stays_inside");
    }
  }
}

// Seen in image(): a point is mapped back, and judged by exact bounds as if that had no rounding.
TEST(BrokenSets, MembershipInTheRoundingOfAnotherSet) {
  const double scale = -0.7;
  const double shift = 3.3;
  for (const SetPtr& preimage :
       {hypersimplex(12, 5), solid_hypersimplex(12, 5), k_sparse_ball(12, 5)}) {
    expect_caught(image(preimage, scale, shift),
                  {.contains =
                       [=](const Set& /*set*/, ConstPoint y) {
                         Vector x(y.begin(), y.end());
                         for (double& coordinate : x) coordinate = (coordinate - shift) / scale;
                         return preimage->contains(x);
                       }},
                  "oracle_stays_inside");
  }
}

TEST(BrokenSets, MembershipThatAcceptsMalformedPoints) {
  const auto with_default = [](double nothing) {
    return [nothing](const Set& set, ConstPoint x) {
      Vector filled(x.begin(), x.end());
      filled.resize(set.dimension(), nothing);
      return set.contains(filled);
    };
  };
  const auto deaf_to_nan = [](const Set& set, ConstPoint x) {
    Vector filled(x.begin(), x.end());
    for (std::size_t i = 0; i < filled.size(); ++i) {
      if (std::isnan(filled[i])) filled[i] = set.centre()[i];
    }
    return set.contains(filled);
  };
  expect_caught_everywhere({.contains = deaf_to_nan}, "membership_rejects_malformed_points");
  expect_caught(ball(5), {.contains = with_default(0)}, "membership_rejects_malformed_points");
}

TEST(BrokenSets, MembershipWithAHole) {
  for (const SetPtr& honest : honest_sets(5)) {
    const Vector p = honest->centre();
    expect_caught(honest,
                  {.contains =
                       [p](const Set& set, ConstPoint x) {
                         const double off = x.size() == p.size() ? std::abs(x[0] - p[0]) : 0;
                         const double r = set.inner_radius();
                         return set.contains(x) && !(off > 0.1 * r && off < 0.3 * r);
                       }},
                  "membership_accepts_mixtures");
  }
}

TEST(BrokenSets, MembershipThatForgetsTheCentre) {
  expect_caught_everywhere({.contains =
                                [](const Set& set, ConstPoint x) {
                                  const Vector& p = set.centre();
                                  return set.contains(x) &&
                                         !std::equal(x.begin(), x.end(), p.begin(), p.end());
                                }},
                           "membership_accepts_the_centre");
}

TEST(BrokenSets, MembershipThatIgnoresTheHull) {
  for (const std::size_t n : dimensions) {
    const SetPtr solid = solid_simplex(n, 1.5);
    expect_caught(simplex(n),
                  {.contains = [solid](const Set&, ConstPoint x) { return solid->contains(x); }},
                  "membership_rejects_points_off_the_hull");
  }
}

TEST(BrokenSets, InnerRadiusOnePercentTooLarge) {
  for (const std::size_t n : dimensions) {
    for (const SetPtr& honest : {box(0, 1, n), solid_simplex(n), simplex(n + 1)}) {
      expect_caught(honest, {.inner_radius_factor = 1.01}, "inner_radius_is_not_too_large");
      expect_caught(honest, {.inner_radius_factor = 1.01}, "inner_ball_is_inside");
    }
    // A larger outer radius and diameter are allowed, and here make room for the inner one.
    expect_caught(
        ball(n),
        {.inner_radius_factor = 1.01, .outer_radius_factor = 1.01, .diameter_factor = 1.01},
        "inner_radius_is_not_too_large");
  }
}

TEST(BrokenSets, InnerRadiusOnePercentTooLargeWhereNoAxisShowsIt) {
  // Centres whose nearest facet is one of 2^n, or the one across the corner.
  for (const std::size_t n : dimensions) {
    Vector off_centre(n, 0.5);
    off_centre[1] = 0.3;
    expect_caught(recentred(box(0, 1, n), off_centre), {.inner_radius_factor = 1.01},
                  "inner_radius_is_not_too_large");
    const Vector towards_sum(n, 0.9 / static_cast<double>(n));
    expect_caught(recentred(solid_simplex(n), towards_sum), {.inner_radius_factor = 1.01},
                  "inner_radius_is_not_too_large");
  }
}

TEST(BrokenSets, OuterRadiusOnePercentTooSmall) {
  for (const std::size_t n : dimensions) {
    for (const SetPtr& honest : {box(0, 1, n), solid_simplex(n), simplex(n + 1)}) {
      // The diameter must not be more than twice the outer radius.
      expect_caught(honest, {.outer_radius_factor = 0.99, .diameter_factor = 0.99},
                    "outer_radius_is_not_too_small");
    }
  }
}

TEST(BrokenSets, DiameterOnePercentTooSmall) {
  expect_caught_everywhere({.diameter_factor = 0.99}, "diameter_is_not_too_small");
}

TEST(BrokenSets, InnerRadiusAboutAnotherCentreTooLarge) {
  expect_caught_everywhere({.inner_radius_factor_elsewhere = 1.01},
                           "geometry_about_another_centre");
}

TEST(BrokenSets, ProjectionThatIsNotNearest) {
  const auto clamp_and_rescale = [](Oracle&, ConstPoint point, Point nearest) {
    double sum = 0;
    for (std::size_t i = 0; i < point.size(); ++i) {
      nearest[i] = std::max(point[i], 0.0);
      sum += nearest[i];
    }
    for (double& x : nearest) x = sum > 0 ? x / sum : 1 / static_cast<double>(nearest.size());
  };
  for (const std::size_t n : dimensions) {
    expect_caught(simplex(n), {.project = clamp_and_rescale}, "projection_is_nearest");
  }
}

TEST(BrokenSets, ProjectionThatLandsOutside) {
  expect_caught_everywhere(
      {.project = [](Oracle&, ConstPoint point,
                     Point nearest) { std::copy(point.begin(), point.end(), nearest.begin()); }},
      "projection_lands_inside");
}

TEST(BrokenSets, ProjectionThatOnlySettlingPutsInside) {
  const auto a_rounding_below = [](Oracle& honest, ConstPoint point, Point nearest) {
    honest.project(point, nearest);
    for (double& x : nearest) x = x == 0 ? -0x1p-54 : x;
  };
  for (const std::size_t n : dimensions) {
    for (const SetPtr& honest : {box(0, 1, n), solid_simplex(n), simplex(n)}) {
      expect_caught(honest, {.project = a_rounding_below}, "projection_lands_inside");
    }
  }
}

TEST(BrokenSets, ProjectionThatLosesDigitsFromAfar) {
  for (const std::size_t n : dimensions) {
    for (const SetPtr& honest : honest_sets(n)) {
      const Vector p = honest->centre();
      const auto inwards = [p](Oracle& oracle, ConstPoint point, Point nearest) {
        double farthest = 0;
        for (const double x : point) farthest = std::max(farthest, std::abs(x));
        oracle.project(point, nearest);
        for (std::size_t i = 0; i < p.size(); ++i) {
          nearest[i] += std::min(1.0, 1e-16 * farthest) * (p[i] - nearest[i]);
        }
      };
      expect_caught(honest, {.project = inwards}, "projection_is_nearest");
    }
  }
}

TEST(BrokenSets, ProjectionThatMovesMembers) {
  for (const SetPtr& honest : honest_sets(5)) {
    const Vector p = honest->centre();
    expect_caught(honest,
                  {.project =
                       [p](Oracle& oracle, ConstPoint point, Point nearest) {
                         oracle.project(point, nearest);
                         for (std::size_t i = 0; i < p.size(); ++i) {
                           nearest[i] += 1e-4 * (p[i] - nearest[i]);
                         }
                       }},
                  "projection_keeps_members");
  }
}

TEST(BrokenSets, ProjectionThatReadsWhatItHasWritten) {
  expect_caught(ball(5),
                {.project =
                     [](Oracle&, ConstPoint point, Point nearest) {
                       for (std::size_t i = 0; i < point.size(); ++i) {
                         double square = 0;
                         for (const double x : point) square += x * x;
                         nearest[i] = point[i] / std::max(1.0, std::sqrt(square));
                       }
                     }},
                "projection_is_pure");
}

TEST(BrokenSets, GaugeOnePerMilleTooSmall) {
  const auto smaller = [](Oracle& honest, ConstPoint w, Point s) {
    return 0.999 * honest.gauge(w, s);
  };
  expect_caught_everywhere({.gauge = smaller}, "gauge_matches_membership");
  expect_caught_everywhere({.gauge = smaller}, "gauge_is_one_at_vertices");
}

TEST(BrokenSets, GaugeAboutAnotherCentre) {
  for (const std::size_t n : dimensions) {
    for (const SetPtr& honest : honest_sets(n)) {
      const Vector p = honest->centre();
      Vector vertex(n);
      honest->oracle()->minimise(Vector(p.size(), 0.0)).write_to(vertex);
      // gamma(w + (p - q)): K moved by q - p, q between p and a vertex.
      expect_caught(honest,
                    {.gauge =
                         [=](Oracle& oracle, ConstPoint w, Point s) {
                           Vector moved(w.begin(), w.end());
                           for (std::size_t i = 0; i < n; ++i) moved[i] += 0.1 * (p[i] - vertex[i]);
                           return oracle.gauge(moved, s);
                         }},
                    "gauge_is_one_at_vertices");
    }
  }
}

TEST(BrokenSets, GaugeThatIsNotHomogeneous) {
  // Right inside and at the boundary, as the square of itself is there.
  expect_caught_everywhere({.gauge =
                                [](Oracle& honest, ConstPoint w, Point s) {
                                  const double gamma = honest.gauge(w, s);
                                  return gamma < 1 ? gamma : gamma * gamma;
                                }},
                           "gauge_is_positively_homogeneous");
}

TEST(BrokenSets, GaugeWithWrongSubgradients) {
  const auto times = [](double factor) {
    return [factor](Oracle& honest, ConstPoint w, Point s) {
      const double gamma = honest.gauge(w, s);
      for (double& value : s) value *= factor;
      return gamma;
    };
  };
  for (const double factor : {1.001, 0.999, -1.0, 0.0}) {
    expect_caught_everywhere({.gauge = times(factor)}, "gauge_has_subgradients");
  }
}

TEST(BrokenSets, GaugeWhoseSubgradientsLeaveTheHull) {
  for (const std::size_t n : dimensions) {
    expect_caught(simplex(n),
                  {.gauge =
                       [](Oracle& honest, ConstPoint w, Point s) {
                         const double gamma = honest.gauge(w, s);
                         for (double& value : s) value += 1e-3;
                         return gamma;
                       }},
                  "subgradients_stay_in_the_hull");
  }
}

TEST(BrokenSets, GaugeThatRemembers) {
  auto calls = std::make_shared<int>(0);
  expect_caught_everywhere({.gauge =
                                [calls](Oracle& honest, ConstPoint w, Point s) {
                                  const double rounding = ++*calls % 2 == 0 ? 1e-15 : 0;
                                  return honest.gauge(w, s) * (1 + rounding);
                                }},
                           "gauge_is_pure");
}

/// A disc that does not project and knows no gauge, and says so or pretends.
class Unable final : public Set {
 public:
  explicit Unable(bool pretends)
      : Set(2, 2, ball(2)->geometry()), disc_(ball(2)), pretends_(pretends) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<UnableOracle>(*disc_, pretends_);
  }
  [[nodiscard]] bool contains(ConstPoint x) const override { return disc_->contains(x); }
  [[nodiscard]] std::string spec() const override { return "unable"; }

 private:
  class UnableOracle final : public Oracle {
   public:
    UnableOracle(const Set& disc, bool pretends) : honest_(disc.oracle()), pretends_(pretends) {}
    const Vertex& do_minimise(ConstPoint direction) override {
      return honest_->minimise(direction);
    }
    bool do_project(ConstPoint point, Point nearest) override {
      return pretends_ || Oracle::do_project(point, nearest);
    }
    double do_gauge(ConstPoint w, Point subgradient) override {
      return pretends_ ? 1 : Oracle::do_gauge(w, subgradient);
    }

   private:
    std::unique_ptr<Oracle> honest_;
    bool pretends_;
  };

  SetPtr disc_;
  bool pretends_;
};

TEST(BrokenSets, ProjectionAndGaugeThatAreNotThere) {
  const Report honest = check_set(std::make_shared<Unable>(false));
  EXPECT_TRUE(honest.ok()) << honest.text();
  const Report report = check_set(std::make_shared<Unable>(true));
  EXPECT_TRUE(report.failed("projection_is_refused")) << report.text();
  EXPECT_TRUE(report.failed("gauge_is_refused")) << report.text();
}

TEST(BrokenSets, FlattenThatIsNoProjection) {
  const auto subtract_half_the_mean = [](const Set& set, Point direction) {
    Vector flat(direction.begin(), direction.end());
    set.flatten(flat);
    for (std::size_t i = 0; i < flat.size(); ++i) direction[i] = (direction[i] + flat[i]) / 2;
  };
  const auto subtract_the_first = [](const Set&, Point direction) {
    const double first = direction[0];
    for (double& d : direction) d -= first;
  };
  for (const std::size_t n : dimensions) {
    for (const auto& flatten : {decltype(Alterations::flatten)(subtract_half_the_mean),
                                decltype(Alterations::flatten)(subtract_the_first)}) {
      expect_caught(simplex(n), {.flatten = flatten}, "flatten_is_an_orthogonal_projection");
    }
  }
}

TEST(BrokenSets, FlattenThatDoesNothing) {
  for (const std::size_t n : dimensions) {
    expect_caught(simplex(n), {.flatten = [](const Set&, Point) {}},
                  "flatten_has_the_hull_dimension");
    expect_caught(simplex(n), {.flatten = [](const Set&, Point) {}}, "inner_ball_is_inside");
  }
}

TEST(BrokenSets, FlattenThatFlattensAFullSet) {
  for (const SetPtr& honest : {ball(5), box(0, 1, 5), solid_simplex(5)}) {
    const auto without_last = [](const Set&, Point direction) { direction.back() = 0; };
    expect_caught(honest, {.flatten = without_last}, "flatten_keeps_the_set");
  }
}

TEST(BrokenSets, WrongHullDimension) {
  for (const std::size_t n : dimensions) {
    expect_caught(simplex(n), {.hull_dimension = n}, "flatten_has_the_hull_dimension");
    expect_caught(ball(n), {.hull_dimension = n - 1}, "flatten_has_the_hull_dimension");
  }
  expect_caught(ball(2), {.hull_dimension = 1}, "directions_are_isotropic");
}

TEST(BrokenSets, FlattenThatShrinksACoordinate) {
  const auto halves_the_first = [](const Set&, Point direction) { direction[0] /= 2; };
  expect_caught(ball(5), {.flatten = halves_the_first}, "directions_are_isotropic");
}

TEST(BrokenSets, SettleThatHidesLargeViolations) {
  expect_caught_everywhere(
      {.settle = [](Oracle& honest, Point point) { honest.project(point, point); }},
      "settle_leaves_violations");
}

TEST(BrokenSets, SettleThatMovesMembers) {
  for (const SetPtr& honest : honest_sets(5)) {
    const Vector p = honest->centre();
    expect_caught(honest,
                  {.settle =
                       [p](Oracle&, Point point) {
                         for (std::size_t i = 0; i < p.size(); ++i) {
                           point[i] += 1e-6 * (p[i] - point[i]);
                         }
                       }},
                  "settle_keeps_members");
  }
}

TEST(BrokenSets, SettleThatDoesNothingWhereBoundsAreExact) {
  for (const SetPtr& honest : {box(0, 1, 5), solid_simplex(5), simplex(5)}) {
    expect_caught(honest, {.settle = [](Oracle&, Point) {}}, "settle_mends_rounding");
  }
}

/// What to do otherwise than the exploration that is altered.
struct ExplorationAlterations {
  /// Of the draw and of the score, after the honest ones.
  std::function<void(Exploration& honest, Point v)> draw = {};
  std::function<void(Exploration& honest, Point w)> score = {};
  double variance_factor = 1;
  double squared_radius_factor = 1;
};

class AlteredExploration final : public Exploration {
 public:
  AlteredExploration(std::unique_ptr<Exploration> honest, const ExplorationAlterations& altered)
      : Exploration({honest->mean().begin(), honest->mean().end()},
                    times(altered.variance_factor, honest->variance()),
                    altered.squared_radius_factor * honest->squared_radius(), honest->needs()),
        honest_(std::move(honest)),
        altered_(altered) {}

  void draw(const RandomBits& bits, Point v) override {
    honest_->draw(bits, v);
    if (altered_.draw) altered_.draw(*honest_, v);
  }
  void score(const RandomBits& bits, Point w) override {
    honest_->score(bits, w);
    if (altered_.score) altered_.score(*honest_, w);
  }

 private:
  static Vector times(double factor, ConstPoint x) {
    Vector result(x.begin(), x.end());
    for (double& value : result) value *= factor;
    return result;
  }

  std::unique_ptr<Exploration> honest_;
  ExplorationAlterations altered_;
};

void expect_exploration_caught(const ExplorationAlterations& altered, const std::string& check) {
  expect_caught_everywhere({.exploration =
                                [altered](const Set& honest) {
                                  return std::make_unique<AlteredExploration>(honest.exploration(),
                                                                              altered);
                                }},
                           check);
}

TEST(BrokenSets, ExplorationThatIsNotThere) {
  expect_caught_everywhere({.exploration = [](const Set&) { return nullptr; }},
                           "exploration_is_sound");
}

TEST(BrokenSets, ExplorationWithoutVarianceOrRadius) {
  expect_exploration_caught({.variance_factor = 0}, "exploration_is_sound");
  expect_exploration_caught({.squared_radius_factor = 0}, "exploration_is_sound");
}

TEST(BrokenSets, ExplorationOutside) {
  expect_exploration_caught({.draw =
                                 [](Exploration& honest, Point v) {
                                   // past the farthest that can be drawn
                                   const double scale = std::sqrt(honest.squared_radius());
                                   v[0] += 10 * scale * std::sqrt(honest.variance()[0]);
                                 }},
                            "exploration_stays_inside");
}

TEST(BrokenSets, ExplorationOfAnotherMean) {
  // Where the first coordinate would be above the mean all are at it.
  expect_exploration_caught({.draw =
                                 [](Exploration& honest, Point v) {
                                   const auto p = honest.mean();
                                   if (v[0] > p[0]) std::copy(p.begin(), p.end(), v.begin());
                                 }},
                            "exploration_has_its_mean");
}

TEST(BrokenSets, ExplorationThatRemembers) {
  auto calls = std::make_shared<int>(0);
  const auto now_and_then = [calls](Exploration& honest, Point x) {
    if (++*calls % 3 == 0) std::copy(honest.mean().begin(), honest.mean().end(), x.begin());
  };
  expect_exploration_caught({.draw = now_and_then}, "exploration_is_pure");
  expect_exploration_caught({.score = now_and_then}, "exploration_is_pure");
}

TEST(BrokenSets, ExplorationBeyondItsRadius) {
  expect_exploration_caught({.squared_radius_factor = 0.99}, "exploration_keeps_its_radius");
}

TEST(BrokenSets, ScoresOnePercentTooLarge) {
  // The trace knows it exactly where <score, v - p> is always the same.
  const auto larger = [](Exploration&, Point w) {
    for (double& value : w) value *= 1.01;
  };
  for (const SetPtr& honest : {ball(5), box(0, 1, 5), simplex(5)}) {
    expect_caught(honest,
                  {.exploration =
                       [&](const Set& set) {
                         return std::make_unique<AlteredExploration>(
                             set.exploration(), ExplorationAlterations{.score = larger});
                       }},
                  "scores_fit_the_draws");
  }
}

TEST(BrokenSets, ScoresThatARarePointDecidesAreNotBroken) {
  // <score, v - p> is the same for all corners, and 0 for the centre, which a sample may not meet.
  const Alterations rare{.exploration = [](const Set& set) {
    const double corner = 0.25 * (1 - 0.0015);
    return point_list(set, {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}, {0, 0}},
                      {corner, corner, corner, corner, 0.0015});
  }};
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Report report =
        check_set(std::make_shared<Altered>(box(-1, 1, 2), rare), {.seed = seed, .directions = 3});
    EXPECT_TRUE(report.ok()) << seed << "\n" << report.text();
  }
}

TEST(BrokenSets, ScoresOfAnotherScale) {
  const auto halved = [](Exploration&, Point w) {
    for (double& value : w) value /= 2;
  };
  const auto of_one_coordinate = [](Exploration&, Point w) { w[1] *= 2; };
  expect_exploration_caught({.score = halved}, "scores_fit_the_draws");
  expect_exploration_caught({.score = of_one_coordinate}, "scores_fit_the_draws");
}

TEST(BrokenSets, ScoresThatLeaveTheHull) {
  for (const std::size_t n : dimensions) {
    expect_caught(simplex(n),
                  {.exploration =
                       [](const Set& set) {
                         return std::make_unique<AlteredExploration>(
                             set.exploration(),
                             ExplorationAlterations{.score = [](Exploration&, Point w) {
                               for (double& value : w) value += 1e-3;
                             }});
                       }},
                  "scores_stay_in_the_hull");
  }
}

TEST(BrokenSets, SpecThatChanges) {
  auto calls = std::make_shared<int>(0);
  expect_caught(ball(2), {.spec = [calls] { return "ball " + std::to_string(++*calls); }},
                "spec_is_stable");
}

TEST(BrokenSets, ExceptionsAndMissingSetsAreFindings) {
  expect_caught(ball(2),
                {.minimise = [](Oracle&, ConstPoint, Point) { throw std::runtime_error("tired"); }},
                "oracle_stays_inside");
  const Report report = check_set(nullptr);
  EXPECT_EQ(report.text(), "oracle_is_there: FAILED: there is no set\n");
}

/// A disc whose oracle always gives the same answer, of a shape that is none.
class Misshapen final : public Set {
 public:
  explicit Misshapen(const Vertex& vertex)
      : Set(2, 2, ball(2)->geometry()), disc_(ball(2)), vertex_(vertex) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return std::make_unique<MisshapenOracle>(vertex_);
  }
  [[nodiscard]] bool contains(ConstPoint x) const override { return disc_->contains(x); }
  [[nodiscard]] std::string spec() const override { return "misshapen"; }

 private:
  class MisshapenOracle final : public Oracle {
   public:
    explicit MisshapenOracle(const Vertex& vertex) : vertex_(vertex) {}
    const Vertex& do_minimise(ConstPoint) override { return vertex_; }

   private:
    Vertex vertex_;
  };

  SetPtr disc_;
  Vertex vertex_;
};

TEST(BrokenSets, VerticesOfTheWrongShape) {
  const Vector three(3, 0.1);
  const std::vector<std::size_t> beyond = {2};
  const Vector one(1, 0.5);
  const std::vector<Vertex> vertices = {{three, {}, {}},         {{}, beyond, one},
                                        {{}, beyond, {}},        {{}, {}, {}, three, one},
                                        {{}, {}, {}, one, {}},   {{}, {}, {}, {}, three},
                                        {{}, {}, {}, one, three}};
  for (const Vertex& vertex : vertices) {
    const Report report = check_set(std::make_shared<Misshapen>(vertex));
    EXPECT_TRUE(report.failed("oracle_stays_inside")) << report.text();
  }
}

}  // namespace
}  // namespace keyhole::tests
