// Networks and the traffic on them, from files.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "problems/networks/shortest_paths.h"

namespace keyhole::problems {

/// A network.
struct Network {
  /// The names of the nodes.
  std::vector<std::string> nodes;
  /// The links.
  std::vector<Link> links;
  /// What each link can carry, in kbit/s.
  std::vector<double> capacity;
};

/// Reads a CSV file with the columns from, to, ospf_weight and capacity_kbps, a row a directed
/// link; other columns are passed over. Throws InputError with file, line and column for links from
/// a node to itself and for weights and capacities that are not positive.
[[nodiscard]] Network read_network(const std::string& file);

/// What is to be carried from one node to another.
struct Demand {
  /// Where from.
  std::size_t from = 0;
  /// Where to.
  std::size_t to = 0;
  /// How much in each step, in the units of the file.
  std::vector<double> rates = {};
  /// Their mean.
  double mean = 0;
};

/// Reads a CSV file of traffic: a column "a-b" for each pair of nodes, a row a step; a first column
/// named time is passed over. Columns of zeros are left out. Throws InputError for anything else.
[[nodiscard]] std::vector<Demand> read_demands(const std::string& file, const Network& network);

}  // namespace keyhole::problems
