// What sets refuse, what they say, how they are named and told apart.

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "keyhole/keyhole.h"
#include "numbers.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

TEST(SetErrors, NameTheValueAndWhatToDo) {
  EXPECT_EQ(message<InvalidArgument>([] { (void)simplex(1); }),
            "a simplex of 1 dimensions is a single point or empty: at least 2 are needed");
  EXPECT_EQ(message<InvalidArgument>([] { (void)ball(3, -2); }),
            "the radius of a ball must be a number from 1e-50 to 1e50, not -2");
  EXPECT_EQ(
      message<InvalidArgument>([] {
        (void)box(Vector{0, 1}, Vector{1, 1});
      }),
      "coordinate 1 of a box is fixed by its bounds [1, 1]: leave it out, there is nothing to "
      "choose");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)box(Vector{0, 2}, Vector{1, 1});
            }),
            "coordinate 1 of a box is empty: its bounds are [2, 1]");
  EXPECT_EQ(message<InvalidArgument>([] { (void)image(simplex(3), 0, 1); }),
            "the scale of an image must be a number of magnitude 1e-50 to 1e50, not 0");
  EXPECT_EQ(message<InvalidArgument>([] {
              (void)recentred(simplex(2), Vector{0, 1});
            }),
            "the centre [0, 1] is not in the interior of simplex(2)");
}

TEST(SetErrors, BadParametersAreRefusedAtConstruction) {
  for (const double bad : {0.0, -1.0, nan, infinity, -infinity, 1e60, 1e-60}) {
    EXPECT_THROW((void)ball(2, bad), InvalidArgument) << bad;
    EXPECT_THROW((void)simplex(2, bad), InvalidArgument) << bad;
    EXPECT_THROW((void)solid_simplex(2, bad), InvalidArgument) << bad;
  }
  for (const double bad : {nan, infinity, -infinity, 1e60}) {
    EXPECT_THROW((void)box(bad, 1, 2), InvalidArgument) << bad;
    EXPECT_THROW((void)box(0, bad, 2), InvalidArgument) << bad;
    EXPECT_THROW((void)image(ball(2), bad, 0), InvalidArgument) << bad;
    EXPECT_THROW((void)image(ball(2), 1, bad), InvalidArgument) << bad;
    EXPECT_THROW((void)recentred(ball(2), Vector{bad, 0}), InvalidArgument) << bad;
  }
  EXPECT_THROW((void)ball(0), InvalidArgument);
  EXPECT_THROW((void)simplex(0), InvalidArgument);
  EXPECT_THROW((void)solid_simplex(0), InvalidArgument);
  EXPECT_THROW((void)box(0, 1, 0), InvalidArgument);
  EXPECT_THROW((void)box(Vector{0, 0}, Vector{1}), InvalidArgument);
  EXPECT_THROW((void)image(ball(2), 1, Vector{1, 2, 3}), InvalidArgument);
  EXPECT_THROW((void)image(nullptr, 1, 0), InvalidArgument);
  EXPECT_THROW((void)image(nullptr, 1, Vector{1}), InvalidArgument);
  EXPECT_THROW((void)recentred(nullptr, Vector{1}), InvalidArgument);
  EXPECT_THROW((void)recentred(ball(2), Vector{0}), InvalidArgument);
  EXPECT_THROW((void)recentred(ball(2), Vector{0.8, 0.7}), InvalidArgument);
}

TEST(SetErrors, SetsTooFarAwayToBeRepresentedAreRefused) {
  EXPECT_THROW((void)image(ball(2), 1e-9, 1.0), InvalidArgument);
  EXPECT_THROW((void)box(1e12, 1e12 + 1, 2), InvalidArgument);
  EXPECT_NO_THROW((void)image(ball(2), 1, 1e3));
  EXPECT_NO_THROW((void)box(1e6, 1e6 + 1, 2));
}

TEST(SetErrors, MembershipRejectsNonsense) {
  for (const SetPtr& set : {ball(2), box(0, 1, 2), solid_simplex(2), simplex(2),
                            image(simplex(2), 2, 1), recentred(ball(2), Vector{0.1, 0.1})}) {
    EXPECT_FALSE(set->contains(Vector{nan, 0.5})) << set->spec();
    EXPECT_FALSE(set->contains(Vector{0.5, infinity})) << set->spec();
    EXPECT_FALSE(set->contains(Vector{0.5})) << set->spec();
    EXPECT_FALSE(set->contains(Vector{0.5, 0.25, 0.25})) << set->spec();
    EXPECT_TRUE(set->contains(set->centre())) << set->spec();
  }
}

/// A set that offers the least: an oracle and membership.
class Bare final : public Set {
 public:
  explicit Bare(Geometry geometry, std::size_t hull = 1) : Set(1, hull, std::move(geometry)) {}
  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    class Least final : public Oracle {
      const Vertex& do_minimise(std::span<const double>) override { return vertex_; }
      Vertex vertex_;
    };
    return std::make_unique<Least>();
  }
  [[nodiscard]] bool contains(std::span<const double> x) const override { return x.size() == 1; }
  [[nodiscard]] std::string spec() const override { return "bare"; }
};

TEST(SetErrors, CapabilitiesThatAreNotThereSaySo) {
  const Bare bare({{0.0}, 1, 1, 2});
  EXPECT_FALSE(bare.can_project());
  Vector x = {0.5};
  EXPECT_THROW(bare.oracle()->project(x, x), InvalidArgument);
  bare.oracle()->settle(x);
  bare.flatten(x);
  EXPECT_EQ(x, Vector{0.5});
}

TEST(SetErrors, UnsoundGeometryIsRefused) {
  EXPECT_THROW(Bare({{0.0}, 2, 1, 2}), InvalidArgument);       // r > R
  EXPECT_THROW(Bare({{0.0}, 1, 1, 3}), InvalidArgument);       // D > 2 R
  EXPECT_THROW(Bare({{0.0}, 1, 2, 1}), InvalidArgument);       // D < R
  EXPECT_THROW(Bare({{0.0, 0.0}, 1, 1, 2}), InvalidArgument);  // a coordinate too many
  EXPECT_THROW(Bare({{nan}, 1, 1, 2}), InvalidArgument);
  EXPECT_THROW(Bare({{0.0}, 1, 1, 2}, 0), InvalidArgument);  // a point
  EXPECT_THROW(Bare({{0.0}, 1, 1, 2}, 2), InvalidArgument);  // a hull larger than the space
}

TEST(SetSpecs, AreCanonicalAndTellSetsApart) {
  EXPECT_EQ(simplex(100)->spec(), "simplex(100)");
  EXPECT_EQ(simplex(3, 0.5)->spec(), "simplex(3, total=0.5)");
  EXPECT_EQ(solid_simplex(3, 2)->spec(), "solid_simplex(3, total=2)");
  EXPECT_EQ(ball(4)->spec(), "ball(4)");
  EXPECT_EQ(ball(4, 0.1)->spec(), "ball(4, radius=0.1)");
  EXPECT_EQ(box(0, 1, 2)->spec(), "box(0, 1, 2)");
  EXPECT_EQ(box(Vector{0, -1}, Vector{1, 2.5})->spec(), "box([0, -1], [1, 2.5])");
  EXPECT_EQ(box(Vector{0, 0}, Vector{1, 1})->spec(), "box(0, 1, 2)");
  EXPECT_EQ(image(solid_simplex(100), 200, -1)->spec(),
            "image(solid_simplex(100), scale=200, shift=-1)");
  EXPECT_EQ(translated(ball(2), Vector{1, 2})->spec(), "image(ball(2), scale=1, shift=[1, 2])");
  EXPECT_EQ(scaled(ball(2), 3)->spec(), "image(ball(2), scale=3, shift=0)");
  EXPECT_EQ(recentred(simplex(2), Vector{0.25, 0.75})->spec(),
            "recentred(simplex(2), [0.25, 0.75])");

  std::set<std::uint64_t> fingerprints;
  const std::vector<SetPtr> sets = {ball(2),      ball(3),           ball(2, 1 + 1e-15),
                                    simplex(2),   simplex(3),        solid_simplex(2),
                                    box(0, 1, 2), scaled(ball(2), 1)};
  for (const SetPtr& set : sets) fingerprints.insert(set->fingerprint());
  EXPECT_EQ(fingerprints.size(), sets.size());
  EXPECT_EQ(simplex(7)->fingerprint(), simplex(7)->fingerprint());
}

TEST(Settle, RoundsOntoBoundsAndHidesNothing) {
  const SetPtr set = image(box(0, 1, 2), 0.1, 0.7);
  const auto oracle = set->oracle();
  for (double y = 0.7 - 4e-16; y <= 0.7 + 4e-16; y = std::nextafter(y, 1.0)) {
    Vector point = {y, 0.75};
    oracle->settle(point);
    EXPECT_TRUE(set->contains(point));
    EXPECT_NEAR(point[0], y, 1e-15);
  }
  Vector outside = {0.7 - 1e-6, 0.75};
  oracle->settle(outside);
  EXPECT_FALSE(set->contains(outside));
}

}  // namespace
}  // namespace keyhole::tests
