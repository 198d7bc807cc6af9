// The coordinates of a set: one map and its inverse, as wide as the exploration every way, the same
// for every affine image.

#include "learners/posterior/frame.h"

#include <gtest/gtest.h>

#include <cmath>

#include "catalogue.h"
#include "matrices.h"
#include "slow_set.h"

namespace keyhole::tests {
namespace {

/// A set and its frame about a point, the centre of the exploration if none is given.
struct Framed {
  explicit Framed(SetPtr of, const Vector& about = {})
      : set(std::move(of)),
        nu(set->exploration()),
        origin(about.empty() ? Vector(nu->mean().begin(), nu->mean().end()) : about),
        frame(set, *nu, origin) {}
  Framed(const Framed&) = delete;
  Framed& operator=(const Framed&) = delete;

  [[nodiscard]] Vector coordinates(const Vector& y) const {
    Vector z(frame.size());
    frame.coordinates(y, z);
    return z;
  }
  [[nodiscard]] Vector point(const Vector& z) const {
    Vector y(set->dimension());
    frame.point(z, y);
    return y;
  }
  [[nodiscard]] Vector direction(const Vector& slope) const {
    Vector d(set->dimension());
    frame.direction(slope, d);
    return d;
  }
  /// |z|^2 of a point.
  [[nodiscard]] double squares(const Vector& y) const {
    const Vector z = coordinates(y);
    return inner(z, z);
  }

  SetPtr set;
  std::unique_ptr<Exploration> nu;
  Vector origin;
  algorithms::Frame frame;
};

/// A point of a set: a random combination of its centre and three vertices.
Vector point_inside(const Set& set, Random& random) {
  const auto oracle = set.oracle();
  Vector y(set.centre());
  for (int k = 0; k < 3; ++k) {
    Vector v(y.size());
    oracle->minimise(random.normals(y.size())).write_to(v);
    y = combine(0.6, y, 0.4, v);
  }
  return y;
}

/// Columns that are turned, with singular values from 1 to the condition number.
Vector stretching_matrix(std::size_t rows, std::size_t columns, double condition, Random& random) {
  Eigen::VectorXd values(static_cast<Eigen::Index>(columns));
  for (std::size_t k = 0; k < columns; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(columns - 1);
    values[static_cast<Eigen::Index>(k)] = std::pow(condition, share);
  }
  return entries(composed(random_frame(rows, columns, random), values,
                          random_frame(columns, columns, random)));
}

std::vector<SetPtr> framed_sets() {
  Random random(6);
  return {ball(5, 2),
          ball(1),
          box(Vector{-1, 0, 2}, Vector{1, 3, 2.001}),
          simplex(6, 3),
          solid_simplex(4),
          l1_ball(5),
          path_splits({2, 3, 2}),
          nuclear_ball(2, 3),
          random_polytope(5, 0, random),
          random_polytope(6, 2, random),
          affine_image(box(-1, 1, 3), stretching_matrix(3, 3, 1000, random), {0, 1, 2}),
          affine_image(ball(3), stretching_matrix(5, 3, 10, random), {0, 0, 0, 0, 9})};
}

TEST(Frame, HasTheDimensionsOfTheSet) {
  for (const SetPtr& set : framed_sets()) {
    const Framed framed(set);
    EXPECT_EQ(framed.frame.size(), set->hull_dimension()) << set->spec();
    EXPECT_EQ(framed.frame.dimension(), set->dimension()) << set->spec();
  }
}

TEST(Frame, CoordinatesOfAPointOfCoordinatesAreThese) {
  Random random(1);
  for (const SetPtr& set : framed_sets()) {
    const Framed framed(set);
    for (int k = 0; k < 20; ++k) {
      const Vector z = random.normals(framed.frame.size());
      EXPECT_LE(distance(framed.coordinates(framed.point(z)), z), 1e-8) << set->spec();
    }
  }
}

TEST(Frame, PointsThatNearlyRepeatAnotherDoNoHarm) {
  // Half of the explored points are another one moved by a little: what is new in them is 1e-8 of
  // it, squared, or less. Taking that for a direction brought its rounding errors.
  constexpr std::size_t m = 30;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    const SetPtr set = ball(m, 20);
    std::vector<Vector> points;
    for (std::size_t k = 0; k < 2 * m; ++k) {
      points.push_back(random.normals(m));
      points.push_back(combine(1, points.back(), 1e-4, random.normals(m)));
    }
    const auto nu = point_list(*set, points, Vector(points.size(), 1.0 / (4 * m)));
    const Vector origin(m, 0.0);
    const algorithms::Frame frame(set, *nu, origin);
    Vector y(m);
    Vector back(m);
    for (int k = 0; k < 20; ++k) {
      const Vector z = random.normals(m);
      frame.point(z, y);
      frame.coordinates(y, back);
      EXPECT_LE(distance(back, z), 1e-10) << seed;
    }
  }
}

TEST(Frame, ThePointOfTheCoordinatesOfAPointIsThat) {
  Random random(2);
  for (const SetPtr& set : framed_sets()) {
    const Framed framed(set);
    for (int k = 0; k < 20; ++k) {
      const Vector y = point_inside(*set, random);
      EXPECT_LE(distance(framed.point(framed.coordinates(y)), y), 1e-9 * set->outer_radius())
          << set->spec();
    }
  }
}

TEST(Frame, TheOriginHasTheCoordinatesZero) {
  Random random(3);
  for (const SetPtr& set : framed_sets()) {
    const Vector about = point_inside(*set, random);
    const Framed framed(set, about);
    EXPECT_EQ(framed.coordinates(about), Vector(framed.frame.size(), 0.0)) << set->spec();
    EXPECT_EQ(framed.point(Vector(framed.frame.size(), 0.0)), about) << set->spec();
  }
}

TEST(Frame, ADirectionIsTheSlopeInCoordinates) {
  Random random(4);
  for (const SetPtr& set : framed_sets()) {
    const Framed framed(set, point_inside(*set, random));
    for (int k = 0; k < 20; ++k) {
      const Vector u = random.normals(framed.frame.size());
      const Vector y = point_inside(*set, random);
      const Vector z = framed.coordinates(y);
      EXPECT_NEAR(inner(framed.direction(u), combine(1, y, -1, framed.origin)), inner(u, z),
                  1e-9 * (1 + std::sqrt(inner(u, u) * inner(z, z))))
          << set->spec();
    }
  }
}

TEST(Frame, LengthsAreKnownOnABox) {
  // The corners have the covariance diag(h_i^2).
  const Framed framed(box(Vector{-1, 0, 2}, Vector{1, 3, 2.5}));
  EXPECT_NEAR(framed.squares({1, 3, 2.5}), 3, 1e-9);
  EXPECT_NEAR(framed.squares({0.5, 1.5, 2.25}), 0.25, 1e-9);
  EXPECT_NEAR(framed.squares({0, 1.5, 2.375}), 0.25, 1e-9);
}

TEST(Frame, LengthsAreKnownOnABall) {
  // The sphere has the covariance R^2 / n.
  const Framed framed(ball(4, 3));
  EXPECT_NEAR(framed.squares({3, 0, 0, 0}), 4, 1e-9);
  EXPECT_NEAR(framed.squares({0, 1, -1, 0.5}), 2.25 * 4 / 9, 1e-9);
}

TEST(Frame, LengthsAreKnownOnASimplex) {
  // The vertices have the covariance total^2 (1 / n - 1 1' / n^2), along the hull total^2 / n.
  const Framed framed(simplex(4, 2));
  EXPECT_NEAR(framed.squares({2, 0, 0, 0}), 3, 1e-9);             // |y - p|^2 = 3
  EXPECT_NEAR(framed.squares({1, 1, 0, 0}), 1, 1e-9);             // 1
  EXPECT_NEAR(framed.squares({0.5, 0.5, 0.4, 0.6}), 0.02, 1e-9);  // 0.02
}

TEST(Frame, ExploredPointsAreAsWideEveryWay) {
  // The mean of z is 0 and that of z z' the unit matrix, within five standard errors of the sample:
  // of some 300 numbers, a false alarm once in 5000 runs.
  constexpr int draws = 20000;
  for (const SetPtr& set : framed_sets()) {
    const Framed framed(set);
    const std::size_t m = framed.frame.size();
    Randomness random(set, 11, 0);
    std::vector<std::uint64_t> words((framed.nu->needs().words + 1) / 2 * 2);
    Vector normals(framed.nu->needs().normals);
    Vector v(set->dimension());
    Vector sums(m + m * m);
    Vector squares(sums.size());
    for (std::uint64_t t = 1; t <= draws; ++t) {
      random.words(t, words);
      random.normals(t, normals);
      framed.nu->draw({words, normals}, v);
      const Vector z = framed.coordinates(v);
      for (std::size_t k = 0; k < sums.size(); ++k) {
        const double number = k < m ? z[k] : z[(k - m) / m] * z[(k - m) % m];
        sums[k] += number;
        squares[k] += number * number;
      }
    }
    for (std::size_t k = 0; k < sums.size(); ++k) {
      const double mean = sums[k] / draws;
      const double error = std::sqrt(std::max(0.0, squares[k] / draws - mean * mean) / draws);
      const double expected = k >= m && (k - m) / m == (k - m) % m ? 1 : 0;
      EXPECT_NEAR(mean, expected, 5 * error + 1e-6) << set->spec() << ", number " << k;
      EXPECT_LE(error, 0.05) << "too large to tell";
    }
  }
}

TEST(Frame, AffineImagesHaveTheSameLengths) {
  Random random(5);
  for (const SetPtr& set : {box(-1, 2, 4), ball(4), simplex(4), l1_ball(4)}) {
    for (const double condition : {1.0, 10.0, 1000.0, 9999.0}) {
      for (const std::size_t rows : {4U, 6U}) {
        const Vector matrix = stretching_matrix(rows, 4, condition, random);
        const Framed before(set);
        const Framed after(affine_image(set, matrix, random.normals(rows)));
        for (int k = 0; k < 10; ++k) {
          const Vector y = combine(1, point_inside(*set, random), -1, before.origin);
          Vector mapped(rows);
          multiply(matrix_of(matrix, rows, 4), y, mapped);
          const double expected = before.squares(combine(1, y, 1, before.origin));
          // What a thin side loses to rounding grows with the condition number.
          EXPECT_NEAR(after.squares(combine(1, mapped, 1, after.origin)), expected,
                      1e-11 * condition * (1 + expected))
              << set->spec() << ", " << condition << ", " << rows << " rows";
        }
      }
    }
  }
}

TEST(Frame, AThinBoxIsNotStretched) {
  EXPECT_TRUE(Framed(box(Vector{-1, 0, 2}, Vector{1, 1e-3, 300})).frame.stretches().empty());
  EXPECT_TRUE(Framed(ball(6)).frame.stretches().empty());
  EXPECT_TRUE(Framed(simplex(6)).frame.stretches().empty());
  EXPECT_TRUE(Framed(ball(1)).frame.stretches().empty());
}

TEST(Frame, ATurnedThinBoxIsStretched) {
  const double c = std::sqrt(0.5);
  const Framed framed(affine_image(box(-1, 1, 2), {c, -0.01 * c, c, 0.01 * c}, {0, 0}));
  const std::span<const double> mu = framed.frame.stretches();
  ASSERT_EQ(mu.size(), 2U);
  // Var y_i = (1 + 0.01^2) / 2; along the long side y has the length 1, along the short one 0.01.
  const double variance = (1 + 1e-4) / 2;
  EXPECT_NEAR(std::max(mu[0], mu[1]), 1 / variance, 1e-8);
  EXPECT_NEAR(std::min(mu[0], mu[1]), 1e-4 / variance, 1e-8);
}

TEST(Frame, StretchesMeasureDistancesCoordinateByCoordinate) {
  Random random(7);
  int stretched = 0;
  for (const SetPtr& set : framed_sets()) {
    const Framed framed(set);
    const std::span<const double> mu = framed.frame.stretches();
    if (mu.empty()) continue;
    ++stretched;
    for (int k = 0; k < 10; ++k) {
      const Vector y = point_inside(*set, random);
      const Vector z = framed.coordinates(y);
      double by_coordinates = 0;
      for (std::size_t i = 0; i < y.size(); ++i) {
        const double away = y[i] - framed.origin[i];
        by_coordinates += away * away / framed.nu->variance()[i];
      }
      double by_z = 0;
      for (std::size_t j = 0; j < z.size(); ++j) by_z += mu[j] * z[j] * z[j];
      EXPECT_NEAR(by_z, by_coordinates, 1e-8 * (1 + by_coordinates)) << set->spec();
    }
  }
  EXPECT_GE(stretched, 1);
}

}  // namespace
}  // namespace keyhole::tests
