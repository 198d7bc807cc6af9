#include "problems/networks/flows.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/require.h"
#include "problems/networks/network.h"

namespace keyhole::problems {

Flows::Flows(const RoutingOptions& options) {
  const Network network = read_network(options.edges);
  const std::vector<Demand> demands = read_demands(options.demand, network);
  steps_ = demands.empty() ? 0 : demands[0].rates.size();
  for (const double capacity : network.capacity) inverse_capacity_.push_back(1 / capacity);
  base_.assign(steps_ * links(), 0.0);

  // The largest first; of equal ones, the first of the file.
  std::vector<std::size_t> order(demands.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return demands[a].mean > demands[b].mean; });
  std::vector<const Demand*> split;
  for (const std::size_t k : order) {
    const Demand& demand = demands[k];
    const bool wanted = split.size() < options.demands;
    const std::vector<Path> paths = shortest_paths(network.links, network.nodes.size(), demand.from,
                                                   demand.to, wanted ? options.paths : 1);
    if (paths.empty()) {
      throw InputError(options.edges + ": there is no path from '" + network.nodes[demand.from] +
                       "' to '" + network.nodes[demand.to] + "', between which " + options.demand +
                       " has traffic");
    }
    if (!wanted || paths.size() < 2) {
      for (std::uint64_t t = 1; t <= steps_; ++t) {
        for (const std::size_t l : paths[0]) {
          base_[(t - 1) * links() + l] += options.unit * demand.rates[t - 1] * inverse_capacity_[l];
        }
      }
      continue;
    }
    for (const Path& path : paths) {
      demand_.push_back(split.size());
      on_path_.insert(on_path_.end(), path.begin(), path.end());
      first_.push_back(on_path_.size());
    }
    sizes_.push_back(paths.size());
    split.push_back(&demand);
  }
  base::require(!split.empty(), "routing has nothing to decide: no demand of " + options.demand +
                                    " has two paths in " + options.edges);
  for (std::uint64_t t = 1; t <= steps_; ++t) {
    for (const Demand* demand : split) rates_.push_back(options.unit * demand->rates[t - 1]);
  }
}

void Flows::utilisation(std::uint64_t t, std::span<const double> x, std::span<double> u) const {
  std::copy_n(base_.begin() + static_cast<std::ptrdiff_t>((t - 1) * links()), links(), u.begin());
  for (std::size_t j = 0; j < demand_.size(); ++j) {
    const double flow = rate(t, demand_[j]) * x[j];
    for (const std::size_t l : path(j)) u[l] += flow * inverse_capacity_[l];
  }
}

void Flows::add_gradient(std::uint64_t t, std::span<const double> weights,
                         std::span<double> g) const {
  for (std::size_t j = 0; j < demand_.size(); ++j) {
    double price = 0;  // of the path
    for (const std::size_t l : path(j)) price += weights[l] * inverse_capacity_[l];
    g[j] += rate(t, demand_[j]) * price;
  }
}

LossBounds Flows::bounds() const {
  // How many paths of each demand use each link.
  std::vector<double> uses(sizes_.size() * links(), 0.0);
  for (std::size_t j = 0; j < demand_.size(); ++j) {
    for (const std::size_t l : path(j)) uses[demand_[j] * links() + l] += 1;
  }
  double M = 0;
  double G = 0;
  for (std::uint64_t t = 1; t <= steps_; ++t) {
    for (std::size_t l = 0; l < links(); ++l) {
      double most = base_[(t - 1) * links() + l];
      double squares = 0;
      for (std::size_t d = 0; d < sizes_.size(); ++d) {
        const double m = uses[d * links() + l];
        const double slope = rate(t, d) * inverse_capacity_[l];
        if (m > 0) most += slope;
        // m of k entries are the slope, the others 0; their mean is off the hull.
        squares += slope * slope * m * (1 - m / static_cast<double>(sizes_[d]));
      }
      M = std::max(M, most);
      G = std::max(G, std::sqrt(squares));
    }
  }
  // Members may be off by rounding.
  constexpr double rounding = 1 + 1e-6;
  return {rounding * M, rounding * G, true};
}

}  // namespace keyhole::problems
