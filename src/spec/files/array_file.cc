#include "spec/files/array_file.h"

#include <algorithm>
#include <filesystem>

#include "base/joined.h"
#include "base/nearest.h"
#include "base/shortened.h"
#include "keyhole/error.h"
#include "problems/csv.h"

namespace keyhole::spec {
namespace {

constexpr std::size_t most_bytes_of_arrays = std::size_t{1} << 30U;

NamedColumns columns_of_csv(const std::string& text, const std::string& path) {
  const problems::CsvTable table = problems::parse_csv(text, path);
  NamedColumns columns{.file = path, .names = table.header};
  columns.numbers.reserve(table.rows.size() * table.header.size());
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    for (std::size_t column = 0; column < table.header.size(); ++column) {
      columns.numbers.push_back(problems::csv_number(table, row, column));
    }
  }
  return columns;
}

/// Those from the first on.
Array part_of(const NamedColumns& columns, std::size_t first, std::size_t count) {
  const std::size_t all = columns.names.size();
  std::vector<double> numbers;
  numbers.reserve(columns.numbers.size() / all * count);
  for (std::size_t begin = first; begin < columns.numbers.size(); begin += all) {
    numbers.insert(numbers.end(), columns.numbers.begin() + static_cast<std::ptrdiff_t>(begin),
                   columns.numbers.begin() + static_cast<std::ptrdiff_t>(begin + count));
  }
  return {std::move(numbers), count};
}

Array column_of(const NamedColumns& columns, const std::string& name) {
  const auto found = std::find(columns.names.begin(), columns.names.end(), name);
  if (found == columns.names.end()) {
    throw InputError(columns.file + ": has no column '" + base::shortened(name) + "'; it has " +
                     base::shortened(base::joined(columns.names), 200));
  }
  const Array column = part_of(columns, static_cast<std::size_t>(found - columns.names.begin()), 1);
  return Array({column.numbers().begin(), column.numbers().end()});
}

}  // namespace

Array array_of_file(const std::string& path, const std::string& column) {
  const std::string ending = base::lower_case(std::filesystem::path(path).extension().string());
  const std::string text = problems::read_text(path, most_bytes_of_arrays);
  if (ending == ".npy") {
    if (!column.empty()) {
      throw InputError(path + ": an .npy file has no names for its columns: leave '" +
                       base::shortened(column) + "' out");
    }
    return Array::from_npy(text, path);
  }
  const bool is_table = ending == ".csv";
  const NamedColumns columns = is_table ? columns_of_csv(text, path) : graph_of_text(text, path);
  if (!column.empty()) return column_of(columns, column);
  return part_of(columns, 0, is_table ? columns.names.size() : 2);
}

}  // namespace keyhole::spec
