// Perfect matchings of a complete graph (Edmonds, "Maximum matching and a polyhedron with
// 0,1-vertices", 1965). The symmetric group acts on the pairs of nodes; the directions of the hull
// are one of its three irreducible parts, which gives the geometry and the covariance.

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "base/require.h"
#include "keyhole/exploration.h"
#include "keyhole/graphs.h"
#include "math/sums.h"
#include "sets/graphs/cheapest_matching.h"
#include "sets/graphs/degree_rows.h"
#include "sets/graphs/odd_sets.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

constexpr std::size_t most_perfect_nodes = 1000;

std::vector<Edge> pairs_of_nodes(std::size_t nodes) {
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < nodes; ++i) {
    for (std::size_t j = i + 1; j < nodes; ++j) edges.push_back({i, j});
  }
  return edges;
}

/// The place of the pair i < j in that list.
std::size_t pair_index(std::size_t nodes, std::size_t i, std::size_t j) {
  return i * (2 * nodes - i - 1) / 2 + (j - i - 1);
}

/// The length of the cut around k of n nodes, as a vector, within the hull: the cut less u_a + u_b
/// for the pair a b, with u = (n - k) (n - 1 - k) / ((n - 1) (n - 2)) for the k nodes and
/// k (k - 1) / ((n - 1) (n - 2)) for the others.
double cut_length(double n, double k) {
  const double off = ((n - k) * (n - 1 - k) + k * (k - 1)) / ((n - 1) * (n - 2));
  return std::sqrt(k * (n - k) * (1 - off));
}

/// r from the facets: x_e >= 0, whose axis has the squared length (n - 3) / (n - 1) within the
/// hull, and the cuts around 3, 5, ..., n / 2 nodes, at least 1. All matchings are as far from p.
/// Two have at most n edges that are not of both.
Geometry perfect_matching_geometry(std::size_t nodes) {
  const auto n = static_cast<double>(nodes);
  const double p = 1 / (n - 1);
  double r = p / std::sqrt((n - 3) / (n - 1));
  for (std::size_t odd = 3; odd <= nodes / 2; odd += 2) {
    const auto k = static_cast<double>(odd);
    r = std::min(r, (k * (n - k) * p - 1) / cut_length(n, k));
  }
  return {Vector(nodes * (nodes - 1) / 2, p), r, std::sqrt(n / 2 * (1 - p)), std::sqrt(n)};
}

/// Uniform on the perfect matchings: the first node that is left goes with any other that is. The
/// covariance is c P, P the projection onto the hull's directions: n (n - 1) / 2 variances p (1 -
/// p) make n (n - 3) / 2 times c.
class RandomPerfectMatchings final : public Exploration {
 public:
  RandomPerfectMatchings(std::size_t nodes, const Vector& centre)
      : Exploration(centre, Vector(centre.size(), centre[0] * (1 - centre[0])),
                    static_cast<double>(centre.size()) * (1 + 1e-12),
                    {.words = nodes / 2, .normals = 0}),
        inverse_(static_cast<double>(nodes - 3) / static_cast<double>(nodes - 1) /
                 (centre[0] * (1 - centre[0]))),
        left_(nodes) {}

  void draw(const RandomBits& bits, std::span<double> v) override {
    std::fill(v.begin(), v.end(), 0.0);
    for_each_pair(bits, [&](std::size_t e) { v[e] = 1; });
  }

  void score(const RandomBits& bits, std::span<double> w) override {
    std::fill(w.begin(), w.end(), -mean()[0] * inverse_);
    for_each_pair(bits, [&](std::size_t e) { w[e] = (1 - mean()[0]) * inverse_; });
  }

 private:
  template <class Visit>
  void for_each_pair(const RandomBits& bits, const Visit& visit) {
    const std::size_t nodes = left_.size();
    std::iota(left_.begin(), left_.end(), std::size_t{0});
    for (std::size_t done = 0; done < nodes; done += 2) {
      std::swap(left_[done + 1], left_[done + 1 + bits.below(done / 2, nodes - done - 1)]);
      const auto [i, j] = std::minmax({left_[done], left_[done + 1]});
      visit(pair_index(nodes, i, j));
    }
  }

  double inverse_;
  std::vector<std::size_t> left_;
};

class PerfectMatchings final : public Set {
 public:
  explicit PerfectMatchings(std::size_t nodes)
      : Set(nodes * (nodes - 1) / 2, nodes * (nodes - 3) / 2, perfect_matching_geometry(nodes)),
        nodes_(nodes),
        rows_(nodes, pairs_of_nodes(nodes)) {}

  [[nodiscard]] std::unique_ptr<Oracle> make_oracle() const override {
    return matching_oracle(nodes_, rows_.edges(), true, slack());
  }

  [[nodiscard]] std::unique_ptr<Exploration> exploration() const override {
    return std::make_unique<RandomPerfectMatchings>(nodes_, centre());
  }

  [[nodiscard]] bool contains(std::span<const double> x) const override {
    return contains_perfect(rows_, x, slack());
  }

  /// x_ij - u_i - u_j, the least squares fit: (n - 2) u_i = x(i) - the sum of all x / (n - 1).
  void flatten(std::span<double> direction) const override {
    const auto n = static_cast<double>(nodes_);
    const double half = math::sum(direction) / (n - 1);
    std::array<double, most_perfect_nodes> u;
    const std::span<double> of_nodes = std::span(u).first(nodes_);
    rows_.sums(direction, of_nodes);
    for (double& value : of_nodes) value = (value - half) / (n - 2);
    for (std::size_t e = 0; e < direction.size(); ++e) {
      direction[e] -= of_nodes[rows_.edges()[e].from] + of_nodes[rows_.edges()[e].to];
    }
  }

  [[nodiscard]] std::string spec() const override {
    return "perfect_matchings(" + std::to_string(nodes_) + ")";
  }

 private:
  std::size_t nodes_;
  DegreeRows rows_;
};

}  // namespace

SetPtr perfect_matchings(std::size_t nodes) {
  base::require(
      nodes >= 4 && nodes % 2 == 0,
      "perfect matchings that leave a choice need an even number of nodes, 4 at least, not " +
          std::to_string(nodes));
  base::require(nodes <= most_perfect_nodes,
                "a complete graph of " + std::to_string(nodes) + " nodes is too large to match: " +
                    std::to_string(most_perfect_nodes) + " are the most");
  (void)CheapestMatching(2, std::vector<Edge>{{0, 1}});  // refused without LEMON
  return std::make_shared<PerfectMatchings>(nodes);
}

}  // namespace keyhole::sets
