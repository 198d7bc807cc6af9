// How long one call of each oracle takes over the sizes of its set, and the exponent that fits,
// next to the cost that the page of the set states (docs/sets): a table in Markdown. A set joins by
// one line of the list below.
//
// The directions are vectors of independent normals. The time is that of this processor, the median
// of a few calls.

#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "instances.h"
#include "keyhole/keyhole.h"
#include "math/random/ars.h"
#include "math/random/gaussian.h"
#include "pages/set_texts.h"
#include "timing.h"

namespace keyhole::bench {
namespace {

using Sizes = std::vector<std::size_t>;

/// One line of the table.
struct Line {
  /// The name of the set in the table of specs, and what else there is to say.
  std::string name;
  /// What the sizes count, and the exponent is of. "edges": the coordinates of the set, whatever it
  /// is made from.
  std::string size;
  Sizes sizes;
  std::function<SetPtr(std::size_t size)> make;
  /// Why there is no larger size, where that is not the time of a call.
  std::string limit = {};
};

std::vector<Line> lines() {
  const Sizes vectors = {1'000, 10'000, 100'000, 1'000'000};
  const Sizes small_matrices = {25, 50, 100};
  const Sizes large_matrices = {200, 500, 1000, 2000};
  const Sizes graphs = {1'000, 10'000, 100'000};
  const auto nuclear = [](std::size_t n) { return nuclear_ball(n, n); };
  const auto symmetric = [](std::size_t n) { return symmetric_nuclear_ball(n); };
  const auto psd = [](std::size_t n) { return psd_trace_ball(n); };
  const auto density = [](std::size_t n) { return spectraplex(n); };
  return {
      {"ball", "n", vectors, [](std::size_t n) { return ball(n); }},
      {"ball_in_box", "n", vectors, [](std::size_t n) { return ball_in_box(-0.1, 0.2, n); }},
      {"cut_ball", "n", vectors, half_ball},
      {"l1_ball_in_box", "n", vectors, [](std::size_t n) { return l1_ball_in_box(-0.1, 0.2, n); }},
      {"box", "n", vectors, [](std::size_t n) { return box(0, 1, n); }},
      {"solid_simplex", "n", vectors, [](std::size_t n) { return solid_simplex(n); }},
      {"simplex", "n", vectors, [](std::size_t n) { return simplex(n); }},
      {"l1_ball", "n", vectors, [](std::size_t n) { return l1_ball(n); }},
      {"lp_ball (p = 1.5)", "n", vectors, [](std::size_t n) { return lp_ball(n, 1.5); }},
      {"lp_ball (p = 3)", "n", vectors, [](std::size_t n) { return lp_ball(n, 3); }},
      {"k_sparse_ball (k = n/10)", "n", vectors,
       [](std::size_t n) { return k_sparse_ball(n, n / 10); }},
      {"k_support_ball (k = n/10)", "n", vectors,
       [](std::size_t n) { return k_support_ball(n, n / 10); }},
      {"k_norm_ball (k = n/10)", "n", vectors,
       [](std::size_t n) { return k_norm_ball(n, n / 10); }},
      {"owl_ball", "n", vectors, falling_owl_ball},
      {"group_ball (groups of 10)", "n", vectors,
       [](std::size_t n) { return group_ball(std::vector<std::size_t>(n / 10, 10)); }},
      {"latent_group_ball (20 in a row, 10 shared)", "n", {100, 300, 1000}, overlapping_groups},
      {"total_variation_ball", "n", vectors, [](std::size_t n) { return total_variation_ball(n); }},
      {"ellipsoid", "n", {100, 300, 1000}, normal_ellipsoid, "O(n^3) at construction"},
      {"hypersimplex (k = n/10)", "n", vectors,
       [](std::size_t n) { return hypersimplex(n, n / 10); }},
      {"solid_hypersimplex (k = n/10)", "n", vectors,
       [](std::size_t n) { return solid_hypersimplex(n, n / 10); }},
      {"weighted_simplex", "n", vectors,
       [](std::size_t n) { return weighted_simplex(uniforms(n, 1, 2)); }},
      {"capped_simplex", "n", vectors,
       [](std::size_t n) { return capped_simplex(0, 5 / static_cast<double>(n), n); }},
      {"capped_simplex (weights)", "n", vectors, weighted_capped_simplex},
      {"knapsack (a fifth fits)", "n", vectors,
       [](std::size_t n) { return knapsack(uniforms(n, 1, 2), 0.3 * static_cast<double>(n)); }},
      {"permutahedron", "n", vectors, [](std::size_t n) { return permutahedron(rising(n)); }},
      {"isotonic", "n", vectors, [](std::size_t n) { return isotonic(n); }},
      {"partial_order (a tree)",
       "n",
       {100, 1'000, 10'000},
       [](std::size_t n) { return binary_tree_order(n); }},
      {"kl_ball", "n", vectors, uniform_kl_ball},
      {"chi_square_ball", "n", vectors, uniform_chi_square_ball},
      {"hellinger_ball", "n", vectors, uniform_hellinger_ball},
      {"tv_distance_ball", "n", vectors, uniform_tv_distance_ball},
      {"wasserstein_ball (on a line)", "n", {100, 300, 1000}, line_wasserstein_ball},
      {"wasserstein_ball (costs)", "n", {50, 100, 200}, plane_wasserstein_ball},
      {"discounted_occupancy (4 actions)", "states", {10, 30, 100}, ring_discounted_occupancy},
      {"episodic_occupancy (10 steps, 4 actions)", "states", {3, 10, 30}, ring_episodic_occupancy},
      {"convex_hull (10 n points)", "n", {20, 50, 100}, normal_points, "O(n^4) at construction"},
      {"birkhoff", "order", {100, 200, 500, 1000}, birkhoff},
      {"transportation (m = n)", "n", {50, 100, 200, 500}, square_transportation},
      {"uniform_matroid (k = n/10)", "n", vectors,
       [](std::size_t n) { return independent_sets(uniform_matroid(n, n / 10)); }},
      {"partition_matroid (groups of 10)", "n", vectors, tens},
      {"laminar_matroid (depth 3)", "n", vectors, nested_tens},
      {"graphic_matroid (5 edges a node)", "edges", graphs,
       [](std::size_t n) {
         const auto [nodes, edges] = chords(n);
         return independent_sets(graphic_matroid(nodes, edges));
       }},
      {"spanning_trees (5 edges a node)", "edges", graphs,
       [](std::size_t n) {
         const auto [nodes, edges] = chords(n);
         return spanning_trees(nodes, edges);
       }},
      {"common_independent_sets (forests, 3 of each colour)",
       "edges",
       {100, 200, 500, 1'000},
       coloured_forests,
       "2000 elements are the most"},
      {"unit_flow (ten layers)", "edges", {10, 32, 100}, layered_unit_flow},
      {"flow (ten layers, two units)",
       "edges",
       {10, 20, 32},
       layered_flow,
       "up to two flows an edge at construction"},
      {"multicommodity_flow (ten layers, two commodities)",
       "edges",
       {2, 3, 4},
       layered_commodities,
       "3000 numbers are the most"},
      {"bipartite_matchings (5 edges a left node)", "edges", graphs, bipartite_chords},
      {"matchings (5 edges a node)", "edges", graphs,
       [](std::size_t n) {
         const auto [nodes, edges] = chords(n);
         return matchings(nodes, edges);
       }},
      {"perfect_matchings",
       "nodes",
       {50, 100, 200, 500},
       [](std::size_t nodes) { return perfect_matchings(nodes); }},
      {"perfect_matchings (5 edges a node)",
       "edges",
       {300, 600, 1200},
       perfect_chord_matchings,
       "1500 edges are the most"},
      {"b_matchings (all pairs)", "left", {10, 20, 40}, square_b_matchings},
      {"arborescences (5 edges a node)",
       "edges",
       {300, 600, 1500},
       chord_arborescences,
       "1500 edges are the most"},
      {"nuclear_ball (directly)", "order", small_matrices, nuclear},
      {"nuclear_ball (Lanczos)", "order", large_matrices, nuclear},
      {"symmetric_nuclear_ball (directly)", "order", small_matrices, symmetric},
      {"symmetric_nuclear_ball (Lanczos)", "order", large_matrices, symmetric},
      {"psd_trace_ball (directly)", "order", small_matrices, psd},
      {"psd_trace_ball (Lanczos)", "order", large_matrices, psd},
      {"spectraplex (directly)", "order", small_matrices, density},
      {"spectraplex (Lanczos)", "order", large_matrices, density},
      {"fantope (k = n/10)",
       "order",
       {50, 100, 200, 400, 800},
       [](std::size_t n) { return fantope(n, n / 10); }},
      {"schatten_ball (p = 3)",
       "order",
       {50, 100, 200, 400},
       [](std::size_t n) { return schatten_ball(n, n, 3); }},
      {"operator_norm_ball (m = n)",
       "order",
       {50, 100, 200, 400},
       [](std::size_t n) { return operator_norm_ball(n, n); }},
      {"elliptope", "order", {10, 25, 50, 100, 200}, elliptope},
      {"max_norm_ball (m = n)",
       "order",
       {5, 10, 25, 50, 100},
       [](std::size_t n) { return max_norm_ball(n, n); }},
      {"polytope (n rows)", "n", {10, 20, 40, 80}, square_polytope},
      {"path_splits (4 each)",
       "demands",
       {250, 2'500, 25'000, 250'000},
       [](std::size_t demands) { return path_splits(std::vector<std::size_t>(demands, 4)); }},
      {"image (of a simplex)", "n", vectors,
       [](std::size_t n) { return image(simplex(n), 2, -1); }},
      {"affine_image (of a box, square)", "n", {100, 300, 1000}, normal_image},
      {"product (of box and l1_ball)", "n", vectors,
       [](std::size_t n) {
         return product({box(0, 1, n / 2), l1_ball(n - n / 2)});
       }},
      {"cut_bases (a circle with chords)",
       "n",
       {100, 300, 1'000},
       [](std::size_t n) { return circle_cut_bases(n); }},
      {"coverage_bases (five places each)",
       "n",
       {100, 200, 400},
       [](std::size_t n) { return circle_coverage_bases(n); }},
      {"affine_image (of a box, 10 rows)",
       "n",
       {100, 1'000, 10'000},
       [](std::size_t n) {
         return affine_image(box(0, 1, n), normals(10 * n), std::vector<double>(10, 0.0));
       }},
      {"minkowski_sum (of box and ball)", "n", vectors,
       [](std::size_t n) {
         return minkowski_sum({box(0, 1, n), ball(n)});
       }},
      {"hull_of_union (of ball and l1_ball)",
       "n",
       {10'000, 100'000, 1'000'000},
       [](std::size_t n) {
         return hull_of_union({ball(n), l1_ball(n, 2)});
       },
       "slower from hundreds to 1500, where its shape is estimated"},
      {"intersection (of ball and box)",
       "n",
       {5, 10, 20, 50},
       [](std::size_t n) {
         return intersection({ball(n), box(-0.3, 0.5, n)});
       },
       "50 coordinates of two sets are the most"},
      {"intersection (of ball and l1_ball)",
       "n",
       {5, 10, 20, 50},
       [](std::size_t n) {
         return intersection({ball(n), l1_ball(n, 1.5)});
       },
       "50 coordinates of two sets are the most"},
      {"slice (of a ball, 5 rows)",
       "n",
       {1'000, 10'000, 100'000},
       [](std::size_t n) { return normal_slice(ball(n), 5); }},
      {"slice (of an l1_ball, rows)",
       "rows",
       {1, 2, 5, 10, 20},
       [](std::size_t rows) { return normal_slice(l1_ball(1000), rows); }},
      {"cut (of a kl_ball, no share above twice today's)",
       "n",
       {10, 20, 50},
       [](std::size_t n) { return capped_kl_ball(n); }},
  };
}

/// The median time of a call, in microseconds: of 3 batches of 20 ms or longer. A call of a second
/// or longer is not repeated.
double microseconds_of_a_call(const Set& set) {
  constexpr std::size_t directions = 3;
  constexpr double shortest = 2e4;
  constexpr double longest = 1e6;
  const std::size_t n = set.dimension();
  std::vector<std::vector<double>> drawn(directions, std::vector<double>(n));
  for (std::size_t k = 0; k < directions; ++k) math::gaussians(math::Ars(1, k), n, 0, drawn[k]);
  const auto oracle = set.oracle();
  std::size_t batch = 1;
  std::size_t next = 0;
  const auto time_of_batch = [&] {
    const double start = processor_microseconds();
    for (std::size_t k = 0; k < batch; ++k) (void)oracle->minimise(drawn[next++ % directions]);
    return processor_microseconds() - start;
  };
  double time = time_of_batch();
  for (; time < shortest; time = time_of_batch()) batch *= 2;
  if (time >= longest) return time / static_cast<double>(batch);
  std::vector<double> times;
  for (std::size_t k = 0; k < directions; ++k) {
    times.push_back(time_of_batch() / static_cast<double>(batch));
  }
  return median(std::move(times));
}

/// The least-squares slope of log time over log size.
double exponent(const Sizes& sizes, const std::vector<double>& times) {
  const double count = static_cast<double>(sizes.size());
  double mean_x = 0;
  double mean_y = 0;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    mean_x += std::log(static_cast<double>(sizes[k])) / count;
    mean_y += std::log(times[k]) / count;
  }
  double xy = 0;
  double xx = 0;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const double x = std::log(static_cast<double>(sizes[k])) - mean_x;
    xy += x * (std::log(times[k]) - mean_y);
    xx += x * x;
  }
  return xy / xx;
}

std::string time_text(double microseconds) {
  const char* unit = "us";
  double shown = microseconds;
  if (microseconds >= 1e6) {
    unit = "s";
    shown = microseconds / 1e6;
  } else if (microseconds >= 1e3) {
    unit = "ms";
    shown = microseconds / 1e3;
  }
  std::array<char, 32> text{};
  (void)std::snprintf(text.data(), text.size(), "%.3g %s", shown, unit);
  return text.data();
}

void print(const Line& line) {
  Sizes sizes;
  std::vector<double> times;
  std::string listed;
  double making = 0;
  for (const std::size_t size : line.sizes) {
    const double start = processor_microseconds();
    const SetPtr set = line.make(size);
    making = processor_microseconds() - start;
    sizes.push_back(line.size == "edges" ? set->dimension() : size);
    times.push_back(microseconds_of_a_call(*set));
    listed += (listed.empty() ? "" : ", ") + std::to_string(sizes.back()) + ": " +
              time_text(times.back());
  }
  const std::string reason = line.limit.empty() ? "" : "; " + line.limit;
  std::printf("| %s | %s | %s | %.2f | %s | %s |\n", line.name.c_str(), line.size.c_str(),
              listed.c_str(), exponent(sizes, times),
              pages::page_text(line.name.substr(0, line.name.find(' '))).cost.c_str(),
              (time_text(making) + reason).c_str());
  (void)std::fflush(stdout);
}

}  // namespace
}  // namespace keyhole::bench

/// With a word, only the sets that have it in their name.
int main(int count, char** words) {
  const std::string wanted = count > 1 ? words[1] : "";
  std::printf(
      "| oracle | size | processor time of a call | exponent of the size | stated | making the "
      "largest |\n"
      "|---|---|---|---|---|---|\n");
  for (const keyhole::bench::Line& line : keyhole::bench::lines()) {
    if (line.name.find(wanted) != std::string::npos) keyhole::bench::print(line);
  }
  return 0;
}
