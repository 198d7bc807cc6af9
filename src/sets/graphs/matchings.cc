// Matchings of any graph, whose hull the sums at the nodes and within odd sets of nodes describe
// (Edmonds, "Maximum matching and a polyhedron with 0,1-vertices", 1965).

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "keyhole/exploration.h"
#include "keyhole/graphs.h"
#include "math/sums.h"
#include "sets/circulations.h"
#include "sets/free_coordinates.h"
#include "sets/graphs/cheapest_matching.h"
#include "sets/graphs/degree_rows.h"
#include "sets/graphs/odd_sets.h"
#include "sets/sampled_vertices.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

constexpr std::size_t most_matching_edges = 1'000'000;

/// The most edges that join the same two nodes.
std::size_t most_between_two(std::span<const Edge> edges) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (const auto& [from, to] : edges) pairs.emplace_back(std::min(from, to), std::max(from, to));
  std::sort(pairs.begin(), pairs.end());
  std::size_t most = 0;
  for (std::size_t first = 0, k = 0; k < pairs.size(); ++k) {
    if (pairs[k] != pairs[first]) first = k;
    most = std::max(most, k - first + 1);
  }
  return most;
}

/// s (1, ..., 1) with the largest s <= its distance from all facets but x_e >= 0. That of an odd
/// set of k nodes, x(E[S]) <= (k - 1) / 2, is ((k - 1) / 2 - s a) / sqrt a for a edges within,
/// which are at most k (k - 1) / 2 times the most between two nodes, k times the largest degree
/// over 2, and all of them.
double matching_centre(std::size_t nodes, const DegreeRows& rows) {
  const auto most = static_cast<double>(rows.largest_degree());
  const auto all = static_cast<double>(rows.edges().size());
  const auto pairs = static_cast<double>(most_between_two(rows.edges()));
  double s = 1 / (most + std::sqrt(most));
  for (std::size_t odd = 3; odd <= nodes; odd += 2) {
    const auto k = static_cast<double>(odd);
    const double a = std::min({pairs * k * (k - 1) / 2, std::floor(k * most / 2), all});
    s = std::min(s, (k - 1) / 2 / (a + std::sqrt(a)));
  }
  return s;
}

/// R^2 = ||p||^2 + the most that 1 - 2 p_e sums to. Two matchings differ in edges of which no node
/// has more than two.
Geometry matching_geometry(std::size_t nodes, const DegreeRows& rows) {
  const std::size_t n = rows.edges().size();
  const double s = matching_centre(nodes, rows);
  const auto largest =
      static_cast<double>(CheapestMatching(nodes, rows.edges()).find(Vector(n, -1.0)).size());
  const double R = std::sqrt(static_cast<double>(n) * s * s + (1 - 2 * s) * largest);
  std::size_t ends = 0;
  for (std::size_t v = 0; v < nodes; ++v) ends += std::min<std::size_t>(rows.degree(v), 2);
  const double differences = std::min(2 * largest, std::floor(static_cast<double>(ends) / 2));
  return {Vector(n, s), s, R, std::min(std::sqrt(differences), 2 * R), true, false};
}

class Matchings final : public Set {
 public:
  Matchings(std::size_t nodes, DegreeRows rows, std::string spec)
      : Set(rows.edges().size(), rows.edges().size(), matching_geometry(nodes, rows)),
        nodes_(nodes),
        rows_(std::move(rows)),
        spec_(std::move(spec)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return matching_oracle(nodes_, rows_.edges(), false, slack());
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return explore_vertices(*this);
  }

  /// An odd set that matters has at least 3 edges within: moving by t towards its bound changes the
  /// cut around it by 2 sqrt 3 t at least.
  [[nodiscard]] bool contains(std::span<const double> x) const override {
    if (!rows_.contains(x, slack())) return false;
    Vector of_nodes(nodes_);
    rows_.sums(x, of_nodes);
    return OddSets(rows_.edges(), x, of_nodes).hold(2 * std::sqrt(3.0) * slack());
  }

  [[nodiscard]] std::string spec() const override { return spec_; }

 private:
  std::size_t nodes_;
  DegreeRows rows_;
  std::string spec_;
};

}  // namespace

SetPtr matchings(std::size_t nodes, List<Edge> edges) {
  require_graph_to_match(nodes, edges, most_matching_edges);
  std::string spec = "matchings(" + std::to_string(nodes) + ", " + edges_text(edges) + ")";
  const std::vector<bool> loops = are_loops(edges);
  if (std::find(loops.begin(), loops.end(), true) != loops.end()) {
    return with_unused_edges(edges, loops, std::move(spec), [&](std::span<const Edge> others) {
      return matchings(nodes, others);
    });
  }
  return std::make_shared<Matchings>(nodes, DegreeRows(nodes, edges), std::move(spec));
}

}  // namespace keyhole::sets
