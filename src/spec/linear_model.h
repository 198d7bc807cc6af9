// The constraints of a linear program as files name them: what the readers of MPS and LP files
// fill in.
//
// Why these readers are not those of CoinUtils, which comes with CLP. Its version 2.11.4 was given
// the texts of tests/spec/polytope_file_test.cc and a hundred others, each in a process of its own.
// On good files the two agree, and the tests compare them. It cannot read files of strangers:
//
//   MPS: a name of 160 letters            accepted, and the column is lost; from 164 on it crashes
//        the same row, or column, twice   accepted, printed to stdout past the message handler
//        1e999 as a coefficient           accepted as 1.8e308
//        a zero byte; a file that ends    accepted, the latter as a model without rows
//          after ROWS and one row
//        a second set of right sides      dropped without a word
//        a whole column without a bound   accepted as [0, 1]
//        no RHS section; tabs; a bound    refused, although other programs write them
//          without the name of its set
//   LP:  1 <= x + y <= 2                  accepted as 1 z + x + y <= 2: "<=" is the variable z
//        x + y <= abc; <= 1.5abc; <= nan  accepted as 0; as 1.5; as NaN
//        x y <= 1; Lazy Constraints       accepted as x + y <= 1; as variables of those names
//        [ x^2 ] <= 1; Semi-continuous    accepted as a linear row of three variables; as whole
//        x <= -3 as a bound               accepted as [0, -3]
//        no End; a name of 990 letters    crashes; aborts
//        x+y<=1 without blanks; 1 <= x;   refused
//          x + 3 <= 5; 2 x + y - x <= 4
//
// What it refuses of an LP file it refuses with a line of its own source, not of the file. And with
// KEYHOLE_WITH_CLP=OFF there is no CoinUtils.

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
  /// Fails if a column has a negative upper bound and none below; `where` one can be given.
  void require_lower_bound(const Column& column, const char* where) const;

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

/// CSV: a line of names, of which two are `relation` and `right` and the others columns; then a
/// constraint in each line: its coefficients, <=, >= or =, and its right side. A line with <= or >=
/// whose only coefficient is 1 is a bound. Columns have no other bounds.
[[nodiscard]] LinearModel read_csv_rows(std::string_view text, const std::string& file);

/// CPLEX's LP format: Minimize or Maximize, Subject To, Bounds, Generals, Binaries and End. Each
/// constraint and each bound begins on a line of its own. Columns are those of the objective and
/// the constraints, in the order of their first appearance, in [0, inf) unless Bounds or Binaries
/// say otherwise; a negative upper bound needs a lower one.
[[nodiscard]] LinearModel read_lp(std::string_view text, const std::string& file);

}  // namespace keyhole::spec
