// Affine images against the images of enumerated vertices, and what is refused.

#include <gtest/gtest.h>

#include "catalogue.h"
#include "keyhole/testing.h"
#include "matrices.h"
#include "slow_set.h"
#include "thrown.h"

namespace keyhole::tests {
namespace {

using keyhole::testing::check_set;

struct AffineTwins {
  SetPtr set;
  SetPtr preimage;
  Matrix a;
  Vector b;
  std::vector<Vector> vertices;

  [[nodiscard]] Vector mapped(std::span<const double> x) const {
    Vector y(b.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
      long double sum = b[i];
      for (std::size_t j = 0; j < x.size(); ++j) {
        sum += static_cast<long double>(
                   a(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j))) *
               x[j];
      }
      y[i] = static_cast<double>(sum);
    }
    return y;
  }
};

AffineTwins draw_affine(SlowSet::Kind kind, std::size_t n, std::size_t m, Random& random) {
  const Twins twins = draw_twins(kind, n, random);
  AffineTwins result{nullptr, twins.set, normal_matrix(m, n, random), random.normals(m), {}};
  // Singular values between 1 and 4.
  const Svd svd = singular_decomposition(result.a);
  Eigen::VectorXd s(static_cast<Eigen::Index>(n));
  for (Eigen::Index i = 0; i < s.size(); ++i) s[i] = random.uniform(1, 4);
  result.a = composed(svd.u, s, svd.v);
  result.set = affine_image(twins.set, entries(result.a), result.b);
  for (const Vector& v : twins.slow.vertices()) result.vertices.push_back(result.mapped(v));
  return result;
}

TEST(AffineImage, KeepsTheContractAndMatchesTheImagesOfVertices) {
  Random random(1);
  for (const SlowSet::Kind kind :
       {SlowSet::Kind::box, SlowSet::Kind::solid_simplex, SlowSet::Kind::simplex}) {
    for (const std::size_t n : {2U, 3U, 6U}) {
      for (const std::size_t more : {0U, 1U, 4U}) {
        const AffineTwins twins = draw_affine(kind, n, n + more, random);
        const auto minimum = [&](std::span<const double> d) {
          double least = HUGE_VAL;
          for (const Vector& v : twins.vertices) least = std::min(least, inner(d, v));
          return least;
        };
        const auto report = check_set(twins.set, {.directions = 50, .slow_minimum = minimum});
        EXPECT_TRUE(report.ok()) << twins.set->spec() << "\n" << report.text();
        EXPECT_EQ(twins.set->hull_dimension(), kind == SlowSet::Kind::simplex ? n - 1 : n);
        double farthest = 0;
        for (const Vector& v : twins.vertices) {
          farthest = std::max(farthest, distance(v, twins.set->centre()));
        }
        EXPECT_LE(farthest, twins.set->outer_radius());
        EXPECT_FALSE(twins.set->geometry().outer_radius_exact);
      }
    }
  }
}

TEST(AffineImage, OfSetsThatAreNotClosedForms) {
  Random random(2);
  for (const SetPtr& preimage :
       {ball(3), nuclear_ball(2, 2), psd_trace_ball(2), random_polytope(4, 1, random),
        product({simplex(3), box(0, 1, 1)}), recentred(simplex(3), Vector{0.2, 0.3, 0.5})}) {
    const std::size_t n = preimage->dimension();
    const SetPtr set =
        affine_image(preimage, entries(random_frame(n + 2, n, random)), random.normals(n + 2));
    const auto report = check_set(set, {.directions = 50});
    EXPECT_TRUE(report.ok()) << set->spec() << "\n" << report.text();
  }
}

TEST(AffineImage, InUnitsFarApartPlaysStayInside) {
  for (const double unit : {1e2, 1e3, 9e3}) {
    const Vector matrix = {1, 0.3, 0.1, 0, unit, 0.2 * unit, 0, 0, 1, 0.5, 0.5, 1};
    for (const SetPtr& preimage : {box(0, 1, 3), simplex(3), ball(3), l1_ball(3)}) {
      const SetPtr set = affine_image(preimage, matrix, Vector{1, 2, 3, 4});
      Learner learner(anytime(projection_free(set, {.loss_bound = 1})));
      Vector y(4);
      for (int t = 0; t < 2000; ++t) {
        const PlayId id = learner.ask(y);
        ASSERT_TRUE(set->contains(y)) << set->spec() << ", round " << t;
        learner.tell(id, std::clamp(y[0] - 1.5, -1.0, 1.0));
      }
    }
  }
}

TEST(AffineImage, MembershipIsThatOfThePreimage) {
  Random random(3);
  for (int k = 0; k < 100; ++k) {
    const AffineTwins twins = draw_affine(SlowSet::Kind::solid_simplex, 5, 8, random);
    const auto oracle = twins.preimage->oracle();
    for (int trial = 0; trial < 10; ++trial) {
      Vector x = random.normals(5, twins.preimage->outer_radius() / 2);
      const bool inside = twins.preimage->contains(x);
      EXPECT_EQ(twins.set->contains(twins.mapped(x)), inside);
      oracle->project(x, x);  // on the boundary, as often as not
      EXPECT_TRUE(twins.set->contains(twins.mapped(x)));
    }
  }
}

TEST(AffineImage, Refusals) {
  const auto of = [](const SetPtr& set, const Vector& matrix, const Vector& shift) {
    return message<InvalidArgument>([&] { (void)affine_image(set, matrix, shift); });
  };
  const SetPtr square = box(0, 1, 2);
  EXPECT_EQ(of(nullptr, {1}, {0}), "an affine image needs a set");
  EXPECT_EQ(of(square, {}, {}), "an affine image needs at least one row");
  EXPECT_EQ(of(square, {1, 2, 3}, {0, 0}),
            "the matrix of an affine image with 2 rows and 2 columns has 4 numbers, not 3");
  EXPECT_EQ(of(simplex(2), {1, 1}, {0}),
            "the affine image is a single point: the matrix takes all points of simplex(2) to the "
            "same one");
  EXPECT_EQ(of(square, {1, 0, 0, 1e-5}, {0, 0}),
            "the columns of the matrix of an affine image are too nearly dependent, or their units "
            "too far apart: its singular values are between 1e-05 and 1, and 1e4 is the largest "
            "ratio");
  EXPECT_EQ(of(box(Vector{0, 0}, Vector{1, 1e-3}), {1, 0, 0, 1e-4}, {0, 0}),
            "the affine image is too thin: with singular values between 1e-04 and 1 its inner "
            "radius may be less than 1e-6 of the outer one");
  EXPECT_EQ(
      of(square, {1, 0, 0, 1}, {1e8, 0}),
      "the affine image is too far away (100000000.5) compared with its inner radius 0.5: choose "
      "coordinates nearer the origin");
  EXPECT_EQ(of(square, {1, 0, 0, HUGE_VAL}, {0, 0}),
            "an affine image needs numbers of magnitude up to 1e50, not inf");
}

TEST(AffineImage, OfMoreCoordinatesThanRows) {
  // A hexagon, by its vertices and by its three generators.
  const SetPtr set = affine_image(box(0, 1, 3), {1, 0, 1, 0, 1, 1}, {0, 0});
  EXPECT_EQ(set->hull_dimension(), 2U);
  EXPECT_TRUE(set->contains(Vector{2, 2}));
  EXPECT_TRUE(set->contains(Vector{1, 0}));
  EXPECT_TRUE(set->contains(Vector{1.5, 0.6}));
  EXPECT_FALSE(set->contains(Vector{1.5, 0.4}));
  EXPECT_FALSE(set->contains(Vector{2, 0}));
  EXPECT_EQ(set->spec(), "affine_image(box(0, 1, 3), matrix=[[1, 0, 1], [0, 1, 1]], shift=0)");
  // Dependent columns: a segment.
  const SetPtr segment = affine_image(box(0, 1, 2), {1, 2, 2, 4}, {0, 0});
  EXPECT_EQ(segment->hull_dimension(), 1U);
  EXPECT_TRUE(segment->contains(Vector{1.5, 3}));
  EXPECT_FALSE(segment->contains(Vector{1.5, 3.01}));
  // The first marginal of a joint distribution of two times two.
  const SetPtr marginal = affine_image(simplex(4), {1, 1, 0, 0, 0, 0, 1, 1}, {0, 0});
  EXPECT_EQ(marginal->hull_dimension(), 1U);
  EXPECT_TRUE(marginal->contains(Vector{0.25, 0.75}));
  EXPECT_FALSE(marginal->contains(Vector{0.25, 0.5}));
}

TEST(AffineImage, SpecsReadBack) {
  const SetPtr set = affine_image(simplex(2), Vector{1, 2, 0, 1, 0.5, -1}, Vector{0, 1, 0});
  EXPECT_EQ(set->spec(),
            "affine_image(simplex(2), matrix=[[1, 2], [0, 1], [0.5, -1]], shift=[0, 1, 0])");
  EXPECT_EQ(make_set(set->spec())->spec(), set->spec());
  EXPECT_EQ(make_set("affine_image(simplex(2), [[1, 0], [0, 1]])")->spec(),
            "affine_image(simplex(2), matrix=[[1, 0], [0, 1]], shift=0)");
  EXPECT_EQ(message<SpecError>([] { (void)make_set("affine_image(ball(2), [[1], [2]])"); }),
            "affine_image(ball(2), [[1], [2]]): row 1 of matrix has 1 numbers, not 2");
}

}  // namespace
}  // namespace keyhole::tests
