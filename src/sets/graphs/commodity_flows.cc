#include "sets/graphs/commodity_flows.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <utility>

#include "base/require.h"
#include "math/sums.h"
#include "sets/circulations.h"
#include "sets/graphs/flow_graph.h"
#include "sets/graphs/min_cost_flow.h"

namespace keyhole::sets {
namespace {

using Vector = std::vector<double>;

/// Above it a dense matrix is too large for comfort, as for polytope().
constexpr std::size_t most_dense_flow_numbers = 250000;
/// Less than that of the largest coordinate is rounding.
constexpr double rounding_of_flows = 1e-10;

bool fits_densely(const math::SparseConstraints& rows) {
  return std::uint64_t{rows.right.size()} * rows.columns <= most_dense_flow_numbers;
}

/// Whether each node is the first of a component of the edges that count, for which conservation
/// follows from that at the others.
template <class Counts>
std::vector<bool> first_of_components(const CommodityNetwork& network, const Counts& counts) {
  std::vector<std::size_t> earlier(network.nodes);
  std::iota(earlier.begin(), earlier.end(), std::size_t{0});
  const auto first = [&](std::size_t v) {
    while (earlier[v] != v) v = earlier[v] = earlier[earlier[v]];
    return v;
  };
  for (std::size_t e = 0; e < network.edges.size(); ++e) {
    if (!counts(e)) continue;
    const auto [a, b] = std::minmax({first(network.edges[e].from), first(network.edges[e].to)});
    earlier[b] = a;
  }
  std::vector<bool> result(network.nodes);
  for (std::size_t v = 0; v < network.nodes; ++v) result[v] = earlier[v] == v;
  return result;
}

/// Writes rows of about unit norm.
class RowWriter {
 public:
  explicit RowWriter(std::size_t columns) { rows_.columns = columns; }

  /// By ascending columns; a row without any is left out.
  void add(const std::vector<std::pair<std::size_t, double>>& entries, double right) {
    double square = 0;
    for (const auto& [column, value] : entries) square += value * value;
    if (square == 0) return;
    const double factor = std::ldexp(1.0, -std::ilogb(std::sqrt(square)));
    for (const auto& [column, value] : entries) {
      rows_.indices.push_back(column);
      rows_.values.push_back(value * factor);
    }
    rows_.starts.push_back(rows_.indices.size());
    rows_.right.push_back(right * factor);
  }

  math::SparseConstraints& rows() { return rows_; }

 private:
  math::SparseConstraints rows_;
};

/// The flows; with `share` one coordinate more, the share of all amounts that is sent.
math::SparseConstraints rows_of(const CommodityNetwork& network, bool share) {
  const std::size_t n = network.dimension();
  const std::size_t edges = network.edges.size();
  RowWriter writer(share ? n + 1 : n);
  std::vector<std::pair<std::size_t, double>> row;
  for (std::size_t e = 0; e < edges; ++e) {
    row.clear();
    for (std::size_t j = e; j < n; j += edges) row.emplace_back(j, 1.0);
    writer.add(row, network.capacities[e]);
  }
  writer.rows().inequalities = edges;
  const std::vector<bool> is_first =
      first_of_components(network, [](std::size_t /*e*/) { return true; });
  for (std::size_t k = 0; k < network.commodities.size(); ++k) {
    for (std::size_t v = 0; v < network.nodes; ++v) {
      if (is_first[v]) continue;
      row.clear();
      for (std::size_t e = 0; e < edges; ++e) {
        const double value =
            (network.edges[e].from == v ? 1.0 : 0.0) - (network.edges[e].to == v ? 1.0 : 0.0);
        if (value != 0) row.emplace_back(k * edges + e, value);
      }
      const double supply = network.supply(k, v);
      if (share && supply != 0) row.emplace_back(n, -supply);
      writer.add(row, share ? 0 : supply);
    }
  }
  math::SparseConstraints& all = writer.rows();
  all.lower.assign(n, 0.0);
  for (std::size_t j = 0; j < n; ++j) all.upper.push_back(network.capacities[network.edge_of(j)]);
  if (share) {
    all.lower.push_back(0);
    all.upper.push_back(1);
  }
  return std::move(all);
}

math::LinearConstraints with_zeros(const math::SparseConstraints& sparse) {
  math::LinearConstraints all{.columns = sparse.columns,
                              .inequalities = sparse.inequalities,
                              .rows = Vector(sparse.right.size() * sparse.columns, 0.0),
                              .right = sparse.right,
                              .lower = sparse.lower,
                              .upper = sparse.upper};
  for (std::size_t i = 0; i < sparse.right.size(); ++i) {
    sparse.row(i).add_to(std::span(all.rows).subspan(i * sparse.columns, sparse.columns), 1);
  }
  return all;
}

std::string commodity_text(std::size_t k) { return "commodity " + std::to_string(k); }

void require_commodity_alone(const CommodityNetwork& network, std::size_t k) {
  Vector supplies(network.nodes);
  for (std::size_t v = 0; v < supplies.size(); ++v) supplies[v] = network.supply(k, v);
  MinCostFlow solver(network.nodes, network.edges, network.capacities, supplies);
  Vector flow(network.edges.size());
  const double unsent = solver.minimise(Vector(flow.size(), 0.0), flow);
  if (unsent <= static_cast<double>(flow.size()) * solver.rounding()) return;
  const Commodity& commodity = network.commodities[k];
  const double sent = commodity.amount - unsent;
  base::require(sent > 0, "the sink of " + commodity_text(k) + ", node " +
                              std::to_string(commodity.sink) +
                              ", cannot be reached from its source, node " +
                              std::to_string(commodity.source));
  throw InvalidArgument("a flow of " + base::number_text(commodity.amount) + " of " +
                        commodity_text(k) +
                        " does not fit the capacities: the largest flow from its source to its "
                        "sink is " +
                        base::number_text(sent));
}

[[noreturn]] void refuse_together(const CommodityNetwork& network) {
  std::string share;
  const math::SparseConstraints rows = rows_of(network, true);
  if (fits_densely(rows)) {
    math::BoundedSimplex program(with_zeros(rows));
    Vector c(rows.columns, 0.0);
    c.back() = -1;
    if (program.start() == math::LinearResult::optimal &&
        program.minimise(c) == math::LinearResult::optimal) {
      share = ": " + base::number_text(program.x().back()) + " of each amount is the most";
    }
  }
  throw InvalidArgument("the commodities fit the capacities one by one, but not together" + share);
}

}  // namespace

double CommodityNetwork::supply(std::size_t k, std::size_t node) const {
  const Commodity& commodity = commodities[k];
  if (node == commodity.source) return commodity.amount;
  return node == commodity.sink ? -commodity.amount : 0;
}

CommodityProgram::CommodityProgram(const CommodityNetwork& network) {
  for (std::size_t k = 0; k < network.commodities.size(); ++k) require_commodity_alone(network, k);
  math::SparseConstraints rows = rows_of(network, false);
  math::LinearResult result;
  if (fits_densely(rows)) {
    dense_.emplace(with_zeros(rows));
    result = dense_->start();
  } else {
    const double length = math::largest_magnitude(rows.upper);
    const Vector zero(rows.columns, 0.0);
    sparse_.emplace(std::make_shared<const math::SparseConstraints>(std::move(rows)), length);
    result = sparse_->minimise(zero);
  }
  if (result == math::LinearResult::infeasible) refuse_together(network);
  base::require(result == math::LinearResult::optimal,
                "rounding errors hide whether the commodities fit the capacities together");
}

std::span<const double> CommodityProgram::minimise(std::span<const double> c) {
  const math::LinearResult result = dense_ ? dense_->minimise(c) : sparse_->minimise(c);
  base::require(result == math::LinearResult::optimal,
                "rounding errors hide how much commodities can send along an edge");
  return dense_ ? dense_->x() : sparse_->x();
}

CommodityExtremes::CommodityExtremes(const CommodityNetwork& network)
    : fixed(network.dimension()), full(network.edges.size()) {
  const std::size_t n = network.dimension();
  const std::size_t edges = network.edges.size();
  CommodityProgram program(network);
  Vector room(edges, 0.0);  // the most that the flows so far leave
  const auto take = [&](std::span<const double> flow) {
    if (least.empty()) {
      least.assign(flow.begin(), flow.end());
      largest = least;
    }
    for (std::size_t j = 0; j < n; ++j) {
      least[j] = std::min(least[j], flow[j]);
      largest[j] = std::max(largest[j], flow[j]);
    }
    for (std::size_t e = 0; e < edges; ++e) {
      double left = network.capacities[e];
      for (std::size_t j = e; j < n; j += edges) left -= flow[j];
      room[e] = std::max(room[e], left);
    }
  };
  const auto rounding = [&] { return rounding_of_flows * math::largest_magnitude(largest); };
  Vector c(n, 0.0);
  take(program.minimise(c));
  const bool exact = n <= most_exact_coordinates;
  for (std::size_t j = 0; j < n; ++j) {
    const auto is_same = [&] { return largest[j] - least[j] <= rounding(); };
    c[j] = -1;
    if (exact ? largest[j] < network.capacities[network.edge_of(j)] : is_same()) {
      take(program.minimise(c));
    }
    c[j] = 1;
    if (exact ? least[j] > 0 : is_same()) take(program.minimise(c));
    c[j] = 0;
  }
  for (std::size_t e = 0; e < edges; ++e) {
    if (room[e] > rounding()) continue;
    for (std::size_t j = e; j < n; j += edges) c[j] = 1;
    take(program.minimise(c));
    for (std::size_t j = e; j < n; j += edges) c[j] = 0;
    full[e] = !(room[e] > rounding());
  }
  const double nothing = rounding();
  const bool has_cycles = onward_edges(network.nodes, network.edges).empty();
  for (std::size_t j = 0; j < n; ++j) {
    const double capacity = network.capacities[network.edge_of(j)];
    fixed[j] = largest[j] - least[j] <= nothing;
    if (fixed[j]) {
      if (least[j] <= nothing) largest[j] = 0;
      if (largest[j] >= capacity - nothing) largest[j] = capacity;
      least[j] = largest[j];
    } else if (!exact) {
      const double amount = network.commodities[network.commodity_of(j)].amount;
      least[j] = 0;
      largest[j] = has_cycles ? capacity : std::min(capacity, amount);
    }
  }
  base::require(std::find(fixed.begin(), fixed.end(), false) != fixed.end(),
                "there is only one flow of these commodities: a single flow leaves nothing to "
                "choose");
}

PolytopeConstraints free_flows(const CommodityNetwork& network, const CommodityExtremes& extremes) {
  const std::size_t n = network.dimension();
  const std::size_t edges = network.edges.size();
  const double nothing = rounding_of_flows * math::largest_magnitude(extremes.largest);
  PolytopeConstraints all;
  std::vector<std::size_t> place(n);
  for (std::size_t j = 0; j < n; ++j) {
    place[j] = all.n;
    if (!extremes.fixed[j]) ++all.n;
  }
  // What the fixed ones leave of the capacities, and of the supplies below.
  Vector left = network.capacities;
  for (std::size_t j = 0; j < n; ++j) {
    if (extremes.fixed[j]) left[j % edges] -= extremes.largest[j];
  }
  for (std::size_t j = 0; j < n; ++j) {
    if (extremes.fixed[j]) continue;
    all.lower.push_back(0);
    // A bound that is far away costs digits, and so does one that is just not reached.
    all.upper.push_back(std::min(left[j % edges], 2 * extremes.largest[j]));
  }
  for (std::size_t e = 0; e < edges; ++e) {
    std::vector<std::size_t> columns;
    double most = 0;
    for (std::size_t j = e; j < n; j += edges) {
      if (extremes.fixed[j]) continue;
      columns.push_back(place[j]);
      most += extremes.largest[j];
    }
    if (columns.size() < 2 || most < left[e] * (1 - 1e-9)) continue;  // the bounds are enough
    LinearRows& rows = extremes.full[e] ? all.equalities : all.inequalities;
    for (const std::size_t column : columns) rows.sparse.push_back({rows.right.size(), column, 1});
    rows.right.push_back(left[e]);
    rows.names.push_back("the capacity of " + edge_text(e, network.edges[e]));
  }
  for (std::size_t k = 0; k < network.commodities.size(); ++k) {
    const auto is_free = [&](std::size_t e) { return !extremes.fixed[k * edges + e]; };
    const std::vector<bool> is_first = first_of_components(network, is_free);
    Vector supplies(network.nodes);
    for (std::size_t v = 0; v < network.nodes; ++v) supplies[v] = network.supply(k, v);
    for (std::size_t e = 0; e < edges; ++e) {
      if (is_free(e)) continue;
      supplies[network.edges[e].from] -= extremes.largest[k * edges + e];
      supplies[network.edges[e].to] += extremes.largest[k * edges + e];
    }
    LinearRows& rows = all.equalities;
    std::vector<std::size_t> row_of(network.nodes, 0);
    for (std::size_t v = 0; v < network.nodes; ++v) {
      if (is_first[v]) continue;
      row_of[v] = rows.right.size();
      rows.right.push_back(std::abs(supplies[v]) <= nothing ? 0 : supplies[v]);
      rows.names.push_back(commodity_text(k) + " at node " + std::to_string(v));
    }
    for (std::size_t e = 0; e < edges; ++e) {
      if (!is_free(e)) continue;
      const auto [from, to] = network.edges[e];
      if (!is_first[from]) rows.sparse.push_back({row_of[from], place[k * edges + e], 1});
      if (!is_first[to]) rows.sparse.push_back({row_of[to], place[k * edges + e], -1});
    }
  }
  return all;
}

}  // namespace keyhole::sets
