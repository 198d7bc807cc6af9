// Projections of points 1 to 1e300 R away, of every set of the catalogue that projects and of its
// images, products and recentred copies: members as returned, and nearest by the variational
// inequality.

#include <gtest/gtest.h>

#include <cmath>

#include "catalogue.h"
#include "instances.h"
#include "numbers.h"
#include "set_answers.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

double inner_product(const Vector& x, const Vector& y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

/// Of any kind: ties, few entries, all alike, along an axis.
Vector random_direction(std::size_t n, Random& random) {
  Vector d = random.normals(n);
  switch (random.integer(0, 7)) {
    case 0:
      for (double& value : d) value = std::round(value);
      break;
    case 1:
      for (double& value : d) value = std::abs(value);
      break;
    case 2:
      for (double& value : d) value = random.uniform() < 0.5 ? 0 : value;
      break;
    case 3:
      std::fill(d.begin(), d.end(), random.uniform() < 0.5 ? 1.0 : -1.0);
      break;
    case 4:  // nearly all alike, so that faces are met at their edges
      for (double& value : d) value = 1 + 1e-6 * value;
      break;
    case 5:
      std::fill(d.begin(), d.end(), 0.0);
      d[random.integer(0, n - 1)] = random.uniform() < 0.5 ? 1.0 : -1.0;
      break;
    default:
      break;
  }
  if (inner_product(d, d) == 0) d[0] = 1;
  return d;
}

void expect_near_projection(const Set& set, Oracle& oracle, const Vector& z) {
  const std::size_t n = set.dimension();
  const double R = set.outer_radius();
  Vector x(n);
  oracle.project(z, x);
  EXPECT_TRUE(set.contains(x)) << "as returned: " << ::testing::PrintToString(x);
  Vector settled = x;
  oracle.settle(settled);
  EXPECT_TRUE(set.contains(settled)) << "settled: " << ::testing::PrintToString(settled);
  Vector away(n);
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    away[i] = z[i] - x[i];
    largest = std::max(largest, std::abs(away[i]));
  }
  const double scale = std::max(1.0, largest / R / 1e100);  // squares must be finite
  Vector back(n);
  for (std::size_t i = 0; i < n; ++i) {
    away[i] /= scale;
    back[i] = -away[i];
  }
  Vector v(n);
  oracle.minimise(back).write_to(v);
  for (std::size_t i = 0; i < n; ++i) v[i] -= x[i];
  const double distance = std::sqrt(inner_product(away, away));
  EXPECT_LE(inner_product(away, v), 1e-9 * R * distance + 1e-12 * R * R)
      << ::testing::PrintToString(x) << " goes on by "
      << inner_product(away, v) / (R * distance + 1e-300) << " R";
}

void expect_projections(const SetPtr& set, int count, Random& random) {
  if (!set->can_project()) return;
  const auto oracle = set->oracle();
  for (int k = 0; k < count; ++k) {
    const Vector d = random_direction(set->dimension(), random);
    for (const double distance : {1.0, 1e3, 1e6, 1e9, 1e12, 1e15, 1e18, 1e25, 1e100, 1e300}) {
      const double step = distance * set->outer_radius() / std::sqrt(inner_product(d, d));
      Vector z = set->centre();
      // From a vertex, too: its order and its faces must not be lost in what lies on top.
      if (k % 2 == 1) oracle->minimise(random.normals(z.size())).write_to(z);
      for (std::size_t i = 0; i < z.size(); ++i) z[i] += step * d[i];
      expect_near_projection(*set, *oracle, z);
      if (!::testing::Test::HasFailure()) continue;
      ADD_FAILURE() << distance << " R from the centre or a vertex of "
                    << set->spec().substr(0, 300) << ", from " << ::testing::PrintToString(z);
      return;
    }
  }
}

/// A set, and what is made of it.
void expect_projections_of_all(const SetPtr& set, Random& random) {
  const std::size_t n = set->dimension();
  const int count = static_cast<int>(scaled_count(n > 12 ? 8 : 24));
  const double R = set->outer_radius();
  expect_projections(set, count, random);
  expect_projections(image(set, random.uniform(-3, -0.2), random.normals(n, R)), count / 3, random);
  expect_projections(translated(set, random.normals(n, R)), count / 3, random);
  expect_projections(scaled(set, random.uniform(0.01, 100)), count / 3, random);
  expect_projections(product({set, simplex(3), set}), count / 3, random);
  try {
    expect_projections(recentred_at_random(set, random), count / 3, random);
  } catch (const InvalidArgument&) {  // the set knows no geometry about other centres
  }
}

class FarProjections : public ::testing::TestWithParam<SetFamily> {};

TEST_P(FarProjections, AreMembersAndNearest) {
  Random random(21);
  for (std::uint64_t k = 0; k < scaled_count(30); ++k) {
    const std::size_t n = k < 24 ? random.integer(2, 8) : random.integer(9, 24);
    const SetPtr set = GetParam().draw(std::max(n, GetParam().smallest_dimension), random);
    if (!set->can_project()) continue;
    expect_projections_of_all(set, random);
    if (HasFailure()) return;
  }
}

/// Those for the learners' sweeps and those for the sets' own.
std::vector<SetFamily> all_families() {
  std::vector<SetFamily> all = all_set_families();
  for (const InstanceFamily& family : catalogue_instances()) {
    all.push_back({"drawn_" + family.name, 2, [draw = family.draw](std::size_t n, Random& random) {
                     return draw(n, random).set;
                   }});
  }
  return all;
}

/// A number of few digits, so that sums with 1e9 are exact.
double coarse(Random& random) { return static_cast<double>(random.integer(1, 64)) / 64; }

/// A point whose projection is known: x and, as far as wanted, a normal of the ball at x. Those are
/// the multiples of the weights, in the order of x; where numbers of x are equal, any mixture of
/// their orders.
TEST(FarProjection, OfAnOwlBallKeepsAllDigits) {
  Random random(22);
  for (std::uint64_t k = 0; k < scaled_count(2000); ++k) {
    const std::size_t n = random.integer(2, 9);
    Vector weights(n);
    Vector x(n);
    for (std::size_t i = 0; i < n; ++i) {
      weights[i] = coarse(random);
      x[i] = random.uniform() < 0.4 ? 0.5 : coarse(random);
    }
    std::sort(weights.begin(), weights.end(), std::greater<>());
    std::sort(x.begin(), x.end(), std::greater<>());
    Vector normal = weights;
    for (std::size_t i = 1; i < n; ++i) {
      if (x[i] != x[i - 1] || random.uniform() < 0.5) continue;
      normal[i] = normal[i - 1] = (normal[i] + normal[i - 1]) / 2;
    }
    const double reach = static_cast<double>(std::size_t{1} << random.integer(0, 30));
    Vector z(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double sign = random.uniform() < 0.5 ? 1 : -1;
      z[i] = sign * (x[i] + reach * normal[i]);
      x[i] *= sign;
    }
    double radius = 0;
    for (std::size_t i = 0; i < n; ++i) radius += weights[i] * std::abs(x[i]);
    expect_near(projected(owl_ball(weights, radius), z), x, 1e-14);
  }
}

/// As above: the normals at x are the multiples of sum_i s_i (e_{i+1} - e_i), where s_i is the sign
/// of x_{i+1} - x_i or, where that is 0, any number from -1 to 1; and of (1, ..., 1).
TEST(FarProjection, OfATotalVariationBallKeepsAllDigits) {
  Random random(23);
  for (std::uint64_t k = 0; k < scaled_count(2000); ++k) {
    const std::size_t n = 1U << random.integer(1, 4);  // the mean is exact
    Vector x(n);
    for (double& value : x) value = random.uniform() < 0.4 ? 0.5 : coarse(random);
    const double mean = std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(n);
    for (double& value : x) value -= mean;
    const double reach = static_cast<double>(std::size_t{1} << random.integer(0, 30));
    const double shift = reach * (random.uniform() < 0.5 ? 0 : coarse(random));
    Vector z = x;
    double radius = 0;
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const double rise = x[i + 1] - x[i];
      const double slope = rise > 0 ? 1 : rise < 0 ? -1 : 2 * coarse(random) - 1;
      z[i] -= reach * slope;
      z[i + 1] += reach * slope;
      radius += std::abs(rise);
    }
    if (!(radius > 0)) continue;
    for (double& value : z) value += shift;
    expect_near(projected(total_variation_ball(n, radius), z), x, 1e-14);
  }
  const double away = 204124145.2319315;
  EXPECT_EQ(projected(total_variation_ball(3, 2.5), {away, away, away}), Vector(3, 0.0));
}

TEST(FarProjection, OfLaminarBasesKeepsAllDigits) {
  Random random(24);
  const SetPtr set = make_set("laminar_matroid(6, [[0, 1, 2], [3, 4]], [2, 1], bases=true)");
  for (std::uint64_t k = 0; k < scaled_count(500); ++k) {
    Vector z = random.normals(6, 2);
    for (double& value : z) value = std::round(64 * value) / 64;
    const Vector near = projected(set, z);
    const double shift = static_cast<double>(random.integer(1, std::size_t{1} << 30U));
    for (double& value : z) value += shift;
    expect_near(projected(set, z), near, 1e-14);
  }
}

/// Along the axes, in units from 1e-6 to 1e6: what comes back through the image must keep its sum.
TEST(FarProjection, OfImagesOfCappedSimplicesAreMembers) {
  Random random(25);
  for (std::uint64_t k = 0; k < scaled_count(200); ++k) {
    const std::size_t n = random.integer(2, 9);
    Vector lower(n);
    Vector upper(n);
    double total = 0;
    for (std::size_t i = 0; i < n; ++i) {
      lower[i] = random.uniform(-1, 1);
      upper[i] = lower[i] + random.uniform(0.1, 2);
      total += random.uniform(0.3, 0.7) * (upper[i] - lower[i]) + lower[i];
    }
    const SetPtr set = capped_simplex(lower, upper, total);
    const double scale = (k % 2 == 0 ? 1 : -1) * std::pow(10, random.uniform(-6, 6));
    const double shift =
        std::abs(scale) * set->outer_radius() * std::pow(10, random.uniform(-2, 2));
    const SetPtr moved = image(set, scale, random.normals(n, shift));
    const auto oracle = moved->oracle();
    for (std::size_t i = 0; i < n; ++i) {
      Vector z = moved->centre();
      z[i] += (i % 2 == 0 ? 1e9 : -1e9) * moved->outer_radius();
      expect_near_projection(*moved, *oracle, z);
    }
    ASSERT_FALSE(HasFailure()) << moved->spec();
  }
}

TEST(Projection, OntoSpanningTreesHasNoSignsOfRounding) {
  const SetPtr set = spanning_trees(2, std::vector<Edge>{{0, 1}, {0, 1}, {0, 1}});
  const Vector x = projected(set, {0.680942120169381, -0.37705369033100605, 0.811527955773558});
  EXPECT_TRUE(set->contains(x)) << ::testing::PrintToString(x);
  EXPECT_EQ(x[1], 0.0);
}

TEST(Projection, OntoSpanningTreesKeepsBridges) {
  const SetPtr set =
      spanning_trees(5, std::vector<Edge>{{0, 1}, {0, 1}, {1, 2}, {2, 3}, {3, 4}, {2, 4}});
  EXPECT_EQ(set->hull_dimension(), 3U);
  Random random(26);
  const auto oracle = set->oracle();
  for (std::uint64_t k = 0; k < scaled_count(500); ++k) {
    const Vector z = random.normals(6, std::pow(10, random.uniform(-9, 9)));
    expect_near_projection(*set, *oracle, z);
    EXPECT_EQ(projected(set, z)[2], 1.0);
  }
}

/// Wolfe's method must not stop where a step shortens the distance by less than its rounding: two
/// levels of this point are 1e-7 apart.
TEST(Projection, OntoAGraphicMatroidEndsAtTheNearestPoint) {
  const SetPtr set = make_set(
      "graphic_matroid(7, [[3, 0], [6, 3], [3, 2], [2, 0], [3, 0], [5, 1], [5, 4], [2, 1], [4, 3], "
      "[2, 1], [3, 0], [5, 2], [6, 4]])");
  const auto oracle = set->oracle();
  expect_near_projection(
      *set, *oracle,
      {0.76812416572071229, 0.76812416626828939, 0.76812649620478357, 0.7686446226935022,
       0.76807939103459488, 0.76812416983887766, 0.76812429554438788, 0.76813344799749617,
       0.76812416719384102, 0.7681262217384266, 0.76812416827173857, 0.76812417210600259,
       0.76812443436766764});
}

INSTANTIATE_TEST_SUITE_P(All, FarProjections, ::testing::ValuesIn(all_families()),
                         [](const auto& family) { return family.param.name; });

}  // namespace
}  // namespace keyhole::tests
