#include "spec/linear_model.h"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "base/nearest.h"
#include "base/number_text.h"
#include "base/shortened.h"
#include "keyhole/error.h"

namespace keyhole::spec {
namespace {

/// As programs write infinity.
constexpr double as_good_as_infinite = 1e30;

template <class Names>
std::optional<std::size_t> find_name(const Names& names, std::string_view name) {
  const auto found = names.find(std::string(name));
  return found == names.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

void LinearModel::fail(std::size_t line, const std::string& what) const {
  throw InputError(file_ + ":" + std::to_string(line) + ": " + what);
}

std::size_t LinearModel::add_row(std::string_view name, std::size_t line) {
  if (!row_of_.emplace(name, rows.size()).second) {
    fail(line, "there is a row '" + base::shortened(name) + "' already");
  }
  rows.push_back({.name = std::string(name)});
  return rows.size() - 1;
}

std::size_t LinearModel::add_column(std::string_view name, std::size_t line) {
  if (!column_of_.emplace(name, columns.size()).second) {
    fail(line, "there is a column '" + base::shortened(name) + "' already");
  }
  columns.push_back({.name = std::string(name), .line = line});
  return columns.size() - 1;
}

std::optional<std::size_t> LinearModel::row(std::string_view name) const {
  return find_name(row_of_, name);
}

std::optional<std::size_t> LinearModel::column(std::string_view name) const {
  return find_name(column_of_, name);
}

double LinearModel::number(std::string_view text, std::size_t line) const {
  std::string_view digits = text;
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  const auto number = base::leading_number(digits);
  if (number && !number->in_range) {
    fail(line, "'" + base::shortened(text) + "' is beyond the range of a double");
  }
  if (!number || number->length != digits.size() || !std::isfinite(number->value)) {
    fail(line, "'" + base::shortened(text) + "' is not a number");
  }
  return number->value;
}

double LinearModel::bound(std::string_view text, std::size_t line) const {
  const bool negative = text.starts_with('-');
  std::string_view magnitude = text;
  if (negative || text.starts_with('+')) magnitude.remove_prefix(1);
  const std::string word = base::lower_case(magnitude);
  if (word == "inf" || word == "infinity") return negative ? -without_bound : without_bound;
  return as_bound(number(text, line));
}

double LinearModel::as_bound(double value) noexcept {
  return std::abs(value) < as_good_as_infinite ? value : std::copysign(without_bound, value);
}

void LinearModel::require_lower_bound(const Column& column, const char* where) const {
  if (!(column.upper < 0) || column.has_lower) return;
  fail(column.line, "the upper bound of '" + base::shortened(column.name) +
                        "' is negative and there is no lower one, for which some programs take 0 "
                        "and others -inf: say which in " +
                        where);
}

PolytopeConstraints LinearModel::constraints() const {
  if (columns.empty()) throw InputError(file_ + ": there are no columns in it");
  PolytopeConstraints result{.n = columns.size()};
  for (const Column& column : columns) {
    if (!(column.lower <= column.upper)) {
      throw InputError(file_ + ": the bounds of column '" + base::shortened(column.name) + "', [" +
                       base::number_text(column.lower) + ", " + base::number_text(column.upper) +
                       "], leave no number");
    }
    const bool fixed = column.lower == column.upper;
    if (fixed) {  // a direction that the hull has not; the coordinate stays
      result.equalities.sparse.push_back({result.equalities.right.size(), result.lower.size(), 1});
      result.equalities.right.push_back(column.upper);
      result.equalities.names.push_back("the bounds of column '" + base::shortened(column.name) +
                                        "'");
    }
    result.lower.push_back(fixed ? -without_bound : column.lower);
    result.upper.push_back(fixed ? without_bound : column.upper);
  }
  struct Place {
    LinearRows& list;
    std::size_t index;
    double sign;
  };
  std::vector<std::vector<Place>> places(rows.size());  // where each row goes
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    const std::string name = "row '" + base::shortened(row.name) + "'";
    if (!(row.lower <= row.upper) || row.lower == without_bound || row.upper == -without_bound) {
      throw InputError(file_ + ": " + name + " must be in [" + base::number_text(row.lower) + ", " +
                       base::number_text(row.upper) + "], which holds no number");
    }
    const auto place = [&](LinearRows& list, double sign, double right) {
      places[i].push_back({list, list.right.size(), sign});
      list.right.push_back(sign * right);
      list.names.push_back(name);
    };
    if (row.lower == row.upper) {
      place(result.equalities, 1, row.upper);
      continue;
    }
    if (row.upper < without_bound) place(result.inequalities, 1, row.upper);
    if (row.lower > -without_bound) place(result.inequalities, -1, row.lower);
  }
  for (const MatrixEntry& entry : entries) {
    for (const auto& [list, index, sign] : places[entry.row]) {
      list.sparse.push_back({index, entry.column, sign * entry.value});
    }
  }
  return result;
}

}  // namespace keyhole::spec
