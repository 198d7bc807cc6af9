#include "sets/distributions/marginal_set.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "math/sums.h"
#include "sets/settle.h"

namespace keyhole::sets {

double Marginals::inner_radius(std::span<const double> p) const {
  const auto m = static_cast<double>(rows());
  const auto n = static_cast<double>(columns());
  return *std::min_element(p.begin(), p.end()) / std::sqrt((1 - 1 / m) * (1 - 1 / n));
}

MarginalSet::MarginalSet(Marginals marginals, Geometry geometry)
    : Set(marginals.rows() * marginals.columns(),
          (marginals.rows() - 1) * (marginals.columns() - 1), std::move(geometry)),
      marginals_(std::move(marginals)) {}

bool MarginalSet::contains(std::span<const double> x) const {
  if (x.size() != dimension()) return false;
  for (const double coordinate : x) {
    if (!(coordinate >= 0)) return false;
  }
  const std::size_t m = marginals_.rows();
  const std::size_t n = marginals_.columns();
  for (std::size_t i = 0; i < m; ++i) {
    const double off = math::sum(x.subspan(i * n, n)) - marginals_.of_rows[i];
    if (!(std::abs(off) <= slack() * std::sqrt(static_cast<double>(n)))) return false;
  }
  for (std::size_t j = 0; j < n; ++j) {
    const double off =
        math::reduce(m, [&](std::size_t i) { return x[i * n + j]; }) - marginals_.of_columns[j];
    if (!(std::abs(off) <= slack() * std::sqrt(static_cast<double>(m)))) return false;
  }
  return true;
}

void MarginalSet::flatten(std::span<double> direction) const {
  const std::size_t m = marginals_.rows();
  const std::size_t n = marginals_.columns();
  for (std::size_t i = 0; i < m; ++i) {
    const double mean = math::sum(direction.subspan(i * n, n)) / static_cast<double>(n);
    for (std::size_t j = 0; j < n; ++j) direction[i * n + j] -= mean;
  }
  for (std::size_t j = 0; j < n; ++j) {
    const double mean = math::reduce(m, [&](std::size_t i) { return direction[i * n + j]; }) /
                        static_cast<double>(m);
    for (std::size_t i = 0; i < m; ++i) direction[i * n + j] -= mean;
  }
}

std::optional<PolytopeConstraints> MarginalSet::linear_description() const {
  const std::size_t m = marginals_.rows();
  const std::size_t n = marginals_.columns();
  PolytopeConstraints result{.n = dimension(), .lower = std::vector<double>(dimension(), 0.0)};
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      result.equalities.sparse.push_back({i, i * n + j, 1});
      result.equalities.sparse.push_back({m + j, i * n + j, 1});
    }
  }
  result.equalities.right = marginals_.of_rows;
  result.equalities.right.insert(result.equalities.right.end(), marginals_.of_columns.begin(),
                                 marginals_.of_columns.end());
  return result;
}

MarginalOracle::MarginalOracle(const MarginalSet& set) : set_(set) {
  if (set.dimension() <= FlowProjection::few_coordinates) projection_ = make_projection();
}

std::unique_ptr<FlowProjection> MarginalOracle::make_projection() const {
  const auto& [of_rows, of_columns] = set_.marginals();
  BoundedFlows flows;
  flows.supplies = of_rows;
  for (const double sum : of_columns) flows.supplies.push_back(-sum);
  std::vector<double> most;
  for (std::size_t i = 0; i < of_rows.size(); ++i) {
    for (std::size_t j = 0; j < of_columns.size(); ++j) {
      flows.edges.push_back({i, of_rows.size() + j});
      most.push_back(std::min(of_rows[i], of_columns[j]));
    }
  }
  flows.lower.assign(most.size(), 0.0);
  flows.upper.assign(most.size(), std::numeric_limits<double>::infinity());
  return std::make_unique<FlowProjection>(set_, flows, flows.lower, std::move(most));
}

bool MarginalOracle::do_project(std::span<const double> point, std::span<double> nearest) {
  if (!set_.can_project()) {
    return Oracle::do_project(point, nearest);  // says that there is none
  }
  if (projection_ == nullptr) projection_ = make_projection();
  return projection_->project(point, nearest);
}

double MarginalOracle::do_gauge(std::span<const double> w, std::span<double> subgradient) {
  const std::vector<double>& p = set_.centre();
  std::fill(subgradient.begin(), subgradient.end(), 0.0);
  double gamma = 0;
  std::size_t first = 0;
  for (std::size_t k = 0; k < w.size(); ++k) {
    const double share = (p[k] - w[k]) / p[k];
    if (!(share > gamma)) continue;
    gamma = share;
    first = k;
  }
  if (!(gamma > 0)) return 0;
  subgradient[first] = -1 / p[first];
  set_.flatten(subgradient);
  return gamma;
}

void MarginalOracle::settle(std::span<double> point) { settle_signs(point, set_.slack()); }

}  // namespace keyhole::sets
