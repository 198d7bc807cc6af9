#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "keyhole/error.h"

#pragma GCC visibility push(default)
namespace keyhole {

/// \file
/// Numbers that are too many to be written into a spec. The spec names them by their content, and
/// whoever makes something of the spec has the numbers:
///
///   const keyhole::Array matrix(std::vector<double>(300 * 300, 1.0), 300);
///   const std::string name = matrix.name();     // sha256:4e07...
///   const keyhole::Contents contents = {{name, matrix}};
///   keyhole::make_set("ellipsoid(array(\"" + name + "\"))", contents);

/// A list of numbers, or a matrix row by row. It never changes, and copies share the numbers.
class Array {
 public:
  /// No numbers.
  Array() = default;
  /// A list.
  explicit Array(std::vector<double> numbers);
  /// A matrix, row by row; throws InvalidArgument unless its rows are whole. Without numbers it has
  /// no rows.
  Array(std::vector<double> numbers, std::size_t columns);
  /// What somebody else keeps as long as the pointer lives, and does not change: a list of `rows`
  /// numbers, or a matrix.
  Array(std::shared_ptr<const double> numbers, std::size_t rows,
        std::optional<std::size_t> columns = {});

  /// All numbers, row by row.
  [[nodiscard]] std::span<const double> numbers() const noexcept {
    return {numbers_.get(), rows_ * columns_.value_or(1)};
  }
  /// How many rows the matrix has, or numbers the list.
  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  /// How many numbers a row has; nothing for a list.
  [[nodiscard]] std::optional<std::size_t> columns() const noexcept { return columns_; }
  /// A row of a matrix.
  [[nodiscard]] std::span<const double> row(std::size_t i) const noexcept {
    return numbers().subspan(i * *columns_, *columns_);
  }

  /// "250x250", or "250" for a list.
  [[nodiscard]] std::string shape_text() const;
  /// Its name by its content: "sha256:" and the digest of npy(). Equal names mean equal numbers in
  /// an equal shape.
  [[nodiscard]] std::string name() const;
  /// Its bytes as a file of NumPy (.npy).
  [[nodiscard]] std::string npy() const;
  /// That of the bytes of such a file, of float64 and one or two dimensions. `file` stands in
  /// messages. Throws InputError.
  [[nodiscard]] static Array from_npy(std::string_view bytes, const std::string& file);

 private:
  std::shared_ptr<const double> numbers_;
  std::size_t rows_ = 0;
  std::optional<std::size_t> columns_;
};

/// Arrays, by the names that specs give them.
using Contents = std::map<std::string, Array, std::less<>>;

}  // namespace keyhole
#pragma GCC visibility pop
