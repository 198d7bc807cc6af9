#pragma once

// Sets of any size for the table of oracles: graphs of a regular shape, and numbers drawn from a
// fixed key.

#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "keyhole/keyhole.h"
#include "math/random/ars.h"
#include "math/random/gaussian.h"

namespace keyhole::bench {

inline std::vector<double> normals(std::size_t count) {
  std::vector<double> result(count);
  math::gaussians(math::Ars(2, 0), count, 0, result);
  return result;
}

/// Uniform on [low, high].
inline std::vector<double> uniforms(std::size_t count, double low, double high) {
  std::vector<double> result = normals(count);
  for (double& x : result) x = low + (high - low) * 0.5 * (1 + std::erf(x / std::sqrt(2.0)));
  return result;
}

/// Ten layers of nodes between a source and a sink, as {nodes, edges}: each node is joined to the
/// first `width` nodes of the next layer.
inline std::pair<std::size_t, std::vector<Edge>> layers(std::size_t width) {
  constexpr std::size_t count = 10;
  const std::size_t sink = count * width + 1;
  std::vector<Edge> edges;
  for (std::size_t k = 0; k < width; ++k) {
    edges.push_back({0, 1 + k});
    edges.push_back({1 + (count - 1) * width + k, sink});
    for (std::size_t layer = 1; layer < count; ++layer) {
      for (std::size_t next = 0; next < width; ++next) {
        edges.push_back({1 + (layer - 1) * width + k, 1 + layer * width + next});
      }
    }
  }
  return {sink + 1, std::move(edges)};
}

inline SetPtr layered_unit_flow(std::size_t width) {
  const auto [nodes, edges] = layers(width);
  return unit_flow(nodes, edges, 0, nodes - 1);
}

/// Two units through edges that take one each.
inline SetPtr layered_flow(std::size_t width) {
  const auto [nodes, edges] = layers(width);
  return flow(nodes, edges, 0, nodes - 1, 1, 2);
}

/// A unit each from the source to the sink and from the first layer to the last one, through edges
/// that take one.
inline SetPtr layered_commodities(std::size_t width) {
  const auto [nodes, edges] = layers(width);
  return multicommodity_flow(nodes, edges, {{0, nodes - 1, 1}, {1, nodes - 1 - width, 1}});
}

/// The same and a unit from the second layer to the sink, where three share the edges.
inline SetPtr three_commodities(std::size_t width) {
  const auto [nodes, edges] = layers(width);
  return multicommodity_flow(
      nodes, edges, {{0, nodes - 1, 1}, {1, nodes - 1 - width, 1}, {1 + width, nodes - 1, 1}});
}

/// As many edges, five a node: each node i of n is joined to i + 1 and to four nodes i + s farther
/// on, counted around, with steps s that grow with n.
inline std::pair<std::size_t, std::vector<Edge>> chords(std::size_t edge_count) {
  const std::size_t nodes = edge_count / 5;
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < nodes; ++i) {
    for (const std::size_t step : {std::size_t{1}, nodes / 11, nodes / 7, nodes / 5, nodes / 3}) {
      edges.push_back({i, (i + step) % nodes});
    }
  }
  return {nodes, std::move(edges)};
}

/// The same edges, from the node 0.
inline SetPtr chord_arborescences(std::size_t edge_count) {
  const auto [nodes, edges] = chords(edge_count);
  return arborescences(nodes, edges);
}

/// The same edges, of an even number of nodes.
inline SetPtr perfect_chord_matchings(std::size_t edge_count) {
  const auto [nodes, edges] = chords(edge_count);
  return perfect_matchings(nodes, edges);
}

/// All pairs of as many nodes on both sides, which take two edges each.
inline SetPtr square_b_matchings(std::size_t n) {
  const std::vector<double> limits(n, 2.0);
  return b_matchings(limits, limits);
}

/// About the uniform distribution on normal places of the plane; a unit costs its distance.
inline SetPtr plane_wasserstein_ball(std::size_t n) {
  const std::vector<double> places = normals(2 * n);
  std::vector<std::vector<double>> costs(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      costs[i][j] =
          std::hypot(places[2 * i] - places[2 * j], places[2 * i + 1] - places[2 * j + 1]);
    }
  }
  return wasserstein_ball(std::vector<double>(n, 1 / static_cast<double>(n)), 0.5, costs);
}

/// Four actions in each of n states, which lead one to four states on, or now and then elsewhere.
inline std::vector<std::vector<double>> ring_transitions(std::size_t n) {
  std::vector<std::vector<double>> rows(4 * n, std::vector<double>(n, 0.0));
  for (std::size_t pair = 0; pair < rows.size(); ++pair) {
    rows[pair][(pair / 4 + pair % 4 + 1) % n] += 0.75;
    rows[pair][pair * pair % n] += 0.25;
  }
  return rows;
}

inline SetPtr ring_discounted_occupancy(std::size_t n) {
  return discounted_occupancy(ring_transitions(n),
                              std::vector<double>(n, 1 / static_cast<double>(n)), 0.9);
}

inline SetPtr ring_episodic_occupancy(std::size_t n) {
  return episodic_occupancy(ring_transitions(n), std::vector<double>(n, 1 / static_cast<double>(n)),
                            10);
}

/// On a line, about the uniform distribution.
inline SetPtr line_wasserstein_ball(std::size_t n) {
  const double share = 1 / static_cast<double>(n);
  return wasserstein_ball(std::vector<double>(n, share), 0.1 * static_cast<double>(n));
}

inline SetPtr uniform_kl_ball(std::size_t n) {
  return kl_ball(std::vector<double>(n, 1 / static_cast<double>(n)), 0.5);
}

inline SetPtr uniform_chi_square_ball(std::size_t n) {
  return chi_square_ball(std::vector<double>(n, 1 / static_cast<double>(n)), 0.5);
}

inline SetPtr uniform_hellinger_ball(std::size_t n) {
  return hellinger_ball(std::vector<double>(n, 1 / static_cast<double>(n)), 0.5);
}

inline SetPtr uniform_tv_distance_ball(std::size_t n) {
  return tv_distance_ball(std::vector<double>(n, 1 / static_cast<double>(n)), 0.25);
}

/// Weights from 1 to 2, of which a fifth fits.
inline SetPtr weighted_capped_simplex(std::size_t n) {
  return capped_simplex(std::vector<double>(n, 0.0), std::vector<double>(n, 1.0),
                        0.3 * static_cast<double>(n), uniforms(n, 1, 2));
}

/// Groups of 20 coordinates in a row, of which each shares 10 with the next.
inline SetPtr overlapping_groups(std::size_t n) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t first = 0; first + 20 <= n; first += 10) {
    groups.emplace_back(20);
    for (std::size_t j = 0; j < 20; ++j) groups.back()[j] = first + j;
  }
  return latent_group_ball(groups);
}

inline SetPtr half_ball(std::size_t n) { return cut_ball(std::vector<double>(n, 1.0)); }

/// Forests of these edges with at most three of each of n / 10 colours.
inline SetPtr coloured_forests(std::size_t edge_count) {
  const auto [nodes, edges] = chords(edge_count);
  const std::size_t colours = edge_count / 10;
  std::vector<std::size_t> colour_of(edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e) colour_of[e] = e % colours;
  return common_independent_sets(
      graphic_matroid(nodes, edges),
      partition_matroid(colour_of, std::vector<std::size_t>(colours, 3)));
}

/// The same edges from left nodes to right ones.
inline SetPtr bipartite_chords(std::size_t edge_count) {
  const auto [nodes, edges] = chords(edge_count);
  return bipartite_matchings(nodes, nodes, edges);
}

/// {0 <= x <= 1, A x <= 1} with as many rows as coordinates, A uniform on [0, 1].
inline SetPtr square_polytope(std::size_t n) {
  PolytopeConstraints constraints{
      .n = n, .lower = std::vector<double>(n, 0.0), .upper = std::vector<double>(n, 1.0)};
  constraints.inequalities = {.dense = uniforms(n * n, 0, 1), .right = std::vector<double>(n, 1.0)};
  return polytope(constraints);
}

/// {-1 <= x <= 1, A x <= sqrt(n) / 2} with as many rows as coordinates, A normal.
inline SetPtr normal_polytope(std::size_t n) {
  PolytopeConstraints constraints{
      .n = n, .lower = std::vector<double>(n, -1.0), .upper = std::vector<double>(n, 1.0)};
  constraints.inequalities = {
      .dense = normals(n * n),
      .right = std::vector<double>(n, 0.5 * std::sqrt(static_cast<double>(n)))};
  return polytope(constraints);
}

/// About 0, with A = I + B B' / n for normal B.
inline SetPtr normal_ellipsoid(std::size_t n) {
  const std::vector<double> b = normals(n * n);
  std::vector<double> a(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double dot = std::inner_product(&b[i * n], &b[i * n] + n, &b[j * n], 0.0);
      a[i * n + j] = a[j * n + i] = dot / static_cast<double>(n) + (i == j ? 1 : 0);
    }
  }
  return ellipsoid(a, std::vector<double>(n, 0.0));
}

/// Ten normal points a coordinate.
inline SetPtr normal_points(std::size_t n) {
  const std::vector<double> numbers = normals(10 * n * n);
  std::vector<std::vector<double>> points;
  for (std::size_t k = 0; k < 10 * n; ++k)
    points.emplace_back(&numbers[k * n], &numbers[k * n] + n);
  return convex_hull(points);
}

/// {A x : x in the box}, A = I + B / (4 sqrt n) for normal B.
inline SetPtr normal_image(std::size_t n) {
  std::vector<double> matrix = normals(n * n);
  for (double& a : matrix) a /= 4 * std::sqrt(static_cast<double>(n));
  for (std::size_t i = 0; i < n; ++i) matrix[i * n + i] += 1;
  return affine_image(box(0, 1, n), matrix, std::vector<double>(n, 0.0));
}

/// {x in the set, A x = 0} with normal rows.
/// Each number is at most its two children's.
inline SetPtr binary_tree_order(std::size_t n) {
  std::vector<Edge> relations;
  for (std::size_t i = 1; i < n; ++i) relations.push_back({(i - 1) / 2, i});
  return partial_order(n, relations);
}

/// Cuts of a circle with chords.
inline SetPtr circle_cut_bases(std::size_t n) {
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < n; ++i) {
    edges.push_back({i, (i + 1) % n});
    edges.push_back({i, (i + n / 3) % n});
  }
  return submodular_bases(cut_function(n, edges, std::vector<double>(edges.size(), 1.0)));
}

/// Each element covers five places of n, the next one and every seventh of those after it.
inline SetPtr circle_coverage_bases(std::size_t n) {
  std::vector<std::vector<std::size_t>> covers(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < 5; ++k) covers[i].push_back((i + 7 * k) % n);
  }
  return submodular_bases(coverage_function(covers, std::vector<double>(n, 1.0)));
}

/// Shares near even ones, none above twice that.
inline SetPtr capped_kl_ball(std::size_t n) {
  std::vector<double> rows(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) rows[i * n + i] = 1;
  const double even = 1 / static_cast<double>(n);
  return cut(kl_ball(std::vector<double>(n, even), 0.5), rows, std::vector<double>(n, 2 * even));
}

inline SetPtr normal_slice(const SetPtr& set, std::size_t rows) {
  return slice(set, normals(rows * set->dimension()), std::vector<double>(rows, 0.0));
}

/// Correlation matrices: the spectraplex of trace n with ones on the diagonal.
inline SetPtr correlations(std::size_t n) {
  std::vector<double> rows((n - 1) * n * n, 0.0);
  for (std::size_t i = 0; i + 1 < n; ++i) rows[i * n * n + i * n + i] = 1;
  return slice(spectraplex(n, static_cast<double>(n)), rows, std::vector<double>(n - 1, 1.0));
}

/// 0, 1, ..., n - 1 over n.
inline std::vector<double> rising(std::size_t n) {
  std::vector<double> result(n);
  for (std::size_t i = 0; i < n; ++i) result[i] = static_cast<double>(i) / static_cast<double>(n);
  return result;
}

inline SetPtr falling_owl_ball(std::size_t n) {
  const std::vector<double> weights = rising(n);
  return owl_ball(std::vector<double>(weights.rbegin(), weights.rend()));
}

/// At most 3 of each ten elements.
inline SetPtr tens(std::size_t n) {
  std::vector<std::size_t> groups(n);
  for (std::size_t i = 0; i < n; ++i) groups[i] = i / 10;
  return independent_sets(partition_matroid(groups, std::vector<std::size_t>(n / 10, 3)));
}

/// At most 5 of each ten elements, 25 of each hundred and a tenth of all.
inline SetPtr nested_tens(std::size_t n) {
  std::vector<std::vector<std::size_t>> sets;
  std::vector<std::size_t> limits;
  const auto add = [&](std::size_t size, std::size_t limit) {
    for (std::size_t first = 0; first < n; first += size) {
      sets.emplace_back(size);
      std::iota(sets.back().begin(), sets.back().end(), first);
      limits.push_back(limit);
    }
  };
  add(10, 5);
  add(100, 25);
  add(n, n / 10);
  return independent_sets(laminar_matroid(n, sets, limits));
}

/// As many supplies as demands, each between 1 and 2 but for the last demand, which evens the sums.
inline SetPtr square_transportation(std::size_t n) {
  const std::vector<double> supply = uniforms(n, 1, 2);
  std::vector<double> demand(supply.rbegin(), supply.rend());
  return transportation(supply, demand);
}

}  // namespace keyhole::bench
