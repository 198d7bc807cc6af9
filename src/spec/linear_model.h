// The constraints of a linear program as files name them: what the readers of MPS and LP files
// fill in.

#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "keyhole/polytope.h"

namespace keyhole::spec {

inline constexpr double without_bound = std::numeric_limits<double>::infinity();

/// A name as in a message: not for ever.
[[nodiscard]] std::string shortened(std::string_view text);

/// Rows lower <= a x <= upper and columns lower <= x_j <= upper, in the order of the file.
class LinearModel {
 public:
  struct Row {
    std::string name;
    double lower = -without_bound;
    double upper = without_bound;
  };
  struct Column {
    std::string name;
    double lower = 0;
    double upper = without_bound;
    /// Where the file says something about them.
    bool has_lower = false;
    bool has_upper = false;
    /// Whether only whole numbers are wanted, which is not heeded, and where that is said.
    bool whole = false;
    std::size_t line = 0;
  };

  explicit LinearModel(std::string file) : file_(std::move(file)) {}

  /// Throws InputError: "file:line: what".
  [[noreturn]] void fail(std::size_t line, const std::string& what) const;

  std::vector<Row> rows;
  std::vector<Column> columns;
  /// Those at the same place add up.
  std::vector<MatrixEntry> entries;

  /// The index of a new row or column; fails if there is one of that name.
  std::size_t add_row(std::string_view name, std::size_t line);
  std::size_t add_column(std::string_view name, std::size_t line);
  /// The index; nothing if there is none.
  [[nodiscard]] std::optional<std::size_t> row(std::string_view name) const;
  [[nodiscard]] std::optional<std::size_t> column(std::string_view name) const;

  /// A finite number, as in C++; fails for anything else.
  [[nodiscard]] double number(std::string_view text, std::size_t line) const;
  /// A bound: magnitudes from 1e30 on, and "inf" and "infinity", mean that there is none.
  [[nodiscard]] double bound(std::string_view text, std::size_t line) const;

  /// The same of a number.
  [[nodiscard]] static double as_bound(double value) noexcept;

  /// Rows with equal bounds as equalities, the others as one inequality or two; rows without any
  /// are left out. Throws InputError for contradictory bounds, and if there are no columns.
  [[nodiscard]] PolytopeConstraints constraints() const;

 private:
  using Names = std::unordered_map<std::string, std::size_t>;

  std::string file_;
  Names row_of_;
  Names column_of_;
};

/// The constraints of a text; names are those of messages. Objectives and the demand for whole
/// numbers are not heeded. Throw InputError for everything that is not understood.
///
/// MPS: sections NAME, OBJSENSE, OBJNAME, ROWS, COLUMNS, RHS, RANGES, BOUNDS and ENDATA; by fields
/// between blanks (free), or where that fails by columns (fixed, where names can have blanks).
/// Columns are in [0, inf) unless BOUNDS say otherwise; UP with a negative number and no lower
/// bound means (-inf, number]. Whole columns (between markers) must have an upper bound, for
/// programs differ in what they take for it.
[[nodiscard]] LinearModel read_mps(std::string_view text, const std::string& file);

/// CPLEX's LP format: Minimize or Maximize, Subject To, Bounds, Generals, Binaries and End. Each
/// constraint and each bound begins on a line of its own. Columns are those of the objective and
/// the constraints, in the order of their first appearance, in [0, inf) unless Bounds or Binaries
/// say otherwise; a negative upper bound needs a lower one.
[[nodiscard]] LinearModel read_lp(std::string_view text, const std::string& file);

}  // namespace keyhole::spec
