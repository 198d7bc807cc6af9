#include "sets/circulations.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "base/require.h"
#include "math/dense.h"
#include "math/sums.h"

namespace keyhole::sets {
namespace {

/// Up to so many nodes flatten() takes its numbers from the stack.
constexpr std::size_t few_nodes = 1024;

/// The last node of the component of each node.
std::vector<std::size_t> last_of_components(std::size_t nodes, std::span<const Edge> edges,
                                            const std::vector<bool>& left_out) {
  std::vector<std::size_t> later(nodes);  // a node of the same component, itself if the last
  std::iota(later.begin(), later.end(), std::size_t{0});
  const auto last = [&](std::size_t v) {
    while (later[v] != v) v = later[v] = later[later[v]];
    return v;
  };
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (!left_out.empty() && left_out[e]) continue;
    const auto [a, b] = std::minmax({last(edges[e].from), last(edges[e].to)});
    later[a] = b;
  }
  for (std::size_t v = 0; v < nodes; ++v) later[v] = last(v);
  return later;
}

}  // namespace

std::string edge_text(std::size_t e, const Edge& edge) {
  return "edge " + std::to_string(e) + " (" + std::to_string(edge.from) + " -> " +
         std::to_string(edge.to) + ")";
}

std::string edges_text(std::span<const Edge> edges) {
  std::vector<double> ends;
  ends.reserve(2 * edges.size());
  for (const Edge& edge : edges) {
    ends.insert(ends.end(), {static_cast<double>(edge.from), static_cast<double>(edge.to)});
  }
  return base::matrix_text(ends, 2);
}

void require_network(std::size_t nodes, std::span<const Edge> edges, std::size_t source,
                     std::size_t sink) {
  const auto require_node = [&](std::size_t node, const std::string& what) {
    base::require(node < nodes, what + " is node " + std::to_string(node) + ", and there are " +
                                    std::to_string(nodes) + ", counted from 0");
  };
  require_node(source, "the source of the flow");
  require_node(sink, "the sink of the flow");
  base::require(source != sink,
                "the source and the sink of the flow are the same, node " + std::to_string(source));
  for (std::size_t e = 0; e < edges.size(); ++e) {
    require_node(edges[e].from, "the beginning of " + edge_text(e, edges[e]));
    require_node(edges[e].to, "the end of " + edge_text(e, edges[e]));
  }
}

Circulations::Circulations(std::size_t nodes, std::span<const Edge> edges,
                           std::vector<bool> left_out)
    : nodes_(nodes), edges_(edges.begin(), edges.end()), left_out_(std::move(left_out)) {
  const std::vector<std::size_t> last = last_of_components(nodes, edges, left_out_);
  unknown_.resize(nodes);
  for (std::size_t v = 0; v < nodes; ++v) {
    if (last[v] != v) unknown_[v] = unknowns_++;
  }
  for (std::size_t v = 0; v < nodes; ++v) {
    if (last[v] == v) unknown_[v] = unknowns_;
  }
  base::require(unknowns_ < most_nodes, "a graph of " + std::to_string(unknowns_ + 1) +
                                            " nodes is too large: " + std::to_string(most_nodes) +
                                            " are the most");
  for (const Edge& edge : edges_) {
    ends_.push_back({static_cast<std::uint32_t>(unknown_[edge.from]),
                     static_cast<std::uint32_t>(unknown_[edge.to])});
  }
  laplacian_.assign(unknowns_ * unknowns_, 0.0);
  std::size_t used = 0;
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    if (is_left_out(e)) continue;
    ++used;
    const auto [a, b] = std::minmax({unknown_[edges_[e].from], unknown_[edges_[e].to]});
    if (edges_[e].from == edges_[e].to) continue;
    laplacian_[a * unknowns_ + a] += 1;
    if (b == unknowns_) continue;
    laplacian_[b * unknowns_ + b] += 1;
    laplacian_[b * unknowns_ + a] -= 1;
  }
  dimension_ = used - unknowns_;
  base::require(math::cholesky(laplacian_, unknowns_),
                "rounding errors hide the flows of the graph");
  for (std::size_t i = 0; i < unknowns_; ++i) {
    std::size_t first = 0;
    while (laplacian_[i * unknowns_ + first] == 0) ++first;
    first_.push_back(first - first % 8);
  }
}

void Circulations::divergence(std::span<const double> flow, std::span<double> of_nodes) const {
  std::fill(of_nodes.begin(), of_nodes.end(), 0.0);
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    of_nodes[edges_[e].from] += flow[e];
    of_nodes[edges_[e].to] -= flow[e];
  }
}

void Circulations::solve(std::span<double> x) const {
  for (std::size_t i = 0; i < unknowns_; ++i) {
    const double* const row = laplacian_.data() + i * unknowns_;
    const std::size_t first = first_[i];
    const double known = math::dot({row + first, i - first}, {x.data() + first, i - first});
    x[i] = (x[i] - known) / row[i];
  }
  for (std::size_t i = unknowns_; i-- > 0;) {
    const double* const row = laplacian_.data() + i * unknowns_;
    const std::size_t first = first_[i];
    x[i] /= row[i];
    math::add({x.data() + first, i - first}, -x[i], {row + first, i - first});
  }
}

void Circulations::flatten(std::span<double> flow) const {
  std::array<double, few_nodes> small;
  std::vector<double> large(unknowns_ >= few_nodes ? unknowns_ + 1 : 0);
  const std::span<double> potential =
      large.empty() ? std::span<double>(small).first(unknowns_ + 1) : std::span<double>(large);
  std::fill(potential.begin(), potential.end(), 0.0);
  for (std::size_t e = 0; e < left_out_.size(); ++e) {
    if (left_out_[e]) flow[e] = 0;
  }
  for (std::size_t e = 0; e < ends_.size(); ++e) {
    potential[ends_[e].from] += flow[e];
    potential[ends_[e].to] -= flow[e];
  }
  potential[unknowns_] = 0;
  solve(potential.first(unknowns_));
  for (std::size_t e = 0; e < ends_.size(); ++e) {
    flow[e] -= potential[ends_[e].from] - potential[ends_[e].to];
  }
  for (std::size_t e = 0; e < left_out_.size(); ++e) {
    if (left_out_[e]) flow[e] = 0;
  }
}

std::vector<double> Circulations::axis_lengths(const std::vector<bool>& fixed) const {
  std::vector<double> lengths(edges_.size(), 1.0);
  const auto size = static_cast<double>(nodes_);
  const bool large = size * size * static_cast<double>(edges_.size()) > 1e9;
  std::vector<double> axis(edges_.size(), 0.0);
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    if (is_left_out(e) || (!fixed.empty() && fixed[e])) lengths[e] = 0;
    if (large || lengths[e] == 0) continue;
    axis[e] = 1;
    flatten(axis);
    lengths[e] = math::norm(axis);
    std::fill(axis.begin(), axis.end(), 0.0);
  }
  return lengths;
}

}  // namespace keyhole::sets
