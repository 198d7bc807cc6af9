#pragma once

// The sets whose digits tests/golden keeps: at least one of each kind of the catalogue, and one
// more for each further method that decides digits. The numbers are exact in binary or are read by
// the library, so that nothing else shapes them.

#include <cstdint>
#include <string>
#include <vector>

namespace keyhole::tests {

struct GoldenSet {
  std::string spec;
  /// Of the default learner.
  std::uint64_t rounds = 200;

  /// The name in the catalogue.
  [[nodiscard]] std::string kind() const { return spec.substr(0, spec.find('(')); }
};

inline std::vector<GoldenSet> golden_sets() {
  return {
      {"ball(3, radius=2)"},
      {"box([-1, 0, 0.5], [1, 0.25, 3])"},
      {"solid_simplex(4, total=2)"},
      {"simplex(5)"},
      {"l1_ball(4, radius=1.5)"},
      {"polytope(3, lower=0, upper=1, A=[[1, 2, 1], [1, -1, 1]], b=[2.5, 1.5])"},
      {"polytope(4, lower=-1, upper=[1, 2, 1, 1.5], A=[[1, 0.5, -1, 2], [0, 1, 1, 0]], "
       "b=[1.5, 1.25], C=[[1, 1, 1, 1]], d=[0.5])"},
      {"lp_ball(4, 3)"},
      {"lp_ball(4, 1.5, radius=2, weights=[1, 2, 0.5, 1])"},
      {"lp_ball(3, 1)"},
      {"lp_ball(3, inf)"},
      {"k_sparse_ball(5, 2)"},
      {"k_support_ball(5, 2)"},
      {"k_norm_ball(5, 2)"},
      {"owl_ball([1, 0.5, 0.25, 0])"},
      {"group_ball([2, 1, 3], radius=2)"},
      {"latent_group_ball([[0, 1], [1, 2, 3], [3, 0]], radius=2)"},
      {"ellipsoid([[2, 1, 0], [1, 3, 0.5], [0, 0.5, 1]], centre=[1, 0, -1])"},
      {"total_variation_ball(6, radius=2)"},
      {"hypercube(4)"},
      {"hypersimplex(5, 2)"},
      {"solid_hypersimplex(5, 3, size=2)"},
      {"weighted_simplex([1, 1.5, 2, 0.5], total=3, lower=[0, 0.25, 0, -1])"},
      {"knapsack([1, 2, 3, 1.5], 4)"},
      {"knapsack([1, 2, 3], 4, lower=[-1, 0, 0.5], upper=[2, 1, 1.5])"},
      {"capped_simplex([0, 0.125, 0.25], [0.5, 0.75, 0.5])"},
      {"capped_simplex(0, 0.375, 5)"},
      {"capped_simplex([0, 0.125, 0.25], [0.5, 0.75, 0.5], weights=[1, 2, 0.5])"},
      {"ball_in_box([0, 0.25, -0.5], [1, 1, 0.5])"},
      {"l1_ball_in_box([-0.25, 0, -1], [0.5, 0.5, 1])"},
      {"cut_ball([1, 2, -1], offset=0.5)"},
      {"isotonic(4, lower=-1, upper=2)"},
      {"partial_order(5, [[0, 1], [0, 2], [1, 3], [2, 3], [4, 3]], lower=-1, upper=2)"},
      {"kl_ball([0.5, 0.25, 0.25], 0.125)"},
      {"chi_square_ball([0.5, 0.25, 0.25], 0.125)"},
      {"hellinger_ball([0.5, 0.25, 0.25], 0.25)"},
      {"tv_distance_ball([0.5, 0.25, 0.25], 0.125)"},
      {"wasserstein_ball([0.5, 0.25, 0.25], 0.375, places=[0, 1, 2.5])"},
      {"wasserstein_ball([0.5, 0.25, 0.25], 0.375, costs=[[0, 1, 2.5], [0.5, 0, 1], [2, 2, 0]])"},
      {"discounted_occupancy([[0.5, 0.5], [0, 1], [0.75, 0.25], [1, 0]], [1, 0], 0.875)"},
      {"episodic_occupancy([[0.5, 0.5], [0, 1], [0.75, 0.25], [1, 0]], [1, 0], 3)"},
      {"schatten_ball(3, 2, 3)"},
      {"permutahedron([1, 2, 4, 7, 7])"},
      {"birkhoff(3)"},
      {"transportation([2, 3], [1, 2, 2])"},
      {"convex_hull([[0, 0, 0], [4, 0, 1], [5, 2, 0], [2, 4, 0], [0, 3, 2]])"},
      {"uniform_matroid(5, 2)"},
      {"partition_matroid([0, 0, 1, 1, 2, 2], [1, 2, 1])"},
      {"laminar_matroid(5, [[0, 1], [0, 1, 2, 3]], [1, 2], bases=true)"},
      {"graphic_matroid(4, [[0, 1], [1, 2], [0, 2], [2, 3], [1, 3]])"},
      {"spanning_trees(4, [[0, 1], [1, 2], [0, 2], [2, 3], [1, 3]])"},
      {"common_independent_sets(partition_matroid([0, 0, 1, 1, 2], [1, 1, 1]), "
       "graphic_matroid(4, [[0, 1], [1, 2], [0, 2], [2, 3], [1, 3]]))"},
      {"unit_flow(4, [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]], 0, 3)"},
      {"flow(4, [[0, 1], [0, 2], [1, 2], [2, 1], [1, 3], [2, 3]], source=0, sink=3, "
       "capacities=[1, 1.5, 0.5, 0.5, 1.25, 1], amount=1.5)"},
      {"multicommodity_flow(4, [[0, 1], [0, 2], [1, 2], [2, 1], [1, 3], [2, 3]], [[0, 3, 1], [1, "
       "2, 0.5]], capacities=[1, 1.5, 0.5, 0.5, 1.25, 1])"},
      {"path_splits([3, 2, 4])"},
      {"bipartite_matchings(3, 3, edges=[[0, 0], [0, 1], [1, 0], [1, 2], [2, 1], [2, 2]])"},
      {"b_matchings([2, 1, 1], [1, 2], edges=[[0, 0], [0, 1], [1, 0], [1, 1], [2, 1]], "
       "capacities=[1, 1.5, 1, 0.5, 1])"},
      {"arborescences(4, [[0, 1], [0, 2], [1, 2], [2, 1], [2, 3], [1, 3]])"},
      {"nuclear_ball(3, 4, radius=2)"},
      {"symmetric_nuclear_ball(4)"},
      {"psd_trace_ball(4, trace=3)"},
      {"spectraplex(4, trace=2)"},
      // Above order 100 by Lanczos's method.
      {"nuclear_ball(101, 104)", 0},
      {"symmetric_nuclear_ball(101, residual=1e-6)", 0},
      {"psd_trace_ball(101, certified=true)", 0},
      {"spectraplex(101)", 0},
      {"fantope(4, 2)"},
      {"operator_norm_ball(3, 2)"},
      {"elliptope(4)"},
      {"max_norm_ball(3, 2, radius=2)"},
      {"cut_bases(4, [[0, 1], [1, 2], [2, 3], [3, 0], [0, 2]], weights=[1, 2, 1, 0.5, 3])"},
      {"coverage_bases([[0, 1], [1, 2], [0, 2, 3]], weights=[1, 2, 0.5, 1])"},
      {"product(ball(2), box(-1, 1, 1), simplex(3))"},
      {"minkowski_sum(box(0, 1, 2), ball(2, radius=0.5))"},
      {"hull_of_union(ball(2, radius=0.5), image(box(0, 1, 2), shift=1))"},
      {"intersection(simplex(4), box(0, 0.6, 4))"},
      {"intersection(ball(3), translated(ball(3), [0.8, 0.6, 0]))"},
      {"intersection(simplex(4), ball(4, radius=0.7))"},
      {"image(l1_ball(3), scale=2, shift=[1, 0, -1])"},
      {"scaled(solid_simplex(3), -2)"},
      {"translated(solid_simplex(3), [-0.25, 0.5, 1])"},
      {"affine_image(ball(2), [[2, 0.5], [0, 1], [1, 1]], shift=[1, 0, 0.5])"},
      {"affine_image(box(0, 1, 4), [[1, 2, 0, -1], [0, 1, 1, 3]])"},
      {"recentred(box(0, 1, 3), [0.3, 0.6, 0.5])"},
      {"slice(box(0, 1, 4), A=[[1, 2, 1, 0.5]], b=[2])"},
      {"slice(ball(4), A=[[1, 1, 1, 1], [1, -1, 0.5, 0]], b=[0.5, 0.25])"},
      {"slice(permutahedron([1, 2, 4, 7]), A=[[1, 2, 0, -1]], b=[8])"},
      {"cut(box(0, 1, 3), A=[[1, 2, 1]], b=[2])"},
      {"cut(ball(4), A=[[1, 1, 1, 1], [1, -1, 0.5, 0]], b=[0.5, 0.25])"},
      {"cut(permutahedron([1, 2, 4, 7]), A=[[1, 2, 0, -1]], b=[8])"},
  };
}

/// Those that need LEMON, without which the digits of other compilers and processors are made:
/// their digits stand in a file of their own, which the release build alone is compared with.
inline std::vector<GoldenSet> golden_sets_of_lemon() {
  return {
      {"matchings(5, [[0, 1], [1, 2], [0, 2], [2, 3], [3, 4], [1, 4]])"},
      {"perfect_matchings(4)"},
      {"perfect_matchings(6)"},
      {"perfect_matchings(6, edges=[[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 0], [0, 3], [1, "
       "4]])"},
  };
}

}  // namespace keyhole::tests
