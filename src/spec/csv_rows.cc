#include <algorithm>
#include <string>

#include "base/shortened.h"
#include "problems/csv.h"
#include "spec/linear_model.h"

namespace keyhole::spec {

LinearModel read_csv_rows(std::string_view text, const std::string& file) {
  const problems::CsvTable table = problems::parse_csv(text, file);
  const std::size_t relation = problems::csv_column(table, "relation");
  const std::size_t right = problems::csv_column(table, "right");
  LinearModel model(file);
  for (std::size_t column = 0; column < table.header.size(); ++column) {
    if (column == relation || column == right) continue;
    model.columns[model.add_column(table.header[column], 1)].lower = -without_bound;
  }
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string& word = table.rows[row][relation];
    if (word != "<=" && word != ">=" && word != "=") {
      model.fail(table.lines[row],
                 "the relation is <=, >= or =, not '" + base::shortened(word) + "'");
    }
    std::vector<MatrixEntry> entries;
    std::size_t j = 0;
    for (std::size_t column = 0; column < table.header.size(); ++column) {
      if (column == relation || column == right) continue;
      const double value = problems::csv_number(table, row, column);
      if (value != 0) entries.push_back({model.rows.size(), j, value});
      ++j;
    }
    const double b = problems::csv_number(table, row, right);
    const auto restrict_to = [&](double& lower, double& upper) {
      if (word != "<=") lower = std::max(lower, b);
      if (word != ">=") upper = std::min(upper, b);
    };
    if (entries.size() == 1 && entries.front().value == 1 && word != "=") {
      LinearModel::Column& of_bound = model.columns[entries.front().column];
      restrict_to(of_bound.lower, of_bound.upper);
      continue;
    }
    const std::string name = "line " + std::to_string(table.lines[row]);
    LinearModel::Row& constraint = model.rows[model.add_row(name, table.lines[row])];
    restrict_to(constraint.lower, constraint.upper);
    model.entries.insert(model.entries.end(), entries.begin(), entries.end());
  }
  return model;
}

}  // namespace keyhole::spec
