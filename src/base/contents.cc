#include "keyhole/contents.h"

#include <cmath>
#include <cstring>
#include <utility>

#include "base/number_text.h"
#include "base/require.h"
#include "base/sha256.h"

namespace keyhole {
namespace {

/// The beginning of an .npy file of version 1.0, as NumPy writes it: the numbers begin at a
/// multiple of 64 bytes.
std::string npy_header(std::size_t rows, std::optional<std::size_t> columns) {
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (" +
                       std::to_string(rows) + "," +
                       (columns ? " " + std::to_string(*columns) : "") + "), }";
  constexpr std::size_t before = 10;
  constexpr std::size_t block = 64;
  header.append(block - 1 - (before + header.size()) % block, ' ');
  header += '\n';
  std::string begin("\x93NUMPY\x01\x00", 8);
  begin += static_cast<char>(header.size() & 0xffU);
  begin += static_cast<char>(header.size() >> 8U);
  return begin + header;
}

std::string_view bytes_of(std::span<const double> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

std::shared_ptr<const double> shared(std::vector<double> numbers) {
  const auto kept = std::make_shared<const std::vector<double>>(std::move(numbers));
  return {kept, kept->data()};
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

struct NpyShape {
  std::size_t rows = 0;
  std::optional<std::size_t> columns = {};
};

/// Of "(3," or "(3, 2"; nothing for other numbers of dimensions.
std::optional<NpyShape> shape_of(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (!text.starts_with('(') || comma == std::string_view::npos) return std::nullopt;
  const auto rows = base::read_whole_number(text.substr(1, comma - 1));
  if (!rows) return std::nullopt;
  std::string_view rest = text.substr(comma + 1);
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  if (rest.empty()) return NpyShape{*rows};
  const auto columns = base::read_whole_number(rest);
  if (!columns) return std::nullopt;
  return NpyShape{*rows, *columns};
}

}  // namespace

Array::Array(std::vector<double> numbers) : rows_(numbers.size()) {
  numbers_ = shared(std::move(numbers));
}

Array::Array(std::vector<double> numbers, std::size_t columns)
    : rows_(columns == 0 ? 0 : numbers.size() / columns), columns_(columns) {
  base::require(rows_ * columns == numbers.size(), "an array of " + std::to_string(numbers.size()) +
                                                       " numbers does not have whole rows of " +
                                                       std::to_string(columns));
  numbers_ = shared(std::move(numbers));
}

Array::Array(std::shared_ptr<const double> numbers, std::size_t rows,
             std::optional<std::size_t> columns)
    : numbers_(std::move(numbers)), rows_(rows), columns_(columns) {}

std::string Array::shape_text() const {
  return std::to_string(rows_) + (columns_ ? "x" + std::to_string(*columns_) : "");
}

std::string Array::name() const {
  return "sha256:" + base::sha256(npy_header(rows_, columns_), bytes_of(numbers()));
}

std::string Array::npy() const {
  std::string bytes = npy_header(rows_, columns_);
  bytes += bytes_of(numbers());
  return bytes;
}

/// Version 1.0 to 3.0 of the format: magic, version, length of the header, header, numbers.
Array Array::from_npy(std::string_view bytes, const std::string& file) {
  const auto require = [&](bool good, const std::string& what) {
    if (!good) throw InputError(file + ": " + what);
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
  require(shape.has_value(), "holds an array of the shape " + std::string(*size) +
                                 "), not a list or rows and columns");
  const std::size_t rows = shape->rows;
  const std::size_t columns = shape->columns.value_or(1);
  require(columns == 0 || rows <= numbers.size() / 8 / columns, "has too few numbers");
  require(rows * columns == numbers.size() / 8 && numbers.size() % 8 == 0,
          "has " + std::to_string(numbers.size()) + " bytes of numbers for " +
              std::to_string(rows) + " rows of " + std::to_string(columns));
  std::vector<double> values(rows * columns);
  if (!values.empty()) std::memcpy(values.data(), numbers.data(), numbers.size());
  if (*order == "True" && rows > 1 && columns > 1) {
    const std::vector<double> by_columns = values;
    for (std::size_t k = 0; k < values.size(); ++k) {
      values[k] = by_columns[k % columns * rows + k / columns];
    }
  }
  return {shared(std::move(values)), rows, shape->columns};
}

}  // namespace keyhole
