#include "experiment/columns.h"

#include <algorithm>

#include "base/number_text.h"

namespace keyhole::experiment {

std::string aligned(const std::vector<Row>& rows, std::size_t left) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t j = 0; j < row.size(); ++j) widths[j] = std::max(widths[j], row[j].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::size_t debt = 0;  // spaces that are written if something follows
    for (std::size_t j = 0; j < row.size(); ++j) {
      const std::size_t fill = widths[j] - row[j].size();
      text += std::string(debt + (j < left ? 0 : fill), ' ') + row[j];
      debt = (j < left ? fill : 0) + 2;
    }
    text += "\n";
  }
  return text;
}

std::string interval_text(const Interval& interval, int count) {
  return base::digits_text(interval.mean, count) +
         (interval.half_width ? " +- " + base::digits_text(*interval.half_width, 2) : "");
}

std::string interval_csv(const Interval& interval) {
  const auto half = interval.half_width;
  return base::number_text(interval.mean) + "," +
         (half ? base::number_text(interval.mean - *half) : "") + "," +
         (half ? base::number_text(interval.mean + *half) : "");
}

std::string optional_csv(const std::optional<double>& value) {
  return value ? base::number_text(*value) : "";
}

}  // namespace keyhole::experiment
