#include "problems/networks/round_trips.h"

#include <algorithm>
#include <utility>

#include "base/number_text.h"
#include "base/require.h"
#include "keyhole/error.h"
#include "problems/csv.h"

namespace keyhole::problems {

RoundTrips read_round_trips(const std::string& file) {
  const CsvTable table = read_csv(file);
  const std::size_t i = csv_column(table, "i");
  const std::size_t j = csv_column(table, "j");
  const std::size_t rtt = csv_column(table, "rtt_ms");
  RoundTrips all{.file = file, .nodes = {}, .times = {}};
  std::unordered_map<std::string, std::size_t> numbers;
  for (const auto& row : table.rows) {
    for (const std::string& name : {row[i], row[j]}) {
      if (numbers.emplace(name, numbers.size()).second) all.nodes.push_back(name);
    }
  }
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto [a, b] = std::minmax(numbers.at(table.rows[row][i]), numbers.at(table.rows[row][j]));
    const auto pair = "'" + table.rows[row][i] + "' and '" + table.rows[row][j] + "'";
    if (a == b) throw InputError(csv_place(table, row, j) + pair + " are the same node");
    const double time = csv_number(table, row, rtt);
    if (!base::is_moderate_positive(time)) {
      throw InputError(csv_place(table, row, rtt) + "must be a number from 1e-50 to 1e50, not " +
                       base::number_text(time));
    }
    if (!all.times.emplace(a * all.nodes.size() + b, time).second) {
      throw InputError(csv_place(table, row, j) + "the pair " + pair + " is there twice");
    }
  }
  return all;
}

std::vector<double> submatrix(const RoundTrips& all, std::span<const double> marked) {
  std::vector<std::size_t> nodes;
  for (std::size_t k = 0; k < marked.size(); ++k) {
    if (marked[k] == 1) nodes.push_back(k);
  }
  const std::size_t n = nodes.size();
  std::vector<double> matrix(n * n, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t l = k + 1; l < n; ++l) {
      const auto found = all.times.find(nodes[k] * all.nodes.size() + nodes[l]);
      if (found == all.times.end()) {
        throw InputError(all.file + ": there is no round trip time between '" +
                         all.nodes[nodes[k]] + "' and '" + all.nodes[nodes[l]] + "'");
      }
      matrix[k * n + l] = found->second;
      matrix[l * n + k] = found->second;
    }
  }
  return matrix;
}

}  // namespace keyhole::problems
