// Projections onto flows, matrices with given sums among them: against a slow method that knows
// only the affine hull and the bounds. far_projection_test.cc has the variational inequality.

#include <gtest/gtest.h>

#include <cmath>

#include "catalogue.h"
#include "set_answers.h"

namespace keyhole::tests {
namespace {

using Vector = std::vector<double>;

/// Onto the hull and onto the bounds in turn (Boyle, Dykstra 1986).
Vector dykstra(const Set& set, const Vector& z, double upper) {
  const std::size_t n = z.size();
  Vector x = z;
  Vector correction(n, 0.0);
  for (int k = 0; k < 50000; ++k) {
    Vector away(n);
    for (std::size_t i = 0; i < n; ++i) away[i] = x[i] - set.centre()[i];
    set.flatten(away);
    double apart = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double on_hull = set.centre()[i] + away[i];
      x[i] = std::clamp(on_hull + correction[i], 0.0, upper);
      correction[i] += on_hull - x[i];
      apart = std::max(apart, std::abs(on_hull - x[i]));
    }
    if (apart <= 1e-11 * set.outer_radius()) break;
  }
  return x;
}

void expect_as_dykstra(const SetPtr& set, double upper, Random& random) {
  for (int k = 0; k < 8; ++k) {
    const double spread = set->outer_radius() * (k % 2 == 0 ? 0.3 : 1.5);
    Vector z = random.normals(set->dimension(), spread);
    for (std::size_t i = 0; i < z.size(); ++i) z[i] += set->centre()[i];
    expect_near(projected(set, z), dykstra(*set, z, upper), 1e-7 * set->outer_radius());
  }
}

TEST(FlowProjection, AgreesWithDykstrasMethod) {
  Random random(41);
  for (std::uint64_t k = 0; k < scaled_count(10); ++k) {
    expect_as_dykstra(birkhoff(random.integer(2, 5)), 1, random);
    Vector supply(random.integer(2, 4));
    Vector demand(random.integer(2, 4));
    for (double& value : supply) value = random.uniform(0.2, 2);
    for (double& value : demand) value = random.uniform(0.2, 2);
    const double factor = std::accumulate(supply.begin(), supply.end(), 0.0) /
                          std::accumulate(demand.begin(), demand.end(), 0.0);
    for (double& value : demand) value *= factor;
    expect_as_dykstra(transportation(supply, demand), 100, random);
    const auto [nodes, edges] = random_graph(random.integer(3, 12), random);
    expect_as_dykstra(flow(nodes, edges, 0, 1, 1.0, 1.0), 1, random);
    expect_as_dykstra(unit_flow(nodes, edges, 0, 1), 1, random);
  }
  // All flows have 2 on the edge in the middle; on either side something is left to choose.
  const std::vector<Edge> edges = {{0, 1}, {0, 1}, {0, 1}, {1, 2}, {2, 3}, {2, 3}, {3, 2}};
  expect_as_dykstra(flow(4, edges, 0, 3, 2.0, 2.0), 2, random);
}

TEST(FlowProjection, HasAClosedFormForTwoRowsAndColumns) {
  Random random(42);
  for (const double size : {0.1, 1.0, 1e3, 1e6}) {
    for (int k = 0; k < 50; ++k) {
      const Vector z = random.normals(4, size);
      const double t = std::clamp(0.5 + (z[0] - z[1] - z[2] + z[3]) / 4, 0.0, 1.0);
      expect_near(projected(birkhoff(2), z), {t, 1 - t, 1 - t, t}, 1e-15 * size + 1e-10);
    }
  }
}

/// A grid of roads of 180 edges, and 400 entries: every point is proved to be nearest, or refused.
TEST(FlowProjection, IsThereForMiddlingSizesAndRefusedForLarge) {
  constexpr std::size_t side = 10;
  std::vector<Edge> edges;
  for (std::size_t v = 0; v < side * side; ++v) {
    if (v % side + 1 < side) edges.push_back({v, v + 1});
    if (v + side < side * side) edges.push_back({v, v + side});
  }
  Random random(43);
  for (const SetPtr& set : {flow(side * side, edges, 0, side * side - 1, 2.0, 2.0),
                            unit_flow(side * side, edges, 0, side * side - 1), birkhoff(20)}) {
    for (const double distance : {0.3, 3.0, 100.0}) {
      const Vector z = random.normals(set->dimension(), distance * set->outer_radius());
      EXPECT_TRUE(set->contains(projected(set, z)));
    }
  }
  const SetPtr large = birkhoff(32);
  EXPECT_FALSE(large->can_project());
  Vector x = large->centre();
  EXPECT_THROW(large->oracle()->project(x, x), InvalidArgument);
}

}  // namespace
}  // namespace keyhole::tests
