#include "experiment/columns.h"

#include <algorithm>
#include <utility>

#include "base/number_text.h"

namespace keyhole::experiment {
namespace {

constexpr std::size_t widest = 100;

bool fits(const std::string& text) {
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = text.find('\n', begin);
    if (end - begin > widest) return false;
  }
  return true;
}

/// Columns whose first has names; those longer than `longest` stand above their rows.
std::string with_names_above(std::vector<Row> rows, std::size_t longest) {
  std::vector<std::string> above(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].front().size() > longest) std::swap(above[i], rows[i].front());
  }
  const std::string table = aligned(rows);
  std::string text;
  std::size_t begin = 0;
  for (const std::string& name : above) {
    const std::size_t end = table.find('\n', begin) + 1;
    if (!name.empty()) text += name + "\n";
    text += table.substr(begin, end - begin);
    begin = end;
  }
  return text;
}

}  // namespace

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

std::string aligned_below_names(const std::vector<Row>& rows) {
  std::string text;
  for (const std::size_t longest : {24U, 16U, 8U}) {
    text = with_names_above(rows, longest);
    if (fits(text)) break;
  }
  return text;
}

std::string wrapped(const std::string& begin, const std::vector<std::string>& items) {
  std::string text;
  std::string line = begin;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item = items[i] + (i + 1 < items.size() ? "," : "");
    if (line.size() + 1 + item.size() > widest) {
      text += line + "\n";
      line = " ";
    }
    line += " " + item;
  }
  return text + line + "\n";
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
