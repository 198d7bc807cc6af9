#include "sets/graphs/flow_graph.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/joined.h"
#include "base/require.h"
#include "sets/circulations.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;
using Lists = std::vector<std::vector<std::size_t>>;

/// The edges of each node, by their beginnings or their ends.
Lists edges_of(std::size_t nodes, std::span<const Edge> edges, std::size_t Edge::*end) {
  Lists lists(nodes);
  for (std::size_t e = 0; e < edges.size(); ++e) lists[edges[e].*end].push_back(e);
  return lists;
}

/// The nodes that can be reached from one along its edges.
std::vector<bool> reached(std::span<const Edge> edges, const Lists& leaving, std::size_t node,
                          std::size_t Edge::*end) {
  std::vector<bool> seen(leaving.size(), false);
  std::vector<std::size_t> todo = {node};
  seen[node] = true;
  while (!todo.empty()) {
    const std::size_t at = todo.back();
    todo.pop_back();
    for (const std::size_t e : leaving[at]) {
      const std::size_t next = edges[e].*end;
      if (seen[next]) continue;
      seen[next] = true;
      todo.push_back(next);
    }
  }
  return seen;
}

/// The nodes in an order in which every edge leads onwards (Kahn 1962), without those on cycles
/// and after them. `missing` becomes how many of its edges keep a node out.
std::vector<std::size_t> onward_order(std::span<const Edge> edges, const Lists& out,
                                      const Lists& in, std::vector<std::size_t>& missing) {
  std::vector<std::size_t> order;
  missing.resize(in.size());
  for (std::size_t v = 0; v < in.size(); ++v) {
    missing[v] = in[v].size();
    if (missing[v] == 0) order.push_back(v);
  }
  for (std::size_t k = 0; k < order.size(); ++k) {
    for (const std::size_t e : out[order[k]]) {
      if (--missing[edges[e].to] == 0) order.push_back(edges[e].to);
    }
  }
  return order;
}

/// That order of all nodes.
std::vector<std::size_t> topological_order(std::span<const Edge> edges, const Lists& out,
                                           const Lists& in) {
  std::vector<std::size_t> missing;
  std::vector<std::size_t> order = onward_order(edges, out, in, missing);
  if (order.size() == in.size()) return order;
  // Going back from a node that is left, to one that is left, ends up on a cycle.
  const auto is_left = [&](std::size_t v) { return missing[v] > 0; };
  std::size_t v = 0;
  while (!is_left(v)) ++v;
  std::size_t last = 0;
  for (std::size_t k = 0; k <= in.size(); ++k) {
    last = *std::find_if(in[v].begin(), in[v].end(),
                         [&](std::size_t e) { return is_left(edges[e].from); });
    v = edges[last].from;
  }
  throw InvalidArgument("flows need a graph without cycles, and there is one through " +
                        edge_text(last, edges[last]));
}

}  // namespace

std::vector<std::size_t> onward_edges(std::size_t nodes, std::span<const Edge> edges) {
  const Lists out = edges_of(nodes, edges, &Edge::from);
  std::vector<std::size_t> missing;
  const std::vector<std::size_t> order =
      onward_order(edges, out, edges_of(nodes, edges, &Edge::to), missing);
  std::vector<std::size_t> result;
  if (order.size() < nodes) return result;
  for (const std::size_t v : order) result.insert(result.end(), out[v].begin(), out[v].end());
  return result;
}

std::vector<bool> edges_on_no_path(std::size_t nodes, std::span<const Edge> edges,
                                   std::size_t source, std::size_t sink) {
  require_network(nodes, edges, source, sink);
  const std::vector<bool> after_source =
      reached(edges, edges_of(nodes, edges, &Edge::from), source, &Edge::to);
  const std::vector<bool> before_sink =
      reached(edges, edges_of(nodes, edges, &Edge::to), sink, &Edge::from);
  std::vector<bool> result;
  for (const auto& [from, to] : edges) {
    result.push_back(from == to || !after_source[from] || !before_sink[to]);
  }
  return result;
}

FlowGraph::FlowGraph(std::size_t nodes, std::span<const Edge> edges, std::size_t source,
                     std::size_t sink)
    : edges_(edges.begin(), edges.end()) {
  require_network(nodes, edges, source, sink);
  const Lists out = edges_of(nodes, edges, &Edge::from);
  const Lists in = edges_of(nodes, edges, &Edge::to);
  const std::vector<bool> after_source = reached(edges, out, source, &Edge::to);
  const std::string ends = "node " + std::to_string(source) + " to node " + std::to_string(sink);
  base::require(after_source[sink], "there is no path from " + ends);
  const std::vector<std::size_t> order = topological_order(edges, out, in);
  std::vector<std::size_t> number(nodes, 0);
  std::size_t used = 0;
  for (const std::size_t v : order) {
    if (!out[v].empty() || !in[v].empty()) number[v] = used++;
  }
  base::require(edges.size() >= used,
                "there is only one path from " + ends + ": a single flow leaves nothing to choose");
  for (Edge& edge : edges_) edge = {number[edge.from], number[edge.to]};
  out_ = edges_of(used, edges_, &Edge::from);
  in_ = edges_of(used, edges_, &Edge::to);
  longest_ = static_cast<std::size_t>(longest_path_cost(Vector(edges_.size(), 1.0)));
}

std::size_t FlowGraph::shortest_path(std::span<const double> costs, std::span<double> scratch,
                                     std::span<std::size_t> path) const noexcept {
  // The costs to the sink, which is the last node; then along the first edges that attain them.
  const auto cost_along = [&](std::size_t e) { return costs[e] + scratch[edges_[e].to]; };
  scratch[nodes() - 1] = 0;
  for (std::size_t v = nodes() - 1; v-- > 0;) {
    double least = cost_along(out_[v].front());
    for (const std::size_t e : out_[v]) least = std::min(least, cost_along(e));
    scratch[v] = least;
  }
  std::size_t length = 0;
  for (std::size_t v = 0; v + 1 < nodes(); v = edges_[path[length - 1]].to) {
    const auto first = std::find_if(out_[v].begin(), out_[v].end(),
                                    [&](std::size_t e) { return cost_along(e) <= scratch[v]; });
    path[length++] = first == out_[v].end() ? out_[v].front() : *first;
  }
  return length;
}

double FlowGraph::longest_path_cost(std::span<const double> costs) const {
  Vector most(nodes(), 0.0);
  for (std::size_t v = nodes() - 1; v-- > 0;) {
    most[v] = costs[out_[v].front()] + most[edges_[out_[v].front()].to];
    for (const std::size_t e : out_[v]) most[v] = std::max(most[v], costs[e] + most[edges_[e].to]);
  }
  return most[0];
}

PathLaw::PathLaw(const FlowGraph& graph)
    : mean(graph.edges()), from_start(graph.edges()), to_start(graph.edges()) {
  const double share = 1 / static_cast<double>(graph.edges());
  Vector arriving(graph.nodes(), 0.0);
  for (std::size_t v = 0; v < graph.nodes(); ++v) {
    for (const std::size_t e : graph.out(v)) {
      from_start[e] = share + arriving[v] / static_cast<double>(graph.out(v).size());
      arriving[graph.edge(e).to] += from_start[e];
    }
  }
  std::fill(arriving.begin(), arriving.end(), 0.0);
  for (std::size_t v = graph.nodes(); v-- > 0;) {
    for (const std::size_t e : graph.in(v)) {
      to_start[e] = share + arriving[v] / static_cast<double>(graph.in(v).size());
      arriving[graph.edge(e).from] += to_start[e];
    }
  }
  for (std::size_t e = 0; e < mean.size(); ++e) mean[e] = from_start[e] + to_start[e] - share;
}

Vector PathLaw::covariance(const FlowGraph& graph) const {
  const std::size_t n = graph.nodes();
  const std::size_t count = graph.edges();
  // onwards[x n + y] is the probability that the walk from x to the sink meets y, back[x n + y]
  // that the walk from x back to the source does.
  Vector onwards(n * n, 0.0);
  Vector back(n * n, 0.0);
  for (std::size_t x = 0; x < n; ++x) {
    onwards[x * n + x] = back[x * n + x] = 1;
    for (std::size_t v = x; v + 1 < n; ++v) {
      const double share = onwards[x * n + v] / static_cast<double>(graph.out(v).size());
      for (const std::size_t e : graph.out(v)) onwards[x * n + graph.edge(e).to] += share;
    }
    for (std::size_t v = x; v > 0; --v) {
      const double share = back[x * n + v] / static_cast<double>(graph.in(v).size());
      for (const std::size_t e : graph.in(v)) back[x * n + graph.edge(e).from] += share;
    }
  }
  // between[x n + y]: that the edge drawn first lies between x and y, and the path meets both.
  Vector between(n * n, 0.0);
  for (std::size_t e = 0; e < count; ++e) {
    const auto [from, to] = graph.edge(e);
    for (std::size_t x = 0; x <= from; ++x) {
      const double share = back[from * n + x] / static_cast<double>(count);
      for (std::size_t y = to; y < n; ++y) between[x * n + y] += share * onwards[to * n + y];
    }
  }
  Vector sigma(count * count);
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < count; ++b) {
      if (a == b) {
        sigma[a * count + b] = mean[a] * (1 - mean[a]);
        continue;
      }
      const std::size_t x = graph.edge(a).to;
      const std::size_t y = graph.edge(b).from;
      if (x > y) continue;  // b is not after a
      const auto entering = static_cast<double>(graph.in(x).size());
      const auto leaving = static_cast<double>(graph.out(y).size());
      // The edge drawn first is a or before it, is b or after it, or is between them.
      const double both = from_start[a] * onwards[x * n + y] / leaving +
                          to_start[b] * back[y * n + x] / entering +
                          between[x * n + y] / (entering * leaving);
      sigma[a * count + b] = sigma[b * count + a] = both - mean[a] * mean[b];
    }
  }
  // Edges of which neither can follow the other.
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const bool apart =
          graph.edge(a).to > graph.edge(b).from && graph.edge(b).to > graph.edge(a).from;
      if (apart) sigma[a * count + b] = sigma[b * count + a] = -mean[a] * mean[b];
    }
  }
  return sigma;
}

}  // namespace keyhole::sets
