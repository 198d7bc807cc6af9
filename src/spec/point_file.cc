#include "spec/point_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/nearest.h"
#include "base/number_text.h"
#include "keyhole/error.h"
#include "problems/csv.h"

namespace keyhole::spec {
namespace {

using Points = std::vector<std::vector<double>>;

constexpr std::size_t most_bytes_of_points = std::size_t{1} << 30U;

Points points_of_csv(const std::string& path) {
  const problems::CsvTable table = problems::read_csv(path);
  Points points(table.rows.size());
  for (std::size_t row = 0; row < points.size(); ++row) {
    for (std::size_t column = 0; column < table.header.size(); ++column) {
      points[row].push_back(problems::csv_number(table, row, column));
    }
  }
  return points;
}

/// What stands after 'key': in the dictionary of the header, up to the end of the value.
std::optional<std::string_view> header_value(std::string_view header, std::string_view key) {
  const std::size_t found = header.find("'" + std::string(key) + "':");
  if (found == std::string_view::npos) return std::nullopt;
  std::string_view rest = header.substr(found + key.size() + 3);
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  const std::size_t end = rest.starts_with('(') ? rest.find(')') : rest.find_first_of(",}");
  return end == std::string_view::npos ? std::nullopt : std::optional(rest.substr(0, end));
}

/// The two numbers of "(3, 2"; nothing if there are not two.
std::optional<std::pair<std::size_t, std::size_t>> shape_of(std::string_view text) {
  const std::size_t comma = text.find(", ");
  if (!text.starts_with('(') || comma == std::string_view::npos) return std::nullopt;
  const auto rows = base::read_whole_number(std::string(text.substr(1, comma - 1)));
  const auto columns = base::read_whole_number(std::string(text.substr(comma + 2)));
  if (!rows || !columns) return std::nullopt;
  return std::pair(*rows, *columns);
}

}  // namespace

/// Version 1.0 to 3.0 of the format: magic, version, length of the header, header, numbers.
std::vector<std::vector<double>> parse_npy(std::string_view bytes, const std::string& name) {
  const auto require = [&](bool good, const std::string& what) {
    if (!good) throw InputError(name + ": " + what);
  };
  const auto byte = [&](std::size_t k) {
    return static_cast<std::size_t>(static_cast<unsigned char>(bytes[k]));
  };
  require(bytes.size() >= 12 && bytes.starts_with("\x93NUMPY"), "is not an .npy file of NumPy");
  const bool is_short = byte(6) == 1;
  const std::size_t begin = is_short ? 10 : 12;
  std::size_t length = byte(8) + (byte(9) << 8U);
  if (!is_short) length += (byte(10) << 16U) + (byte(11) << 24U);
  require(length <= bytes.size() - begin, "ends within its header");
  const std::string_view header = bytes.substr(begin, length);
  const std::string_view numbers = bytes.substr(begin + length);
  const auto type = header_value(header, "descr");
  const auto order = header_value(header, "fortran_order");
  const auto size = header_value(header, "shape");
  require(type && order && size, "has a header that is not understood");
  require(*type == "'<f8'", "holds numbers of the type " + std::string(*type) +
                                ", not '<f8': save points.astype('<f8')");
  const auto shape = shape_of(*size);
  require(shape.has_value(),
          "holds an array of the shape " + std::string(*size) + "), not of rows and columns");
  const auto [rows, columns] = *shape;
  require(columns == 0 || rows <= numbers.size() / 8 / columns, "has too few numbers");
  require(rows * columns == numbers.size() / 8 && numbers.size() % 8 == 0,
          "has " + std::to_string(numbers.size()) + " bytes of numbers for " +
              std::to_string(rows) + " rows of " + std::to_string(columns));
  const bool by_columns = *order == "True";
  Points points(rows, std::vector<double>(columns));
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const std::size_t place = by_columns ? j * rows + i : i * columns + j;
      std::memcpy(&points[i][j], numbers.data() + 8 * place, 8);
      require(std::isfinite(points[i][j]),
              "row " + std::to_string(i) + ", column " + std::to_string(j) + " is " +
                  base::number_text(points[i][j]) + ", not a finite number");
    }
  }
  return points;
}

std::vector<std::vector<double>> points_of_file(const std::string& path) {
  const std::string ending = base::lower_case(std::filesystem::path(path).extension().string());
  if (ending == ".csv") return points_of_csv(path);
  if (ending == ".npy") return parse_npy(problems::read_text(path, most_bytes_of_points), path);
  throw InputError(path + ": the name of a file of points ends in .csv or .npy");
}

}  // namespace keyhole::spec
