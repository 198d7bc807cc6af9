#include "sets/flow_projection.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/require.h"

namespace keyhole::sets {
namespace {

/// Of each node the last one that edges of some width connect it with.
std::vector<std::size_t> last_connected(const BoundedFlows& flows) {
  std::vector<std::size_t> last(flows.supplies.size());
  std::iota(last.begin(), last.end(), std::size_t{0});
  const auto end_of = [&](std::size_t v) {
    while (last[v] != v) v = last[v];
    return v;
  };
  for (std::size_t e = 0; e < flows.edges.size(); ++e) {
    if (flows.lower[e] == flows.upper[e]) continue;
    const std::size_t from = end_of(flows.edges[e].from);
    const std::size_t to = end_of(flows.edges[e].to);
    last[std::min(from, to)] = std::max(from, to);
  }
  for (std::size_t v = last.size(); v-- > 0;) last[v] = last[last[v]];
  return last;
}

std::vector<math::ArcRows> arcs_of(const BoundedFlows& flows) {
  const std::vector<std::size_t> last = last_connected(flows);
  std::vector<std::uint32_t> row(last.size(), math::ArcRows::none);
  std::uint32_t rows = 0;
  for (std::size_t v = 0; v < last.size(); ++v) {
    if (last[v] != v) row[v] = rows++;
  }
  std::vector<math::ArcRows> arcs;
  for (const auto& [from, to] : flows.edges) arcs.push_back({row[from], row[to]});
  return arcs;
}

math::LinearConstraints constraints_of(const BoundedFlows& flows) {
  const std::size_t n = flows.edges.size();
  math::LinearConstraints result{.columns = n, .lower = flows.lower, .upper = flows.upper};
  const std::vector<std::size_t> last = last_connected(flows);
  for (std::size_t v = 0; v < last.size(); ++v) {
    if (last[v] != v) result.right.push_back(flows.supplies[v]);
  }
  result.rows.assign(result.right.size() * n, 0.0);
  const std::vector<math::ArcRows> arcs = arcs_of(flows);
  for (std::size_t e = 0; e < n; ++e) {
    const auto [from, to] = arcs[e];
    if (from != math::ArcRows::none) result.rows[from * n + e] += 1;
    if (to != math::ArcRows::none) result.rows[to * n + e] -= 1;
  }
  return result;
}

}  // namespace

FlowProjection::FlowProjection(const Set& set, const BoundedFlows& flows, std::vector<double> low,
                               std::vector<double> high)
    : constraints_(constraints_of(flows)),
      arcs_(arcs_of(flows)),
      low_(std::move(low)),
      high_(std::move(high)),
      newton_(constraints_, arcs_, low_, high_, set.outer_radius()),
      active_set_(constraints_, low_, high_, set.outer_radius()) {}

bool FlowProjection::project(std::span<const double> point, std::span<double> nearest) {
  return newton_.solve(point, nearest) || active_set_.solve(point, nearest);
}

}  // namespace keyhole::sets
