#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace keyhole::problems {

/// Round trip times between nodes.
struct RoundTrips {
  /// What they were read from; stands in messages.
  std::string file;
  /// The names of the nodes, in the order in which the file names them.
  std::vector<std::string> nodes;
  /// The time between nodes a < b at the key a nodes.size() + b.
  std::unordered_map<std::size_t, double> times;
};

/// Reads a CSV file with the columns i, j and rtt_ms, a row a pair of nodes. Throws InputError with
/// file, line and column for pairs of a node with itself, pairs that are there twice (in whichever
/// order), and times that are not positive.
[[nodiscard]] RoundTrips read_round_trips(const std::string& file);

/// The symmetric matrix, row by row, of the times between the nodes that are marked by 1; the
/// diagonal is 0. Throws InputError, naming the pair, if a time is missing.
[[nodiscard]] std::vector<double> submatrix(const RoundTrips& all, std::span<const double> marked);

}  // namespace keyhole::problems
