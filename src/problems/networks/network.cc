#include "problems/networks/network.h"

#include <algorithm>

#include "base/number_text.h"
#include "base/require.h"
#include "keyhole/error.h"
#include "math/sums.h"
#include "problems/csv.h"

namespace keyhole::problems {
namespace {

double positive_number(const CsvTable& table, std::size_t row, std::size_t column) {
  const double value = csv_number(table, row, column);
  if (!base::is_moderate_positive(value)) {
    throw InputError(csv_place(table, row, column) + "must be a number from 1e-50 to 1e50, not " +
                     base::number_text(value));
  }
  return value;
}

/// The number of a node, which is new if it has not been seen.
std::size_t node_number(std::vector<std::string>& nodes, const std::string& name) {
  const auto found = std::find(nodes.begin(), nodes.end(), name);
  const auto number = static_cast<std::size_t>(found - nodes.begin());
  if (number == nodes.size()) nodes.push_back(name);
  return number;
}

/// The pair that a column's name says: it is split at a dash where both parts are nodes.
Demand demand_of(const CsvTable& table, std::size_t column, const Network& network) {
  const std::string& name = table.header[column];
  const auto number = [&](const std::string& node) {
    return static_cast<std::size_t>(std::find(network.nodes.begin(), network.nodes.end(), node) -
                                    network.nodes.begin());
  };
  for (std::size_t dash = name.find('-'); dash != std::string::npos;
       dash = name.find('-', dash + 1)) {
    const Demand demand{number(name.substr(0, dash)), number(name.substr(dash + 1))};
    const std::size_t none = network.nodes.size();
    if (demand.from < none && demand.to < none && demand.from != demand.to) return demand;
  }
  throw InputError(table.file + ":1: column '" + name +
                   "' must be named by two different nodes of the network, such as '" +
                   network.nodes[0] + "-" + network.nodes[1] + "'");
}

}  // namespace

Network read_network(const std::string& file) {
  const CsvTable table = read_csv(file);
  const std::size_t from = csv_column(table, "from");
  const std::size_t to = csv_column(table, "to");
  const std::size_t weight = csv_column(table, "ospf_weight");
  const std::size_t capacity = csv_column(table, "capacity_kbps");
  Network network;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const Link link{node_number(network.nodes, table.rows[row][from]),
                    node_number(network.nodes, table.rows[row][to]),
                    positive_number(table, row, weight)};
    if (link.from == link.to) {
      throw InputError(csv_place(table, row, to) + "the link leads from node '" +
                       table.rows[row][to] + "' to itself");
    }
    network.links.push_back(link);
    network.capacity.push_back(positive_number(table, row, capacity));
  }
  if (network.links.empty()) throw InputError(file + ": there are no links");
  return network;
}

std::vector<Demand> read_demands(const std::string& file, const Network& network) {
  const CsvTable table = read_csv(file);
  if (table.rows.empty()) throw InputError(file + ": there is no traffic");
  std::vector<Demand> demands;
  for (std::size_t c = table.header[0] == "time" ? 1 : 0; c < table.header.size(); ++c) {
    Demand demand = demand_of(table, c, network);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const double rate = csv_number(table, row, c);
      if (!(rate >= 0 && base::is_moderate(rate))) {
        throw InputError(csv_place(table, row, c) + "must be a number from 0 to 1e50, not " +
                         base::number_text(rate));
      }
      demand.rates.push_back(rate);
    }
    demand.mean = math::sum(demand.rates) / static_cast<double>(demand.rates.size());
    if (demand.mean > 0) demands.push_back(std::move(demand));
  }
  return demands;
}

}  // namespace keyhole::problems
